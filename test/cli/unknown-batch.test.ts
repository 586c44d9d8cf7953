/** Messages about a batch that is missing, and about one that continues. */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import {
  command,
  configAbout,
  csvOf,
  documentOf,
  kenyanRows,
  nigerian,
  noted,
  pay,
  refusalOf,
  usageAbout,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

it('a batch that is not there is looked for in the ledger that was named', async () => {
  const desk = deskFor(null, kenyanRows(1));
  const ledger = ['--ledger', join(desk.folder, 'own.db'), '--sandbox'];
  expect((await command(desk, ['run', desk.sheet, '--batch', 'nov', ...ledger])).exit).toBe(0);
  for (const argv of [
    ['resume', 'nope'],
    ['status', 'nope'],
    ['retry', 'nope'],
    ['explain', 'nope', '1'],
  ]) {
    const ran = await command(desk, [...argv, ...ledger, '--json']);
    expect(ran.exit).toBe(2);
    expect(refusalOf(ran)).toMatchObject({ code: 'BATCH_UNKNOWN', facts: { batch: 'nope' } });
    expect(ran.err).toContain(`\`payrun list ${ledger.join(' ')}\``);
  }
});

it('retry says of rows that were never sent that they are sent now', async () => {
  const service = await newService({ settleAfterMs: 0 });
  const desk = deskFor(service, kenyanRows(2));
  service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
  expect((await pay(desk, '--batch', 'nov')).document.rows.not_sent).toBe(2);
  service.fault = () => undefined;
  const { notes, rows } = documentOf(await command(desk, ['retry', 'nov', '--json', '--wait', '20s']));
  expect(rows.paid).toBe(2);
  expect(notes).toContainEqual(noted('retried', { rows: 0, also: true }));
});

it('an address without a scheme is refused, but not by commands that only read the ledger', async () => {
  const desk = deskFor(null, kenyanRows(1), { PAYRUN_BASE_URL: '127.0.0.1:8080' });
  const own = ['--ledger', join(desk.folder, 'own.db')];
  expect(refusalOf(await command(desk, ['status', ...own, '--json']))).toEqual(usageAbout(own[1]!));
  const ran = await command(desk, ['run', desk.sheet, ...own, '--json']);
  expect([ran.exit, refusalOf(ran)]).toEqual([2, configAbout("PAYRUN_BASE_URL '127.0.0.1:8080'")]);
});

it('a saved payee without a country is refused', async () => {
  const service = await newService({});
  const ran = await command(deskFor(service, []), ['merchants', 'add', 'name=X', '--json']);
  expect([ran.exit, refusalOf(ran)]).toEqual([2, usageAbout('country=')]);
});

it('a folder that cannot be made for the sandbox is named', async () => {
  const desk = deskFor(null, kenyanRows(1));
  const path = join(desk.sheet, 'own.db');
  const run = ['run', desk.sheet, '--sandbox', '--ledger', path, '--json'];
  expect(refusalOf(await command(desk, run))).toEqual(configAbout(`${path}.sandbox`));
  expect(refusalOf(await command(desk, [...run, '--fresh']))).toMatchObject({
    code: 'LEDGER_UNUSABLE',
    facts: { path, why: { fault: 'not-a-folder' } },
  });
});

it('--fresh deletes no file that is not of the sandbox', async () => {
  const desk = deskFor(await newService(), kenyanRows(1));
  const folder = join(desk.folder, 'book.sandbox');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mine.csv'), 'mine');
  const fresh = ['run', desk.sheet, '--sandbox', '--fresh', '--ledger', join(desk.folder, 'book'), '--wait', '0'];
  const ran = await command(desk, fresh);
  expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining(`would delete ${join(folder, 'mine.csv')}`)]);
  expect(readFileSync(join(folder, 'mine.csv'), 'utf8')).toBe('mine');
  rmSync(join(folder, 'mine.csv'));
  // Twice: the second one deletes what the first one made.
  for (const _ of [1, 2]) expect((await command(desk, fresh)).exit).toBe(23);
});

it('--fresh deletes no ledger in which people of a console have accounts', async () => {
  const desk = deskFor(null, kenyanRows(1));
  const fresh = ['run', desk.sheet, '--sandbox', '--fresh', '--ledger', desk.ledger, '--wait', '0'];
  expect((await command(desk, fresh)).err).toBe('');
  const ledger = openLedger(desk.ledger, systemClock);
  await ledger.people.act(() => ledger.people.add({ name: 'Ann', nameKey: 'ann', role: 'admin' }));
  await ledger.close();
  const ran = await command(desk, [...fresh, '--json']);
  expect([ran.exit, refusalOf(ran)]).toEqual([2, usageAbout('of people')]);
});

it('amounts stand under one another by their last digits', async () => {
  const desk = deskFor(await newService(), [...kenyanRows(1), nigerian]);
  await pay(desk, '--batch', 'nov', '--wait', '20s');
  for (const words of [
    ['list', 'nov'],
    ['audit', 'verify'],
  ]) {
    const { out } = await command(desk, words);
    const amounts = out
      .split('\n')
      .flatMap((line) => [...(/\bamount|\b(?:100|250,?000)(?= {2})/d.exec(line)?.indices?.[0] ?? [])][1] ?? []);
    expect([amounts.length, new Set(amounts).size], out).toEqual([3, 1]);
  }
});

it('a row is told of an earlier sheet only where that says more than the newest one', async () => {
  const desk = deskFor(await newService(), kenyanRows(2));
  await pay(desk, '--batch', 'nov', '--wait', '20s');
  const told = async () => (await command(desk, ['explain', 'nov', 'k1'])).out;
  const first = await told();
  await pay(desk, '--batch', 'nov');
  expect(await told()).toBe(first);
  writeFileSync(join(desk.folder, 'copy.csv'), csvOf(kenyanRows(3)));
  await pay({ ...desk, sheet: join(desk.folder, 'copy.csv') }, '--batch', 'nov', '--add', '--wait', '20s');
  expect(await told()).toContain('(row 2 of copy.csv): paid\n');
  expect(await told()).toContain(' earlier sheet, november.csv.\n');
});
