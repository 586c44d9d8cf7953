/** People: who comes in by which link, who may log in, what ends a session, and what the trail keeps of it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import {
  foldedName,
  isSamePerson,
  readKeyFile,
  readPolicy,
  scryptKey,
  sign,
  whyNot,
} from '../../src/approval/approval.ts';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/digest.ts';
import type { Person, Role, Session, SettingsView, TrailPage } from '../../src/console/api.ts';
import { reads, routesOf } from '../../src/console/http/route.ts';
import { buildServer } from '../../src/console/http/server.ts';
import { openSessions } from '../../src/console/http/session.ts';
import { codeAt } from '../../src/console/people/one-time-code.ts';
import { openPeople } from '../../src/console/people/people.ts';
import { deedWords } from '../../src/messages/web/deeds.ts';
import { stretchCheaply } from '../stretched-once.ts';
import { command, until } from '../support.ts';
import { type Answer, ask, type Browser, held, idOf, openDesk, passwordOf, type Served } from './served.ts';

stretchCheaply();

const codeOf = ({ json }: Answer) => (json as { code?: string } | null)?.code;
const login = (one: Browser, name: string, more: object = {}) =>
  one.post('/api/login', { name, password: passwordOf(name), ...more });
const who = async (one: Browser) => ((await one.get('/api/session')).json as Session).person;
const hourMs = 3_600_000;
/** By an invitation, with all that it brings about. */
async function invited(desk: Served, admin: Browser, name: string, role: Role): Promise<Browser> {
  const { json } = await admin.post('/api/people', { name, role });
  return await desk.join((json as { link: string }).link, name);
}

/** Changes a person as the page does, which sends what it shows. */
async function changed(by: Browser, name: string, change: object, shown?: object): Promise<Answer> {
  const people = (await by.get('/api/people')).json as Person[];
  const { id, role, active } = people.find((one) => one.name === name)!;
  const was = shown ?? { role, active };
  return await by.post(`/api/people/${id}`, { was, is: { ...was, ...change } });
}

