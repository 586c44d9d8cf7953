/** The console's own policy, made from its accounts, unless the settings of the machine name one. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPolicy } from '../../approval/approval.ts';
import { makeFolder } from '../../base/folder.ts';
import type { People as Store } from '../../ledger/ledger.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { type Requests, requests } from '../api.ts';
import { Refused, type Who } from '../http/route.ts';
import type { People } from './people.ts';

export type Thresholds = Requests['policy'];

export interface ConsolePolicy {
  readonly path: string;
  readonly machine: string | null;
  /** Set by an administrator; null if the machine's file counts. */
  shown(): Thresholds | null;
  set(by: Who, thresholds: Thresholds, shown?: Thresholds): Promise<void>;
  write(): void;
  /** Why nothing can be approved, or is paid without approval; null if neither. */
  fault(): string | null;
}

const setting = 'policy';
/** One approval for everything, until an administrator changes it. */
const usual: Thresholds = { otherwise: 1, currencies: [] };

export interface PolicyDeps {
  readonly store: Store;
  readonly people: Pick<People, 'approvers' | 'preparers'>;
  readonly folder: string;
  readonly machine: string | null;
}

export function openPolicy({ store, people, folder, machine }: PolicyDeps): ConsolePolicy {
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
        // A currency with thresholds asks for none below them, so the general number is added.
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

  function faultOf(thresholds: Thresholds): string | null {
    if (people.approvers().length === 0)
      return 'Nobody can approve yet: an administrator invites an approver, who then logs in once.';
    try {
      readPolicy(path, textOf(thresholds));
      return null;
    } catch (error) {
      return wordsOf(error);
    }
  }

  return {
    path,
    machine,
    shown: () => (machine === null ? current() : null),
    async set(by, thresholds, shown) {
      if (machine !== null)
        throw new Refused(409, `The policy is the file ${machine}, which is changed on the machine.`, 'POLICY_FILE');
      const fault = faultOf(thresholds);
      if (fault !== null) throw new Refused(422, fault, 'POLICY');
      await store.act(() => {
        const was = current();
        if (shown !== undefined && JSON.stringify(shown) !== JSON.stringify(was))
          throw new Refused(409, 'Somebody changed it since you opened this page. Load the page again.', 'STALE');
        store.set(setting, JSON.stringify(thresholds));
        return {
          value: undefined,
          deeds: [
            {
              by: by.name,
              did: ['changed how many approvals are needed', aloneWords(thresholds)].filter(Boolean).join('. '),
              was,
              is: thresholds,
            },
          ],
        };
      });
      this.write();
    },
    write() {
      if (machine === null) writeWhole(folder, path, textOf(current()));
    },
    fault: () => (machine === null ? (faultOf(current()) ?? aloneWords(current())) : null),
  };
}

function aloneWords({ otherwise, currencies }: Thresholds): string | null {
  const free = currencies.filter(({ row, batch, day }) =>
    [row, batch, day].some((list) => list[0]?.above === '0' && list[0].approvals === 0),
  );
  const what = [
    ...(otherwise === 0 ? ['what no threshold names'] : []),
    ...free.map(({ currency }) => `${currency} up to its first threshold`),
  ];
  return what.length === 0 ? null : `Nobody is asked for an approval of ${what.join(', ')}: a preparer pays it alone.`;
}

/** Atomic, and private to its owner. */
function writeWhole(folder: string, path: string, text: string): void {
  makeFolder(folder);
  const half = `${path}.part`;
  rmSync(half, { force: true });
  writeFileSync(half, text, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(half, path);
}
