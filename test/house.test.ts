/** Keeps the rules of the house (ARCHITECTURE.md): floors, doors, walls, sizes, language, and a purpose for every file. */
import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cases, codeOf, countIn, expectAtMost, files, nodesIn, roomOf, source } from './house/source.ts';
import { bare, isFunction, type Node, nameOf, nodeOf, nodesOf, parsed, textOf } from './house/syntax.ts';
import * as exceptions from './house-exceptions.ts';
import { mainFile } from './program.ts';

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
  'app/batch': 'command conclude-batch find-batch next-step own-words row-decisions',
  'base/faults': 'audit-finding fault limits',
  'base/refusals': 'row-refusals sheet-refusals',
  'cli/args': 'build-orders command-line command-table durations-and-numbers program read-command',
  'cli/commands':
    'approve audit completion console copy-ledger funding listen pay serve service-calls settle status watch work',
  'cli/compose': 'assemble command-context config count-rows document-settings ledger-only limits',
  'cli/evidence': 'check-pack pack',
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
  'ledger/batches': 'batch-comparison batches cap-totals claims draft earlier-batches holds import-draft lead timeline',
  'ledger/duplicates': 'copies list-scans matches',
  'ledger/fleet': 'fleet leads schedules',
  'ledger/rows': 'columns deposits documents merchants pages payees recovery rows transitions',
  'ledger/store': 'commit copy-database faults relocation sql store trail witness',
  'ledger/store/postgres': 'fault postgres',
  'ledger/store/sqlite': 'schema sqlite',
  'ledger/trail': 'evidence trail-queries',
  'messages/faults': 'fault-words service',
  'messages/files': 'checked-sheet plan-page report-page result',
  'messages/format': 'identity limits numbers program times zoned-times',
  'messages/notes': 'batch-notes sheet-notes',
  'messages/refusals': 'batch-refusals control-refusals plan-refusals row-refusals sheet-refusals usage-refusals',
  'messages/web': 'access-messages column-hints deeds messages review rows trail',
  'pipeline/controls':
    'batch-limits canary caps control-totals history pay-window payee-control rail-limits sent-today variance',
  'pipeline/documents': 'attach document-files documents-by-row documents-due',
  'pipeline/duplicates': 'duplicates resume-preview',
  'pipeline/intake': 'check-rows intake problem-report',
  'pipeline/payees': 'register-payees',
  'pipeline/plans': 'approved page plan plan-file plan-page plan-place plan-source policy-in-force retries write-plan',
  'pipeline/reconcile': 'absence list-scan match-payments reconcile run-scans',
  'pipeline/results': 'fallback-location report report-page',
  'pipeline/sending': 'backoff pay send-row signals together',
  'pipeline/settle': 'deposits funding payment-details settle',
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
  'pipeline/intake/problem-report.ts',
  'sheet/corrections/marked-rows.ts',
  'sheet/write/',
  // The answers of the embedded service.
  'service/http/',
];

/** Files that start processes or threads, or that run in a thread. */
const starters: Readonly<Record<string, string>> = {
  'node:child_process': 'cli/observe/notify cli/rehearsal sheet/xlsx/process/reader',
  'node:cluster': '',
  'node:worker_threads':
    'cli/compose/count-rows cli/compose/count-thread cli/perform/command-thread cli/perform/thread console/batches/reading console/batches/reading-thread console/inspection/inspect console/inspection/inspection-thread ledger/store/postgres/link ledger/store/postgres/postgres-thread',
};

/** What the process that reads workbooks may load of Node. */
const allowedToReader = [
  'node:buffer',
  'node:fs',
  'node:fs/promises',
  'node:module',
  'node:stream/promises',
  'node:zlib',
];

interface Import {
  readonly from: string;
  /** A file below src/, or the name of a package. */
  readonly to: string;
}

/** Returns what code imports, with types and imports at run time. A computed path is `…`. */
function importsOf(nodes: readonly Node[], from: string): Import[] {
  return nodes.flatMap(({ type, source: given, argument, callee, arguments: args }) => {
    const [first, base] = nodesOf(args);
    const isFile =
      type === 'NewExpression' && nameOf(callee) === 'URL' && nodeOf(nodeOf(base)?.object)?.type === 'MetaProperty';
    const names = isFile ? first : /^(Import|Export)/.test(type) ? given : null;
    const path = nodeOf(type === 'TSImportType' ? (given ?? argument) : names);
    if (path === null) return [];
    const to = textOf(path) ?? ' \u2026 ';
    return [{ from, to: to.startsWith('.') ? join(dirname(from), to).split(sep).join('/') : to }];
  });
}

