/** The rule that a person gives each reason in their own words, because the trail keeps it as the person's decision. */
import { PayrunError } from '../../base/errors.ts';
import type { Command } from './command.ts';

/** Printed commands have these words in the place of a reason, and people copy them as they are. */
const placeholders = ['TEXT', 'REASON', 'the reason'];

export function requireOwnWords(reason: string): void {
  if (placeholders.includes(reason.trim())) throw new PayrunError('REASON_PLACEHOLDER', { said: reason.trim() });
}

export function requireOwnReasons(command: Command): void {
  const { confirmRepeat, confirmVariance } = command;
  const reason = 'decision' in command ? command.decision.reason : 'reason' in command ? command.reason : undefined;
  for (const said of [reason, confirmRepeat, confirmVariance]) if (said !== undefined) requireOwnWords(said);
}
