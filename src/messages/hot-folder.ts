/** The advice and the reasons in the answers of a hot folder, for the person who put a sheet into it. */
import type { ErrorCode } from '../base/refusal.ts';
import type { End, Fate } from '../domain/sending/end.ts';

const repeated =
  'Do nothing if it is the same sheet again: its rows are paid, or their payments are under way. If it is for another period, or if somebody changed its rows on purpose, run it from the command line in one of the ways that `why` names.';

const planAgain =
  'Make a new plan of this sheet with the settings of the watcher (its payrun.config.json), and have it approved. The sheet is in the subfolder taken. Put the signatures into the folder first, then the plan, and the sheet last.';

const otherCounts =
  'Compare this sheet with the one that `why` names. If this sheet is right, put it into the folder again. If not, do nothing: the batch keeps the other sheet.';

const correct =
  'Correct each problem in the sheet, or in the checked workbook if there is one. Then put it into the folder again.';

const totals =
  'Ask the person who made the sheet whether the sheet or its totals are wrong. Then put both into the folder again.';

const removeCause =
  'Remove the cause that `why` names. Then put the sheet into the folder again, or run it from the command line.';

/** The refusals that have a next step of their own. */
const byCode: readonly (readonly [words: string, ...codes: readonly ErrorCode[]])[] = [
  [correct, 'SHEET_HAS_PROBLEMS', 'PAYEES_REFUSED'],
  [
    'Save the sheet as .xlsx or .csv under a short name, and check that it opens. Then put it into the folder again.',
    'FILE_UNREADABLE',
  ],
  [
    'Find out who changed the sheet while it lay in the folder, and why. Then put the right sheet into the folder again, under a name that nobody writes to.',
    'SHEET_CHANGED',
  ],
  [planAgain, 'PLAN_NOT_FOUND', 'PLAN_UNREADABLE', 'PLAN_CHANGED', 'PLAN_EXPIRED'],
  [planAgain, 'PLAN_DECLINED', 'PLAN_DIFFERS', 'BATCH_LEAVES_PLAN', 'RETRY_UNPLANNED'],
  [otherCounts, 'VERSION_CONFLICT'],
  [
    'Tell the person who maintains the settings: the batch was sent with another key, user or address.',
    'IDENTITY_CHANGED',
  ],
];

const byFate: { readonly [F in Fate]?: string } = { repeated, totals };

export const nackAdvice = (end: End, code: string | null, fate: Fate): string =>
  byFate[fate] ??
  byCode.find(([, ...codes]) => codes.some((one) => one === code))?.[0] ??
  (end === 'sheet' ? correct : removeCause);

export const hotFolderWords = {
  refused: 'The sheet or one of its payees was refused.',
  sentBefore: 'Rows that were sent before are not sent again. The ACK shows the status of each row.',
  outMade: (folder: string) => `The folder ${folder} was missing with its answers, and Payrun made it again`,
} as const;
