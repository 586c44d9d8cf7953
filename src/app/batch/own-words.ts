/** Refuses reasons without a meaning, because the trail keeps a reason as the person's decision. */
import { PayrunError } from '../../base/errors.ts';
import type { Command } from './command.ts';

/** Printed commands have these words in the place of a reason, and people copy them as they are. */
const placeholders = ['TEXT', 'REASON', 'the reason'];

/** Throws `REASON_PLACEHOLDER` for the words that stand for a reason. */
export function requireOwnWords(reason: string): void {
  if (placeholders.includes(reason.trim())) throw new PayrunError('REASON_PLACEHOLDER', { said: reason.trim() });
}

/** Throws `REASON_PLACEHOLDER` if a reason in the command is no person's words. */
export function requireOwnReasons(command: Command): void {
  const { confirmRepeat, confirmVariance } = command;
  const reason = 'decision' in command ? command.decision.reason : 'reason' in command ? command.reason : undefined;
  for (const said of [reason, confirmRepeat, confirmVariance]) if (said !== undefined) requireOwnWords(said);
}
