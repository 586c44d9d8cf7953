/** People who joined and logged in before their console is started: accounts and sessions are in the ledger, and outlive the process. */
import { foldedName, lockKey, makeKey, publicLine, publicOf, scryptKey } from '../../src/approval/approval.ts';
import { systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import type { Role } from '../../src/console/api.ts';
import { openSessions } from '../../src/console/http/session.ts';
import { hashOf } from '../../src/console/people/password.ts';
import { openLedger } from '../../src/ledger/ledger.ts';

export interface Session {
  /** As `name=value`. */
  readonly cookie: string;
  readonly csrf: string;
}

/** A preparer and an approver, in the ledger at `path`. */
export async function seatAt<Preparer extends string, Approver extends string>(
  path: string,
  password: string,
  preparer: Preparer,
  approver: Approver,
): Promise<Record<Preparer | Approver, Session>> {
  const key = makeKey();
  const hash = await hashOf(password, scryptKey);
  const keyFile = await lockKey(approver, key, new Secret(password));
  const ledger = openLedger(path, systemClock);
  const sessions = openSessions(ledger.people, systemClock, false);
  const seat = async (name: string, role: Role, facts: object) =>
    await ledger.people.act(() => {
      const id = ledger.people.add({ name, nameKey: foldedName(name), role });
      ledger.people.change(id, { password: hash, ...facts });
      const { cookie, token } = sessions.begin({}, id);
      return { cookie: cookie.split(';')[0] ?? '', csrf: token };
    });
  const seats = {
    [preparer]: await seat(preparer, 'preparer', {}),
    [approver]: await seat(approver, 'approver', { keyFile, publicKey: publicLine(publicOf(approver, key)) }),
  };
  await ledger.close();
  return seats as Record<Preparer | Approver, Session>;
}
