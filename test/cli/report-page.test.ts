/** `report BATCH --html` writes one page. Texts of a sheet or of the service are only text on it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { chartWords, reportWords } from '../../src/messages/files/report-page.ts';
import { inZone, timeWords } from '../../src/messages/format/times.ts';
import { command, kenyanRows, pay, refusalOf, southAfrican, usageAbout } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const hostile = `<img src=x onerror=alert(1)>"'&`;

it.each([
  ['UTC', '2026-11-26 22:50:09 UTC'],
  ['Africa/Johannesburg', '2026-11-27 00:50:09 GMT+2'],
  ['America/New_York', '2026-11-26 17:50:09 GMT-5'],
])('a time is written in %s for its reader, and in UTC without one', async (zone, words) => {
  const at = Date.UTC(2026, 10, 26, 22, 50, 9);
  expect(await inZone(zone, async () => timeWords(await Promise.resolve(at)))).toBe(words);
  expect(timeWords(at)).toBe('2026-11-26 22:50:09 UTC');
});

it('it shows times in the named time zone, or in the zone of the machine', async () => {
  const desk = deskFor(await newService(), kenyanRows(1));
  await pay(desk, '--batch', 'nov', '--wait', '5s');
  const reportIn = async (...zone: string[]) => {
    const { out } = await command(desk, ['report', 'nov', '--html', ...zone]);
    return readFileSync(out.trim(), 'utf8');
  };
  const page = await reportIn('--zone', 'Asia/Kolkata');
  expect(page).toContain(`<th scope="row">${reportWords.zone}</th><td>Asia/Kolkata</td>`);
  expect(page).toMatch(/<th scope="row">Written<\/th><td>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+5:30</);
  // The chart and its table included.
  expect(page).not.toMatch(/\d UTC\b/);
  expect(await reportIn()).toContain(`<td>${Intl.DateTimeFormat().resolvedOptions().timeZone}</td>`);
  const unknown = await command(desk, ['report', 'nov', '--html', '--zone', 'Karoo', '--json']);
  expect([unknown.exit, refusalOf(unknown)]).toEqual([2, usageAbout("--zone 'Karoo'")]);
  expect((await command(desk, ['report', 'nov', '--zone', 'UTC'])).exit).toBe(2);
});

it('what it says of earlier batches is told in its zone, and money stands in its totals as in its rows', async () => {
  const lightning = { lnurl: 'ada@example.com', amount_unit: 'sat' };
  const rows = [
    { ...southAfrican, from_country: 'USDT', amount: '123450', amount_unit: 'hundredths' },
    { name: 'Ada Sample', country: 'BTC', ...lightning, amount: '1290000', reference: 'Ref B' },
  ];
  const desk = deskFor(await newService(), rows);
  const again = ['--confirm-repeat', 'a second salary', '--confirm-variance', 'the same once more'];
  for (const [batch, ...more] of [['nov'], ['dec', ...again]])
    expect((await pay(desk, '--batch', batch!, '--series', 'salaries', ...more)).exit).not.toBe(26);
  const { out } = await command(desk, ['report', 'dec', '--html', '--zone', 'Asia/Kolkata']);
  const page = readFileSync(out.trim(), 'utf8');
  expect(page).toMatch(/Looks like<\/th><td>[^<]* nov \([^<]*GMT\+5:30/);
  expect(page).toMatch(new RegExp(`${reportWords.series}</th><td>[^<]* nov [^<]*GMT\\+5:30`));
  expect(page).not.toMatch(/\d UTC\b/);
  for (const money of ['1,234.50 USDT', '1,290,000 sat'])
    expect(page.split(`<td class="n">${money}</td>`).length).toBeGreaterThan(2);
  expect(page).not.toMatch(/123,450|<td[^>]*>1,290,000</);
});

it('names, words and reasons are text; what needs a person comes first; only its own page is replaced', async () => {
  const service = await newService({
    settleAfterMs: 0,
    expires: new Set(['Ref 2']),
    words: { open: hostile, success: 'success', expired: 'expired' },
  });
  const desk = deskFor(service, [...kenyanRows(3), { ...southAfrican, reference: 'Refused' }]);
  service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.reference === 'Refused'
      ? { kind: 'answer', status: 400, body: { message: hostile } }
      : route === 'POST /payments' && body.reference === 'Ref 3'
        ? { kind: 'drop', after: false }
        : undefined;
  const batch = `nov <b>"'`;
  expect((await pay(desk, '--batch', batch, '--wait', '5s')).document.rows).toMatchObject({
    paid: 1,
    unpaid: 2,
    in_doubt: 1,
  });
  const written = async (...more: string[]) => (await command(desk, ['report', batch, '--html', ...more])).out.trim();
  const path = await written();
  expect(basename(path)).toBe('november.result.html');
  const page = readFileSync(path, 'utf8');
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;');
  expect(page).toContain('<h1>Batch nov &lt;b&gt;&quot;&#39;</h1>');
  expect(page).not.toMatch(
    /<(?!\/?(?:!doctype|html|head|meta|title|style|body|h1|h2|p|ul|li|table|thead|tbody|tr|th|td|code|figure|figcaption|svg|desc|polygon|line|text|span|rect)\b)/,
  );
  expect(page).not.toMatch(/<[^>]*(?:\son\w+=|src=|href=|url\()/);
  expect(page).toContain("default-src 'none'");
  expect(['In doubt', 'Unpaid', 'Paid'].map((word) => page.indexOf(`<h2>${word}</h2>`))).toEqual(
    [...new Set(['In doubt', 'Unpaid', 'Paid'].map((word) => page.indexOf(`<h2>${word}</h2>`)))].sort((a, b) => a - b),
  );
  expect(page).toContain(`<desc id="chart-words">${chartWords(4, { paid: 1, unpaid: 2, open: 1 })}`);
  expect(await written()).toBe(path);
  writeFileSync(path, 'mine');
  expect(await written()).toBe(path.replace('.html', '-2.html'));
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect((await command(desk, ['report', batch, '--html', '--format', 'csv'])).exit).toBe(2);
});
