/** Locks: who holds one, and that it ends with its process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FaultError } from '../../src/base/errors.ts';
import { holdFile, isFileHeld } from '../../src/base/lock.ts';
import { atEnd } from '../endings.ts';
import { newFolder } from '../support.ts';

const lockModule = JSON.stringify(join(import.meta.dirname, '../../src/base/lock.ts'));
const holds = (path: string) =>
  `(await import(${lockModule})).holdFile(${JSON.stringify(path)}, Date.now(), () => new Error('held'));`;

it('another process holds it also where it has this one’s number, as the first of each container has', async () => {
  const path = join(newFolder(), 'lock');
  const script = `Object.defineProperty(process, 'pid', { value: ${process.pid} });
    ${holds(path)} console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const held = () => holdFile(path, Date.now(), (holder) => new FaultError(holder));
  expect(held).toThrow(
    expect.objectContaining({ fault: { fault: 'held-by-process', process: process.pid, since: expect.any(Number) } }),
  );
  expect(isFileHeld(path)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isFileHeld(path)).toBe(false);
  held().release();
});
