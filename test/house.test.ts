/** Keeps the rules of the house (ARCHITECTURE.md): floors, doors, walls, sizes, language, and a purpose for every file. */
import { type Dirent, globSync, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parseAst } from 'vite';
import { describe, expect, it } from 'vitest';
import { comparedTexts, type Node, nameOf } from './compared-texts.ts';
import * as exceptions from './house-exceptions.ts';
import { mainFile } from './program.ts';

const source = join(import.meta.dirname, '../src');

/** The rooms by floor; a room may use what stands below it. Rooms on one floor do not use each other. */
const floors: readonly (readonly string[])[] = [
  ['base'],
  ['domain'],
  ['messages'],
  ['wire', 'sheet', 'audit', 'approval'],
  ['ledger', 'client', 'service'],
  ['pipeline'],
  ['app'],
  ['workers', 'watch', 'console'],
  ['cli'],
];

/** Files through which a room is entered; a room that is not named here is open. */
const doors: Readonly<Record<string, readonly string[]>> = {
  sheet: ['sheet/sheet.ts'],
  approval: ['approval/approval.ts'],
  // The trail's form for the ledger; what is found and where for the command.
  audit: ['chain', 'bulk', 'evidence', 'findings', 'plans', 'replay', 'result', 'verify'].map(
    (name) => `audit/${name}.ts`,
  ),
  ledger: ['ledger/ledger.ts'],
  client: ['client/client.ts'],
  service: ['service/service.ts'],
  watch: ['watch/watch.ts'],
  cli: [],
};

/**
 * Files through which a sub-room is entered from elsewhere in its room. The sub-rooms of domain are open: each of its files is
 * one noun and its rules.
 */
const innerDoors: Readonly<Record<string, string>> = {
  'app/batch': 'command conclude-batch find-batch next-step seen',
  'base/faults': 'action audit-finding fault limits',
  'cli/args': 'build-orders command-line command-table durations-and-numbers merchant-fields program read-command',
  'cli/commands':
    'approve audit completion console copy-ledger funding listen pay report serve service-calls settle status watch work',
  'cli/compose': 'assemble command-context config count-rows document-settings ledger-only limits',
  'cli/evidence': 'pack',
  'cli/observe': 'notify observe',
  'cli/perform': 'perform perform-to-end thread write-result',
  'cli/rehearse': 'rehearse',
  'cli/render': 'exit-code outcome-document screen settings-shown terminal',
  'console/batches': 'batch-routes batch-views batches few-at-once jobs reading review',
  'console/drafts': 'choices match-columns sheet-corrections sheet-documents sheet-pay sheet-records uploads',
  'console/http': 'compress page-files route server session settings-routes upload-stream',
  'console/inspection': 'cell-money check-table inspect inspections',
  'console/people': 'people people-routes policy',
  'ledger/accounts': 'people uploads',
  'messages/problems': 'batch-problems document-problems meanings repeat-problems row-problems sheet-problems',
  'ledger/batches': 'batch-comparison batches cap-totals draft earlier-batches import-draft proposals timeline',
  'ledger/duplicates': 'copies list-scans matches',
  'ledger/fleet': 'fleet pause',
  'ledger/rows': 'columns deposits documents merchants pages payees recovery rows transitions',
  'ledger/store': 'copy-database faults relocation sql store trail unit-of-work witness',
  'ledger/store/postgres': 'fault postgres',
  'ledger/store/sqlite': 'lock schema sqlite',
  'ledger/trail': 'evidence trail-queries',
  'messages/faults': 'fault-words service',
  'messages/files': 'checked-sheet plan-page report-page result',
  'messages/format': 'limits numbers times',
  'messages/notes': 'batch-notes sheet-notes worker-notes',
  'messages/refusals': 'batch-refusals control-refusals plan-refusals usage-refusals',
  'messages/web': 'access-messages column-hints deeds messages review rows trail',
  'pipeline/controls':
    'batch-limits canary caps control-totals history pay-window payee-control planned-payees rail-limits sent-today variance',
  'pipeline/documents': 'attach document-files documents-by-row documents-due',
  'pipeline/duplicates': 'copies duplicates resume-preview',
  'pipeline/intake': 'check-rows intake problem-report',
  'pipeline/payees': 'refused-payees register-payees',
  'pipeline/plans': 'approved page plan plan-file plan-page plan-place plan-source policy-in-force write-plan',
  'pipeline/reconcile': 'absence list-scan match-payments paid-elsewhere reconcile run-scans wrong-payment-id',
  'pipeline/results': 'fallback-location report report-page unpaid-rows',
  'pipeline/sending': 'backoff funding-sources pay send-row signals together',
  'pipeline/settle': 'deposit-changes deposits funding payment-details settle',
  'pipeline/versions': 'open-version plan-sheet',
  'pipeline/webhooks': 'handle-hint receiver',
  'service/http': 'budget call files gather json keys lists metrics operations routes secrets server',
  'service/resources': 'documents merchants payment-life payments profile rails reference tenants tokens users',
  'service/store': 'store',
  'service/webhooks': 'address delivery webhooks',
  'sheet/columns': 'column-map column-name header map-advice read-map row-choice shipped-maps titles',
  'sheet/corrections': 'corrections marked-rows',
  'sheet/csv': 'csv forced-text formula-guard html-entities utf8',
  'sheet/file': 'limits open-file raw-row',
  'sheet/iso20022': 'payments-file status-report',
  'sheet/lines': 'lines raw-cells',
  'sheet/write':
    'atomic-file checked-workbook output-names owned-files problem-list result result-layout tables template zip-writer',
  'sheet/xlsx': 'workbook zip',
  'sheet/xlsx/process': 'reader',
  'sheet/xlsx/style': 'cell-style palette read-appearance read-styles sheet-appearance strike-rules',
  'sheet/xml': 'xml xml-stream',
};

