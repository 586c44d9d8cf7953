/** A row that looks like one that was sent as another batch: what becomes of it, by how its own batch goes on and how long ago that was. */

import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { statusesOf } from '../../src/domain/sending/payment.ts';
import { reasonOf } from '../../src/domain/sending/reason.ts';
import { type DraftRow, openLedger } from '../../src/ledger/ledger.ts';
import { wordsOf } from '../../src/messages/refusals.ts';
import { findRepeats, holdingRepeats, ownTwins, refuseRepeatsOf } from '../../src/pipeline/duplicates/repeats.ts';
import { previewResume } from '../../src/pipeline/duplicates/resume-preview.ts';
import { seenPayment } from '../../src/pipeline/reconcile/list-scan.ts';
import { holdOwnRepeats, sinceReason } from '../../src/pipeline/reconcile/run-scans.ts';

/** The refusal of a row that batch lb paid meanwhile. */
const paidAs = (row: number, like: 'twins' | 'near' = 'twins') => ({
  code: 'WAITING_ROWS_LOOK_PAID',
  facts: { [like]: { shown: [{ row, batch: 'lb', sentRow: expect.any(Number) }] } },
});

const isHeldFor = (facts: object) => 'effect' in facts && facts.effect === 'holds';

const day = 24 * 60 * 60 * 1000;
const identity = 'https://pay|k|t';

/** `A`: a payment to A that is told apart by that; `A/7`: the same payment, told apart by 7; `A=9`: of another amount; `A@9`: at another account. */
function rowOf(text: string, number: number): DraftRow {
  const [what = '', id] = text.split('/');
  const [destination = '', amount = '100'] = what.split('=');
  const [payee = ''] = destination.split('@');
  const key = id ?? payee;
  return {
    number,
    key,
    digest: what,
    likeness: what,
    content: JSON.stringify({ reference: payee, name: payee }),
    amount: Number(amount),
    unit: 'whole',
    currency: 'KES',
    fromCountry: null,
    country: 'Kenya',
    destination,
    collection: null,
    payee: { id: null, name: payee, account: payee },
    documents: [],
  };
}

function desk() {
  const time = { now: Date.parse('2026-01-05T09:00:00Z') };
  const clock = { ...systemClock, now: () => time.now };
  const ledger = openLedger(null, clock);
  const draft = (rows: string) => {
    ledger.draft.clear();
    ledger.draft.add(rows.split(' ').map((text, at) => rowOf(text, at + 2)));
  };
  const self = {
    ledger,
    wait: (days: number) => {
      time.now += days * day;
    },
    async take(batch: string, rows: string, repeatReason: string | null = null, plannedAt: number | null = null) {
      self.wait(0.001);
      draft(rows);
      const options = plannedAt === null ? {} : { plan: { made_at: new Date(plannedAt).toISOString() } };
      const sheet = { name: 'f.csv', origin: 'f.csv', copy: 'f.csv', options };
      await ledger.importDraft({ batch, identity, service: 's', tagScope: 't', repeatReason, sheet });
    },
    async send(batch: string, limit = 9) {
      self.wait(0.001);
      for (const { id } of await ledger.rows({ batch, states: ['planned'], limit }))
        for (const [from, to] of [
          ['planned', 'ready'],
          ['ready', 'sending'],
          ['sending', 'accepted'],
        ] as const) {
          const facts =
            to === 'sending'
              ? { attempted: 1 as const, submittedAt: time.now }
              : to === 'accepted'
                ? { paymentId: `p${id}` }
                : {};
          await ledger.move({ row: (await ledger.row(id))!, from, to, ...facts });
        }
    },
    now: () => time.now,
    /** The service turned it away, as it does with a token that has ended, or refused it. */
    async tryInVain(batch: string, key: string, becomes: 'ready' | 'refused' = 'ready') {
      self.wait(0.001);
      const row = (await ledger.rows({ batch, states: ['planned'], limit: 9 })).find((one) => one.key === key)!;
      for (const [from, to] of [
        ['planned', 'ready'],
        ['ready', 'sending'],
        ['sending', becomes],
      ] as const) {
        const facts = to === 'sending' ? { attempted: 1 as const, submittedAt: time.now } : {};
        await ledger.move({ row: (await ledger.row(row.id))!, from, to, ...facts });
      }
    },
    /** What a plan of these rows says, and what stops it. */
    async look(batch: string, rows: string, add: boolean) {
      self.wait(0.001);
      draft(rows);
      const known = await ledger.batch(batch);
      const order = { batch, confirmRepeat: null, add };
      const { added } = await ledger.compare(batch);
      return await findRepeats(ledger, { identity }, order, { batch, known, now: time.now, added });
    },
    /** Numbers of the rows that a run of the batch as it stands would hold. */
    async held(batch: string) {
      self.wait(0.001);
      await holdOwnRepeats({ ledger, clock }, (await ledger.batch(batch))!);
      return (await ledger.rows({ batch, states: ['held'], limit: 9 })).map(({ key }) => key);
    },
  };
  return self;
}

