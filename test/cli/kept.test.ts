/** Files that a person changed, or submitted: a command keeps each of them, writes beside it, and says so. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  command,
  configAbout,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  newFolder,
  noted,
  pay,
  refusalOf,
  resultOf,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const rows = kenyanRows(2);

interface Kind {
  /** What the command writes, and where it writes when that file stays. */
  readonly file: string;
  readonly next: string;
  readonly argv: (desk: Desk) => readonly string[];
}

const planned = ({ sheet }: Desk) => ['plan', sheet, '--batch', 'nov'];
const kinds: readonly Kind[] = [
  { file: 'november.result.csv', next: 'november.result-2.csv', argv: () => ['report', 'nov'] },
  { file: 'november.result.html', next: 'november.result-2.html', argv: () => ['report', 'nov', '--html'] },
  { file: 'november.plan.json', next: 'november.plan-2.json', argv: planned },
  // A plan and its page go by one name.
  { file: 'november.plan.html', next: 'november.plan-2.html', argv: planned },
  { file: 'november.totals.json', next: 'november.totals-2.json', argv: ({ sheet }) => ['check', sheet, '--totals'] },
];

describe.concurrent.each(kinds)('$file', ({ file, next, argv }) => {
  async function written() {
    const desk = deskFor(await newService(), rows);
    if (argv(desk)[0] === 'report') expect((await pay(desk, '--batch', 'nov', '--wait', '20s')).exit).toBe(0);
    const write = async () => await command(desk, argv(desk));
    expect((await write()).exit).toBe(0);
    return { path: join(desk.folder, file), beside: join(desk.folder, next), write };
  }

  it('is replaced while it is as Payrun wrote it', async () => {
    const { path, beside, write } = await written();
    expect((await write()).exit).toBe(0);
    expect([existsSync(path), existsSync(beside)]).toEqual([true, false]);
  });

  it('stays once a person changed it, and the new one lies beside it', async () => {
    const { path, beside, write } = await written();
    // A space changes nothing that any of these says.
    appendFileSync(path, ' ');
    const before = readFileSync(path);
    const { exit, out, err } = await write();
    expect([exit, readFileSync(path).equals(before), existsSync(beside)]).toEqual([0, true, true]);
    expect(`${out}${err}`).toContain(next);
  });
});

it('a run keeps a result with a person’s notes, and says where the new one is', async () => {
  const desk = deskFor(await newService(), rows);
  const result = (await pay(desk, '--wait', '20s')).document.result!;
  const marked = readFileSync(result, 'utf8').replace('Payee 1', 'Payee 1 (asked Thandi)');
  writeFileSync(result, marked);
  const { document } = await pay(desk);
  expect(document.result).toBe(join(desk.folder, 'november.result-2.csv'));
  expect(document.notes).toContainEqual(noted('file-kept', { kept: 'november.result.csv' }));
  expect(readFileSync(result, 'utf8')).toBe(marked);
  expect(resultOf(document.result).map((row) => row.payrun_status)).toEqual(['paid', 'paid']);
  // What a resume writes is the same file again.
  const resumed = documentOf(await command(desk, ['resume', document.batch!, '--json']));
  expect(resumed.result).toBe(document.result);
});

it('a result that was submitted stays, also where the older sheet is run again', async () => {
  const desk = deskFor(await newService(), rows);
  const result = (await pay(desk, '--wait', '20s')).document.result!;
  await pay({ ...desk, sheet: result });
  const before = readFileSync(result);
  expect((await pay(desk)).document.result).not.toBe(result);
  expect(readFileSync(result).equals(before)).toBe(true);
});

it('sheets of one name in two folders do not share the files in the folder of --out', async () => {
  const out = newFolder();
  const [one, two] = [deskFor(null, [{ ...rows[0]!, amount: '0' }]), deskFor(null, [{ ...rows[1]!, amount: '0' }])];
  const check = async ({ sheet }: Desk) =>
    documentOf(await command(one, ['check', sheet, '--out', out, '--json'])).checked;
  expect([await check(one), await check(two), await check(one)]).toEqual([
    join(out, 'november.checked.xlsx'),
    join(out, 'november.checked-2.xlsx'),
    join(out, 'november.checked.xlsx'),
  ]);
  writeFileSync(one.sheet, csvOf(rows));
  await command(one, ['check', one.sheet, '--out', out]);
  expect(['', '-2'].map((number) => existsSync(join(out, `november.checked${number}.xlsx`)))).toEqual([false, true]);
});

it('a plan under which a batch was paid stays', async () => {
  const desk = deskFor(await newService(), rows);
  const plan = async () => documentOf(await command(desk, [...planned(desk), '--json']));
  const first = await plan();
  const before = readFileSync(first.plan!);
  expect((await pay(desk, '--batch', 'nov', '--approve', first.plan_digest!, '--wait', '20s')).exit).toBe(0);
  expect((await plan()).plan).toBe(join(desk.folder, 'november.plan-2.json'));
  expect(readFileSync(first.plan!).equals(before)).toBe(true);
});

it('a result stays where another ledger, or the sandbox, pays a batch of that name', async () => {
  const service = await newService();
  const desk = deskFor(service, rows);
  const { result } = (await pay(desk, '--batch', 'nov', '--wait', '20s')).document;
  const before = readFileSync(result!, 'utf8');
  const other = { ...desk, env: { XDG_STATE_HOME: newFolder() } };
  const { document } = await pay(other, '--batch', 'nov', '--sandbox');
  expect([document.result, readFileSync(result!, 'utf8')]).toEqual([
    join(desk.folder, 'november.result-2.csv'),
    before,
  ]);
});

it('the sandbox pays nothing in a ledger for real payments, nor they in a ledger of the sandbox', async () => {
  const desk = deskFor(await newService(), rows);
  await pay(desk, '--batch', 'nov');
  const tried = await command(desk, ['run', desk.sheet, '--batch', 'dec', '--sandbox', '--json']);
  expect([tried.exit, refusalOf(tried)]).toEqual([2, configAbout('a real service')]);
  const other = { ...desk, env: { ...desk.env, PAYRUN_LEDGER: join(newFolder(), 'other.db') } };
  expect((await command(other, ['run', desk.sheet, '--batch', 'dec', '--sandbox'])).exit).toBe(0);
  const real = await command(other, ['run', desk.sheet, '--batch', 'nov', '--json']);
  expect([real.exit, refusalOf(real)]).toEqual([2, configAbout('of the sandbox')]);
});
