/** The advice and the reasons in the answers of a hot folder, for the person who put a sheet into it. */
import type { ErrorCode } from '../base/refusal.ts';

const repeated =
  'Do nothing if it is the same sheet again: its rows are paid, or their payments are under way. If it is for another period, or if somebody changed its rows on purpose, run it from the command line in one of the ways that `why` names.';

const planAgain =
  'Make a new plan of this sheet with the settings of the watcher (its payrun.config.json), and have it approved. The sheet is in the subfolder taken. Put the signatures into the folder first, then the plan, and the sheet last.';

const otherCounts =
  'Compare this sheet with the one that `why` names. If this sheet is right, put it into the folder again. If not, do nothing: the batch keeps the other sheet.';

const mend =
  'Correct each problem in the sheet, or in the checked workbook if there is one. Then put it into the folder again.';

const totals =
  'Ask the person who made the sheet whether the sheet or its totals are wrong. Then put both into the folder again.';

/** The next step after a refusal. Refusals that are not listed get `anyAdvice`. */
const advice: { readonly [C in ErrorCode]?: string } = {
  SHEET_REFUSED: mend,
  PAYEES_REFUSED: mend,
  FILE_UNREADABLE:
    'Save the sheet as .xlsx or .csv under a short name, and check that it opens. Then put it into the folder again.',
  SHEET_CHANGED:
    'Find out who changed the sheet while it lay in the folder, and why. Then put the right sheet into the folder again, under a name that nobody writes to.',
  TOTALS_DIFFER: totals,
  TOTALS_MISSING: totals,
  PLAN_NOT_FOUND: planAgain,
  PLAN_UNREADABLE: planAgain,
  PLAN_CHANGED: planAgain,
  PLAN_PAGE_DIFFERS: planAgain,
  PLAN_EXPIRED: planAgain,
  PLAN_DECLINED: planAgain,
  PLAN_DIFFERS: planAgain,
  BATCH_LEAVES_PLAN: planAgain,
  RETRY_UNPLANNED: planAgain,
  VERSION_CONFLICT: otherCounts,
  IDENTITY_CHANGED: 'Tell the person who maintains the settings: the batch was sent with another key, user or address.',
};

const anyAdvice =
  'Remove the cause that `why` names. Then put the sheet into the folder again, or run it from the command line.';

/** `cameBefore` is true if the sheet, or some of its rows, were submitted before. */
export const nackAdvice = (code: string | null, { cameBefore }: { readonly cameBefore: boolean }): string =>
  cameBefore ? repeated : ((advice as Readonly<Record<string, string>>)[code ?? ''] ?? anyAdvice);

export const hotFolderWords = {
  refused: 'The sheet or one of its payees was refused.',
  sentBefore: 'Rows that were sent before are not sent again. The ACK shows the status of each row.',
  outMade: (folder: string) => `The folder ${folder} was gone with its answers, and was made again`,
} as const;
