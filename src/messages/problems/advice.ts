/** Advice that several problems give. */
import type { Audience } from '../audience.ts';

export const calculateAgain = (audience: Audience): string =>
  audience === 'page'
    ? 'write its value here, or save the file in the spreadsheet program and hand it in again'
    : 'open it in the spreadsheet program and save it, or paste the values';
