/** The routes of what the console itself is: settings and policy, and health. */
import { basename, isAbsolute } from 'node:path';
import { counted } from '../../base/words.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { type Health, requests, type SettingsView } from '../api.ts';
import { withoutServer } from '../batches/page-words.ts';
import type { People } from '../people/people.ts';
import type { ConsolePolicy } from '../people/policy.ts';
import { forPeople, type Route, type Who } from './route.ts';

export interface SettingsDesk {
  readonly ledger: Ledger;
  readonly service: string;
  readonly people: People;
  readonly policy: ConsolePolicy;
  readonly settings: () => SettingsView['settings'];
  readonly serviceFault: () => Promise<string | null>;
}

export function settingsRoutes(desk: SettingsDesk): readonly Route[] {
  /** Console jobs use this policy, whatever the machine's settings say. */
  const inForce: Readonly<Record<string, string>> = desk.policy.machine === null ? { policy: desk.policy.path } : {};
  const view = ({ role }: Who): SettingsView => ({
    service: desk.service,
    ledger: pathFor(role, desk.ledger.path),
    settings: desk.settings().map((one) => {
      const { value, from } = one.name in inForce ? { value: inForce[one.name] ?? '', from: 'the console' } : one;
      return { ...one, value: pathFor(role, value), from: pathFor(role, from) };
    }),
    policy: desk.policy.shown(),
    policyFile: desk.policy.machine === null ? null : pathFor(role, desk.policy.machine),
    approvers: desk.people.approvers().map(({ name, fingerprint }) => ({ name, fingerprint })),
  });
  return [
    forPeople({ method: 'GET', path: '/api/settings', may: 'person' }, ({ person }) => view(person)),
    forPeople(
      { method: 'POST', path: '/api/settings/policy', may: ['administrator'], body: requests.changePolicy },
      async ({ person, body: { was, ...thresholds } }) => {
        await desk.policy.set(person, thresholds, was);
        return view(person);
      },
    ),
    forPeople({ method: 'GET', path: '/api/health', may: 'person' }, ({ person }) => healthOf(desk, person)),
  ];
}

/** Only administrators see paths and the ledger's server; others see names. */
function pathFor(role: Who['role'], words: string): string {
  if (role === 'administrator') return words;
  if (isAbsolute(words)) return `…/${basename(words)}`;
  return withoutServer(words).replaceAll(/(?<![\w.:/])\/(?:[^/\s]+\/)+(?=[^/\s])/g, '…/');
}

/** Only administrators see faults that only they can fix. */
async function healthOf(
  { ledger, people, policy, service, serviceFault }: SettingsDesk,
  { role: own }: Who,
): Promise<Health> {
  const { seq } = await ledger.head();
  const room = faultOf(() => ledger.requireRoom());
  const approval = policy.fault();
  const unused = await serviceFault();
  const administrators = people
    .all()
    .filter(({ role, active, invited }) => role === 'administrator' && active && !invited);
  const checks: Health['checks'] = [
    {
      what: 'Ledger',
      ok: true,
      words: `${pathFor(own, ledger.path)}, ${counted(seq, 'entry', 'entries')} in its trail`,
    },
    { what: 'Disk', ok: room === null, words: room ?? 'There is room for the next batch.' },
    {
      what: 'Service',
      ok: unused === null,
      words: unused ?? `${service} answers, and takes the API key and its secret.`,
    },
    { what: 'Approval', ok: approval === null, words: approval ?? approvalWords(policy) },
    ...(own === 'administrator' ? [administratorsWords(administrators.length)] : []),
  ];
  return { checks: checks.map((one) => ({ ...one, words: pathFor(own, one.words) })) };
}

/** The machine's policy file is too long for one line. */
function approvalWords(policy: ConsolePolicy): string {
  const set = policy.shown();
  const asks =
    set === null
      ? ''
      : `: ${counted(set.otherwise, 'approval')} ${set.currencies.length === 0 ? 'for every plan' : 'where nothing else is set for the amount'}`;
  return `How many approvals a plan needs is said by the file ${policy.path}${asks}.`;
}

const administratorsWords = (count: number): Health['checks'][number] => ({
  what: 'Administrators',
  ok: count > 1,
  words:
    count > 1
      ? `${count} can log in.`
      : 'Only one administrator can log in. A second one should be invited: nobody else could let that one in again.',
});

function faultOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return wordsOf(error);
  }
}
