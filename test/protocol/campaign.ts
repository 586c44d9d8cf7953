/** The long run of the fault matrix: every row of it at every width, round after round, each with another payment that goes wrong. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Campaign, CampaignOrder } from '../kill/campaign.ts';
import { temporary } from '../temporary.ts';

const root = join(import.meta.dirname, '../..');
const widths = [1, 4, 16];

export async function matrixCampaign({ seed, minutes }: CampaignOrder): Promise<Campaign> {
  const end = performance.now() + minutes * 60_000;
  let next = seed;
  let held = 0;
  let broken = 0;
  do {
    const round = await playRound(next);
    held += round.held;
    broken += round.broken.length;
    if (round.broken.length > 0) process.stdout.write(`seed ${next}:\n  ${round.broken.join('\n  ')}\n`);
    next += 1;
  } while (performance.now() < end);
  const what = `${held + broken} cases of the fault matrix, with concurrency ${widths.join(', ')}`;
  return { lastSeed: next - 1, trials: held + broken, what, found: { 'broken rows': broken } };
}

interface Report {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

async function playRound(seed: number): Promise<{ held: number; broken: string[] }> {
  const folder = mkdtempSync(join(temporary, 'payrun-matrix-'));
  try {
    const file = join(folder, 'report.json');
    const words = ['run', 'test/protocol/matrix.test.ts', '--reporter=json', `--outputFile=${file}`];
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), ...words], {
      cwd: root,
      env: { ...process.env, PAYRUN_TEST_CONCURRENCY: widths.join(','), PAYRUN_TEST_SEED: String(seed) },
      stdio: 'ignore',
    });
    const exit = await new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done));
    const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
    const held = cases.filter(({ status }) => status === 'passed').length;
    const broken = cases
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('; ')}`);
    // A round that broke off before its first case, or in the middle, has proven nothing.
    if (held + broken.length < widths.length || (exit !== 0 && broken.length === 0))
      broken.push(`the round broke off (${exit}): ${testResults.map(({ message }) => message).join('; ')}`);
    return { held, broken };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
