/** Checks that a command in a message can be pasted: it has the program's name, and every flag of its place that it accepts. */
import { expect } from 'vitest';
import { commands as table } from '../../src/cli/args/command-line.ts';
import { everyCommand } from '../../src/cli/args/command-table.ts';
import { inProgram } from '../../src/messages/format/program.ts';
import type { Place } from '../../src/messages/next-actions.ts';

/** The place of a refused command that named its user, its ledger and the sandbox. */
export const place: Place = { user: ' --as-user u1', ledger: ' --ledger a.db --sandbox' };

const reader = 'npm start --';

const commands = everyCommand(table)
  .filter(({ path }) => path !== '')
  .toSorted((a, b) => b.path.length - a.path.length);

/** Returns the commands of a program in a text, each with the rest of its line. */
const commandsIn = (text: string, program: string) =>
  text
    .split(`${program} `)
    .slice(1)
    .flatMap((rest) => {
      const line = rest.split(/[\n`]/, 1)[0] ?? '';
      const command = commands.find(({ path }) => line.startsWith(path) && !/[\w-]/.test(line.charAt(path.length)));
      return command === undefined ? [] : [{ line, command }];
    });

/** The words are those for a reader who started Payrun with another name. Texts that leave the terminal have `payrun`. */
export function expectPlaced(words: () => string, program: 'payrun' | typeof reader = reader): void {
  const text = inProgram(reader, words);
  expect(commandsIn(text, program === reader ? 'payrun' : reader), text).toEqual([]);
  for (const { line, command } of commandsIn(text, program)) {
    const hasOwnPlace = line.includes(' --ledger ') && !line.includes(place.ledger.slice(0, ' --ledger a.db'.length));
    if (hasOwnPlace) continue;
    for (const option of ['as-user', 'ledger', 'sandbox'])
      expect(line.includes(` --${option}`), `${line}: --${option}`).toBe(option in command.options);
  }
}
