/** Stores the merchants that rows need, and the merchants in the service's list that may match them. */
import { wantedHash } from '../../audit/bulk.ts';
import { assert } from '../../base/errors.ts';
import { phoneOfKey } from '../../domain/accounts/merchant.ts';
import { type MerchantState, merchantMoves } from '../../domain/rows/row-states.ts';
import { reasonsIn, type StoredReasons } from '../../domain/sending/reason.ts';
import { type LedgerMerchant, type SeenMerchant, unclearDestination } from '../facts.ts';
import type { Writing } from '../store/commit.ts';
import { filled, marksFor, notSentStates, quoted } from './columns.ts';
import type { Moving } from './transitions.ts';

const merchantColumns = 'destination, country, state, merchant_id AS merchantId, content, reason, number';

const rowsAtOnce = 2048;

/** Keeps a listed merchant that a row may need. In Kenya, the mobile network may differ if the phone is the same. */
const keepSeen = `INSERT INTO temp.seen_merchant SELECT column1, column2, column3, column4 FROM (VALUES (?,?,?,?,?)) seen
  WHERE EXISTS (SELECT 1 FROM merchant WHERE identity = column5 AND destination = column1)
    OR EXISTS (SELECT 1 FROM temp.draft WHERE destination = column1)
    OR column1 = '${unclearDestination}'
    OR EXISTS (SELECT 1 FROM merchant WHERE country = 'Kenya' AND identity = column5 AND substr(destination, -13) = column4)
    OR EXISTS (SELECT 1 FROM temp.draft WHERE country = 'Kenya' AND substr(destination, -13) = column4)
  ON CONFLICT (destination, id) DO NOTHING`;

const ofKnown = (what: string) =>
  `(SELECT ${what} FROM merchant m WHERE m.identity = ? AND m.destination = payout.destination AND m.state = 'known')`;

const entriesAtOnce = 100;