const imports = files.flatMap((file) => importsOf(nodesIn(file), file));
/** True for code that reads what started the process, knows how a process ends, or writes a command. */
function usesCommandLine(node: Node): boolean {
  const { type, object, property, id, init, left, right, discriminant, elements, properties, callee } = node;
  const isProcess = (one: unknown) => nameOf(bare(one)) === 'process';
  const isExit = (one: unknown) => /^exit(Code)?$/.test(nameOf(bare(one)));
  const isOfProcess = (one: unknown) =>
    /^(env|argv|exit|exitCode|execPath|execArgv)$/.test(nameOf(one) || (textOf(one as Node) ?? ''));
  if (type === 'MemberExpression' && isProcess(object)) return isOfProcess(property);
  if (type === 'VariableDeclarator' && isProcess(init))
    return nodesOf(nodeOf(id)?.properties).some(({ key }) => isOfProcess(key));
  if (type === 'MemberExpression') return nameOf(object) === 'exitCodes';
  // Code that keeps the name of an exit code is found where it reads the code.
  if (type === 'ObjectPattern') return nodesOf(properties).some(({ key, value }) => isExit(key) && !isExit(value));
  if (type === 'CallExpression' && nameOf(callee) === 'includes') return nodesOf(node.arguments).some(isExit);
  if (type === 'SwitchStatement') return isExit(discriminant);
  if (type === 'BinaryExpression') return [left, right].some(isExit);
  const texts = type === 'ArrayExpression' ? nodesOf(elements).map((one) => textOf(one) ?? '') : [];
  return texts[0] === 'payrun' || texts.some((text) => /^--[a-z]/.test(text));
}

const inside = imports.filter(({ to }) => files.includes(to));
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
          stripTypeScriptTypes(codeOf(file));
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
    const lost = imports.filter(({ to }) => /\.(tsx?|js)$|\u2026/.test(to) && !files.includes(to));
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
    const byValue = (file: string) =>
      /^import (?!type\b)[^;]*['"]\.\.\/(?!\.\.\/messages\/)[^'"]*['"]/m.test(codeOf(file));
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

  const startersOf = (module: string) => imports.filter(({ to }) => to === module).map(({ from }) => from);

  it('walls: only these files start processes and threads, and only a rehearsal reads the JSON that Payrun prints', () => {
    for (const [module, names] of Object.entries(starters))
      expect(
        startersOf(module)
          .map((file) => file.replace('.ts', ''))
          .sort()
          .join(' '),
        module,
      ).toBe(names);
    const parsing = startersOf('node:child_process').filter((file) => codeOf(file).includes('JSON.parse'));
    expect(parsing).toEqual(['cli/rehearsal.ts']);
  });

  it('walls: only cli/ reads argv and the environment, exits, knows exit codes, and writes commands', () => {
    const starting = startersOf('node:child_process');
    const others = files.filter((file) => !/^(cli|messages)\//.test(file) && !starting.includes(file));
    const found = countIn(others, (file) => nodesIn(file).filter(usesCommandLine).length);
    expectAtMost(found, exceptions.exitCodeWriters, 'uses of the command line');
  });

  it.each(cases`
      process.env.HOME   process["argv"]   const { exit } = process   spawn(process.execPath, given)
      if (exit === 26) stop()   JSON.parse(out).exit !== 0   if (outcome.exit > 0) stop()
      switch (run.exitCode) { case 26: }   exitCodes[end]   run(["resume", batch, "--json"])
      const { exit: code } = JSON.parse(out)   [0, 21].includes(ran.exit)
      run(["payrun", "resume", ...given])
    Harmless:
      process.pid === child.pid   end === "paid"   const facts = { exit: shown, flag: "--sheet" }
      const facts = ({ exit }) => ({ exit })
      [name, "payrun.json"]
  `)('walls: %s uses the command line: %s', (code, isFound) => {
    expect(parsed(code).some(usesCommandLine)).toBe(isFound);
  });

  it.each([
    ["import { a } from '../cli/main.ts'", 'cli/main.ts'],
    ["export * from '../cli/main.ts'", 'cli/main.ts'],
    ["await import('../cli/main.ts')", 'cli/main.ts'],
    ['await import(`../cli/main.ts`)', 'cli/main.ts'],
    ["let a: import('../cli/main.ts').A", 'cli/main.ts'],
    ['await import(path)', ' \u2026 '],
    ["new Worker(new URL('../cli/main.ts', import.meta.url))", 'cli/main.ts'],
    ["new URL('../cli/main.ts', base.url)", undefined],
    ["Buffer.from('../cli/main.ts')", undefined],
  ])('doors: %s imports %s', (code, to) => {
    expect(importsOf(parsed(code), 'console/a.ts')[0]?.to).toBe(to);
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
      const text = codeOf(file).replace(/^#!.*\n/, '');
      return !/^\/\*\*?\s*(?:\n \* )?\S/.test(text);
    });
    expect(silent.map((file) => `${file}: open it with /** what it is for */`)).toEqual([]);
  });
});

describe('the sizes of the house', () => {
  const linesOf = (text: string) => text.split('\n').length - 1;

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
    const long = files.map((file) => [file, linesOf(codeOf(file))] as const).filter(([, lines]) => lines > 400);
    expectAtMost(new Map(long), exceptions.longFiles, 'lines');
  });

  it('a function has at most 70 lines', () => {
    const isLong = (file: string, { start, end }: Node) => codeOf(file).slice(start, end).split('\n').length > 70;
    const long = countIn(files, (file) => nodesIn(file).filter((one) => isFunction(one) && isLong(file, one)).length);
    expectAtMost(long, exceptions.longFunctions, 'long functions');
  });
});
