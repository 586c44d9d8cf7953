/** Commands at the terminal begin with the program that the person started; texts for other readers keep `payrun`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands, helpOf } from '../../src/cli/args/command-line.ts';
import { everyCommand } from '../../src/cli/args/command-table.ts';
import { inProgram } from '../../src/messages/format/program.ts';
import { command, csvOf, type Desk, kenyanRows, southAfrican } from '../support.ts';
import { hotFolder } from '../watch/hot.ts';
import { deskFor, newService } from './own-time.ts';

const program = 'npm start --';

/** A command of the installed program. */
const other = /payrun [a-z]/;

const own = (desk: Desk): Desk & { readonly program: string } => ({ ...desk, program });

/** One of six commands: all pages of help are made alike. */
const paths = everyCommand(commands).flatMap(({ path }, nth) => (nth % 6 === 0 ? [path] : []));

it.each(paths)('in the help of: payrun %s', async (path) => {
  const help = await inProgram(program, async () => await helpOf(path));
  expect(help).toContain(`${program} ${path}`.trimEnd());
  expect(help).not.toMatch(other);
});

it.each([
  ['run'],
  ['run', 'a', 'b'],
  ['rum'],
  ['run', 'a', '--nothing'],
  ['run', 'a', '-z'],
  ['list', '--format', 'x'],
])('after a mistake in the command line: %s %s %s', async (...argv) => {
  const ran = await command(own(deskFor(null, [])), argv);
  expect([ran.exit, ran.out]).toEqual([2, '']);
  expect(ran.err).toMatch(/npm start -- [a-z -]*--help/);
  expect(ran.err).not.toMatch(other);
});

/** The first row is at a bank that nobody knows, which names `payrun banks`. */
const doubtful = [{ ...southAfrican, bank_name: 'Bank of Nowhere' }, ...kenyanRows(1)];

const banks = 'banks SouthAfrica`';

it('on the screen, and not in the files beside the sheet', async () => {
  const desk = deskFor(null, doubtful);
  const { out } = await command(own(desk), ['check', desk.sheet]);
  expect(out).toContain(`\`${program} ${banks}`);
  expect(out).toContain(`\`${program} run\``);
  for (const ending of ['csv', 'json'])
    expect(readFileSync(desk.sheet.replace('.csv', `.problems.${ending}`), 'utf8')).toContain(`\`payrun ${banks}`);
});

it('and not in the result of a batch, whose name is as it is', async () => {
  const desk = deskFor(await newService(), doubtful);
  const { out } = await command(own(desk), [
    'run',
    desk.sheet,
    '--batch',
    'nov payrun',
    '--skip-invalid',
    '--wait',
    '0',
  ]);
  expect(out).toContain(`  next: ${program} resume 'nov payrun'`);
  expect(readFileSync(desk.sheet.replace('.csv', '.result.csv'), 'utf8')).toContain(`\`payrun ${banks}`);
});

it('--json is for programs, and stderr for the person', async () => {
  const desk = own(deskFor(await newService(), kenyanRows(2)));
  const run = async (...more: string[]) => await command(desk, ['run', desk.sheet, '--wait', '0', '--json', ...more]);
  expect((await run('--batch', 'nov')).out).toContain('"command":"payrun resume nov"');
  writeFileSync(desk.sheet, csvOf(kenyanRows(3)));
  const refused = await run('--batch', 'nov');
  expect(refused.out).toMatch(/"message":"[^"]*payrun run /);
  expect(refused.err).not.toMatch(other);
  const explained = await command(desk, ['explain', 'nov', '1', '--json']);
  expect(explained.out).not.toContain(program);
});

describe.concurrent('a watcher', () => {
  it.each([[], ['--json']])('reports with the name, and answers without: %s', async (...json) => {
    const desk = own(deskFor(await newService(), []));
    const hot = hotFolder(desk);
    hot.put('nov.csv', csvOf(kenyanRows(2)));
    await hot.once('--batch', 'nov', '--wait', '0');
    hot.put('dec.csv', csvOf(kenyanRows(3)));
    const { out } = await hot.once('--wait', '0', ...json);
    expect(out).toContain(json.length === 0 ? program : 'payrun run');
    const answers = hot.out().map((name) => readFileSync(join(hot.folder, 'out', name), 'utf8'));
    expect(answers.join('\n')).not.toContain(program);
  });
});
