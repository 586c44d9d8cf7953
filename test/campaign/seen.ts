/** A ledger as its tables have it, read past the product. */
import { readClosed } from '../../src/domain/rows/row-states.ts';
import type { RowState } from '../../src/ledger/ledger.ts';
import { epochMs } from '../simulation/clock.ts';
import { isKept, openMemoryStore } from '../simulation/memory-store.ts';
import type { Real } from './desk.ts';
import { type Content, digestOf } from './sheet.ts';

export interface SeenRow {
  readonly key: string;
  readonly content: Content;
  readonly state: RowState;
  readonly closed: 'person' | 'version' | null;
  readonly attempts: number;
  readonly paymentId: string | null;
  readonly heldFor: string | null;
  /** How many payments its reason names. */
  readonly named: number;
  readonly sentAt: number | null;
  /** When the service paid it, else when it was sent. */
  readonly paidAt: number | null;
  /** When Payrun sent the row, or another ledger did. */
  readonly submittedAt: number | null;
  readonly isInHead: boolean;
  readonly revision: number;
  readonly tag: string;
  readonly isAllowed: boolean;
}

export interface SeenBatch {
  readonly name: string;
  /** When each version was opened. */
  readonly versions: readonly number[];
  readonly rows: readonly SeenRow[];
  /** `stopped`: only a person may continue the batch. `idle`: nobody comes back for it. */
  readonly stands: 'going' | 'stopped' | 'until' | 'idle';
  /** The code of its stop. */
  readonly stop: string | null;
}

type Stored = Omit<SeenRow, 'content' | 'closed' | 'heldFor' | 'named' | 'isInHead' | 'isAllowed'> & {
  readonly batch: string;
  readonly stored: string;
  readonly closed: string | null;
  readonly reason: string | null;
  readonly amount: number;
  readonly isInHead: 0 | 1;
  readonly isAllowed: 0 | 1;
};

const rowsText = `SELECT p.batch, p.key, p.state, p.closed, p.attempts, p.payment_id AS paymentId, p.reason, p.amount, p.revision, p.tag,
    coalesce(p.submitted_at, p.accepted_at) AS sentAt, coalesce(p.settled_at, p.submitted_at, p.accepted_at) AS paidAt, p.submitted_at AS submittedAt, c.content AS stored, p.sheet >= b.listed_since AS isInHead, p.allowed IS NOT NULL AS isAllowed
  FROM payout p JOIN payout_content c ON c.payout = p.id JOIN batch b ON b.name = p.batch ORDER BY p.id`;

export function seenIn(real: Real, ledger: number): readonly SeenBatch[] {
  const path = real.desks[ledger]!.ledger;
  if (!isKept(path)) return [];
  const { sql, close } = openMemoryStore(path);
  const rows = sql.all<Stored>(rowsText);
  const sheets = sql.all<{ batch: string; at: number }>('SELECT batch, received_at AS at FROM sheet ORDER BY id');
  const leads = sql.all<Pick<SeenBatch, 'name' | 'stands' | 'stop'>>(
    "SELECT batch AS name, stands, json_extract(stop, '$.why.code') AS stop FROM lead",
  );
  void close();
  return [...Map.groupBy(sheets, ({ batch }) => batch)].map(([name, versions]) => ({
    versions: versions.map(({ at }) => at - epochMs),
    rows: rows.filter(({ batch }) => batch === name).map((row) => seenRow(real, row)),
    ...leads.find((lead) => lead.name === name)!,
  }));
}

export function knowsPolicy({ desks }: Real, ledger: number): boolean {
  const path = desks[ledger]!.ledger;
  if (!isKept(path)) return false;
  const { sql, close } = openMemoryStore(path);
  const known = sql.one("SELECT 1 FROM trail WHERE json_extract(entry, '$[3]') = 'policy'");
  void close();
  return known !== null;
}

function seenRow(
  real: Real,
  { key, stored, closed, reason, sentAt, paidAt, submittedAt, isInHead, isAllowed, amount, ...row }: Stored,
): SeenRow {
  const content = contentIn(stored, amount);
  return {
    ...row,
    key: referenceKey(real, key, content),
    content,
    closed: closed === null ? null : typeof readClosed(closed).why === 'string' ? 'person' : 'version',
    heldFor:
      row.state === 'withheld' || row.state === 'held' ? (/"kind":"([a-z-]+)"/.exec(reason ?? '')?.[1] ?? null) : null,
    named: (reason ?? '').split('"name":').length - 1,
    sentAt: sentAt === null ? null : sentAt - epochMs,
    paidAt: paidAt === null ? null : paidAt - epochMs,
    submittedAt: submittedAt === null ? null : submittedAt - epochMs,
    isInHead: isInHead === 1,
    isAllowed: isAllowed === 1,
  };
}

function contentIn(stored: string, amount: number): Content {
  const { name, reference, destination } = JSON.parse(stored) as {
    name: string;
    reference: string;
    destination: Readonly<Record<string, string>>;
  };
  return [name, destination.contactNumber ?? '', String(amount), reference ?? ''];
}

/** The first content of a row without an id gives its key, which the row keeps. */
function referenceKey({ digests }: Real, key: string, content: Content): string {
  // A shrunk list may have a key of a row that it never had, as the sheet wrote it.
  if (/^k\d$|^digest /.test(key)) return key;
  for (const [own, product] of digests) if (product === key) return own;
  const own = digestOf(content);
  digests.set(own, key);
  return own;
}
