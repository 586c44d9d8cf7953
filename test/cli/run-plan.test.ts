/** `payrun run PLAN`: a plan is a whole order. It names its sheet, has its own options, and takes no others. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Independent } from '../independent/service.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, newFolder, refusalOf } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(3);
const posts = ({ calls }: Independent) => calls.get('POST /payments') ?? 0;

async function planned(sheet = csvOf(rows), ...more: string[]) {
  const service = await newService();
  const desk = deskFor(service, rows);
  writeFileSync(desk.sheet, sheet);
  mkdirSync(join(desk.folder, 'plans'));
  const made = documentOf(await command(desk, ['plan', desk.sheet, '--maker', 'Ama', '--json', ...more]));
  return { service, desk, plan: made.plan!, digest: made.plan_digest!, next: made.next };
}

const run = async (desk: Desk, plan: string, ...more: string[]) =>
  await command(desk, ['run', plan, '--json', '--wait', '0', ...more]);

describe.concurrent('a run of a plan', () => {
  it.each([
    ['without options', rows, []],
    ['with a batch and a series', rows, ['--batch', 'nov', '--series', 'payroll', '--add', '--drop']],
    ['with limits', rows, ['--canary', '1', '--cap', 'KES:batch=400', '--documents-policy', 'warn']],
    ['with the choice of rows', rows, ['--only', 'reference=Ref 1', '--ignore-column', 'name']],
    ['without bad rows', [...rows, { ...rows[0], row_id: 'bad', amount: 'x' }], ['--skip-invalid', '--update-names']],
    ['with a reason and totals', rows, ['--batch', 'nov', '--confirm-repeat', 'A gift', '--expect', 'rows=3']],
    ['from another folder', rows, ['--out', 'plans', '--documents', 'papers']],
  ])('%s has the options that the plan was made with', async (_, sheet, options) => {
    const { service, desk, plan } = await planned(csvOf(sheet), ...options);
    const ran = await run({ ...desk, folder: newFolder() }, plan);
    expect(ran.exit, ran.err).toBe(23);
    expect(posts(service)).toBeGreaterThan(0);
    const again = await run(desk, plan);
    expect(again.exit, again.err).toBe(23);
  });

  it('is the printed next step, which pays only the plan that was shown', async () => {
    const { service, desk, plan, digest, next } = await planned();
    expect(next).toMatchObject([{ action: 'run-plan', plan, digest }]);
    await command(desk, ['plan', desk.sheet, '--maker', 'Esi', '--batch', 'another']);
    const ran = await run(desk, plan, '--approve', digest);
    expect([ran.exit, refusalOf(ran), posts(service)]).toMatchObject([26, { code: 'PLAN_NOT_FOUND' }, 0]);
  });

  it('follows a plan that was moved with its sheet', async () => {
    const { desk, plan } = await planned();
    mkdirSync(join(desk.folder, 'moved'));
    for (const path of [plan, desk.sheet]) copyFileSync(path, path.replace(desk.folder, join(desk.folder, 'moved')));
    writeFileSync(desk.sheet, 'gone');
    expect((await run(desk, 'moved/november.plan.json')).exit).toBe(23);
  });

  it('refuses a sheet with other bytes, although it has the same rows', async () => {
    const { service, desk, plan, digest } = await planned();
    const sheet = readFileSync(desk.sheet, 'utf8');
    writeFileSync(desk.sheet, `${sheet}\n`);
    const ran = await run(desk, plan);
    expect([ran.exit, refusalOf(ran), posts(service)]).toMatchObject([26, { code: 'SHEET_CHANGED' }, 0]);
    expect((await command(desk, ['run', desk.sheet, '--wait', '0', '--approve', digest])).exit).toBe(23);
  });

  it('reads a damaged plan as a plan, and other JSON as a sheet', async () => {
    const { service, desk, plan } = await planned();
    writeFileSync(plan, readFileSync(plan, 'utf8').replace('"amount":"100"', '"amount":"999"'));
    const ran = await run(desk, plan);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([26, { code: 'PLAN_CHANGED' }]);
    writeFileSync(plan, '{"rows":[]}\n');
    expect([(await run(desk, plan)).exit, posts(service)]).toEqual([20, 0]);
  });

  it.each([
    ['--batch', 'nov'],
    ['--batch-if-new', 'nov'],
    ['--add'],
    ['--drop'],
    ['--map', 'wise'],
    ['--only', 'name=Ama'],
    ['--documents-policy', 'require'],
    ['--account-checks', 'by-rule'],
    ['--skip-invalid'],
    ['--expect', 'rows=3'],
    ['--corrections', 'corrections.json'],
    ['--cap', 'KES:batch=400'],
    ['--canary', '0'],
    ['--update-names'],
    ['--maker', 'Esi'],
  ])('takes no %s', async (...option) => {
    const { service, desk, plan } = await planned();
    expect([(await run(desk, plan, ...option)).exit, posts(service)]).toEqual([2, 0]);
  });

  it('takes --out, --outside and a reason for a change only if the plan has none', async () => {
    const options = ['--out', '.', '--outside', 'stop', '--confirm-variance', 'A gift'];
    const one = await planned();
    expect((await run(one.desk, one.plan, ...options)).exit).toBe(23);
    const other = await planned(csvOf(rows), ...options);
    for (const at of [0, 2, 4])
      expect((await run(other.desk, other.plan, ...options.slice(at, at + 2))).exit, options[at]).toBe(2);
  });
});
