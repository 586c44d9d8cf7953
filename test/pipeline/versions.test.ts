/** The property test opens generated sheets as versions on both databases, and compares each row with a plain model. */
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { batchProblem } from '../../src/domain/problems/batch-problems.ts';
import { whyNoVersion } from '../../src/domain/rows/version-table.ts';
import { type DraftRow, isListed, type Ledger, openLedger, type RowState } from '../../src/ledger/ledger.ts';
import { type Chance, chanceOf } from '../fuzz/chance.ts';
import { newPlace, type StoreName, stores } from '../ledger/stores.ts';

const byKey = ([a]: readonly [string, ...unknown[]], [b]: readonly [string, ...unknown[]]) => (a < b ? -1 : 1);

const batch = 'nov';

const rowOf = (key: string, amount: number, number: number): DraftRow => ({
  number,
  key,
  rowId: key,
  digest: `${key} ${amount}`,
  likeness: `${key} ${amount}`,
  content: JSON.stringify({ name: key, reference: key, amount }),
  amount,
  unit: 'whole',
  currency: 'KES',
  fromCountry: null,
  country: 'Kenya',
  destination: key,
  collection: null,
  payee: { id: null, name: key, account: key },
  documents: [],
});

interface Flags {
  readonly add: boolean;
  readonly drop: boolean;
  readonly isPlanned: boolean;
}

/** A row in the model. `past` has the amounts that older sheets said. */
interface Known {
  amount: number;
  state: 'unsent' | 'paid' | 'unpaid';
  isListed: boolean;
  past: number[];
}

type Sheet = ReadonlyMap<string, number>;

/** Returns the code of the refusal, or changes the rows as the sheet says. */
function openIn(rows: Map<string, Known>, sheet: Sheet, { add, drop, isPlanned }: Flags): string | null {
  const lines = [...rows].map(([key, row]) => ({ row, amount: sheet.get(key) }));
  const isOther = ({ row, amount }: (typeof lines)[number]) => amount !== undefined && amount !== row.amount;
  if (lines.some((line) => line.row.state === 'paid' && isOther(line))) return 'changes-paid';
  const open = lines.filter(({ row }) => row.state !== 'paid');
  const returns = open.some(
    ({ row, amount }) =>
      amount !== undefined && (!row.isListed || (amount !== row.amount && row.past.includes(amount))),
  );
  if (returns && !isPlanned) return 'gives-back';
  const isAddition = add && !drop;
  if (isAddition && open.some((line) => line.row.isListed && isOther(line))) return 'add-changes';
  const hasSent = lines.some(({ row }) => row.state !== 'unsent');
  const added = [...sheet.keys()].filter((key) => !rows.has(key));
  if (hasSent && !isAddition) {
    if (added.length > 0 && !add) return 'adds';
    if (open.some(({ row, amount }) => row.isListed && amount === undefined) && !drop) return 'drops';
  }
  for (const { row, amount } of lines) {
    if (amount === undefined) row.isListed &&= isAddition;
    else if (amount !== row.amount) Object.assign(row, { amount, past: [...row.past, row.amount], state: 'unsent' });
    if (amount !== undefined) row.isListed = true;
  }
  for (const key of added) rows.set(key, { amount: sheet.get(key)!, state: 'unsent', isListed: true, past: [] });
  return null;
}

