/** `report BATCH --html`: one page with nothing in it but text, whatever a sheet or a service says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { command, kenyanRows, pay, southAfrican } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const hostile = `<img src=x onerror=alert(1)>"'&`;

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
  expect(page).toMatch(/<desc id="chart-words">Of 4 payments sent, 1 are paid, 2 unpaid and 1 not ended/);
  expect(await written()).toBe(path);
  writeFileSync(path, 'my own notes');
  expect(await written()).toBe(path.replace('.html', '-2.html'));
  expect(readFileSync(path, 'utf8')).toBe('my own notes');
  expect((await command(desk, ['report', batch, '--html', '--format', 'csv'])).exit).toBe(2);
});
