/** `node test/simulation/replay.ts SEED`: tells the whole story of one seed. */
import { tellAll } from './campaign.ts';
import { simulate } from './simulate.ts';

const told = await simulate(Number(process.argv[2] ?? 1));
process.stdout.write(tellAll(told));
process.exitCode = told.failures.length > 0 ? 1 : 0;