describe('la was sent; to lb, which was sent from, a sheet brings', () => {
  it.each<[row: string, days: number, held: readonly string[]]>([
    ['A', 1, ['A']],
    ['A', 6, ['A']],
    ['A', 400, ['A']],
    // Told apart by something else it may be the next month's.
    ['A/7', 6, ['7']],
    ['A/7', 34, ['7']],
    ['A/7', 36, []],
    // Its own rows are no other batch's.
    ['C/7', 1, ['7']],
    ['C/7', 6, []],
    ['D', 1, []],
  ])('%s, %d days later: held %j, and told so before', async (row, days, held) => {
    for (const reason of [null, 'C is owed twice']) {
      const { ledger, ...at } = desk();
      await at.take('la', 'A B');
      await at.send('la');
      await at.take('lb', 'C', reason);
      await at.send('lb');
      at.wait(days);
      const { twins, warnings } = await at.look('lb', `C ${row}`, true);
      expect(twins).toEqual([]);
      const isOther = held.length > 0 && !row.startsWith('C');
      expect(warnings.filter(({ facts }) => isHeldFor(facts) && 'batch' in facts && facts.batch === 'la').length).toBe(
        isOther ? 1 : 0,
      );
      await at.take('lb', `C ${row}`);
      expect(await at.held('lb')).toEqual(held);
      await ledger.close();
    }
  });
});

it('a static month under a name of its own is sent without a word, begun and gone on with', async () => {
  const { ledger, ...at } = desk();
  await at.take('nov', 'A B C');
  await at.send('nov');
  at.wait(30);
  expect((await at.look('dec', 'A B C', false)).twins).toEqual([]);
  await at.take('dec', 'A B C');
  expect(await at.held('dec')).toEqual([]);
  await at.send('dec', 1);
  expect(await at.held('dec')).toEqual([]);
  // A sheet that was mended before anything went out is where it begins.
  await at.take('jan', 'A B');
  await at.take('jan', 'A B C');
  await at.send('jan', 1);
  at.wait(6);
  expect(await at.held('jan')).toEqual([]);
  await ledger.close();
});

