/** Shows the live state of batches on the page, and does what people decide there. */
import { createReadStream, rmSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { Command, FileCommand, Perform } from '../../app/batch/command.ts';
import { requireOwnWords } from '../../app/batch/own-words.ts';
import { rowsNamed } from '../../app/batch/row-decisions.ts';
import { endPause as endPauseOf, stopSending } from '../../app/pause-batch.ts';
import { makeFolder } from '../../base/folder.ts';
import { Secret } from '../../base/secret.ts';
import type { BatchFacts } from '../../ledger/ledger.ts';
import { readerZone } from '../../messages/format/times.ts';
import { refusalOnPage } from '../../messages/refusals.ts';
import { deedOf } from '../../messages/web/deeds.ts';
import { standingStop } from '../../pipeline/holds.ts';
import { requireSeen, type Seen } from '../../pipeline/seen.ts';
import type { Batch, BatchLine, BatchRows, Requests } from '../api.ts';
import { atOnceMs, payWaitMs } from '../drafts/sheet-pay.ts';
import { doing, type SheetOrder } from '../drafts/sheet-records.ts';
import type { UploadDesk } from '../drafts/uploads.ts';
import { actorFor, type Call, eyesOf, Refused, refused, seenBy, type Who } from '../http/route.ts';
import type { RowsAsked } from './batch-views.ts';
import { type JobOrder, type Jobs, messageOfEnding, requireNoError, shownJob } from './jobs.ts';
import type { Reader } from './reading.ts';

export interface BatchOrder extends Pick<SheetOrder, 'ledger' | 'clock' | 'keys' | 'log' | 'policy'> {
  readonly perform: Perform;
}

const watchMs = 500;
/** How often the event stream sends a sign of life, because proxies close silent connections. */
const aliveMs = 15_000;
const mostFollowed = 12;
/** How long a request waits for its command. A longer command continues, and the page follows it. */
const answerMs = 15_000;

export type BatchDesk = ReturnType<typeof openBatchDesk>;

export function openBatchDesk(order: BatchOrder, reader: Reader, jobs: Jobs, uploads: UploadDesk) {
  const { ledger, clock, perform, keys } = order;
  const scratch = join(ledger.folder, 'console', 'downloads');
  const watchers = new Map<() => void, number>();

  async function facts(name: string): Promise<BatchFacts> {
    const batch = await ledger.batches.batch(name);
    if (batch === null) throw refused(404, 'BATCH_MISSING', { batch: name });
    return batch;
  }

  const isRunning = async (name: string, own: boolean) =>
    own || (ledger.leads.of(name).stands === 'going' && (await ledger.isLedElsewhere()));

  async function show(name: string, person: Who): Promise<Batch> {
    // Reads the job before the rows, so that a finished job is shown with its last rows.
    const job = jobs.of({ batch: name });
    const kind = jobs.kinds().get(name) ?? null;
    const batch = await reader.ask('batch', name, eyesOf(person));
    if (batch === null) throw refused(404, 'BATCH_MISSING', { batch: name });
    const pauses = await ledger.holds.pauses(name);
    const paused = pauses.map((pause) => ({ ...pause, reason: seenBy(person, pause.reason) }));
    const stopped = standingStop(ledger, name);
    const proposal = ledger.holds.proposalOf(name);
    // Hides a job that died with its console if another run has finished the batch, and one whose plan has ended.
    const code = job?.said?.code;
    const isHidden = code === 'JOB_DIED' ? batch.next.length === 0 : code === 'PROPOSAL_WAITS' && proposal === null;
    return {
      ...batch,
      running: await isRunning(name, kind !== null),
      doing: kind,
      proposal,
      paused,
      turn: ledger.leads.of(name).turn,
      stopped: stopped && refusalOnPage(seenBy(person, stopped)),
      upload: uploads.uploadOf(name),
      job: job === null || isHidden ? null : shownJob(seenBy(person, job)),
      evidence: await evidenceOf(name),
    };
  }

  /** Evidence packs by batch. They stay in memory, because finding a pack may read the whole trail. */
  const evidence = new Map<string, Promise<Batch['evidence']>>();
  let packs = 0;
  function evidenceOf(name: string): Promise<Batch['evidence']> {
    const known = evidence.get(name) ?? reader.ask('evidence', name);
    evidence.set(name, known);
    known.catch(() => evidence.delete(name));
    return known;
  }

  type Given = Pick<JobOrder, 'kind' | 'command' | 'deed' | 'key'>;
  async function give(person: Who, name: string, { command, ...given }: Given): Promise<Batch> {
    await facts(name);
    const subject = { upload: uploads.uploadOf(name), batch: name };
    const ended = jobs.give(person, { ...given, ...subject, command: { ...command, out: uploads.outFolder(name) } });
    ended.catch((error: unknown) => {
      if (!(error instanceof Refused)) order.log(error);
    });
    const end = await Promise.race([ended, clock.sleep(given.kind === 'resume' ? atOnceMs : answerMs)]);
    if (end !== undefined) requireNoError(end);
    return await show(name, person);
  }

  /** Gives a command about a row with the person's key, by which the use case signs what needs a second person. */
  async function sign(name: string, asked: Omit<Requests['release'], 'reason'>, person: Who, given: Given) {
    await keys.unlock(person.id, asked.password);
    const key = { file: keys.file(person.id), passphrase: new Secret(asked.password) };
    const command = { ...given.command, ...seenOf(asked), policy: order.policy() };
    return await give(person, name, { ...given, command, key });
  }

  const asking = new Map<string, Promise<Batch>>();

  function shown(name: string, person: Who): Promise<Batch> {
    const key = JSON.stringify([readerZone(), eyesOf(person), name]);
    const under = asking.get(key) ?? show(name, person);
    asking.set(key, under);
    return under.finally(() => asking.delete(key));
  }

  return {
    async list(): Promise<BatchLine[]> {
      const own = jobs.kinds();
      return await Promise.all(
        (await reader.ask('batches')).map(async (line) => ({
          ...line,
          running: await isRunning(line.batch, own.has(line.batch)),
          doing: own.get(line.batch) ?? null,
        })),
      );
    },
    show,
    /** Lines with mistakes come last, because they are in the sheet and not in the batch. */
    async rows(name: string, query: RowsAsked, person: Who): Promise<BatchRows> {
      const eyes = eyesOf(person);
      const { status, q, from, limit } = query;
      const found = await reader.ask('rows', name, query, eyes);
      if (status !== '' && status !== 'invalid') return found;
      const place = Math.max(0, from - found.total);
      const out = await uploads.invalidLines(name, { q, from: place, limit: limit - found.rows.length }, person);
      return { total: found.total + out.total, rows: [...found.rows, ...out.rows] };
    },
    proposals: () => ledger.holds.proposals().filter(({ upload }) => upload === null),
    async events(name: string, { person, may, request, reply }: Call): Promise<FastifyReply> {
      await facts(name);
      if ([...watchers.values()].filter((account) => account === person.id).length >= mostFollowed)
        throw refused(429, 'FOLLOWS_MANY', { retryAfterMs: 5000 });
      const { raw } = reply;
      reply.hijack();
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'x-accel-buffering': 'no',
      });
      const closed = new AbortController();
      const end = () => closed.abort();
      watchers.set(end, person.id);
      request.raw.once('close', end);
      raw.once('close', end);
      let last: Batch | null = null;
      let sent = JSON.stringify(last);
      let seen = '';
      let sentAt = clock.now();
      const write = (text: string) => {
        raw.write(text);
        sentAt = clock.now();
      };
      const look = async () => {
        // Reads the batch only after a change, or while it is running.
        const now = `${ledger.pages.version()} ${jobs.version()} ${packs}`;
        const isNew = now !== seen || last?.running === true;
        seen = now;
        if (isNew) last = await shown(name, person);
        const text = JSON.stringify(last);
        if (text !== sent) write(`event: batch\ndata: ${text}\n\n`);
        else if (clock.now() - sentAt > aliveMs) write(': alive\n\n');
        sent = text;
      };
      // An error after the end, such as that of an ended reader, is none.
      const failed = (error: unknown) => {
        if (!closed.signal.aborted) order.log(error);
      };
      const follow = async () => {
        while (!closed.signal.aborted && may()) {
          // A browser that reads slowly gets no new event yet.
          if (!raw.writableNeedDrain) await look().catch(failed);
          await clock.sleep(watchMs, closed.signal);
        }
      };
      void follow()
        .catch(failed)
        .finally(() => {
          watchers.delete(end);
          raw.end();
        });
      return reply;
    },
    async resume(name: string, seen: Requests['resume'], person: Who): Promise<Batch> {
      const command: Command = { do: 'resume', batch: name, policy: order.policy(), waitMs: payWaitMs, seen };
      return await give(person, name, { kind: 'resume', command, deed: deedOf('resumed', { batch: name }) });
    },
    async endPause(name: string, { pause, reason }: Requests['endPause'], person: Who): Promise<Batch> {
      await facts(name);
      await endPauseOf({ ledger }, { batch: name, reason, only: pause }, actorFor(person));
      return await show(name, person);
    },
    async reconcile(name: string, person: Who): Promise<Batch> {
      const command: Command = { do: 'reconcile', batch: name };
      return await give(person, name, { kind: 'reconcile', command, deed: deedOf('reconciled', { batch: name }) });
    },
    async release(name: string, asked: Requests['release'], person: Who): Promise<Batch> {
      const said = { batch: name, row: asked.row, reason: asked.reason };
      const command: Command = { do: 'release', ...said };
      return await sign(name, asked, person, { kind: 'release', command, deed: deedOf('released', said) });
    },
    async resolve(name: string, asked: Requests['resolve'], person: Who): Promise<Batch> {
      const { password: _password, standing: _standing, ...decision } = asked;
      const { row, reason } = decision;
      const command: Command = { do: 'resolve', batch: name, decision };
      const paid = decision.way === 'paid' ? decision.payment : null;
      const deed = deedOf('resolved', { batch: name, row, paid, reason });
      return await sign(name, asked, person, { kind: 'resolve', command, deed });
    },
    async drop(name: string, asked: Requests['drop'], person: Who): Promise<Batch> {
      const { row, reason } = asked;
      const command: Command = { do: 'drop', ...seenOf(asked), batch: name, named: [{ row }], reason };
      const deed = deedOf('dropped', { batch: name, row, reason });
      return await give(person, name, { kind: 'resolve', command, deed });
    },
    async reopen(name: string, asked: Requests['release'], person: Who): Promise<Batch> {
      const said = { batch: name, row: asked.row, reason: asked.reason };
      const command: Command = { do: 'reopen', named: [{ row: said.row }], ...said };
      return await sign(name, asked, person, { kind: 'release', command, deed: deedOf('reopened', said) });
    },
    async retry(name: string, { rows, reason, standing }: Requests['retry'], person: Who): Promise<Batch> {
      requireOwnWords(reason);
      const seen: Seen = rows === null ? { standing } : { rows: standing };
      const batch = await facts(name);
      const named = await rowsNamed({ ledger }, batch, { named: (rows ?? []).map((row) => ({ row })), seen });
      await requireSeen(ledger, batch, seen, named);
      const unpaid = rows === null ? await ledger.rows.unpaidStates(name) : named;
      await ledger.uploads.tell(doing(person, 'retry-asked', { batch: name, rows, reason }, name));
      const again = { retry: { rows, reason }, seen, unpaid, base: batch.sheet.id };
      const upload = await uploads.planAgain(name, again, person);
      return { ...(await show(name, person)), upload };
    },
    /** Stops the batch for every run, and ends this console's job on it. Throws if there is nothing to stop. */
    async stop(name: string, person: Who): Promise<Batch> {
      await facts(name);
      let [isNew, isStopped] = [false, false];
      try {
        // Stops the other runs first, because one of them could continue the stopped job's rows.
        ({ isNew } = await stopSending({ ledger }, { batch: name }, actorFor(person)));
      } finally {
        isStopped = jobs.stop(name, person);
      }
      if (!isStopped && !isNew) throw refused(409, 'NOTHING_TO_STOP');
      await ledger.uploads.tell(doing(person, 'stopped', { batch: name }, name));
      return await show(name, person);
    },
    async download(what: keyof typeof files, name: string, { person, query, reply }: Call) {
      await facts(name);
      makeFolder(scratch);
      const folder = await mkdtemp(join(scratch, 'file-'));
      const gone = () => rmSync(folder, { recursive: true, force: true });
      try {
        const end = await perform(files[what]({ batch: name, out: folder }, query), { actor: actorFor(person) });
        if (!('file' in end)) throw new Refused(409, messageOfEnding(end));
        const isEvidence = what === 'evidence';
        await ledger.uploads.tell(
          isEvidence
            ? doing(person, 'evidence-downloaded', { batch: name, evidence: end.sha256 }, name)
            : doing(person, `${what}-downloaded`, { batch: name }, name),
        );
        if (isEvidence) {
          evidence.delete(name);
          packs += 1;
        }
        return sendFile(reply, end.file, gone);
      } catch (error) {
        gone();
        throw error;
      }
    },
    close(): void {
      for (const end of watchers.keys()) end();
    },
  };
}

const seenOf = ({ standing }: Pick<Requests['drop'], 'standing'>): Pick<Command, 'seen'> => ({
  seen: { rows: standing },
});

type Out = Pick<FileCommand, 'batch' | 'out'>;

const files = {
  result: (of: Out, { format }) => ({ do: 'result', format: format === 'csv' ? 'csv' : 'xlsx', ...of }),
  report: (of: Out) => ({ do: 'result page', zone: readerZone(), ...of }),
  evidence: (of: Out) => ({ do: 'evidence', ...of }),
} satisfies Readonly<Record<string, (of: Out, query: Call['query']) => FileCommand>>;

/** Sends a file as a download of no type, because a file shown in the browser could act as the console. */
export function sendFile(reply: FastifyReply, path: string, ended: () => void = () => {}): FastifyReply {
  const name = basename(path);
  const stream = createReadStream(path);
  stream.once('close', ended);
  return reply
    .header(
      'content-disposition',
      `attachment; filename="${name.replaceAll(/[^A-Za-z0-9 ._-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`,
    )
    .header('content-length', statSync(path).size)
    .type('application/octet-stream')
    .send(stream);
}
