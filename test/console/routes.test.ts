/** The table of routes: who may ask for what, said here once more by hand, and tried with every role; and forgeries of all that changes something. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Role, roles } from '../../src/console/api.ts';
import { type Answer, ask, type Browser, openDesk, type Served } from './served.ts';

type Who = 'nobody' | Role;
const everyone: readonly Who[] = ['nobody', ...roles];

const may = {
  anyone: everyone,
  person: roles,
  preparer: ['preparer'],
  approver: ['approver'],
  administrator: ['administrator'],
  deciders: ['approver', 'administrator'],
  'not viewers': ['preparer', 'approver', 'administrator'],
} as const satisfies Record<string, readonly Who[]>;

/** A route that is not here fails the first test below: decide who may ask for it. */
const table: Readonly<Record<string, keyof typeof may>> = {
  'GET /api/session': 'anyone',
  'POST /api/invitation': 'anyone',
  'POST /api/join': 'anyone',
  'POST /api/login': 'anyone',
  'POST /api/session/seen': 'person',
  'POST /api/logout': 'person',
  'POST /api/password': 'person',
  'POST /api/code/begin': 'person',
  'POST /api/code/on': 'person',
  'POST /api/code/off': 'person',
  'GET /api/people': 'administrator',
  'POST /api/people': 'administrator',
  'POST /api/people/:id': 'administrator',
  'POST /api/people/:id/link': 'administrator',
  'GET /api/settings': 'person',
  'POST /api/settings/policy': 'administrator',
  'GET /api/health': 'person',
  'GET /api/trail': 'person',
  'GET /api/uploads': 'person',
  'POST /api/uploads': 'preparer',
  'GET /api/uploads/:id': 'person',
  'GET /api/uploads/:id/rows': 'person',
  'GET /api/uploads/:id/mistakes': 'person',
  'GET /api/uploads/:id/warnings': 'person',
  'GET /api/known-words': 'person',
  'GET /api/uploads/:id/corrections': 'person',
  'GET /api/uploads/:id/documents/:name': 'not viewers',
  'GET /api/uploads/:id/plan': 'person',
  'GET /api/uploads/:id/checked': 'not viewers',
  'POST /api/uploads/:id/documents': 'preparer',
  'POST /api/uploads/:id/documents/:name/remove': 'preparer',
  'POST /api/uploads/:id/columns': 'preparer',
  'POST /api/uploads/:id/rows': 'preparer',
  'POST /api/uploads/:id/corrections': 'preparer',
  'POST /api/uploads/:id/corrections/:n/undo': 'preparer',
  'POST /api/uploads/:id/discard': 'preparer',
  'POST /api/uploads/:id/plan': 'preparer',
  'POST /api/uploads/:id/pay': 'preparer',
  'POST /api/uploads/:id/approve': 'approver',
  'POST /api/uploads/:id/decline': 'approver',
  'POST /api/uploads/:id/withdraw': 'preparer',
  'GET /api/proposals': 'person',
  'GET /api/batches': 'person',
  'GET /api/batches/:name': 'person',
  'GET /api/batches/:name/rows': 'person',
  'GET /api/batches/:name/rows/:key': 'person',
  'GET /api/batches/:name/events': 'person',
  'GET /api/batches/:name/funding': 'person',
  'GET /api/batches/:name/result': 'not viewers',
  'GET /api/batches/:name/evidence': 'not viewers',
  'GET /api/batches/:name/report': 'not viewers',
  'POST /api/batches/:name/resume': 'preparer',
  'POST /api/batches/:name/stop': 'not viewers',
  'POST /api/batches/:name/end-pause': 'deciders',
  'POST /api/batches/:name/reconcile': 'preparer',
  'POST /api/batches/:name/retry': 'preparer',
  'POST /api/batches/:name/release': 'approver',
  'POST /api/batches/:name/resolve': 'approver',
  'POST /api/batches/:name/drop': 'not viewers',
  'POST /api/batches/:name/reopen': 'approver',
  'GET /api/payees': 'person',
  'GET /api/payees/:key': 'person',
  'GET /api/search': 'person',
};

const names: Readonly<Record<Role, string>> = {
  viewer: 'Vusi',
  preparer: 'Pia',
  approver: 'Ben',
  administrator: 'Ann',
};

