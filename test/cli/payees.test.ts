/** A payee whose account changed: nothing is sent to the new one before a second person has let it go. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { command, csvOf, type Desk, documentOf, refusalOf, resultOf, type SheetRow } from '../support.ts';
import { deskFor, newService, ownTime } from './own-time.ts';

const policyFolder = join(import.meta.dirname, '../golden/cases/approved-by-two');

const row = (change: SheetRow = {}): SheetRow => ({
  row_id: 'k1',
  name: 'Wanjiru Kamau',
  country: 'Kenya',
  contact_number: '+254712345678',
  amount: '1200',
  reference: 'Ref Oct',
  ...change,
});
const next = { row_id: 'n1', reference: 'Ref Nov' };
const changed = { ...next, contact_number: '0722000111' };
const other = row({ row_id: 'n2', name: 'Ade', contact_number: '+254733000222', reference: 'Ref Ade' });

/** October is paid, and November's sheet has another account. */
async function changedDesk(rows: readonly SheetRow[] = [row(changed), other], env: Record<string, string> = {}) {
  const clock = ownTime();
  const service = await newService(clock);
  const desk = { ...deskFor(service, [row()], env), clock };
  expect(documentOf(await said(desk, 'run', desk.sheet, '--batch', 'oct')).rows.paid).toBe(1);
  writeFileSync(desk.sheet, csvOf(rows));
  return { service, desk };
}

const said = async (desk: Desk, ...argv: string[]) => await command(desk, [...argv, '--json']);
const phones = ({ merchants }: Awaited<ReturnType<typeof newService>>) => JSON.stringify(merchants);
const release = async (desk: Desk, ...more: string[]) =>
  await said(desk, 'release', 'nov', '--row', 'n1', '--reason', 'Called her', ...more);
const explained = async (desk: Desk) => JSON.parse((await said(desk, 'explain', 'nov', 'n1')).out) as object;
const accountChanged = { kind: 'account-changed', was: 'MOMO …5678', now: 'MOMO …0111', row: 2, batch: 'oct' };
const run = async (desk: Desk, ...more: string[]) => await said(desk, 'run', desk.sheet, '--batch', 'nov', ...more);

