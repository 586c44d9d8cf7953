/** The holds of a batch: while a pause or a waiting plan stands, Payrun sends no row of the batch. */
import { isoTime } from '../base/clock.ts';
import type { Note, NoteOf } from '../domain/note.ts';
import { type Ledger, proposalWaits } from '../ledger/ledger.ts';

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
