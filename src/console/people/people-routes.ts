/** Lists the routes for login, logout, a person's own account, and an administrator's changes to other accounts. */
import { requests, type Session } from '../api.ts';
import { acts, type Call, forAnyone, type Route, reads, refused, routesOf, type Who } from '../http/route.ts';
import type { Sessions } from '../http/session.ts';
import type { LoggedIn, People } from './people.ts';

export interface PeopleDesk {
  readonly people: People;
  readonly sessions: Sessions;
  readonly service: string;
  readonly version: string;
  linkOf(token: string): string;
}

const administrator = ['administrator'] as const;

export function peopleRoutes({ people, sessions, service, version, linkOf }: PeopleDesk): readonly Route[] {
  const session = (person: Who | null, csrf: string | null): Session => ({
    person: person === null ? null : { name: person.name, role: person.role, code: people.hasCode(person) },
    csrf,
    empty: people.empty(),
    service,
    version,
  });
  const from = ({ request, address }: Pick<Call, 'request' | 'address'>) => ({ headers: request.headers, address });
  const begun = ({ reply }: Pick<Call, 'reply'>, { person, cookie, token }: LoggedIn): Session => {
    reply.header('set-cookie', cookie);
    return session(person, token);
  };

  return routesOf({
    'GET /api/session': {
      may: 'anyone',
      handle: ({ person, request }) => session(person, person === null ? null : sessions.tokenOf(request.headers)),
    },
    'POST /api/invitation': forAnyone(requests.invitation, ({ body }) => people.invitation(body)),
    'POST /api/join': forAnyone(requests.join, async (call) => begun(call, await people.join(call.body, from(call)))),
    'POST /api/login': forAnyone(requests.login, async (call) =>
      begun(call, await people.login(call.body, from(call))),
    ),
    // The page reports clicks and keys, so that the session of an active person continues.
    'POST /api/session/seen': acts('person', requests.nothing, () => undefined),
    'POST /api/logout': acts('person', requests.nothing, async (call) => {
      await people.logout(call.person, from(call));
      call.reply.header('set-cookie', sessions.forgetCookie);
      return session(null, null);
    }),
    'POST /api/password': acts('person', requests.password, async (call) =>
      begun(call, await people.changePassword(call.person, call.body, from(call))),
    ),
    'POST /api/code/begin': acts('person', requests.nothing, ({ person }) => people.beginCode(person)),
    'POST /api/code/on': acts('person', requests.codeOn, async (call) =>
      begun(call, await people.codeOn(call.person, call.body, from(call))),
    ),
    'POST /api/code/off': acts('person', requests.codeOff, async (call) =>
      begun(call, await people.codeOff(call.person, call.body, from(call))),
    ),
    'GET /api/people': reads(administrator, () => people.all()),
    'POST /api/people': acts(administrator, requests.invite, async ({ person, body, reply }) => {
      const link = linkOf(await people.invite(person, body));
      reply.code(201);
      return { link };
    }),
    'POST /api/people/:id': acts(administrator, requests.person, ({ person, params, body }) =>
      people.change(person, idOf(params), body),
    ),
    'POST /api/people/:id/link': acts(administrator, requests.nothing, async ({ person, params }) => ({
      link: linkOf(await people.linkFor(person, idOf(params))),
    })),
  });
}

function idOf({ id = '' }: Call['params']): number {
  if (!/^\d{1,9}$/.test(id)) throw refused(404, 'NOT_FOUND', { what: 'person' });
  return Number(id);
}
