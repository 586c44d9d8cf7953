/** Advice that several problems give. */
import type { Audience } from '../audience.ts';

export const calculateAgain = (audience: Audience): string =>
  audience === 'page'
    ? 'write its value here, or save the file in the spreadsheet program and upload it again'
    : 'open it in the spreadsheet program and save it, or paste the values';

/** A page shows the wrong cell beside this advice; a terminal does not. */
export const typeAgain = (audience: Audience, how = 'in a text cell'): string =>
  audience === 'page' ? 'write it here as it should be' : `type it again ${how}`;

export const lostDigits = (audience: Audience): string =>
  `was turned into a number in scientific notation and has lost digits; ${typeAgain(audience)}`;
