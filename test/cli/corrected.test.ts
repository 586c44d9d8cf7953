/** Sheets without row_id whose rows were corrected after they had been paid: a corrected row is not one more payment. */
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { daysAgo } from '../protocol/desk.ts';
import { command, csvOf, type Desk, documentOf, pay, resultOf, type SheetRow, southAfrican } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const { row_id: _, ...invoice } = southAfrican;
const others = ['10004291628', '10004291636'].map((account_number, index) => ({
  ...invoice,
  account_number,
  name: `Payee ${index}`,
  reference: `Other ${index}`,
}));
const corrections = {
  amount: { ...invoice, amount: '2600' },
  account: { ...invoice, account_number: '10004291644' },
  reference: { ...invoice, reference: 'INV 999' },
};

async function paid(rows: readonly SheetRow[], ...more: string[]) {
  const service = await newService();
  const desk = deskFor(service, rows);
  const { document } = await pay(desk, '--wait', '20s', ...more);
  expect(document.rows.paid).toBe(rows.length);
  return { service, desk, batch: document.batch ?? '' };
}

const run = async (desk: Desk, rows: readonly SheetRow[], ...more: string[]) => {
  writeFileSync(desk.sheet, csvOf(rows));
  return await command(desk, ['run', desk.sheet, '--wait', '0', ...more]);
};