describe.concurrent('a changed account', () => {
  it('is held, unknown to the service, until a second person releases it, and held again once it changes', async () => {
    const { service, desk } = await changedDesk();
    const ran = documentOf(await run(desk));
    expect([ran.exit, ran.rows.paid, ran.rows.held, ran.withheld]).toEqual([22, 1, 1, 1]);
    expect(ran.next[0]).toMatchObject({ action: 'release-row', batch: 'nov', row: 'n1', signs: 'no' });
    expect(await explained(desk)).toMatchObject({ row: { word: 'held', reasons: [accountChanged] } });
    // Neither a run, nor `resume`, nor `retry` sends it.
    for (const again of [await run(desk), await said(desk, 'resume', 'nov'), await said(desk, 'retry', 'nov')])
      expect(documentOf(again).rows.held).toBe(1);
    expect([service.payments.length, phones(service).includes('722000111')]).toEqual([2, false]);
    const plan = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov'));
    expect(plan.rows, 'nothing is left to send').toMatchObject({ total: 2, paid: 1, held: 1, not_sent: 0 });

    const own = await release(desk, '--by', userInfo().username.toUpperCase());
    expect(own.exit).toBe(26);
    expect(refusalOf(own)).toMatchObject({
      code: 'RELEASE_BY_MAKER',
      facts: { rows: ['n1'], batch: 'nov', signs: 'no' },
    });
    expect((await said(desk, 'release', 'nov', '--row', 'n2', '--reason', 'x', '--by', 'Kofi')).exit).toBe(2);
    // No word on payments lets it go, or makes a doubt of it.
    for (const way of ['--not-a-repeat', '--not-paid']) {
      const ran = await said(desk, 'resolve', 'nov', '--row', 'n1', way, '--reason', 'x');
      expect(ran.exit).toBe(2);
      expect(refusalOf(ran)).toMatchObject({
        code: 'ROW_HELD_FOR_ACCOUNT',
        facts: { row: 'n1', command: { action: 'release-row', row: 'n1' } },
      });
    }
    // A policy that is named and not there asks for a signature all the same.
    const unread = await release({ ...desk, env: { ...desk.env, PAYRUN_POLICY: 'gone.json' } }, '--by', 'Kofi');
    expect([unread.exit, unread.err + unread.out]).toEqual([2, expect.stringContaining('gone.json')]);
    // Nor does whoever made a sheet of it, under whichever account that was run.
    await run(desk, '--maker', 'Ama Mensah');
    expect((await release(desk, '--by', 'ama  MENSAH')).exit).toBe(26);
    expect((await release(desk, '--by', 'Kofi')).exit).toBe(23);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);

    writeFileSync(desk.sheet, csvOf([row({ ...changed, contact_number: '0722000333' }), other]));
    expect(documentOf(await run(desk)).rows.held).toBe(1);
    writeFileSync(desk.sheet, csvOf([row(changed), other]));
    expect((await run(desk)).exit, 'a newer sheet said otherwise').toBe(26);
    const { plan_digest } = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov'));
    const paid = documentOf(await run(desk, '--approve', plan_digest ?? ''));
    expect([paid.exit, paid.rows.paid, service.payments.length]).toEqual([0, 2, 3]);
    expect(resultOf(paid.result)[0]?.payrun_evidence).toContain('by Kofi: Called her');
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);

    // Paid once, it is known.
    writeFileSync(desk.sheet, csvOf([row({ ...changed, row_id: 'd1', reference: 'Ref Dec' })]));
    expect(documentOf(await said(desk, 'run', desk.sheet, '--batch', 'dec')).rows.paid).toBe(1);
  });

  it('of several rows: the next step names them', async () => {
    const keys = ['n1', 'n2', 'n3', 'n4', 'n5'];
    const rows = keys.map((row_id) => row({ ...changed, row_id, reference: `Ref ${row_id}` }));
    const { desk } = await changedDesk(rows);
    const [step] = documentOf(await run(desk)).next;
    const shown = keys.map((key) => ({ key }));
    expect(step).toMatchObject({ action: 'release-row', row: 'n1', named: { shown, total: 5 } });
  });

  it('is held again if a sheet adds rows to its batch', async () => {
    const { service, desk } = await changedDesk([row(changed)]);
    expect(documentOf(await run(desk)).rows.held).toBe(1);
    for (const sheet of [
      [row(changed), other],
      [row({ row_id: 'n3', name: 'Bola', contact_number: '+254733000333', reference: 'Ref 3' })],
    ]) {
      writeFileSync(desk.sheet, csvOf(sheet));
      expect(documentOf(await run(desk, '--add')).rows.held).toBe(1);
    }
    expect(phones(service)).not.toContain('722000111');
  });

  it.each<SheetRow>([{}, { payee_id: 'E7' }])(
    'stays held after the release of another row, and if a person closes and opens it (%o)',
    async (payee) => {
      const rows = ['n1', 'n3'].map((row_id) => row({ ...changed, ...payee, row_id, reference: `Ref ${row_id}` }));
      const { service, desk } = await changedDesk(rows);
      expect(documentOf(await run(desk)).rows.held).toBe(2);
      await release(desk, '--by', 'Kofi');
      expect(documentOf(await said(desk, 'resume', 'nov')).rows).toMatchObject({ paid: 1, held: 1 });
      for (const word of ['drop', 'reopen']) await said(desk, word, 'nov', '--row', 'n3', '--reason', 'not now');
      writeFileSync(desk.sheet, csvOf([...rows, other]));
      expect(documentOf(await run(desk, '--add')).rows.held).toBe(1);
      expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
      expect(service.payments.length).toBe(3);
    },
  );

  it('is known in a later sheet once a person has released it, which the plan of that sheet shows', async () => {
    const rows = ['n1', 'n3'].map((row_id) => row({ ...changed, row_id, reference: `Ref ${row_id}` }));
    const { desk } = await changedDesk(rows);
    await run(desk);
    await release(desk, '--by', 'Kofi');
    await said(desk, 'resume', 'nov');
    writeFileSync(desk.sheet, csvOf([rows[0]!, { ...rows[1]!, amount: '1300' }]));
    const planned = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov'));
    expect(planned.rows).toMatchObject({ held: 0, not_sent: 1 });
    expect(documentOf(await run(desk, '--approve', planned.plan_digest ?? '')).rows.paid).toBe(2);
  });

  it('is paid as before once the old account is put back', async () => {
    const { service, desk } = await changedDesk([row(changed)]);
    expect(documentOf(await run(desk)).rows.held).toBe(1);
    writeFileSync(desk.sheet, csvOf([row(next)]));
    expect([documentOf(await run(desk)).exit, service.payments.length]).toEqual([0, 2]);
  });

  it('is not said to be unsent where another ledger sent something else for the row', async () => {
    const { service, desk } = await changedDesk([row(changed)]);
    const elsewhere: Desk = { ...deskFor(service, [row({ ...changed, amount: '1300' })]), clock: desk.clock };
    expect(documentOf(await said(elsewhere, 'run', elsewhere.sheet, '--batch', 'nov')).exit).toBe(0);
    const ran = documentOf(await run(desk));
    expect([ran.exit, ran.rows.held, ran.withheld]).toEqual([22, 1, undefined]);
    expect((await release(desk, '--by', 'Kofi')).exit).toBe(2);
    expect([(await command(desk, ['audit', 'verify'])).exit, service.payments.length]).toEqual([0, 2]);
  });

  it('is nothing that a result says was sent', async () => {
    const { service, desk } = await changedDesk();
    const result = documentOf(await run(desk)).result ?? '';
    expect(documentOf(await said(desk, 'run', result)).rows).toMatchObject({ paid: 1, held: 1 });
    expect((await release(desk, '--by', 'Kofi')).exit).toBe(23);
    expect([documentOf(await said(desk, 'resume', 'nov')).exit, service.payments.length]).toEqual([0, 3]);
  });

  it.each([
    ['added to a batch that was sent from', ['--add'], [row(next), row({ ...changed, row_id: 'n3' })]],
    ['in a sheet without a name of its own', [], [row(changed)]],
  ])('is held where it comes %s', async (_, more, rows) => {
    const { service, desk } = await changedDesk(rows.slice(0, -1).length > 0 ? rows.slice(0, -1) : rows);
    const name = more.length > 0 ? ['--batch', 'nov'] : [];
    if (more.length > 0) expect(documentOf(await run(desk)).rows.paid).toBe(1);
    writeFileSync(desk.sheet, csvOf(rows));
    const ran = await said(desk, 'run', desk.sheet, ...name, ...more);
    // A second row of one name, beside the account that is known, is told loudly and paid: they may be two people.
    if (more.length > 0) expect(documentOf(ran).problems.map(({ code }) => code)).toContain('PAYEE_TWICE');
    else expect([documentOf(ran).rows.held, phones(service).includes('722000111')]).toEqual([1, false]);
  });

  it('is only told, or not even that, where the setting says so', async () => {
    for (const [setting, codes] of [
      ['warn', ['PAYEE_CHANGED']],
      ['off', []],
    ] as const) {
      const { desk } = await changedDesk([row(changed)], { PAYRUN_PAYEES: setting });
      const ran = documentOf(await run(desk));
      const told = ran.problems.map(({ code }) => code).filter((code) => code.startsWith('PAYEE'));
      expect([ran.exit, told]).toEqual([0, codes]);
    }
  });
});

