/** Expired payments are paid after their rows were corrected, or were sent again as new revisions. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { command, csvOf, type Desk, kenyanRows, noted, refusalOf, resultOf } from '../support.ts';
import {
  machine,
  notesOf,
  pastHorizonMs,
  pastTwiceMs,
  posts,
  reasonOf,
  reasonsOf,
  resolve,
  resume,
  run,
  statusOf,
  stays,
  type Told,
  told,
  type Watched,
  watched,
} from './desk.ts';

const rows = kenyanRows(3, 2);
const corrected = rows.map((row) => (row.row_id === 'k3' ? { ...row, amount: '303' } : row));

interface Expired {
  readonly seen: Watched;
  readonly desk: Desk;
  /** References whose payments expire, but those that are told otherwise. */
  readonly expires: Set<string>;
  /** The payment of k3, which has expired. */
  readonly payment: { readonly id: string | number; ends?: 'success' | 'expired' };
}

/** A batch that is paid but for its last row, whose payment has expired. */
async function expired(env: Record<string, string> = {}): Promise<Expired> {
  const expires = new Set(['Ref 3']);
  const seen = await watched({ expires });
  const desk = machine(seen.service, rows, env);
  const first = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
  expect([first.exit, first.document.rows]).toMatchObject([21, { paid: 2, unpaid: 1 }]);
  const payment = seen.service.payments.find(({ reference }) => reference === 'Ref 3') as Expired['payment'];
  payment.ends = 'expired';
  expires.clear();
  return { seen, desk, expires, payment };
}

/** The row is corrected, and its old payment comes to life between the plan and the pass before sending. */
async function held(): Promise<Expired> {
  const { seen, desk, expires, payment } = await expired();
  writeFileSync(desk.sheet, csvOf(corrected));
  seen.fault = ({ route }) => {
    if (route === 'GET /payments') payment.ends = 'success';
    return undefined;
  };
  const second = await run(desk);
  seen.fault = () => undefined;
  expect([second.exit, statusOf(second).k3, posts(seen.service)]).toEqual([22, 'held', 3]);
  // By then nothing that was sent for the row can come to light any more.
  seen.clock.moved += pastTwiceMs;
  return { seen, desk, expires, payment };
}

const paidBy = async (desk: Desk, id: string | number, row = 'k3') =>
  await resolve(desk, '--row', row, '--paid', String(id));
const goOn = async (desk: Desk, how = 'resume') => await told(desk, how, 'nov', '--wait', '20s');
const paymentOf = ({ document }: Told, key: string) =>
  resultOf(document.result).find(({ payrun_row }) => payrun_row === key)?.payment_id;

