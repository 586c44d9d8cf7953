/** The process that reads workbooks, and every way in which it can fail the program. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sha256 } from '../../src/base/digest.ts';
import { PayrunError } from '../../src/base/errors.ts';
import type { Refusal } from '../../src/base/refusal.ts';
import { type Cell, shownText } from '../../src/domain/rows/cell.ts';
import { wordsOf } from '../../src/messages/refusals.ts';
import type { RawRow } from '../../src/sheet/file/raw-row.ts';
import { openSheet, readCells } from '../../src/sheet/sheet.ts';
import {
  deadlineFor,
  openReader,
  type ReaderSettings,
  type ReadWorkbook,
} from '../../src/sheet/xlsx/process/reader.ts';
import { createRowDecoder, createRowEncoder } from '../../src/sheet/xlsx/process/reader-rows.ts';
import type { SheetExtras } from '../../src/sheet/xlsx/workbook.ts';
import { anyText } from '../any-text.ts';
import { until } from '../support.ts';
import { given, linesOf, refusal } from './given.ts';
import { openReader as openHere } from './here.ts';
import { row, xlsx } from './zip-builder.ts';

const source = join(import.meta.dirname, '../../src');
const urlOf = (file: string) => pathToFileURL(join(source, file)).href;
const header = row(1, 'name', 'amount', 'reference');
const small = () => given('small.xlsx', xlsx({ sheets: { A: header + row(2, 'A', 1, 'R') } }));

let made: string | null = null;

/** Enough to be read for a while. */
function large(): string {
  if (made !== null) return made;
  const rows = Array.from({ length: 20_000 }, (_, k) => row(k + 2, `Payee ${k}`, k + 1, `Reference ${k} of November`));
  made = given('large.xlsx', xlsx({ sheets: { A: header + rows.join('') } }));
  return made;
}

async function openWith(path: string, settings: ReaderSettings = {}, openBy = openReader): Promise<ReadWorkbook> {
  const file = await open(path);
  try {
    // Far more than any machine takes.
    return await openBy(file, (await file.stat()).size, { deadlineMs: 100_000, ...settings });
  } finally {
    await file.close();
  }
}

/** Processes that were started from here and are alive. */
function children(of: number | 'self' = 'self'): number[] {
  const tasks = readdirSync(`/proc/${of}/task`);
  const pids = tasks.flatMap((task) => readFileSync(`/proc/${of}/task/${task}/children`, 'utf8').trim().split(' '));
  return pids.filter((pid) => pid !== '' && isAlive(Number(pid))).map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** In KiB; 0 of a process that is about to end. */
const statusOf = (pid: number, field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);

/** A process in the reader's place that does what the text says. */
const instead = (does: string) =>
  given(
    'instead.mjs',
    `import { writeSync } from 'node:fs';
    const send = (reading, body) => {
      writeSync(1, Buffer.from(Uint32Array.of(body.length, reading).buffer));
      writeSync(1, body);
    };
    const tell = (answer) => send(0, Buffer.from(JSON.stringify(answer)));
    const opened = { kind: 'opened', date1904: false, sheets: [{ name: 'A', hidden: false }] };
    const extras = { widths: [], merges: [], maybeStruck: [], staleColumns: [] };
    const end = { kind: 'extras', reading: 1, isLast: true, extras };
    const rows = (numbers, text) =>
      send(1, Buffer.concat([Buffer.from(Int32Array.of(numbers.length, ...numbers).buffer), Buffer.from(text)]));
    // A row of one cell with the text 'a'.
    const row = (number) => rows([number, 0, 1, 7], 'a');
    ${does}`,
  );

const onTimer = globalThis.setTimeout;

/** What the program waits for while time stands still, but for what is let pass. */
async function whileTimeStands(act: (passes: (ms: number) => Promise<void>) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    await act(async (ms) => {
      while (vi.getTimerCount() === 0) await new Promise((done) => setImmediate(done));
      vi.advanceTimersByTime(ms);
    });
  } finally {
    vi.useRealTimers();
  }
}