export function openMerchants({ sql, commits, trail, moving }: Writing & { readonly moving: Moving }) {
  /** Stores a hash of each merchant's content, because later trail entries hold only the merchant's state and id. */
  function recordWanted(identity: string, wanted: readonly (readonly [destination: string, hash: string])[]): void {
    for (let from = 0; from < wanted.length; from += entriesAtOnce) {
      const contents = Object.fromEntries(wanted.slice(from, from + entriesAtOnce));
      trail.append({ batch: null, what: 'wanted', data: { identity, contents } });
    }
  }

  return {
    wantMerchants: async (batch: string, since: number, identity: string) =>
      commits.alone(() => {
        // Includes ready rows, because Payrun matches them again and may then find another merchant.
        const wanted = sql.each<{ destination: string; content: string; number: number }>(
          `INSERT INTO merchant (identity, destination, country, state, content, number)
           SELECT CAST(? AS TEXT), destination, country, 'wanted', (SELECT content FROM payout_content WHERE payout = id), number
           FROM (SELECT id, destination, country, number, row_number() OVER (PARTITION BY destination ORDER BY number) AS place
             FROM payout WHERE batch = ? AND state IN (${notSentStates}) AND closed IS NULL AND sheet >= ?) first WHERE place = 1
           ON CONFLICT (identity, destination) DO UPDATE SET content = excluded.content, number = excluded.number,
             state = CASE WHEN merchant.state = 'refused' THEN 'wanted' ELSE merchant.state END
           WHERE merchant.content <> excluded.content OR merchant.number <> excluded.number OR merchant.state = 'refused'
           RETURNING destination, content, number`,
          identity,
          batch,
          since,
        );
        recordWanted(
          identity,
          Array.from(wanted, ({ destination, content, number }) => [destination, wantedHash(content, number)]),
        );
        return sql.value<number>(
          `SELECT count(DISTINCT destination) FROM payout WHERE batch = ? AND state IN (${notSentStates}) AND closed IS NULL AND sheet >= ?`,
          batch,
          since,
        )!;
      }),
    seeMerchants: async (identity: string, merchants: readonly SeenMerchant[]) =>
      sql.besideLedger(() => {
        sql.many(
          keepSeen,
          merchants.map(({ destination, id, name }) => [destination, id, name, phoneOfKey(destination), identity]),
        );
      }),
    forgetSeen: () => sql.exec('DELETE FROM temp.seen_merchant'),
    seenFor: (destinations: readonly string[]) =>
      Map.groupBy(
        sql.all<SeenMerchant>(
          `SELECT id, destination, name FROM temp.seen_merchant WHERE destination IN (${marksFor(destinations)}) ORDER BY id`,
          ...filled(destinations),
        ),
        ({ destination }) => destination,
      ),
    *merchants(batch: string, since: number, identity: string, states: readonly MerchantState[]) {
      for (let after = 0; ; ) {
        const rows = sql.all<{ id: number; number: number; destination: string }>(
          `SELECT id, number, destination FROM payout WHERE batch = ? AND id > ? AND +sheet >= ? AND state IN (${notSentStates}) AND closed IS NULL
           ORDER BY id LIMIT ${rowsAtOnce}`,
          batch,
          after,
          since,
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        after = last.id;
        // Several rows may pay one merchant. Only the first row, whose number the merchant stores, yields the merchant.
        const firsts = new Set(rows.map(({ number, destination }) => `${number} ${destination}`));
        const destinations = [...new Set(rows.map(({ destination }) => destination))];
        const found = sql.all<LedgerMerchant>(
          `SELECT ${merchantColumns} FROM merchant WHERE identity = ? AND destination IN (${marksFor(destinations)})
           AND state IN (${quoted(states)}) ORDER BY number`,
          identity,
          ...filled(destinations),
        );
        yield found.filter(({ number, destination }) => firsts.has(`${number} ${destination}`));
      }
    },
    moveMerchants: (
      identity: string,
      moves: readonly {
        readonly merchant: LedgerMerchant;
        readonly to: MerchantState;
        readonly merchantId?: string;
        readonly reason?: StoredReasons | null;
      }[],
    ) =>
      commits.share(() => {
        for (const { merchant, to, merchantId = merchant.merchantId, reason = null } of moves) {
          const { destination, state: from, number } = merchant;
          assert(merchantMoves[from].includes(to), `no merchant moves from ${from} to ${to}`);
          const id = to === 'known' ? merchantId : null;
          sql.change(
            () => `row ${number}: merchant not ${from}`,
            'UPDATE merchant SET state = ?, merchant_id = ?, reason = ? WHERE identity = ? AND destination = ? AND state = ?',
            to,
            id,
            reason,
            identity,
            destination,
            from,
          );
          const data = { destination, from, to, merchantId: id, reason: reason && reasonsIn(reason) };
          trail.append({ batch: null, what: 'merchant', data });
        }
      }),
    /** Moves planned rows with a known merchant to `ready`. A ready row whose merchant changed becomes planned first. */
    readyRows: async (batch: string, since: number, identity: string) =>
      commits.alone(() => {
        const again = sql.all<{ id: number }>(
          `UPDATE payout SET state = 'planned', merchant_id = NULL WHERE batch = ? AND state = 'ready' AND closed IS NULL AND sheet >= ?
             AND (reason IS NOT NULL OR NOT coalesce(${ofKnown('m.merchant_id = payout.merchant_id')}, FALSE)) RETURNING id`,
          batch,
          since,
          identity,
        );
        moving.recordMany(batch, 'ready', 'planned', again);
        const done = sql.all<{ id: number }>(
          `WITH planned AS MATERIALIZED (SELECT id, ${ofKnown('m.merchant_id')} AS known FROM payout WHERE batch = ? AND state = 'planned' AND closed IS NULL AND sheet >= ?)
           UPDATE payout SET state = 'ready', reason = NULL, merchant_id = known FROM planned
           WHERE payout.id = planned.id AND known IS NOT NULL RETURNING payout.id`,
          identity,
          batch,
          since,
        );
        moving.recordMany(batch, 'planned', 'ready', done);
        return done.length;
      }),
  };
}
