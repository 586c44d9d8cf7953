/** The words of refusals whose next step is different on a page of the console. */
import type { RefusalFacts } from '../../base/refusal.ts';
import { counted, grouped } from '../../base/words.ts';
import { lines, listed } from '../audience.ts';
import { likeRow } from '../duplicates.ts';

export const putBack = 'put the old values back, and submit the sheet again';
export const tickAdd = 'tick that the sheet adds new rows';
export const tickDrop = 'tick that the rows which the sheet lacks are not paid';
export const ownName = 'give the batch a name of its own';

export const pageRefusals: {
  readonly SHEET_LOOKS_PAID: (facts: RefusalFacts['SHEET_LOOKS_PAID']) => string;
} = {
  SHEET_LOOKS_PAID: ({ batch, held, of, rows }) =>
    lines(
      'page',
      `Batch ${batch} seems to have paid this sheet. Nothing was sent. ${grouped(held)} of the sheet's ${counted(of, 'row')} look like earlier payments:`,
      listed(rows, likeRow),
      `To add the other rows of the sheet to batch ${batch}: give the batch that name, and ${tickAdd}.`,
      `To pay the rows again: ${ownName}, and say why.`,
    ),
};
