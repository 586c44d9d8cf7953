/** The property test compares the matches of both databases with plain loops over everything that was sent. */
import { expect, it } from 'vitest';
import type { DraftRow } from '../../src/ledger/ledger.ts';
import type { Duplicate } from '../../src/pipeline/duplicates/duplicates.ts';
import { chanceOf } from '../fuzz/chance.ts';
import { day, desk, rowOf, windowDays } from './matching-desk.ts';

it('says before a batch continues what it sends at most, and which rows look paid', async () => {
  const at = await desk('SQLite');
  await at.take('la', 'A B D');
  await at.send('la', 'A');
  await at.take('aside', 'D/9');
  await at.send('aside');
  expect(await at.preview('la')).toEqual({
    rows: 1,
    totals: [{ currency: 'KES', unit: 'whole', amount: 100 }],
    waits: [{ note: 'waits-like-batch', batch: 'aside', rows: 1 }],
  });
});

it.each([
  ['SQLite', 1],
  ['SQLite', 2],
  ['SQLite', 3],
  ['Postgres', 4],
] as const)('agrees on %s with plain loops over random payments (seed %i)', async (store, seed) => {
  const random = chanceOf(seed);
  const pick = random.one;
  const at = await desk(store);
  const world = plainWorld();
  const someRows = () =>
    [...new Set(Array.from({ length: 1 + random.below(4) }, () => pick(['k1', 'k2', 'k3', 'k4', 'k5'])))].map((key) => {
      const name = pick(['N', 'M']);
      return `${key}=${name}@${pick([name, `${name}2`])}:${pick(['100', '150'])}:${pick(['R1', 'R.1', 'r1', 'R2'])}`;
    });
  for (let step = 0; step < 60; step += 1) {
    const batch = pick(['la', 'lb', 'lc']);
    const what = random.below(10);
    if (what < 3) {
      // Rows that may have a payment stay as they are: a sheet that changes them is refused before it is compared.
      const rows = someRows().filter((text) => world.mayTake(batch, rowOf(text, 0)));
      if (rows.length === 0) continue;
      await at.take(batch, rows);
      world.take(batch, rows.map(rowOf), at.now());
    } else if (what < 6) {
      const row = world.waiting(batch).at(0);
      if (row === undefined) continue;
      await at.send(batch, row.key);
      world.send(row, at.now());
    } else if (what < 8) {
      const row = world.pending(batch).at(0);
      if (row === undefined) continue;
      const to = pick(['succeeded', 'expired'] as const);
      await at.move(batch, row.key, to);
      Object.assign(row, { state: to, endedAt: at.now() });
    } else at.wait(pick([0.5, 4, 9, 17, 26]));
    const rows = someRows().filter((text) => world.mayTake(batch, rowOf(text, 0)));
    const found = await at.ofDraft(batch, rows);
    expect(shown(found), `${step}: draft of ${batch} ${rows.join(' ')}`).toEqual(
      world.ofDraft(
        batch,
        rows.map((text, nth) => rowOf(text, nth + 2)),
        at.now(),
      ),
    );
    if (world.knows(batch))
      expect(shown(await at.ofBatch(batch)), `${step}: batch ${batch}`).toEqual(world.ofBatch(batch, at.now()));
  }
});

const shown = (found: readonly Duplicate[]) => found.map(({ number, decision }) => `${number} ${decision}`).toSorted();

interface Plain {
  readonly batch: string;
  readonly key: string;
  row: DraftRow;
  /** When the row's content came, and when it was last sent. */
  came: number;
  sentAt: number | null;
  /** When it was paid or expired. */
  endedAt: number | null;
  listed: boolean;
  state: 'planned' | 'accepted' | 'succeeded' | 'expired';
}

