/** A plan that waits: `propose`, `decline` and `withdraw` at a terminal, on a ledger in a file and on Postgres. */
import { EventEmitter } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { newPlace, type StoreName, stores } from '../ledger/stores.ts';
import { command, csvOf, type Desk, documentOf, kenyanRows, noted, pay, refusalOf, until } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

async function deskOn(store: StoreName) {
  const service = await newService();
  const desk = deskFor(service, kenyanRows(3));
  return { service, desk: { ...desk, env: { ...desk.env, PAYRUN_LEDGER: await newPlace(store) } } };
}

const propose = async (desk: Desk, ...more: string[]) =>
  await command(desk, ['propose', desk.sheet, '--batch', 'nov', '--maker', 'Ama', '--json', ...more]);
const stopOf = async (desk: Desk, ...argv: string[]) => documentOf(await command(desk, [...argv, '--json'])).stopped;
const run = (desk: Desk, plan: string) => [
  'run',
  desk.sheet,
  '--approve',
  plan.replace('sha256:', ''),
  '--wait',
  '20s',
];

it.each(stores)('a proposed plan on %s holds its batch until it is paid', async (store) => {
  const { service, desk } = await deskOn(store);
  const proposed = await propose(desk);
  expect(proposed.exit).toBe(0);
  const { plan_digest: digest } = documentOf(proposed);
  const waits = {
    code: 'PROPOSAL_WAITS',
    facts: { batch: 'nov', file: 'november.csv', by: 'Ama' },
  };
  expect(refusalOf(await propose(desk))).toMatchObject(waits);
  const list = await command(desk, ['list', '--json']);
  expect(JSON.parse(list.out), 'also of a batch without a version').toMatchObject({ waiting: [waits.facts] });
  const other = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json']);
  expect([other.exit, refusalOf(other)]).toMatchObject([26, waits]);
  // A preview would overwrite the file of the plan that waits.
  const preview = await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']);
  expect(refusalOf(preview)).toMatchObject(waits);
  expect(service.payments.length).toBe(0);
  expect((await command(desk, run(desk, digest!))).exit).toBe(0);
  expect(service.payments.length).toBe(3);
  const status = documentOf(await command(desk, ['status', 'nov', '--json']));
  expect(status.notes).not.toContainEqual(noted('plan-waits'));
});

