/** Documents that lie in the folder `documents` under a row's own id: `INV-204.pdf` and `INV-204 page 2.png` are those of row INV-204. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { counted } from '../../base/words.ts';

const folderName = 'documents';

/** What may follow the id: never a letter or a digit, so that row 1 is not given `10-invoice.pdf`. */
const afterId = /[._ (-]/g;

/** Names are compared without regard to case, as people write them; one that agrees to the letter comes first. */
const folded = (text: string) => text.normalize('NFC').toLowerCase();

/** The ids that a file's name may begin with, longest first: `INV-1-2.pdf` is that of row INV-1-2, and of INV-1 only where there is no such row. */
export function idsOf(name: string): string[] {
  if (name.startsWith('.')) return [];
  return [name, ...[...name.matchAll(afterId)].map(({ index }) => name.slice(0, index)).reverse()];
}

export interface Filed {
  /** Whether a file may be the row's; while rows are still to come, another may have more of it. */
  mayHave(rowId: string): boolean;
  /** Each row's, whether it can be paid or not: a file of a bad row is nobody else's. */
  claim(rowId: string, row: number): void;
  /** By their names below the documents folder; `fault` where several rows have the same claim. */
  found(): Iterable<{ readonly name: string; readonly rows: readonly number[]; readonly fault: string | null }>;
}

interface Claim {
  readonly id: string;
  readonly row: number;
}

/** `documents` in the documents folder; that folder itself, where it has this name. No path is ever made of a row's id. */
export async function openFiled(documentsFolder: string): Promise<Filed | null> {
  const within = basename(documentsFolder) === folderName ? '' : folderName;
  const entries = await readdir(join(documentsFolder, within), { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
  const wanted = new Set(names.flatMap((name) => idsOf(name).map(folded)));
  if (wanted.size === 0) return null;
  const claims = new Map<string, Claim[]>();
  return {
    mayHave: (rowId) => wanted.has(folded(rowId)),
    claim(id, row) {
      const key = folded(id);
      if (!wanted.has(key)) return;
      const list = claims.get(key);
      if (list === undefined) claims.set(key, [{ id, row }]);
      else list.push({ id, row });
    },
    *found() {
      for (const name of names.sort()) {
        const id = idsOf(name).find((one) => claims.has(folded(one)));
        if (id === undefined) continue;
        const all = claims.get(folded(id))!;
        const exact = all.filter((claim) => claim.id.normalize('NFC') === id.normalize('NFC'));
        const rows = (exact.length > 0 ? exact : all).map(({ row }) => row);
        const fault =
          rows.length === 1
            ? null
            : `document '${name}' may be that of ${counted(rows.length, 'row')} (${rows.slice(0, 5).join(', ')}): their row_id differs in nothing but capitals, or not at all; name it in the documents column`;
        yield { name: join(within, name), rows, fault };
      }
    },
  };
}
