/** The witness: a ledger that was lost or restored learns that requests may still be under way. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openWitness, suspect } from '../../src/ledger/ledger.ts';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'payrun-witness-'));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe('suspicion', () => {
  const both = { a: { seq: 10, hash: 'ten', lastIntent: 1000 }, b: { seq: 5, hash: 'five', lastIntent: 3000 } };
  it.each([
    ['nothing was ever sent', {}, 'a', null, null],
    ['the ledger that sent', both, 'a', 'ten', null],
    ['a restored copy of it', both, 'a', null, { why: 'behind', lastIntent: 1000 }],
    ['a restored copy that wrote as much since', both, 'a', 'other', { why: 'behind', lastIntent: 1000 }],
    ['a ledger that nobody knows', both, 'c', 'ten', { why: 'new', lastIntent: 3000 }],
  ] as const)('%s', (_title, file, ledger, hash, expected) => {
    expect(suspect(file, ledger, (seq) => (seq === 10 ? hash : null))).toEqual(expected);
  });
});

describe('the file', () => {
  it('is its owner only, and keeps what other ledgers wrote', () => {
    const path = join(newFolder(), 'deep', 'witness.json');
    const witness = openWitness(path);
    expect(witness.read()).toEqual({});
    expect(witness.write('a', { seq: 1, hash: 'x', lastIntent: 10 })).toBeNull();
    expect(openWitness(path).write('b', { seq: 2, hash: 'y', lastIntent: 20 })).toBeNull();
    expect(witness.read()).toEqual({
      a: { seq: 1, hash: 'x', lastIntent: 10 },
      b: { seq: 2, hash: 'y', lastIntent: 20 },
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('that cannot be read bears no witness, and is written anew', () => {
    const path = join(newFolder(), 'witness.json');
    writeFileSync(path, '{"a":');
    expect(openWitness(path).read()).toEqual({});
    expect(openWitness(path).write('a', { seq: 1, hash: 'x', lastIntent: 10 })).toBeNull();
    expect(openWitness(path).read()).toEqual({ a: { seq: 1, hash: 'x', lastIntent: 10 } });
  });

  it('that cannot be written says why', () => {
    const path = join(newFolder(), 'witness.json');
    mkdirSync(path);
    expect(openWitness(path).write('a', { seq: 1, hash: 'x', lastIntent: 10 })).toMatchObject({
      fault: 'system',
      detail: expect.stringMatching(/directory/i),
    });
  });
});
