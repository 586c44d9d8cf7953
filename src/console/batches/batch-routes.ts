/** Lists the routes for sheets and batches. */
import type { z } from 'zod';
import { type Role, type RowFilter, requests, rowFilters } from '../api.ts';
import { knownWords } from '../drafts/choices.ts';
import type { UploadDesk } from '../drafts/uploads.ts';
import { acts, type Call, eyesOf, type Route, reads, receives, refused, routesOf, type Who } from '../http/route.ts';
import { type BatchDesk, sendFile } from './batches.ts';
import type { Reader } from './reading.ts';

const preparer = ['preparer'] as const;
const approver = ['approver'] as const;
const deciders = ['approver', 'administrator'] as const;
const trusted = ['preparer', 'approver', 'administrator'] as const;

const mostRows = 500;
const usualRows = 100;

const id = ({ params }: Pick<Call, 'params'>) => params.id ?? '';
const name = ({ params }: Pick<Call, 'params'>) => params.name ?? '';

const on =
  (subject: typeof id) =>
  <S extends z.ZodType>(may: readonly Role[], body: S, work: (of: string, asked: z.infer<S>, person: Who) => unknown) =>
    acts(may, body, (call) => work(subject(call), call.body, call.person));
const onSheet = on(id);
const onBatch = on(name);