const opened: Ledger[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function desk(store: StoreName) {
  let now = Date.parse('2026-11-27T09:00:00Z');
  const ledger = openLedger(await newPlace(store), { ...systemClock, now: () => (now += 1000) });
  opened.push(ledger);
  await ledger.hold();
  const read = (sheet: Sheet) => {
    ledger.draft.clear();
    ledger.draft.add([...sheet].map(([key, amount], at) => rowOf(key, amount, at + 2)));
  };
  const take = async (base: number, isAddition = false) =>
    await ledger.versions.importDraft({
      base,
      isAddition,
      mayRepeat: true,
      plan: null,
      batch,
      identity: 'https://pay|k|t',
      service: 's',
      repeatReason: null,
      sheet: { name: 'f.csv', origin: 'f.csv', copy: 'f.csv', options: { by: 'Ama', maker: 'Joe' } },
    });
  return {
    ledger,
    read,
    take,
    async open(sheet: Sheet, flags: Flags): Promise<string | null> {
      read(sheet);
      const change = await ledger.versions.compare(batch);
      const why = change.known ? whyNoVersion(change, flags) : null;
      if (why === null) await take(ledger.batches.newestSheet(), flags.add && !flags.drop);
      return why;
    },
    async move(key: string, ...states: RowState[]) {
      for (const to of states) {
        const row = (await ledger.rows.rowByKey(batch, key))!;
        const sent = to === 'sending' ? { attempted: 1 as const, submittedAt: now } : {};
        const paid = to === 'accepted' ? { paymentId: `p${row.id}-${row.revision}-${row.attempts}` } : {};
        await ledger.rows.move({ row, from: row.state, to, ...sent, ...paid });
      }
    },
    async rows() {
      const facts = (await ledger.batches.batch(batch))!;
      const rows = await ledger.rows.list({ batch, limit: 100 });
      return rows.map((row) => [row.key, row.amount, isListed(row, facts)] as const).toSorted(byKey);
    },
  };
}

const whole: Flags = { add: false, drop: false, isPlanned: false };
const sheetOf = (text: string): Sheet =>
  new Map(text.split(' ').map((one) => [one[0]!, Number(one.slice(1) || '1')] as const));

/** Moves a row that may be sent to the end that chance has for it. */
async function send(desk: Awaited<ReturnType<typeof newDesk>>, rows: Map<string, Known>, chance: Chance) {
  const open = [...rows].filter(([, row]) => row.state === 'unsent' && row.isListed);
  if (open.length === 0) return;
  const [key, row] = chance.one(open);
  const end = chance.one(['accepted', 'refused', 'expired'] as const);
  row.state = end === 'accepted' ? 'paid' : 'unpaid';
  const stored = (await desk.ledger.rows.rowByKey(batch, key))!;
  if (stored.state === 'planned') await desk.move(key, 'ready');
  await desk.move(key, 'sending', ...(end === 'expired' ? (['accepted', 'expired'] as const) : [end]));
}
const newDesk = desk;

describe.each(stores)('on %s', (store) => {
  it('opens versions as the model does', async () => {
    const seen: Record<string, number> = {};
    for (let seed = 1; seed <= (store === 'SQLite' ? 30 : 3); seed += 1) {
      const chance = chanceOf(seed);
      const at = await desk(store);
      const rows = new Map<string, Known>();
      for (let step = 0; step < 12; step += 1) {
        if (rows.size > 0 && chance.below(3) === 0) await send(at, rows, chance);
        const keys = ['a', 'b', 'c', 'd'].filter(() => chance.below(3) > 0);
        const sheet = new Map(keys.map((key) => [key, 1 + chance.below(2)] as const));
        if (sheet.size === 0) continue;
        const flags = { add: chance.once(2), drop: chance.once(2), isPlanned: chance.once(3) };
        const expected = openIn(rows, sheet, rows.size === 0 ? { ...flags, add: false } : flags);
        const why = await at.open(sheet, flags);
        expect([seed, step, why], JSON.stringify([...sheet])).toEqual([seed, step, expected]);
        seen[String(why)] = (seen[String(why)] ?? 0) + 1;
        const now = [...rows].map(([key, row]) => [key, row.amount, row.isListed] as const).toSorted(byKey);
        expect(await at.rows(), `seed ${seed}, step ${step}`).toEqual(now);
      }
      await opened.pop()?.close();
    }
    if (store === 'SQLite')
      expect(Object.keys(seen).toSorted()).toEqual(
        ['add-changes', 'adds', 'changes-paid', 'drops', 'gives-back', 'null'].toSorted(),
      );
  });

  it('counts a row that is rejected late as a row of the batch, if its line has an id', async () => {
    const { ledger, read } = await desk(store);
    read(sheetOf('a b'));
    ledger.draft.add([{ ...rowOf('c', 1, 4), rowId: null }]);
    for (const row of [3, 4])
      ledger.draft.judge([batchProblem('ROW_REPEATED', 'error', { row: 2, fix: 'other-ids' }, { row })]);
    expect((await ledger.versions.compare(batch)).added).toBe(2);
  });

  it('opens none for the rows that the batch has already', async () => {
    const at = await desk(store);
    await at.open(sheetOf('a b'), whole);
    const first = at.ledger.batches.newestSheet();
    expect([await at.open(sheetOf('b a'), whole), at.ledger.batches.newestSheet()]).toEqual([null, first]);
    await at.open(sheetOf('a b2'), whole);
    expect(at.ledger.batches.newestSheet()).toBe(first + 1);
  });

  it('opens none if another sheet of the batch came in meanwhile', async () => {
    const at = await desk(store);
    await at.open(sheetOf('a b'), whole);
    const base = at.ledger.batches.newestSheet();
    await at.open(sheetOf('a b2'), whole);
    at.read(sheetOf('a2 b'));
    await expect(at.take(base)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });
    // The same rows are no other sheet.
    at.read(sheetOf('a b2'));
    await at.take(base);
    expect(await at.rows()).toEqual([
      ['a', 1, true],
      ['b', 2, true],
    ]);
  });

  it('opens a retry with the rows of the head, of which one is sent again', async () => {
    const at = await desk(store);
    await at.open(sheetOf('a b'), whole);
    for (const key of ['a', 'b']) await at.move(key, 'ready', 'sending', 'refused');
    await at.ledger.rows.closeRows([(await at.ledger.rows.rowByKey(batch, 'a'))!], { by: null, why: 'Not owed' });
    const head = (await at.ledger.batches.batch(batch))!;
    const again = [(await at.ledger.rows.rowByKey(batch, 'b'))!];
    await at.ledger.leads.finish(batch, { at: 0, why: null }, null);
    const { sheet } = await at.ledger.versions.retryRows(head, again, { by: 'Ben', turn: null });
    // A run that dies before it continues leaves the batch to workers, and the file stays as old as it was.
    expect(at.ledger.leads.of(batch).stands).toBe('going');
    expect(sheet).toEqual({ ...head.sheet, id: head.sheet.id + 1, options: { maker: 'Joe', by: 'Ben' } });
    expect(await at.ledger.rows.rowByKey(batch, 'a')).toMatchObject({ sheet: sheet.id, state: 'refused' });
    expect(await at.ledger.rows.rowByKey(batch, 'b')).toMatchObject({ sheet: sheet.id, state: 'planned' });
    at.read(sheetOf('a b2'));
    const { entries } = await at.ledger.trail.trailPage(batch, { from: 0, limit: 9 });
    const opened = entries.find(({ entry }) => entry.what === 'sheet')!.entry;
    expect(opened.at).toBeGreaterThan(sheet.receivedAt);
    await expect(at.take(head.sheet.id)).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
      facts: { newest: { sheet: 'f.csv', by: 'Joe', at: opened.at } },
    });
    await expect(at.ledger.versions.retryRows(head, again, { by: null, turn: null })).rejects.toMatchObject({
      code: 'VERSION_CONFLICT',
    });
  });

  it('opens the retry of a plan while no other plan waits, with its own copy and terms', async () => {
    const at = await desk(store);
    await at.open(sheetOf('a b'), whole);
    await at.move('b', 'ready', 'sending', 'refused');
    const head = (await at.ledger.batches.batch(batch))!;
    const again = [(await at.ledger.rows.rowByKey(batch, 'b'))!];
    const options = { plan: { digest: 'own' }, canary: 1 };
    const under = { plan: 'sha256:own', proposal: null, copy: 'own.csv', options, entries: [] };
    const open = async (proposal: number | null) =>
      await at.ledger.versions.retryRows(head, again, { by: 'Ben', turn: null, under: { ...under, proposal } });
    const id = await at.ledger.holds.propose(batch, { by: 'Ama', file: 'f.csv', upload: null });
    await expect(open(null)).rejects.toMatchObject({ code: 'PROPOSAL_WAITS' });
    await at.ledger.holds.unpropose(id);
    await expect(open(id)).rejects.toMatchObject({ code: 'PLAN_MOVED' });
    expect((await open(null)).sheet).toMatchObject({
      copy: 'own.csv',
      options: { maker: 'Joe', by: 'Ben', ...options },
    });
  });

  it('leaves only the rows of a retry in its draft', async () => {
    const { ledger, read } = await desk(store);
    read(sheetOf('a b c'));
    const { draft } = ledger;
    draft.judge([batchProblem('ROW_REPEATED', 'error', { row: 2, fix: 'other-ids' }, { row: 3 })]);
    draft.addProblems([batchProblem('ROW_CLOSED', 'warning', { by: null, why: 'Not owed' }, { row: 4 })]);
    const sheet = draft.digest();
    draft.retry(['a'], ['a']);
    expect(draft.counts()).toEqual({ rows: 1, invalid: 0, errors: 0, warnings: 0, problems: 0 });
    expect(draft.digest()).not.toBe(sheet);
    expect((await ledger.versions.compare(batch)).added).toBe(1);
  });
});
