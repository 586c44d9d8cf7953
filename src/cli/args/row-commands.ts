/** The commands `release`, `drop` and `reopen`, with which a person decides about rows. */
import type { Argv, CommandModule } from 'yargs';
import type { Handle } from '../compose/world.ts';
import { withApproval, withClosing, withOutput, withPayer, withRelease, withResult } from './options.ts';

export const rowCommands = (handle: Handle): CommandModule[] => [
  {
    command: 'release <batch>',
    describe: "Release a row that is held because its payee's account changed; needs a second person",
    builder: (y) => withRelease(ofBatch(y)),
    handler: handle(async (args, world) => (await import('../commands/settle.ts')).releaseHeld(args, world)),
  },
  {
    command: 'drop <batch>',
    describe: 'Close rows, so that they are never sent',
    builder: (y) => withClosing(ofBatch(y)),
    handler: handle(async (args, world) => (await import('../commands/settle.ts')).closeRows('drop', args, world)),
  },
  {
    command: 'reopen <batch>',
    describe: 'Open rows again that a person closed',
    builder: (y) => withApproval(withClosing(ofBatch(y))).option('key', signing),
    handler: handle(async (args, world) => (await import('../commands/settle.ts')).closeRows('reopen', args, world)),
  },
];

const ofBatch = <T>(y: Argv<T>) =>
  withResult(withPayer(withOutput(y.positional('batch', { type: 'string', describe: "The batch's name" }))));

const signing = {
  type: 'string',
  requiresArg: true,
  describe: 'The key of an approver, if a policy is in force',
} as const;
