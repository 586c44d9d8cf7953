/**
 * The witness: outside the ledger's folder, what was last sent with the same credentials, and by which ledger. A ledger that was lost,
 * or restored from an old copy, cannot know of requests that are still under way; the witness does (design 4.4).
 */
import { chmodSync, closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { wordsOf } from '../../base/errors.ts';
import { makeFolder, syncFolder } from '../../base/folder.ts';

export interface Witnessed {
  /** The trail's last entry when it was written, and its hash: a ledger that was restored has another one there, or none. */
  readonly seq: number;
  readonly hash: string;
  /** No intent was written after this moment (milliseconds since 1970). */
  readonly lastIntent: number;
}

/** Of one service and caller: what each ledger that paid with them had sent. */
export type WitnessFile = Readonly<Record<string, Witnessed>>;

export interface Witness {
  read(): WitnessFile;
  /** Returns why it could not be written, or null: paying goes on without it. */
  write(ledger: string, seen: Witnessed): string | null;
}

export interface Suspicion {
  readonly why: 'new' | 'behind';
  /** The newest intent that this ledger may not know. */
  readonly lastIntent: number;
}

/** Whether this ledger may not know of something that was sent a moment ago: pure. */
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
      // None yet, or one that nobody can read: it bears no witness.
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
