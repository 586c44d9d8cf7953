/**
 * Loaded into each measured process. At the end of the process, writes its resource usage to a file. If asked for, also
 * writes when the ledger blocked the event loop: from the start of each transaction until it was on the disk.
 */
import { writeFileSync } from 'node:fs';

const { PAYRUN_BENCH_USAGE: path, PAYRUN_BENCH_STALLS } = process.env;
/** Pairs of start and end, in milliseconds since 1970. */
const stalls = [];
if (PAYRUN_BENCH_STALLS !== undefined) watchCommits();
if (path !== undefined)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const usage = { maxRssKib: maxRSS, cpuMs: (userCPUTime + systemCPUTime) / 1000, stalls };
    writeFileSync(path, JSON.stringify(usage));
  });

function watchCommits() {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const now = () => performance.timeOrigin + performance.now();
  const { prepare } = DatabaseSync.prototype;
  let beganAt = 0;
  DatabaseSync.prototype.prepare = function (text, ...more) {
    const statement = prepare.call(this, text, ...more);
    if (text !== 'BEGIN' && text !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = (...values) => {
      if (text === 'BEGIN') beganAt = now();
      const changed = run(...values);
      if (text === 'COMMIT') stalls.push([beganAt, now()]);
      return changed;
    };
    return statement;
  };
}