describe.concurrent('a row that was corrected after it had been paid', () => {
  it.each(['amount', 'account'] as const)('stops a sheet of its own: %s', async (differs) => {
    const { service, desk, batch } = await paid([invoice]);
    const { exit, err } = await run(desk, [corrections[differs]]);
    expect([exit, service.payments.length]).toEqual([26, 1]);
    expect(err).toContain(`row 2 of ${batch}`);
    expect(err).toContain(`only the ${differs} differs`);
    expect(err).not.toContain('--add');
  });

  it('is told where only the reference differs, as that of the next invoice does', async () => {
    const { service, desk } = await paid([invoice]);
    const { exit, out } = await run(desk, [corrections.reference]);
    expect([exit, service.payments.length, out]).toEqual([
      23,
      2,
      expect.stringContaining('only the reference differs'),
    ]);
  });

  it('is told that the name differs too, where it does', async () => {
    const { desk } = await paid([invoice]);
    const { out } = await run(desk, [{ ...corrections.reference, name: 'Somebody Else' }]);
    expect(out).toMatch(/the reference and the name differ \('[^']*' then, to '[^']*'\)/);
    expect(out).not.toContain('only the reference');
  });

  it.each(['amount', 'account', 'reference'] as const)(
    'among rows that were paid is not offered as a new one: %s',
    async (differs) => {
      const { service, desk, batch } = await paid([...others, invoice]);
      const changed = [...others, corrections[differs]];
      const { exit, err } = await run(desk, changed);
      expect([exit, err, err]).toEqual([26, expect.stringContaining('row 4'), expect.not.stringContaining('--add')]);
      for (const more of [[], ['--add']]) expect((await run(desk, changed, '--batch', batch, ...more)).exit).toBe(26);
      expect(service.payments.length).toBe(3);
    },
  );

  it('is shown beside the one it was for weeks, and a sheet of its own does not offer it as a new row', async () => {
    const { service, desk, batch } = await paid([...others, invoice]);
    const ledger = new DatabaseSync(desk.ledger);
    ledger.exec(`UPDATE payout SET submitted_at = submitted_at - ${20 * 24 * 60 * 60 * 1000}`);
    ledger.close();
    const changed = [...others, corrections.amount];
    const unnamed = await run(desk, changed);
    expect([unnamed.exit, unnamed.err]).toEqual([
      26,
      expect.stringContaining('only the amount differs (4,500 ZAR then)'),
    ]);
    expect(unnamed.err).not.toContain('--add');
    const named = await run(desk, changed, '--batch', batch);
    expect([named.exit, named.err]).toEqual([26, expect.stringContaining('only the amount differs (4,500 ZAR then)')]);
    expect(service.payments.length).toBe(3);
    const added = await run(desk, changed, '--batch', batch, '--add');
    expect([added.exit, added.out]).toEqual([23, expect.stringContaining('only the amount differs (4,500 ZAR then)')]);
  });

  it('is a payment of its own beside the old one, or under a name of its own', async () => {
    const { service, desk, batch } = await paid([invoice]);
    const second = { ...invoice, amount: '100' };
    const refused = await run(desk, [invoice, second]);
    expect([refused.exit, refused.err]).toEqual([26, expect.stringContaining(`--batch ${batch} --add`)]);
    expect((await run(desk, [invoice, second], '--batch', batch, '--add')).exit).toBe(23);
    expect(service.payments.length).toBe(2);
    const named = await run(desk, [corrections.amount, ...others], '--batch', 'another', '--json');
    const { problems, result } = documentOf(named);
    expect([named.exit, service.payments.length]).toEqual([23, 5]);
    expect(problems).toMatchObject([{ row: 2, message: expect.stringContaining('only the amount differs') }]);
    // What was told of a row stands beside it, whoever reads the result alone.
    const told = () => resultOf(result).map(({ payrun_evidence }) => payrun_evidence);
    expect(told()).toEqual([expect.stringMatching(/^Looks like row \d of batch .*only the amount differs/), '', '']);
    await command(desk, ['resume', 'another', '--wait', '20s']);
    expect(told()[0]).toContain('only the amount differs');
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });

  it.each([
    ['one reference is written another way', [invoice], [{ ...invoice, reference: 'SalaryNov' }]],
    ['each row has another reference', others, others.map((row, index) => ({ ...row, reference: `New ${index}` }))],
  ])('stops a sheet of its own where %s', async (_what, first, again) => {
    const { service, desk } = await paid(first);
    const { exit, err } = await run(desk, again);
    expect([exit, service.payments.length, err]).toEqual([
      26,
      first.length,
      expect.stringContaining('only the reference differs'),
    ]);
  });

  it('stops a sheet of its own though the newest payment to the account is another one', async () => {
    const { service, desk } = await paid([invoice]);
    expect((await run(desk, [{ ...invoice, name: 'Somebody Else', reference: 'TEST 1' }])).exit).toBe(23);
    const { exit, err } = await run(desk, [{ ...invoice, reference: invoice.reference!.replace(' ', '') }]);
    expect([exit, service.payments.length, err]).toEqual([
      26,
      2,
      expect.stringContaining(`only the reference differs ('${invoice.reference}' then)`),
    ]);
  });

  it('is known in its own batch though another batch has paid the same reference since', async () => {
    const { service, desk, batch } = await paid([invoice]);
    expect((await run(desk, [{ ...invoice, amount: '7' }], '--batch', 'other')).exit).toBe(23);
    for (const more of [[], ['--add']]) {
      const { exit, err } = await run(desk, [corrections.amount], '--batch', batch, ...more);
      expect([exit, err]).toEqual([26, expect.stringContaining(`of ${batch}`)]);
    }
    expect(service.payments.length).toBe(2);
  });

  it.each(['refuses', 'expires'])('is held when the old one is sent again, which the service %s', async (ends) => {
    const bad = { ...invoice, reference: 'Bad one' };
    const service = await newService(ends === 'expires' ? { expires: new Set(['Bad one']) } : {});
    if (ends === 'refuses')
      service.fault = ({ route, body }) =>
        route === 'POST /payments' && JSON.stringify(body).includes('Bad one')
          ? { kind: 'answer', status: 422, body: { message: 'no' } }
          : undefined;
    const desk = deskFor(service, [...others, bad]);
    const first = await pay(desk, '--wait', '20s');
    expect(first.document.rows).toMatchObject({ paid: 2, unpaid: 1 });
    const mended = deskFor(service, [{ ...bad, reference: 'Good one' }]);
    const env = { ...mended.env, PAYRUN_LEDGER: desk.ledger };
    expect((await pay({ ...mended, env }, '--wait', '20s')).document.rows.paid).toBe(1);
    service.fault = () => undefined;
    const made = service.payments.length;
    const again = await command(desk, ['retry', first.document.batch ?? '', '--wait', '0']);
    expect([again.exit, service.payments.length]).toEqual([22, made]);
    const why = await command(desk, ['explain', first.document.batch ?? '', '4']);
    expect(why.out).toContain("only the reference differs ('Good one' then)");
  });

  async function waited(...named: string[]) {
    const service = await newService();
    const desk = deskFor(service, [invoice]);
    const { document } = await pay({ ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } }, ...named);
    return { service, desk, batch: document.batch ?? '' };
  }

  it.each([
    [[], []],
    [['--batch', 'nov'], []],
    [
      ['--batch', 'nov'],
      ['--batch', 'dec'],
    ],
  ])('is not sent with its old values by a batch that waited: %j, paid %j', async (named, paidAs) => {
    const { service, desk, batch } = await waited(...named);
    expect((await run(desk, [corrections.amount], ...paidAs)).exit).toBe(23);
    for (const days of [0, 8]) {
      await daysAgo(service, [desk], days);
      const { exit, err } = await command(desk, ['resume', batch, '--wait', '0']);
      expect([exit, err], `after ${days} days`).toEqual([26, expect.stringContaining('only the amount differs')]);
    }
    expect((await run(desk, [invoice], '--batch', batch)).exit).toBe(26);
    expect(service.payments.length).toBe(1);
  });

  it('is not sent as it was by a named batch that waited for longer than a week', async () => {
    const { service, desk, batch } = await waited('--batch', 'nov');
    expect((await run(desk, [{ ...invoice, row_id: 'x1' }])).exit).toBe(23);
    await daysAgo(service, [desk], 8);
    const { exit, err } = await command(desk, ['resume', batch, '--wait', '0']);
    expect([exit, err]).toEqual([26, expect.stringContaining('same payee, amount and reference')]);
  });

  it('holds its row in a batch that waited with something sent', async () => {
    const service = await newService();
    const desk = deskFor(service, others);
    expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    const wrong = { ...desk, env: { ...desk.env, PAYRUN_API_SECRET: 'wrong' } };
    expect((await run(wrong, [...others, invoice], '--batch', 'nov', '--add')).exit).toBe(25);
    expect((await run(desk, [corrections.account])).exit).toBe(23);
    const { exit, out } = await command(desk, ['resume', 'nov', '--wait', '0']);
    expect([exit, out, service.payments.length]).toEqual([22, expect.stringContaining('held'), 3]);
  });

  it('goes on waiting for nobody where the other was paid for the next invoice', async () => {
    const { service, desk, batch } = await waited('--batch', 'nov');
    expect((await run(desk, [corrections.reference])).exit).toBe(23);
    const { exit, err } = await command(desk, ['resume', batch, '--wait', '0']);
    expect([exit, service.payments.length], err).toEqual([23, 2]);
  });
});
