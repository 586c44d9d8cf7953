/** What an administrator says of approvals, and what the policy's file then asks for. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { neededFor, readPolicy } from '../../src/approval/approval.ts';
import type { Health, SettingsView, TrailPage } from '../../src/console/api.ts';
import { accessMessages } from '../../src/messages/web/access-messages.ts';
import { openDesk, type Served } from './served.ts';

const step = (above: string, approvals: number) => ({ above, approvals });
const none = { row: [], batch: [], day: [] };

function neededOf({ folder }: Served, currency: 'ZAR' | 'KES', total: bigint, day = total): number {
  const path = join(folder, 'console/policy.json');
  const stake = { currency, unit: 'whole', largest: total, total, day } as const;
  return neededFor([stake], readPolicy(path, readFileSync(path, 'utf8'))).needed;
}

it('below its thresholds a currency needs what everything else needs', async () => {
  const desk = await openDesk();
  const ann = await desk.seated('Ann', 'administrator');
  for (const name of ['Ben', 'Cem', 'Dia']) await desk.seated(name, 'approver');
  const shown = async () => ((await ann.get('/api/settings')).json as SettingsView).policy;
  const set = async (otherwise: number, zar: object) => {
    const currencies = [{ currency: 'ZAR', ...none, ...zar }];
    return (await ann.post('/api/settings/policy', { otherwise, currencies, was: await shown() })).status;
  };

  for (const scope of ['row', 'batch', 'day']) {
    expect(await set(1, { [scope]: [step('50000', 2)] }), scope).toBe(200);
    expect([scope, neededOf(desk, 'ZAR', 10n), neededOf(desk, 'ZAR', 50_001n), neededOf(desk, 'KES', 10n)]).toEqual([
      scope,
      1,
      2,
      1,
    ]);
  }
  expect(await set(1, { day: [step('50000', 3)] })).toBe(200);
  expect(neededOf(desk, 'ZAR', 10n, 50_001n), 'with what went out that day').toBe(3);
  // What is said of all of it stands.
  expect(await set(2, { batch: [step('0', 1)] })).toBe(200);
  expect([neededOf(desk, 'ZAR', 10n), neededOf(desk, 'KES', 10n)]).toEqual([1, 2]);
  // What would need fewer above a threshold than below it is no policy.
  expect(await set(2, { batch: [step('50000', 1)] })).toBe(422);
  // What somebody else said since it was shown is not written over.
  const change = async (was: object) =>
    (await ann.post('/api/settings/policy', { otherwise: 3, currencies: [], ...was })).status;
  const was = await shown();
  expect([await change({}), await change({ was: null })], 'without the policy that the page showed').toEqual([
    400, 409,
  ]);
  expect([await change({ was }), await change({ was })]).toEqual([200, 409]);
});

it('that a preparer pays alone is said where an administrator and an auditor see it', async () => {
  const desk = await openDesk();
  const ann = await desk.seated('Ann', 'administrator');
  await desk.seated('Ben', 'approver');
  const check = async () =>
    ((await ann.get('/api/health')).json as Health).checks.find(({ what }) => what === 'Approval');
  expect(await check()).toMatchObject({ ok: true });
  const free = { currency: 'ZAR', ...none, batch: [step('0', 0), step('1000', 1)] };
  for (const [asked, alone] of [
    [
      { otherwise: 0, currencies: [] },
      { usually: true, currencies: [] },
    ],
    [
      { otherwise: 1, currencies: [free] },
      { usually: false, currencies: ['ZAR'] },
    ],
  ] as const) {
    const words = accessMessages.PAID_ALONE(alone);
    const { policy: was } = (await ann.get('/api/settings')).json as SettingsView;
    expect((await ann.post('/api/settings/policy', { ...asked, was })).status).toBe(200);
    expect(await check()).toMatchObject({ ok: false, words: expect.stringContaining(words) });
    const { entries } = (await ann.get('/api/trail')).json as TrailPage;
    expect(entries[0]?.words).toContain(words);
  }
});

it('the policy and the approvals that are in force are shown, whatever the machine’s settings say', async () => {
  const machine = [
    { name: 'policy', means: 'The policy.', value: '/nowhere/payrun.policy.json', from: 'default' },
    { name: 'rails', means: 'Limits.', value: 'warn', from: 'default' },
  ];
  const desk = await openDesk({ settings: () => machine });
  await desk.seated('Ben', 'approver');
  const [ada, ann] = [await desk.seated('Ada', 'administrator'), await desk.seated('Ann', 'viewer')];
  const path = join(desk.folder, 'console/policy.json');
  const shown = (value: string) => [{ ...machine[0], value, from: 'the console' }, machine[1]];
  expect((await ada.get('/api/settings')).json).toMatchObject({ settings: shown(path) });
  const health = async (seat: typeof ada) =>
    ((await seat.get('/api/health')).json as Health).checks.map(({ words }) => words).join('\n');
  expect(await health(ada)).toContain(`${path} says`);
  // Where files lie on the machine is told to administrators alone.
  expect((await ann.get('/api/settings')).json).toMatchObject({ settings: shown('…/policy.json') });
  expect(await health(ann)).toContain('…/policy.json says');
  expect(JSON.stringify([(await ann.get('/api/settings')).json, await health(ann)])).not.toContain(desk.folder);
});
