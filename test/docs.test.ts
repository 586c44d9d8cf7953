/** What the pages say, held against the code: a page that tells another story fails here, with what to do. */
import { cpSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { everyHelp, generatedPages } from '../scripts/make-docs.ts';
import { readPolicy } from '../src/approval/approval.ts';
import { runCommand } from '../src/cli/args/command-line.ts';
import { configFileName, loadSettings } from '../src/cli/compose/config.ts';
import { exitOf, type TerminalEnd } from '../src/cli/render/exit-code.ts';
import type { ShownOutcome } from '../src/cli/render/outcome-document.ts';
import { rowWords } from '../src/domain/rows/row-states.ts';
import { refusalKinds } from '../src/domain/sending/end.ts';
import { columnMeanings } from '../src/messages/files/result.ts';
import { moveWords } from '../src/messages/row-moves.ts';
import { faultAction, faultRule } from '../src/service/faults.ts';
import { checkHeaders } from '../src/sheet/sheet.ts';
import { ownTime } from './cli/own-time.ts';
import { longPages } from './house-exceptions.ts';
import { newFolder } from './support.ts';

const root = resolve(import.meta.dirname, '..');
const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const docsPages = (readdirSync(join(root, 'docs'), { recursive: true }) as string[])
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'samples/README.md', ...docsPages];
const readme = textOf('README.md');
const written = await generatedPages();
const helps = await everyHelp();

/** One command in a folder with a copy of the samples and a state of its own. */
async function runIn(folder: string, argv: readonly string[]): Promise<{ out: string; exit: number }> {
  // A person who runs the first command here leaves its result and its record beside the samples.
  const isSample = (path: string) => !/\.(?:result|checked|problems)\.|[/\\]\.payrun/.test(path);
  cpSync(join(root, 'samples'), join(folder, 'samples'), { recursive: true, filter: isSample });
  let out = '';
  const exit = await runCommand(argv, {
    env: { XDG_STATE_HOME: join(folder, 'state') },
    cwd: folder,
    clock: ownTime(),
    streams: { out: { write: (text) => (out += text) }, err: { write: () => true }, color: false },
    signals: { on: () => {}, off: () => {}, exit: (code) => expect.fail(`left with ${code}`) },
  });
  return { out, exit };
}

test('generated pages are fresh: `npm run gen:docs` rewrites them', async () => {
  for (const [name, text] of written) expect(textOf(`docs/${name}`), name).toBe(text);
});

test('README begins with the two commands, and the first prints what stands below them', async () => {
  const commands = [...readme.split('## Your own sheet')[0]!.matchAll(/^npm ci && (.+)$/gm)].map(
    ([, command]) => command,
  );
  expect(commands).toEqual(['npm start -- run samples/november.xlsx --sandbox', 'npm test']);
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(scripts.start).toBe('node src/cli/main.ts');
  expect(scripts.test).toBeDefined();
  const folder = newFolder();
  const { out, exit } = await runIn(folder, commands[0]!.replace('npm start -- ', '').split(' '));
  const shown = out.replaceAll(`${join(folder, 'state')}/`, '~/.local/state/').replaceAll(`${folder}/`, '');
  expect(readme).toContain(['```text', shown.trimEnd(), '```'].join('\n'));
  expect(exit).toBe(0);
});

test.concurrent.each(
  [...textOf('samples/README.md').matchAll(/^\| \[([^\]]+)\].*?(?:\| `(--map .+)` )?\| ([^|]+) \| (\d+) \|$/gm)].map(
    ([, file, map, ends, exit]) => ({ file: file!, map: map?.split(' ') ?? [], ends: ends!, exit: Number(exit) }),
  ),
)('$file ends as samples/README.md says', async ({ file, map, ends, exit }) => {
  const { out } = await runIn(newFolder(), ['run', `samples/${file}`, ...map, '--sandbox', '--json']);
  const { rows, ...outcome } = JSON.parse(out) as ShownOutcome;
  expect({
    exit: outcome.exit,
    ends: rows.paid > 0 ? `${rows.paid} paid` : `${rows.invalid} to mend, nothing sent`,
  }).toEqual({ exit, ends });
});

