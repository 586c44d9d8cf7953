/** Builds the notification that a run needs a person. A notification contains no secrets. */
import { lacksApproval } from '../../pipeline/exit-code.ts';
import { type Outcome, type RowCounts, rowWords, shellWord } from '../../pipeline/outcome.ts';

export interface Notice {
  readonly what: 'alarm' | 'in doubt' | 'held' | 'waits' | 'refused' | 'stopped' | 'missed' | 'unpaid';
  readonly exit: number;
  /** The error's code (docs/reference/errors.md); null without an error that has a code. */
  readonly code: string | null;
  readonly batch: string | null;
  /** The sheet's name in the hot folder; null for a run outside the hot folder. */
  readonly sheet: string | null;
  readonly service: string | null;
  readonly rows: RowCounts | null;
  readonly what_to_do: string;
}

export interface Ended {
  readonly exit: number;
  readonly code: string | null;
  readonly outcome: Pick<Outcome, 'batch' | 'service' | 'rows'> | null;
  readonly batch: string | null;
  readonly sheet: string | null;
  /** True if a sheet in the hot folder waits, for example for its control totals or for a plan. */
  readonly waits?: boolean;
  /** Set if a scheduled hour passed and rows are unsent: no worker ran, or the batch was paused. */
  readonly missed?: 'unattended' | 'paused';
}

const whatEnded = ({ exit, code, outcome, waits, missed }: Ended): Notice['what'] | null => {
  if (missed !== undefined) return 'missed';
  if (exit === 27) return 'alarm';
  if (exit === 22) return (outcome?.rows.in_doubt ?? 0) > 0 ? 'in doubt' : 'held';
  if (lacksApproval.some((one) => one === code) || waits === true) return 'waits';
  if (exit === 20 || exit === 26) return 'refused';
  if (exit === 1 || exit === 2 || exit === 25) return 'stopped';
  return exit === 21 ? 'unpaid' : null;
};

const toDo: { readonly [W in Notice['what']]: (batch: string) => string } = {
  alarm: (batch) =>
    `Look at once: payrun status${batch}. Nothing more of it is sent. Ask the service to stop or return what should not have been paid.`,
  'in doubt': (batch) =>
    `These rows may have been paid: do not pay them elsewhere. payrun reconcile${batch} looks for them, and says what is next.`,
  held: (batch) =>
    `payrun list${batch} names the rows, and payrun explain why each is held and who may release it for payment.`,
  waits: () =>
    'Nothing was sent. Put beside the sheet what it lacks: the plan and its signatures (payrun approve), or in the hot folder its control totals.',
  refused: () =>
    'Nothing was sent. The output of the command, or the NACK in the hot folder, says why and what may be done.',
  stopped: () =>
    'The output of the command says why. Run the same command again when that is mended; nothing is sent twice.',
  missed: (batch) =>
    `Its hour has passed, and no worker went on with it: payrun resume${batch} does. payrun status${batch} says how it stands; see that a worker is there at its next hour.`,
  unpaid: (batch) => `payrun report${batch} says why. payrun retry${batch} sends them again, once that is mended.`,
};

const whilePaused = (batch: string) =>
  `Its hour came while it was paused, and not all of it was sent. payrun status${batch} names the pauses; once they are ended, payrun resume${batch} goes on with it.`;

/** Returns null if the run needs no person. Omits the error's message, which may contain account numbers. */
export function noticeOf(ended: Ended): Notice | null {
  const what = whatEnded(ended);
  if (what === null) return null;
  const { exit, code, outcome, sheet, missed } = ended;
  const batch = outcome?.batch ?? ended.batch;
  return {
    what,
    exit,
    code,
    batch,
    sheet,
    service: outcome?.service ?? null,
    rows: outcome?.rows ?? null,
    what_to_do: (missed === 'paused' ? whilePaused : toDo[what])(batch === null ? '' : ` ${shellWord(batch)}`),
  };
}

/** Returns the first line, also the mail's subject. A subject must be ASCII, so it has no batch name. */
export const firstLineOf = ({ what, exit }: Notice): string => `payrun: ${what} (exit ${exit})`;

export function textOf(notice: Notice): string {
  const { rows, batch, sheet, service, code, what_to_do } = notice;
  return [
    firstLineOf(notice),
    ...(batch === null ? [] : [`Batch: ${batch}`]),
    ...(sheet === null ? [] : [`Sheet in the hot folder: ${sheet}`]),
    ...(service === null ? [] : [`Service: ${service}`]),
    ...(rows === null ? [] : [rowWords(rows)]),
    ...(code === null ? [] : [`Code: ${code}`]),
    what_to_do,
  ].join('\n');
}