describe.concurrent('a corrected row whose old payment came to life', () => {
  it('is paid by it where a person says so: it paid what the row said then', async () => {
    const { seen, desk, payment } = await held();
    const taken = await paidBy(desk, payment.id);
    expect(taken.exit, taken.err).toBe(23);
    const on = await goOn(desk);
    expect([on.exit, on.document.rows.paid, paymentOf(on, 'k3'), posts(seen.service)]).toEqual([0, 3, payment.id, 3]);
    // What was paid is counted, and what the sheet says stands beside it.
    expect(on.document.totals).toMatchObject([{ planned: 504, paid: 303, differs: -201 }]);
    expect(on.document.notes).toContainEqual(
      noted('paid-other-amount', {
        rows: [{ row: 'k3', paid: 102, planned: 303, unit: 'whole', currency: 'KES' }],
        hasMore: false,
      }),
    );
    const last = resultOf(on.document.result).at(-1);
    for (const words of [last?.payrun_reason, last?.payrun_evidence])
      expect(words).toMatch(/ 102, .*'Ref 3'; .* 303, 'Ref 3'/);
    expect((await command(desk, ['explain', 'nov', 'k3'])).out).toMatch(/102 KES \(.* 303 KES\), tag/);
    expect((await command(desk, ['list', 'nov'])).out).toMatch(/^k3 +4 .* Ref 3 +102 +KES /m);
    const audit = await command(desk, ['audit', 'verify', '--result', on.document.result!, '--json']);
    expect(JSON.parse(audit.out)).toMatchObject({ findings: [], totals: [{ status: 'paid', rows: 3, amount: '303' }] });
    expect((await run(desk)).exit, 'the same sheet again').toBe(0);
    expect(posts(seen.service)).toBe(3);
  });

  it.each([
    [{ amount: undefined, reference: 'Other' }, "amount unknown, reference 'Other'", null],
    [{ reference: undefined }, "amount 102, reference 'unknown'", 102],
  ])('is paid by it also where it no longer says all that it pays: %j', async (changes, evidence, paid) => {
    const { desk, payment } = await held();
    Object.assign(payment, changes);
    const ran = await paidBy(desk, payment.id);
    expect(ran.exit).toBe(23);
    expect(notesOf(ran)).toContainEqual(noted('payment-accepted', { row: 'k3', paid, planned: 303 }));
    const on = await goOn(desk);
    expect(resultOf(on.document.result).at(-1)?.payrun_evidence).toContain(evidence);
  });

  it('is not said to be unpaid, and the way on is told', async () => {
    const { desk, payment } = await held();
    const ran = await resolve(desk, '--row', 'k3', '--not-paid', '--reason', 'they told me');
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      stays('k3', 'PAYMENT_FOUND', { payment: String(payment.id) }),
    ]);
  });

  it('goes on where it has expired again by then', async () => {
    const { seen, desk, payment } = await held();
    payment.ends = 'expired';
    const ran = await paidBy(desk, payment.id);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      stays('k3', 'PAYMENT_EXPIRED', { payment: String(payment.id) }),
    ]);
    expect((await resolve(desk, '--row', 'k3', '--not-paid', '--reason', 'they told me')).exit).toBe(22);
    await resolve(desk, '--release-absent', '--reason', 'they told me');
    const on = await goOn(desk);
    expect([on.exit, on.document.rows.paid, posts(seen.service)]).toEqual([0, 3, 4]);
    expect(seen.service.payments.at(-1)?.amount).toBe(303);
  });

  it('goes on where it expires after all that', async () => {
    const { seen, desk, payment } = await held();
    await paidBy(desk, payment.id);
    payment.ends = 'expired';
    const { rows: counts, totals } = (await goOn(desk)).document;
    expect([counts, totals]).toMatchObject([{ paid: 2, unpaid: 1 }, [{ paid: 201, unpaid: 303, differs: 0 }]]);
    const on = await goOn(desk, 'retry');
    expect([on.exit, on.document.rows.paid, posts(seen.service)]).toEqual([0, 3, 4]);
    expect(seen.service.payments.at(-1)?.amount).toBe(303);
  });

  it('pays no other row', async () => {
    const { seen, desk, payment } = await held();
    writeFileSync(desk.sheet, csvOf([...corrected, { ...rows[2]!, row_id: 'k4' }]));
    seen.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'drop' } : undefined);
    const added = await run(desk, '--add');
    expect(['held', 'in doubt'], reasonOf(added, 'k4')).toContain(statusOf(added).k4);
    seen.clock.moved += pastHorizonMs;
    const ran = await paidBy(desk, payment.id, 'k4');
    expect([ran.exit, refusalOf(ran)]).toMatchObject([
      2,
      stays('k4', 'PAYMENT_OF_OTHER_ROW', { payment: String(payment.id), other: { row: 'k3', batch: 'nov' } }),
    ]);
  });
});

