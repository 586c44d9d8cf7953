/** Builds the notification that a run needs a person. A notification contains no secrets. */
import { shellWord } from '../../base/words.ts';
import type { End } from '../../domain/sending/end.ts';
import { rowCountWords } from '../../messages/format/numbers.ts';
import { type NoticeKind, noticeWords } from '../../messages/mail.ts';
import type { Place } from '../../messages/next-actions.ts';
import type { RowCounts } from '../../pipeline/figures.ts';
import type { BatchStatus } from '../../pipeline/outcome.ts';
import { lacksApproval } from '../../pipeline/refusal-kind.ts';
import { exitOf } from '../render/exit-code.ts';

export interface Notification extends Pick<CommandResult, 'code' | 'batch' | 'sheet'> {
  readonly exit: number;
  readonly what: NoticeKind;
  readonly service: string | null;
  readonly rows: RowCounts | null;
  readonly what_to_do: string;
}

export interface CommandResult {
  readonly end: End;
  /** The error's code (docs/reference/errors.md); null without an error that has a code. */
  readonly code: string | null;
  readonly outcome: Pick<BatchStatus, 'batch' | 'service' | 'rows'> | null;
  readonly batch: string | null;
  /** The sheet's name in the hot folder; null for a run outside the hot folder. */
  readonly sheet: string | null;
  /** True if a sheet in the hot folder waits, for example for its control totals or for a plan. */
  readonly waits?: boolean;
  /** True if a scheduled hour passed and rows are unsent: no worker ran, or the batch was paused. */
  readonly missed?: boolean;
}

const whatEnded = ({ end, code, outcome, waits, missed }: CommandResult): NoticeKind | null => {
  if (missed === true) return 'missed';
  if (end === 'alarm') return 'alarm';
  if (end === 'doubt') return (outcome?.rows.in_doubt ?? 0) > 0 ? 'in doubt' : 'held';
  if (lacksApproval.some((one) => one === code) || waits === true) return 'waits';
  if (end === 'sheet' || end === 'rule') return 'refused';
  if (end === 'machine' || end === 'usage' || end === 'service') return 'stopped';
  return end === 'unpaid' ? 'unpaid' : null;
};

/** Returns null if the run needs no person. Omits the error's message, which may contain account numbers. */
export function noticeOf(ended: CommandResult, place: Place): Notification | null {
  const what = whatEnded(ended);
  if (what === null) return null;
  const { end, code, outcome, sheet } = ended;
  const batch = outcome?.batch ?? ended.batch;
  return {
    what,
    exit: exitOf(end),
    code,
    batch,
    sheet,
    service: outcome?.service ?? null,
    rows: outcome?.rows ?? null,
    what_to_do: noticeWords[what](batch === null ? '' : ` ${shellWord(batch)}`, place),
  };
}

/** Returns the first line, also the mail's subject. A subject must be ASCII, so it has no batch name. */
export const firstLineOf = ({ what, exit }: Notification): string => `payrun: ${what} (exit ${exit})`;

export function textOf(notice: Notification): string {
  const { rows, batch, sheet, service, code, what_to_do } = notice;
  return [
    firstLineOf(notice),
    ...(batch === null ? [] : [`Batch: ${batch}`]),
    ...(sheet === null ? [] : [`Sheet in the hot folder: ${sheet}`]),
    ...(service === null ? [] : [`Service: ${service}`]),
    ...(rows === null ? [] : [rowCountWords(rows)]),
    ...(code === null ? [] : [`Code: ${code}`]),
    what_to_do,
  ].join('\n');
}
