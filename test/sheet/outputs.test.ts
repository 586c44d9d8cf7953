/** The rule for files that Payrun writes among a person's files: what is replaced or removed, and what stays. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/base/digest.ts';
import {
  isReplaceable,
  keptNotes,
  numbered,
  recordSubmitted,
  removeOutput,
  writeOutput,
} from '../../src/sheet/write/owned-files.ts';

const record = '.payrun-files.jsonl';

function desk() {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-outputs-'));
  const path = join(folder, 'nov.result.csv');
  const write = async (text: string, more: { subject?: string; isPersonal?: boolean } = {}) =>
    basename(
      await writeOutput({ path, subject: 'batch nov', ...more }, async (handle) => await handle.appendFile(text)),
    );
  return { folder, path, write, second: join(folder, 'nov.result-2.csv') };
}

type Desk = ReturnType<typeof desk>;

describe('a second write', () => {
  const kept = 'nov.result-2.csv';
  test.each<[title: string, between: (desk: Desk) => unknown, name: string]>([
    ['replaces what Payrun wrote', () => {}, 'nov.result.csv'],
    ['takes the name again where the file is gone', ({ path }) => rmSync(path), 'nov.result.csv'],
    ['replaces a file of which only the time changed', ({ path }) => utimesSync(path, 1, 1), 'nov.result.csv'],
    ['keeps a file that a person changed', ({ path }) => appendFileSync(path, 'a note\n'), kept],
    [
      'keeps a changed file that has its old time',
      ({ path }) => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, 'two');
        utimesSync(path, atime, mtime);
      },
      kept,
    ],
    ['keeps a file that was submitted', async ({ path }) => await recordSubmitted(path), kept],
    [
      'takes the name again where a submitted file was moved away',
      async ({ folder, path }) => {
        await recordSubmitted(path);
        renameSync(path, join(folder, 'filed.csv'));
      },
      'nov.result.csv',
    ],
    [
      'keeps a file that was submitted through a link',
      async ({ folder, path }) => {
        symlinkSync(path, join(folder, 'link.csv'));
        await recordSubmitted(join(folder, 'link.csv'));
      },
      kept,
    ],
    [
      'keeps an older version that a person put back',
      async ({ folder, path, write }) => {
        copyFileSync(path, join(folder, 'old.csv'));
        await write('later');
        renameSync(join(folder, 'old.csv'), path);
      },
      kept,
    ],
    [
      'keeps a file of ours that a person gave this name',
      async ({ folder, path }) => {
        const other = { path: join(folder, 'dec.result.csv'), subject: 'batch nov' };
        await writeOutput(other, async (handle) => await handle.appendFile('december'));
        renameSync(other.path, path);
      },
      kept,
    ],
    [
      'keeps what a link of the name leads to',
      ({ folder, path }) => {
        renameSync(path, join(folder, 'target.csv'));
        symlinkSync(join(folder, 'target.csv'), path);
      },
      kept,
    ],
    [
      'leaves a folder of the name alone',
      ({ path }) => {
        rmSync(path);
        mkdirSync(path);
      },
      kept,
    ],
    [
      'keeps a file that users may read who cannot record that they submitted it',
      ({ path }) => chmodSync(path, 0o640),
      kept,
    ],
    [
      'replaces a file that other users may read and whose record they may write',
      ({ folder, path }) => {
        chmodSync(path, 0o644);
        chmodSync(join(folder, record), 0o666);
      },
      'nov.result.csv',
    ],
    ['keeps all files where the record is gone', ({ folder }) => rmSync(join(folder, record)), kept],
    [
      'keeps all files where the record is larger than any',
      ({ folder }) => appendFileSync(join(folder, record), 'x'.repeat(5 * 1024 * 1024)),
      kept,
    ],
    [
      'believes the record after a line that a dead process left unfinished',
      ({ folder }) => appendFileSync(join(folder, record), '{"name":"nov.result.csv","sha'),
      'nov.result.csv',
    ],
  ])('%s', async (_title, between, name) => {
    const at = desk();
    expect(await at.write('one')).toBe('nov.result.csv');
    await between(at);
    const before = name === kept && statSync(at.path).isFile() ? readFileSync(at.path, 'utf8') : null;
    expect(await at.write('new')).toBe(name);
    if (before !== null) expect(readFileSync(at.path, 'utf8')).toBe(before);
    expect(readFileSync(join(at.folder, name), 'utf8')).toBe('new');
    expect(await at.write('newer'), 'its own newest file is replaced again').toBe(name);
  });

  test('keeps a file about something else', async () => {
    const { write } = desk();
    await write('one');
    expect(await write('two', { subject: 'batch dec' })).toBe(kept);
    expect(await write('one again')).toBe('nov.result.csv');
  });

  test('keeps a file that became a batch elsewhere', async () => {
    const { path, second } = desk();
    const kept = new Set([sha256('one')]);
    const write = async (text: string) =>
      await writeOutput({ path, subject: 'batch nov', kept }, async (handle) => await handle.appendFile(text));
    await write('one');
    expect(await write('two')).toBe(second);
    expect(await removeOutput({ path, subject: 'batch nov', kept })).toBe(false);
  });

  test('keeps a file that holds a person’s work, however often it is written', async () => {
    const { write } = desk();
    await write('one', { isPersonal: true });
    expect(await write('two', { isPersonal: true })).toBe(kept);
    expect(await write('three')).toBe('nov.result-3.csv');
  });

  test('keeps a file that another program has open', async () => {
    const { path, second, write } = desk();
    await write('open in Excel');
    const busy = async (from: string, to: string) => {
      if (to === path) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
      renameSync(from, to);
    };
    const output = { path, subject: 'batch nov' };
    expect(await writeOutput(output, async (handle) => await handle.appendFile('new'), busy)).toBe(second);
    expect(readFileSync(path, 'utf8')).toBe('open in Excel');
    expect(await write('once it is closed')).toBe('nov.result.csv');
  });
});

test('a file that is written again as it was submitted is ours again', async () => {
  const { path, write } = desk();
  await write('one');
  await recordSubmitted(path);
  rmSync(path);
  for (const text of ['one', 'one', 'two']) expect(await write(text)).toBe('nov.result.csv');
});

test('two commands at once each keep their file, or the later one replaces the earlier', async () => {
  const { folder, write } = desk();
  const names = await Promise.all(Array.from({ length: 8 }, async (_, index) => await write(`of ${index}`)));
  for (const name of names) expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^of \d$/);
});

test('a process that dies before it can record the end leaves a file that is known as ours', async () => {
  const { folder, path, write } = desk();
  await write('one');
  const lines = readFileSync(join(folder, record), 'utf8').trimEnd().split('\n');
  expect(lines.at(-1)).toContain('"written"');
  writeFileSync(join(folder, record), `${lines.slice(0, -1).join('\n')}\n`);
  expect(await isReplaceable({ path, subject: 'batch nov' })).toBe(true);
});

test('only its owner may read it, and so the record', async () => {
  const { folder, path, write } = desk();
  await write('one');
  for (const file of [path, join(folder, record)]) expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a file that Payrun did not write is never recorded as submitted', async () => {
  const { folder } = desk();
  writeFileSync(join(folder, 'nov.csv'), 'mine');
  await recordSubmitted(join(folder, 'nov.csv'));
  await recordSubmitted(join(folder, 'none.csv'));
  expect(existsSync(join(folder, record))).toBe(false);
});

test('removes a file that it may replace, and no other', async () => {
  const { path, write } = desk();
  await write('one');
  expect(await removeOutput({ path, subject: 'batch dec' })).toBe(false);
  appendFileSync(path, 'mine');
  expect(await removeOutput({ path, subject: 'batch nov' })).toBe(false);
  writeFileSync(path, 'one');
  expect([await removeOutput({ path, subject: 'batch nov' }), existsSync(path)]).toEqual([true, false]);
});

test.each([
  ['nov.result.csv', 'nov.result-2.csv'],
  ['nov.pain.002.xml', 'nov-2.pain.002.xml'],
  ['nov.plan.Esi Owusu.sig.json', 'nov.plan.Esi Owusu-2.sig.json'],
  ['/a.b/nov.ACK', '/a.b/nov.ACK-2'],
])('%s is followed by %s', (first, second) => {
  expect([numbered(first, 1), numbered(first, 2)]).toEqual([first, second]);
});

test('says that a file was kept, and which one is new', () => {
  expect(keptNotes('/p/a.csv', '/p/a.csv')).toEqual([]);
  expect(keptNotes('/p/a.csv', '/p/a-2.csv')).toEqual([{ note: 'file-kept', kept: 'a.csv', written: 'a-2.csv' }]);
});