/** Reads a workbook with a reader that does this. Returns why the workbook is refused; null if it is not refused. */
async function refusalOf(does: string, settings: ReaderSettings = {}): Promise<Refusal | null> {
  let workbook: ReadWorkbook | null = null;
  try {
    workbook = await openWith(small(), { entry: instead(does), ...settings });
    for await (const _ of workbook.rows(workbook.sheets[0]!));
    return null;
  } catch (error) {
    if (error instanceof PayrunError) return error.refusal;
    throw error;
  } finally {
    workbook?.close();
  }
}

const onLinux = process.platform === 'linux';

afterEach(async () => {
  if (onLinux) await until('no process is left behind', () => children().length === 0);
});

describe('a reader that fails is a sheet that is refused', () => {
  const nonsense: Refusal = { code: 'READER_ANSWER_UNREADABLE', facts: {} };
  const endedWith = (how: string): Refusal => ({ code: 'READER_FAILED', facts: { how } });
  /** These cases do not say how the reader ended, because timing decides if the parent sees a signal or an exit code. */
  const ended = { code: 'READER_FAILED', facts: {} };
  test.each<[string, string, object]>([
    ['ends at once', 'process.exit(3)', endedWith('3')],
    ['ends after the first rows', 'tell(opened); row(1); process.exit(0)', endedWith('0')],
    ['cannot even be loaded', "await import('./missing.mjs')", endedWith('1')],
    ['closes its answers and lives on', "(await import('node:fs')).closeSync(1); setInterval(() => {}, 1000)", ended],
    ['ends within an answer', 'writeSync(1, Buffer.from([9, 0, 0, 0, 0, 0, 0, 0, 0x7b]))', ended],
    ['answers text', "send(0, Buffer.from('Segmentation fault'))", nonsense],
    [
      'tells a refusal of its own',
      "tell({ kind: 'refused', refusal: { code: 'WORKBOOK_EMPTY', facts: {} } })",
      { code: 'WORKBOOK_EMPTY', facts: {} },
    ],
    ['sends rows before it is asked', 'row(1)', nonsense],
    [
      'sends a look instead of rows',
      "tell(opened); tell({ kind: 'look', reading: 1, look: { styles: [], kinds: [], rows: [], columns: [], frozen: null } })",
      nonsense,
    ],
    [
      'needs more heap than it may',
      'tell(opened); for (const all = []; ; ) all.push({ more: all.length })',
      { code: 'READER_LACKS_MEMORY', facts: {} },
    ],
  ])('%s', async (_, does, why) => {
    expect(await refusalOf(does)).toMatchObject(why);
  });

  test.each([
    ['before it has opened', 'for (;;);', null],
    ['while it reads', 'tell(opened); row(1); for (;;);', 1],
    ['doing nothing', 'tell(opened); setInterval(() => {}, 1000);', 0],
  ])('its deadline passes %s', async (_, does, batches) => {
    await whileTimeStands(async (passes) => {
      const opening = openWith(small(), { entry: instead(does), deadlineMs: 1500 });
      let waiting: Promise<unknown> = opening;
      if (batches !== null) {
        const workbook = await opening;
        const rows = workbook.rows(workbook.sheets[0]!);
        for (let taken = 0; taken < batches; taken += 1) await rows.next();
        waiting = rows.next();
      }
      const refused = expect(waiting).rejects.toThrow(
        expect.objectContaining({ code: 'READER_LATE', facts: { seconds: 2 } }),
      );
      await passes(1500);
      await refused;
    });
  });

  test('the deadline grows with the file: a small one is ended within forty seconds, a million rows have their time', () => {
    const mebibyte = 1024 ** 2;
    expect(deadlineFor(2000)).toBeLessThan(40_000);
    expect(deadlineFor(mebibyte)).toBeLessThanOrEqual(40_000);
    expect(deadlineFor(40 * mebibyte)).toBeGreaterThan(90_000);
  });

  test.runIf(onLinux)('the deadline is for the reader: what the program does meanwhile is not counted', async () => {
    const does = `process.once('SIGUSR2', () => { row(2); tell(end); process.exit(); });
      setInterval(() => {}, 1000); tell(opened); row(1);`;
    await whileTimeStands(async () => {
      const workbook = await openWith(small(), { entry: instead(does), deadlineMs: 1500 });
      const batches = workbook.rows(workbook.sheets[0]!);
      await batches.next();
      vi.advanceTimersByTime(2000);
      const second = batches.next();
      vi.advanceTimersByTime(1400);
      await new Promise((done) => setImmediate(done));
      // The answer comes and the deadline passes while the program is busy; as always, it then sees the deadline first.
      const passed = new Promise((done) => onTimer(() => done(vi.advanceTimersByTime(1700)), 0));
      const [pid] = children();
      process.kill(pid!, 'SIGUSR2');
      while (isAlive(pid!));
      await passed;
      expect((await second).value).toEqual([{ number: 2, cells: ['a'], hidden: false }]);
      workbook.close();
    });
  });

  test('the program of the reader is missing', async () => {
    expect(await refusalOf('', { entry: '/nowhere/reader.mjs' })).toMatchObject(endedWith('1'));
  });

  test.runIf(onLinux)('killed while its rows are taken', async () => {
    const workbook = await openWith(large());
    const batches = workbook.rows(workbook.sheets[0]!);
    await batches.next();
    for (const pid of children()) process.kill(pid, 'SIGKILL');
    await expect(async () => {
      for await (const _ of batches);
    }).rejects.toThrow(expect.objectContaining({ code: 'READER_FAILED', facts: { how: 'SIGKILL' } }));
    workbook.close();
  });

  test.runIf(onLinux)('texts that fill the memory', async () => {
    // Far below the limits of an archive, and more than the process may hold.
    const items = Array.from({ length: 400_000 }, (_, k) => `<si><t>${sha256(String(k)).padEnd(600, '-')}</t></si>`);
    const path = given('a.xlsx', xlsx({ sheets: { A: header }, strings: `<sst>${items.join('')}</sst>` }));
    let peak = 0;
    const watch = setInterval(() => {
      for (const pid of children()) peak = Math.max(peak, statusOf(pid, 'VmHWM') / 1024);
    }, 5);
    const answer = await refusal(path);
    clearInterval(watch);
    expect(answer).toEqual({ code: 'READER_LACKS_MEMORY', facts: {} });
    expect(peak).toBeGreaterThan(150);
    expect(peak).toBeLessThan(256);
  });
});