describe('a month begun without some of its rows, as it goes on with a row that was paid as', () => {
  it.each<[what: string, december: string, more: string, held: readonly string[]]>([
    ['the month before', 'A B C', 'A B C D', []],
    ['the month before; one row alone is no month', 'A', 'A D', ['D']],
    ['the month before; it has rows that this one lacks, and so is another batch', 'A B C E', 'A B C E D', ['D']],
    ['the month before, told apart by something else', 'A/1 B/2 C/3', 'A/1 B/2 C/3 D', ['D']],
    ['another batch beside it', 'A B C', 'A B C X', ['X']],
  ])('%s', async (_title, december, more, held) => {
    for (const days of [30, 45]) {
      const { ledger, ...at } = desk();
      await at.take('oct', 'A B C D');
      await at.send('oct');
      at.wait(30);
      await at.take('nov', 'A B C D');
      await at.send('nov');
      await at.take('beside', 'X A');
      await at.send('beside', 1);
      at.wait(days);
      await at.take('dec', december);
      await at.send('dec');
      expect((await at.look('dec', more, true)).warnings.filter(({ facts }) => isHeldFor(facts))).toHaveLength(
        held.length,
      );
      await at.take('dec', more);
      expect(await at.held('dec')).toEqual(held);
      await ledger.close();
    }
  });

  it.each<[what: string, reason: string | null, held: readonly string[]]>([
    ['a batch that has a reason to pay again says it of the rows that it had', 'Owed twice', ['D']],
    ['nobody gave one', null, []],
  ])('the month before: %s', async (_title, reason, held) => {
    const { ledger, ...at } = desk();
    await at.take('nov', 'A B C D');
    await at.send('nov');
    at.wait(30);
    await at.take('dec', 'A B C', reason);
    await at.send('dec');
    await at.take('dec', 'A B C D');
    expect(await at.held('dec')).toEqual(held);
    await ledger.close();
  });

  it('the month after, or half a month after, while this one stood still', async () => {
    const { ledger, ...at } = desk();
    await at.take('oct', 'A B C');
    await at.send('oct', 2);
    at.wait(30);
    await at.take('nov', 'A B C D');
    await at.send('nov');
    at.wait(30);
    await at.take('oct', 'A B C D');
    expect(await at.held('oct')).toEqual(['C', 'D']);
    await ledger.close();
  });

  it('the month before, and as another batch since', async () => {
    const { ledger, ...at } = desk();
    await at.take('nov', 'A B C D');
    await at.send('nov');
    at.wait(30);
    await at.take('dec', 'A B C');
    await at.send('dec');
    at.wait(7);
    await at.take('late', 'D');
    await at.send('late');
    at.wait(7);
    await at.take('dec', 'A B C D');
    expect(await at.held('dec')).toEqual(['D']);
    await ledger.close();
  });
});

it('what waited in a batch that was sent from, and was paid as another meanwhile, is held however long ago that was', async () => {
  const { ledger, ...at } = desk();
  await at.take('la', 'A B/2 C');
  await at.send('la', 1);
  await at.take('lb', 'B/2 C/3');
  await at.send('lb');
  at.wait(40);
  expect(await at.held('la')).toEqual(['2']);
  await ledger.close();
});

it('what waited, and was paid meanwhile both as it is and of another amount, is held once, as what is the same', async () => {
  const { ledger, ...at } = desk();
  await at.take('la', 'A B');
  await at.send('la', 1);
  await at.take('lb', 'B/2 B=150/3');
  await at.send('lb');
  const found = await holdingRepeats(ledger, (await ledger.batch('la'))!, at.now());
  expect(found.map(({ twin }) => twin.twin)).toEqual([2, 3]);
  expect(await at.held('la')).toEqual(['B']);
  const [row] = await ledger.rows({ batch: 'la', states: ['held'], limit: 9 });
  const like = reasonOf(row?.reason ?? null, 'looks-paid');
  expect(like).toMatchObject({ to: { row: 2, batch: 'lb' }, differs: null });
  await ledger.close();
});

it.each([
  ['began, and never tried it', 1, 0],
  ['began, and tried it in vain', 1, 1],
  ['sent nothing, and never tried it', 0, 0],
  ['sent nothing, and tried it in vain', 0, 1],
])(
  'what waited in a batch that %s, and was paid as another meanwhile, is paid already',
  async (_title, sent, tried) => {
    const { ledger, ...at } = desk();
    await at.take('la', 'A B');
    if (sent > 0) await at.send('la', sent);
    if (tried > 0) await at.tryInVain('la', 'B');
    await at.take('lb', 'B');
    await at.send('lb');
    at.wait(40);
    const facts = (await ledger.batch('la'))!;
    expect(await ownTwins(ledger, facts, at.now())).toMatchObject([{ number: 3, batch: 'lb', asAnother: 1 }]);
    if (sent > 0) expect(await at.held('la')).toEqual(['B']);
    else await expect(refuseRepeatsOf(ledger, facts, at.now())).rejects.toMatchObject(paidAs(3));
    await ledger.close();
  },
);

