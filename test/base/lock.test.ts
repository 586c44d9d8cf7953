/** Locks: who holds one, and whether that is this very process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { FaultError } from '../../src/base/errors.ts';
import { holdFile, isHeldElsewhere } from '../../src/base/lock.ts';
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
  expect(isHeldElsewhere(path)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const own = held();
  expect(isHeldElsewhere(path)).toBe(false);
  own.release();
});

it('a thread of this process is no other', async () => {
  const path = join(newFolder(), 'lock');
  const script = `(async () => { ${holds(path)} require('node:worker_threads').parentPort.postMessage('held');
    setInterval(() => {}, 1000); })()`;
  const thread = new Worker(script, { eval: true });
  atEnd(async () => void (await thread.terminate()));
  await once(thread, 'message');
  expect(isHeldElsewhere(path)).toBe(false);
});

it('tells its holder whole or not at all: whoever reads it meanwhile finds no number with the token of another', () => {
  const path = join(newFolder(), 'lock');
  holdFile(path, 1000, () => new Error('held')).release();
  const db = new DatabaseSync(path);
  atEnd(() => db.close());
  const holder = db.prepare('SELECT since, (SELECT value FROM token) AS token FROM holder');
  const before = holder.get();
  // As where the process ends between the two.
  db.exec("CREATE TRIGGER ends BEFORE INSERT ON token BEGIN SELECT RAISE(ABORT, 'it ended'); END");
  expect(() => holdFile(path, 2000, () => new Error('held'))).toThrow('it ended');
  expect(holder.get()).toEqual(before);
});