describe('how a sheet looks', () => {
  test('is told between two readings, also after one that was broken off', async () => {
    const workbook = await openWith(large());
    try {
      const [sheet] = workbook.sheets;
      for await (const rows of workbook.rows(sheet!)) {
        expect(rows[0]!.number).toBe(1);
        break;
      }
      const look = await workbook.look(sheet!);
      expect([look.rows.length, look.frozen]).toEqual([20_001, null]);
      let rows = 0;
      for await (const batch of workbook.rows(sheet!)) rows += batch.length;
      expect(rows).toBe(20_001);
    } finally {
      workbook.close();
    }
  });

  test.each([
    [
      'sends rows in its place',
      "process.stdin.on('data', () => rows([1, 0, 1, 7], 'a'))",
      { code: 'READER_ANSWER_UNREADABLE', facts: {} },
    ],
    ['ends', "process.stdin.on('data', () => process.exit(3))", { code: 'READER_FAILED', facts: { how: '3' } }],
  ])('is refused by a reader that %s', async (_, does, why) => {
    const workbook = await openWith(small(), { entry: instead(`tell(opened); ${does}`) });
    try {
      const refused = expect.objectContaining(why);
      await expect(workbook.look(workbook.sheets[0]!)).rejects.toThrow(refused);
    } finally {
      workbook.close();
    }
  });

  test('is refused by a reader that says nothing', async () => {
    await whileTimeStands(async (passes) => {
      const entry = instead("tell(opened); process.stdin.on('data', () => {})");
      const workbook = await openWith(small(), { deadlineMs: 1000, entry });
      const refused = expect(workbook.look(workbook.sheets[0]!)).rejects.toThrow(
        expect.objectContaining({ code: 'READER_LATE', facts: { seconds: 1 } }),
      );
      await passes(1000);
      await refused;
      workbook.close();
    });
  });
});

