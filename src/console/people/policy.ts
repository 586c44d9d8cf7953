/** Writes the console's own policy from its accounts. A policy file of the machine replaces it. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPolicy } from '../../approval/approval.ts';
import { makeFolder } from '../../base/folder.ts';
import type { People as Store } from '../../ledger/ledger.ts';
import { messageOf, messageOfError, type OwnMessage, type PageMessage } from '../../messages/web/messages.ts';
import { type Requests, requests } from '../api.ts';
import { Refused, refused, type Who } from '../http/route.ts';
import type { People } from './people.ts';

type Thresholds = Requests['policy'];

export type ConsolePolicy = ReturnType<typeof openPolicy>;

const setting = 'policy';
/** The default: one approval for everything, until an administrator changes it. */
const usual: Thresholds = { otherwise: 1, currencies: [] };

interface PolicyDeps {
  readonly store: Store;
  readonly people: Pick<People, 'approvers' | 'preparers'>;
  readonly folder: string;
  readonly machine: string | null;
}

export function openPolicy({ store, people, folder, machine }: PolicyDeps) {
  const path = machine ?? join(folder, 'policy.json');

  function current(): Thresholds {
    const said = store.setting(setting);
    return said === null ? usual : requests.policy.parse(JSON.parse(said));
  }

  function textOf({ otherwise, currencies }: Thresholds): string {
    const makers = people.preparers();
    const approvers = people.approvers().map(({ name, line }) => ({ name, keys: [line] }));
    const amounts = currencies
      .filter(({ row, batch, day }) => row.length + batch.length + day.length > 0)
      .map(({ currency, row, batch, day }) => {
        // Below its lowest threshold a currency would need no approval, so the general number applies from 0.
        const isWhole = otherwise === 0 || [...row, ...batch, ...day].some(({ above }) => above === '0');
        const all = isWhole ? batch : [{ above: '0', approvals: otherwise }, ...batch];
        return {
          currency,
          ...(row.length === 0 ? {} : { row }),
          ...(all.length === 0 ? {} : { batch: all }),
          ...(day.length === 0 ? {} : { day }),
        };
      });
    const whole = { version: 1, approvers, ...(makers.length === 0 ? {} : { makers }), currencies: amounts, otherwise };
    return `${JSON.stringify(whole, null, 2)}\n`;
  }

  function faultOf(thresholds: Thresholds): PageMessage | null {
    if (people.approvers().length === 0) return messageOf('NOBODY_APPROVES');
    return faultIn(() => readPolicy(path, textOf(thresholds)));
  }

  /** Writes the file atomically. Only its owner may read it. */
  function write(): void {
    if (machine !== null) return;
    makeFolder(folder);
    const half = `${path}.part`;
    rmSync(half, { force: true });
    writeFileSync(half, textOf(current()), { flag: 'wx', mode: 0o600, flush: true });
    renameSync(half, path);
  }

  return {
    path,
    machine,
    shown: () => (machine === null ? current() : null),
    async set(by: Who, thresholds: Thresholds, shown: Thresholds | null): Promise<void> {
      if (machine !== null) throw refused(409, 'POLICY_OF_MACHINE', { path: machine });
      const fault = faultOf(thresholds);
      if (fault !== null) throw new Refused(422, fault);
      await store.act((record) => {
        const was = current();
        if (JSON.stringify(shown) !== JSON.stringify(was)) throw refused(409, 'POLICY_MOVED');
        store.set(setting, JSON.stringify(thresholds));
        const alone = paidAlone(thresholds)?.facts ?? null;
        record({ by: by.name, did: 'policy-changed', alone, was, is: thresholds });
      });
      write();
    },
    write,
    /** Returns why nothing can be approved, or why payments need no approval; null for neither. */
    fault: () => (machine === null ? (faultOf(current()) ?? paidAlone(current())) : null),
  };
}

/** Returns why the work fails; null if it does not. */
export function faultIn(work: () => unknown): PageMessage | null {
  try {
    work();
    return null;
  } catch (error) {
    return messageOfError(error);
  }
}

function paidAlone({ otherwise, currencies }: Thresholds): OwnMessage | null {
  const free = currencies.filter(({ row, batch, day }) =>
    [row, batch, day].some((list) => list[0]?.above === '0' && list[0].approvals === 0),
  );
  return otherwise > 0 && free.length === 0
    ? null
    : messageOf('PAID_ALONE', { usually: otherwise === 0, currencies: free.map(({ currency }) => currency) });
}
