/** The exit codes of docs/reference/exit-codes.md. Inside the program, only the end's word counts. */
import type { End } from '../../domain/sending/end.ts';

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** A command at a terminal knows which signal stopped it. `signal`: a page or a worker stopped the command. */
export type TerminalEnd = End | Signal;

const codes: { readonly [E in TerminalEnd]: number } = {
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
  signal: 130,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

export const exitOf = (end: TerminalEnd): number => codes[end];