let desk: Served;
const people = new Map<Who, Browser>();
beforeAll(async () => {
  desk = await openDesk();
  people.set('nobody', desk.browser());
  for (const role of roles) people.set(role, await desk.seated(names[role], role));
});

const codeOf = ({ json }: Answer) => (json as { code?: string } | null)?.code;
const [method, path] = [(route: string) => route.split(' ')[0]!, (route: string) => route.split(' ')[1]!];
const asked = (route: string) => path(route).replaceAll(/:\w+/g, '99');

it('is the table that stands here', () => {
  const routes = desk.console.routes.map((route) => `${route.method} ${route.path}`);
  expect(routes.toSorted()).toEqual(Object.keys(table).toSorted());
});

describe.each(everyone)('%s', (who) => {
  it('is answered by the own routes alone', async () => {
    const found: Record<string, boolean> = {};
    // The logout last: it ends the session that all the others need.
    const order = Object.keys(table).toSorted((one) => (one.endsWith('/logout') ? 1 : -1));
    for (const route of order) {
      const one = people.get(who)!;
      const answer = method(route) === 'GET' ? await one.get(asked(route)) : await one.post(asked(route), {});
      const code = codeOf(answer);
      const refused = code === 'NOT_ALLOWED' || code === 'LOGIN_NEEDED';
      if (refused) expect([route, answer.status]).toEqual([route, who === 'nobody' ? 401 : 403]);
      found[route] = !refused;
    }
    const told = Object.entries(table).map(([route, rule]) => [route, (may[rule] as readonly Who[]).includes(who)]);
    expect(found).toEqual(Object.fromEntries(told));
  });
});

describe('a request that another page made the browser send', () => {
  const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const posts = Object.keys(table).filter((route) => method(route) === 'POST');

  /** As everybody's browser would send it along, the cookie included. */
  async function forged(
    route: string,
    one: Browser,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<Answer> {
    const all: Record<string, string | undefined> = {
      cookie: one.cookie,
      origin: desk.console.url,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'x-payrun-csrf': one.csrf ?? '',
      ...headers,
    };
    const sent = Object.fromEntries(
      Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    );
    return await ask(desk.console.url, asked(route), { method: 'POST', headers: sent, body: '{}' });
  }

  it.each(posts)('%s is refused', async (route) => {
    const role = ([...roles] as Role[]).find((one) => (may[table[route]!] as readonly Who[]).includes(one))!;
    const [one, other] = [await desk.again(names[role], role), await desk.again(names[role], role)];
    const statuses: Record<string, unknown> = {};
    const known = table[route] === 'anyone';
    const tried: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
      'from another page': elsewhere,
      'from another page of an old browser': { ...elsewhere, 'sec-fetch-site': undefined },
      'from nowhere': { origin: undefined, 'sec-fetch-site': undefined },
      'from a page without an origin': { origin: 'null' },
      'from another port of this machine': { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
      'with the own origin, and a browser that knows better': { 'sec-fetch-site': 'cross-site' },
      ...(known
        ? {}
        : {
            'without the token': { 'x-payrun-csrf': undefined },
            "with another session's token": { 'x-payrun-csrf': other.csrf ?? '' },
          }),
    };
    for (const [words, headers] of Object.entries(tried)) {
      const answer = await forged(route, one, headers);
      statuses[words] = `${answer.status} ${codeOf(answer)}`;
    }
    expect(statuses).toEqual(Object.fromEntries(Object.keys(tried).map((words) => [words, '403 FORGED'])));
  });

  it.each(posts)('%s takes nothing that a form can send', async (route) => {
    const role = ([...roles] as Role[]).find((one) => (may[table[route]!] as readonly Who[]).includes(one))!;
    const one = await desk.again(names[role], role);
    const isFile = desk.console.routes.some((known) => `POST ${known.path}` === route && known.takes === 'file');
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=utf-16',
      'application/json;',
      undefined,
    ];
    for (const type of [...types, isFile ? 'application/json' : 'multipart/form-data; boundary=x'])
      expect([type, (await forged(route, one, { 'content-type': type })).status]).toEqual([type, 415]);
  });
});

it('a session that came with the cookie of somebody else twice is none', async () => {
  const one = await desk.again('Ann', 'administrator');
  const twice = { cookie: `${one.cookie}; payrun=${'A'.repeat(43)}` };
  expect((await ask(desk.console.url, '/api/people', { headers: twice })).status).toBe(401);
});
