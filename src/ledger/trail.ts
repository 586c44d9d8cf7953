/** The trail in its table: each entry is linked to the one before, in the transaction of what it tells. */
import { entryText, genesis, link, type TrailEntry } from '../audit/chain.ts';
import type { Clock } from '../base/clock.ts';
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

export function openTrail(sql: Sql, clock: Clock): Trail {
  const readHead = sql.prepared(selectHead);
  const insert = sql.prepared('INSERT INTO trail (seq, payout, entry, hash) VALUES (?,?,?,?)');
  return {
    head: () => sql.one<Head>(selectHead) ?? emptyHead,
    append(entry, payout = null) {
      const last = (readHead.get() as Head | undefined) ?? emptyHead;
      const text = entryText({ at: clock.now(), ...entry });
      insert.run(last.seq + 1, payout, text, link(last.hash, text));
    },
  };
}
