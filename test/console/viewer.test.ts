/** A viewer reads every page of a batch and of its sheets, and on none of them a whole account, phone or Lightning address. */
import { expect, it } from 'vitest';
import type { Batch, BatchRows, PayeeLine, Review, Upload } from '../../src/console/api.ts';
import { csvOf, oneOfEach, type SheetRow } from '../support.ts';
import { eventually, lockTheKey, type Office, openOffice, password } from './office.ts';

/** Answers with a stream, which is read by itself. */
const events = '/api/batches/:name/events';

const earlier: readonly SheetRow[] = oneOfEach.map((row, index) => ({
  ...row,
  row_id: `o${index}`,
  payee_id: `p${index}`,
}));
const moved: readonly SheetRow[] = [
  { account_number: '62123456781' },
  { account_number: '0234567891' },
  { contact_number: '+254798765432' },
  { lnurl: 'other@bitcoin.org' },
];
const later: readonly SheetRow[] = earlier.map((row, index) => ({
  ...row,
  row_id: `n${index}`,
  amount: String(Number(row.amount) + 7),
  reference: `Nov ${index}`,
  ...moved[index],
}));
const mistaken: readonly SheetRow[] = [
  { ...later[0]!, row_id: 'm0', account_number: '1000 4291 602' },
  { ...later[0]!, row_id: 'm1', account_number: '429163' },
  { ...later[0]!, row_id: 'm2', account_number: '1.0004291604E+10' },
  { ...later[1]!, row_id: 'm3', account_number: '12345678' },
  { ...later[2]!, row_id: 'm4', contact_number: '0712.345.699' },
  { ...later[2]!, row_id: 'm5', contact_number: '(0)722-345-698 or 0733 345 697' },
  { ...later[3]!, row_id: 'm6', lnurl: 'nobody@bitcoin' },
];
/** The same account in the forms that spreadsheets and people give it. */
const forms = [
  '10.004.291.607',
  '10/004/291/607',
  '1000_4291_607',
  "1000'4291'607",
  '1000  4291  607',
  '1000\u00a04291\u00a0607',
  '１０００４２９１６０７',
  '2026-11-201607',
  '1.0004291607E+10',
].map((account_number, nth): SheetRow => ({ ...later[0]!, row_id: `f${nth}`, account_number }));
const corrected = '62123456773';

const bare = (text: string) =>
  text
    .normalize('NFKC')
    .replaceAll(/<U\+\w+>|\\u[0-9a-f]{4}|[^\p{L}\p{Nd}"]/gu, '')
    .toLowerCase();

const destinationsOf = (rows: readonly SheetRow[]) =>
  rows.flatMap((row) => [row.account_number, row.contact_number, row.lnurl]).filter((one) => one !== undefined);

async function pay(office: Office, batch: string, rows: readonly SheetRow[], look?: (id: string) => Promise<void>) {
  const { id, header } = await office.upload('Nomsa', `${batch}.csv`, csvOf(rows));
  const [first] = rows;
  if (look !== undefined) {
    const column = header.indexOf('account_number');
    const correction = { row: 2, column, from: first?.account_number, to: corrected };
    expect((await office.post('Pieter', `/api/uploads/${id}/corrections`, correction)).status).toBe(200);
    await office.settled(id);
  }
  const confirmRepeat = `${first?.account_number} asked for it`;
  await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch, skipInvalid: true, expect: [], confirmRepeat });
  expect(await office.settled(id)).toMatchObject({ state: 'planned', message: null });
  await look?.(id);
  const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
  expect((await office.post('Thabo', `/api/uploads/${id}/approve`, { digest, password })).status).toBe(200);
  expect((await office.post('Nomsa', `/api/uploads/${id}/pay`, { digest })).status).toBe(200);
  return await eventually(`${batch} has ended`, async () => {
    const { body, status } = await office.get<Batch>('Nomsa', `/api/batches/${batch}`);
    return status === 200 && body.job !== null && body.job.state !== 'running' ? body : null;
  });
}

