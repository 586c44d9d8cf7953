/** The holds of a batch, and its stop: why Payrun sends no row of the batch now. A new version ends a stop, but no hold. */
import { isoTime } from '../base/clock.ts';
import type { Refusal } from '../base/refusal.ts';
import type { Note, NoteOf } from '../domain/note.ts';
import { type Ledger, proposalWaits, stoppedBefore } from '../ledger/ledger.ts';

export type Pause = Omit<NoteOf<'paused'>, 'note'>;

export const pausesOf = async ({ holds }: Ledger, name: string | null): Promise<readonly Pause[]> =>
  (await holds.pauses(name)).map(({ id, batch, reason, by, at }) => ({ id, batch, reason, by, since: isoTime(at) }));

export const pauseNotes = async (ledger: Ledger, batch: string): Promise<Note[]> =>
  (await pausesOf(ledger, batch)).map((pause) => ({ note: 'paused', ...pause }));

/** Returns why the batch is stopped. Null if no row may be sent, or if a hold stands: it is the nearer reason. */
export function standingStop({ holds, leads }: Ledger, batch: string): Refusal | null {
  const lead = leads.of(batch);
  const isShown = lead.stands === 'stopped' && leads.hasUnsent(batch) && holds.whyHeld(batch) === null;
  return isShown ? stoppedBefore(batch, lead).refusal : null;
}

export async function stopNotes(ledger: Ledger, batch: string): Promise<Note[]> {
  const proposal = ledger.holds.proposalOf(batch);
  const holds: Note[] = [
    ...(await pauseNotes(ledger, batch)),
    ...(proposal === null ? [] : [{ note: 'plan-waits', why: proposalWaits(proposal).refusal } as const]),
  ];
  if (holds.length > 0) return holds;
  const stop = standingStop(ledger, batch);
  if (stop !== null) return [{ note: 'batch-stopped', why: stop }];
  return ledger.leads.of(batch).stands === 'going' && !(await ledger.isLedElsewhere())
    ? [{ note: 'batch-interrupted', batch }]
    : [];
}
