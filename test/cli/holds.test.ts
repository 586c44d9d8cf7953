/** Pauses at a terminal, on a ledger in a file and on Postgres. */
import { expect, it } from 'vitest';
import { newPlace, type StoreName, stores } from '../ledger/stores.ts';
import { command, type Desk, documentOf, kenyanRows, pay } from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const deskOn = async (store: StoreName, service: Awaited<ReturnType<typeof newService>>): Promise<Desk> => {
  const desk = deskFor(service, kenyanRows(4));
  return { ...desk, env: { ...desk.env, PAYRUN_LEDGER: await newPlace(store) } };
};

const pausesOf = async (desk: Desk) =>
  (JSON.parse((await command(desk, ['pause', '--list', '--json'])).out) as { paused: readonly object[] }).paused;

it.each(stores)('a pause on %s that comes while a run sends ends its sending', async (store) => {
  const service = await newService();
  const desk = await deskOn(store, service);
  const [begun, pausing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  service.fault = ({ route }) => {
    if (route !== 'POST /payments') return undefined;
    begun.resolve();
    return { kind: 'hold', until: pausing.promise };
  };
  const run = pay(desk, '--batch', 'nov', '--wait', '20s');
  await begun.promise;
  expect((await command(desk, ['pause', 'nov', '--reason', 'ask the bank'])).exit).toBe(0);
  pausing.resolve();
  const { exit, document } = await run;
  const facts = { batch: 'nov', paused: 'nov', reason: 'ask the bank' };
  expect([exit, document.stopped]).toMatchObject([23, { code: 'PAUSED', facts }]);
  expect(document.next).toMatchObject([
    { action: 'end-pause', batch: 'nov' },
    { action: 'resume', batch: 'nov' },
  ]);
  expect([document.rows.not_sent, service.payments.length]).toEqual([3, 1]);
  const again = await command(desk, ['resume', 'nov', '--wait', '0', '--json']);
  expect([again.exit, documentOf(again).stopped?.code, service.payments.length]).toEqual([23, 'PAUSED', 1]);
  await command(desk, ['pause', 'nov', '--end']);
  expect((await command(desk, ['resume', 'nov', '--wait', '20s'])).exit).toBe(0);
  expect(service.payments.length).toBe(4);
});

it('a pause ends by its printed command, and by no command that was printed for an earlier pause', async () => {
  const desk = await deskOn('SQLite', await newService());
  await pay(desk, '--batch', 'nov', '--wait', '20s');
  for (const scope of [[], ['nov']]) {
    await command(desk, ['pause', ...scope, '--reason', 'first']);
    const [first] = (await pausesOf(desk)) as readonly { readonly id: number }[];
    const printed = ['pause', ...scope, '--end', '--seen', String(first!.id)];
    const { next } = documentOf(await command(desk, ['status', 'nov', '--json']));
    expect(next).toMatchObject([{ action: 'end-pause', batch: scope[0] ?? null, pause: first!.id }]);
    expect((await command(desk, printed)).exit).toBe(0);
    await command(desk, ['pause', ...scope, '--reason', 'second']);
    const stale = await command(desk, printed);
    expect(stale.exit).toBe(24);
    expect(await pausesOf(desk)).toMatchObject([{ batch: scope[0] ?? null, reason: 'second' }]);
    expect((await command(desk, ['pause', ...scope, '--end'])).exit).toBe(0);
    expect(await pausesOf(desk)).toEqual([]);
  }
});
