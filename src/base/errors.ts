/** The error class for expected failures, and the checks for a programmer's mistakes. */
import type { ErrorCode, Failure, Refusal, RefusalFacts } from './refusal.ts';

type Given = { [C in ErrorCode]: [code: C, facts: RefusalFacts[C], options?: ErrorOptions] }[ErrorCode];

/** An expected failure. Its message is for logs and stacks only; `src/messages/refusals.ts` has its sentence. */
export class PayrunError extends Error {
  readonly code: ErrorCode;
  readonly facts: RefusalFacts[ErrorCode];
  constructor(...[code, facts, options]: Given) {
    super(`${code} ${JSON.stringify(facts)}`, options);
    this.name = 'PayrunError';
    this.code = code;
    this.facts = facts;
  }

  get refusal(): Refusal {
    return { code: this.code, facts: this.facts } as Refusal;
  }

  /** The same command fails in the same way before this time; null if the time is not known. */
  get until(): number | null {
    return 'until' in this.facts ? this.facts.until : null;
  }
}

/** Only the message of another error is taken. Its fields may hold headers and secrets. */
export const failureOf = (error: unknown): Failure =>
  error instanceof PayrunError ? error.refusal : { code: null, message: systemWords(error) };

export const errorOf = ({ code, facts }: Refusal) => new PayrunError(...([code, facts] as Given));

const folderFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'it is not a folder',
  EEXIST: 'it is not a folder',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is read-only here (a unit of systemd writes to its ReadWritePaths alone)',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk has no more room for this user',
};

/** Returns why a folder cannot be written to, in the system's words if there are no plainer ones. */
export function folderWords(error: unknown): string {
  return folderFaults[(error as NodeJS.ErrnoException).code ?? ''] ?? systemWords(error);
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
};

export function fileWords(error: unknown): string {
  return fileFaults[(error as NodeJS.ErrnoException).code ?? ''] ?? systemWords(error);
}

/** Throws if the condition is false, which is a programmer's mistake. It is safer to stop than to pay on wrong facts. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

const systemWords = (error: unknown) => (error instanceof Error ? error.message : String(error));