/** Everything that there is to be known of a workbook, or the words with which it is refused. */
async function knownOf(path: string, openBy: typeof openReader): Promise<unknown> {
  let workbook: ReadWorkbook | null = null;
  try {
    workbook = await openWith(path, {}, openBy);
    const { date1904, sheets } = workbook;
    const found = [];
    for (const sheet of sheets) {
      let extras: SheetExtras | null = null;
      const rows: RawRow[] = [];
      const takeExtras = (given: SheetExtras) => {
        extras = given;
      };
      for await (const batch of workbook.rows(sheet, takeExtras)) rows.push(...batch);
      const { widths, merges } = extras!;
      found.push({ name: sheet.name, hidden: sheet.hidden, widths, merges, rows, look: await workbook.look(sheet) });
    }
    return { date1904, found };
  } catch (error) {
    return wordsOf(error);
  } finally {
    workbook?.close();
  }
}

/** Most other tests read in their own process: this is why what they see holds for the program. */
test.each([
  'exceljs/dates-since-1904.xlsx',
  'exceljs/hidden-and-merged.xlsx',
  'exceljs/rich-text-and-links.xlsx',
  'exceljs/several-sheets.xlsx',
  'exceljs/validation-and-formats.xlsx',
  'hand/active-x.xlsx',
  'hand/cell-twice.xlsx',
  'hand/cell-under-another-name.xlsx',
])('the process tells of a workbook what is read here: %s', async (name) => {
  const path = join(import.meta.dirname, '../corpus', name);
  expect(await knownOf(path, openReader)).toEqual(await knownOf(path, openHere));
});

test('rows come out of the form in which they travel as they went in', () => {
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    anyText(),
    fc.constantFrom('', 'ZAR', 'South Africa', 'x'.repeat(65)),
    fc.record({
      kind: fc.constantFrom('number', 'text', 'date', 'boolean', 'error', 'uncached'),
      text: fc.string({ minLength: 1 }),
      shown: fc.string({ minLength: 1 }),
      formula: fc.boolean(),
      format: fc.constantFrom(null, '@', 'yyyy-mm-dd'),
      unseen: fc.constantFrom(null, 'format', 'letters', 'strike'),
      sum: fc.constantFrom(null, 'SUM(A2:A9)'),
    }),
  );
  const row = fc.record({
    number: fc.integer({ min: 1, max: 1_048_576 }),
    cells: fc.array(cell, { maxLength: 20 }),
    hidden: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(fc.array(row), { maxLength: 5 }), (batches) => {
      const encode = createRowEncoder();
      const decode = createRowDecoder();
      for (const rows of batches) expect(decode(encode(rows))).toEqual(rows);
    }),
  );
});

test('more texts that repeat than are remembered, and a batch larger than the room that was made for it', () => {
  const encode = createRowEncoder();
  const decode = createRowDecoder();
  const rows = Array.from({ length: 10_000 }, (_, k) => ({
    number: k + 1,
    cells: Array.from({ length: 20 }, (_, index) => `text ${(k * 20 + index) % 7000}`),
    hidden: false,
  }));
  for (let round = 0; round < 2; round++) expect(decode(encode(rows))).toEqual(rows);
});