describe('the first administrator', () => {
  it('comes in by the printed link, once', async () => {
    const desk = await openDesk();
    expect(desk.console.firstLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/join#[\w-]{43}$/);
    const [before] = [((await desk.browser().get('/api/session')).json as Session).empty];
    const ann = await desk.join(desk.console.firstLink ?? '', 'Ann');
    expect([before, await who(ann)]).toEqual([true, { name: 'Ann', role: 'administrator', code: false }]);
    const again = await desk.browser().post('/api/join', {
      token: desk.console.firstLink?.split('#')[1],
      name: 'Eve',
      password: passwordOf('Eve'),
    });
    expect([again.status, codeOf(again)]).toEqual([410, 'LINK_USED']);
  });

  it('of two who use the link at the same moment is one', async () => {
    const work = held();
    const desk = await openDesk({ stretch: work.stretch });
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    work.until = promise;
    const token = desk.console.firstLink?.split('#')[1];
    const joining = ['Ann', 'Eve'].map((name) =>
      desk.browser().post('/api/join', { token, name, password: passwordOf(name) }),
    );
    await until('both links were found good', () => work.begun === 2);
    goOn();
    const answers = await Promise.all(joining);
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 410]);
    expect(desk.ledger.people.accounts()).toHaveLength(1);
  });

  it('comes too late after a day', async () => {
    const desk = await openDesk();
    desk.time.ahead = 24 * hourMs + 1;
    const late = await desk.browser().post('/api/join', {
      token: desk.console.firstLink?.split('#')[1],
      name: 'Ann',
      password: passwordOf('Ann'),
    });
    expect([late.status, codeOf(late)]).toEqual([410, 'LINK_USED']);
  });

  const refused: readonly (readonly [string, string | undefined, string, number, string, number])[] = [
    ['a short password', 'Ann', 'correct hors', 422, 'PASSWORD_SHORT', -1],
    ['one letter', 'Ann', 'a'.repeat(30), 422, 'PASSWORD_GUESSABLE', 0],
    ['the name as password', 'Thandi Mokoena', 'Thandi Mokoena', 422, 'PASSWORD_IS_NAME', 0],
    ['the name and a year', 'Thandi Mokoena', 'thandi.mokoena2026', 422, 'PASSWORD_IS_NAME', 0],
    ['a word twice', 'Ann', 'passwordpassword', 422, 'PASSWORD_GUESSABLE', 0],
    ['a row of digits', 'Ann', '1234567890123456', 422, 'PASSWORD_GUESSABLE', 0],
    ['a row of keys', 'Ann', 'qwertyuiop12', 422, 'PASSWORD_GUESSABLE', 0],
    ['letters as digits', 'Ann', 'P4ssw0rd2026!', 422, 'PASSWORD_GUESSABLE', 0],
    ['a place and a year', 'Ann', 'Johannesburg2026', 422, 'PASSWORD_GUESSABLE', 0],
    ['a season and a year', 'Ann', 'Summer2026!!!', 422, 'PASSWORD_GUESSABLE', 0],
    ['a trade and a year', 'Ann', 'Finance2026!!', 422, 'PASSWORD_GUESSABLE', 0],
    ['a country and a year', 'Ann', 'SouthAfrica2026', 422, 'PASSWORD_GUESSABLE', 0],
    ['a country twice', 'Ann', 'Kenya2026Kenya', 422, 'PASSWORD_GUESSABLE', 0],
    ['what is done here and a year', 'Ann', 'payroll2026!', 422, 'PASSWORD_GUESSABLE', 0],
    ['the name of this program', 'Ann', 'payrunpayrun', 422, 'PASSWORD_GUESSABLE', 0],
    ['a name of two alphabets', 'Аnn', 'correct horse battery', 422, 'NAME_UNFIT', 0],
    ['a path as name', '../Ann', 'correct horse battery', 422, 'NAME_UNFIT', 0],
    ['no name', undefined, 'correct horse battery', 422, 'NAME_UNFIT', 0],
  ];
  it('is told what is wrong with a name or a password, and the link stays good', async () => {
    const desk = await openDesk();
    const token = desk.console.firstLink?.split('#')[1];
    for (const [what, name, password, status, code, cut] of refused) {
      const given = {
        token,
        ...(name === undefined ? {} : { name }),
        password: cut < 0 ? password.slice(0, cut) : password,
      };
      const answer = await desk.browser().post('/api/join', given);
      expect([what, answer.status, codeOf(answer)]).toEqual([what, status, code]);
      if (password === 'qwertyuiop12')
        expect(answer.json).toMatchObject({ facts: { warning: expect.stringContaining('commonly used password') } });
    }
    expect(await who(await desk.join(desk.console.firstLink ?? '', 'Ann'))).not.toBeNull();
  });
});

