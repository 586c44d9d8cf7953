/** A person's reason is in the person's words. */
import { expect, it } from 'vitest';
import { endProposal } from '../../src/app/end-proposal.ts';
import { endPause, pauseBatch } from '../../src/app/pause-batch.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { heldClock } from '../held-clock.ts';

// No ledger is needed, because nothing is read before the refusal.
const deps = { ledger: {} as Ledger, clock: heldClock() };
const person = { driver: 'console', name: 'Ama', account: 1 } as const;

it.each<[string, (reason: string) => Promise<unknown>]>([
  ['a pause', async (reason) => await pauseBatch(deps, { batch: 'nov', reason }, person)],
  ['the end of a pause', async (reason) => await endPause(deps, { batch: 'nov', reason }, person)],
  ['a decline', async (reason) => await endProposal(deps, { batch: 'nov', ending: 'plan-declined', reason }, person)],
])('%s is refused with the words that stand for a reason', async (_, decide) => {
  for (const said of ['TEXT', ' REASON ', 'the reason'])
    await expect(decide(said)).rejects.toMatchObject({ code: 'REASON_PLACEHOLDER', facts: { said: said.trim() } });
});