describe('la waits with a row, while lb is paid', () => {
  it.each<[what: string, lb: string, days: readonly number[], held: readonly string[]]>([
    ['the row, corrected', 'B=150', [0, 6, 30], ['B']],
    ['the row, corrected, before another one of its payee', 'B=70/9 B=150', [0, 6], ['B']],
    ['the row, corrected, in a file that numbers its rows otherwise', 'B@7/9', [0, 6, 30], ['B']],
    ['the row, in a file that numbers its rows otherwise', 'B/9', [0, 6, 30], ['B']],
    ['two things of it corrected, as is another payment', 'B@7=150/9', [0, 6], []],
  ])('%s', async (_what, rows, ages, held) => {
    for (const days of ages)
      for (const [sent, tried] of [
        [1, 0],
        [1, 1],
        [0, 0],
        [0, 1],
      ] as const) {
        const { ledger, ...at } = desk();
        await at.take('la', 'A B');
        if (sent > 0) await at.send('la', sent);
        if (tried > 0) await at.tryInVain('la', 'B');
        await at.take('lb', rows);
        await at.send('lb');
        at.wait(days);
        const told = JSON.stringify({ days, sent, tried });
        const stopped = refuseRepeatsOf(ledger, (await ledger.batch('la'))!, at.now()).then(() => '', wordsOf);
        if (sent > 0) expect(await at.held('la'), told).toEqual(held);
        else expect((await stopped).includes('row 3 '), told).toBe(held.length > 0);
        await ledger.close();
      }
  });

  it.each([0, 6, 30])('corrected, and it was refused: who sends it again %s days later is told', async (days) => {
    const { ledger, ...at } = desk();
    await at.take('la', 'A B');
    await at.send('la', 1);
    await at.tryInVain('la', 'B', 'refused');
    await at.take('lb', 'B=150');
    await at.send('lb');
    at.wait(days);
    const found = await holdingRepeats(ledger, (await ledger.batch('la'))!, at.now(), true);
    expect(found).toMatchObject([{ twin: { number: 3, batch: 'lb', differs: 'amount' } }]);
    await ledger.close();
  });

  it.each(['B', 'B=150'])('and a reason was said of what had been sent by then: %s', async (copy) => {
    const { ledger, ...at } = desk();
    await at.take('nov', 'A B');
    await at.send('nov');
    at.wait(1);
    await at.take('la', 'A B', 'a bonus of one more month');
    const stopped = async () => await refuseRepeatsOf(ledger, (await ledger.batch('la'))!, at.now());
    await stopped();
    await at.tryInVain('la', 'B');
    await at.take('lb', copy, 'a bonus');
    await at.send('lb');
    for (const days of [0, 6]) {
      at.wait(days);
      await expect(stopped()).rejects.toMatchObject(paidAs(3, copy === 'B' ? 'twins' : 'near'));
    }
    await ledger.close();
  });

  it('and a reason was given with a plan, and the plan was paid later', async () => {
    const { ledger, ...at } = desk();
    await at.take('nov', 'A B');
    await at.send('nov');
    at.wait(1);
    const plannedAt = at.now();
    await at.take('lb', 'B', 'a bonus');
    await at.send('lb');
    await at.take('la', 'A B', 'a bonus of one more month', plannedAt);
    const stopped = refuseRepeatsOf(ledger, (await ledger.batch('la'))!, at.now());
    await expect(stopped).rejects.toMatchObject(paidAs(3));
    await ledger.close();
  });

  it('is not hidden behind the month before, of the same amount', async () => {
    const { ledger, ...at } = desk();
    await at.take('nov', 'A B');
    await at.send('nov');
    at.wait(30);
    await at.take('fix', 'B=150');
    await at.send('fix');
    const { warnings } = await at.look('dec', 'A B', false);
    expect(warnings).toContainEqual(
      expect.objectContaining({ row: 3, facts: expect.objectContaining({ batch: 'fix' }) }),
    );
    await ledger.close();
  });

  // In seconds after the reason, by the clock of this machine.
  it.each<[what: string, lead: number, counts: readonly number[], not: readonly number[]]>([
    ['what was surely made since', 0, [2, 5], [-90, -2, 0.5, 90]],
    ['so it does at a service a minute ahead', 60, [62, 65], [2, 59.5, 60.5, 90]],
  ])('of what other ledgers paid its first pass counts %s', async (_title, lead, counts, not) => {
    const { ledger, ...at } = desk();
    await at.take('la', 'A', 'a bonus');
    const batch = (await ledger.batch('la'))!;
    const between = sinceReason(batch.createdAt, lead * 1000, batch.createdAt + 5000);
    const row = (await ledger.rows({ batch: 'la', limit: 1 }))[0]!;
    await ledger.move({ row, from: 'planned', to: 'ready', merchantId: 'm', reason: null });
    const counted = [...counts, ...not].filter((seconds) => {
      const date = new Date(batch.createdAt + seconds * 1000).toISOString();
      const seen = seenPayment(
        { id: 'p1', date, merchantId: 'm', amount: row.amount, reference: 'A', status: 'success' },
        statusesOf(),
      );
      ledger.passes.begin();
      ledger.passes.add([seen]);
      return ledger.passes.lookalikes('la', batch.sheet.id, 0, { lead: lead * 1000, between }).length > 0;
    });
    expect(counted).toEqual(counts);
    await ledger.close();
  });

  it.each([
    ['2026-11-22', '2026-11-23T12:00:00Z'],
    ['2026-11-22T00:00:00.000Z', '2026-11-23T12:00:00Z'],
    ['2026-11-22T00:00:00+02:00', '2026-11-23T10:00:00Z'],
    ['2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z'],
    ['2026-11-22T10:05:00Z', '2026-11-22T10:06:00Z'],
    ['Sun, 22 Nov 2026 10:05:07 GMT', '2026-11-22T10:05:08Z'],
    ['2026-11-22T10:05:07+02:00', '2026-11-22T08:05:08Z'],
    // It may be of a zone a day behind; read as of this machine's on both sides.
    ['2026-11-22T10:05:07', '2026-11-23T10:05:08'],
    ['soon', null],
    [undefined, null],
  ])('where the service dates it %s, it was made at the latest at %s', (date, latest) => {
    const seen = seenPayment({ id: 'p1', date }, statusesOf());
    expect(seen.latest).toBe(latest === null ? null : Date.parse(latest));
  });

  it.each(['B', 'B=150'])('and a person had said that it repeats nothing that was sent by then: %s', async (copy) => {
    const { ledger, ...at } = desk();
    await at.take('lb', 'B');
    await at.send('lb');
    at.wait(1);
    await at.take('la', 'A');
    await at.send('la');
    await at.take('la', 'A B');
    expect(await at.held('la')).toEqual(['B']);
    const row = (await ledger.rows({ batch: 'la', states: ['held'], limit: 1 }))[0]!;
    const data = { said: 'not a repeat', reason: 'owed' };
    await ledger.move({ row, from: 'held', to: 'ready', reason: null, notRepeat: 'owed', data });
    expect(await at.held('la')).toEqual([]);
    await at.take('lc', copy);
    await at.send('lc');
    expect(await at.held('la')).toEqual(['B']);
    await ledger.close();
  });
});

