/** A pass over the service's payments, and what a ledger makes of it. */
import { mayMoveRow, type RowState } from '../../src/domain/rows/row-states.ts';
import type { Rules } from './rules.ts';
import {
  alarmed,
  type Bounds,
  type Entry,
  isOpen,
  isTwice,
  knows,
  living,
  type Payment,
  type Row,
  type World,
} from './world.ts';

/** Whether a list shows a row's payment. */
export type Shows = (row: number, payment: number) => boolean;

/** The ledger's one way to change a state: along the table, step by step. */
export function move(entry: Entry, ...path: readonly RowState[]): Entry {
  let { state } = entry;
  for (const to of path) {
    if (state === to) continue;
    if (!mayMoveRow(state, to)) throw new Error(`the model moves a row from ${state} to ${to}`);
    state = to;
  }
  return { ...entry, state };
}

export function pass(world: World, bounds: Bounds, rules: Rules, lists: Shows): World {
  const shows: Shows = (row, payment) => world.rows[row]?.payments[payment]?.listed === true && lists(row, payment);
  const complete = !rules.completeness || holdsAllKnown(world, bounds, shows);
  const looked = world.rows.map((row, index) => lookFor(row, rules, (payment) => shows(index, payment), bounds));
  const ban = banAfter(world, looked, bounds, rules);
  const settled = complete ? looked.map((row) => countMiss(row, looked, bounds, rules, shows)) : looked;
  const maySend = complete && (ban === null || ban === 0);
  const waited = world.idle >= bounds.horizon;
  const rows = settled.map(
    (row, index): Row => ({
      ...row,
      entry:
        ban === world.book.ban ? clearedBy(row.entry, maySend) : clearedBy({ ...row.entry, cleared: false }, maySend),
      overlooked: row.entry.state === 'sending' ? row.overlooked : overlooks(row, (payment) => shows(index, payment)),
      declared: maySend && ban === null && row.requests.some(({ foreign }) => foreign) ? 'under way' : row.declared,
    }),
  );
  return afterCanary(
    { ...world, rows, book: { ...world.book, ban, behind: world.book.behind && !(complete && waited) } },
    bounds,
    complete,
    shows,
  );
}

/** Payments accepted only just now are looked for, not required. */
function holdsAllKnown({ rows }: World, { visible }: Bounds, shows: Shows): boolean {
  return rows.every(({ entry, payments }, row) =>
    payments.every((payment, index) => !knows(entry, index) || payment.age < visible || shows(row, index)),
  );
}

const overlooks = ({ entry, payments }: Row, shows: (payment: number) => boolean): boolean =>
  payments.some((_, payment) => !knows(entry, payment) && !shows(payment));

const clearedBy = (entry: Entry, complete: boolean): Entry =>
  complete && (entry.state === 'ready' || entry.state === 'absent') ? { ...entry, cleared: true } : entry;

const looking: readonly RowState[] = ['ready', 'in_doubt', 'absent', 'held'];

/** Adds what the list shows of a row to what the ledger knows of it, and draws the conclusion. */
function lookFor(row: Row, rules: Rules, shows: (payment: number) => boolean, bounds: Bounds): Row {
  const { entry } = row;
  if (entry.state === 'sending' || isOpen(row)) return row;
  const counts = rules.everyTag || looking.includes(entry.state);
  const highest = highestFound(row, rules, shows);
  let { known } = entry;
  for (const [index, payment] of row.payments.entries())
    if (counts && shows(index) && isLookedFor(payment, entry, highest, rules)) known |= 1 << index;
  const payments = row.payments.map((payment, index) =>
    shows(index) ? { ...payment, seenExpired: payment.status === 'expired' } : payment,
  );
  return { ...row, payments, entry: judge({ ...entry, known }, row.payments, bounds, rules) };
}

function isLookedFor(payment: Payment, entry: Entry, highest: number, rules: Rules): boolean {
  const lowest = rules.earlierRevisions ? 0 : entry.revision;
  return payment.revision >= lowest && payment.revision <= highest + rules.revisionsAbove;
}

/** Looks a few revisions above the highest found, and again from there. */
function highestFound({ entry, payments }: Row, rules: Rules, shows: (payment: number) => boolean): number {
  let highest = entry.revision;
  for (const [index, { revision }] of [...payments.entries()].sort(([, a], [, b]) => a.revision - b.revision))
    if (shows(index) && revision > highest && revision <= highest + rules.revisionsAbove) highest = revision;
  return highest;
}

