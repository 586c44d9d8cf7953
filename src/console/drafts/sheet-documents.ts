/** Stores the documents that people upload for a sheet, and puts them where the sheet's rows name them. */
import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { sha256OfFile } from '../../base/digest.ts';
import { makeFolder } from '../../base/folder.ts';
import { readSound } from '../../pipeline/documents/document-files.ts';
import type { Requests, RowLife, Upload } from '../api.ts';
import type { RowTold } from '../batches/batch-views.ts';
import type { Reader } from '../batches/reading.ts';
import { type Call, refused, type Who } from '../http/route.ts';
import { type Receive, receiveFile } from '../http/upload-stream.ts';
import { doing, factsOf, type SheetOrder, type SheetRecords } from './sheet-records.ts';

const mostDocuments = 2000;

function filesIn(folder: string): Upload['documents'] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((one) => one.isFile() && !one.name.startsWith('.'))
    .map(({ name }) => {
      const { ino, size, mtimeMs } = statSync(join(folder, name));
      return { name, bytes: size, file: `${ino} ${size} ${mtimeMs}` };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Removal = Requests['removeDocument'] & { readonly name: string };

export type SheetDocuments = ReturnType<typeof openSheetDocuments>;

export function openSheetDocuments(order: SheetOrder, records: SheetRecords, reader: Reader, receive: Receive) {
  const { clock } = order;
  const { uploads } = order.ledger;
  const limits = order.check.documents;
  const { get, mendable, voided, documentsOf } = records;

  const list = (id: string): Upload['documents'] => filesIn(documentsOf(id));

  async function digestOf(id: string, name: string): Promise<string | null> {
    const path = join(documentsOf(id), name);
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
    return isFile ? await sha256OfFile(path) : null;
  }

  /** Throws for a name that is not listed, so that no path leads to another folder. */
  function requireListed(id: string, name: string): void {
    if (!list(id).some((one) => one.name === name)) throw refused(404, 'NOT_FOUND', { what: 'document' });
  }

  async function pathsOf(id: string): Promise<ReadonlyMap<string, readonly string[]>> {
    const record = get(id);
    const { found, table } = factsOf(record);
    const column = found?.columns.indexOf('documents') ?? -1;
    if (column < 0) return new Map();
    try {
      const texts = await reader.ask('texts', records.tableOf(record), column);
      const paths = new Set(texts.flatMap((text) => text.split(';').map((one) => normalize(one.trim()))));
      return Map.groupBy([...paths].sort(), (path) => basename(path));
    } catch (error) {
      if (factsOf(get(id)).table !== table) return await pathsOf(id);
      throw error;
    }
  }

  return {
    list,
    /** Gives the documents of a replaced sheet to the new sheet, and returns their names. */
    carry(from: string, to: string): readonly string[] {
      const names = list(from).map(({ name }) => name);
      for (const name of names) linkSync(join(documentsOf(from), name), join(documentsOf(to), name));
      return names;
    },
    async take({ request, person, params }: Call): Promise<void> {
      const record = mendable(params.id ?? '');
      const { id } = record;
      await receive(person, async () => {
        if (list(id).length >= mostDocuments) throw refused(422, 'TOO_MANY_DOCUMENTS', { most: mostDocuments });
        const folder = documentsOf(id);
        makeFolder(folder);
        const coming = join(folder, `.coming-${clock.randomHex(8)}`);
        try {
          const { name, bytes, sha256 } = await receiveFile(request, coming, limits.maxBytes);
          const read = await readSound(coming, name, limits);
          if ('fault' in read) throw refused(415, 'DOCUMENT_UNSOUND', { name, fault: read.fault });
          const paths = (await pathsOf(id)).get(name) ?? [];
          if (paths.length > 1) throw refused(422, 'DOCUMENT_AMBIGUOUS', { name, paths });
          await uploads.change(
            id,
            voided(person),
            doing(person, 'document-uploaded', { upload: id, file: record.file, document: name, bytes, sha256 }),
          );
          // Moves the file only after the ledger has recorded the change, so that a refused upload replaces no document.
          renameSync(coming, join(folder, name));
        } finally {
          rmSync(coming, { force: true });
        }
      });
    },
    /** Throws if the person saw another version of the document. Records the removal before it deletes the file. */
    async remove(id: string, { name, file }: Removal, person: Who): Promise<void> {
      const record = mendable(id);
      requireListed(id, name);
      if (list(id).find((one) => one.name === name)?.file !== file) throw refused(409, 'DOCUMENT_MOVED', { name });
      await uploads.change(
        id,
        voided(person),
        doing(person, 'document-removed', { upload: id, file: record.file, document: name }),
      );
      const folder = documentsOf(id);
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && entry.name === name) rmSync(join(entry.parentPath, name));
    },
    /** Puts documents at the paths in the sheet. Returns true if a document was moved or linked. */
    async place(id: string): Promise<boolean> {
      if (uploads.find(id) === null || list(id).length === 0) return false;
      const folder = documentsOf(id);
      const paths = await pathsOf(id);
      let placed = 0;
      // Lists the documents again, because a person may have added or removed one in the meantime.
      for (const { name } of list(id)) {
        const [path = name, ...others] = paths.get(name) ?? [];
        if (path === name || others.length > 0 || isAbsolute(path) || path.startsWith('..')) continue;
        const [own, place] = [join(folder, name), join(folder, path)];
        if (statSync(place, { throwIfNoEntry: false })?.ino === statSync(own).ino) continue;
        makeFolder(dirname(place));
        rmSync(place, { force: true });
        linkSync(own, place);
        placed += 1;
      }
      return placed > 0;
    },
    /** Finds the sheet of each document by its digest, because sheets of one batch may use the same names. */
    async withSheets(batch: string, { documents, ...row }: RowTold): Promise<RowLife> {
      const sheets = uploads.everOfBatch(batch);
      const holderOf = async (one: RowTold['documents'][number]): Promise<string | null> => {
        for (const { id } of sheets) if ((await digestOf(id, basename(one.name))) === one.sha256) return id;
        return null;
      };
      return {
        ...row,
        documents: await Promise.all(documents.map(async (one) => ({ ...one, upload: await holderOf(one) }))),
      };
    },
    async path(id: string, name: string, person: Who, digest?: string): Promise<string> {
      const record = get(id);
      requireListed(id, name);
      if (digest !== undefined && (await digestOf(id, name)) !== digest) throw refused(409, 'DOCUMENT_MOVED', { name });
      await uploads.tell(doing(person, 'document-downloaded', { upload: id, file: record.file, document: name }));
      return join(documentsOf(id), name);
    },
  };
}
