/** Rows that were sent while another row seemed unpaid, and may be its corrected copies: both may be paid out. */
import type { Ledger } from '../contract.ts';
import type { Copy, LedgerRow } from '../facts.ts';
import { addressOf, selectRows, sentStates } from '../rows/columns.ts';
import type { Moving } from '../rows/transitions.ts';
import type { Writing } from '../store/unit-of-work.ts';

export type Copies = Pick<Ledger, 'copiesOf' | 'copiesIn' | 'keepCopies' | 'livingCopies' | 'know'>;

const said = (row: string, what: string) => `json_extract(${row}.content, '$.${what}')`;
/** The parts of a row that a correction may change. */
const facts = `p.id, p.batch, p.sheet, p.first_sheet, p.submitted_at, p.settled_at, p.destination, p.amount, p.unit, p.currency,
  c.likeness, ${said('c', 'reference')} AS reference, ${said('c', 'name')} AS name, ${addressOf('p.batch')} AS address
  FROM payout p JOIN payout_content c ON c.payout = p.id`;

/** A later row has the same `keys` as one that seemed unpaid, and differs in `differs`. */
function pairs(keys: string, differs: Copy['differs'], unlike: string): string {
  const equal = `address, ${keys}`.split(', ').map((key) => `one.${key} = old.${key}`);
  return `SELECT old.id AS row, one.id AS copy, one.batch, '${differs}' AS differs, old.submitted_at AS sentAt, one.submitted_at AS copiedAt
    FROM old JOIN one ON ${equal.join(' AND ')}
    WHERE ${unlike} AND old.first_sheet <> one.first_sheet AND one.submitted_at >= coalesce(old.settled_at, old.submitted_at)`;
}

const corrected = `one.likeness <> old.likeness AND NOT EXISTS (SELECT 1 FROM payout b JOIN payout_content d ON d.payout = b.id
  WHERE d.likeness = old.likeness AND b.sheet = one.sheet)`;
const sameMoney = 'one.amount = old.amount AND one.unit = old.unit AND one.currency = old.currency';

/** A corrected copy is in no sheet with the old row. An expired row was known to be unpaid when it was settled. */
const copiesWhere = (olds: string, news: string) => `WITH
  old AS MATERIALIZED (SELECT ${facts} WHERE ${olds}),
  one AS MATERIALIZED (SELECT ${facts} WHERE ${news} AND p.not_repeat IS NULL
    AND p.submitted_at >= (SELECT min(coalesce(settled_at, submitted_at)) FROM old))
  ${pairs('likeness', 'nothing', 'one.id <> old.id')}
  UNION ALL ${pairs('destination, reference', 'amount', `${corrected} AND NOT (${sameMoney})`)}
  UNION ALL ${pairs('destination, amount, unit, currency', 'reference', `${corrected} AND one.reference <> old.reference`)}
  UNION ALL ${pairs('name, reference, amount, unit, currency', 'account', `${corrected} AND one.destination <> old.destination`)}
  ORDER BY row, copy, differs`;

export function openCopies({ sql, commits, trail, moving }: Writing & { readonly moving: Moving }): Copies {
  const rowOf = (id: number) => sql.one<LedgerRow>(`${selectRows} WHERE id = ?`, id);
  return {
    copiesOf: async (rows) =>
      sql.all<Copy>(
        copiesWhere('p.id IN (SELECT value FROM json_each(CAST(? AS TEXT)))', 'true'),
        JSON.stringify(rows),
      ),
    copiesIn: async (batch) => sql.all<Copy>(copiesWhere(`p.state IN ('expired', 'refused')`, 'p.batch = ?'), batch),
    keepCopies: async (row, copies) =>
      commits.alone(() => {
        const kept = copies.flatMap(({ copy: id, differs }) => {
          const { changes } = sql.run(
            'INSERT INTO copy VALUES (?,?,?,NULL) ON CONFLICT (payout, copy) DO NOTHING',
            row.id,
            id,
            differs,
          );
          const copy = rowOf(id);
          return changes === 0 || copy === null ? [] : [{ id, batch: copy.batch, row: copy.key, differs }];
        });
        if (kept.length > 0)
          trail.append({ batch: row.batch, row: row.key, what: 'note', data: { copies: kept } }, row.id);
      }),
    livingCopies: async (batch) =>
      sql
        .all<{ payout: number; copy: number; differs: Copy['differs'] }>(
          `SELECT payout, copy, differs FROM copy JOIN payout p ON p.id = payout JOIN payout o ON o.id = copy
           WHERE known IS NULL AND ? IN (p.batch, o.batch, '') AND p.payment_id IS NOT NULL
             AND p.state IN (${sentStates}) AND o.state IN (${sentStates}) ORDER BY payout, copy`,
          batch ?? '',
        )
        .flatMap(({ payout, copy: id, differs }) => {
          const row = rowOf(payout);
          const copy = rowOf(id);
          return row === null || copy === null ? [] : [{ row, copy, differs }];
        }),
    know: async (row, why) =>
      commits.alone(() => {
        sql.run('UPDATE copy SET known = ? WHERE known IS NULL AND ? IN (payout, copy)', why, row.id);
        const evidence = `A person knows of both payments: ${why}`;
        moving.note(row, { evidence }, { said: 'known', about: row.reason, why });
      }),
  };
}
