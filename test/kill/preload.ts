/**
 * `node --import preload.ts main.ts …`: POINT=`name:k` ends the process with SIGKILL at the k-th passing of that name;
 * FAIL=`name:k=fault` makes that call fail; UNSAFE=`intent` commits no intent before its payment was answered,
 * UNSAFE=`normal` opens the ledger with `synchronous=NORMAL`; COUNTS=FILE tells what was passed, and how often;
 * CERTAIN=FILE how many bytes of the log would outlast a power cut; AHEAD=MS sets the machine's clocks forward.
 */
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { type FaultName, faults } from './faults.ts';
import { watchPower, withoutFull } from './power.ts';
import { newWatcher, type Plan, watchProcess } from './seams.ts';

const { POINT, FAIL, UNSAFE, COUNTS, CERTAIN, AHEAD = '0' } = process.env;

const ahead = Number(AHEAD);
const { now } = Date;
const { uptime } = os;
Date.now = () => now() + ahead;
os.uptime = () => uptime() + ahead / 1000;
syncBuiltinESMExports();

/** A route has colons of its own: the number stands after the last one. */
function place(text: string): { name: string; k: number } {
  const at = text.lastIndexOf(':');
  return { name: text.slice(0, at), k: Number(text.slice(at + 1)) };
}

const plans: Plan[] = [];
if (POINT !== undefined) plans.push({ ...place(POINT), act: POINT.startsWith('half') ? 'half' : 'die' });
if (FAIL !== undefined) {
  const [at = '', fault] = FAIL.split('=');
  plans.push({ ...place(at), act: faults[fault as FaultName].act });
}
if (UNSAFE === 'intent') plans.push({ name: 'before commit of intent', k: 0, act: 'postpone' });
if (UNSAFE === 'normal') withoutFull();
if (CERTAIN !== undefined) watchPower(CERTAIN);

const watcher = newWatcher(process.cwd(), plans);
watchProcess(watcher);
process.once('exit', () => {
  if (COUNTS !== undefined) writeFileSync(COUNTS, JSON.stringify([...watcher.counts]));
});
