/** The tables of versions and duplicates on both databases, with copies of their own: the statements find the same cells there. */
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { LineKind, RowStanding } from '../../src/domain/rows/version-table.ts';
import {
  type DraftRow,
  type Ledger,
  type LedgerRow,
  mayMoveRow,
  openLedger,
  type RowState,
  rowStates,
} from '../../src/ledger/ledger.ts';
import { duplicatesOfDraft } from '../../src/pipeline/duplicates/duplicates.ts';
import { newPlace, stores } from './stores.ts';

const identity = 'https://pay.example|key:1|tenant';
const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 30, 12);

interface Given {
  readonly reference?: string;
  readonly amount?: number;
  readonly account?: string;
}

function draftRow(number: number, key: string, given: Given = {}): DraftRow {
  const { reference = `Ref ${key}`, amount = 100, account = `account ${key}` } = given;
  const facts = `${account} ${amount} ${reference}`;
  return {
    number,
    key,
    rowId: key,
    digest: `d ${facts}`,
    likeness: `l ${facts}`,
    content: JSON.stringify({ rowId: key, name: reference, amount, reference }),
    amount,
    unit: 'whole',
    currency: 'KES',
    fromCountry: null,
    country: 'Kenya',
    destination: account,
    collection: null,
    payee: { id: null, name: reference, account },
    documents: [],
  };
}

function fill({ draft }: Ledger, rows: readonly DraftRow[], broken: readonly string[] = []): void {
  draft.clear();
  draft.add(rows);
  const mistake = {
    column: 'amount',
    code: 'BAD',
    severity: 'error',
    facts: {},
    value: 'many',
    suggestion: null,
  } as const;
  for (const [index, key] of broken.entries()) {
    const number = 1000 + index;
    draft.addInvalid({ number, key, id: key, name: key, content: JSON.stringify({ rowId: key }) });
    draft.addProblems([{ row: number, ...mistake }]);
  }
}

async function take(ledger: Ledger, batch: string, rows: readonly DraftRow[], broken: readonly string[] = []) {
  fill(ledger, rows, broken);
  const sheet = { name: 'n.csv', origin: '/n.csv', copy: '/copy.csv', options: {} };
  const order = { batch, identity, service: 's', repeatReason: null, base: Number.MAX_SAFE_INTEGER, sheet };
  await ledger.versions.importDraft({ ...order, isAddition: false, mayRepeat: true, plan: null });
}

/** Returns the shortest way of a row to a state. */
function wayTo(to: RowState): readonly RowState[] {
  const ways: (readonly RowState[])[] = [['planned']];
  for (const way of ways) {
    if (way.at(-1) === to) return way.slice(1);
    for (const next of rowStates) if (!way.includes(next) && mayMoveRow(way.at(-1)!, next)) ways.push([...way, next]);
  }
  throw new Error(`no way leads to ${to}`);
}

async function bring(ledger: Ledger, rows: readonly LedgerRow[], to: RowState): Promise<void> {
  let before = rows;
  for (const next of wayTo(to)) {
    await ledger.rows.moveAll(
      before.map((row) => ({
        row,
        from: row.state,
        to: next,
        ...(next === 'sending' ? { attempted: 1 as const } : {}),
        ...(next === 'accepted' ? { paymentId: `payment ${row.id}` } : {}),
      })),
    );
    before = before.map((row) => ({ ...row, state: next }));
  }
}

const rowsOf = async (ledger: Ledger, batch: string) => await ledger.rows.list({ batch, limit: 1000 });

/** How the rows of a standing came to be: a state, which a person closed, or a newer sheet. */
const standings: Readonly<Record<RowStanding, readonly (RowState | `${RowState} closed` | 'dropped')[]>> = {
  'may be paid': ['sending', 'in_doubt', 'absent', 'held', 'accepted', 'succeeded', 'duplicate', 'duplicate_paid'],
  'closed in doubt': ['absent closed'],
  closed: ['ready closed', 'refused closed', 'dropped'],
  unpaid: ['refused', 'expired'],
  'never sent': ['planned', 'ready', 'withheld', 'invalid'],
};
/** Each line has another number of rows, so that no two cells of a standing agree. */
const lines: Readonly<Record<LineKind, number>> = { same: 1, other: 2, mistake: 3, missing: 4 };

interface Stood {
  readonly key: string;
  readonly kind: string;
  readonly line: string;
}

const stood: readonly Stood[] = Object.values(standings)
  .flat()
  .flatMap((kind) =>
    Object.entries(lines).flatMap(([line, count]) =>
      Array.from({ length: count }, (_, nth) => ({ key: `${kind} ${line} ${nth}`, kind, line })),
    ),
  );

