/** The trail in its table: each entry is linked to the one before, in the transaction of what it tells. */
import { entryText, genesis, link, type TrailEntry } from '../../audit/chain.ts';
import type { Clock } from '../../base/clock.ts';
import type { Sql } from './sql.ts';

/** At the clock's moment, unless the entry has one of its own. */
export type NewEntry = Omit<TrailEntry, 'at'> & { readonly at?: number };

interface Head {
  readonly seq: number;
  readonly hash: string;
}

export interface Trail {
  head(): Head;
  /** Only inside a transaction: the head is read under the write lock, so two processes cannot fork the chain. */
  append(entry: NewEntry, payout?: number | null): void;
}

const emptyHead: Head = { seq: 0, hash: genesis };
const selectHead = 'SELECT seq, hash FROM trail ORDER BY seq DESC LIMIT 1';
const insertEntry = 'INSERT INTO trail (seq, payout, entry, hash) VALUES (?,?,?,?)';

export function openTrail(sql: Sql, clock: Clock): Trail {
  const head = () => sql.one<Head>(selectHead) ?? emptyHead;
  /** While one transaction holds the lock nobody else appends. */
  let newest: { readonly turn: object; readonly head: Head } | null = null;
  return {
    head,
    append(entry, payout = null) {
      const turn = sql.turn();
      const last = newest !== null && newest.turn === turn ? newest.head : head();
      const text = entryText({ at: clock.now(), ...entry });
      const next = { seq: last.seq + 1, hash: link(last.hash, text) };
      sql.run(insertEntry, next.seq, payout, text, next.hash);
      newest = turn === null ? null : { turn, head: next };
    },
  };
}