test('every sample is told in samples/README.md', () => {
  const samples = readdirSync(join(root, 'samples'), { recursive: true }) as string[];
  const sheets = samples.filter((name) => /^[^.]+\.(csv|xlsx)$/.test(name));
  for (const sheet of sheets) expect(textOf('samples/README.md')).toContain(`[${sheet}]`);
});

test('a person reads before the first own sheet that cents cannot be paid, and what to do with them', () => {
  const sentences = readme.replace(/```[\s\S]*?```/g, '').split(/(?<=[.:])\s+/);
  expect(sentences.slice(0, 3).join(' ')).toMatch(/whole units only.* cents .*never rounded/s);
  for (const page of ['README.md', 'samples/README.md', 'docs/tutorials/month-end.md'])
    expect(textOf(page)).toContain('columns.md#amount');
  const [, amount] = /^### `amount`\n([\s\S]*?)^###/m.exec(textOf('docs/reference/columns.md'))!;
  expect(amount).toMatch(/never rounds[\s\S]*carry the difference to\s+the next month/);
  expect(textOf('samples/README.md')).toMatch(/^# Samples\n\n.*\. All amounts are whole: the service pays no\s+cents/);
});

test('every command has help', async () => {
  expect(helps.length).toBeGreaterThan(10);
  for (const { name, help } of helps.filter((one) => one.name !== '')) {
    expect(help.split('\n')[2], `the help of ${name} says what it does`).toMatch(/^[A-Z]/);
  }
});

test('the help of `service` tells every fault and its fields, and shows rules that are taken', async () => {
  const { help } = helps.find(({ name }) => name === 'service')!;
  const shown = /^ {2}(\[\{[\s\S]*?\}\])$/m.exec(help)![1]!;
  for (const rule of JSON.parse(shown) as unknown[]) faultRule.parse(rule);
  const { action: _, ...fields } = faultRule.shape;
  for (const field of Object.keys(fields)) expect(help).toMatch(new RegExp(`^  ${field} +\\S`, 'm'));
  for (const { shape } of faultAction.options) {
    const { kind, ...more } = shape;
    expect(help).toMatch(new RegExp(`^  ${kind.value} +\\S`, 'm'));
    for (const field of Object.keys(more)) expect(help, field).toMatch(new RegExp(`^  .*\\b${field}\\b`, 'm'));
  }
});

test('each command and option that a page shows exists', async () => {
  const helpOf = new Map(helps.map(({ name, help }) => [name, help]));
  let shown = 0;
  for (const page of pages.filter((one) => !one.startsWith('docs/decisions/')))
    for (const [, code = ''] of textOf(page).matchAll(/(?:^ *|`|&& |; |\$ )payrun ([a-z][^`\n|;&#]*)/gm)) {
      const words = code.trim().split(/\s+/);
      const help = [3, 2, 1]
        .map((count) => helpOf.get(words.slice(0, count).join(' ')))
        .find((one) => one !== undefined);
      expect(help, `${page}: payrun ${code}`).toBeDefined();
      for (const [option] of code.matchAll(/(?<=\s)--[a-z][a-z-]+/g))
        expect(help, `${page}: payrun ${code}`).toMatch(new RegExp(`${option}(?![\\w-])`));
      shown += 1;
    }
  expect(shown).toBeGreaterThan(200);
});

test('docs/reference/exit-codes.md has every exit code, and its word', () => {
  const page = textOf('docs/reference/exit-codes.md');
  const listed = [...page.matchAll(/^\| (\d+(?:, \d+)*) \|.*\| `(.+)` \|$/gm)].flatMap(([, codes, words]) => {
    const each = words!.split('`, `');
    return codes!.split(', ').map((code, nth) => [each[nth], Number(code)]);
  });
  const ends: readonly TerminalEnd[] = [...refusalKinds, 'done', 'unpaid', 'SIGHUP', 'SIGINT', 'SIGTERM'];
  const expected = ends.filter((end) => end !== 'signal').map((end) => [end, exitOf(end)]);
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(expected));
});

test('every environment variable that the command line reads is told in docs/reference/settings.md', () => {
  const names = readdirSync(join(root, 'src/cli'), { recursive: true }) as string[];
  const sources = names.filter((name) => name.endsWith('.ts')).map((name) => textOf(`src/cli/${name}`));
  const read = sources.flatMap((text) => [
    ...[...text.matchAll(/\benv\.([A-Z][A-Z_]+)/g)].map(([, name]) => name!),
    ...[...text.matchAll(/readSecret\(env, '([A-Z_]+)'\)/g)].flatMap(([, name]) => [name!, `${name}_FILE`]),
  ]);
  expect(read.length).toBeGreaterThan(8);
  for (const name of read) expect(textOf('docs/reference/settings.md'), name).toContain(`| \`${name}\``);
});

test('the configuration that docs/reference/configuration.md shows is taken, and shows every key', () => {
  const example = /```json\n(\{\n[\s\S]*?\n\})\n```/.exec(textOf('docs/reference/configuration.md'))![1]!;
  const folder = newFolder();
  writeFileSync(join(folder, configFileName), example);
  expect(loadSettings({ env: {}, cwd: folder }, {}).httpTimeoutMs).toBe(75_000);
  const schema = /const configSchema = z\.strictObject\(\{\n([\s\S]*?)\n\}\);/.exec(
    textOf('src/cli/compose/config.ts'),
  )![1]!;
  for (const [, key] of schema.matchAll(/(\w+): (?:word|section|z\.)/g)) expect(example, key).toContain(`"${key}":`);
});

test('the policy that docs/reference/policy.md shows is taken, and is the one of the golden case', () => {
  const example = /```json\n(\{\n[\s\S]*?\n\}\n)```/.exec(textOf('docs/reference/policy.md'))![1]!;
  expect(readPolicy('docs/reference/policy.md', example).approvers).toHaveLength(2);
  expect(textOf('test/golden/cases/approved-by-two/payrun.policy.json')).toBe(example);
});

test('docs/reference/row-states.md has exactly the moves of the table, in its words', () => {
  const page = textOf('docs/reference/row-states.md');
  const told = [...page.matchAll(/^(\w+) -> (\w+)\s+(?:\* )?(\S.*)$/gm)].map(([, ...parts]) => parts);
  const moves = Object.entries(moveWords).flatMap(([from, to]) =>
    Object.entries(to).map(([next, why]) => [from, next, why]),
  );
  expect(told).toEqual(moves);
});

test('every column of ours and every word for a row is told', () => {
  for (const [header, means] of Object.entries(columnMeanings))
    expect(textOf('docs/reference/result.md')).toContain(`| \`${header}\` | ${means}`);
  for (const header of checkHeaders) expect(textOf('docs/how-to/fix-a-sheet.md')).toContain(`| \`${header}\` |`);
  for (const word of rowWords) expect(textOf('docs/reference/glossary.md')).toContain(`\n| ${word} |`);
});

test('each word of the glossary has one name in the code', () => {
  const names = [...textOf('docs/reference/glossary.md').matchAll(/^\| .* \| `(\w+)` \|$/gm)].map(([, name]) => name!);
  expect(names.length).toBeGreaterThan(25);
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).map(textOf);
  for (const name of names) {
    const made = new RegExp(`^export (?:interface|type|class|const|(?:async )?function\\*?) ${name}\\b`, 'm');
    expect(sources.filter((text) => made.test(text)).length, name).toBe(1);
  }
});

test('links between pages lead somewhere', () => {
  for (const page of pages) {
    for (const [, target] of textOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      if (/^https?:/.test(target!)) continue;
      expect(existsSync(resolve(root, dirname(page), target!)), `${page}: ${target}`).toBe(true);
    }
  }
});

test('each path that test/README.md and bench/README.md name exists', () => {
  for (const folder of ['test', 'bench']) {
    const text = textOf(`${folder}/README.md`);
    const firstCells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!).join(' ');
    const named = [
      ...firstCells.matchAll(/`([\w-][\w./*-]*)`/g),
      ...text.matchAll(/`([\w-]+(?:\/[\w*-]+)+(?:\.\w+)*|[\w/-]+\.ts)`/g),
    ].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(20);
    for (const name of named) {
      const found = ['', '.ts', '.test.ts'].flatMap((ending) =>
        globSync(`{${folder}/,}${name}${ending}`, { cwd: root }),
      );
      expect(found, `${folder}/README.md: ${name}`).not.toEqual([]);
    }
  }
});

