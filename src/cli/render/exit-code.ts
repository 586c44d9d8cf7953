/** The exit code of a command, also after a signal or a refusal. */
import type { ErrorCode } from '../../base/refusal.ts';
import { type End, exitCodes } from '../../domain/sending/end.ts';
import { refusalKind } from '../../pipeline/refusal-kind.ts';

export const signalExits = { SIGINT: exitCodes.signal, SIGTERM: 143, SIGHUP: 129 } as const;
export type Signal = keyof typeof signalExits;

/** `signal` is null if a page or a worker stopped the command. */
export const exitOf = (end: End, signal: Signal | null = null): number =>
  end === 'signal' && signal !== null ? signalExits[signal] : exitCodes[end];

export const exitOfCode = (code: ErrorCode): number => exitOf(refusalKind(code));
