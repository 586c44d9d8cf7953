/** The house of the design (section 3): floors, doors, walls, no circles, no junk drawers, and every file says what it is for. */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mainFile } from './program.ts';

const source = join(import.meta.dirname, '../src');

/** The rooms by floor; a room may use what stands below it. Rooms on one floor do not use each other. */
const floors: readonly (readonly string[])[] = [
  ['base'],
  ['domain'],
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
  app: ['run-batch', 'preview-batch', 'resolve-row'].map((name) => `app/${name}.ts`),
  watch: ['watch/watch.ts'],
  cli: [],
};

/** Who must never know of whom, however the floors lie. */
const walls: readonly (readonly [room: string, never: string, why: string])[] = [
  ['client', 'service', 'they meet on the wire only'],
  ['service', 'client', 'they meet on the wire only'],
  ['pipeline', 'service', 'it must not know whether the service is embedded'],
  ['workers', 'service', 'they must not know whether the service is embedded'],
  ['console', 'service', 'it must not know whether the service is embedded'],
];

/** What the process that reads workbooks may load of Node. */
const allowedToReader = ['node:buffer', 'node:fs', 'node:fs/promises', 'node:module', 'node:zlib'];

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

  it('has only rooms that the design knows', () => {
    const known = floors.flat();
    const strange = files.filter((file) => roomOf(file) !== '' && !known.includes(roomOf(file)));
    expect(strange.map((file) => `${file}: give its room a floor here and in the design, or move it`)).toEqual([]);
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

  it('walls: the page and its server share nothing but the words between them', () => {
    const page = 'console/page/';
    const across = inside.filter(({ from, to }) => from.startsWith(page) !== to.startsWith(page));
    const text = (file: string) => readFileSync(join(source, file), 'utf8');
    const byValue = (file: string) => /^import (?!type\b)[^;]*['"]\.\.\/[^'"]*['"]/m.test(text(file));
    expect(across.filter(({ to }) => to === 'console/api.ts').length).toBeGreaterThan(3);
    expect(
      across
        .filter(({ from, to }) => to !== 'console/api.ts' || byValue(from))
        .map(({ from, to }) => `${from} imports ${to}: import nothing but types, of console/api.ts alone`),
    ).toEqual([]);
  });

  it('walls: the rules of domain/ use no module of Node', () => {
    const impure = imports.filter(({ from, to }) => roomOf(from) === 'domain' && to.startsWith('node:'));
    expect(
      impure.map(({ from, to }) => `${from} imports ${to}: a rule has no I/O; hand it in, or put it in base/`),
    ).toEqual([]);
  });

  it('walls: only two files of the client send, one of them files alone', () => {
    const senders = imports.filter(
      ({ from, to }) => roomOf(from) === 'client' && ['got', 'node:http', 'node:https', 'undici'].includes(to),
    );
    expect([...new Set(senders.map(({ from }) => from))]).toEqual(['client/files.ts', 'client/http.ts']);
    const elsewhere = imports.filter(({ from, to }) => to === 'got' && roomOf(from) !== 'client');
    expect(elsewhere.map(({ from }) => `${from} imports got: calls go through client/`)).toEqual([]);
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
