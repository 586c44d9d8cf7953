/** The trail in its table: each entry is linked to the one before, in the transaction of what it tells. */
import type { DatabaseSync } from 'node:sqlite';
import { entryText, genesis, link, type TrailEntry } from '../audit/chain.ts';
import type { Clock } from '../base/clock.ts';

/** At the clock's moment, unless the entry has one of its own. */
export type NewEntry = Omit<TrailEntry, 'at'> & { readonly at?: number };

export interface Trail {
  head(): { readonly seq: number; readonly hash: string };
  /** Only inside a transaction: the head is read under the write lock, so two processes cannot fork the chain. */
  append(entry: NewEntry, payout?: number | null): void;
}

export function openTrail(db: DatabaseSync, clock: Clock): Trail {
  const readHead = db.prepare('SELECT seq, hash FROM trail ORDER BY seq DESC LIMIT 1');
  const insert = db.prepare('INSERT INTO trail (seq, payout, entry, hash) VALUES (?,?,?,?)');
  const head = () => (readHead.get() as { seq: number; hash: string } | undefined) ?? { seq: 0, hash: genesis };
  return {
    head,
    append(entry, payout = null) {
      const last = head();
      const text = entryText({ at: clock.now(), ...entry });
      insert.run(last.seq + 1, payout, text, link(last.hash, text));
    },
  };
}