/** Who must never know of whom, however the floors lie. */
const walls: readonly (readonly [room: string, never: string, why: string])[] = [
  ['client', 'service', 'they meet on the wire only'],
  ['service', 'client', 'they meet on the wire only'],
  ['pipeline', 'service', 'it must not know whether the service is embedded'],
  ['workers', 'service', 'they must not know whether the service is embedded'],
  ['console', 'service', 'it must not know whether the service is embedded'],
];

/** Only shells, and writers of files that people read, may import `messages`. A folder ends with a slash. */
const speakers: readonly string[] = [
  'cli/',
  'console/',
  'watch/',
  'index.ts',
  // The result, its answer to a bank file, and the report page.
  'pipeline/results/',
  'pipeline/plans/plan-page.ts',
  // The checked workbook and the lists of problems.
  'pipeline/intake/checked-summary.ts',
  'pipeline/intake/problem-report.ts',
  'sheet/corrections/marked-rows.ts',
  'sheet/write/',
  // The answers of the embedded service.
  'service/http/',
];

/** What the process that reads workbooks may load of Node. */
const allowedToReader = [
  'node:buffer',
  'node:fs',
  'node:fs/promises',
  'node:module',
  'node:stream/promises',
  'node:zlib',
];

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(source, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort();

interface Import {
  readonly from: string;
  /** A file below src/, or the name of a package. */
  readonly to: string;
}

// Not `Buffer.from('…')`.
const specifier = /(?<!\.)(?:\bfrom|\bimport|\bimport\()\s*\(?\s*['"]([^'"\n]+)['"]/g;

function importsOf(file: string): Import[] {
  const text = readFileSync(join(source, file), 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
  return Array.from(text.matchAll(specifier), ([, to = '']) => ({
    from: file,
    to: to.startsWith('.') ? join(dirname(file), to).split(sep).join('/') : to,
  }));
}

const imports = files.flatMap(importsOf);
const inside = imports.filter(({ to }) => files.includes(to));
const roomOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '');
const folderOf = (file: string) => dirname(file);
const floorOf = (file: string) => {
  const room = roomOf(file);
  // index.ts is what the package exports: above everything.
  return room === '' ? floors.length : floors.findIndex((floor) => floor.includes(room));
};
const between = inside.filter(({ from, to }) => roomOf(from) !== roomOf(to));

describe('the house', () => {
  it('is what Node itself reads, without a build', () => {
    const unread = files
      .filter((file) => !file.startsWith('console/page/'))
      .flatMap((file) => {
        try {
          stripTypeScriptTypes(readFileSync(join(source, file), 'utf8'));
          return [];
        } catch (error) {
          return [`${file}: ${String(error)}`];
        }
      });
    expect(unread).toEqual([]);
  });

  it('is seen whole by this test', () => {
    expect(files.length).toBeGreaterThan(60);
    expect(inside.length, 'imports are found').toBeGreaterThan(150);
    const lost = imports.filter(({ to }) => /\.(tsx?|js)$/.test(to) && !files.includes(to));
    expect(lost.map(({ from, to }) => `${from} imports ${to}, which is not below src/`)).toEqual([]);
  });

  it('has only rooms that have a floor', () => {
    const known = floors.flat();
    const strange = files.filter((file) => roomOf(file) !== '' && !known.includes(roomOf(file)));
    expect(strange.map((file) => `${file}: give its room a floor here and in ARCHITECTURE.md, or move it`)).toEqual([]);
    expect(files.filter((file) => roomOf(file) === '' && file !== 'index.ts')).toEqual([]);
  });

  it('floors: imports run downwards only', () => {
    const upwards = between.filter(({ from, to }) => floorOf(to) >= floorOf(from));
    expect(
      upwards.map(
        ({ from, to }) => `${from} imports ${to}, which is not below it: move what both need to a lower room`,
      ),
    ).toEqual([]);
  });

  it('doors: a room is entered by its door', () => {
    const throughWindows = between.filter(({ to }) => doors[roomOf(to)]?.includes(to) === false);
    expect(
      throughWindows.map(
        ({ from, to }) => `${from} imports ${to}: export it from ${doors[roomOf(to)]?.join(' or ')} and import that`,
      ),
    ).toEqual([]);
  });

  it('doors: a sub-room is entered by its doors, and no door is useless', () => {
    const entered = inside.filter(({ from, to }) => folderOf(to) in innerDoors && !from.startsWith(`${folderOf(to)}/`));
    const used: Record<string, Set<string>> = {};
    for (const { to } of entered) {
      used[folderOf(to)] ??= new Set();
      used[folderOf(to)]!.add(to.slice(folderOf(to).length + 1).replace(/\.ts$/, ''));
    }
    const found = Object.entries(used).map(([folder, names]) => [folder, [...names].sort().join(' ')]);
    expect(Object.fromEntries(found), 'write each new door down, and take out what nobody enters').toEqual(innerDoors);
    const rooms = new Set(files.map(folderOf).filter((folder) => folder.includes('/')));
    const open = [...rooms].filter((folder) => !(folder in innerDoors) && !/^(domain|console\/page)\b/.test(folder));
    expect(open).toEqual([]);
  });

  it('sub-rooms do not import each other both ways', () => {
    const ways = new Set(
      inside
        .map(({ from, to }) => [folderOf(from), folderOf(to)] as const)
        .filter(([from, to]) => from !== to && from.includes('/') && to.includes('/'))
        .map((pair) => pair.join(' and ')),
    );
    const mutual = [...ways].filter((way) => {
      const [from = '', to = ''] = way.split(' and ');
      return from < to && ways.has(`${to} and ${from}`);
    });
    expect(mutual.sort()).toEqual(exceptions.mutualImports);
  });

  it('doors: each one exists', () => {
    const rooms = new Set(files.map(roomOf));
    const missing = Object.entries(doors).flatMap(([room, names]) => (rooms.has(room) ? names : []));
    expect(missing.filter((door) => !files.includes(door))).toEqual([]);
  });

  it('walls: who must not know of whom', () => {
    const breaches = walls.flatMap(([room, never, why]) =>
      inside
        .filter(({ from, to }) => roomOf(from) === room && roomOf(to) === never)
        .map(({ from, to }) => `${from} imports ${to}: ${why}`),
    );
    expect(breaches).toEqual([]);
  });

  it('walls: only shells and writers of files take words from messages', () => {
    const taken = between.filter(({ to }) => roomOf(to) === 'messages').map(({ from }) => from);
    const others = taken.filter((from) => !speakers.some((one) => from === one || from.startsWith(one)));
    expect([...new Set(others)].sort()).toEqual(exceptions.otherSpeakers);
    expect(speakers.filter((one) => !taken.some((from) => from.startsWith(one)))).toEqual([]);
  });

  it('walls: the page shares nothing with its server but types and the words of messages', () => {
    const page = 'console/page/';
    const across = inside.filter(({ from, to }) => from.startsWith(page) !== to.startsWith(page));
    const text = (file: string) => readFileSync(join(source, file), 'utf8');
    const byValue = (file: string) =>
      /^import (?!type\b)[^;]*['"]\.\.\/(?!\.\.\/messages\/)[^'"]*['"]/m.test(text(file));
    expect(across.filter(({ to }) => to === 'console/api.ts').length).toBeGreaterThan(3);
    expect(
      across
        .filter(({ from, to }) => (to !== 'console/api.ts' && !to.startsWith('messages/')) || byValue(from))
        .map(({ from, to }) => `${from} imports ${to}: import words of messages, or types of console/api.ts`),
    ).toEqual([]);
  });

  it('walls: the rules of domain/ use no module of Node', () => {
    const impure = imports.filter(({ from, to }) => roomOf(from) === 'domain' && to.startsWith('node:'));
    expect(
      impure.map(({ from, to }) => `${from} imports ${to}: a rule has no I/O; hand it in, or put it in base/`),
    ).toEqual([]);
  });

  it('walls: only one file of the client sends', () => {
    const senders = imports.filter(
      ({ from, to }) => roomOf(from) === 'client' && ['node:http', 'node:https', 'undici'].includes(to),
    );
    expect([...new Set(senders.map(({ from }) => from))]).toEqual(['client/http.ts']);
  });

  it('walls: the process that reads workbooks loads no way to the network, to files or to other processes', () => {
    const loaded = new Set(['sheet/xlsx/process/reader-process.ts']);
    // A set hands out what is added while it is walked.
    for (const file of loaded) for (const { to } of inside.filter(({ from }) => from === file)) loaded.add(to);
    const strange = imports.filter(
      ({ from, to }) => loaded.has(from) && !files.includes(to) && !allowedToReader.includes(to),
    );
    expect(loaded.size).toBeGreaterThan(8);
    expect(
      strange.map(
        ({ from, to }) => `${from} imports ${to}: the reader must do without (sheet/xlsx/process/confinement.ts)`,
      ),
    ).toEqual([]);
  });

  it('walls: nor does it as it is published, where files are put together', () => {
    const loaded = new Set(['./reader-process.mjs']);
    const outside = new Set<string>();
    for (const file of loaded) {
      const text = readFileSync(join(dirname(mainFile), file), 'utf8');
      expect(text, `${file} loads nothing later`).not.toMatch(/\bimport\(|\brequire\(/);
      for (const [, to = ''] of text.matchAll(/^(?:import|export)\b[^;'"]*["']([^"']+)["']/gm))
        (to.startsWith('./') ? loaded : outside).add(to);
    }
    expect(loaded.size).toBeGreaterThan(8);
    expect([...outside].filter((to) => !allowedToReader.includes(to))).toEqual([]);
  });

  it('walls: only cli/ reads argv and the environment, and exits', () => {
    const leaks = files
      .filter((file) => roomOf(file) !== 'cli')
      .flatMap((file) => {
        const text = readFileSync(join(source, file), 'utf8');
        return [...text.matchAll(/\bprocess\.(env|argv|exit|exitCode)\b/g)].map(([word]) => `${file} uses ${word}`);
      });
    expect(leaks).toEqual([]);
  });

  it('walls: only cli/render/exit-code.ts has exit codes', () => {
    // main.ts may end before the program is loaded. notify.ts reads the exit code of another program.
    const allowed = ['cli/main.ts', 'cli/observe/notify.ts'];
    const leaks = files.filter((file) => /\bexit(?: code| [!=]==)? \d/.test(readFileSync(join(source, file), 'utf8')));
    expect(leaks).toEqual(allowed);
  });

  it('has no circle of files, types included', () => {
    const targets = new Map(
      files.map((file) => [file, inside.filter(({ from }) => from === file).map(({ to }) => to)]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      const at = path.indexOf(file);
      if (at >= 0) {
        circles.push([...path.slice(at), file].join(' -> '));
        return;
      }
      if (done.has(file)) return;
      for (const to of targets.get(file) ?? []) walk(to, [...path, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(circles.map((circle) => `${circle}: put what they share into a file of its own`)).toEqual([]);
  });

  it('has no junk drawers', () => {
    const drawers = files.filter((file) =>
      /(^|\/)(utils?|helpers?|commons?|types?|interfaces?|misc|shared)(\.ts$|\/)/.test(file),
    );
    expect(drawers.map((file) => `${file}: name it after what it is for, in the room that owns it`)).toEqual([]);
  });

  it('every file opens with a sentence on what it is for', () => {
    const silent = files.filter((file) => {
      const text = readFileSync(join(source, file), 'utf8').replace(/^#!.*\n/, '');
      return !/^\/\*\*?\s*(?:\n \* )?\S/.test(text);
    });
    expect(silent.map((file) => `${file}: open it with /** what it is for */`)).toEqual([]);
  });
});

/** Expects in each place exactly what its exception allows, and nothing elsewhere: an exception follows each decrease. */
function expectAtMost(
  found: ReadonlyMap<string, number>,
  allowed: Readonly<Record<string, number>>,
  what: string,
): void {
  const more = [...found].filter(([place, count]) => count > (allowed[place] ?? 0));
  expect(more.map(([place, count]) => `${place}: ${count} ${what}, at most ${allowed[place] ?? 0}`)).toEqual([]);
  const less = Object.keys(allowed).filter((place) => (found.get(place) ?? 0) < allowed[place]!);
  expect(less.map((place) => `${place}: set ${found.get(place) ?? 0} in house-exceptions.ts`)).toEqual([]);
}

const expectNone = (found: ReadonlyMap<string, number>, what: string) => expectAtMost(found, {}, what);

/** How often something occurs in the comments of each room. */
function inComments(pattern: RegExp): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) {
    const room = roomOf(file) === '' ? file : file.startsWith('console/page/') ? 'console/page' : roomOf(file);
    const found = commentsOf(file).filter((line) => pattern.test(line)).length;
    if (found > 0) counts.set(room, (counts.get(room) ?? 0) + found);
  }
  return counts;
}

/** The lines of a file's comments, without their marks. */
function commentsOf(file: string): string[] {
  const lines = readFileSync(resolve(source, file), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [, words] = /^\s*(?:\/\/|\/\*\*?|\*)\s*(.*?)(?:\s*\*\/)?$/.exec(line) ?? [];
    return words === undefined || words === '' || words === '/' ? [] : [words];
  });
}

describe('the sizes of the house', () => {
  const linesOf = (text: string) => text.split('\n').length - 1;
  const text = (file: string) => readFileSync(join(source, file), 'utf8');

  it('src/ only shrinks', () => {
    const all = (readdirSync(source, { recursive: true, withFileTypes: true }) as Dirent[]).filter((one) =>
      one.isFile(),
    );
    const lines = all.reduce((sum, one) => sum + linesOf(readFileSync(join(one.parentPath, one.name), 'utf8')), 0);
    expect(lines).toBeLessThanOrEqual(exceptions.sourceLines);
  });

  it('a folder has at most 15 files', () => {
    const counts = Map.groupBy(files, folderOf);
    const large = [...counts]
      .filter(([, names]) => names.length > 15)
      .map(([folder, names]) => [folder, names.length] as const);
    expectAtMost(new Map(large), exceptions.largeFolders, 'files');
  });

  it('a file has at most 400 lines', () => {
    const long = files.map((file) => [file, linesOf(text(file))] as const).filter(([, lines]) => lines > 400);
    expectAtMost(new Map(long), exceptions.longFiles, 'lines');
  });

  it('a function has at most 70 lines', () => {
    const long = new Map<string, number>();
    for (const file of files) {
      const code = text(file);
      eachNode(file, ({ type, start, end }) => {
        const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type);
        if (isFunction && code.slice(start, end).split('\n').length > 70) long.set(file, (long.get(file) ?? 0) + 1);
      });
    }
    expectAtMost(long, exceptions.longFunctions, 'long functions');
  });
});

/** A text of a program: a string or a template without its values, or the word of a type. */
interface Text {
  readonly text: string;
  /** The nodes around it, innermost first. */
  readonly around: readonly Node[];
}

const trees = new Map<string, unknown>();

function treeOf(file: string): unknown {
  const code = () => readFileSync(join(source, file), 'utf8');
  if (!trees.has(file)) trees.set(file, parseAst(code(), { lang: file.endsWith('x') ? 'tsx' : 'ts' }));
  return trees.get(file);
}

/** Calls `see` for each node of a file; `around` are the nodes around it, innermost first. */
function eachNode(file: string, see: (node: Node, around: readonly Node[]) => void): void {
  eachNodeOf(treeOf(file), see);
}

function eachNodeOf(tree: unknown, see: (node: Node, around: readonly Node[]) => void): void {
  const walk = (node: unknown, around: readonly Node[]): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) walk(one, around);
      return;
    }
    see(node as Node, around);
    for (const child of Object.values(node)) walk(child, [node as Node, ...around]);
  };
  walk(tree, []);
}

/** Returns the text of a literal, a template, a sum, or a joined list; of two alternatives the longer one. */
function textOf(given: unknown): string | null {
  const node = bare(given);
  if (node === undefined) return null;
  const { type, value, quasis, expressions, left, right, operator, consequent, alternate, callee } = node;
  if (type === 'Literal') return typeof value === 'string' ? value : null;
  if (type === 'TemplateLiteral') {
    const values = (expressions as readonly unknown[]).map(textIn);
    return (quasis as { value: { cooked: string } }[])
      .map((part, at) => part.value.cooked + (values[at] ?? ''))
      .join('');
  }
  if (type === 'BinaryExpression' && operator === '+')
    return [left, right].every((one) => textOf(one) === null) ? null : textIn(left) + textIn(right);
  const list = bare((callee as Node | undefined)?.object);
  if (type === 'CallExpression' && nameOf(callee) === 'join' && list?.type === 'ArrayExpression')
    return (list.elements as readonly unknown[]).map((one) => textOf(one) ?? '').join(' ');
  return type === 'ConditionalExpression' ? longer(textOf(consequent), textOf(alternate)) : null;
}

const textIn = (node: unknown): string => textOf(node) ?? ' \u2026 ';

const longer = (one: string | null, other: string | null) =>
  one !== null && (other === null || wordCount(one) >= wordCount(other)) ? one : other;

/** Words of a sentence: no tags, no names of fields, no values of a template. */
function wordCount(text: string): number {
  const words = text.replaceAll(/<style>[\s\S]*<\/style>|<[^>]*>/g, ' ').split(/\s+/);
  return words.filter((word) => /^[\p{Ps}\p{Pi}"'`]*\p{L}[\p{L}'\u2019-]*[\p{P}`]*$/u.test(word)).length;
}

/** Matches the phrases and comparisons of SQL, which no sentence has, and not its single words in capitals. */
const sqlOrStyle =
  /\b(?:IS (?:NOT )?(?:NULL|DISTINCT)|(?:ORDER|GROUP|PARTITION) BY|CASE (?:WHEN|\w+ WHEN)|(?:INSERT|REPLACE) INTO|DELETE FROM|UNION ALL|SELECT\b[\s\S]*\b(?:FROM|AS)|UPDATE \S+ SET|(?:CREATE|ALTER|DROP) (?:\w+ )*(?:TABLE|INDEX|FUNCTION|TRIGGER|VIEW|SCHEMA|SEQUENCE)|CROSS JOIN|PRIMARY KEY|DECLARE \w+ \w+;)\b|\b(?:EXISTS|IN|AS|MATERIALIZED|OVER|coalesce|count) \(|\b(?:coalesce|count)\(|[\w?)'\u2026] (?:=|<>|<=|>=|<|>) [\w?(':\u2026]|\w AS "?\w+"?,|\bPRAGMA \w+=|[{;]\s*[a-z-]+:/;

/** True for SQL, style sheets, lists of words, and the reason of an assertion. */
function isNoSentence({ text, around }: Text): boolean {
  if (sqlOrStyle.test(text) || !/\p{Ll}/u.test(text)) return true;
  if (/^[\w.]+(,\s+[\w.]+)*$/.test(text) || text.split('|').length > 2) return true;
  const isList = around.some(
    ({ type, callee, property }, depth) =>
      (depth === 0 && type === 'MemberExpression' && nameOf(property) === 'split') ||
      (type === 'CallExpression' && /^(words|pairs|listed)$/.test(nameOf(callee))),
  );
  const isAssertion = around.some(
    ({ type, callee }) =>
      (type === 'CallExpression' && nameOf(callee) === 'assert') ||
      (type === 'NewExpression' && /^(Range|Type)?Error$/.test(nameOf(callee))),
  );
  return isList || (isAssertion && wordCount(text) <= 8);
}

/** Calls `see` for each text of four or more words that reads as a sentence. A text within another is a part of it. */
function eachSentence(tree: unknown, see: (text: string) => void): void {
  eachNodeOf(tree, (node, around) => {
    if (around.some((one) => textOf(one) !== null)) return;
    const text = textOf(node);
    if (text !== null && wordCount(text) >= 4 && !isNoSentence({ text, around })) see(text);
  });
}

/** Names of a text for people. A plural may be a list, and its methods those of a list. */
const textForPeople = /^(message|reason|note|sentence)$|[a-z](Message|Sentence)$/;
const textsForPeople = /^(words|messages|reasons|notes|sentences)$/;
const readsText = /^(at|charAt|charCodeAt|codePointAt|includes|indexOf|lastIndexOf|localeCompare|slice|substring)$/;
const readsOnlyText = /^(startsWith|endsWith|match|matchAll|replace|replaceAll|search|split)$/;

/** Returns what stands inside `!`, `?.`, brackets and casts. */
function bare(node: unknown): Node | undefined {
  let inner = node as Node | null | undefined;
  while (inner != null && /^(Chain|Parenthesized|TS\w+)Expression$/.test(inner.type)) inner = inner.expression as Node;
  return inner ?? undefined;
}

/** Returns the names of the other names under which a pattern or a constant takes a text for people. */
function otherNames(scope: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const take = ({ type, key, value, id, init }: Node) => {
    if (type === 'Property' && textForPeople.test(nameOf(key))) {
      const { type: of, left } = (value ?? {}) as Node;
      names.add(nameOf(of === 'AssignmentPattern' ? left : value));
    }
    if (type === 'VariableDeclarator' && bare(init)?.type === 'MemberExpression' && isTextForPeople(init, []))
      names.add(nameOf(id));
  };
  const walk = (node: unknown, isPattern: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) walk(one, isPattern);
      return;
    }
    const { type } = node as Node;
    if (isPattern || type === 'VariableDeclarator') take(node as Node);
    if (node !== scope && isFunction(node as Node)) return;
    for (const child of Object.values(node)) walk(child, isPattern || type === 'ObjectPattern');
  };
  walk(scope, false);
  return names;
}

const isFunction = ({ type }: Node) => /Function(Declaration|Expression)$/.test(type);

const namesIn = new WeakMap<Node, ReadonlySet<string>>();

function isOtherName(name: string, around: readonly Node[]): boolean {
  return around.some((scope) => {
    if (!isFunction(scope) && scope.type !== 'Program') return false;
    const known = namesIn.get(scope) ?? otherNames(scope);
    namesIn.set(scope, known);
    return known.has(name);
  });
}

/** True for a text for people: by its name, by the function that makes it, or as one side of `??`, `||` and `?:`. */
function isTextForPeople(given: unknown, around: readonly Node[]): boolean {
  const node = bare(given);
  if (node === undefined) return false;
  const { type, left, right, consequent, alternate } = node;
  if (type === 'LogicalExpression') return [left, right].some((one) => isTextForPeople(one, around));
  if (type === 'ConditionalExpression') return [consequent, alternate].some((one) => isTextForPeople(one, around));
  if (type === 'CallExpression') return isCallForPeople(node);
  if (type !== 'Identifier' && type !== 'MemberExpression') return false;
  return textForPeople.test(nameOf(node)) || (type === 'Identifier' && isOtherName(nameOf(node), around));
}

const isCallForPeople = (given: unknown) => {
  const node = bare(given);
  return node?.type === 'CallExpression' && /[a-z]Words$/.test(nameOf(node.callee));
};

function isPattern(given: unknown): boolean {
  const node = bare(given);
  return (
    node?.type === 'TemplateLiteral' ||
    (node?.type === 'Literal' && (typeof node.value === 'string' || 'regex' in node))
  );
}

/** True for code that looks for something in a text for people, takes a part of it, or compares it. */
function readsSentence(node: Node, around: readonly Node[]): boolean {
  const { type } = node;
  const isText = (one: unknown) => isTextForPeople(one, around);
  const isTexts = (one: unknown) => bare(one)?.type !== 'CallExpression' && textsForPeople.test(nameOf(bare(one)));
  if (type === 'SwitchStatement') return isCompared(node.discriminant, null, isText);
  if (type === 'BinaryExpression')
    return /^[!=]==?$/.test(String(node.operator)) && isCompared(node.left, node.right, isText);
  const callee = bare(node.callee);
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
  const method = nameOf(callee);
  const [first] = node.arguments as readonly unknown[];
  if (method === 'test' || method === 'exec') return isText(first) || isTexts(first);
  if (!readsText.test(method) && !readsOnlyText.test(method)) return false;
  if (isText(callee.object)) return true;
  if (isTexts(callee.object)) return readsOnlyText.test(method) || isPattern(first);
  return isPattern(callee.object) && (isText(first) || isTexts(first));
}

/** True for code that compares something with a phrase, or looks for one: such a phrase is a part of a sentence, whatever has it. */
function looksForPhrase(node: Node): boolean {
  const { type, operator } = node;
  const isPhrase = (given: unknown): boolean => {
    const literal = bare(given);
    if (literal?.type !== 'Literal') return false;
    const text = (literal.regex as { pattern: string } | undefined)?.pattern ?? String(literal.value);
    return /[A-Z][a-z]+ [a-z]|[a-z]{2,} [a-z]{2,} [a-z]/.test(text.replaceAll('\\s+', ' '));
  };
  if (type === 'SwitchCase') return isPhrase(node.test);
  if (type === 'BinaryExpression') return /^[!=]==?$/.test(String(operator)) && [node.left, node.right].some(isPhrase);
  if (type === 'TemplateElement') return /\bLIKE '%?[A-Za-z]/.test((node.value as { raw: string }).raw);
  const callee = bare(node.callee);
  if (type !== 'CallExpression' || callee?.type !== 'MemberExpression') return false;
  const method = nameOf(callee);
  if (method === 'test' || method === 'exec') return isPhrase(callee.object);
  const [first] = node.arguments as readonly unknown[];
  return (readsText.test(method) || readsOnlyText.test(method)) && isPhrase(first);
}

/** A reason or a note may be a code, which has no spaces. Null, undefined and an empty text say only that there is none. */
function isCompared(one: unknown, other: unknown, isText: (node: unknown) => boolean): boolean {
  const sides = [bare(one), bare(other)];
  const isNothing = (node: Node | undefined) =>
    (node?.type === 'Literal' && (node.value === null || node.value === '')) || nameOf(node) === 'undefined';
  if (other !== null && sides.some(isNothing)) return false;
  if (sides.every(isCallForPeople)) return true;
  const isCode = (node: Node | undefined) => /^(reasons?|notes?)$/.test(nameOf(node)) || isCallForPeople(node);
  const isSentence = (node: Node | undefined) => node?.type === 'Literal' && /\S\s+\S/.test(String(node.value));
  return sides.some(
    (side) =>
      (isText(side) || nameOf(side) === 'words') && (!isCode(side) || (other !== null && sides.some(isSentence))),
  );
}

/**
 * Left out: tests of the sentences themselves, tests that read pages of docs or source code, and campaigns, whose judges
 * report in their own words.
 */
const ownWords =
  /^(messages|golden|corpus|kill|model|simulation|commands|fuzz|systemd)\/|^console\/page\/golden|^(docs\.test|house\.test|compared-texts|long)\.ts$/;

describe('the language of the house', () => {
  it('facts inside: sentences stand in messages and in the shells alone', () => {
    const shells = /^(messages|cli|console\/page|service|sheet\/write)\//;
    const found = new Map<string, number>();
    for (const file of files.filter((one) => !shells.test(one)))
      eachSentence(treeOf(file), () => found.set(file, (found.get(file) ?? 0) + 1));
    expectNone(found, 'sentences: make them facts, with their words in messages/');
  });

  it('facts inside: nothing reads a message, a reason or a note', () => {
    const found = new Map<string, number>();
    for (const file of files)
      eachNode(file, (node, around) => {
        if (readsSentence(node, around) || looksForPhrase(node)) found.set(file, (found.get(file) ?? 0) + 1);
      });
    expectNone(found, 'calls that read a sentence: compare facts');
  });

  it.each([
    ['"The batch was not sent."', true],
    ['"The batch" + " was not" + " sent."', true],
    ['"The batch " + name + " was not sent."', true],
    ['["The batch", name, "was not sent."].join(" ")', true],
    ['isSent ? "The batch was sent." : "nothing"', true],
    ['"Wait for it AND send it IN order"', true],
    ['"SELECT one of the batches"', true],
    ['throw new Error("The batch was not sent by anybody in this house.")', true],
    ['throw new Error("The batch was not sent.")', false],
    ['"state = ? AND closed IS NULL ORDER BY id"', false],
    ['"SELECT id, name FROM batch WHERE name LIKE ?"', false],
    ['isSent ? "was sent" : "was not"', false],
    ['["not sent", "in doubt"].includes(word)', false],
  ])('facts inside: %s is a sentence: %s', (code, isFound) => {
    const found: string[] = [];
    eachSentence(parseAst(code, { lang: 'ts' }), (text) => found.push(text));
    expect(found.length > 0, found.join()).toBe(isFound);
  });

  it.each([
    ['message.replaceAll("a", "")', true],
    ['reasonWords(stored).replace(/a$/, "")', true],
    ['(reasonWords(stored) ?? "").slice(1)', true],
    ['error.message?.split(separator)', true],
    ['words.endsWith(end)', true],
    ['words.includes("batch")', true],
    ['problem.message.includes(value)', true],
    ['note!.lastIndexOf(mark)', true],
    ['"not sent".includes(message)', true],
    ['const pattern = /a/; pattern.test(message)', true],
    ['const read = ({ message: text }) => pattern.exec(text)', true],
    ['function read(error) { const { reason: text = "" } = error; return text.search(/a/); }', true],
    ['const text = error.message; text.startsWith("a")', true],
    ['one.message === other.message', true],
    ['if (words !== last) write(words)', true],
    ['windowWords(one) === windowWords(other)', true],
    ['row.text.startsWith("Looks like")', true],
    ['/account changed by/i.test(said)', true],
    ['held === "Account changed"', true],
    ['switch (said) { case "Account changed": }', true],
    ["sql(`SELECT id FROM payout WHERE reason LIKE 'Account changed:%'`)", true],
    ['word === "not sent" || word === "in doubt"', false],
    ['sql(`SELECT id FROM payout WHERE name LIKE ?`)', false],
    ['reason !== "Account changed"', true],
    ['switch (message) { case "a": }', true],
    ['switch (error.reason) { case "code": }', false],
    ['message === null || message === "" || message !== undefined', false],
    ['reason === "code" || row.reason !== reason', false],
    ['text.replaceAll("a", "")', false],
    ['messages.slice(1)', false],
    ['const read = ({ message: text }) => write(text); const cut = (text) => text.slice(1)', false],
    ['unitWords.test(text)', false],
  ])('facts inside: %s reads a sentence: %s', (code, isFound) => {
    let found = false;
    eachNodeOf(parseAst(code, { lang: 'ts' }), (node, around) => {
      found ||= readsSentence(node, around) || looksForPhrase(node);
    });
    expect(found).toBe(isFound);
  });

  it('facts inside: tests compare codes and facts, and test/messages compares the sentences', () => {
    const found = new Map<string, number>();
    for (const { file, text } of comparedTexts(import.meta.dirname, (one) => ownWords.test(one)))
      if (wordCount(text) >= 4 && !sqlOrStyle.test(text)) {
        const room = roomOf(file) === '' ? file : roomOf(file);
        found.set(room, (found.get(room) ?? 0) + 1);
      }
    expectAtMost(found, exceptions.comparedSentences, 'compared sentences: compare codes and facts');
  });

  it('no comment opens with a relative clause', () => {
    const opening = /^(Of|What|Who|Whoever|Whose|Whether|Whom|As|Those|Which|Where|With|Without)\b/;
    expectNone(inComments(opening), 'such comments');
  });

  it('no comment and no sentence uses words of the old style', () => {
    const old =
      /\b(told|whoever|anew|otherwise|by now|in vain|mend(s|ed)?|hand(s|ed|ing)? (it |them |that )?in|tak(es?|en) in|lets? go|(go(es|ne)?|went) on with|of before|once more|the ways? on|(is|was|were) made( \S+)? by|looked for|became of)\b/i;
    expectNone(inComments(old), 'such comments');
    const found = new Map<string, number>();
    for (const file of files.filter((one) => !one.startsWith('console/page/')))
      eachSentence(treeOf(file), (text) => {
        if (old.test(text)) found.set(file, (found.get(file) ?? 0) + 1);
      });
    expectNone(found, 'such sentences');
  });

  it('no comment cites a document that is not in the repository', () => {
    const absent =
      /\b(design|traps|survival|first-design) [A-Z]?\d|\b(of|in) the design\b|\bplan of survival\b|\btraps [A-Z]\b/;
    expectNone(inComments(absent), 'such comments');
    const tests = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname }).filter((file) =>
      commentsOf(join(import.meta.dirname, file)).some((line) => absent.test(line)),
    );
    expect(tests.map((file) => `test/${file}: write the reason itself`)).toEqual([]);
  });
});