describe('a proposed plan', () => {
  it.each(['decline', 'withdraw'])('that ends by %s is never paid, and leaves the batch to a person', async (end) => {
    const { service, desk } = await deskOn('SQLite');
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await pay(desk, '--batch', 'nov', '--wait', '0');
    service.fault = () => undefined;
    const sent = service.payments.length;
    const { plan_digest: digest } = documentOf(await propose(desk));
    expect(await stopOf(desk, 'resume', 'nov', '--wait', '0')).toMatchObject({ code: 'PROPOSAL_WAITS' });
    // The maker withdraws the plan, and another person declines it.
    const [by, notBy] = end === 'decline' ? ['Kofi', 'Ama'] : ['Ama', 'Kofi'];
    const ends = async (who: string) => await command(desk, [end, 'nov', '--reason', 'too much', '--by', who]);
    expect((await ends(notBy)).exit).toBe(26);
    expect(await stopOf(desk, 'resume', 'nov', '--wait', '0')).toMatchObject({ code: 'PROPOSAL_WAITS' });
    expect((await ends(by)).exit).toBe(0);
    expect((await ends(by)).exit).toBe(0);
    expect(documentOf(await command(desk, ['status', 'nov', '--json', '--exit-code'])).notes).toContainEqual(
      noted('batch-stopped'),
    );
    expect(service.payments.length).toBe(sent);
    const refused = await command(desk, [...run(desk, digest!), '--json']);
    expect([refused.exit, refusalOf(refused)]).toMatchObject([26, { code: 'PLAN_DECLINED', facts: { by } }]);
    const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    const remembered = await ledger.trail.declinedBefore('nov', '');
    await ledger.close();
    expect(remembered).toEqual(end === 'decline' ? expect.objectContaining({ by: 'Kofi', reason: 'too much' }) : null);
  });

  it.each([
    ['drop', '--row', 'k2'],
    ['reopen', '--row', 'k3'],
    ['release', '--row', 'k2', '--by', 'Kofi'],
    ['resolve', '--row', 'k2', '--not-a-repeat'],
    ['resolve', '--row', 'k2', '--not-paid'],
    ['resolve', '--release-absent'],
  ])('forbids %s %s %s %s: it shows the rows as they are', async (name, ...flags) => {
    const { service, desk } = await deskOn('SQLite');
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    await pay(desk, '--batch', 'nov', '--wait', '0');
    service.fault = () => undefined;
    const said = async (...argv: string[]) =>
      await command(desk, [argv[0]!, 'nov', ...argv.slice(1), '--reason', 'asked her', '--json']);
    await said('drop', '--row', 'k3');
    const { plan_digest: digest } = documentOf(await propose(desk));
    expect(refusalOf(await said(name, ...flags))).toMatchObject({ code: 'PROPOSAL_WAITS' });
    expect((await command(desk, run(desk, digest!))).exit, 'the plan is as it was').toBe(0);
  });

  it('of a stopped batch is the next step, and only a hold takes the step away', async () => {
    const { service, desk } = await deskOn('SQLite');
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    await pay(desk, '--batch', 'nov', '--wait', '0');
    service.fault = () => undefined;
    const plan = async () => documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']));
    expect((await plan()).next).toMatchObject([{ action: 'run-plan' }]);
    await command(desk, ['pause', 'nov', '--reason', 'ask the bank']);
    expect((await plan()).next).toEqual([]);
    await command(desk, ['pause', 'nov', '--end']);
    expect((await plan()).next).toMatchObject([{ action: 'run-plan' }]);
  });

  it('is not made if a signal ends the wait for calls under way', async () => {
    const { service, desk } = await deskOn('SQLite');
    const answered = Promise.withResolvers<void>();
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'hold', after: true, until: answered.promise } : undefined;
    const paying = pay(desk, '--batch', 'nov', '--wait', '0', '--concurrency', '1');
    await until('a call is under way', () => (service.calls.get('POST /payments') ?? 0) > 1);
    const keyboard = new EventEmitter();
    const proposing = command(desk, ['propose', desk.sheet, '--batch', 'nov', '--maker', 'Ama', '--json'], keyboard);
    const ledger = openLedger(desk.env.PAYRUN_LEDGER!, systemClock);
    await until('the batch is held', () => ledger.holds.proposalOf('nov') !== null);
    keyboard.emit('SIGINT');
    expect(refusalOf(await proposing)).toMatchObject({ code: 'STOPPED' });
    expect(ledger.holds.proposalOf('nov')).toBeNull();
    await ledger.close();
    answered.resolve();
    await paying;
  });

  it('that is refused holds nothing', async () => {
    const { desk } = await deskOn('SQLite');
    const bad = join(desk.folder, 'bad.csv');
    writeFileSync(bad, csvOf([{ ...kenyanRows(1)[0]!, amount: 'x' }]));
    expect((await propose({ ...desk, sheet: bad })).exit).toBe(20);
    expect((await propose(desk)).exit).toBe(0);
    const decline = async (batch: string) =>
      await command(desk, ['decline', batch, '--reason', 'too much', '--by', 'Kofi']);
    expect((await decline('nav')).exit, 'a name without a batch and a plan').toBe(2);
    const ended = await decline('nov');
    expect([ended.exit, ended.out]).toEqual([0, expect.not.stringContaining('payrun resume')]);
    expect((await command(desk, ['run', desk.sheet, '--batch', 'nov', '--wait', '20s'])).exit).toBe(0);
    const plans = () => readdirSync(desk.folder).filter((name) => name.includes('plan'));
    const before = plans();
    expect(refusalOf(await propose(desk))).toMatchObject({ code: 'NOTHING_TO_SEND' });
    expect(plans(), 'no plan is written').toEqual(before);
    writeFileSync(desk.sheet, csvOf(kenyanRows(4)));
    expect((await propose(desk, '--add')).exit, 'nothing holds the batch').toBe(0);
  });
});
