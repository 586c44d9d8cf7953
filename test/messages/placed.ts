/** Checks that a command in a message can be pasted: it has every flag of its place that it accepts, and no other. */
import { expect } from 'vitest';
import { commands as table } from '../../src/cli/args/command-line.ts';
import { everyCommand } from '../../src/cli/args/command-table.ts';
import type { Place } from '../../src/messages/next-actions.ts';

/** The place of a refused command that named its user, its ledger and the sandbox. */
export const place: Place = { user: ' --as-user u1', ledger: ' --ledger a.db --sandbox' };

const commands = everyCommand(table).toSorted((a, b) => b.path.length - a.path.length);

export function expectPlaced(words: string): void {
  for (const [line] of words.matchAll(/\bpayrun (?:(?!\bpayrun )[^\n`])*/g)) {
    const command = commands.find(
      ({ path }) =>
        path !== '' && line.startsWith(`payrun ${path}`) && !/[\w-]/.test(line.charAt(`payrun ${path}`.length)),
    );
    const hasOwnPlace = line.includes(' --ledger ') && !line.includes(place.ledger.slice(0, ' --ledger a.db'.length));
    if (command === undefined || hasOwnPlace) continue;
    for (const option of ['as-user', 'ledger', 'sandbox'])
      expect(line.includes(` --${option}`), `${line}: --${option}`).toBe(option in command.options);
  }
}