it('an account that was paid under another name is shown with that name, and the row is paid', async () => {
  const { desk } = await changedDesk([row({ ...next, name: 'Ade' })]);
  const planned = await said(desk, 'plan', desk.sheet, '--batch', 'nov');
  for (const ran of [planned, await run(desk)]) {
    const { exit, problems } = documentOf(ran);
    const payee = problems.map(({ code }) => code).filter((code) => code.startsWith('PAYEE_'));
    expect([exit, payee]).toEqual([0, ['PAYEE_KNOWN_OTHERWISE']]);
  }
  const { warnings } = JSON.parse(readFileSync(documentOf(planned).plan!, 'utf8')) as { warnings: { code: string }[] };
  const facts = { account: 'MOMO …5678', was: 'Wanjiru Kamau', now: 'Ade', row: 2, batch: 'oct' };
  expect(warnings.find(({ code }) => code === 'PAYEE_KNOWN_OTHERWISE')).toMatchObject({ row: 2, facts });
});

describe.concurrent('under a plan and a policy', () => {
  it('the plan says that it is held, its signatures let nothing go, and an approver who did not make it releases it', async () => {
    const { service, desk } = await changedDesk([row(changed), other], {
      PAYRUN_PASSPHRASE: 'a passphrase of the golden cases',
    });
    for (const file of ['Kofi Boateng.key', 'Thandi Mokoena.key'])
      copyFileSync(join(policyFolder, file), join(desk.folder, file));
    const text = readFileSync(join(policyFolder, 'payrun.policy.json'), 'utf8');
    writeFileSync(join(desk.folder, 'payrun.policy.json'), text.replace('"otherwise": 2', '"otherwise": 1'));
    const key = (name: string) => join(desk.folder, `${name}.key`);
    const policy = ['--policy', join(desk.folder, 'payrun.policy.json')];
    const planned = documentOf(await said(desk, 'plan', desk.sheet, '--batch', 'nov', '--maker', 'Thandi Mokoena'));
    expect([planned.rows.held, planned.problems[0]?.code]).toEqual([1, 'PAYEE_CHANGED']);
    const signing = ['approve', planned.plan ?? '', '--key', key('Kofi Boateng'), ...policy];
    expect((await run(desk, '--approve', planned.plan_digest ?? '')).exit).toBe(26);
    expect((await command(desk, signing)).exit).toBe(0);
    const begin = await run(desk, '--approve', planned.plan_digest ?? '');
    expect([begin.exit, documentOf(begin).rows.held, service.payments.length]).toEqual([22, 1, 2]);
    const unsigned = await release(desk, '--by', 'Ama Mensah', ...policy);
    const needsKey = { code: 'RELEASE_NEEDS_KEY', facts: { rows: ['n1'], signs: 'key' } };
    expect([unsigned.exit, refusalOf(unsigned)]).toMatchObject([26, needsKey]);
    const own = await release(desk, '--key', key('Thandi Mokoena'), ...policy);
    const byMaker = { code: 'RELEASE_BY_MAKER', facts: { person: 'Thandi Mokoena' } };
    expect([own.exit, refusalOf(own)]).toMatchObject([26, byMaker]);
    expect(documentOf(await run(desk, '--approve', planned.plan_digest ?? '')).rows.held).toBe(1);
    // Anybody may drop the row, and only an approver who prepared nothing opens it again.
    const rows = ['nov', '--row', 'n1', '--reason', 'Asked her'];
    expect((await said(desk, 'drop', ...rows)).exit).toBe(0);
    for (const more of [[], ['--key', key('Thandi Mokoena')]])
      expect((await said(desk, 'reopen', ...rows, ...more, ...policy)).exit).toBe(26);
    expect((await said(desk, 'reopen', ...rows, '--key', key('Kofi Boateng'), ...policy)).exit).toBe(22);
    expect((await release(desk, '--key', key('Kofi Boateng'), ...policy)).exit).toBe(23);
    const paid = documentOf(await run(desk, '--approve', planned.plan_digest ?? ''));
    expect([paid.exit, paid.rows.paid]).toEqual([0, 2]);
    expect((await command(desk, ['audit', 'verify'])).exit).toBe(0);
  });
});
