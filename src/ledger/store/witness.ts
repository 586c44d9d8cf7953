/**
 * The witness: a file outside the ledger's folder that records when each ledger last sent with these credentials.
 * A new or restored ledger does not know of requests that are still under way, but the witness does (docs/explanation/safety.md).
 */
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder, syncFolder } from '../../base/folder.ts';
import { wordsOf } from '../../messages/refusals.ts';

export interface Witnessed {
  /** The number of the ledger's newest trail entry. A restored ledger has another hash at this number, or none. */
  readonly seq: number;
  readonly hash: string;
  /** The time of the last intent, in milliseconds since 1970. */
  readonly lastIntent: number;
}

export type WitnessFile = Readonly<Record<string, Witnessed>>;

export interface Witness {
  read(): WitnessFile;
  /** Writes the file. If that fails, returns why, and Payrun continues to pay without the file; null if it succeeds. */
  write(ledger: string, seen: Witnessed): string | null;
}

export interface Suspicion {
  readonly why: 'new' | 'behind';
  /** The time of an intent that this ledger may not know, in milliseconds since 1970. */
  readonly lastIntent: number;
}

/** Returns an intent that this ledger may not know; null if this ledger knows all intents. */
export function suspect(file: WitnessFile, ledger: string, hashAt: (seq: number) => string | null): Suspicion | null {
  const own = file[ledger];
  if (own !== undefined) return hashAt(own.seq) === own.hash ? null : { why: 'behind', lastIntent: own.lastIntent };
  const intents = Object.values(file).map(({ lastIntent }) => lastIntent);
  return intents.length === 0 ? null : { why: 'new', lastIntent: Math.max(...intents) };
}

export function openWitness(path: string): Witness {
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
    write(ledger, seen) {
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
        return wordsOf(error);
      }
    },
  };
}