describe('links', () => {
  it('of an invitation are for one person, one use and one day, and stand in no table as they are', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const invited = await ann.post('/api/people', { name: 'Ben', role: 'preparer' });
    const token = (invited.json as { link: string }).link.split('#')[1]!;
    await desk.close();
    const bytes = readFileSync(join(desk.folder, 'ledger.db'), 'latin1');
    expect(bytes.includes(token)).toBe(false);
    expect(bytes.includes(passwordOf('Ann'))).toBe(false);
    expect(bytes.includes(ann.cookie.split('=')[1]!)).toBe(false);
  });

  it('say whom they are for, as long as they are good', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const { link } = (await ann.post('/api/people', { name: 'Ben', role: 'preparer' })).json as { link: string };
    const token = link.split('#')[1];
    const told = await desk.browser().post('/api/invitation', { token });
    expect([told.status, told.json]).toEqual([200, { name: 'Ben', role: 'preparer' }]);
    await desk.join(link, 'Ben');
    const late = await desk.browser().post('/api/invitation', { token });
    expect([late.status, codeOf(late)]).toEqual([410, 'LINK_USED']);
  });

  it('that were replaced by a newer one are good no more', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const first = (await ann.post('/api/people', { name: 'Ben', role: 'preparer' })).json as { link: string };
    const second = (await ann.post(`/api/people/${await idOf(ann, 'Ben')}/link`)).json as { link: string };
    const use = (link: string) =>
      desk.browser().post('/api/join', { token: link.split('#')[1], password: passwordOf('Ben') });
    expect([(await use(first.link)).status, (await use(second.link)).status]).toEqual([410, 200]);
  });

  it('for who has a password end the sessions of the old one, which holds until then', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const ben = await desk.seated('Ben', 'approver');
    const key = desk.ledger.people.accounts().find(({ name }) => name === 'Ben')?.publicKey;
    const { link } = (await ann.post(`/api/people/${await idOf(ann, 'Ben')}/link`)).json as { link: string };
    expect(await who(ben)).not.toBeNull();
    await desk.browser().post('/api/join', { token: link.split('#')[1], password: 'another password 99' });
    expect(await who(ben)).toBeNull();
    expect(codeOf(await login(desk.browser(), 'Ben'))).toBe('LOGIN_REFUSED');
    const now = desk.ledger.people.accounts().find(({ name }) => name === 'Ben')?.publicKey;
    expect([typeof now, now === key]).toEqual(['string', false]);
  });

  it('are not made for a name that is there in another spelling', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    expect((await ann.post('/api/people', { name: 'ÁNN', role: 'preparer' })).status).toBe(409);
    expect(isSamePerson('ÁNN', 'Ann')).toBe(true);
  });
});

describe('a login', () => {
  it('takes the name in any case, begins a new session each time, and ends the one that came with it', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const before = ann.cookie;
    expect((await ann.post('/api/login', { name: 'ANN ', password: passwordOf('Ann') })).status).toBe(200);
    expect(ann.cookie).not.toBe(before);
    const old = desk.browser();
    old.cookie = before;
    expect(await who(old)).toBeNull();
  });

  it('never goes on with a session that somebody else chose', async () => {
    const desk = await openDesk();
    await desk.seated('Ann', 'administrator');
    const victim = desk.browser();
    victim.cookie = `payrun=${'A'.repeat(43)}`;
    expect((await login(victim, 'Ann')).status).toBe(200);
    expect(victim.cookie).not.toContain('AAAA');
    const attacker = desk.browser();
    attacker.cookie = `payrun=${'A'.repeat(43)}`;
    expect(await who(attacker)).toBeNull();
  });

  it('is refused in the same words, whoever it is', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    await desk.seated('Ben', 'viewer');
    await changed(ann, 'Ben', { active: false });
    await ann.post('/api/people', { name: 'Cat', role: 'viewer' });
    const answers = [
      await desk.browser().post('/api/login', { name: 'Ann', password: 'not the password' }),
      await login(desk.browser(), 'Nobody'),
      await login(desk.browser(), 'Ben'),
      await login(desk.browser(), 'Cat'),
    ];
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([answers[0]!.status, codeOf(answers[0]!)]).toEqual([401, 'LOGIN_REFUSED']);
  });

  it.each(['Ann', 'Nobody'])(
    'of %s is not tried more than ten times in fifteen minutes, however many at once',
    async (name) => {
      const desk = await openDesk();
      await desk.seated('Ann', 'administrator');
      // Eight of them some time ago: what counts is that they are counted.
      const whose = sha256(`console login\n${foldedName(name)}`);
      for (let nth = 0; nth < 8; nth += 1) desk.ledger.people.addTry(whose, '127.0.0.1', 0);
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => desk.browser().post('/api/login', { name, password: 'not the password' })),
      );
      const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
      expect(statuses).toEqual([401, 401, 429, 429, 429, 429]);
      const last = answers.find(({ status }) => status === 429)!;
      expect(codeOf(last)).toBe('TOO_MANY_TRIES');
      expect(Number(last.headers['retry-after'])).toBeGreaterThan(800);
      expect((await login(desk.browser(), name)).status, 'the right password neither').toBe(429);
      desk.time.ahead = 15 * 60_000 + 1000;
      expect((await login(desk.browser(), name)).status).toBe(name === 'Ann' ? 200 : 401);
    },
  );

  it('that is refused is in the trail, without what stood in the place of the name', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    await desk.browser().post('/api/login', { name: 'my secret password', password: 'x' });
    const { entries } = (await ann.get('/api/trail')).json as TrailPage;
    expect(entries[0]?.words).toBe(deedWords('login-refused', {}));
    expect(JSON.stringify([...desk.ledger.trail.eachTrail()])).not.toContain('my secret');
  });
});

