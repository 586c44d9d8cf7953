/** The exit code of each end of a command (docs/reference/exit-codes.md). */
import type { ErrorCode } from '../../base/refusal.ts';
import type { End, EndKind } from '../../domain/sending/end.ts';
import { endOfRefusal } from '../../pipeline/refusal-kind.ts';

export const signalExits = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof signalExits;

const exits: { readonly [K in Exclude<EndKind, 'signal'>]: number } = {
  done: 0,
  machine: 1,
  usage: 2,
  sheet: 20,
  unpaid: 21,
  doubt: 22,
  later: 23,
  busy: 24,
  service: 25,
  rule: 26,
  alarm: 27,
};

/** `signal` is null if a page or a worker stopped the command. */
export const exitOf = ({ why }: End, signal: Signal | null = null): number =>
  why === 'signal' ? signalExits[signal ?? 'SIGINT'] : exits[why];

export const exitOfCode = (code: ErrorCode): number => exitOf(endOfRefusal(code));
