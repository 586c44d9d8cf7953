/** Mutants: ways to take a rule away from the product, by changing what one of its repositories or tables says. */
import { versionTable } from '../../src/domain/rows/version-table.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { databaseAt } from '../simulation/memory-store.ts';
import type { Mutant } from './desk.ts';

type Duplicates = Deps['ledger']['duplicates'];
type Found = Awaited<ReturnType<Duplicates['matchesOfRows']>>[number];

/** Replaces functions of one repository. The others stay the product's own. */
export function withRepository<
  Name extends
    | 'batches'
    | 'draft'
    | 'duplicates'
    | 'holds'
    | 'leads'
    | 'passes'
    | 'payees'
    | 'rows'
    | 'trail'
    | 'uploads'
    | 'versions',
>(name: Name, change: (own: Deps['ledger'][Name], path: string) => Partial<Deps['ledger'][Name]>): Mutant {
  return {
    deps: (deps) => {
      const own = deps.ledger[name];
      const changed: object = change(own, deps.ledger.path);
      const part = new Proxy(own, { get: (target, key) => Reflect.get(changed, key) ?? Reflect.get(target, key) });
      const ledger = new Proxy(deps.ledger, { get: (target, key) => (key === name ? part : Reflect.get(target, key)) });
      return { ...deps, ledger };
    },
  };
}

/** The matcher does not see these matches. */
export const blindTo = (isHidden: (match: Found, batch: string, now: number) => boolean): Mutant =>
  withRepository('duplicates', (own) => ({
    matchesOfRows: async (batch, times) =>
      (await own.matchesOfRows(batch, times)).filter((one) => !isHidden(one, batch, times.now)),
    matchesOfDraft: async (batch, isAddition, times) =>
      (await own.matchesOfDraft(batch, isAddition, times)).filter((one) => !isHidden(one, batch, times.now)),
  }));

/** A cell of the table of versions has another effect. */
export function withEffect<Row extends keyof typeof versionTable>(
  row: Row,
  column: keyof (typeof versionTable)[Row],
  effect: (typeof versionTable)[Row][typeof column],
): () => () => void {
  return () => {
    const cells = versionTable[row] as Record<typeof column, typeof effect>;
    const was = cells[column];
    cells[column] = effect;
    return () => {
      cells[column] = was;
    };
  };
}

/** The comparison overlooks lines of rows that may be paid. */
export const overlooks = (column: 'other' | 'mistake'): Mutant =>
  withRepository('versions', (own) => ({
    compare: async (batch) => {
      const change = await own.compare(batch);
      const paid = { ...change.rows['may be paid'], [column]: 0 };
      return { ...change, rows: { ...change.rows, 'may be paid': paid }, invalidSent: [] };
    },
  }));

/** The ledger is changed past the product before a version is imported, or after it. */
export const importing = (before: string, after = ''): Mutant =>
  withRepository('versions', (own, path) => ({
    async importDraft(order) {
      databaseAt(path).exec(before);
      const batch = await own.importDraft(order);
      databaseAt(path).exec(after);
      return batch;
    },
  }));

/** The comparison of a sheet with its batch says something else. */
export const comparing = (other: Partial<Awaited<ReturnType<Deps['ledger']['versions']['compare']>>>): Mutant =>
  withRepository('versions', (own) => ({ compare: async (batch) => ({ ...(await own.compare(batch)), ...other }) }));

export const isAllowed = (path: string, id: number | null) =>
  databaseAt(path)
    .prepare('SELECT 1 FROM payout WHERE id = ? AND allowed IS NOT NULL')
    .get(id ?? 0) !== undefined;

/** True while a command has read a sheet. */
export const hasDraft = (path: string) => databaseAt(path).prepare('SELECT 1 FROM temp.draft').get() !== undefined;

/** True for a payment of this ledger's own row. */
export const isOwnPayment = (path: string, id: string) =>
  databaseAt(path)
    .prepare('SELECT 1 FROM temp.seen_payment s JOIN payout p ON p.tag = s.tag WHERE s.id = ?')
    .get(id) !== undefined;

/** The run does not see the hold. The intent's own transaction does. */
export const withoutHold = withRepository('holds', () => ({ whyHeld: () => null }));

/** A process that sent a row reads no list any more. */
export const blindAfterSending: Mutant = {
  deps: (deps) => {
    let hasSent = false;
    const watched = withRepository('rows', (own) => ({
      async move(move) {
        hasSent ||= move.to === 'sending';
        await own.move(move);
      },
    })).deps!(deps);
    async function* nothing() {}
    const client = { ...deps.client, payments: () => (hasSent ? nothing() : deps.client.payments()) };
    return { ...watched, client };
  },
};