describe('a session', () => {
  const seen = async (one: Browser) => (await one.post('/api/session/seen', {})).status;

  it('ends after half an hour in which nobody clicked or typed', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    for (let at = 0; at < 4; at += 1) {
      desk.time.ahead += 29 * 60_000;
      expect(await seen(ann)).toBe(204);
    }
    desk.time.ahead += 30 * 60_000;
    expect([await who(ann), (await ann.get('/api/people')).status, await seen(ann)]).toEqual([null, 401, 401]);
  });

  it('is not kept by anything that a page reads', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const read = desk.console.routes
      .filter(({ method, may }) => method === 'GET' && may !== 'anyone')
      .map(({ path }) => path);
    expect(read).toEqual(expect.arrayContaining(['/api/batches/:name/rows', '/api/uploads/:id/plan', '/api/people']));
    for (const path of ['/api/session', ...read.map((one) => one.replaceAll(/:\w+/g, 'nov'))]) {
      desk.time.ahead += 29 * 60_000;
      expect([path, (await ann.get(path)).status]).not.toEqual([path, 401]);
      desk.time.ahead += 60_000;
      expect([path, await who(ann)]).toEqual([path, null]);
      desk.time.ahead -= 30 * 60_000;
    }
  });

  it('is not kept by an answer that goes on, which asks again and again whether it may', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const clock = { ...systemClock, now: () => systemClock.now() + desk.time.ahead };
    const origins: string[] = [];
    const { app } = buildServer({
      routes: routesOf({ 'GET /api/events': reads('person', ({ may }) => ({ may: may() })) }),
      page: { at: () => null },
      origins: () => origins,
      tls: null,
      behindProxy: false,
      secure: false,
      sessions: openSessions(desk.ledger.people, clock, false),
      log: (words) => expect(words).toBeNull(),
    });
    origins.push(await app.listen({ port: 0, host: '127.0.0.1' }));
    const following = async () => await ask(origins[0]!, '/api/events', { headers: { cookie: ann.cookie } });
    desk.time.ahead = 29 * 60_000;
    expect((await following()).json).toEqual({ may: true });
    desk.time.ahead = 31 * 60_000;
    expect([(await following()).status, await who(ann)]).toEqual([401, null]);
    await app.close();
  });

  it('is asked for over a connection that is gone at once, and nothing fails inside', async () => {
    const desk = await openDesk();
    const origins: string[] = [];
    const said: string[] = [];
    const { promise: asked, resolve } = Promise.withResolvers<string>();
    const { app } = buildServer({
      routes: routesOf({ 'GET /api/session': { may: 'anyone', handle: ({ address }) => resolve(address) } }),
      page: { at: () => null },
      origins: () => origins,
      tls: null,
      behindProxy: false,
      secure: false,
      sessions: openSessions(desk.ledger.people, systemClock, false),
      log: (words) => {
        said.push(String(words));
        resolve('nothing was answered');
      },
    });
    app.server.prependListener('request', ({ socket }) => socket.destroy());
    origins.push(await app.listen({ port: 0, host: '127.0.0.1' }));
    await expect(ask(origins[0]!, '/api/session')).rejects.toThrow();
    expect([await asked, said]).toEqual(['', []]);
    await app.close();
  });

  it('ends after twelve hours, whatever was asked', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      desk.time.ahead = minutes * 60_000;
      expect(await seen(ann)).toBe(204);
    }
    desk.time.ahead = 12 * hourMs;
    expect(await who(ann)).toBeNull();
  });

  it('is no more after the logout, for a copy of the cookie too', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const copy = desk.browser();
    Object.assign(copy, { cookie: ann.cookie, csrf: ann.csrf });
    const out = await ann.post('/api/logout');
    expect(out.headers['set-cookie']?.[0]).toContain('Max-Age=0');
    expect([await who(copy), (await copy.post('/api/people', { name: 'Eve', role: 'preparer' })).status]).toEqual([
      null,
      401,
    ]);
  });

  it('ends with another password, and the new one is needed from then on', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const elsewhere = desk.browser();
    await login(elsewhere, 'Ann');
    const next = 'a quite new password';
    expect((await ann.post('/api/password', { current: 'not the password', next })).status).toBe(403);
    expect((await ann.post('/api/password', { current: passwordOf('Ann'), next })).status).toBe(200);
    expect([await who(ann), await who(elsewhere)]).toEqual([{ name: 'Ann', role: 'administrator', code: false }, null]);
    expect((await login(desk.browser(), 'Ann')).status).toBe(401);
    expect((await desk.browser().post('/api/login', { name: 'Ann', password: next })).status).toBe(200);
  });

  it.each([
    ['another role', { role: 'viewer' }],
    ['being shut out', { active: false }],
  ])('ends with %s', async (_, change) => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const ben = await desk.seated('Ben', 'administrator');
    expect((await ben.get('/api/people')).status).toBe(200);
    expect((await changed(ann, 'Ben', change)).status).toBe(200);
    expect((await ben.get('/api/people')).status).toBe(401);
    expect((await login(ben, 'Ben')).status).toBe('role' in change ? 200 : 401);
    if ('role' in change) expect((await ben.get('/api/people')).status).toBe(403);
  });

  it('is not begun by a login that was under way when the person was shut out', async () => {
    const work = held();
    const desk = await openDesk({ stretch: work.stretch });
    const ann = await desk.seated('Ann', 'administrator');
    const ben = await desk.seated('Ben', 'administrator');
    const { promise, resolve: goOn } = Promise.withResolvers<void>();
    Object.assign(work, { begun: 0, until: promise });
    const under = login(desk.browser(), 'Ben');
    await until('it is under way', () => work.begun === 1);
    expect((await changed(ann, 'Ben', { active: false })).status).toBe(200);
    goOn();
    expect((await under).status).toBe(401);
    expect(await who(ben)).toBeNull();
  });
});