test('thousands of rows over many chunks lose none, with shared strings and without', async () => {
  const count = 5000;
  const wide = row(1, 'name', 'account number', 'amount', 'reference');
  const rows = Array.from(
    { length: count },
    (_, k) =>
      `<row r="${k + 2}"><c r="A${k + 2}" t="s"><v>${k}</v></c><c r="B${k + 2}" t="inlineStr"><is><t>${String(k).padStart(8, '0')}</t></is></c><c r="C${k + 2}"><v>${k + 1}</v></c><c r="D${k + 2}" t="s"><v>${count}</v></c></row>`,
  ).join('');
  const strings = `<sst>${Array.from({ length: count }, (_, k) => `<si><t>Nämé ${k}</t></si>`).join('')}<si><t>SALARY</t></si></sst>`;
  const sheet = await openSheet(given('a.xlsx', xlsx({ sheets: { A: wide + rows }, strings })));
  const lines = await linesOf(sheet);
  expect(lines).toHaveLength(count);
  const wrong = lines.findIndex(
    ({ number, cells }, k) =>
      number !== k + 2 ||
      cells.name !== `Nämé ${k}` ||
      cells.account_number !== String(k).padStart(8, '0') ||
      shownText(cells.amount!) !== String(k + 1) ||
      cells.reference !== 'SALARY',
  );
  expect(wrong).toBe(-1);
});