it.each(stores)('each standing of a row and each line of a sheet are compared on %s', async (store) => {
  const ledger = openLedger(await newPlace(store), { ...systemClock, now: () => now });
  const drafts = (which: (one: Stood) => boolean, given: Given = {}) =>
    stood.flatMap((one, index) => (which(one) ? [draftRow(index + 2, one.key, given)] : []));
  const isInvalid = ({ kind }: Stood) => kind === 'invalid';
  const invalid = stood.filter(isInvalid).map(({ key }) => key);
  await take(
    ledger,
    'nov',
    drafts((one) => !isInvalid(one)),
    invalid,
  );
  await take(
    ledger,
    'nov',
    drafts((one) => !isInvalid(one) && one.kind !== 'dropped'),
    invalid,
  );
  const kinds = new Map(stood.map(({ key, kind }) => [key, kind]));
  const sorted = async () => Map.groupBy(await rowsOf(ledger, 'nov'), ({ key }) => kinds.get(key)!);
  for (const [kind, rows] of await sorted())
    if (!['invalid', 'dropped'].includes(kind)) await bring(ledger, rows, kind.split(' ')[0] as RowState);
  for (const [kind, rows] of await sorted())
    if (kind.endsWith('closed')) await ledger.rows.closeRows(rows, { by: 'Ada', why: 'Paid by hand' });
  const on = (line: LineKind) => (one: Stood) => one.line === line;
  fill(
    ledger,
    [...drafts(on('same')), ...drafts(on('other'), { amount: 999 })],
    stood.filter(on('mistake')).map(({ key }) => key),
  );
  const { rows: compared } = await ledger.versions.compare('nov');
  // A row with a mistake has no content yet, so each content is another one.
  const invalidSame = { same: lines.same * 3, other: lines.other * 4 + lines.same };
  const expected = Object.entries(standings).map(([standing, ways]) => [
    standing,
    {
      ...Object.fromEntries(Object.entries(lines).map(([line, count]) => [line, count * ways.length])),
      ...(standing === 'never sent' ? invalidSame : {}),
    },
  ]);
  expect(compared).toEqual(Object.fromEntries(expected));
  await ledger.close();
});

it.each(stores)('a result file says more than the ledger about a row that would be sent on %s', async (store) => {
  const ledger = openLedger(await newPlace(store), { ...systemClock, now: () => now });
  const claim = async (batch: string, ...said: [paymentId: string | null, attempts: number | null]) => {
    fill(ledger, [draftRow(2, batch)]);
    ledger.draft.claim([[batch, batch, ...said]]);
    await ledger.versions.takeClaims(batch, now);
    return await ledger.versions.claims(batch);
  };
  const counted: string[] = [];
  for (const kind of Object.values(standings).flat()) {
    if (kind === 'invalid' || kind === 'dropped') continue;
    await take(ledger, kind, [draftRow(2, kind)]);
    await bring(ledger, await rowsOf(ledger, kind), kind.split(' ')[0] as RowState);
    if (kind.endsWith('closed'))
      await ledger.rows.closeRows(await rowsOf(ledger, kind), { by: 'Ada', why: 'Paid by hand' });
    if ((await claim(kind, 'of nobody', null)) > 0) counted.push(kind);
  }
  expect(counted).toEqual(['planned', 'ready']);
  const [absent] = await rowsOf(ledger, 'absent');
  await ledger.rows.move({ row: absent!, from: 'absent', to: 'ready' });
  expect(await ledger.versions.claims('absent')).toBe(1);

  await take(ledger, 'nov', [draftRow(2, 'nov')]);
  await bring(ledger, await rowsOf(ledger, 'nov'), 'expired');
  const [row] = await rowsOf(ledger, 'nov');
  await claim('nov', row!.paymentId, null);
  await ledger.versions.retryRows((await ledger.batches.batch('nov'))!, [row!], { by: null, turn: null });
  const judged = [
    await claim('nov', row!.paymentId, null),
    await claim('nov', 'of nobody', null),
    await claim('nov', null, null),
    await claim('nov', null, 0),
    await claim('nov', null, 1),
  ];
  expect(judged).toEqual([0, 1, 1, 0, 1]);

  // Only a file that came after the claim takes it back.
  fill(ledger, [draftRow(2, 'nov')]);
  await ledger.versions.takeClaims('nov', now - 1);
  expect(await ledger.versions.claims('nov')).toBe(1);
  await ledger.versions.takeClaims('nov', now);
  expect(await ledger.versions.claims('nov')).toBe(0);
  await ledger.close();
});

/** A row of batch nov, the other payment, and the decision. */
interface Pair {
  readonly what: string;
  /** The one value of the other payment that differs. */
  readonly unlike?: Given;
  readonly in: 'nov' | 'oct';
  readonly state: RowState;
  readonly days?: number;
  readonly isClosed?: true;
  /** The row stood in the newest version before. */
  readonly waited?: true;
  /** The new sheet has the row of the other payment too. */
  readonly isListed?: true;
  readonly decision: 'hold' | 'warning' | null;
}