/** The same rules, written again in loops: nothing is shared with the program but the form of a row. */
function plainWorld() {
  const all: Plain[] = [];
  const known = (batch: string, key: string) => all.find((one) => one.batch === batch && one.key === key);
  const maySend = ({ state }: Plain) => state === 'planned';
  const mayBePaid = ({ state }: Plain) => state === 'accepted' || state === 'succeeded';
  const folded = ({ content }: DraftRow) =>
    (JSON.parse(content) as { reference: string }).reference.replaceAll(' ', '').toLowerCase();
  const differences = (a: DraftRow, b: DraftRow) => [
    a.amount !== b.amount,
    a.destination !== b.destination,
    folded(a) !== folded(b),
  ];
  function decide(
    own: {
      batch: string;
      row: DraftRow;
      came: number | null;
      sentAt: number | null;
      since: number;
      self: Plain | undefined;
    },
    now: number,
    isListed: (one: Plain) => boolean,
  ) {
    let decision: 'hold' | 'warning' | null = null;
    for (const other of all) {
      if (other === own.self) continue;
      const isHere = other.batch === own.batch;
      if (isHere && other.came === own.came) continue;
      const [amount, account, reference] = differences(own.row, other.row);
      const count = [amount, account, reference].filter(Boolean).length;
      if (count > 1 || (account === true && other.row.payee.name !== own.row.payee.name)) continue;
      const isSame = count === 0;
      if (mayBePaid(other)) {
        const days = (now - (other.endedAt ?? other.sentAt!)) / day;
        const holds =
          (isSame && (isHere || other.state === 'accepted' || days <= windowDays)) ||
          (other.sentAt! > own.since && days <= 35) ||
          (isHere && !isListed(other));
        if (holds) return 'hold';
        if (isSame ? days <= 35 : days <= 5) decision = 'warning';
      } else if (other.state === 'planned' && isHere) {
        if (isSame && isListed(other) && other.came < (own.came ?? Number.POSITIVE_INFINITY)) return 'hold';
      } else if (other.state === 'planned' && other.listed) decision = 'warning';
    }
    return decision;
  }
  const said = (rows: readonly (readonly [DraftRow, 'hold' | 'warning' | null])[]) =>
    rows.flatMap(([{ number }, decision]) => (decision === null ? [] : [`${number} ${decision}`])).toSorted();
  return {
    knows: (batch: string) => all.some((one) => one.batch === batch),
    mayTake(batch: string, row: DraftRow) {
      const before = known(batch, row.key);
      return before === undefined || maySend(before) || before.row.digest === row.digest;
    },
    take(batch: string, rows: readonly DraftRow[], now: number) {
      for (const one of all) if (one.batch === batch) one.listed = false;
      rows.forEach((row, nth) => {
        const numbered = { ...row, number: nth + 2 };
        const before = known(batch, row.key);
        if (before === undefined)
          all.push({
            batch,
            key: row.key,
            row: numbered,
            came: now,
            sentAt: null,
            endedAt: null,
            listed: true,
            state: 'planned',
          });
        else if (before.row.digest !== row.digest) Object.assign(before, { row: numbered, came: now, listed: true });
        else {
          // An unpaid row goes again if its sheet has the same money for another name.
          if (before.state === 'expired' && before.row.content !== row.content) before.state = 'planned';
          // A row that may be paid keeps what was sent.
          const content = mayBePaid(before) ? before.row : numbered;
          Object.assign(before, { row: { ...content, number: numbered.number }, listed: true });
        }
      });
    },
    send(row: Plain, now: number) {
      Object.assign(row, { state: 'accepted', sentAt: now, endedAt: null });
    },
    waiting: (batch: string) => all.filter((one) => one.batch === batch && one.listed && maySend(one)),
    pending: (batch: string) => all.filter((one) => one.batch === batch && one.state === 'accepted'),
    ofBatch(batch: string, now: number) {
      const own = all.filter((one) => one.batch === batch && one.listed && maySend(one));
      return said(
        own.map((one) => [
          one.row,
          decide({ ...one, since: one.sentAt ?? one.came, self: one }, now, (other) => other.listed),
        ]),
      );
    },
    ofDraft(batch: string, rows: readonly DraftRow[], now: number) {
      const listed = (other: Plain) => rows.some(({ key, digest }) => key === other.key && digest === other.row.digest);
      return said(
        rows.flatMap((row) => {
          const self = known(batch, row.key);
          const isSame = self?.row.digest === row.digest;
          if (self !== undefined && !(maySend(self) || (self.state === 'expired' && self.row.content !== row.content)))
            return [];
          const came = isSame ? self.came : null;
          const since = isSame ? (self.sentAt ?? self.came) : now;
          return [[row, decide({ batch, row, came, sentAt: null, since, self }, now, listed)] as const];
        }),
      );
    },
  };
}
