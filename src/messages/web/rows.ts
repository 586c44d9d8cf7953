/** The words of rows on their pages, and of what a batch's page offers next. */
import { counted, named } from '../format/numbers.ts';
import { resumeWords } from '../next-actions.ts';
import { correctedWords } from './trail.ts';

/** Why a person decides: a changed account, an absent payment, a possible repeat, two payments, or another reason. */
export type Decides = 'account' | 'absent' | 'repeat' | 'twice' | 'other';

export const closedRowWords = 'Only an approver who did not prepare the row can open it again here.';

export const decideWords: { readonly [D in Decides]?: string } = {
  account:
    'An approver who did not prepare the row does this here. To leave it unpaid, a preparer or an approver closes it here, and its batch can end without it.',
  absent: 'No payment at the service has its tag. If an approver releases it, Payrun sends it again.',
  repeat:
    'If it repeats no payment, an approver who did not prepare the row releases it here. If it repeats one, a preparer or an approver closes it here, and its batch can end without it.',
};

export const accountDoubtWords = (bank: string | null) =>
  `The account number does not fit the check digit or length of ${bank ?? 'its bank'}: check that no digit is mistyped.`;

/** `number` is null for the first sheet. `corrected` is the row's number in a sheet that corrected it, else null. */
export const sheetCameWords = (
  { name, corrected, changed }: { readonly name: string; readonly corrected: number | null; readonly changed: unknown },
  number: number | null,
) =>
  number === null
    ? `Imported with ${name}`
    : `Imported again with ${name}, there as row ${corrected ?? number}${corrected === null ? '' : `: ${correctedWords(changed)}`}`;

export const batchSteps = {
  resume({ not_sent, pending }: { readonly not_sent: number; readonly pending: number }): string {
    if (not_sent === 0 && pending === 0) return resumeWords;
    if (not_sent === 0) return 'No row is left to send. Continue only follows pending payments.';
    return `Continue sends the rows that were not sent${pending > 0 ? ', and follows pending payments' : ''}.`;
  },
  invalid(rows: number, batch: string): string {
    const { was, it, its } = named(rows);
    return `${counted(rows, 'row')} ${was} left out for ${its} mistakes. To pay ${it} too, fix ${it} in the sheet. To leave ${it} unpaid, delete ${it} there. Then upload the sheet on Home, and plan it as the next version of batch ${batch}.`;
  },
};
