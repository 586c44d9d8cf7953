/** Checks sheets after an upload or a change. Only the newest check of a sheet counts. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import type { UploadRecord } from '../../ledger/ledger.ts';
import { messageOf } from '../../messages/web/messages.ts';
import { chosenMap, headerDigest, readChoice, sheetNameOf } from '../drafts/match-columns.ts';
import { correctedCells } from '../drafts/sheet-corrections.ts';
import type { SheetDocuments } from '../drafts/sheet-documents.ts';
import { type Facts, factsOf, type SheetOrder, type SheetRecords, stored } from '../drafts/sheet-records.ts';
import { type Inspection, type Look, type LookGiven, lookAt } from './inspect.ts';

export type Looks = ReturnType<typeof openLooks>;

export function openLooks(order: SheetOrder, records: SheetRecords, documents: SheetDocuments) {
  const { ledger, clock } = order;
  const { uploads } = ledger;
  const { folderOf, documentsOf } = records;
  const handBacks = new Set<Look>();
  const looks = new Map<
    string,
    { readonly look: Look; readonly job: { done: number; readonly startedAt: string }; readonly ended: Promise<void> }
  >();

  function givenOf(record: UploadRecord): Omit<LookGiven, 'table'> {
    const { id } = record;
    const { sheet, choice, found, plan, rowChoices = [] } = factsOf(record);
    return {
      ledger: ledger.at,
      path: join(folderOf(id), sheet),
      documentsFolder: documentsOf(id),
      address: order.service,
      batch: plan?.request.batch ?? null,
      sheetName: choice?.sheetName ?? null,
      map: choice === null ? null : chosenMap(found?.header ?? [], choice),
      corrections: correctedCells(uploads, id),
      choices: rowChoices,
      check: order.check,
    };
  }

  async function look(id: string): Promise<void> {
    void looks.get(id)?.look.end();
    const record = uploads.find(id);
    if (record === null) return;
    const table = `check-${clock.randomHex(4)}.db`;
    const job = { done: 0, startedAt: isoTime(clock.now()) };
    const own: Look = lookAt({ ...givenOf(record), table: join(folderOf(id), table) }, (done) => {
      job.done = done;
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    looks.set(id, { look: own, job, ended });
    try {
      const found = await own.found;
      if (looks.get(id)?.look === own) await settle(id, own, found, table);
    } catch (error) {
      if (looks.get(id)?.look !== own) return;
      order.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      await uploads.keep(id, () => ({ state: 'unreadable', message: stored(messageOf('READING_FAILED')) }));
    } finally {
      if (looks.get(id)?.look === own) looks.delete(id);
      end();
    }
  }

  /** The console continues even if the ledger cannot store a failure, for example on a full disk. */
  function begin(id: string): void {
    look(id).catch((error: unknown) => order.log(error));
  }

  /** After an error no document counts as placed. The check itself reports missing documents. */
  const unplaced = (error: unknown) => {
    order.log(error);
    return false;
  };

  async function settle(id: string, own: Look, { state, message, ...found }: Inspection, table: string): Promise<void> {
    const record = uploads.find(id);
    if (record === null) return;
    const facts = factsOf(record);
    const header = found.header.length > 0 ? headerDigest(found.header) : null;
    // A choice may have only the workbook's sheet and no columns.
    const unmatched = facts.choice === null || chosenMap(found.header, facts.choice) === null;
    const known = unmatched && header !== null ? readChoice(uploads.choice(header)) : null;
    const written = existsSync(join(folderOf(id), table)) ? table : null;
    const isChosen = known !== null && chosenMap(found.header, known) !== null && state === 'columns';
    await uploads.keep(id, (now) => ({
      header,
      facts: JSON.stringify({
        ...factsOf(now),
        found,
        lookedAt: clock.now(),
        table: written,
        ...(isChosen ? { choice: { ...known, ...sheetNameOf(facts.choice) } } : {}),
      } satisfies Facts),
    }));
    if (facts.table !== null && facts.table !== table) rmSync(join(folderOf(id), facts.table), { force: true });
    const isPlaced = !isChosen && written !== null && (await documents.place(id).catch(unplaced));
    if (looks.get(id)?.look !== own) return;
    // A stored choice for these columns, or a placed document, needs another check.
    if (isChosen || isPlaced) begin(id);
    else await uploads.keep(id, () => ({ state, message: stored(message) }));
  }

  return {
    begin,
    isUnderWay: (id: string) => looks.has(id),
    async ended(id: string): Promise<void> {
      for (let one = looks.get(id); one !== undefined; one = looks.get(id)) await one.ended;
    },
    progressOf(id: string) {
      const running = looks.get(id);
      if (running === undefined) return null;
      const record = records.get(id);
      const total = factsOf(record).found?.counts.rows || null;
      return { ...running.job, by: record.by, total };
    },
    async handBack(record: UploadRecord, folder: string): Promise<Inspection> {
      const own = lookAt({ ...givenOf(record), handBack: folder }, () => {});
      handBacks.add(own);
      try {
        return await own.found;
      } finally {
        handBacks.delete(own);
      }
    },
    async drop(id: string): Promise<void> {
      const under = looks.get(id);
      looks.delete(id);
      await under?.look.end();
    },
    async close(): Promise<void> {
      const under = [...[...looks.values()].map(({ look: one }) => one), ...handBacks];
      looks.clear();
      for (const one of under) void one.end();
      await Promise.allSettled(under.map(({ found }) => found));
    },
  };
}
