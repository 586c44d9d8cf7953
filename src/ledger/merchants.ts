/** Merchants: those that the batch's rows want (or the draft's would), those seen at the service, and where each of them stands. */
import { wantedHash } from '../audit/bulk.ts';
import { assert } from '../base/errors.ts';
import { phoneOfKey } from '../domain/merchant.ts';
import { quoted } from './columns.ts';
import type { Ledger } from './contract.ts';
import type { LedgerMerchant, SeenMerchant } from './facts.ts';
import type { Moving } from './moving.ts';
import { merchantMoves } from './states.ts';
import type { Writing } from './writing.ts';

const merchantColumns = 'destination, country, state, merchant_id AS merchantId, content, reason, number';

export type Merchants = Pick<
  Ledger,
  'wantMerchants' | 'seeMerchants' | 'forgetSeen' | 'seenFor' | 'merchants' | 'moveMerchants' | 'readyRows'
>;

/** What one entry tells of at most. */
const toldAtOnce = 100;

export function openMerchants({ sql, commits, trail, moving }: Writing & { readonly moving: Moving }): Merchants {
  /** Moves tell of states and ids; what a merchant would be made with is written, and so told, here alone. */
  function tellWanted(identity: string, wanted: readonly (readonly [destination: string, content: string])[]): void {
    for (let from = 0; from < wanted.length; from += toldAtOnce) {
      const contents = Object.fromEntries(wanted.slice(from, from + toldAtOnce));
      trail.append({ batch: null, row: null, what: 'wanted', data: { identity, contents } });
    }
  }

  const isWanted = (identity: string, destination: string) =>
    sql.one(
      'SELECT 1 FROM merchant WHERE identity = ? AND destination = ? UNION ALL SELECT 1 FROM temp.draft WHERE destination = ?',
      identity,
      destination,
      destination,
    ) !== null;
  /** Under whatever network: what was paid to its owner by another one is seen to be. */
  const isPhoneWanted = (identity: string, phone: string) =>
    sql.one(
      `SELECT 1 FROM merchant WHERE country = 'Kenya' AND identity = ? AND substr(destination, -13) = ?
       UNION ALL SELECT 1 FROM temp.draft WHERE country = 'Kenya' AND substr(destination, -13) = ?`,
      identity,
      phone,
      phone,
    ) !== null;

  return {
    wantMerchants: async (batch, sheet, identity) =>
      commits.alone(() => {
        // Rows that an earlier run made ready are matched again: their merchant may lead elsewhere by now.
        const again = sql.all<{ id: number }>(
          "UPDATE payout SET state = 'planned', merchant_id = NULL WHERE batch = ? AND state = 'ready' AND sheet = ? RETURNING id",
          batch,
          sheet,
        );
        moving.tellMany(batch, 'ready', 'planned', again);
        const wanted = sql.each<{ destination: string; content: string; number: number }>(
          `INSERT INTO merchant (identity, destination, country, state, content, number)
           SELECT CAST(? AS TEXT), destination, country, 'wanted', (SELECT content FROM payout_content WHERE payout = id), number
           FROM (SELECT id, destination, country, number, row_number() OVER (PARTITION BY destination ORDER BY number) AS place
             FROM payout WHERE batch = ? AND state = 'planned' AND sheet = ?) first WHERE place = 1
           ON CONFLICT (identity, destination) DO UPDATE SET content = excluded.content, number = excluded.number,
             state = CASE WHEN merchant.state = 'refused' THEN 'wanted' ELSE merchant.state END
           WHERE merchant.content <> excluded.content OR merchant.number <> excluded.number OR merchant.state = 'refused'
           RETURNING destination, content, number`,
          identity,
          batch,
          sheet,
        );
        tellWanted(
          identity,
          Array.from(wanted, ({ destination, content, number }) => [destination, wantedHash(content, number)]),
        );
        return sql.one<{ n: number }>(
          `SELECT count(DISTINCT destination) AS n FROM payout WHERE batch = ? AND state = 'planned' AND sheet = ?`,
          batch,
          sheet,
        )?.n as number;
      }),
    async seeMerchants(identity, merchants) {
      for (const { destination, id, name } of merchants) {
        const phone = phoneOfKey(destination);
        if (isWanted(identity, destination) || (phone !== null && isPhoneWanted(identity, phone)))
          sql.run(
            `INSERT INTO temp.seen_merchant VALUES (?,?,?,?)
             ON CONFLICT (destination, id) DO UPDATE SET name = excluded.name, phone = excluded.phone`,
            destination,
            id,
            name,
            phone,
          );
      }
    },
    forgetSeen: () => sql.exec('DELETE FROM temp.seen_merchant'),
    seenFor: (destination) =>
      sql.all<SeenMerchant>(
        'SELECT id, destination, name FROM temp.seen_merchant WHERE destination = ? ORDER BY id',
        destination,
      ),
    merchants: async (batch, sheet, identity, states, after, limit) =>
      sql.all<LedgerMerchant>(
        `SELECT ${merchantColumns} FROM merchant WHERE identity = ? AND destination > ? AND state IN (${quoted(states)})
          AND destination IN (SELECT destination FROM payout WHERE batch = ? AND sheet = ? AND state IN ('planned', 'ready')) ORDER BY destination LIMIT ?`,
        identity,
        after,
        batch,
        sheet,
        limit,
      ),
    moveMerchants: (identity, moves) =>
      commits.share(() => {
        for (const { merchant, to, merchantId = merchant.merchantId, reason = null } of moves) {
          const { destination, state: from, number } = merchant;
          assert(merchantMoves[from].includes(to), `no merchant moves from ${from} to ${to}`);
          const id = to === 'known' ? merchantId : null;
          sql.change(
            () => `the merchant of row ${number} is no longer ${from}`,
            'UPDATE merchant SET state = ?, merchant_id = ?, reason = ? WHERE identity = ? AND destination = ? AND state = ?',
            to,
            id,
            reason,
            identity,
            destination,
            from,
          );
          const data = { destination, from, to, merchantId: id, reason };
          trail.append({ batch: null, row: null, what: 'merchant', data });
        }
      }),
    readyRows: async (batch, sheet, identity) =>
      commits.alone(() => {
        // One trail line for all of them: which merchant each row pays stands in the line of its intent.
        const done = sql.all<{ id: number }>(
          `UPDATE payout SET state = 'ready', reason = NULL, merchant_id = m.merchant_id FROM merchant m
           WHERE payout.batch = ? AND payout.state = 'planned' AND payout.sheet = ?
             AND m.identity = ? AND m.destination = payout.destination AND m.state = 'known' RETURNING payout.id`,
          batch,
          sheet,
          identity,
        );
        moving.tellMany(batch, 'planned', 'ready', done);
        return done.length;
      }),
  };
}
