/** Lists the routes for login, logout, a person's own account, and an administrator's changes to other accounts. */
import { requests, type Session } from '../api.ts';
import { type Call, forAnyone, forPeople, type Route, refused, type Who } from '../http/route.ts';
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

  return [
    forAnyone({ method: 'GET', path: '/api/session' }, ({ person, request }) =>
      session(person, person === null ? null : sessions.tokenOf(request.headers)),
    ),
    forAnyone({ method: 'POST', path: '/api/invitation', body: requests.invitation }, ({ body }) =>
      people.invitation(body),
    ),
    forAnyone({ method: 'POST', path: '/api/join', body: requests.join }, async (call) =>
      begun(call, await people.join(call.body, from(call))),
    ),
    forAnyone({ method: 'POST', path: '/api/login', body: requests.login }, async (call) =>
      begun(call, await people.login(call.body, from(call))),
    ),
    // The page reports clicks and keys, so that the session of an active person continues.
    forPeople({ method: 'POST', path: '/api/session/seen', may: 'person', body: requests.nothing }, () => undefined),
    forPeople({ method: 'POST', path: '/api/logout', may: 'person', body: requests.nothing }, async (call) => {
      await people.logout(call.person, from(call));
      call.reply.header('set-cookie', sessions.forgetCookie);
      return session(null, null);
    }),
    forPeople({ method: 'POST', path: '/api/password', may: 'person', body: requests.password }, async (call) =>
      begun(call, await people.changePassword(call.person, call.body, from(call))),
    ),
    forPeople({ method: 'POST', path: '/api/code/begin', may: 'person', body: requests.nothing }, ({ person }) =>
      people.beginCode(person),
    ),
    forPeople({ method: 'POST', path: '/api/code/on', may: 'person', body: requests.codeOn }, async (call) =>
      begun(call, await people.codeOn(call.person, call.body, from(call))),
    ),
    forPeople({ method: 'POST', path: '/api/code/off', may: 'person', body: requests.codeOff }, async (call) =>
      begun(call, await people.codeOff(call.person, call.body, from(call))),
    ),

    forPeople({ method: 'GET', path: '/api/people', may: administrator }, () => people.all()),
    forPeople(
      { method: 'POST', path: '/api/people', may: administrator, body: requests.invite },
      async ({ person, body, reply }) => {
        const link = linkOf(await people.invite(person, body));
        reply.code(201);
        return { link };
      },
    ),
    forPeople(
      { method: 'POST', path: '/api/people/:id', may: administrator, body: requests.person },
      async ({ person, params, body }) => await people.change(person, idOf(params), body),
    ),
    forPeople(
      { method: 'POST', path: '/api/people/:id/link', may: administrator, body: requests.nothing },
      async ({ person, params }) => ({ link: linkOf(await people.linkFor(person, idOf(params))) }),
    ),
  ];
}

function idOf({ id = '' }: Call['params']): number {
  if (!/^\d{1,9}$/.test(id)) throw refused(404, 'PERSON_UNKNOWN');
  return Number(id);
}