test('docs/decisions/README.md has the heading, status and date of each decision', () => {
  const index = textOf('docs/decisions/README.md');
  for (const page of docsPages.filter((one) => one.startsWith('docs/decisions/0'))) {
    const [, number, title, status, date] = /^# (\d+) · (.+)\n\nStatus: (.+) · (\S+)/.exec(textOf(page))!;
    const row = `| [${number}](${page.replace('docs/decisions/', '')}) | ${title} | ${status} | ${date} |`;
    expect(index).toContain(row);
  }
});

const wordCount = (text: string) => text.split(/[\s|]+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

test('a page has at most 800 words, unless it is generated', async () => {
  for (const page of [...pages, 'test/README.md', 'bench/README.md']) {
    if (written.has(page.replace('docs/', ''))) continue;
    const allowed = longPages[page] ?? 800;
    expect(wordCount(textOf(page)), `${page}: say each thing once, or split it for its readers`).toBeLessThanOrEqual(
      allowed,
    );
  }
  const needless = Object.keys(longPages).filter((page) => wordCount(textOf(page)) <= 800);
  expect(needless, 'take these out of house-exceptions.ts').toEqual([]);
});

test('docs/README.md links every page', () => {
  const index = textOf('docs/README.md');
  const listed = docsPages.filter((page) => page !== 'docs/README.md' && !page.startsWith('docs/decisions/0'));
  for (const page of listed) expect(index).toContain(`](${page.replace('docs/', '')})`);
});

test('README is short, and CONTRIBUTING lists every script', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(120);
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const listed = [...textOf('CONTRIBUTING.md').matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([\w:]+)`/g)].map(([, name]) => name!),
  );
  const own = Object.keys(scripts).filter((name) => !/^gen:(docs|golden|corpus)$|^prepack$/.test(name));
  expect(listed).toEqual(expect.arrayContaining(own));
});

test('lines of the pages are at most 120 characters, those of tables apart', () => {
  for (const page of pages)
    for (const line of textOf(page)
      .split('\n')
      .filter((one) => !one.startsWith('|')))
      expect(line.length, `${page}: ${line}`).toBeLessThanOrEqual(120);
});

test('each test that the pages of security tests name is there', () => {
  const points = ['security-tests', 'console-security-tests']
    .map((page) => textOf(`docs/reference/${page}.md`))
    .join('');
  const named = [...points.matchAll(/^\| [^|]+ \| (`[^|]+`) \|$/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([\w/]+)`/g)].map(([, name]) => (name!.includes('/') ? name! : `service/${name}`)),
  );
  expect(named.length).toBeGreaterThan(20);
  for (const name of named) expect(existsSync(join(root, 'test', `${name}.test.ts`)), name).toBe(true);
});

test('ARCHITECTURE.md has twelve sentences, and each links its tests by words of their titles', () => {
  const [, text = ''] = textOf('ARCHITECTURE.md').split('## What must stay true');
  const [, ...sentences] = text.split('## ')[0]!.split(/^\d+\. /m);
  expect(sentences).toHaveLength(12);
  for (const sentence of sentences) {
    const links = [...sentence.matchAll(/\[([^\]]+)\]\((test\/[^)]+)\)/g)];
    expect(links, sentence).not.toEqual([]);
    for (const [, title, file] of links)
      expect(textOf(file!), `${file}: ${title}`).toMatch(new RegExp(`'[^'\n]*${title}[^'\n]*',`));
  }
});
