/** Lists the routes for sheets and batches. */
import { type RowFilter, requests, rowFilters } from '../api.ts';
import { knownWords } from '../drafts/choices.ts';
import type { UploadDesk } from '../drafts/uploads.ts';
import { type Call, forPeople, type Route, refused } from '../http/route.ts';
import { eyesOf } from './batch-views.ts';
import { type BatchDesk, sendFile } from './batches.ts';
import type { Reader } from './reading.ts';

export interface Desks {
  readonly uploads: UploadDesk;
  readonly batches: BatchDesk;
  readonly reader: Reader;
}

const preparer = ['preparer'] as const;
const approver = ['approver'] as const;
const deciders = ['approver', 'administrator'] as const;
const trusted = ['preparer', 'approver', 'administrator'] as const;

const mostRows = 500;
const usualRows = 100;

export function batchRoutes({ uploads, batches, reader }: Desks): readonly Route[] {
  const person = 'person' as const;
  const found = <T>(value: T | null, what: 'row' | 'payee' | 'batch'): T => {
    if (value === null) throw refused(404, 'NOT_FOUND', { what });
    return value;
  };

  return [
    forPeople({ method: 'GET', path: '/api/uploads', may: person }, async ({ person: who }) => await uploads.list(who)),
    forPeople({ method: 'POST', path: '/api/uploads', may: preparer, takes: 'file' }, async (call) => {
      const upload = await uploads.take(call);
      return call.reply.code(201).send(upload);
    }),
    forPeople({ method: 'GET', path: '/api/uploads/:id', may: person }, (call) => uploads.show(id(call), call.person)),
    forPeople(
      { method: 'GET', path: '/api/uploads/:id/rows', may: person },
      async (call) =>
        await uploads.rows(
          id(call),
          { filter: filterOf(call), warning: call.query.warning ?? '', q: call.query.q ?? '', ...page(call) },
          call.person,
        ),
    ),
    forPeople(
      { method: 'GET', path: '/api/uploads/:id/mistakes', may: person },
      async (call) => await uploads.mistakes(id(call), call.person),
    ),
    forPeople(
      { method: 'GET', path: '/api/uploads/:id/warnings', may: person },
      async (call) => await uploads.warnings(id(call), call.person),
    ),
    forPeople({ method: 'GET', path: '/api/known-words', may: person }, () => knownWords),
    forPeople({ method: 'GET', path: '/api/uploads/:id/corrections', may: person }, async (call) =>
      uploads.correctionsOf(id(call), call.person),
    ),
    forPeople({ method: 'GET', path: '/api/uploads/:id/fixed-before', may: person }, (call) =>
      uploads.fixedBefore(id(call), call.person),
    ),
    forPeople({ method: 'GET', path: '/api/uploads/:id/documents', may: person }, (call) =>
      uploads.documents(id(call)),
    ),
    forPeople({ method: 'GET', path: '/api/uploads/:id/documents/:name', may: trusted }, async (call) =>
      sendFile(call.reply, await uploads.document(id(call), name(call), call.person, call.query.sha256)),
    ),
    forPeople(
      { method: 'GET', path: '/api/uploads/:id/plan', may: person },
      async (call) => await uploads.review(id(call), call.person),
    ),
    forPeople({ method: 'GET', path: '/api/uploads/:id/checked', may: trusted }, async (call) =>
      sendFile(call.reply, await uploads.checked(id(call), call.person)),
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/documents', may: preparer, takes: 'file' },
      async (call) => await uploads.takeDocument(call),
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/documents/:name/remove', may: preparer, body: requests.removeDocument },
      async (call) => await uploads.removeDocument(id(call), { name: name(call), ...call.body }, call.person),
    ),
    forPeople({ method: 'POST', path: '/api/uploads/:id/columns', may: preparer, body: requests.columns }, (call) =>
      uploads.chooseColumns(id(call), call.body, call.person),
    ),
    forPeople({ method: 'POST', path: '/api/uploads/:id/rows', may: preparer, body: requests.rows }, (call) =>
      uploads.chooseRows(id(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/corrections', may: preparer, body: requests.correct },
      async (call) => await uploads.correct(id(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/corrections/:n/undo', may: preparer, body: requests.nothing },
      (call) => uploads.undo(id(call), Number(call.params.n), call.person),
    ),
    forPeople({ method: 'POST', path: '/api/uploads/:id/check', may: preparer, body: requests.nothing }, (call) =>
      uploads.look(id(call), call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/discard', may: preparer, body: requests.discard },
      async (call) => {
        await uploads.discard(id(call), call.body, call.person);
      },
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/plan', may: preparer, body: requests.plan },
      async (call) => await uploads.plan(id(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/pay', may: preparer, body: requests.pay },
      async (call) => await uploads.pay(id(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/uploads/:id/approve', may: approver, body: requests.approve },
      async (call) => await uploads.approve(id(call), call.body, call.person),
    ),
    forPeople({ method: 'POST', path: '/api/uploads/:id/decline', may: approver, body: requests.decline }, (call) =>
      uploads.decline(id(call), call.body, call.person),
    ),
    forPeople({ method: 'GET', path: '/api/batches', may: person }, async () => await batches.list()),
    forPeople(
      { method: 'GET', path: '/api/batches/:name', may: person },
      async (call) => await batches.show(name(call), call.person),
    ),
    forPeople(
      { method: 'GET', path: '/api/batches/:name/rows', may: person },
      async (call) =>
        await batches.rows(
          name(call),
          { status: call.query.status ?? '', q: call.query.q ?? '', ...page(call) },
          call.person,
        ),
    ),
    forPeople({ method: 'GET', path: '/api/batches/:name/rows/:key', may: person }, async (call) =>
      uploads.withDocuments(
        name(call),
        found(await batches.life(name(call), call.params.key ?? '', call.person), 'row'),
      ),
    ),
    forPeople(
      { method: 'GET', path: '/api/batches/:name/events', may: person },
      async (call) => await batches.events(name(call), call),
    ),
    forPeople({ method: 'GET', path: '/api/batches/:name/funding', may: person }, async (call) =>
      found(await reader.ask('funding', name(call), eyesOf(call.person)), 'batch'),
    ),
    forPeople(
      { method: 'GET', path: '/api/batches/:name/result', may: trusted },
      async (call) =>
        await batches.result(name(call), call.query.format === 'csv' ? 'csv' : 'xlsx', call.person, call.reply),
    ),
    forPeople(
      { method: 'GET', path: '/api/batches/:name/evidence', may: trusted },
      async (call) => await batches.evidence(name(call), call.person, call.reply),
    ),
    forPeople(
      { method: 'GET', path: '/api/batches/:name/report', may: trusted },
      async (call) => await batches.report(name(call), call.query.zone ?? '', call.person, call.reply),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/resume', may: preparer, body: requests.resume },
      async (call) => await batches.resume(name(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/stop', may: trusted, body: requests.nothing },
      async (call) => await batches.stop(name(call), call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/end-pause', may: deciders, body: requests.endPause },
      async (call) => await batches.endPause(name(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/reconcile', may: preparer, body: requests.nothing },
      async (call) => await batches.reconcile(name(call), call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/retry', may: preparer, body: requests.retry },
      async (call) => await batches.retry(name(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/release', may: approver, body: requests.release },
      async (call) => await batches.release(name(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/resolve', may: approver, body: requests.resolve },
      async (call) => await batches.resolve(name(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/drop', may: trusted, body: requests.drop },
      async (call) => await batches.drop(name(call), call.body, call.person),
    ),
    forPeople(
      { method: 'POST', path: '/api/batches/:name/reopen', may: approver, body: requests.release },
      async (call) => await batches.reopen(name(call), call.body, call.person),
    ),
    forPeople(
      { method: 'GET', path: '/api/trail', may: person },
      async (call) => await reader.ask('trail', call.query.batch || null, page(call), eyesOf(call.person)),
    ),
    forPeople(
      { method: 'GET', path: '/api/payees', may: person },
      async ({ query, person: who }) => await reader.ask('payees', query.q ?? '', eyesOf(who)),
    ),
    forPeople({ method: 'GET', path: '/api/payees/:key', may: person }, async (call) =>
      found(await reader.ask('payee', call.params.key ?? '', eyesOf(call.person)), 'payee'),
    ),
    forPeople({ method: 'GET', path: '/api/search', may: person }, async ({ query, person: who }) => {
      const q = (query.q ?? '').trim();
      if (q === '') return { batches: [], uploads: [], payees: [], rows: [] };
      const { batches: lines, ...rest } = await reader.ask('search', q, eyesOf(who));
      return {
        ...rest,
        batches: lines.map((line) => ({ ...line, running: false, doing: null })),
        uploads: await uploads.list(who, q),
      };
    }),
  ];
}

const id = ({ params }: Pick<Call, 'params'>) => params.id ?? '';
const name = ({ params }: Pick<Call, 'params'>) => params.name ?? '';

function page({ query }: Pick<Call, 'query'>): { readonly from: number; readonly limit: number } {
  const number = (text: string | undefined, otherwise: number, most: number) =>
    text !== undefined && /^\d{1,9}$/.test(text) ? Math.min(Number(text), most) : otherwise;
  return { from: number(query.from, 0, 1_000_000_000), limit: number(query.limit, usualRows, mostRows) };
}

function filterOf({ query }: Pick<Call, 'query'>): RowFilter {
  return rowFilters.find((one) => one === query.filter) ?? 'all';
}
