/** Stores the console's accounts, sessions, login links, login attempts and settings. */
import { PayrunError } from '../../base/errors.ts';
import type { Account, People, SessionFacts } from '../contract.ts';
import { isTaken } from '../store/faults.ts';
import { whenFree } from '../store/retry-when-locked.ts';
import type { Writing } from '../store/unit-of-work.ts';

const accountColumns = `id, name, role, active, password, code_secret AS codeSecret, code_step AS codeStep,
  key_file AS keyFile, public_key AS publicKey, created_at AS createdAt, seen_at AS seenAt`;

export function openPeople({ sql, commits, trail, clock }: Writing): People {
  const accounts = (where: string, ...values: (string | number)[]): Account[] =>
    sql
      .all<Omit<Account, 'active'> & { active: number }>(
        `SELECT ${accountColumns} FROM account ${where} ORDER BY name`,
        ...values,
      )
      .map((one) => ({ ...one, active: one.active === 1 }));

  return {
    act: async (work) =>
      await whenFree(() =>
        commits.alone(() =>
          work(({ batch = null, ...data }) => void trail.append({ batch, row: null, what: 'person', data })),
        ),
      ),
    accounts: () => accounts(''),
    account: (id) => accounts('WHERE id = ?', id)[0] ?? null,
    named: (nameKey) => accounts('WHERE name_key = ?', nameKey)[0] ?? null,
    add: ({ name, nameKey, role }) =>
      sql.one<{ id: number }>(
        'INSERT INTO account (name, name_key, role, active, created_at) VALUES (?,?,?,1,?) RETURNING id',
        name,
        nameKey,
        role,
        clock.now(),
      )!.id,
    change: (id, facts) => {
      for (const [name, value] of Object.entries(facts))
        sql.run(`UPDATE account SET ${changeable[name as keyof typeof changeable]} = ? WHERE id = ?`, value, id);
    },
    takeStep: (id, step) =>
      sql.run('UPDATE account SET code_step = ? WHERE id = ? AND coalesce(code_step, 0) < ?', step, id, step).changes >
      0,

    session: (hash) =>
      sql.one<SessionFacts>('SELECT account, begun_at AS begunAt, seen_at AS seenAt FROM session WHERE hash = ?', hash),
    beginSession: (hash, account) => {
      const now = clock.now();
      sql.run('INSERT INTO session VALUES (?,?,?,?)', hash, account, now, now);
      sql.run('UPDATE account SET seen_at = ? WHERE id = ?', now, account);
    },
    seeSession: (hash) => {
      try {
        sql.run('UPDATE session SET seen_at = ? WHERE hash = ?', clock.now(), hash);
      } catch (error) {
        if (!(error instanceof PayrunError) || !isTaken(error.cause)) throw error;
      }
    },
    endSession: (hash) => void sql.run('DELETE FROM session WHERE hash = ?', hash),
    endSessionsOf: (account) => void sql.run('DELETE FROM session WHERE account = ?', account),
    endSessionsBefore: (begunAt, seenAt) =>
      void sql.run('DELETE FROM session WHERE begun_at < ? OR seen_at < ?', begunAt, seenAt),

    link: (hash) => sql.one('SELECT account, good_until AS goodUntil FROM link WHERE hash = ?', hash),
    makeLink: (hash, account, goodUntil) => {
      sql.run('DELETE FROM link WHERE account IS NOT DISTINCT FROM ?', account);
      sql.run('INSERT INTO link VALUES (?,?,?,?)', hash, account, clock.now(), goodUntil);
    },
    takeLink: (hash) => sql.run('DELETE FROM link WHERE hash = ?', hash).changes > 0,

    tries: (who, address, since) =>
      sql
        .all<{ at: number }>(
          `SELECT at FROM login_try WHERE ${who === null ? 'CAST(? AS TEXT) IS NULL' : 'who = ?'} AND address = ? AND at > ? ORDER BY at`,
          who,
          address,
          since,
        )
        .map(({ at }) => at),
    addTry: (who, address, forgetBefore) => {
      sql.run('DELETE FROM login_try WHERE at < ?', forgetBefore);
      return sql.one<{ id: number }>(
        'INSERT INTO login_try (who, address, at) VALUES (?,?,?) RETURNING id',
        who,
        address,
        clock.now(),
      )!.id;
    },
    forgetTry: (id) => void sql.run('DELETE FROM login_try WHERE id = ?', id),
    forgetTries: (who, address) => void sql.run('DELETE FROM login_try WHERE who = ? AND address = ?', who, address),

    setting: (name) =>
      sql.one<{ value: string }>('SELECT value FROM console_setting WHERE name = ?', name)?.value ?? null,
    set: (name, value) =>
      void sql.run(
        'INSERT INTO console_setting VALUES (?,?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        name,
        value,
      ),
  };
}

/** The columns that `change` may set. Their names become SQL text, so no other names are allowed. */
const changeable = {
  role: 'role',
  active: 'active',
  password: 'password',
  codeSecret: 'code_secret',
  codeStep: 'code_step',
  keyFile: 'key_file',
  publicKey: 'public_key',
} as const;
