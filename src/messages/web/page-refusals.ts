/** The page's words for refusals that concern duplicates and corrected sheets (see `../leaving.ts`). */
import type { RefusalFacts } from '../../base/refusal.ts';
import { counted, grouped } from '../../base/words.ts';
import { lines, listed } from '../audience.ts';
import { likeRow } from '../leaving.ts';
import type { PlanAdvice } from '../passage.ts';

export const putBack = 'put the old values back, and submit the sheet again';
export const tickAdd = 'tick that the sheet adds new rows';
export const tickDrop = 'tick that the rows which the sheet lacks are not paid';
export const ownName = (which = '') => `give the batch a name of its own${which}.`;
type Leaving = 'SHEET_LOOKS_PAID';

export const pageRefusals: { readonly [C in Leaving]: (facts: RefusalFacts[C], advice?: PlanAdvice) => string } = {
  SHEET_LOOKS_PAID: ({ batch, held, of, rows }, advice) =>
    lines(
      'page',
      `Batch ${batch} seems to have paid this sheet. Nothing was sent. ${grouped(held)} of the sheet's ${counted(of, 'row')} look like earlier payments:`,
      listed(rows, likeRow),
      `To add the other rows of the sheet to batch ${batch}: give the batch that name, and ${tickAdd}.`,
      `To pay the rows again: ${advice?.isFree === true ? '' : 'give the batch a name of its own, and '}say why.`,
    ),
};
