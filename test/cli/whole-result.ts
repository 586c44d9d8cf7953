import { join } from 'node:path';
import { expect } from 'vitest';
import { command, type Desk } from '../support.ts';

/** Expects that an auditor finds the result whole, with the ledger and with the exported trail alone. */
export async function expectWhole(desk: Desk, result: string | null): Promise<void> {
  const trail = join(desk.folder, 'trail.jsonl');
  await command(desk, ['audit', 'export', '--out', trail]);
  for (const more of [[], ['--trail', trail]]) {
    const { exit, out } = await command(desk, ['audit', 'verify', '--result', result ?? '', ...more]);
    expect([exit, out]).toEqual([0, expect.stringContaining('Whole')]);
  }
}
