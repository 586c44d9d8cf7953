/** The error class for expected failures, and the checks for a programmer's mistakes. */
import type { Fault, FileFault } from './faults/fault.ts';
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

  /** The time before which the same command fails in the same way; null if that time is not known. */
  get until(): number | null {
    return 'until' in this.facts ? this.facts.until : null;
  }
}

/** Returns a refusal, or else only an error's message, because its other fields may hold headers and secrets. */
export const failureOf = (error: unknown): Failure =>
  error instanceof PayrunError ? error.refusal : { code: null, message: systemWords(error) };

export const errorOf = ({ code, facts }: Refusal) => new PayrunError(...([code, facts] as Given));

/** An error with a typed reason. The code that catches it puts the reason into a refusal. */
export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.fault);
    this.fault = fault;
  }
}

type FileFaultKind = FileFault['fault'];

const folderFaults: Readonly<Record<string, FileFaultKind>> = {
  ENOENT: 'no-folder',
  ENOTDIR: 'not-a-folder',
  EEXIST: 'not-a-folder',
  EACCES: 'may-not-write',
  EPERM: 'may-not-write',
  EROFS: 'read-only',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full-for-user',
};

const fileFaults: Readonly<Record<string, FileFaultKind>> = {
  ENOENT: 'no-file',
  EACCES: 'may-not-read',
  EPERM: 'may-not-read',
  EISDIR: 'is-folder',
};

/** Returns why a folder cannot be written to, in the system's words if no fault is known for it. */
export const folderFault = (error: unknown): FileFault => faultIn(folderFaults, error);
export const fileFault = (error: unknown): FileFault => faultIn(fileFaults, error);

export const systemFault = (error: unknown): FileFault => ({ fault: 'system', detail: systemWords(error) });

function faultIn(known: Readonly<Record<string, FileFaultKind>>, error: unknown): FileFault {
  if (error instanceof FaultError) return error.fault as FileFault;
  const fault = known[(error as NodeJS.ErrnoException).code ?? ''];
  return fault === undefined ? systemFault(error) : ({ fault } as FileFault);
}

/** Throws if the condition is false, because of a programmer's mistake. To stop is safer than to pay on wrong data. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

const systemWords = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Marks a promise as handled, so that its failure is reported only where it is awaited. */
export function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
