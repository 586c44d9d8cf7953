/** The page's words for refusals that concern duplicates and corrected sheets (see `../leaving.ts`). */
import type { RefusalFacts } from '../../base/refusal.ts';
import { counted, grouped } from '../../base/words.ts';
import { lines, listed } from '../audience.ts';
import { likeRow } from '../leaving.ts';
import type { PlanAdvice } from '../passage.ts';

export const putBack = 'put the old values back, and hand the sheet in anew';
export const tickAdd = 'tick that the sheet adds new rows';
export const tickDrop = 'tick that rows which it lacks are not paid';
export const ownName = (which = '') => `give the batch a name of its own${which}.`;
type Leaving = 'SHEET_LOOKS_PAID';

export const pageRefusals: { readonly [C in Leaving]: (facts: RefusalFacts[C], advice?: PlanAdvice) => string } = {
  SHEET_LOOKS_PAID: ({ batch, held, of, rows }, advice) =>
    lines(
      'page',
      `Nothing was sent: batch ${batch} paid this sheet. ${grouped(held)} of its ${counted(of, 'row')} look like earlier payments:`,
      listed(rows, likeRow),
      `To add its other rows to batch ${batch}: give the batch that name, and ${tickAdd}.`,
      `To pay the rows again: ${advice?.isFree === true ? '' : 'give the batch a name of its own, and '}say why.`,
    ),
};
