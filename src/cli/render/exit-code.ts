/** The exit code of each end of a command (docs/reference/exit-codes.md). */
import type { ErrorCode } from '../../base/refusal.ts';
import type { End } from '../../domain/sending/end.ts';
import { refusalKind } from '../../pipeline/refusal-kind.ts';

export const signalExits = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof signalExits;

const exits: { readonly [K in Exclude<End, 'signal'>]: number } = {
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
export const exitOf = (end: End, signal: Signal | null = null): number =>
  end === 'signal' ? signalExits[signal ?? 'SIGINT'] : exits[end];

export const exitOfCode = (code: ErrorCode): number => exitOf(refusalKind(code));