it('a person is not changed from a page that shows another role or state', async () => {
  const desk = await openDesk();
  const ann = await desk.seated('Ann', 'administrator');
  await desk.seated('Ben', 'viewer');
  const viewer = { role: 'viewer', active: true };
  expect((await changed(ann, 'Ben', { role: 'approver' })).status).toBe(200);
  const moved = { code: 'PERSON_MOVED', facts: { name: 'Ben' } };
  expect(await changed(ann, 'Ben', { role: 'preparer' }, viewer)).toMatchObject({ status: 409, json: moved });
  expect((await changed(ann, 'Ben', { active: false })).status).toBe(200);
  const approver = { role: 'approver', active: true };
  expect(await changed(ann, 'Ben', { role: 'viewer' }, approver)).toMatchObject({ status: 409, json: moved });
  const [, ben] = (await ann.get('/api/people')).json as Person[];
  expect(ben).toMatchObject({ role: 'approver', active: false });
});

it('nobody changes the own role or shuts the own door', async () => {
  const desk = await openDesk();
  const ann = await desk.seated('Ann', 'administrator');
  for (const change of [{ role: 'viewer' }, { active: false }])
    expect((await changed(ann, 'Ann', change)).status).toBe(422);
  const was = { role: 'viewer', active: true };
  expect((await ann.post('/api/people/99', { was, is: was })).status).toBe(404);
});

