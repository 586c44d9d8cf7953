/** Two tenants cannot see each other, nor can two users, by any means: every endpoint, every foreign id, in every place for one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { anyText } from '../any-text.ts';
import { newFormWith } from './forms.ts';
import {
  type Answered,
  type Body,
  type Caller,
  callerOf,
  everyItem,
  merchantOf,
  onBoth,
  paymentOf,
  type Started,
  started,
  tokenFor,
} from './started.ts';

const nobody = '00000000-0000-4000-8000-000000000000';

/** What a tenant has, and who may ask for it. */
interface Household {
  readonly tenant: Caller;
  readonly user: Caller;
  /** Every id that names something of this household, by what it names. */
  readonly ids: { readonly [what: string]: string };
  readonly documentUrl: string;
}

async function householdOf({ service }: Started, tenant: Caller, name: string): Promise<Household> {
  const { userId, id } = (await tenant('POST', '/users', { email: `${name}@example.com`, name })).body;
  const user = callerOf(service.url, (await tenant('POST', '/tokens/user', { userId })).body.token);
  const momo = { phoneNumber: '+254712345678', mobileNetwork: 'MOMO', countryCode: 'KE', label: name };
  const { defaultMomoAccountId } = (await user('POST', '/profile/momo', momo)).body;
  const merchantId = await merchantOf(user);
  const payment = await paymentOf(user, merchantId, { tag: name });
  await user('POST', `/payments/${payment.id}/document`, newFormWith({}));
  const kyc = (await tenant('POST', `/users/${userId}/kyc-documents`, newFormWith({ documentType: 'passport' }))).body;
  const [document] = (await user('GET', `/payments/${payment.id}/documents`)).body.items;
  await merchantOf(user);
  await paymentOf(user, merchantId);
  const marker = async (path: string) => (await tenant('GET', `${path}?limit=1`)).body.offsetMarker;
  return {
    tenant,
    user,
    ids: {
      userId,
      'record id': id,
      merchantId,
      paymentId: payment.id,
      documentId: document.documentId,
      'KYC document': kyc.documentId,
      'momo account': defaultMomoAccountId,
      'merchants marker': await marker('/merchants'),
      'payments marker': await marker('/payments'),
    },
    documentUrl: document.presignedUrl,
  };
}

/** What changes by itself, with time, is left out. */
function without(record: Body, field: string): Body {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));
}

/** Everything that its own tokens show of a household. */
async function snapshot({ tenant, user, ids }: Household): Promise<Body> {
  return {
    users: await everyItem(tenant, '/users'),
    user: (await tenant('GET', `/users/${ids.userId}`)).body,
    profile: (await user('GET', '/profile')).body,
    merchants: await everyItem(tenant, '/merchants'),
    payments: (await everyItem(tenant, '/payments')).map((payment) => without(payment, 'status')),
    documents: (await tenant('GET', `/payments/${ids.paymentId}/documents`)).body.items.map((document: Body) =>
      without(document, 'presignedUrl'),
    ),
  };
}

type Ask = (id: string) => { readonly path: string; readonly body?: unknown };

const merchant = { name: 'Taken', country: 'BTC', lnurl: 'thief@example.com' };
const pay = { amount: 1, reference: 'x' };

/** Every place of every route that takes an id; the routes that take none are named too, so that a new one is thought of here. */
const places: { readonly [route: string]: readonly Ask[] } = {
  'POST /token': [],
  'POST /tokens/user': [(userId) => ({ path: '/tokens/user', body: { userId } })],
  'POST /users': [],
  'GET /users': [(marker) => ({ path: `/users?offset=${marker}` })],
  'GET /users/:userId': [(id) => ({ path: `/users/${id}` })],
  'PATCH /users/:userId': [(id) => ({ path: `/users/${id}`, body: { firstName: 'Taken' } })],
  'DELETE /users/:userId': [(id) => ({ path: `/users/${id}` })],
  'POST /users/:userId/kyc-documents': [
    (id) => ({ path: `/users/${id}/kyc-documents`, body: newFormWith({ documentType: 'other' }) }),
  ],
  'GET /profile': [],
  'PATCH /profile': [],
  'POST /profile/momo': [],
  'PATCH /profile/momo/:id': [(id) => ({ path: `/profile/momo/${id}`, body: { isDefault: true, label: 'Taken' } })],
  'DELETE /profile/momo/:id': [(id) => ({ path: `/profile/momo/${id}` })],
  'GET /utils/banks/:country': [],
  'GET /utils/countries': [],
  'POST /merchants': [],
  'GET /merchants': [(marker) => ({ path: `/merchants?offset=${marker}` })],
  'GET /merchants/:id': [(id) => ({ path: `/merchants/${id}` })],
  'PATCH /merchants/:id': [(id) => ({ path: `/merchants/${id}`, body: merchant })],
  'POST /payments': [(merchantId) => ({ path: '/payments', body: { ...pay, merchantId } })],
  'GET /payments': [(marker) => ({ path: `/payments?offset=${marker}` })],
  'GET /payments/:id': [(id) => ({ path: `/payments/${id}` })],
  'POST /payments/:id/document': [(id) => ({ path: `/payments/${id}/document`, body: newFormWith({}) })],
  'GET /payments/:id/documents': [(id) => ({ path: `/payments/${id}/documents` })],
  'GET /documents/:id': [(id) => ({ path: `/documents/${id}` })],
  // What the service says of itself belongs to nobody.
  'GET /openapi.json': [],
  'GET /reference': [],
  'GET /health': [],
  'GET /ready': [],
  'GET /metrics': [],
};