/** The state that a row has by the payments that its ledger knows. */
export function judge(entry: Entry, payments: readonly Payment[], bounds: Bounds, rules: Rules): Entry {
  const known = payments.filter((_, index) => knows(entry, index));
  const alive = known.filter(living);
  const highest = Math.max(-1, ...known.map(({ revision }) => revision));
  // Else a revision would be left out when the row runs again, and a later pass might look too low.
  const own = { ...entry, revision: highest };
  const [payment] = alive;
  if (alive.length > 1) return twice(own, alive);
  if (payment === undefined) return highest >= entry.revision ? ended(own) : entry;
  const end = payment.status === 'success' && bounds.expiries > 0 ? 'succeeded' : 'accepted';
  switch (entry.state) {
    case 'ready':
    case 'in_doubt':
    case 'absent':
      if (payment.content !== entry.content) return { ...move(entry, 'held'), proof: 0, misses: 0 };
      return move(own, 'accepted', end);
    // The model's sheets have no mistakes, and withhold no row.
    case 'invalid':
    case 'withheld':
      return entry;
    case 'held':
      return payment.content === entry.content ? move(own, 'accepted', end) : entry;
    case 'refused':
      // A person takes it up again only when the row is; until then its payment is found, whatever it says.
      return move(own, 'accepted', end);
    case 'accepted':
      return move(own, end);
    case 'expired':
      return end === 'succeeded' ? move(own, end) : own;
    case 'duplicate':
    case 'duplicate_paid':
      return rules.duplicateHasExit && end === 'succeeded' ? move(own, end) : own;
    case 'planned':
    case 'sending':
    case 'succeeded':
      return entry;
  }
}

function twice(entry: Entry, alive: readonly Payment[]): Entry {
  const to = alive.filter(({ status }) => status === 'success').length > 1 ? 'duplicate_paid' : 'duplicate';
  if (entry.state === to || entry.state === 'duplicate_paid') return entry;
  const direct = isTwice(entry) || ['accepted', 'succeeded', 'expired', 'refused'].includes(entry.state);
  return direct ? move(entry, to) : move(entry, 'accepted', to);
}

/** Every payment under the row's present revision has expired. */
function ended(entry: Entry): Entry {
  if (isTwice(entry)) return move(entry, 'expired');
  return endable.includes(entry.state) ? move(entry, 'accepted', 'expired') : entry;
}

const endable: readonly RowState[] = ['ready', 'in_doubt', 'absent', 'refused', 'accepted'];

/** A row in doubt that a complete pass after the horizon does not show comes nearer to being absent. */
function countMiss(row: Row, rows: readonly Row[], bounds: Bounds, rules: Rules, shows: Shows): Row {
  const { entry } = row;
  const due = !rules.horizon || entry.age >= bounds.horizon;
  if (!due || (entry.state !== 'in_doubt' && entry.state !== 'held')) return row;
  const misses = entry.misses === 0 ? 1 : entry.misses === 2 ? 3 : entry.misses;
  const missed = { ...entry, misses } as const;
  if (entry.state === 'held' || !hasEvidence(entry, rows, bounds, rules, shows)) return { ...row, entry: missed };
  if (rules.twoPasses && entry.proof < 2) return { ...row, entry: { ...missed, proof: 1 } };
  return { ...row, entry: { ...move(entry, 'absent'), proof: 0, misses: 0, cleared: false, canary: 0 } };
}

/** A payment of ours that is younger than the doubt's horizon shows that the list is fresh; else only time helps. */
function hasEvidence(entry: Entry, rows: readonly Row[], bounds: Bounds, rules: Rules, shows: Shows): boolean {
  if (!rules.horizon) return true;
  const probed = rows.some(
    ({ entry: { probe, state }, payments }, index) =>
      probe && state !== 'in_doubt' && payments.some((_, payment) => shows(index, payment)),
  );
  if (probed) return true;
  const allowed = rules.twiceHorizon && (bounds.policy === 'hold' || rules.twiceHorizonWhenResending);
  const rowLeft = rows.some((row) => row.entry.state === 'ready') && !alarmed(rows);
  return allowed && !rowLeft && entry.age >= 2 * bounds.horizon;
}

/** How long the ledger must not send, since this pass adopted what another ledger paid only just now. */
function banAfter(world: World, looked: readonly Row[], { horizon }: Bounds, rules: Rules): number | null {
  let { ban } = world.book;
  for (const [index, row] of looked.entries()) {
    const before = world.rows[index]?.entry;
    if (before?.state !== 'ready' || row.entry.state === 'ready') continue;
    for (const [number, payment] of row.payments.entries()) {
      const young = knows(row.entry, number) && !knows(before, number) && payment.age < 2 * horizon;
      if (!young) continue;
      const rest = 2 * horizon - payment.age;
      const least = rules.foreignStops === 'from pass' ? horizon : 0;
      ban = Math.max(ban ?? 0, rules.foreignStops === 'nothing' ? 0 : Math.max(rest, least));
    }
  }
  return ban;
}

/** The canary must be in the list, and in the list of a later complete pass, before the ledger is trusted. */
function afterCanary(world: World, { visible }: Bounds, complete: boolean, shows: Shows): World {
  if (world.book.trusted) return world;
  const isListed = ({ entry, payments }: Row, index: number) =>
    entry.canary > 0 && payments.some((_, number) => knows(entry, number) && shows(index, number));
  const again = world.rows.some((row, index) => row.entry.canary === 2 && isListed(row, index));
  const trusted = again && complete && world.runAge >= visible;
  const rows = world.rows.map((row, index): Row => {
    if (trusted) return { ...row, entry: { ...row.entry, canary: 0 } };
    return isListed(row, index) ? { ...row, entry: { ...row.entry, canary: 2 } } : row;
  });
  return { ...world, rows, book: { ...world.book, trusted } };
}
