/** Finds files in the folder `documents` whose names begin with a row's id: `INV-204 page 2.png` for row INV-204. */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

const folderName = 'documents';

/** Only these characters may follow an id, so that `10-invoice.pdf` does not belong to row 1. */
const afterId = /[._ (-]/g;

const folded = (text: string) => text.normalize('NFC').toLowerCase();

/** Returns all ids that a file name may begin with. The longest comes first: INV-1-2 before INV-1. */
export function idsOf(name: string): string[] {
  if (name.startsWith('.')) return [];
  return [name, ...[...name.matchAll(afterId)].map(({ index }) => name.slice(0, index)).reverse()];
}

export interface RowDocuments {
  /** True if a file's name begins with the row's id. The file may still belong to a row with a longer id. */
  mayHave(rowId: string): boolean;
  /** Claims files for the row. Rows with mistakes claim files too, so that no other row gets these files. */
  claim(rowId: string, row: number): void;
  /** Returns the claimed files with their rows. A file with several rows is ambiguous. */
  found(): Iterable<{ readonly name: string; readonly rows: readonly number[] }>;
}

interface Claim {
  readonly id: string;
  readonly row: number;
}

/** Reads the folder once. Returns null for a folder without files. No row's id becomes part of a path. */
export async function openFiled(documentsFolder: string): Promise<RowDocuments | null> {
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
        yield { name: join(within, name), rows };
      }
    },
  };
}