async function twoHouseholds(): Promise<{ base: Started; ours: Household; theirs: Household }> {
  const base = await started({ settle: { afterMs: 0 } });
  const theirTenant = callerOf(base.service.url, await tokenFor(base.service, await base.service.tenants.add('Other')));
  return {
    base,
    ours: await householdOf(base, base.call, 'ours'),
    theirs: await householdOf(base, theirTenant, 'theirs'),
  };
}

const told = ({ status, body }: Answered) => ({ status, body });
const asked = Object.entries(places).flatMap(([route, asks]) =>
  asks.map((ask) => ({ route, method: route.split(' ')[0]!, ask })),
);

onBoth(() => {
  describe('two tenants', () => {
    it('have every route named here', async () => {
      const { service } = await started();
      expect(Object.keys(places)).toEqual(expect.arrayContaining(Object.keys(service.stats().requests)));
    });

    it('get for each other’s ids, in every place for one, what they get for an id that nobody has', async () => {
      const { ours, theirs } = await twoHouseholds();
      const before = await snapshot(ours);
      for (const { route, method, ask } of asked) {
        for (const caller of [theirs.tenant, theirs.user]) {
          const of = async (id: string) => told(await caller(method, ask(id).path, ask(id).body));
          const unknown = await of(nobody);
          expect([route, unknown.status]).toEqual([route, expect.toBeOneOf([400, 403, 404])]);
          for (const [what, id] of Object.entries(ours.ids)) {
            expect([route, what, await of(id)]).toEqual([route, what, unknown]);
          }
        }
      }
      expect(await snapshot(ours)).toEqual(before);
    });

    it('see none of each other’s records in any list', async () => {
      const { ours, theirs } = await twoHouseholds();
      const seen = JSON.stringify(await snapshot(theirs));
      for (const id of Object.values(ours.ids)) expect(seen).not.toContain(id);
      expect(seen).not.toContain('ours');
    });

    it('cannot make one presigned address into another', async () => {
      const { ours, theirs } = await twoHouseholds();
      const swapped = new URL(theirs.documentUrl);
      swapped.pathname = new URL(ours.documentUrl).pathname;
      const ownersSwapped = new URL(theirs.documentUrl);
      ownersSwapped.searchParams.set('owner', new URL(ours.documentUrl).searchParams.get('owner')!);
      for (const url of [swapped, ownersSwapped]) expect((await fetch(url)).status).toBe(403);
    });

    it('get nothing for ids that are made up, whatever is in them', async () => {
      const { ours, theirs } = await twoHouseholds();
      const ids = Object.values(ours.ids);
      const strange = fc.oneof(
        fc.constantFrom(...ids).map((id) => id.toUpperCase()),
        fc
          .constantFrom(...ids)
          .chain((id) => fc.constantFrom(`${id} `, ` ${id}`, `${id}'--`, `${id}%`, `${id}\0`, id.slice(1))),
        fc.constantFrom(
          "' OR '1'='1",
          '%',
          '_',
          '__proto__',
          'constructor',
          '..',
          '../users',
          'null',
          '0',
          '*',
          '\ud800',
        ),
        anyText({ minLength: 1 }),
      );
      const request = fc.tuple(fc.constantFrom(...asked), fc.constantFrom(theirs.tenant, theirs.user), strange);
      const before = await snapshot(ours);
      await fc.assert(
        fc.asyncProperty(request, async ([{ method, ask }, caller, id]) => {
          // In a path it is written as clients write it; in a body as it is.
          const written = encodeURIComponent(id.isWellFormed() ? id : '?');
          const { path } = ask(written);
          const { body } = ask(id);
          const answer = await caller(method, path, body);
          expect(answer.status).toBeGreaterThanOrEqual(400);
          expect(answer.status).toBeLessThan(500);
          for (const ourId of ids) expect(JSON.stringify(answer.body)).not.toContain(ourId);
        }),
        { numRuns: 80 },
      );
      expect(await snapshot(ours)).toEqual(before);
    });
  });

  describe('two users of one tenant', () => {
    it('share its merchants, and see neither each other nor each other’s payments', async () => {
      const { base, ours } = await twoHouseholds();
      const other = await householdOf(base, base.call, 'another');
      const before = await snapshot(ours);
      const shared = [
        'GET /merchants/:id',
        'PATCH /merchants/:id',
        'POST /payments',
        'GET /merchants',
        'GET /payments',
      ];
      for (const { route, method, ask } of asked.filter((one) => !shared.includes(one.route))) {
        const of = async (id: string) => told(await other.user(method, ask(id).path, ask(id).body));
        const unknown = await of(nobody);
        for (const [what, id] of Object.entries(ours.ids)) {
          expect([route, what, await of(id)]).toEqual([route, what, unknown]);
        }
      }
      const paid = (await everyItem(other.user, '/payments')).map((payment) => payment.id);
      expect(paid).not.toContain(ours.ids.paymentId);
      expect((await other.user('GET', `/merchants/${ours.ids.merchantId}`)).status).toBe(200);
      expect(await snapshot(ours)).toMatchObject({
        ...before,
        users: expect.any(Array),
        merchants: expect.any(Array),
        payments: expect.any(Array),
      });
    });
  });
});

