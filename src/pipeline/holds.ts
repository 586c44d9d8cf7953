/** The holds of a batch, and its stop: why Payrun sends no row of the batch now. A new version ends a stop, but no hold. */
import { isoTime } from '../base/clock.ts';
import type { PayrunError } from '../base/errors.ts';
import type { Note, NoteOf } from '../domain/note.ts';
import { type Ledger, proposalWaits, stoppedBefore } from '../ledger/ledger.ts';

/** After these refusals, a run sends no further row, and still follows the payments that it sent. */
export const isHold = ({ code }: PayrunError) => ['PAUSED', 'PROPOSAL_WAITS', 'STOPPED_BEFORE'].includes(code);

export type Pause = Omit<NoteOf<'paused'>, 'note'>;

/** Returns the pauses that cover the batch; null for all pauses of the ledger. */
export const pausesOf = async ({ holds }: Ledger, name: string | null): Promise<readonly Pause[]> =>
  (await holds.pauses(name)).map(({ id, batch, reason, by, at }) => ({ id, batch, reason, by, since: isoTime(at) }));

export const pauseNotes = async (ledger: Ledger, batch: string): Promise<Note[]> =>
  (await pausesOf(ledger, batch)).map((pause) => ({ note: 'paused', ...pause }));

export async function holdNotes(ledger: Ledger, batch: string): Promise<Note[]> {
  const proposal = ledger.holds.proposalOf(batch);
  return [
    ...(await pauseNotes(ledger, batch)),
    ...(proposal === null ? [] : [{ note: 'plan-waits', why: proposalWaits(batch, proposal).refusal } as const]),
  ];
}

export async function stopNotes(ledger: Ledger, batch: string): Promise<Note[]> {
  const holds = await holdNotes(ledger, batch);
  const lead = ledger.leads.of(batch);
  // A hold also stops its batch, and is the nearer reason.
  if (holds.length > 0) return holds;
  if (lead.stands === 'stopped') return [{ note: 'batch-stopped', why: stoppedBefore(batch, lead).refusal }];
  return lead.stands === 'going' && !(await ledger.isLedElsewhere()) ? [{ note: 'batch-interrupted', batch }] : [];
}
