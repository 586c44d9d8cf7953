/** Sheets that people hand in: taken in, looked at, mended, planned, approved and paid; each state of it is in the ledger. */

import type { KeyObject } from 'node:crypto';
import { existsSync, linkSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { publicOf, sign, signatureText } from '../approval/approval.ts';
import { type Clock, isoTime } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { makeFolder } from '../base/folder.ts';
import { isObject } from '../base/json.ts';
import { counted, grouped } from '../base/words.ts';
import { isMasked, masked, maskedCell, maskedWords } from '../domain/masked.ts';
import { type Doing, type Ledger, requireRoom, type UploadChanges, type UploadRecord } from '../ledger/ledger.ts';
import { type Outcome, planOf } from '../pipeline/outcome.ts';
import { isNearRepeat, planStem } from '../pipeline/preview.ts';
import { columnName, parseMap, readSheetKind } from '../sheet/sheet.ts';
import type { Correction, Job, Mistake, Requests, Review, RowFilter, SheetRows, Upload, UploadState } from './api.ts';
import { headerDigest, mapText, readChoice } from './columns.ts';
import type { CommandEnd, GiveCommand } from './command.ts';
import { readTotals } from './control-totals.ts';
import { endWords, errorCode, type Jobs } from './jobs.ts';
import { type CheckSettings, type Found, type Look, lookAt } from './looking.ts';
import { forPage } from './page-words.ts';
import type { Reader } from './reading.ts';
import { receiveFile, safeName } from './receiving.ts';
import { maskedReview, type Reviewed } from './review.ts';
import { type Call, Refused, type Who } from './route.ts';

export interface UploadOrder {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** `sandbox`, or the base URL. */
  readonly service: string;
  readonly check: CheckSettings;
  /** The file of the policy that is in force. */
  policy(): string;
  readonly keys: Keys;
  readonly command: GiveCommand;
  readonly log: (words: string) => void;
}

export interface Keys {
  /** Throws a Refused where the password is another one. */
  unlock(account: number, password: string): Promise<KeyObject>;
  /** The locked key, as its file has it. */
  file(account: number): string;
}

const mebibyte = 1024 ** 2;
export const mostSheetBytes = 64 * mebibyte;
const mostDocuments = 2000;
/** A sheet of one more correction is mended better in a spreadsheet. */
const mostCorrections = 5000;
const endings = ['.csv', '.txt', '.tsv', '.xlsx', '.xml'];

type Choice = Requests['columns'];

/** `suggested`: the name is the one that the file had, and so no word that it is another batch. */
type Asked = Requests['plan'] & { readonly suggested?: boolean };

interface PlanFacts {
  readonly path: string;
  readonly digest: string;
  readonly notes: readonly string[];
  readonly stops: readonly string[];
  /** Of a batch whose unpaid rows are to be sent again; rows null: all of them. */
  readonly retry: { readonly rows: readonly string[] | null } | null;
  readonly request: Asked;
}

interface Facts {
  readonly sheet: string;
  readonly found: Omit<Found, 'state' | 'message'> | null;
  /** As the newest look left it. */
  readonly looked: Found['state'] | null;
  readonly table: string | null;
  readonly choice: Choice | null;
  readonly plan: PlanFacts | null;
  /** When the newest look ended: what a job said before that is of no weight any more. */
  readonly lookedAt?: number;
  /** As it was asked for when the sheet was planned last: a batch's unpaid rows are planned again in the same way. */
  readonly request?: Asked;
  readonly declined: Review['declined'];
  /** Accounts that changed anything of it, beside those of whom the ledger knows by itself. */
  readonly changedBy?: readonly number[];
}

const noFound: Omit<Found, 'state' | 'message'> = {
  found: [],
  seen: [],
  sent: null,
  header: [],
  columns: [],
  advice: null,
  counts: { rows: 0, toFix: 0, warnings: 0, newPayees: 0, over50000: 0 },
  totals: [],
  problems: [],
  ownBatch: null,
};

export type UploadDesk = ReturnType<typeof openUploadDesk>;

export function openUploadDesk(order: UploadOrder, reader: Reader, jobs: Jobs) {
  const { ledger, clock, command } = order;
  const { uploads } = ledger;
  const root = join(dirname(ledger.path), 'console', 'uploads');
  const looks = new Map<string, { readonly look: Look; readonly job: { done: number; readonly startedAt: string } }>();
  /** Accounts that are handing in a file just now. */
  const receiving = new Set<number>();
  const reviews = new Map<string, { readonly key: string; readonly review: Reviewed }>();
  const folderOf = (id: string) => join(root, id);
  const documentsOf = (id: string) => join(folderOf(id), 'documents');

  /** A console that died may have left a look unfinished, or a plan that began to be paid. */
  function mendAfterDeath(record: UploadRecord): void {
    if (record.state === 'reading') void look(record.id);
    else if (record.state === 'approved') {
      const { plan: facts } = factsOf(record);
      // The batch of a retry stood before: a retry that was never begun is still to be.
      if (facts?.retry === null || jobs.of({ upload: record.id })?.kind === 'retry') void noteBatch(record.id, facts);
    }
  }

  function get(id: string): UploadRecord {
    const record = /^[0-9a-f]{32}$/.test(id) ? uploads.find(id) : null;
    if (record === null) throw new Refused(404, 'There is no such sheet here. Perhaps somebody discarded it.');
    return record;
  }

  const factsOf = ({ facts }: UploadRecord) => JSON.parse(facts) as Facts;
  const sheetOf = (record: UploadRecord) => join(folderOf(record.id), factsOf(record).sheet);
  const doing = (
    person: Who,
    did: string,
    data: Readonly<Record<string, unknown>> = {},
    batch: string | null = null,
  ) => ({
    account: person.id,
    by: person.name,
    did,
    data,
    batch,
  });

  async function change(
    id: string,
    facts: Partial<Facts>,
    state?: UploadState,
    message: string | null = null,
    doing?: Doing,
  ): Promise<void> {
    await uploads.change(
      id,
      (now) => ({
        facts: JSON.stringify({ ...factsOf(now), ...facts }),
        ...(state === undefined ? {} : { state, message }),
        ...(facts.plan === undefined ? {} : { plan: facts.plan?.digest ?? null }),
      }),
      doing,
    );
  }

  /** Once it is a batch it is mended in the ledger alone, a plan to send its unpaid rows again included. */
  function mendable(id: string): UploadRecord {
    const record = get(id);
    if (record.batch !== null)
      throw new Refused(409, `This sheet is batch ${record.batch} by now. Hand in a mended sheet to change it.`);
    requireIdle(id);
    return record;
  }

  /** While a job works on it nothing is changed under it. */
  function requireIdle(id: string): void {
    const job = jobs.of({ upload: id });
    if (job !== null && (job.state === 'running' || job.state === 'stopping'))
      throw new Refused(409, 'Somebody is at work on this sheet just now. Wait until that has ended.');
  }

  // --- Looking

  /** In the end the newest look counts: one that is under way is ended for it. */
  async function look(id: string): Promise<void> {
    looks.get(id)?.look.end();
    const record = uploads.find(id);
    if (record === null) return;
    const facts = factsOf(record);
    const table = `check-${clock.randomHex(4)}.db`;
    const choice = facts.choice;
    const job = { done: 0, startedAt: isoTime(clock.now()) };
    const map = choice === null ? null : mapText(facts.found?.header ?? [], choice);
    const own: Look = lookAt(
      {
        ledger: ledger.path,
        path: join(folderOf(id), facts.sheet),
        table: join(folderOf(id), table),
        documentsFolder: documentsOf(id),
        address: order.service,
        sheetName: choice?.sheetName ?? null,
        map: map === null ? null : { path: 'the columns as they were matched', text: map },
        corrections: correctedCells(id),
        check: order.check,
      },
      (done) => {
        job.done = done;
      },
    );
    looks.set(id, { look: own, job });
    try {
      const found = await own.found;
      if (looks.get(id)?.look === own) await settle(id, found, table);
    } catch (error) {
      if (looks.get(id)?.look !== own) return;
      order.log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      await change(
        id,
        {},
        'unreadable',
        'The look at the sheet failed inside. Hand it in again, or ask whoever runs the console.',
      );
    } finally {
      own.end();
      if (looks.get(id)?.look === own) looks.delete(id);
    }
  }

  async function settle(id: string, { state, message, ...found }: Found, table: string): Promise<void> {
    const record = uploads.find(id);
    if (record === null) return;
    const facts = factsOf(record);
    const header = found.header.length > 0 ? headerDigest(found.header) : null;
    // Which sheet of a workbook was meant says nothing of its columns.
    const unmatched = facts.choice === null || mapText(found.header, facts.choice) === null;
    const known = unmatched && header !== null ? readChoice(uploads.choice(header)) : null;
    const written = existsSync(join(folderOf(id), table)) ? table : null;
    const isChosen = known !== null && mapText(found.header, known) !== null && state === 'columns';
    await uploads.change(id, (now) => ({
      header,
      facts: JSON.stringify({
        ...factsOf(now),
        found,
        looked: state,
        lookedAt: clock.now(),
        table: written,
        ...(isChosen ? { choice: { ...known, ...sheetNameOf(facts.choice) } } : {}),
      } satisfies Facts),
      // A plan that was made since says what it was made of.
      ...(now.state === 'reading' ? { state: isChosen ? 'reading' : state, message } : {}),
    }));
    if (facts.table !== null && facts.table !== table) rmSync(join(folderOf(id), facts.table), { force: true });
    // What somebody chose for these columns before is chosen again.
    if (isChosen) void look(id);
    else if (written !== null) void placeDocuments(id).catch((error: unknown) => order.log(String(error)));
  }

  /** A sheet may name `documents/invoice.pdf`, where a page takes `invoice.pdf`: it is found in that place too. */
  async function placeDocuments(id: string): Promise<void> {
    const record = uploads.find(id);
    const column = record === null ? -1 : (factsOf(record).found?.columns.indexOf('documents') ?? -1);
    const names = new Set(documentList(id).map(({ name }) => name));
    if (record === null || column < 0 || names.size === 0) return;
    const folder = documentsOf(id);
    let placed = 0;
    for (const text of await reader.ask('texts', tableOf(record), column))
      for (const said of text.split(';').map((one) => one.trim())) {
        const path = normalize(said);
        if (path === basename(path) || isAbsolute(path) || path.startsWith('..') || !names.has(basename(path)))
          continue;
        const [came, place] = [join(folder, basename(path)), join(folder, path)];
        if (statSync(place, { throwIfNoEntry: false })?.ino === statSync(came).ino) continue;
        makeFolder(dirname(place));
        // One that was handed in before gives way.
        rmSync(place, { force: true });
        linkSync(came, place);
        placed += 1;
      }
    if (placed > 0 && uploads.find(id)?.state !== 'batch') await lookAgain(id);
  }

  function lookJob(id: string): Job | null {
    const running = looks.get(id);
    if (running === undefined) return null;
    const { done, startedAt } = running.job;
    const total = factsOf(get(id)).found?.counts.rows ?? null;
    return {
      id: 0,
      kind: 'check',
      by: get(id).by,
      startedAt,
      state: 'running',
      stage: 'reading',
      done,
      total: total === 0 ? null : total,
      message: null,
      exit: null,
    };
  }

  /** What was read of its plan is of another sheet. */
  function changed(id: string, person: Who): Upload {
    reviews.delete(id);
    void look(id);
    return show(id, person);
  }

  async function lookAgain(id: string): Promise<void> {
    await change(id, {}, 'reading');
    void look(id);
  }

  // --- What is shown

  const columnsFor = (record: UploadRecord, person: Who) =>
    person.role === 'viewer' ? (factsOf(record).found?.columns ?? []) : null;

  function show(id: string, person: Who): Upload {
    const record = get(id);
    const { found: kept, choice, plan, lookedAt = 0 } = factsOf(record);
    const found = { ...noFound, ...kept };
    const { ownBatch, seen, sent, advice, ...rest } = found;
    const isViewer = person.role === 'viewer';
    const last = jobs.of({ upload: id });
    const isStale = last?.kind === 'plan' && last.state === 'failed' && Date.parse(last.startedAt) < lookedAt;
    const job = lookJob(id) ?? (isStale ? null : last);
    const words = (text: string | null) => (isViewer && text !== null ? maskedWords(text) : text);
    return {
      id,
      file: record.file,
      bytes: record.bytes,
      by: record.by,
      at: isoTime(record.at),
      state: record.state as UploadState,
      message: words(record.message),
      ...rest,
      found: rest.found.map((one) => words(one) ?? ''),
      problems: isViewer
        ? rest.problems.map((one) => ({
            ...one,
            message: maskedWords(one.message),
            value: maskedOr(one.column, one.value),
          }))
        : rest.problems,
      // Who may not see what stands in the sheet matches nothing.
      advice:
        isViewer || advice === null
          ? null
          : { ...advice, values: { ...advice.values, ...choice?.values }, numberFormat: choice?.numberFormat ?? null },
      sent,
      whyNotSkip: whyNotSkip(found),
      seen: [
        ...(sent === null ? [] : [{ batch: sent.batch, words: sentWords(sent, found.counts.rows) }]),
        ...seen.map((words) => ({ batch: /\bbatch (\S+)/.exec(words)?.[1] ?? '', words })),
        ...uploads.alike(id, record.sha256).map((other) => ({
          batch: other.batch ?? '',
          words: `${other.by} handed in the same file on ${isoTime(other.at).slice(0, 10)}${other.batch === null ? '' : `: batch ${other.batch}`}`,
        })),
      ],
      documents: documentList(id),
      batch: record.batch ?? plan?.request.batch ?? ownBatch ?? nameFor(record),
      job: job === null ? null : { ...job, message: words(job.message) },
    };
  }

  const maskedOr = (column: string | null, value: string | null) =>
    value === null ? null : isMasked(column) ? masked(value) : maskedWords(value);

  function documentList(id: string): Upload['documents'] {
    const folder = documentsOf(id);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { withFileTypes: true })
      .filter((one) => one.isFile() && !one.name.startsWith('.'))
      .map(({ name }) => ({ name, bytes: statSync(join(folder, name)).size }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** From the file's name: one that no batch has. */
  function nameFor({ id, file }: UploadRecord): string {
    const stem = stemFor(file);
    let name = stem;
    for (let next = 2; uploads.isTaken(name, id); next += 1) name = `${stem}-${next}`;
    return name;
  }

  /** Whether a person gave the name, or let the one stand that came from the file. */
  function isSuggested(name: string, record: UploadRecord): boolean {
    const stem = stemFor(record.file);
    const rest = name.startsWith(stem) ? name.slice(stem.length) : null;
    return name === factsOf(record).found?.ownBatch || (rest !== null && /^(?:-\d+)?$/.test(rest));
  }

  function tableOf(record: UploadRecord): string {
    const { table } = factsOf(record);
    if (table === null) throw new Refused(409, 'The sheet is being looked at still. Wait a moment.', 'NOT_READ_YET');
    return join(folderOf(record.id), table);
  }

  // --- Corrections

  const correctedCells = (id: string) =>
    uploads.corrections(id).map(({ id: number, row, column, was, becomes, by, at }) => ({
      id: number,
      row,
      column,
      from: was,
      to: becomes,
      by,
      at: isoTime(at),
    }));

  function correctionsOf(id: string, person: Who): readonly Correction[] {
    const { header = [], columns = [] } = factsOf(get(id)).found ?? {};
    return correctedCells(id).map(({ column, from, to, ...cell }) => {
      const hide = (text: string) => (person.role === 'viewer' ? maskedCell(columns[column] ?? null, text) : text);
      return { ...cell, column, header: header[column] ?? '', from: hide(from), to: hide(to) };
    });
  }

  /** What was planned was planned of other rows: plan and approvals are void. Asked once more whether that may be: much may have begun meanwhile. */
  const voided =
    (person: Who, facts: Partial<Facts> = {}): UploadChanges =>
    (now) => {
      const { changedBy = [], ...before } = factsOf(mendable(now.id));
      return {
        facts: JSON.stringify({
          ...before,
          plan: null,
          declined: null,
          changedBy: [...new Set([...changedBy, person.id])],
          ...facts,
        } satisfies Facts),
        plan: null,
        state: 'reading',
        message: null,
      };
    };

  /** Whoever handed it in, changed or planned it does not approve it, whatever role comes later. */
  const preparersOf = (record: UploadRecord): readonly number[] => [
    ...uploads.preparers(record.id),
    ...(factsOf(record).changedBy ?? []),
  ];

  async function correct(id: string, { row, column, from, to }: Requests['correct'], person: Who): Promise<Upload> {
    const record = mendable(id);
    const { found } = factsOf(record);
    const title = found?.header[column];
    if (found === null || found === undefined || title === undefined)
      throw new Refused(422, 'The sheet has no such column.');
    if (title.trim().toLowerCase().startsWith('payrun_'))
      throw new Refused(422, 'This column was written by Payrun and is not corrected.');
    if (from === to) throw new Refused(422, 'The correction says what the cell says already.');
    // The newest word on the cell, of which the table of rows may not tell yet.
    const made = uploads.corrections(id);
    const newest = made.findLast((one) => one.column === column && (one.row === null || one.row === row));
    if (made.length >= mostCorrections)
      throw new Refused(
        422,
        'So many corrections are made better in the spreadsheet: mend the file, and hand it in again.',
      );
    if (newest?.was === from || (await reader.ask('saying', tableOf(record), row, column, from)) === 0)
      throw new Refused(409, 'The cell says something else by now. Look at it again.', 'CELL_CHANGED');
    const hide = isMasked(found.columns[column] ?? null) ? masked : (text: string) => text;
    const cell = `${columnName(column)}${row ?? ''}`;
    await uploads.correct(
      id,
      { row, column, was: from, becomes: to },
      voided(person),
      doing(
        person,
        `corrected ${row === null ? 'every' : `row ${row},`} ${title.trim()} from '${hide(from)}' to '${hide(to)}' in ${record.file}`,
        {
          upload: id,
          file: record.file,
          cell,
          header: title,
          from: hide(from),
          to: hide(to),
        },
      ),
    );
    return changed(id, person);
  }

  async function undo(id: string, number: number, person: Who): Promise<Upload> {
    const record = mendable(id);
    const one = uploads.corrections(id).find((correction) => correction.id === number);
    if (one === undefined) throw new Refused(404, 'There is no such correction, or it was taken back already.');
    const cell = `${columnName(one.column)}${one.row ?? ''}`;
    await uploads.undo(
      id,
      number,
      voided(person),
      doing(person, `took back the correction of ${cell} in ${record.file}`, { upload: id, file: record.file, cell }),
    );
    return changed(id, person);
  }

  /** What a command takes beside the sheet, written anew for each. */
  function sheetFlags(record: UploadRecord): string[] {
    const { choice, found } = factsOf(record);
    const folder = folderOf(record.id);
    const flags = ['--documents', documentsOf(record.id)];
    const corrections = correctedCells(record.id).map(({ row, column, from, to, by, at }) => ({
      row,
      column,
      from,
      to,
      by,
      at,
    }));
    if (corrections.length > 0) {
      const path = join(folder, 'corrections.json');
      writeFileSync(path, `${JSON.stringify({ corrections }, null, 2)}\n`, { mode: 0o600 });
      flags.push('--corrections', path);
    }
    const map = choice === null ? null : mapText(found?.header ?? [], choice);
    if (map !== null) {
      const path = join(folder, 'columns.json');
      writeFileSync(path, `${map}\n`, { mode: 0o600 });
      flags.push('--map', path);
    }
    if (choice?.sheetName !== undefined) flags.push('--sheet', choice.sheetName);
    return flags;
  }

  const underPolicy = () => ['--policy', order.policy(), '--require-approval'];

  // --- Planning and approving

  async function plan(
    id: string,
    wanted: Requests['plan'],
    person: Who,
    retry: PlanFacts['retry'] = null,
  ): Promise<Upload> {
    const record = get(id);
    if (retry === null) mendable(id);
    else requireIdle(id);
    if (looks.has(id)) throw new Refused(409, 'The sheet is being looked at still. Wait a moment.', 'NOT_READ_YET');
    const states: readonly string[] = ['to_fix', 'ready', 'planned', 'approved', 'declined'];
    if (retry === null && !states.includes(record.state))
      throw new Refused(409, 'This sheet cannot be planned as it stands.');
    const found = { ...noFound, ...factsOf(record).found };
    const { counts, sent } = found;
    // A reason is for a batch of its own.
    const suggested = retry === null && wanted.confirmRepeat === undefined && isSuggested(wanted.batch, record);
    if (retry === null && sent !== null && sent.rows >= counts.rows && (suggested || wanted.batch === sent.batch))
      throw new Refused(
        409,
        `Nothing of this sheet would be sent: ${sentWords(sent, counts.rows)}. If it is another month, give the batch a name of its own.`,
        'ALL_SENT',
      );
    if (retry === null && counts.toFix > 0 && !wanted.skipInvalid)
      throw new Refused(409, `${counts.toFix} rows are to be mended first, or left out on purpose.`, 'TO_FIX');
    if (retry === null && counts.toFix > 0) {
      const why = whyNotSkip(found);
      if (why !== null) throw new Refused(409, why, 'TO_FIX');
    }
    const request: Asked = {
      ...wanted,
      expect: readTotals(wanted.expect, factsOf(record).choice?.numberFormat ?? order.check.rules.numberFormat),
      suggested,
    };
    const folder = join(folderOf(id), `plan-${clock.randomHex(4)}`);
    makeFolder(folder);
    const argv = ['plan', sheetOf(record), ...sheetFlags(record), ...requestFlags(request), '--out', folder];
    await change(id, { plan: null, declined: null, request }, stateBefore(record, retry));
    reviews.delete(id);
    void jobs
      .give(person, {
        kind: 'plan',
        upload: id,
        batch: null,
        argv,
        did: `asked for a plan of ${record.file} for batch ${request.batch}${retry === null ? '' : ', to send unpaid rows again'}${request.confirmRepeat === undefined ? '' : `, though rows may look sent already: ${request.confirmRepeat}`}`,
        data: {
          upload: id,
          file: record.file,
          batch: request.batch,
          ...(request.confirmRepeat === undefined ? {} : { confirmRepeat: request.confirmRepeat }),
        },
        refuses: (end) => (retry === null ? notTaken(end, request) : null),
      })
      .then(async (end) => {
        const outcome = end.document as Partial<Outcome> | null;
        if (outcome?.plan == null || outcome.plan_digest == null) {
          await change(id, {}, stateBefore(record, retry), endWords(end));
          return;
        }
        const why = retry === null ? notTaken(end, request) : null;
        if (why !== null) {
          await change(id, {}, stateBefore(record, retry), why);
          return;
        }
        // Without a person's word it is the batch that its rows say.
        const batch = outcome.batch ?? request.batch;
        const planned: PlanFacts = {
          path: outcome.plan,
          digest: outcome.plan_digest,
          notes: outcome.notes ?? [],
          stops: outcome.unconfirmed ?? [],
          retry,
          request: { ...request, batch },
        };
        const deed = `made a plan of ${record.file} for batch ${batch}, ${shortDigest(planned.digest)}`;
        await change(id, { plan: planned }, 'planned', null, doing(person, deed, { upload: id, plan: planned.digest }));
      })
      .catch((error: unknown) => order.log(String(error)))
      .then(async () => await settleApproval(id));
    return show(id, person);
  }

  /** A batch whose unpaid rows are planned again stays a batch until the plan stands. */
  const stateBefore = (record: UploadRecord, retry: PlanFacts['retry']): UploadState =>
    retry !== null ? 'batch' : (factsOf(record).looked ?? 'ready');

  function requestFlags(request: Asked): string[] {
    const { batch, suggested = false, series, skipInvalid, expect, confirmVariance, confirmRepeat, add } = request;
    return [
      suggested ? '--batch-if-new' : '--batch',
      batch,
      ...(series === undefined || series === '' ? [] : ['--series', series]),
      ...(skipInvalid ? ['--skip-invalid'] : []),
      ...expect.flatMap((one) => ['--expect', one]),
      ...(confirmVariance === undefined ? [] : ['--confirm-variance', confirmVariance]),
      ...(confirmRepeat === undefined ? [] : ['--confirm-repeat', confirmRepeat]),
      ...(add === true ? ['--add'] : []),
    ];
  }

  function planFacts(record: UploadRecord, digest?: string): PlanFacts {
    const { plan: facts } = factsOf(record);
    if (facts === null)
      throw new Refused(
        409,
        'No plan of this sheet stands: what was planned was changed since. Make a new one.',
        'STALE',
      );
    if (digest !== undefined && facts.digest !== digest)
      throw new Refused(
        409,
        'The plan that you saw is void: the sheet was changed or planned anew since. Look at it again.',
        'STALE',
      );
    return facts;
  }

  /** Read anew where the plan, the signatures beside it, or the policy changed. */
  async function reviewed(record: UploadRecord): Promise<Reviewed> {
    const { path, digest } = planFacts(record);
    const policy = order.policy();
    const key = JSON.stringify([
      digest,
      statSync(dirname(path)).mtimeMs,
      statSync(policy, { throwIfNoEntry: false })?.mtimeMs,
    ]);
    const kept = reviews.get(record.id);
    if (kept?.key === key) return { ...kept.review, expired: clock.now() >= Date.parse(kept.review.expiresAt) };
    const review = await reader.ask('review', path, policy, clock.now());
    if (review.digest !== digest)
      throw new Refused(409, 'The plan’s file was changed since it was made. Make a new plan.', 'STALE');
    reviews.set(record.id, { key, review });
    return review;
  }

  /** Enough approvals, or none needed: it may be paid. */
  async function settleApproval(id: string): Promise<void> {
    const record = uploads.find(id);
    if (record === null || record.state !== 'planned') return;
    const review = await reviewed(record).catch(async (error: unknown) => {
      await change(id, {}, 'planned', error instanceof Error ? error.message : String(error));
      return null;
    });
    if (review !== null && review.approvals.length >= review.needed && uploads.find(id)?.state === 'planned')
      await change(id, {}, 'approved');
  }

  function whyNot(
    record: UploadRecord,
    person: Who,
    review: Pick<Reviewed, 'approvals' | 'maker' | 'expired'>,
  ): string | null {
    if (person.role !== 'approver') return 'Approvers approve.';
    if (preparersOf(record).includes(person.id))
      return 'You handed in, corrected or planned this sheet: somebody else approves it.';
    if (review.approvals.some(({ name }) => name === person.name)) return 'You have approved it already.';
    if (review.expired) return 'The plan is no longer good: ask for a new one.';
    if (record.state === 'declined') return 'It was declined: ask for a new plan.';
    return null;
  }

  async function review(id: string, person: Who): Promise<Review> {
    const record = get(id);
    const { declined, plan: facts } = factsOf(record);
    const { terms, approvalNotes, ...read } = await reviewed(record);
    const whole: Review = {
      ...read,
      notes: [...terms, ...approvalNotes].filter((note) => note !== ''),
      reading: (facts?.notes ?? []).map(forPage).filter((note) => note !== ''),
      stops: (facts?.stops ?? []).map(forPage),
      declined,
      whyNot: whyNot(record, person, read),
    };
    return person.role === 'viewer' ? maskedReview(whole) : whole;
  }

  /** The sheet whose plan, the one that was seen, waits for approvals or for being paid. */
  function waiting(id: string, digest: string): UploadRecord {
    const record = get(id);
    planFacts(record, digest);
    if (record.state !== 'planned' && record.state !== 'approved')
      throw new Refused(
        409,
        record.state === 'batch'
          ? `This sheet is batch ${record.batch} by now.`
          : 'This plan waits for nothing any more.',
      );
    return record;
  }

  async function approve(id: string, { digest, password }: Requests['approve'], person: Who): Promise<Upload> {
    const record = waiting(id, digest);
    const { path, request } = planFacts(record, digest);
    const why = whyNot(record, person, await reviewed(record));
    if (why !== null) throw new Refused(403, why, 'NOT_YOURS');
    const key = await order.keys.unlock(person.id, password);
    // While the password was checked it may have been changed, or declined.
    waiting(id, digest);
    const at = isoTime(clock.now());
    const signature = sign(key, { purpose: 'approve plan', digest, approver: person.name, at });
    writeFileSync(`${planStem(path)}.${person.name}.sig.json`, signatureText(signature), { mode: 0o600 });
    const { fingerprint } = publicOf(person.name, key);
    await uploads.change(
      id,
      () => null,
      doing(
        person,
        `approved the plan of ${record.file} for batch ${request.batch}, ${shortDigest(digest)} (key ${fingerprint})`,
        { upload: id, plan: digest, fingerprint },
        request.batch,
      ),
    );
    reviews.delete(id);
    await settleApproval(id);
    return show(id, person);
  }

  async function decline(id: string, { digest, reason }: Requests['decline'], person: Who): Promise<Upload> {
    const record = waiting(id, digest);
    requireIdle(id);
    const { request } = planFacts(record, digest);
    if (preparersOf(record).includes(person.id))
      throw new Refused(403, 'You prepared this sheet yourself: change it, or discard it.', 'NOT_YOURS');
    await change(id, { declined: { by: person.name, at: isoTime(clock.now()), reason } }, 'declined', reason);
    await uploads.tell(
      doing(
        person,
        `declined the plan of ${record.file} for batch ${request.batch}, ${shortDigest(digest)}: ${reason}`,
        { upload: id, plan: digest },
      ),
    );
    return show(id, person);
  }

  // --- Paying

  async function pay(id: string, { digest }: Requests['pay'], person: Who): Promise<Upload> {
    planFacts(get(id), digest);
    const { approvals } = await reviewed(get(id));
    // While that was read somebody may have changed or declined it.
    const record = get(id);
    const facts = planFacts(record, digest);
    if (record.state !== 'approved')
      throw new Refused(
        409,
        record.state === 'declined' ? 'The plan was declined.' : 'The plan waits for its approvals.',
        'NOT_APPROVED',
      );
    if (approvals.some(({ name }) => name === person.name))
      throw new Refused(403, 'You approved this plan: somebody else pays it.', 'NOT_YOURS');
    const out = join(folderOf(id), 'out');
    makeFolder(out);
    const { batch } = facts.request;
    const approval = [...underPolicy(), '--approve', digest, '--plan', facts.path, '--out', out, '--wait', payWait];
    const argv =
      facts.retry === null
        ? ['run', sheetOf(record), ...sheetFlags(record), ...requestFlags(facts.request), ...approval]
        : ['retry', batch, ...(facts.retry.rows === null ? [] : ['--rows', facts.retry.rows.join(',')]), ...approval];
    const ended = jobs.give(person, {
      kind: facts.retry === null ? 'pay' : 'retry',
      upload: id,
      batch,
      argv,
      did: `${facts.retry === null ? 'began to pay' : 'began to send again unpaid rows of'} batch ${batch} from ${record.file}, ${shortDigest(digest)}`,
      data: { upload: id, file: record.file, plan: digest },
      onStep: () => {
        if (facts.retry === null) void noteBatch(id, facts).catch((error: unknown) => order.log(String(error)));
      },
    });
    // One that cannot even begin is told at once.
    const end = await Promise.race([ended, clock.sleep(atOnceMs)]);
    void ended
      .then(async (one) => {
        // A retry that could not begin is begun again: its batch stood before.
        if (facts.retry === null || errorCode(one) === null) await noteBatch(id, facts);
        if (uploads.find(id)?.state === 'approved') await change(id, {}, 'approved', endWords(one));
      })
      .catch((error: unknown) => order.log(String(error)));
    if (end !== undefined && errorCode(end) !== null)
      throw new Refused(409, endWords(end), errorCode(end) ?? undefined);
    return show(id, person);
  }

  /** As soon as the batch stands in the ledger under this plan, that is where it is followed. */
  async function noteBatch(id: string, facts: PlanFacts | null): Promise<void> {
    if (facts === null || uploads.find(id)?.state === 'batch') return;
    const batch = await ledger.batch(facts.request.batch);
    const stands = batch !== null && (facts.retry !== null || `sha256:${planOf(batch)?.digest}` === facts.digest);
    if (!stands) return;
    await uploads.change(id, () => ({ state: 'batch', batch: facts.request.batch, message: null }));
    jobs.nameBatch(id, facts.request.batch);
  }

  // --- Taking in

  function beginReceiving({ id }: Who): void {
    if (receiving.has(id))
      throw new Refused(409, 'You are handing in another file just now. One after the other.', 'ONE_AT_A_TIME');
    requireRoom(ledger.path);
    receiving.add(id);
  }

  async function take({ request, person }: Call): Promise<Upload> {
    beginReceiving(person);
    const id = clock.randomHex(16);
    const folder = folderOf(id);
    try {
      makeFolder(folder);
      const coming = join(folder, 'coming');
      const { name, bytes, sha256 } = await receiveFile(request, coming, mostSheetBytes);
      const ending = /\.[^.]+$/.exec(name)?.[0] ?? '';
      if (!endings.includes(ending))
        throw new Refused(415, `A sheet is a file that ends in ${endings.join(', ')}.`, 'NO_SHEET');
      const kind = await readSheetKind(coming);
      const sheet = name.replace(/\.[^.]+$/, kind === 'zip' ? '.xlsx' : kind === 'payments' ? '.xml' : '.csv');
      await rename(coming, join(folder, sheet));
      makeFolder(documentsOf(id));
      const facts: Facts = { sheet, found: null, looked: null, table: null, choice: null, plan: null, declined: null };
      await uploads.add(
        { id, file: name, bytes, sha256, state: 'reading', facts: JSON.stringify(facts) },
        doing(person, `handed in ${name}`, { upload: id, file: name, bytes, sha256 }),
      );
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    } finally {
      receiving.delete(person.id);
    }
    void look(id);
    return show(id, person);
  }

  async function takeDocument({ request, person, params }: Call): Promise<Upload> {
    const record = mendable(params.id ?? '');
    const { id } = record;
    beginReceiving(person);
    try {
      if (documentList(id).length >= mostDocuments)
        throw new Refused(422, `A sheet has at most ${mostDocuments} documents here.`);
      const folder = documentsOf(id);
      makeFolder(folder);
      const coming = join(folder, `.coming-${clock.randomHex(8)}`);
      const { name, bytes, sha256 } = await receiveFile(request, coming, order.check.documents.maxBytes);
      await rename(coming, join(folder, name));
      await uploads.change(
        id,
        voided(person),
        doing(person, `handed in the document ${name} for ${record.file}`, {
          upload: id,
          file: record.file,
          document: name,
          bytes,
          sha256,
        }),
      );
    } finally {
      receiving.delete(person.id);
    }
    return changed(id, person);
  }

  /** Told before it is gone: one that is there still after a crash is taken away again. */
  async function removeDocument(id: string, name: string, person: Who): Promise<Upload> {
    const record = mendable(id);
    requireDocument(id, name);
    await uploads.change(
      id,
      voided(person),
      doing(person, `removed the document ${name} of ${record.file}`, {
        upload: id,
        file: record.file,
        document: name,
      }),
    );
    const folder = documentsOf(id);
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && entry.name === name) rmSync(join(entry.parentPath, name));
    return changed(id, person);
  }

  /** Only what the list has, so that no name leads elsewhere. */
  function requireDocument(id: string, name: string): void {
    if (!documentList(id).some((one) => one.name === name))
      throw new Refused(404, 'This sheet has no such document. Load the page again for those that it has.');
  }

  /** The columns are remembered for the next sheet that has them; which sheet of a workbook it was is this one's alone. */
  async function chooseColumns(id: string, matched: Requests['columns'], person: Who): Promise<Upload> {
    const record = mendable(id);
    const { found, choice: before } = factsOf(record);
    const header = found?.header ?? [];
    const choice = { ...sheetNameOf(before), ...matched };
    const { sheetName: _own, ...remembered } = choice;
    const text = mapText(header, choice);
    // A slip of it is told now, in the words of the map.
    if (text !== null) {
      try {
        parseMap('columns', text);
      } catch (error) {
        if (error instanceof PayrunError)
          throw new Refused(422, error.message.replace(/^The map columns cannot be used: /, ''), error.code);
        throw error;
      }
    }
    await uploads.choose(
      header.length === 0 ? `upload ${id}` : headerDigest(header),
      JSON.stringify(header.length === 0 ? choice : remembered),
      id,
      voided(person, { choice }),
      doing(person, `matched the columns of ${record.file}`, {
        upload: id,
        file: record.file,
        columns: choice.columns,
        values: choice.values,
      }),
    );
    return changed(id, person);
  }

  for (const record of uploads.list(10_000)) mendAfterDeath(record);

  return {
    list: (person: Who): Upload[] => uploads.list(200).map(({ id }) => show(id, person)),
    show,
    find: get,
    take,
    takeDocument,
    removeDocument,
    chooseColumns,
    correct,
    correctionsOf,
    undo,
    plan,
    review,
    approve,
    decline,
    pay,
    async look(id: string, person: Who): Promise<Upload> {
      mendable(id);
      await uploads.change(id, voided(person));
      void look(id);
      return show(id, person);
    },
    async discard(id: string, person: Who): Promise<void> {
      const record = mendable(id);
      looks.get(id)?.look.end();
      looks.delete(id);
      await uploads.discard(
        id,
        doing(person, `discarded ${record.file}`, { upload: id, file: record.file, sha256: record.sha256 }),
      );
      rmSync(folderOf(id), { recursive: true, force: true });
    },
    async rows(
      id: string,
      query: { filter: RowFilter; q: string; from: number; limit: number },
      person: Who,
    ): Promise<SheetRows> {
      const record = get(id);
      return await reader.ask('table', tableOf(record), columnsFor(record, person), query);
    },
    async mistakes(id: string, person: Who): Promise<readonly Mistake[]> {
      const record = get(id);
      return await reader.ask('mistakes', tableOf(record), columnsFor(record, person));
    },
    documents: (id: string) => documentList(get(id).id),
    /** To be read before approving. */
    async document(id: string, name: string, person: Who): Promise<string> {
      const record = get(id);
      requireDocument(id, name);
      await uploads.tell(
        doing(person, `downloaded the document ${name} of ${record.file}`, {
          upload: id,
          file: record.file,
          document: name,
        }),
      );
      return join(documentsOf(id), name);
    },
    /** The checked workbook of the sheet as it is mended now. */
    async checked(id: string, person: Who): Promise<string> {
      const record = get(id);
      const out = join(folderOf(id), 'checked');
      makeFolder(out);
      const end = await command(['check', sheetOf(record), ...sheetFlags(record), '--write', '--out', out], {
        person: person.name,
      });
      const path = isObject(end.document) ? end.document.checked : null;
      if (typeof path !== 'string') throw new Refused(422, endWords(end), errorCode(end) ?? undefined);
      await uploads.tell(
        doing(person, `downloaded the checked workbook of ${record.file}`, { upload: id, file: record.file }),
      );
      return path;
    },
    outFolder(batch: string): string {
      const record = uploads.ofBatch(batch);
      const folder =
        record === null ? join(dirname(root), 'batches', safeName(batch)) : join(folderOf(record.id), 'out');
      makeFolder(folder);
      return folder;
    },
    preparersOf: (batch: string): readonly number[] => {
      const record = uploads.ofBatch(batch);
      return record === null ? [] : preparersOf(record);
    },
    underPolicy,
    uploadOf: (batch: string): string | null => uploads.ofBatch(batch)?.id ?? null,
    /** The plan of a batch that came from here, to be made again for its unpaid rows. */
    async planAgain(batch: string, rows: readonly string[] | null, person: Who): Promise<void> {
      const record = uploads.ofBatch(batch);
      const { request } = record === null ? {} : factsOf(record);
      if (record === null || request === undefined)
        throw new Refused(409, 'This batch was begun at a terminal: send its rows again from there.');
      const { suggested: _, ...again } = request;
      await plan(record.id, { ...again, batch }, person, { rows });
    },
    async close(): Promise<void> {
      const under = [...looks.values()];
      looks.clear();
      for (const { look: one } of under) one.end();
      await Promise.allSettled(under.map(({ look: one }) => one.found));
    },
  };
}

/** From a file's name. */
const stemFor = (file: string) =>
  file
    .replace(/\.[^.]+$/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .slice(0, 50) || 'batch';

function sentWords({ batch, rows, paid }: NonNullable<Upload['sent']>, of: number): string {
  const what = rows >= of ? `all ${counted(of, 'row')}` : `${grouped(rows)} of its ${counted(of, 'row')}`;
  return paid === rows
    ? `${what} are paid already as batch ${batch}`
    : `${what} were sent already as batch ${batch}, and ${grouped(paid)} are paid`;
}

/** A fault of the whole sheet is no row that could be left out. */
function whyNotSkip({ problems, counts }: Pick<Found, 'problems' | 'counts'>): string | null {
  if (counts.toFix >= counts.rows) return 'No row of it can be paid as it is.';
  const fault = problems.find(({ row, severity }) => row === null && severity === 'error');
  return fault === undefined
    ? null
    : `This is a fault of the whole sheet, which no row can be left out for: ${fault.message}`;
}

const shownRepeats = 20;

const sheetNameOf = (choice: Choice | null) => (choice?.sheetName === undefined ? {} : { sheetName: choice.sheetName });

/** A plan that would send nothing, or rows that look corrected after they had been sent, of which nobody said why. */
function notTaken({ document }: CommandEnd, request: Asked): string | null {
  const { plan, rows, problems = [], batch, problems_total: total = 0 } = (document ?? {}) as Partial<Outcome>;
  if (plan == null) return null;
  if (rows?.not_sent === 0) return `Nothing of this sheet would be sent: all of it was sent already as batch ${batch}.`;
  // A sheet that nobody named was held to the stricter rule by the command itself.
  if (request.suggested === true || request.confirmRepeat !== undefined || !problems.some(isNearRepeat)) return null;
  const looks = problems.filter(({ code }) => code === 'LOOKS_PAID');
  const more = looks.length - shownRepeats;
  return [
    'No plan was made: rows of this sheet look sent already.',
    ...looks.slice(0, shownRepeats).map(({ row, message }) => `Row ${row} ${forPage(message)}.`),
    ...(more > 0 || total > problems.length ? [`And ${more > 0 ? grouped(more) : 'perhaps'} more.`] : []),
    'If they shall not be paid again: take these rows out of the sheet, and hand it in anew. If each of them is meant: say why, and plan it again.',
  ].join(' ');
}

/** Enough of it for people to see that they speak of the same plan. */
const shortDigest = (digest: string) => `${digest.slice(0, 'sha256:'.length + 12)}…`;

/** A batch that still moves after that is gone on with by a button. */
export const payWait = '1h';
/** What is refused before anything is read shows within this. */
export const atOnceMs = 300;