it('a word that a batch goes on stops it where it has sent nothing yet', async () => {
  const { ledger, ...at } = desk();
  await at.take('la', 'A');
  await at.send('la');
  await at.take('lb', 'C');
  at.wait(40);
  expect((await at.look('lb', 'C A', true)).twins).toMatchObject([{ batch: 'la', number: 3 }]);
  expect((await at.look('lb', 'C A', false)).twins).toEqual([]);
  expect((await at.look('new', 'A', true)).twins).toEqual([]);
  await ledger.close();
});

it.each<[row: string, why: string | null]>([
  ['A', 'nothing'],
  ['A/7', 'nothing'],
  ['A=9', 'amount'],
  ['A@9', 'account'],
  ['B', null],
])('la waits with A; a plan of %s as another batch tells of it, and is not stopped', async (row, differs) => {
  const { ledger, ...at } = desk();
  await at.take('la', 'B A');
  await at.send('la', 1);
  const look = async () => {
    const { twins, warnings } = await at.look('lb', row, false);
    return [twins.length, warnings.filter(({ code }) => code === 'LOOKS_WAITING').map(({ facts }) => facts)];
  };
  const facts = { row: 3, batch: 'la', isHeld: false, differs, amount: 100, currency: 'KES' };
  expect(await look()).toEqual([row === 'B' ? 1 : 0, differs === null ? [] : [facts]]);
  at.wait(40);
  expect((await look())[1]).toEqual([]);
  await ledger.close();
});

