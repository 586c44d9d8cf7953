/** Reads and writes the witness: a file that says when each ledger last sent (docs/explanation/safety.md). */
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { folderFault } from '../../base/errors.ts';
import { makeFolder, syncFolder } from '../../base/folder.ts';

export interface Witnessed {
  /** The ledger's newest trail entry. A restored ledger has another hash for `seq`, or no such entry. */
  readonly seq: number;
  readonly hash: string;
  /** In milliseconds since 1970. */
  readonly lastIntent: number;
}

export type WitnessFile = Readonly<Record<string, Witnessed>>;

/** `new`: the file names only other ledgers. `behind`: the trail of `ledger` lacks the entry that the file names. */
export function suspect(file: WitnessFile, ledger: string, hashAt: (seq: number) => string | null) {
  const own = file[ledger];
  if (own !== undefined)
    return hashAt(own.seq) === own.hash ? null : { why: 'behind' as const, lastIntent: own.lastIntent };
  const intents = Object.values(file).map(({ lastIntent }) => lastIntent);
  return intents.length === 0 ? null : { why: 'new' as const, lastIntent: Math.max(...intents) };
}

export type Witness = ReturnType<typeof openWitness>;

export function openWitness(path: string) {
  const read = (): WitnessFile => {
    try {
      const file: unknown = JSON.parse(readFileSync(path, 'utf8'));
      return typeof file === 'object' && file !== null ? (file as WitnessFile) : {};
    } catch {
      // A missing or unreadable file proves nothing, so it counts as empty.
      return {};
    }
  };
  return {
    read,
    /** Returns null after success, or the reason of a failure. Payrun continues to pay after a failure. */
    write(ledger: string, seen: Witnessed) {
      try {
        makeFolder(dirname(path));
        const temporary = `${path}.${process.pid}.tmp`;
        const handle = openSync(temporary, 'w', 0o600);
        try {
          writeSync(handle, JSON.stringify({ ...read(), [ledger]: seen }));
          fsyncSync(handle);
        } finally {
          closeSync(handle);
        }
        chmodSync(temporary, 0o600);
        renameSync(temporary, path);
        syncFolder(dirname(path));
        return null;
      } catch (error) {
        return folderFault(error);
      }
    },
  };
}