const pairs: readonly Pair[] = [
  { what: 'same, here', in: 'nov', state: 'succeeded', days: 400, isListed: true, decision: 'hold' },
  { what: 'same, here, lacked', in: 'nov', state: 'succeeded', days: 400, decision: 'hold' },
  { what: 'same, in doubt', in: 'oct', state: 'in_doubt', days: 400, decision: 'hold' },
  { what: 'same, pending', in: 'oct', state: 'accepted', days: 400, decision: 'hold' },
  { what: 'same, meanwhile', in: 'oct', state: 'succeeded', days: 1, waited: true, decision: 'hold' },
  {
    what: 'near, meanwhile',
    unlike: { amount: 7 },
    in: 'oct',
    state: 'succeeded',
    days: 1,
    waited: true,
    decision: 'hold',
  },
  { what: 'near amount, lacked', unlike: { amount: 7 }, in: 'nov', state: 'succeeded', days: 400, decision: 'hold' },
  {
    what: 'near reference, lacked',
    unlike: { reference: 'x' },
    in: 'nov',
    state: 'succeeded',
    days: 400,
    decision: 'hold',
  },
  {
    what: 'near amount, listed',
    unlike: { amount: 7 },
    in: 'nov',
    state: 'succeeded',
    days: 400,
    isListed: true,
    decision: null,
  },
  { what: 'same, closed', in: 'nov', state: 'ready', isClosed: true, decision: 'hold' },
  { what: 'near, closed', unlike: { amount: 7 }, in: 'nov', state: 'ready', isClosed: true, decision: 'hold' },
  {
    what: 'near, closed in doubt',
    unlike: { amount: 7 },
    in: 'nov',
    state: 'absent',
    isClosed: true,
    isListed: true,
    decision: 'hold',
  },
  { what: 'same, closed elsewhere', in: 'oct', state: 'ready', isClosed: true, decision: null },
  { what: 'same, within the window', in: 'oct', state: 'succeeded', days: 27.9, decision: 'hold' },
  { what: 'same, after the window', in: 'oct', state: 'succeeded', days: 28.1, decision: 'warning' },
  { what: 'same, old', in: 'oct', state: 'succeeded', days: 35.1, decision: null },
  { what: 'near amount', unlike: { amount: 7 }, in: 'oct', state: 'succeeded', days: 4.9, decision: 'warning' },
  { what: 'near account', unlike: { account: 'y' }, in: 'oct', state: 'succeeded', days: 4.9, decision: 'warning' },
  { what: 'near reference', unlike: { reference: 'z' }, in: 'oct', state: 'succeeded', days: 4.9, decision: 'warning' },
  { what: 'near, old', unlike: { amount: 7 }, in: 'oct', state: 'succeeded', days: 5.1, decision: null },
  { what: 'same, waits', in: 'oct', state: 'ready', decision: 'warning' },
  { what: 'near, waits', unlike: { amount: 7 }, in: 'oct', state: 'ready', decision: 'warning' },
  { what: 'same, refused', in: 'oct', state: 'refused', days: 0, decision: null },
  {
    what: 'two values differ',
    unlike: { amount: 7, reference: 'w' },
    in: 'oct',
    state: 'succeeded',
    days: 0,
    decision: null,
  },
];

it.each(stores)('each line of the table of duplicates decides on %s', async (store) => {
  let moment = now - 30 * day;
  const ledger = openLedger(await newPlace(store), { ...systemClock, now: () => moment });
  const other = (index: number, { what, unlike = {} }: Pair) =>
    draftRow(100 + index, `other ${index}`, { reference: `R ${what}`, account: `A ${what}`, ...unlike });
  const own = (index: number, { what }: Pair) =>
    draftRow(2 + index, `own ${index}`, { reference: `R ${what}`, account: `A ${what}` });
  const named = (row: DraftRow, index: number) => ({ ...row, payee: { ...row.payee, name: `payee ${index}` } });
  const of = (rowOf: typeof own, which: (pair: Pair) => boolean) =>
    pairs.flatMap((pair, index) => (which(pair) ? [named(rowOf(index, pair), index)] : []));
  const waiting = of(own, ({ waited }) => waited === true);
  await take(
    ledger,
    'oct',
    of(other, (pair) => pair.in === 'oct'),
  );
  await take(ledger, 'nov', [...of(other, (pair) => pair.in === 'nov'), ...waiting]);
  for (const batch of ['oct', 'nov'])
    for (const row of await rowsOf(ledger, batch)) {
      const pair = row.key.startsWith('other') ? pairs[Number(row.key.split(' ')[1])]! : null;
      if (pair === null) continue;
      moment = now - (pair.days ?? 0) * day;
      await bring(ledger, [row], pair.state);
      const moved = (await ledger.rows.row(row.id))!;
      if (pair.isClosed) await ledger.rows.closeRows([moved], { by: 'Ada', why: 'Paid by hand' });
    }
  moment = now;
  fill(ledger, [...of(own, () => true), ...of(other, ({ isListed }) => isListed === true)]);
  const found = await duplicatesOfDraft(ledger, { batch: 'nov', identity, isAddition: false }, { now, windowDays: 28 });
  const decisions = new Map(found.duplicates.map(({ number, decision }) => [number, decision]));
  expect(pairs.map(({ what }, index) => [what, decisions.get(2 + index) ?? null])).toEqual(
    pairs.map(({ what, decision }) => [what, decision]),
  );
  await ledger.close();
});
