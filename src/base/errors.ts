/** Errors with a code and facts, reasons why files and folders cannot be used, and assertions. */
import type { Fault, FileFault } from './faults/fault.ts';
import type { ErrorCode, Failure, Refusal, RefusalFacts } from './refusal.ts';

type Given = { [C in ErrorCode]: [code: C, facts: RefusalFacts[C], options?: ErrorOptions] }[ErrorCode];

/** An expected failure. `message` is for logs only; people read the sentence from `src/messages/refusals.ts`. */
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

  /** The time before which the same command would fail again; null if that time is unknown. */
  get until(): number | null {
    return 'until' in this.facts ? this.facts.until : null;
  }
}

/** Returns a PayrunError's code and facts. Returns only the message of other errors, whose fields may hold secrets. */
export const failureOf = (error: unknown): Failure =>
  error instanceof PayrunError ? error.refusal : { code: null, message: systemMessage(error) };

export const errorOf = ({ code, facts }: Refusal) => new PayrunError(...([code, facts] as Given));

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
  EDQUOT: 'disk-full',
};

const fileFaults: Readonly<Record<string, FileFaultKind>> = {
  ENOENT: 'no-file',
  EACCES: 'may-not-read',
  EPERM: 'may-not-read',
  EISDIR: 'is-folder',
};

export const folderFault = (error: unknown): FileFault => faultIn(folderFaults, error);
export const fileFault = (error: unknown): FileFault => faultIn(fileFaults, error);

export const systemFault = (error: unknown): FileFault => ({ fault: 'system', detail: systemMessage(error) });

function faultIn(known: Readonly<Record<string, FileFaultKind>>, error: unknown): FileFault {
  if (error instanceof FaultError) return error.fault as FileFault;
  const fault = known[(error as NodeJS.ErrnoException).code ?? ''];
  return fault === undefined ? systemFault(error) : ({ fault } as FileFault);
}

/** Throws if the condition is false. That is a bug, and stopping is safer than paying with wrong data. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** Returns only the message of an error of the system, because its other fields may hold secrets. */
export const systemMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Prevents an "unhandled rejection" if the promise fails before the caller awaits it. The await still throws. */
export function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
