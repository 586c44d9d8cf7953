import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileFault } from '../../src/base/errors.ts';
import { readSmallFile } from '../../src/base/small-file.ts';

describe('a small file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'payrun-small-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const wordsFor = (path: string) => {
    try {
      return readSmallFile(path, 1024);
    } catch (error) {
      return fileFault(error);
    }
  };

  it.each([
    ['is read whole, to the last byte that it may have', 'x'.repeat(1024), 'x'.repeat(1024)],
    ['is read without the mark of its encoding', '\uFEFF{"rows":3}', '{"rows":3}'],
    ['that is larger is refused', 'x'.repeat(1025), { fault: 'too-large', kilobytes: 1 }],
  ])('%s', (_, content, words) => {
    const path = join(folder, 'file');
    writeFileSync(path, content);
    expect(wordsFor(path)).toEqual(words);
  });

  it('is no folder, no pipe that nobody writes to, no device that never ends, and is there', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect([folder, pipe, '/dev/zero'].map(wordsFor)).toEqual([
      { fault: 'not-a-file' },
      { fault: 'not-a-file' },
      { fault: 'not-a-file' },
    ]);
    expect(wordsFor(join(folder, 'none'))).toEqual({ fault: 'no-file' });
  });
});
