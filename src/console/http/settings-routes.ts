/** Lists the routes for settings, policy and health. */
import { basename, isAbsolute } from 'node:path';
import type { Ledger } from '../../ledger/ledger.ts';
import { mapTexts } from '../../messages/audience.ts';
import { messageOf, type OwnMessage, type PageMessage, pageWords } from '../../messages/web/messages.ts';
import { type Health, requests, type SettingsView } from '../api.ts';
import type { People } from '../people/people.ts';
import { type ConsolePolicy, faultIn } from '../people/policy.ts';
import { acts, type Route, reads, routesOf, type Who } from './route.ts';

export interface SettingsDesk {
  readonly ledger: Ledger;
  readonly service: string;
  readonly people: People;
  readonly policy: ConsolePolicy;
  readonly settings: () => SettingsView['settings'];
  readonly serviceFault: () => Promise<PageMessage | null>;
}

export function settingsRoutes(desk: SettingsDesk): readonly Route[] {
  /** Jobs of the console use its own policy if the machine has no policy file. */
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
  return routesOf({
    'GET /api/settings': reads('person', ({ person }) => view(person)),
    'POST /api/settings/policy': acts(
      ['administrator'],
      requests.changePolicy,
      async ({ person, body: { was, ...thresholds } }) => {
        await desk.policy.set(person, thresholds, was);
        return view(person);
      },
    ),
    'GET /api/health': reads('person', ({ person }) => healthOf(desk, person)),
  });
}

/** Shows paths and the ledger's server to administrators. Other people see names only. */
function pathFor(role: Who['role'], value: string): string {
  if (role === 'administrator') return value;
  if (isAbsolute(value)) return `…/${basename(value)}`;
  return value
    .replaceAll(/postgres(?:ql)?:\/\/[^\s,;]+/g, 'on PostgreSQL')
    .replaceAll(/(?<![\w.:/])\/(?:[^/\s]+\/)+(?=[^/\s])/g, '…/');
}

const wordsFor = (role: Who['role'], { code, facts }: PageMessage): string =>
  pageWords({ code, facts: mapTexts(facts, (text) => pathFor(role, text)) } as PageMessage);

async function healthOf(
  { ledger, people, policy, service, serviceFault }: SettingsDesk,
  { role: own }: Who,
): Promise<Health> {
  const { seq } = await ledger.trail.head();
  const room = faultIn(() => ledger.requireRoom());
  const approval = policy.fault();
  const unused = await serviceFault();
  const administrators = people
    .all()
    .filter(({ role, active, invited }) => role === 'administrator' && active && !invited);
  const counted = messageOf('ADMINISTRATORS', { count: administrators.length });
  const checks: readonly (readonly [what: string, fault: PageMessage | null, otherwise: OwnMessage])[] = [
    ['Ledger', null, messageOf('LEDGER_OPEN', { path: ledger.path, entries: seq })],
    ['Disk', room, messageOf('DISK_HAS_ROOM')],
    ['Service', unused, messageOf('SERVICE_ANSWERS', { service })],
    ['Approval', approval, approvalsBy(policy)],
    ['Administrators', administrators.length > 1 ? null : counted, counted],
  ];
  const shown = checks.map(([what, fault, otherwise]) => ({
    what,
    ok: fault === null,
    words: wordsFor(own, fault ?? otherwise),
  }));
  return { checks: own === 'administrator' ? shown : shown.slice(0, -1) };
}

/** A policy file of the machine is too long for one line, so only its path is shown. */
function approvalsBy(policy: ConsolePolicy): OwnMessage {
  const set = policy.shown();
  return messageOf('APPROVALS_BY_POLICY', {
    path: policy.path,
    usually: set?.otherwise ?? null,
    hasThresholds: set !== null && set.currencies.length > 0,
  });
}