export function batchRoutes(uploads: UploadDesk, batches: BatchDesk, reader: Reader): readonly Route[] {
  const person = 'person' as const;
  const found = <T>(value: T | null, what: 'row' | 'payee' | 'batch'): T => {
    if (value === null) throw refused(404, 'NOT_FOUND', { what });
    return value;
  };

  return routesOf({
    'GET /api/uploads': reads(person, ({ person: who }) => uploads.list(who)),
    'POST /api/uploads': receives(preparer, async (call) => call.reply.code(201).send(await uploads.take(call))),
    'GET /api/uploads/:id': reads(person, (call) => uploads.show(id(call), call.person)),
    'GET /api/uploads/:id/rows': reads(person, (call) =>
      uploads.rows(
        id(call),
        { filter: filterOf(call), warning: call.query.warning ?? '', q: call.query.q ?? '', ...page(call) },
        call.person,
      ),
    ),
    'GET /api/uploads/:id/mistakes': reads(person, (call) => uploads.mistakes(id(call), call.person)),
    'GET /api/uploads/:id/warnings': reads(person, (call) => uploads.warnings(id(call), call.person)),
    'GET /api/known-words': reads(person, () => knownWords),
    'GET /api/uploads/:id/corrections': reads(person, async (call) => uploads.correctionsOf(id(call), call.person)),
    'GET /api/uploads/:id/documents/:name': reads(trusted, async (call) =>
      sendFile(call.reply, await uploads.document(id(call), name(call), call.person, call.query.sha256)),
    ),
    'GET /api/uploads/:id/plan': reads(person, (call) => uploads.review(id(call), call.person)),
    'GET /api/uploads/:id/checked': reads(trusted, async (call) =>
      sendFile(call.reply, await uploads.checked(id(call), call.person)),
    ),
    'POST /api/uploads/:id/documents': receives(preparer, (call) => uploads.takeDocument(call)),
    'POST /api/uploads/:id/documents/:name/remove': acts(preparer, requests.removeDocument, (call) =>
      uploads.removeDocument(id(call), { name: name(call), ...call.body }, call.person),
    ),
    'POST /api/uploads/:id/columns': onSheet(preparer, requests.columns, uploads.chooseColumns),
    'POST /api/uploads/:id/rows': onSheet(preparer, requests.rows, uploads.chooseRows),
    'POST /api/uploads/:id/corrections': onSheet(preparer, requests.correct, uploads.correct),
    'POST /api/uploads/:id/corrections/:n/undo': acts(preparer, requests.nothing, (call) =>
      uploads.undo(id(call), Number(call.params.n), call.person),
    ),
    'POST /api/uploads/:id/discard': onSheet(preparer, requests.discard, uploads.discard),
    'POST /api/uploads/:id/plan': onSheet(preparer, requests.plan, uploads.plan),
    'POST /api/uploads/:id/pay': onSheet(preparer, requests.pay, uploads.pay),
    'POST /api/uploads/:id/approve': onSheet(approver, requests.approve, uploads.approve),
    'POST /api/uploads/:id/decline': onSheet(approver, requests.endPlan, uploads.decline),
    'POST /api/uploads/:id/withdraw': onSheet(preparer, requests.endPlan, uploads.withdraw),
    'GET /api/proposals': reads(person, () => batches.proposals()),
    'GET /api/batches': reads(person, () => batches.list()),
    'GET /api/batches/:name': reads(person, (call) => batches.show(name(call), call.person)),
    'GET /api/batches/:name/rows': reads(person, (call) =>
      batches.rows(name(call), { status: call.query.status ?? '', q: call.query.q ?? '', ...page(call) }, call.person),
    ),
    'GET /api/batches/:name/rows/:key': reads(person, async (call) =>
      uploads.withDocuments(
        name(call),
        found(await reader.ask('life', name(call), call.params.key ?? '', eyesOf(call.person)), 'row'),
      ),
    ),
    'GET /api/batches/:name/events': reads(person, (call) => batches.events(name(call), call)),
    'GET /api/batches/:name/funding': reads(person, async (call) =>
      found(await reader.ask('funding', name(call), eyesOf(call.person)), 'batch'),
    ),
    'GET /api/batches/:name/result': reads(trusted, (call) => batches.download('result', name(call), call)),
    'GET /api/batches/:name/evidence': reads(trusted, (call) => batches.download('evidence', name(call), call)),
    'GET /api/batches/:name/report': reads(trusted, (call) => batches.download('report', name(call), call)),
    'POST /api/batches/:name/resume': onBatch(preparer, requests.resume, batches.resume),
    'POST /api/batches/:name/stop': acts(trusted, requests.nothing, (call) => batches.stop(name(call), call.person)),
    'POST /api/batches/:name/end-pause': onBatch(deciders, requests.endPause, batches.endPause),
    'POST /api/batches/:name/reconcile': acts(preparer, requests.nothing, (call) =>
      batches.reconcile(name(call), call.person),
    ),
    'POST /api/batches/:name/retry': onBatch(preparer, requests.retry, batches.retry),
    'POST /api/batches/:name/release': onBatch(approver, requests.release, batches.release),
    'POST /api/batches/:name/resolve': onBatch(approver, requests.resolve, batches.resolve),
    'POST /api/batches/:name/drop': onBatch(trusted, requests.drop, batches.drop),
    'POST /api/batches/:name/reopen': onBatch(approver, requests.release, batches.reopen),
    'GET /api/trail': reads(person, (call) =>
      reader.ask('trail', call.query.batch || null, page(call), eyesOf(call.person)),
    ),
    'GET /api/payees': reads(person, ({ query, person: who }) => reader.ask('payees', query.q ?? '', eyesOf(who))),
    'GET /api/payees/:key': reads(person, async (call) =>
      found(await reader.ask('payee', call.params.key ?? '', eyesOf(call.person)), 'payee'),
    ),
    'GET /api/search': reads(person, async ({ query, person: who }) => {
      const q = (query.q ?? '').trim();
      if (q === '') return { batches: [], uploads: [], payees: [], rows: [] };
      return { ...(await reader.ask('search', q, eyesOf(who))), uploads: await uploads.list(who, q) };
    }),
  });
}

function page({ query }: Pick<Call, 'query'>): { readonly from: number; readonly limit: number } {
  const number = (text: string | undefined, otherwise: number, most: number) =>
    text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(Number(text), most) : otherwise;
  return { from: number(query.from, 0, 1_000_000_000), limit: number(query.limit, usualRows, mostRows) };
}

const filterOf = ({ query }: Pick<Call, 'query'>): RowFilter => rowFilters.find((one) => one === query.filter) ?? 'all';
