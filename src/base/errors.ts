/** Errors with a code and facts, reasons why files and folders cannot be used, and assertions. */
import type { Fault, FileFault, OptionFault } from './faults/fault.ts';
import type { ErrorCode, Failure, Refusal, RefusalFacts } from './refusal.ts';
import { byWord } from './words.ts';

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

export const failureOf = (error: unknown): Failure =>
  error instanceof PayrunError ? error.refusal : { code: null, why: faultOf(error) };

export const errorOf = ({ code, facts }: Refusal) => new PayrunError(...([code, facts] as Given));

export class FaultError extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(JSON.stringify(fault));
    this.fault = fault;
  }
}

type FileFaultKind = FileFault['fault'];

const folderFaults = byWord<FileFaultKind>({
  'no-folder': 'ENOENT',
  'not-a-folder': 'ENOTDIR EEXIST',
  'may-not-write': 'EACCES EPERM',
  'read-only': 'EROFS',
  'disk-full': 'ENOSPC EDQUOT',
});
const fileFaults = byWord<FileFaultKind>({
  'no-file': 'ENOENT',
  'may-not-read': 'EACCES EPERM',
  'is-folder': 'EISDIR',
});

export const folderFault = (error: unknown) => faultIn<FileFault>(folderFaults, error);
export const fileFault = (error: unknown) => faultIn<FileFault>(fileFaults, error);

export const refuseUnreadable =
  (path: string) =>
  (error: unknown): never => {
    throw new PayrunError('FILE_UNREADABLE', { path, why: fileFault(error) });
  };

/** Runs `read`. Throws FILE_UNREADABLE if the file at `path` cannot be read. */
export function readOrRefuse<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return refuseUnreadable(path)(error);
  }
}

const listenFaults = byWord<OptionFault['fault']>({
  'address-is-in-use': 'EADDRINUSE',
  'address-is-not-allowed': 'EACCES',
  'address-is-elsewhere': 'EADDRNOTAVAIL',
});

export const listenFault = (error: unknown) => faultIn<FileFault | OptionFault>(listenFaults, error);

/** Quotes only the message of an error of the system or of a library, whose fields may hold secrets. */
export const systemFault = (error: unknown): FileFault => ({ fault: 'system', detail: systemText(error) });

export const faultOf = (error: unknown): Fault => (error instanceof FaultError ? error.fault : systemFault(error));

function faultIn<F extends Fault>(known: ReadonlyMap<string, F['fault']>, error: unknown): F | FileFault {
  if (error instanceof FaultError) return error.fault as F;
  const fault = known.get((error as NodeJS.ErrnoException).code ?? '');
  return fault === undefined ? systemFault(error) : ({ fault } as F);
}

/** Throws if the condition is false. That is a bug, and stopping is safer than paying with wrong data. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}

/** For a host with several addresses, the error contains one error for each address, and no message. */
export const systemText = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(systemText).join('; ') : messageOf(error);
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Prevents an "unhandled rejection" if the promise fails before the caller awaits it. The await still throws. */
export function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