describe('a statement', () => {
  it('is never put together from values', () => {
    const source = join(import.meta.dirname, '../../src/service');
    const files = (readdirSync(source, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
    const made = files.flatMap(
      (name) =>
        readFileSync(join(source, name), 'utf8').match(/\bsql\.raw\(.*|\b(?:exec|prepare|query)\(`.*\$\{.*/g) ?? [],
    );
    // The tables, and a pragma, which takes no parameter; the number is ours.
    expect(made).toEqual(['sql.raw(text).execute(db);', expect.stringContaining('pragma user_version = ')]);
  });

  /** Tables whose rows belong to a tenant. */
  const owned = ['users', 'kyc_documents', 'merchants', 'payments', 'documents', 'webhook_calls'];
  /** The service's own work, which has no caller: calls to webhooks that are due, and the operator who names a user. */
  const ownWork = [
    /^(update|select).*"webhook_calls".*"due_at" <=/,
    /^update "webhook_calls" set .* where "seq" = \?$/,
  ];
  const operators = [/^select "tenant_id" from "users" where "user_id" = \?$/];

  it('never touches what tenants have without naming the tenant', async () => {
    const texts = new Set<string>();
    const prepare = DatabaseSync.prototype.prepare;
    const spy = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (
      this: DatabaseSync,
      text,
      ...more
    ) {
      texts.add(text);
      return prepare.call(this, text, ...more);
    });
    try {
      const { base, ours, theirs } = await twoHouseholds();
      await snapshot(ours);
      await base.service.users.verify(ours.ids.userId!);
      await ours.user('PATCH', '/profile', { name: 'New' });
      await ours.user('PATCH', `/merchants/${ours.ids.merchantId}`, { name: 'New' });
      await ours.user('POST', '/payments', {
        ...pay,
        merchantId: ours.ids.merchantId,
        webhookUrl: 'https://hooks.example.com/x',
      });
      await theirs.tenant('DELETE', `/users/${theirs.ids.userId}`);
      await fetch(ours.documentUrl);
    } finally {
      spy.mockRestore();
    }
    const statements = [...texts].filter((text) => /^(select|insert|update|delete)/i.test(text));
    const touching = statements.filter((text) =>
      owned.some((table) => new RegExp(`(from|into|update|join) "${table}"`).test(text)),
    );
    expect(touching.length).toBeGreaterThan(15);
    const loose = touching
      .filter((text) => ![...ownWork, ...operators].some((own) => own.test(text)))
      .filter((text) => !/"tenant_id" = \?/.test(text) && !/^insert into "\w+" \([^)]*"tenant_id"/.test(text));
    expect(loose).toEqual([]);
  });
});