describe.concurrent('a row that another ledger corrected and paid', () => {
  it.each([1, 5])('is held, and paid by that where a person says so (corrected %i times)', async (times) => {
    const { seen, desk, expires } = await expired();
    expires.add('Ref 3');
    for (let n = 1; n <= times; n += 1) {
      if (n === times) {
        for (const payment of seen.service.payments)
          if (payment.reference === 'Ref 3') Object.assign(payment, { ends: 'expired' });
        expires.clear();
      }
      writeFileSync(desk.sheet, csvOf([...rows.slice(0, 2), { ...rows[2]!, amount: String(300 + n) }]));
      await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s');
    }
    const paid = seen.service.payments.at(-1)!;
    expect([paid.amount, seen.service.payments.length]).toEqual([300 + times, 3 + times]);
    seen.clock.moved += pastTwiceMs;
    const other = machine(seen.service, rows);
    expect(statusOf(await run(other)).k3).toBe('held');
    const ran = await resolve(other, '--row', 'k3', '--not-paid', '--reason', 'nobody told me');
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, stays('k3', 'PAYMENT_FOUND', { payment: String(paid.id) })]);
    await paidBy(other, paid.id as string);
    const on = await goOn(other);
    expect([on.exit, on.document.rows.paid, paymentOf(on, 'k3')]).toEqual([0, 3, paid.id]);
    expect(posts(seen.service)).toBe(3 + times);
  });
});

it('a corrected row whose payments have all expired is held for the earlier one, and a person says that it pays', async () => {
  const { seen, desk, expires, payment } = await expired();
  writeFileSync(desk.sheet, csvOf(corrected));
  expires.add('Ref 3');
  expect((await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s')).document.rows.unpaid).toBe(1);
  payment.ends = 'success';
  const { rows: held } = (await goOn(desk)).document;
  expect([held.paid, held.held, posts(seen.service)]).toEqual([2, 1, 4]);
  seen.clock.moved += pastTwiceMs;
  await paidBy(desk, payment.id as string);
  const { document } = await goOn(desk);
  expect([document.rows.paid, posts(seen.service)]).toEqual([3, 4]);
  expect(document.totals).toMatchObject([{ planned: 504, paid: 303, differs: -201 }]);
  expect(resultOf(document.result).at(-1)?.payrun_evidence).toMatch(/ 102, .*\b303\b/);
});

it('a service that names the expired payment of a row for its new one leaves it in doubt', async () => {
  const { seen, desk, payment } = await expired();
  seen.fault = ({ route }) =>
    route === 'POST /payments' ? { kind: 'answer', status: 201, body: { id: payment.id } } : undefined;
  const on = await goOn(desk, 'retry');
  expect([on.exit, statusOf(on).k3]).toEqual([22, 'in doubt']);
  const why = { kind: 'answered-with-other-payment', paymentId: payment.id, row: 'k3', batch: 'nov' };
  expect(await reasonsOf(desk, 'k3')).toContainEqual(why);
});

describe.concurrent('a row that was sent again and is paid', () => {
  it.each(['always', 'suspect'])(
    'twice, when its earlier payment is paid too: the next run tells (%s)',
    async (presend) => {
      const { seen, desk, payment } = await expired({ PAYRUN_SCAN_PRESEND: presend });
      expect((await goOn(desk, 'retry')).document.rows).toMatchObject({ paid: 3 });
      expect((await resume(desk)).exit, 'it is still expired').toBe(0);
      payment.ends = 'success';
      const { exit, document } = await resume(desk);
      expect([exit, document.rows.paid_twice, posts(seen.service)]).toEqual([27, 1, 4]);
      expect(reasonOf({ document }, 'k3')).toContain(String(payment.id));
    },
  );

  it('as it was corrected, the same', async () => {
    const { seen, desk, payment } = await expired();
    writeFileSync(desk.sheet, csvOf(corrected));
    expect((await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '20s')).document.rows.paid).toBe(3);
    payment.ends = 'success';
    const { exit, document } = await run(desk);
    expect([exit, document.rows.paid_twice, posts(seen.service)]).toEqual([27, 1, 4]);
  });
});
