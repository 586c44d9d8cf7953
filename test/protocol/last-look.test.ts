/** Lists that cannot be read after sending, and lists without an end. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { StoredPayment } from '../independent/service.ts';
import { kenyanRows, noted } from '../support.ts';
import { machine, run, told, twiceIn, watched } from './desk.ts';

const rows = kenyanRows(4, 2);
const mostPages = 20_000;

it('a run whose last look at the list failed says so, and the next one looks', async () => {
  const seen = await watched();
  let posted = 0;
  seen.fault = ({ route }) => {
    if (route === 'POST /payments') posted += 1;
    return route === 'GET /payments' && posted === 4 ? { kind: 'answer', status: 500, body: {} } : undefined;
  };
  const desk = machine(seen.service, rows);
  const first = await told(desk, 'run', desk.sheet, '--batch', 'nov', '--wait', '5s');
  expect(first.document.rows.paid).toBe(4);
  expect(first.document.notes).toContainEqual(noted('scan-unfinished', { batch: 'nov' }));
  seen.fault = () => undefined;
  // Somebody else's run of the same sheet.
  seen.service.payments.push({ ...seen.service.payments[2], id: randomUUID() } as StoredPayment);
  const { exit, document } = await run(desk);
  expect([exit, twiceIn(document)]).toEqual([27, 1]);
});

it.each([
  ['has nothing more', () => []],
  ['begins again', (page: number) => [{ id: `p${page % 3}` }, { id: 'p9' }]],
])('a list that goes on without end, and %s, ends the run', async (_title, items: (page: number) => unknown[]) => {
  const seen = await watched();
  let pages = 0;
  seen.fault = ({ route }) => {
    if (route !== 'GET /payments') return undefined;
    pages += 1;
    // Far more than the run reads before it sees that there is no end; then this test has failed.
    if (pages > mostPages) return { kind: 'answer', status: 200, body: { items: [], offsetMarker: null } };
    return { kind: 'answer', status: 200, body: { items: items(pages), offsetMarker: `m${pages}` } };
  };
  const { exit } = await run(machine(seen.service, rows));
  expect([exit, pages <= mostPages]).toEqual([25, true]);
});
