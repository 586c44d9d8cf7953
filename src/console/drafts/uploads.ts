/** Handles uploaded sheets from the upload to the payment. The ledger has every state. */
import { rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { whyNotSkip } from '../../app/upload-plan.ts';
import { isoTime } from '../../base/clock.ts';
import { makeFolder } from '../../base/folder.ts';
import { eachOf } from '../../base/words.ts';
import { shownText } from '../../domain/rows/cell.ts';
import { proposalWaits, type UploadRecord } from '../../ledger/ledger.ts';
import { formWords } from '../../messages/notes/sheet-notes.ts';
import { noteOnPage } from '../../messages/notes.ts';
import { mistakesOnPage, shownProblem } from '../../messages/problems.ts';
import { shippedMapShown } from '../../messages/shipped-maps.ts';
import { codeOf, messageOf, pageWords } from '../../messages/web/messages.ts';
import { meantBy, noMap, originOf, readSheetKind } from '../../sheet/sheet.ts';
import type { BatchRows, Mistake, Requests, SheetRows, Upload, UploadLine, UploadState, Warnings } from '../api.ts';
import type { FewAtOnce } from '../batches/few-at-once.ts';
import { begun, type JobFacts, type Jobs, jobFacts, saidOf, shownJob } from '../batches/jobs.ts';
import type { Reader } from '../batches/reading.ts';
import { type Call, Refused, refused, refusedBy, seenBy, type Who } from '../http/route.ts';
import { openReceiving, receiveFile, safeName } from '../http/upload-stream.ts';
import { moneyFields, moneyIn } from '../inspection/cell-money.ts';
import type { RowsQuery } from '../inspection/check-table.ts';
import { openLooks } from '../inspection/inspections.ts';
import { choices, chosenMap, readMap } from './match-columns.ts';
import { openApproval } from './sheet-approval.ts';
import { openMending } from './sheet-corrections.ts';
import { openSheetDocuments } from './sheet-documents.ts';
import { openPaying } from './sheet-pay.ts';
import { againstSkipping, openPlanning } from './sheet-plan.ts';
import {
  doing,
  type Facts,
  factsOf,
  isPlanned,
  isWaiting,
  noFound,
  openSheetRecords,
  replacedBy,
  requireShown,
  type SheetOrder,
  standingOf,
} from './sheet-records.ts';

export const mostSheetBytes = 64 * 1024 ** 2;
/** The most waiting sheets that are checked again after rows were sent. The others are checked when they are paid. */
const mostLookedAgain = 50;
const endings = ['.csv', '.txt', '.tsv', '.xlsx', '.xml'];

type LineRecord = Pick<UploadRecord, 'id' | 'file' | 'bytes' | 'by' | 'at' | 'state' | 'header' | 'message'>;

interface LineFacts extends Pick<Facts, 'plan' | 'declined'> {
  readonly found: Pick<typeof noFound, 'counts' | 'totals'>;
  readonly changedAt: number | null;
  readonly job: JobFacts | null;
}

export type UploadDesk = ReturnType<typeof openUploadDesk>;

function namedHead(job: JobFacts | null, request: Facts['request'] | null): Upload['named'] {
  const { said, kind } = job ?? {};
  if (kind === 'plan' && said?.code === 'VERSION_CONFLICT') return { batch: said.facts.batch, head: said.facts.head };
  return request?.base === undefined ? null : { batch: request.batch, head: request.base };
}

export function openUploadDesk(order: SheetOrder & { readonly fewAtOnce: FewAtOnce }, reader: Reader, jobs: Jobs) {
  const { ledger, clock, fewAtOnce, check } = order;
  const { uploads } = ledger;
  const receive = openReceiving(ledger);
  let isClosing = false;
  const records = openSheetRecords(order, jobs);
  const { root, folderOf, documentsOf, get, mendable, tableOf } = records;
  const documents = openSheetDocuments(order, records, reader, receive);
  const looks = openLooks(order, records, documents);
  const mending = openMending(uploads, records, reader);
  const approval = openApproval(order, records, reader);
  const planning = openPlanning(order, records, looks, mending, approval, jobs);
  const lookAgain = (id: string) => {
    if (!isClosing && records.isIdle(id) && !looks.isUnderWay(id)) looks.begin(id);
  };
  const pay = openPaying(order, records, mending, approval, jobs, lookAgain);

  async function changed(id: string, person: Who): Promise<Upload> {
    approval.forget(id);
    looks.begin(id);
    return await show(id, person);
  }

  function moneyOfRows(record: UploadRecord) {
    const { found, choice } = factsOf(record);
    const { columns, header } = found ?? noFound;
    const { defaults } = check.rules;
    const chosen = choice === null ? null : chosenMap(header, choice);
    const map = chosen === null ? noMap : readMap(chosen, 'columns');
    const values = Object.fromEntries(
      moneyFields.map((field) => [field, map.values[field] ?? shownText(defaults[field] ?? '')]),
    );
    const heading = header[columns.indexOf('amount')] ?? '';
    const places = moneyFields.flatMap((field) =>
      columns.includes(field) ? [[field, columns.indexOf(field)] as const] : [],
    );
    return (cell: (place: number) => string | undefined) =>
      moneyIn(
        Object.fromEntries(places.map(([field, place]) => [field, meantBy(map, field, cell(place) ?? '')])),
        values,
        heading,
      );
  }

  const columnsFor = (record: UploadRecord, person: Who) =>
    person.role === 'viewer' ? (factsOf(record).found?.columns ?? []) : null;

  async function show(id: string, person: Who): Promise<Upload> {
    const record = await approval.current(get(id));
    const see = <T>(facts: T) => seenBy(person, facts);
    const { found: kept, lookedAt = null, changedAt = null, ...facts } = factsOf(record);
    const job = jobs.of({ upload: id });
    const { choice, plan, planLost = null, rowChoices = [] } = facts;
    const old = uploads.everKnown(replacedBy(record)[0] ?? '');
    const before = old && factsOf(old).request;
    const { form, reading, ...found } = { ...noFound, ...kept };
    const { advice, problems } = found;
    const notSkipped = whyNotSkip(found);
    return {
      ...found,
      ...lineOf(record, { ...facts, found, changedAt, job }, person),
      standing: standingOf(record),
      sheetName: found.sheetName ?? choice?.sheetName ?? null,
      header: see(found.header),
      questions: see(found.questions),
      rowChoices: see(rowChoices),
      planLost,
      found: [...(form === null ? [] : formWords(see(form))), ...see(reading).map(noteOnPage)],
      problems: see(problems).map((one) => shownProblem(one, 'page')),
      advice:
        person.role === 'viewer' || advice === null
          ? null
          : {
              ...advice,
              shipped: advice.shipped && shippedMapShown(advice.shipped),
              choices,
              values: { ...advice.values, ...choice?.values },
              numberFormat: choice?.numberFormat ?? null,
              sheets: isPlanned(record) ? [] : advice.sheets,
            },
      replaces: old && { id: uploads.find(old.id)?.id ?? null, file: old.file },
      whyNotSkip: notSkipped && pageWords(see(againstSkipping(notSkipped))),
      seen: [
        ...see(found.seen).map((note) => ({ batch: note.batch, words: noteOnPage(note) })),
        ...uploads.alike(id, record.sha256).map((other) => ({
          batch: other.batch ?? '',
          words: pageWords(messageOf('SAME_FILE', { by: other.by, at: other.at, batch: other.batch })),
        })),
      ],
      documents: documents.list(id),
      batch: record.batch ?? plan?.request.batch ?? found.ownBatch ?? before?.batch ?? planning.nameFor(record),
      lookedAt,
      named: namedHead(job, facts.request ?? null),
      waits: [...new Set([...found.sharedWith.map((one) => one.batch), facts.request?.batch ?? ''])]
        .flatMap((name) => ledger.holds.proposalOf(name) ?? [])
        .filter(({ upload }) => upload !== id),
    };
  }

  function lineOf(
    { id, file, bytes, by, at, state, header, message }: LineRecord,
    { plan, found, declined, changedAt, job }: LineFacts,
    person: Who,
  ): Omit<UploadLine, 'batch'> {
    const { counts, totals } = found;
    const isToPay = isWaiting({ state });
    const now = seenBy(person, jobNow({ id, state }, job, changedAt));
    const hasFailed = now?.state === 'failed' && now.kind === (isToPay ? 'pay' : 'plan');
    const read = seenBy(person, saidOf(message)) ?? (hasFailed ? now.said : null);
    return {
      id,
      file,
      bytes,
      by,
      at: isoTime(at),
      state: state as UploadState,
      // A person must first choose a sheet of the workbook. A sheet that Payrun could read has a header.
      asksForSheet: state === 'columns' && header === null,
      code: read && codeOf(read),
      message: read && pageWords(read),
      counts,
      totals,
      lapsed: isToPay && plan !== null && clock.now() >= Date.parse(plan.expiresAt),
      looksPaid: counts.looksPaid ?? 0,
      toSend: isToPay && plan !== null && plan.toSend.rows < counts.rows ? plan.toSend : null,
      declined: state === 'batch' ? null : seenBy(person, declined),
      job: now && shownJob(now),
    };
  }

  /** Hides a refused plan that is older than the newest change, and ended jobs of a batch, whose page shows them. */
  function jobNow({ id, state }: Pick<LineRecord, 'id' | 'state'>, last: JobFacts | null, changedAt: number | null) {
    const isOld = last?.state === 'failed' && Date.parse(last.startedAt) < (changedAt ?? 0);
    const isHidden = last?.kind === 'plan' ? isOld : state === 'batch';
    const checked = looks.progressOf(id);
    const check: JobFacts | null = checked && { ...begun, ...checked, kind: 'check', stage: 'reading' };
    return jobs.running(id) ?? check ?? (isHidden ? null : last);
  }

  const then =
    <T>(deed: (id: string, what: T, person: Who) => Promise<void>, after: typeof show) =>
    async (id: string, what: T, person: Who): Promise<Upload> => {
      await deed(id, what, person);
      return await after(id, person);
    };

  // Continues the checks of a console that died.
  for (const { id } of uploads.list(['reading'])) looks.begin(id);

  /** Checks waiting sheets again after rows were sent, because the sheets may have the same rows. */
  jobs.whenSent((upload) => {
    if (isClosing) return;
    approval.sentMore();
    for (const { id } of uploads.list(['ready', 'planned']).slice(0, mostLookedAgain)) if (id !== upload) lookAgain(id);
  });

  return {
    async list(person: Who, text = ''): Promise<UploadLine[]> {
      const briefs = (await reader.ask('uploads', text)).map(async (brief) => {
        const read = <T>(json: string | null, otherwise: T) => (json === null ? otherwise : (JSON.parse(json) as T));
        const found = { counts: read(brief.counts, noFound.counts), totals: read(brief.totals, noFound.totals) };
        const facts = {
          found,
          plan: read<Facts['plan']>(brief.plan, null),
          declined: read<Facts['declined']>(brief.declined, null),
          changedAt: brief.changedAt,
          job: brief.job && jobFacts(brief.job),
        };
        const record = isWaiting(brief) ? uploads.find(brief.id) : null;
        const { state } = record === null ? brief : await approval.current(record);
        return { ...lineOf({ ...brief, state }, facts, person), batch: brief.batch };
      });
      return await Promise.all(briefs);
    },
    show,
    /** `?replaces=ID` names the replaced sheet. A checked workbook itself names the sheet that it was made from. */
    async take({ request, person, query }: Call): Promise<Upload> {
      if (query.replaces !== undefined) get(query.replaces);
      const base = ledger.batches.newestSheet();
      const id = clock.randomHex(16);
      const folder = folderOf(id);
      await receive(person, async () => {
        try {
          makeFolder(folder);
          const coming = join(folder, 'coming');
          const { name, bytes, sha256 } = await receiveFile(request, coming, mostSheetBytes);
          const ending = /\.[^.]+$/.exec(name)?.[0] ?? '';
          if (!endings.includes(ending)) throw refused(415, 'NO_SHEET', { endings });
          const kind = await readSheetKind(coming);
          const sheet = name.replace(/\.[^.]+$/, kind === 'zip' ? '.xlsx' : kind === 'payments' ? '.xml' : '.csv');
          makeFolder(documentsOf(id));
          const origin =
            query.replaces === undefined ? uploads.everKnown((await originOf(coming)) ?? '') : get(query.replaces);
          // A sheet that became a batch is not replaced. A file made from it, such as the next month's, is a new sheet.
          const old = origin?.batch === null ? origin : null;
          const replaced = old === null ? [] : [old.id, ...replacedBy(old)];
          const facts: Facts = {
            sheet,
            base,
            ...eachOf(null, 'found table choice plan declined'),
            ...(old === null ? {} : { replaces: { uploads: replaced }, changedBy: uploads.preparers(old.id) }),
          };
          const fixes = replaced.flatMap(uploads.corrections).length;
          const instead = old && { file: old.file, fixes, documents: documents.carry(old.id, id) };
          const replaces = old === null ? {} : { replaces: old.id, instead };
          await rename(coming, join(folder, sheet));
          await uploads.add(
            { id, file: name, bytes, sha256, state: 'reading', facts: JSON.stringify(facts) },
            doing(person, 'uploaded', { upload: id, file: name, bytes, sha256, ...replaces }),
          );
        } catch (error) {
          rmSync(folder, { recursive: true, force: true });
          throw error;
        }
      });
      looks.begin(id);
      return await show(id, person);
    },
    async takeDocument(call: Call): Promise<Upload> {
      await documents.take(call);
      return changed(call.params.id ?? '', call.person);
    },
    removeDocument: then(documents.remove, changed),
    chooseColumns: then(mending.chooseColumns, changed),
    chooseRows: then(mending.chooseRows, changed),
    correct: then(mending.correct, changed),
    correctionsOf: mending.correctionsOf,
    undo: then(mending.undo, changed),
    plan: then(planning.plan, show),
    planAgain: planning.planAgain,
    review: approval.review,
    approve: then(approval.approve, show),
    decline: then(approval.decline, show),
    withdraw: then(approval.withdraw, show),
    pay: then(pay, show),
    /** Deletes the files. The ledger keeps preparers and corrections, because a new upload may replace the discarded sheet. */
    async discard(id: string, { standing }: Requests['discard'], person: Who): Promise<void> {
      const record = mendable(id);
      requireShown(record, standing);
      await uploads.change(
        id,
        (now) => {
          const { found, plan, ...facts } = factsOf(mendable(now.id));
          const waits = plan && ledger.holds.proposalOf(plan.request.batch);
          if (waits?.upload === id) throw refusedBy(proposalWaits(waits), 409);
          const { header, columns } = found ?? noFound;
          const kept: Facts = { ...facts, found: { ...noFound, header, columns }, table: null, plan: null };
          return { state: 'discarded', message: null, plan: null, facts: JSON.stringify(kept) };
        },
        doing(person, 'discarded', { upload: id, file: record.file, sha256: record.sha256 }),
      );
      // Ends the check only after the ledger has accepted the change. After a refusal the check must continue.
      await looks.drop(id);
      rmSync(folderOf(id), { recursive: true, force: true });
    },
    async rows(id: string, query: RowsQuery, person: Who): Promise<SheetRows> {
      const record = get(id);
      const { total, rows } = await reader.ask('table', tableOf(record), columnsFor(record, person), query);
      const moneyOf = moneyOfRows(record);
      return { total, rows: rows.map((row) => ({ ...row, money: moneyOf((place) => row.cells[place]) })) };
    },
    /** Returns the lines of the newest sheet that have mistakes and are no rows. */
    async invalidLines(batch: string, query: Pick<RowsQuery, 'q' | 'from' | 'limit'>, person: Who): Promise<BatchRows> {
      const facts = await ledger.batches.batch(batch);
      const told = facts === null ? [] : await ledger.batches.invalidRows(facts.sheet.id, 0, facts.sheet.invalid);
      const q = query.q.toLowerCase();
      const rows = told
        .filter(({ payout }) => payout === null)
        .map(({ number, problems }) => ({ ...invalidLine, number, reason: mistakesOnPage(seenBy(person, problems)) }))
        .filter(({ reason }) => reason.toLowerCase().includes(q));
      return { total: rows.length, rows: rows.slice(query.from, query.from + query.limit) };
    },
    async mistakes(id: string, person: Who): Promise<readonly Mistake[]> {
      const record = get(id);
      const columns = factsOf(record).found?.columns ?? [];
      const mistakes = await reader.ask('mistakes', tableOf(record), columnsFor(record, person));
      const moneyOf = moneyOfRows(record);
      return mistakes.map(({ first, ...one }) => ({
        ...one,
        amount: first[columns.indexOf('amount')] ?? '',
        // The payee's name may be in two columns.
        payee: first
          .filter((_, place) => columns[place] === 'name')
          .join(' ')
          .trim(),
        money: moneyOf((place) => first[place]),
      }));
    },
    async warnings(id: string, person: Who): Promise<readonly Warnings[]> {
      const record = get(id);
      return await reader.ask('warnings', tableOf(record), columnsFor(record, person));
    },
    document: documents.path,
    withDocuments: documents.withSheets,
    async checked(id: string, person: Who): Promise<string> {
      const record = get(id);
      const out = join(folderOf(id), 'checked');
      makeFolder(out);
      const { checked: path = null, message } = await fewAtOnce(() => looks.handBack(record, out));
      if (path === null) throw new Refused(422, message ?? messageOf('CHECKED_UNWRITTEN'));
      await uploads.tell(doing(person, 'checked-downloaded', { upload: id, file: record.file }));
      return path;
    },
    outFolder(batch: string): string {
      const record = uploads.ofBatch(batch);
      const folder =
        record === null ? join(dirname(root), 'batches', safeName(batch)) : join(folderOf(record.id), 'out');
      makeFolder(folder);
      return folder;
    },
    uploadOf: (batch: string): string | null => uploads.ofBatch(batch)?.id ?? null,
    async close(): Promise<void> {
      isClosing = true;
      await looks.close();
    },
  };
}

const noTexts = { key: '', name: '', destination: '', reference: '', amount: '', currency: '', unit: '' };
const invalidLine = { ...noTexts, status: 'invalid', paymentId: null };
