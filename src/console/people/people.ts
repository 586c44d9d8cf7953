/** Keeps the accounts of the console: login, logout, passwords, keys, and an administrator's changes. */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  foldedName,
  lockKey,
  makeKey,
  personName,
  publicLine,
  publicOf,
  readKeyFile,
  readPublicLine,
  type Stretch,
  scryptKey,
  unlockKey,
} from '../../approval/approval.ts';
import { type Clock, isoTime } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import { Secret } from '../../base/secret.ts';
import { eachOf } from '../../base/words.ts';
import type { Account, People as Store } from '../../ledger/ledger.ts';
import type { Invitation, Person, Requests, Role } from '../api.ts';
import { Refused, refused, type Who } from '../http/route.ts';
import { roleOf, type Sessions, whoOf } from '../http/session.ts';
import { codeAddress, newCodeSecret, stepOfCode } from './one-time-code.ts';
import { hashOf, inTurn, isPassword, passwordFault } from './password.ts';

const minuteMs = 60_000;
const linkMs = 24 * 60 * minuteMs;
const triesMs = 15 * minuteMs;
/** The most failed logins for one name from one address within `triesMs`. The next limit is for all names from one address. */
const mostTries = 10;
const mostTriesOfAddress = 100;

interface From {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

export type LoggedIn = ReturnType<Sessions['begin']> & { readonly person: Who };

export interface PeopleDeps {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly changed: () => void;
  /** The default is scrypt. Only tests use a faster function. */
  readonly stretch?: Stretch | undefined;
}

export type People = ReturnType<typeof openPeople>;

export function openPeople({ store, sessions, clock, changed, stretch = scryptKey }: PeopleDeps) {
  /** Secrets of authenticator apps that no code has confirmed yet. They are lost when the process ends. */
  const offered = new Map<number, string>();

  const settled = () => store.accounts().filter(({ password }) => password !== null);

  /** Counts a try before its work, so that parallel tries count too. Throws after too many tries. */
  async function tried<T>(name: string, from: Pick<From, 'address'>, work: () => Promise<T>): Promise<T> {
    const who = sha256(`console login\n${foldedName(name)}`);
    const since = clock.now() - triesMs;
    const id = await store.act(() => {
      for (const [tries, most] of [
        [store.tries(who, from.address, since), mostTries],
        [store.tries(null, from.address, since), mostTriesOfAddress],
      ] as const) {
        const oldest = tries.at(-most);
        if (oldest !== undefined)
          throw refused(429, 'TOO_MANY_TRIES', { retryAfterMs: oldest + triesMs - clock.now() });
      }
      return store.addTry(who, from.address, since);
    });
    try {
      const value = await work();
      await store.act(() => store.forgetTries(who, from.address));
      return value;
    } catch (error) {
      // Does not count a try that lacked only the code, or that the server was too busy to check.
      if (error instanceof Refused && ['CODE_NEEDED', 'MANY_LOGINS'].includes(error.said.code))
        await store.act(() => store.forgetTry(id));
      throw error;
    }
  }

  async function confirm(person: Who, password: string, from: Pick<From, 'address'>): Promise<Account> {
    return await tried(person.name, from, async () => {
      const account = store.account(person.id);
      if (account === null) throw refused(401, 'LOGIN_NEEDED');
      if (!(await isPassword(account.password, password, stretch))) throw refused(403, 'PASSWORD_WRONG');
      return account;
    });
  }

  /** Throws if the account changed while its password was checked. */
  function same(account: Account): Account {
    const now = store.account(account.id);
    if (now === null || !now.active || now.password !== account.password || now.role !== account.role)
      throw refusedLogin();
    return now;
  }

  async function begin(
    account: Account,
    from: From,
    action: { readonly did: string; readonly address?: string },
    change: () => void,
  ): Promise<LoggedIn> {
    return await store.act((record) => {
      const now = same(account);
      change();
      record({ by: now.name, ...action });
      return { ...sessions.begin(from.headers, now.id), person: whoOf(now) };
    });
  }

  async function keyFor({ name, role, keyFile }: Account, password: string) {
    if (role !== 'approver' || keyFile !== null) return null;
    return await newKey(name, password, stretch);
  }

  const personOf = (account: Account): Person => ({
    id: account.id,
    name: account.name,
    role: roleOf(account.role),
    active: account.active,
    code: account.codeSecret !== null,
    invited: account.password === null,
    lastSeenAt: account.seenAt === null ? null : isoTime(account.seenAt),
    fingerprint: fingerprintOf(account),
  });

  function makeLink(account: number | null): string {
    const token = randomBytes(32).toString('base64url');
    store.makeLink(sha256(token), account, clock.now() + linkMs);
    return token;
  }

  function goodLink(token: string) {
    const link = store.link(sha256(token));
    if (link === null || link.goodUntil <= clock.now()) throw refused(410, 'LINK_USED');
    return link;
  }

  function known(id: number): Account {
    const account = store.account(id);
    if (account === null) throw refused(404, 'NOT_FOUND', { what: 'person' });
    return account;
  }

  return {
    empty: () => settled().length === 0,
    async firstLink(): Promise<string | null> {
      if (settled().length > 0) return null;
      return await store.act((record) => {
        record({ by: null, did: 'first-link-printed' });
        return makeLink(null);
      });
    },

    invitation({ token }: Requests['invitation']): Invitation {
      const { account } = goodLink(token);
      if (account === null) return { name: null, role: 'administrator' };
      const { name, role } = known(account);
      return { name, role: roleOf(role) };
    },

    async join({ token, name, password }: Requests['join'], from: From): Promise<LoggedIn> {
      const hash = sha256(token);
      const link = goodLink(token);
      const first = link.account === null;
      const account = link.account === null ? null : known(link.account);
      const own = account?.name ?? name?.trim() ?? '';
      const fault = personName(own);
      if (fault !== null) throw refused(422, 'NAME_UNFIT', { fault });
      const weak = await passwordFault(password, own);
      if (weak !== null) throw new Refused(422, weak);
      const stored = await hashOf(password, stretch);
      const key = account?.role === 'approver' ? await newKey(own, password, stretch) : null;
      const begun = await store.act((record) => {
        // Only the first of two people with the link succeeds.
        if (!store.takeLink(hash) || (first && settled().length > 0)) throw refused(410, 'LINK_USED');
        if (account !== null && !known(account.id).active) throw refused(410, 'LINK_USED');
        const id = account?.id ?? store.add({ name: own, nameKey: foldedName(own), role: 'administrator' });
        // The new password cannot open the old key, so the account loses that key.
        store.change(id, { password: stored, ...eachOf(null, 'codeSecret codeStep keyFile publicKey'), ...key });
        store.endSessionsOf(id);
        const did = account === null || account.password === null ? 'joined' : 'password-renewed';
        const role: Role = account === null ? 'administrator' : roleOf(account.role);
        const more = key === null ? {} : { key: fingerprintOf(key) };
        record({ by: own, did, role, address: from.address, ...more });
        return { ...sessions.begin(from.headers, id), person: { id, name: own, role } };
      });
      changed();
      return begun;
    },

    async login({ name, password, code }: Requests['login'], from: From): Promise<LoggedIn> {
      const account = store.named(foldedName(name));
      try {
        return await tried(name, from, async () => {
          const right = await isPassword(account?.password ?? null, password, stretch);
          if (!right || account === null || !account.active) throw refusedLogin();
          if (account.codeSecret !== null) {
            if (code === undefined) throw refused(401, 'CODE_NEEDED');
            const step = stepOfCode(account.codeSecret, code, clock.now());
            const isFresh = step !== null && (await store.act(() => store.takeStep(account.id, step)));
            if (!isFresh) throw refusedLogin();
          }
          const key = await keyFor(account, password);
          const begun = await begin(account, from, { did: 'logged-in', address: from.address }, () => {
            if (key !== null) store.change(account.id, key);
          });
          if (key !== null) changed();
          return begun;
        });
      } catch (error) {
        if (error instanceof Refused && error.said.code === 'LOGIN_REFUSED')
          // Leaves out an unknown name, because it may be a password typed in the wrong field.
          await store.act((record) =>
            record({ by: null, did: 'login-refused', name: account?.name ?? null, address: from.address }),
          );
        throw error;
      }
    },

    async logout({ name }: Who, from: From): Promise<void> {
      await store.act((record) => {
        sessions.end(from.headers);
        record({ by: name, did: 'logged-out' });
      });
    },

    async changePassword(person: Who, { current, next }: Requests['password'], from: From): Promise<LoggedIn> {
      const account = await confirm(person, current, from);
      const weak = await passwordFault(next, account.name);
      if (weak !== null) throw new Refused(422, weak);
      const stored = await hashOf(next, stretch);
      const key =
        account.keyFile === null ? await keyFor(account, next) : await relocked(account, current, next, stretch);
      const begun = await begin(account, from, { did: 'password-changed' }, () => {
        store.change(account.id, { password: stored, ...key });
        store.endSessionsOf(account.id);
      });
      changed();
      return begun;
    },

    beginCode(person: Who) {
      const secret = newCodeSecret();
      offered.set(person.id, secret);
      return { secret, uri: codeAddress(secret, person.name) };
    },

    async codeOn(person: Who, { code, password }: Requests['codeOn'], from: From): Promise<LoggedIn> {
      const secret = offered.get(person.id);
      if (secret === undefined) throw refused(409, 'CODE_NOT_BEGUN');
      const account = await confirm(person, password, from);
      const step = stepOfCode(secret, code, clock.now());
      if (step === null) throw refused(422, 'CODE_WRONG');
      offered.delete(person.id);
      return await begin(account, from, { did: 'codes-on' }, () => {
        store.change(account.id, { codeSecret: secret, codeStep: step });
        store.endSessionsOf(account.id);
      });
    },

    async codeOff(person: Who, { password }: Requests['codeOff'], from: From): Promise<LoggedIn> {
      const account = await confirm(person, password, from);
      return await begin(account, from, { did: 'codes-off' }, () => {
        store.change(account.id, { codeSecret: null, codeStep: null });
        store.endSessionsOf(account.id);
      });
    },

    all: () => store.accounts().map(personOf),
    hasCode: ({ id }: Who) => (store.account(id)?.codeSecret ?? null) !== null,

    async invite(by: Who, { name, role }: Requests['invite']): Promise<string> {
      const own = name.trim();
      const fault = personName(own);
      if (fault !== null) throw refused(422, 'NAME_UNFIT', { fault });
      return await store.act((record) => {
        const other = store.named(foldedName(own));
        if (other !== null) throw refused(409, 'NAME_TAKEN', { name: other.name });
        record({ by: by.name, did: 'invited', name: own, role });
        return makeLink(store.add({ name: own, nameKey: foldedName(own), role }));
      });
    },

    async change(by: Who, id: number, { was, is }: Requests['person']): Promise<Person> {
      if (id === by.id) throw refused(422, 'OWN_RIGHTS');
      const person = await store.act((record) => {
        const before = known(id);
        if (before.role !== was.role || before.active !== was.active)
          throw refused(409, 'PERSON_MOVED', { name: before.name });
        // Sessions with the old rights end.
        if (is.role !== was.role) {
          store.change(id, { role: is.role });
          store.endSessionsOf(id);
          record({ by: by.name, did: 'role-changed', name: before.name, role: is.role, was: was.role });
        }
        if (is.active !== was.active) {
          store.change(id, { active: is.active });
          store.endSessionsOf(id);
          record({ by: by.name, did: is.active ? 'let-in' : 'shut-out', name: before.name });
        }
        return personOf(known(id));
      });
      changed();
      return person;
    },

    /** Returns a link for a new password. The old password stays valid until the link is used. */
    linkFor: (by: Who, id: number) =>
      store.act((record) => {
        const { name, active } = known(id);
        if (!active) throw refused(422, 'PERSON_SHUT_OUT', { name });
        if (id === by.id) throw refused(422, 'OWN_LINK');
        record({ by: by.name, did: 'link-made', name });
        return makeLink(id);
      }),

    async unlockKey(id: number, password: string): Promise<KeyObject> {
      const account = known(id);
      const { keyFile } = await confirm(whoOf(account), password, { address: 'a signature' });
      if (keyFile === null) throw refused(422, 'KEY_MISSING');
      const file = readKeyFile(null, keyFile);
      return await inTurn(() => unlockKey(null, file, new Secret(password), stretch));
    },
    keyFile: (id: number) => known(id).keyFile ?? '',

    approvers: () =>
      settled().flatMap((account) => {
        const fingerprint = fingerprintOf(account);
        if (!account.active || account.role !== 'approver' || fingerprint === null || account.publicKey === null)
          return [];
        return [{ name: account.name, line: account.publicKey, fingerprint }];
      }),
    preparers: () =>
      settled()
        .filter(({ active, role }) => active && role === 'preparer')
        .map(({ name }) => name),
  };
}

async function newKey(name: string, password: string, stretch: Stretch) {
  const key = makeKey();
  const keyFile = await inTurn(() => lockKey(name, key, new Secret(password), stretch));
  return { keyFile, publicKey: publicLine(publicOf(name, key)) };
}

async function relocked({ name, keyFile }: Account, current: string, next: string, stretch: Stretch) {
  const file = readKeyFile(null, keyFile ?? '');
  const key = await inTurn(() => unlockKey(null, file, new Secret(current), stretch));
  return { keyFile: await inTurn(() => lockKey(name, key, new Secret(next), stretch)) };
}

function fingerprintOf({ publicKey }: Pick<Account, 'publicKey'>): string | null {
  const read = publicKey === null ? null : readPublicLine(publicKey);
  return read === null || 'fault' in read ? null : read.fingerprint;
}

/** Has the same words for every cause, so that nobody learns which part was wrong. */
const refusedLogin = (): Refused => refused(401, 'LOGIN_REFUSED');