describe('one-time codes', () => {
  async function withCode(): Promise<{ desk: Served; ann: Browser; secret: string; step: () => number }> {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const { secret, uri } = (await ann.post('/api/code/begin')).json as { secret: string; uri: string };
    expect(uri).toBe(`otpauth://totp/Payrun:Ann?secret=${secret}&issuer=Payrun`);
    const step = () => Math.floor((systemClock.now() + desk.time.ahead) / 30_000);
    const on = await ann.post('/api/code/on', { code: codeAt(secret, step()), password: passwordOf('Ann') });
    expect(on.status, on.text).toBe(200);
    return { desk, ann, secret, step };
  }

  it('are those of RFC 6238', () => {
    // Appendix B, of its secret "12345678901234567890", cut to six digits.
    const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
    const told: readonly (readonly [number, string])[] = [
      [59, '287082'],
      [1_111_111_109, '081804'],
      [1_234_567_890, '005924'],
      [20_000_000_000, '353130'],
    ];
    for (const [at, code] of told) expect(codeAt(secret, Math.floor(at / 30))).toBe(code);
  });

  it('are asked for once they are on, each good once', async () => {
    const { desk, ann, secret, step } = await withCode();
    expect(await who(ann)).toMatchObject({ code: true });
    desk.time.ahead += 60_000;
    const ask = (code?: string) => login(desk.browser(), 'Ann', code === undefined ? {} : { code });
    const without = await ask();
    expect([without.status, codeOf(without)]).toEqual([401, 'CODE_NEEDED']);
    expect(codeOf(await ask(codeAt(secret, step() + 9)))).toBe('LOGIN_REFUSED');
    const code = codeAt(secret, step());
    expect((await ask(code)).status).toBe(200);
    expect(codeOf(await ask(code)), 'looked over the shoulder').toBe('LOGIN_REFUSED');
    expect(codeOf(await desk.browser().post('/api/login', { name: 'Ann', password: 'not the password' }))).toBe(
      'LOGIN_REFUSED',
    );
  });

  it('go off with the password alone, and with a link of an administrator', async () => {
    const { desk, ann } = await withCode();
    expect((await ann.post('/api/code/off', { password: 'not the password' })).status).toBe(403);
    expect((await ann.post('/api/code/off', { password: passwordOf('Ann') })).status).toBe(200);
    expect((await login(desk.browser(), 'Ann')).status).toBe(200);
  });

  it('are not turned on by another code than the moment’s', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    expect((await ann.post('/api/code/on', { code: '123456', password: passwordOf('Ann') })).status).toBe(409);
    const { secret } = (await ann.post('/api/code/begin')).json as { secret: string };
    const wrong = codeAt(secret, 1);
    expect((await ann.post('/api/code/on', { code: wrong, password: passwordOf('Ann') })).status).toBe(422);
  });
});

describe("an approver's key", () => {
  const digest = `sha256:${'a'.repeat(64)}`;

  function opened({ ledger, stretch }: Served) {
    const sessions = openSessions(ledger.people, systemClock, false);
    return openPeople({ store: ledger.people, sessions, clock: systemClock, changed: () => {}, stretch });
  }

  it('is made with the password, opens with it alone, and is the one of the policy', async () => {
    const desk = await openDesk({ stretch: scryptKey });
    const ann = await desk.seated('Ann', 'administrator');
    await invited(desk, ann, 'Pia', 'preparer');
    await invited(desk, ann, 'Ben', 'approver');
    const id = await idOf(ann, 'Ben');
    const key = await opened(desk).unlockKey(id, passwordOf('Ben'));
    await expect(opened(desk).unlockKey(id, 'not the password')).rejects.toThrow('PASSWORD_WRONG');
    const path = join(desk.folder, 'console/policy.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const policy = readPolicy(path, readFileSync(path, 'utf8'));
    expect([policy.makers, policy.otherwise]).toEqual([['Pia'], 1]);
    const at = new Date().toISOString();
    const signature = sign(key, { purpose: 'approve plan', digest, approver: 'Ben', at });
    const facts = { digest, maker: 'Pia', expiresAt: Date.now() + hourMs };
    expect(whyNot(facts, signature, policy, Date.now() + 1000)).toBeNull();
    const [person] = ((await ann.get('/api/people')).json as Person[]).filter(({ name }) => name === 'Ben');
    expect(person?.fingerprint).toBe(readKeyFile('k', opened(desk).keyFile(id)).fingerprint);
  });

  it('stays the same under a new password, and comes with the next login of who becomes one', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const ben = await desk.seated('Ben', 'viewer');
    const id = await idOf(ann, 'Ben');
    const fingerprint = async () =>
      ((await ann.get('/api/people')).json as Person[]).find((one) => one.id === id)?.fingerprint;
    expect(await fingerprint()).toBeNull();
    await changed(ann, 'Ben', { role: 'approver' });
    await login(ben, 'Ben');
    const before = await fingerprint();
    expect(before).toMatch(/^\w{4}(-\w{4}){3}$/);
    await ben.post('/api/password', { current: passwordOf('Ben'), next: 'a quite new password' });
    expect(await fingerprint()).toBe(before);
    await expect(opened(desk).unlockKey(id, 'a quite new password')).resolves.toBeDefined();
  });

  it('counts no more once the approver is shut out', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    for (const name of ['Ben', 'Cem', 'Dia']) await desk.seated(name, 'approver');
    const names = () =>
      (
        JSON.parse(readFileSync(join(desk.folder, 'console/policy.json'), 'utf8')) as { approvers: { name: string }[] }
      ).approvers.map(({ name }) => name);
    await changed(ann, 'Dia', { active: false });
    expect(names()).toEqual(['Ben', 'Cem']);
    await changed(ann, 'Ben', { active: false });
    expect(names()).toEqual(['Cem']);
  });
});

