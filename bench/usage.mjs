/** Loaded into each measured process: leaves what it used in a file as the last thing it does. */
import { writeFileSync } from 'node:fs';

const path = process.env.PAYRUN_BENCH_USAGE;
if (path !== undefined)
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(path, JSON.stringify({ maxRssKib: maxRSS, cpuMs: (userCPUTime + systemCPUTime) / 1000 }));
  });