it('sees no destination on any page, and every batch by its whole name', async () => {
  const office = await openOffice();
  await lockTheKey();
  const [october, november] = ['payroll20261030', 'payroll20261130'];
  await pay(office, october, earlier);
  const pages = new Map<string, string>();
  let whole = '';
  const read = async () => {
    const uploads = (await office.get<readonly Upload[]>('Nomsa', '/api/uploads')).body.map(({ id }) => id);
    const batches = (await office.get<readonly Batch[]>('Nomsa', '/api/batches')).body.map(({ batch }) => batch);
    const payees = (await office.get<readonly PayeeLine[]>('Nomsa', '/api/payees')).body.map(({ key }) => key);
    const rows = await Promise.all(
      batches.map(async (batch) => (await office.get<BatchRows>('Nomsa', `/api/batches/${batch}/rows`)).body.rows),
    );
    const keys = [...new Set(rows.flat().map(({ key }) => key))].filter((key) => key !== '');
    const paths = office.routes.flatMap(({ method, path, may }) =>
      method !== 'GET' || (may !== 'person' && may !== 'anyone') || path === events
        ? []
        : path
            .replace('/payees/:key', '/payees/:payee')
            .split(/(:\w+)/)
            .reduce<readonly string[]>(
              (sofar, part) => {
                const all = { ':id': uploads, ':name': batches, ':key': keys, ':payee': payees }[part] ?? [part];
                return sofar.flatMap((one) =>
                  all.map((name) => `${one}${part === name ? name : encodeURIComponent(name)}`),
                );
              },
              [''],
            ),
    );
    for (const path of [...paths, '/api/search?q=a', '/api/search?q=payroll', '/api/payees?q=t']) {
      const { bytes } = await office.get('Vusi', path);
      pages.set(path, `${pages.get(path) ?? ''}${bytes.toString('utf8')}`);
      whole += (await office.get('Nomsa', path)).bytes.toString('utf8');
    }
  };
  const held = await pay(office, november, later, async (id) => {
    const { digest } = (await office.get<Review>('Thabo', `/api/uploads/${id}/plan`)).body;
    const reason = `${later[0]?.account_number} is not hers`;
    expect((await office.post('Thabo', `/api/uploads/${id}/decline`, { digest, reason })).status).toBe(200);
    await read();
    await office.press('Nomsa', `/api/uploads/${id}/plan`, { batch: november, skipInvalid: true, expect: [] });
    expect(await office.settled(id)).toMatchObject({ state: 'planned' });
  });
  expect(held.rows.held).toBeGreaterThan(0);
  const drop = { row: 'n1', reason: `${later[1]?.account_number} was closed` };
  expect((await office.press('Nomsa', `/api/batches/${november}/drop`, drop)).status).toBe(200);
  const release = { row: 'n0', reason: `${later[0]?.account_number} is right`, password };
  expect((await office.press('Thabo', `/api/batches/${november}/release`, release)).status).toBe(200);
  await office.upload('Nomsa', 'mistakes.csv', csvOf([...mistaken, ...forms]));
  const unmatched = `Who,Where to,How much\nThandi,${mistaken[0]?.account_number},100\n`;
  await office.upload('Nomsa', 'unmatched.csv', unmatched);
  await office.upload('Nomsa', 'headless.csv', unmatched.split('\n').slice(1).join('\n'));
  await read();
  const stream = await office.follow('Vusi', events.replace(':name', november));
  pages.set(events, await eventually('the stream says something', async () => stream.said() || null));
  stream.leave();

  const hidden = [...destinationsOf([...earlier, ...later, ...mistaken, ...forms]), corrected];
  expect(
    hidden.filter((one) => !bare(whole).includes(bare(one))),
    'a preparer sees each of them',
  ).toEqual([]);
  for (const [path, answer] of pages) {
    const found = hidden.filter((one) => answer.includes(one) || bare(answer).includes(bare(one)));
    expect([path, found]).toEqual([path, []]);
  }
  const trail = pages.get('/api/trail') ?? '';
  expect([october, november].filter((batch) => !trail.includes(`batch ${batch}`))).toEqual([]);
  await office.close();
});