it('a row whose payment expired is planned corrected to what another batch paid since: the plan says that it is held', async () => {
  const { ledger, ...at } = desk();
  await at.take('la', 'A B');
  await at.send('la');
  const row = (await ledger.rows({ batch: 'la', states: ['accepted'], limit: 9 })).find(({ key }) => key === 'A')!;
  await ledger.move({ row, from: 'accepted', to: 'expired' });
  at.wait(6);
  await at.take('lb', 'A=9/7');
  await at.send('lb');
  const { twins, warnings } = await at.look('la', 'A=9 B', true);
  const like = expect.objectContaining({ row: 2, batch: 'lb', differs: null, effect: 'holds' }) as unknown;
  expect([twins, warnings.map(({ facts }) => facts)]).toEqual([[], [like]]);
  await at.take('la', 'A=9 B');
  expect(await at.held('la')).toEqual(['A']);
  await ledger.close();
});

it('going on is told without what the newest sheet lacks and what looks paid; what nothing is sent of says where it was paid', async () => {
  const { ledger, ...at } = desk();
  const told = async (batch: string) => await previewResume(ledger, (await ledger.batch(batch))!, at.now());
  await at.take('la', 'A B C=5 D=7');
  await at.send('la', 1);
  await at.take('idle', 'E=3 F=4');
  await at.take('la', 'A C=5 D=7');
  expect([await told('la'), await told('idle')]).toEqual([
    { rows: 2, totals: [{ currency: 'KES', unit: 'whole', amount: 12 }], stops: false, waits: [], seen: null },
    { rows: 2, totals: [{ currency: 'KES', unit: 'whole', amount: 7 }], stops: false, waits: [], seen: null },
  ]);
  await at.take('aside', 'D=7/9 F=4/9b');
  await at.send('aside');
  expect(await told('la')).toEqual({
    rows: 1,
    totals: [{ currency: 'KES', unit: 'whole', amount: 5 }],
    stops: false,
    waits: [{ note: 'waits-like-batch', batch: 'aside', rows: 1, stops: false }],
    seen: null,
  });
  const idle = [{ note: 'waits-like-batch', batch: 'aside', rows: 1, stops: true }];
  expect(await told('idle')).toEqual({ rows: 0, totals: [], stops: true, waits: idle, seen: null });
  // It is what is done.
  expect(await at.held('la')).toEqual(['D']);
  expect((await told('la'))?.rows).toBe(1);
  await ledger.close();
});
