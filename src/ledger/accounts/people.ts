/** Stores the console's accounts, sessions, login links, login attempts and settings. */
import { PayrunError } from '../../base/errors.ts';
import { columnOf, type Each, wordsIn } from '../../base/words.ts';
import { insertOf, replacing } from '../rows/columns.ts';
import type { Writing } from '../store/commit.ts';
import { isTaken } from '../store/faults.ts';

export interface Account extends Each<'password keyFile publicKey', string | null> {
  readonly id: number;
  readonly name: string;
  readonly role: string;
  readonly active: boolean;
  /** The secret of the authenticator app. `codeStep` is the newest time step whose code was accepted. */
  readonly codeSecret: string | null;
  readonly codeStep: number | null;
  readonly createdAt: number;
  readonly seenAt: number | null;
}

/** A person's action for the trail, without secrets and bank account numbers. */
export interface PersonAction {
  readonly by: string | null;
  readonly did: string;
  readonly batch?: string | null;
  readonly [more: string]: unknown;
}

export type People = ReturnType<typeof openPeople>;

const accountColumns = `id, name, role, active, password, code_secret AS codeSecret, code_step AS codeStep,
  key_file AS keyFile, public_key AS publicKey, created_at AS createdAt, seen_at AS seenAt`;

export function openPeople({ sql, commits, trail, clock }: Writing) {
  const accounts = (where: string, ...values: (string | number)[]): Account[] =>
    sql
      .all<Omit<Account, 'active'> & { active: number }>(
        `SELECT ${accountColumns} FROM account ${where} ORDER BY name`,
        ...values,
      )
      .map((one) => ({ ...one, active: one.active === 1 }));

  return {
    /** Runs `work` in one transaction with the actions that it records. Throws if another process writes for over 20 seconds. */
    act: async <T>(work: (record: (action: PersonAction) => void) => T) =>
      await commits.whenFree(() => work(({ batch = null, ...data }) => trail.append({ batch, what: 'person', data }))),
    accounts: () => accounts(''),
    account: (id: number) => accounts('WHERE id = ?', id)[0] ?? null,
    named: (nameKey: string) => accounts('WHERE name_key = ?', nameKey)[0] ?? null,
    add: (account: Each<'name nameKey role', string>) =>
      sql.value<number>(...insertOf('account', { ...account, active: 1, createdAt: clock.now() }, 'RETURNING id'))!,
    change: (id: number, facts: Partial<Pick<Account, (typeof changeable)[number]>>) => {
      for (const name of changeable) {
        const value = facts[name];
        if (value === undefined) continue;
        const stored = typeof value === 'boolean' ? Number(value) : value;
        sql.run(`UPDATE account SET ${columnOf(name)} = ? WHERE id = ?`, stored, id);
      }
    },
    takeStep: (id: number, step: number) =>
      sql.run('UPDATE account SET code_step = ? WHERE id = ? AND coalesce(code_step, 0) < ?', step, id, step).changes >
      0,

    session: (hash: string) =>
      sql.one<{ account: number; begunAt: number; seenAt: number }>(
        'SELECT account, begun_at AS begunAt, seen_at AS seenAt FROM session WHERE hash = ?',
        hash,
      ),
    beginSession: (hash: string, account: number) => {
      const now = clock.now();
      sql.run('INSERT INTO session VALUES (?,?,?,?)', hash, account, now, now);
      sql.run('UPDATE account SET seen_at = ? WHERE id = ?', now, account);
    },
    /** Stores the time of a request. Does nothing while another process writes: the next request stores its own time. */
    seeSession: (hash: string) => {
      try {
        sql.run('UPDATE session SET seen_at = ? WHERE hash = ?', clock.now(), hash);
      } catch (error) {
        if (!(error instanceof PayrunError) || !isTaken(error.cause)) throw error;
      }
    },
    endSession: (hash: string) => void sql.run('DELETE FROM session WHERE hash = ?', hash),
    endSessionsOf: (account: number) => void sql.run('DELETE FROM session WHERE account = ?', account),
    endSessionsBefore: (begunAt: number, seenAt: number) =>
      void sql.run('DELETE FROM session WHERE begun_at < ? OR seen_at < ?', begunAt, seenAt),

    link: (hash: string) =>
      sql.one<{ account: number | null; goodUntil: number }>(
        'SELECT account, good_until AS goodUntil FROM link WHERE hash = ?',
        hash,
      ),
    makeLink: (hash: string, account: number | null, goodUntil: number) => {
      sql.run('DELETE FROM link WHERE account IS NOT DISTINCT FROM ?', account);
      sql.run('INSERT INTO link VALUES (?,?,?,?)', hash, account, clock.now(), goodUntil);
    },
    takeLink: (hash: string) => sql.run('DELETE FROM link WHERE hash = ?', hash).changes > 0,

    /** Returns the times of login attempts after `since`, oldest first. Null for `who` includes every person. */
    tries: (who: string | null, address: string, since: number) =>
      sql.column<number>(
        `SELECT at FROM login_try WHERE ${who === null ? 'CAST(? AS TEXT) IS NULL' : 'who = ?'} AND address = ? AND at > ? ORDER BY at`,
        who,
        address,
        since,
      ),
    addTry: (who: string, address: string, forgetBefore: number) => {
      sql.run('DELETE FROM login_try WHERE at < ?', forgetBefore);
      return sql.value<number>(...insertOf('login_try', { who, address, at: clock.now() }, 'RETURNING id'))!;
    },
    forgetTry: (id: number) => void sql.run('DELETE FROM login_try WHERE id = ?', id),
    forgetTries: (who: string, address: string) =>
      void sql.run('DELETE FROM login_try WHERE who = ? AND address = ?', who, address),

    setting: (name: string) => sql.value<string>('SELECT value FROM console_setting WHERE name = ?', name),
    set: (name: string, value: string) => void sql.run(...replacing('console_setting', 'name', { name, value })),
  };
}

/** The facts that `change` may set. Their names become SQL text, so no other names are allowed. */
const changeable = wordsIn('role active password codeSecret codeStep keyFile publicKey');
