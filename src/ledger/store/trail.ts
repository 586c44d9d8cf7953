/** Appends entries to the trail. A hash chains each entry to the previous entry. */
import { entryText, genesis, link, type TrailEntry } from '../../audit/chain.ts';
import type { Clock } from '../../base/clock.ts';
import type { Sql } from './sql.ts';

/** An entry whose batch is null concerns the whole ledger. */
export type NewEntry = Pick<TrailEntry, 'batch' | 'what' | 'data'> & Partial<TrailEntry>;

export interface Head {
  readonly seq: number;
  readonly hash: string;
}

const emptyHead: Head = { seq: 0, hash: genesis };
const selectHead = 'SELECT seq, hash FROM trail ORDER BY seq DESC LIMIT 1';
const insertEntry = 'INSERT INTO trail (seq, payout, entry, hash) VALUES (?,?,?,?)';

export function openTrail(sql: Sql, clock: Clock) {
  const head = () => sql.one<Head>(selectHead) ?? emptyHead;
  /** Caches the newest entry during a transaction, because no other process can append before the transaction ends. */
  let newest: { readonly turn: object; readonly head: Head } | null = null;
  return {
    head,
    /** Call this in a transaction. Its write lock keeps two processes from appending after the same entry. */
    append(entry: NewEntry, payout: number | null = null) {
      const turn = sql.turn();
      const last = newest !== null && newest.turn === turn ? newest.head : head();
      const text = entryText({ at: clock.now(), row: null, ...entry });
      const next = { seq: last.seq + 1, hash: link(last.hash, text) };
      sql.run(insertEntry, next.seq, payout, text, next.hash);
      newest = turn === null ? null : { turn, head: next };
    },
  };
}