describe('the trail', () => {
  it('tells every act under its person, passes the audit, and shows a flipped byte', async () => {
    const desk = await openDesk();
    const ann = await desk.join(desk.console.firstLink ?? '', 'Ann');
    const ben = await invited(desk, ann, 'Ben', 'preparer');
    await changed(ann, 'Ben', { role: 'approver' });
    await login(ben, 'Ben');
    const { policy: was } = (await ann.get('/api/settings')).json as SettingsView;
    await ann.post('/api/settings/policy', {
      was,
      otherwise: 1,
      currencies: [{ currency: 'ZAR', row: [], batch: [{ above: '0', approvals: 1 }] }],
    });
    await ben.post('/api/logout');
    const { entries } = (await ann.get('/api/trail?limit=50')).json as TrailPage;
    expect(entries.map(({ by, words }) => `${by}: ${words}`).reverse()).toEqual([
      `null: ${deedWords('first-link-printed', {})}`,
      `Ann: ${deedWords('joined', { role: 'administrator' })}`,
      `Ann: ${deedWords('invited', { name: 'Ben', role: 'preparer' })}`,
      `Ben: ${deedWords('joined', { role: 'preparer' })}`,
      `Ann: ${deedWords('role-changed', { name: 'Ben', role: 'approver' })}`,
      `Ben: ${deedWords('logged-in', {})}`,
      `Ann: ${deedWords('policy-changed', { alone: null })}`,
      `Ben: ${deedWords('logged-out', {})}`,
    ]);
    await desk.close();
    const path = join(desk.folder, 'ledger.db');
    const audit = () => command({ env: {}, folder: desk.folder }, ['audit', 'verify', '--ledger', path]);
    expect((await audit()).exit).toBe(0);
    const db = new DatabaseSync(path);
    db.exec("UPDATE trail SET entry = replace(entry, 'role-changed', 'role-chanqed') WHERE seq = 5");
    db.close();
    const { exit, out } = await audit();
    expect([exit, /entry 5\b/.test(out)]).toEqual([27, true]);
  });

  it('waits for another process that writes, and holds up nobody meanwhile', async () => {
    const desk = await openDesk();
    const ann = await desk.seated('Ann', 'administrator');
    const other = new DatabaseSync(join(desk.folder, 'ledger.db'));
    other.exec('BEGIN IMMEDIATE');
    const invited = ann.post('/api/people', { name: 'Ben', role: 'viewer' });
    for (let asked = 0; asked < 5; asked += 1) expect((await ann.get('/api/people')).status).toBe(200);
    other.exec('COMMIT');
    other.close();
    expect((await invited).status).toBe(201);
  });
});