describe('nothing is left behind, and nobody waits', () => {
  test('a reading that is broken off, and another one of the same workbook', async () => {
    const workbook = await openWith(large());
    for (let round = 0; round < 3; round++)
      for await (const batch of workbook.rows(workbook.sheets[0]!)) {
        expect(batch[0]!.cells[0]).toBe('name');
        break;
      }
    let rows = 0;
    for await (const batch of workbook.rows(workbook.sheets[0]!)) rows += batch.length;
    expect(rows).toBe(20_001);
    workbook.close();
  });

  test('lines that are broken off, lines that are read twice, and cells', async () => {
    const path = large();
    const sheet = await openSheet(path);
    for await (const _ of sheet.lines()) break;
    if (onLinux) await until('broken off', () => children().length === 0);
    expect(await linesOf(sheet)).toHaveLength(20_000);
    if (onLinux) await until('read', () => children().length === 0);
    expect((await readCells(path))[0]!.rows).toHaveLength(20_001);
  });

  test.runIf(onLinux)('a sheet whose lines nobody asks for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const sheet = await openSheet(small());
      expect(children()).toHaveLength(1);
      vi.advanceTimersByTime(10_000);
      vi.useRealTimers();
      await until('given up', () => children().length === 0);
      expect(await linesOf(sheet)).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a sheet that was opened and not read keeps no program from ending', () => {
    const script = `const { openSheet } = await import('${urlOf('sheet/sheet.ts')}');
      const sheet = await openSheet(process.argv[1]);
      console.log(sheet.header.length);`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script, small()], { timeout: 60_000 });
    expect(String(out)).toBe('3\n');
  });

  test.runIf(onLinux)('a sheet that is not taken is not read on', async () => {
    const workbook = await openWith(large());
    const batches = workbook.rows(workbook.sheets[0]!);
    await batches.next();
    const [pid] = children();
    const worked = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
    const sleeps = () => /^State:\s+S/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    // One that reads runs, or would run if it were let.
    let before = '';
    let looks = 0;
    await until('it reads no more', () => {
      looks = sleeps() && worked() === before ? looks + 1 : 0;
      before = worked();
      return looks > 40;
    });
    expect(statusOf(pid!, 'VmRSS') / 1024).toBeLessThan(150);
    workbook.close();
  });

  test.runIf(onLinux).each([
    ['waits to be asked', ''],
    ['waits for its rows to be taken', 'await workbook.rows(workbook.sheets[0]).next();'],
    ['reads', '(async () => { for await (const _ of workbook.rows(workbook.sheets[0])); })();'],
  ])('it ends with the program, while it %s', async (_, does) => {
    const script = `import { open } from 'node:fs/promises';
      const { openReader } = await import('${urlOf('sheet/xlsx/process/reader.ts')}');
      const file = await open(process.argv[1]);
      const workbook = await openReader(file, (await file.stat()).size);
      ${does}
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const program = spawn(process.execPath, ['--input-type=module', '-e', script, large()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(program.stdout, 'data');
    const [reader] = children(program.pid);
    expect(reader).toBeDefined();
    program.kill('SIGKILL');
    await until('ended', () => !isAlive(reader!));
  });
});

describe('what the reader may do', () => {
  /** What becomes of each attempt, in the process as it is confined when it reads. */
  async function attempts(): Promise<Record<string, string>> {
    const tried = {
      'read the program': `fs.readFileSync(${JSON.stringify(join(source, 'sheet/xlsx/process/reader.ts'))})`,
      'read another file': `fs.readFileSync(${JSON.stringify(join(source, '../README.md'))})`,
      'list a folder': "fs.readdirSync('/')",
      'write a file': "fs.writeFileSync('/tmp/payrun-reader-test', '')",
      'write into the program': `fs.writeFileSync(${JSON.stringify(join(source, 'sheet/new.ts'))}, '')`,
      'start a process': "childProcess.spawnSync('true')",
      'start a worker': "new worker.Worker('1', { eval: true })",
      'load native code': "process.dlopen({ exports: {} }, '/tmp/any.node')",
      'evaluate text': "Function('return 1')()",
      'signal a process': 'process.kill(process.ppid, 0)',
      fetch: "await fetch('http://127.0.0.1')",
      'open a socket': "(await import('node:net')).connect(9)",
      'resolve a name': "await (await import('node:dns')).promises.lookup('localhost')",
      'send a datagram': "(await import('node:dgram')).createSocket('udp4')",
      'get at a socket': 'new process.stdin.constructor()',
      'find a part of Node': "process.getBuiltinModule('net').connect(9)",
      'find it by its old name': "process.binding('tcp_wrap')",
      'make a require': "(await import('node:module')).createRequire('/')('net')",
    };
    const script = `import fs from 'node:fs';
      import childProcess from 'node:child_process';
      import worker from 'node:worker_threads';
      import { confine } from '${urlOf('sheet/xlsx/process/confinement.ts')}';
      confine();
      const found = [['environment', Object.keys(process.env).join(' ')]];
      const attempt = async (name, act) => {
        found.push([name, await act().then(() => 'done', (error) => error.code ?? error.constructor.name)]);
      };
      ${Object.entries(tried)
        .map(([name, code]) => `await attempt(${JSON.stringify(name)}, async () => { ${code} });`)
        .join('\n')}
      tell({ ...opened, sheets: found.map((pair) => ({ name: pair.join('|'), hidden: false })) });
      setInterval(() => {}, 1000);`;
    const workbook = await openWith(small(), { entry: instead(script) });
    workbook.close();
    return Object.fromEntries(workbook.sheets.map(({ name }) => name.split('|') as [string, string]));
  }

  test('it reads the program and nothing else, writes nothing, starts nothing, and has no way out', async () => {
    const secrets = { PAYRUN_API_KEY: 'key', PAYRUN_API_SECRET: 'secret', NODE_OPTIONS: '' };
    for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
    const { environment, ...found } = await attempts();
    vi.unstubAllEnvs();
    expect(environment).toBe('');
    expect(found).toEqual({
      'read the program': 'done',
      'read another file': 'ERR_ACCESS_DENIED',
      'list a folder': 'ERR_ACCESS_DENIED',
      'write a file': 'ERR_ACCESS_DENIED',
      'write into the program': 'ERR_ACCESS_DENIED',
      'start a process': 'ERR_ACCESS_DENIED',
      'start a worker': 'ERR_ACCESS_DENIED',
      'load native code': 'TypeError',
      'evaluate text': 'EvalError',
      'signal a process': 'TypeError',
      fetch: 'ReferenceError',
      'open a socket': 'Error',
      'resolve a name': 'Error',
      'send a datagram': 'Error',
      'get at a socket': 'TypeError',
      'find a part of Node': 'TypeError',
      'find it by its old name': 'TypeError',
      'make a require': 'Error',
    });
  });

  test.runIf(onLinux)('the process that reads has an empty environment', async () => {
    vi.stubEnv('PAYRUN_API_SECRET', 'secret');
    const workbook = await openWith(small());
    const [pid] = children();
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).toBe('');
    vi.unstubAllEnvs();
    workbook.close();
  });
});
