/** The advice and the reasons in the answers of a hot folder, for the person who put a sheet into it. */
import type { ErrorCode } from '../base/refusal.ts';

const repeated =
  'If it is the same sheet once more, do nothing: it is paid, or on its way. If it is another period, or its rows were changed on purpose, a person runs it from the command line, in one of the ways that are told above.';

const planAgain =
  'Make a new plan of this sheet with the settings of the watcher (its payrun.config.json), and have it approved. Then put all of it into the folder again: the signatures, the plan, and last the sheet, which lies in taken by now.';

const otherCounts =
  'Compare it with the sheet that `why` names. If its rows still hold, put it into the folder again. Else do nothing: the other sheet counts.';

const mend =
  'Mend each problem in the sheet, or in the checked workbook where there is one, and put it into the folder again.';

const totals =
  'Find out which is wrong, the sheet or its totals, from whoever made it; then put both into the folder again.';

/** The next step after a refusal. Refusals that are not listed get `anyAdvice`. */
const advice: { readonly [C in ErrorCode]?: string } = {
  SHEET_REFUSED: mend,
  PAYEES_REFUSED: mend,
  FILE_UNREADABLE: 'Save it as .xlsx or .csv under a short name, look that it opens, and put it into the folder again.',
  SHEET_CHANGED:
    'Find out who changed it, and whether on purpose; then put the right sheet into the folder again, under a name that nobody writes to while it lies there.',
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
  IDENTITY_CHANGED: 'Tell whoever keeps the settings: the batch was sent from with another key, user or address.',
};

const anyAdvice =
  'Read why; when that is dealt with, put the sheet into the folder again, or have a person run it from the command line.';

/** `cameBefore` is true if the sheet, or some of its rows, were submitted before. */
export const nackAdvice = (code: string | null, { cameBefore }: { readonly cameBefore: boolean }): string =>
  cameBefore ? repeated : ((advice as Readonly<Record<string, string>>)[code ?? ''] ?? anyAdvice);

export const hotFolderWords = {
  refused: 'The sheet, or a payee of it, was refused.',
  sentBefore: 'What was sent of it before is not sent again. The ACK says how its rows stand.',
  totalsMissing: (totalsFile: string) => `Its control totals are missing as well: ${totalsFile}`,
  outMade: (folder: string) => `${folder} was gone with its answers: made again`,
} as const;
