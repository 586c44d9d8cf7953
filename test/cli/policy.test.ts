/** A policy that is found binds: nothing is sent without its approvals, from wherever, and the ledger remembers that it was in force. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../src/cli/args/command-line.ts';
import { newPlace } from '../ledger/stores.ts';
import {
  command,
  configAbout,
  csvOf,
  type Desk,
  documentOf,
  kenyanRows,
  newFolder,
  type Ran,
  refusalOf,
  southAfrican,
  usageAbout,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const golden = join(import.meta.dirname, '../golden/cases/approved-by-two');
const rows = kenyanRows(3);
/** Two approvals of every amount in KES, and keys whose passphrase is this. */
const policyName = 'payrun.policy.json';
const PAYRUN_PASSPHRASE = 'a passphrase of the golden cases';
const approvers = ['Kofi Boateng', 'Thandi Mokoena'] as const;

const policyWith = (changes: object) =>
  JSON.stringify({ ...(JSON.parse(readFileSync(join(golden, policyName), 'utf8')) as object), ...changes });

const putPolicy = (folder: string, text = policyWith({ currencies: [] })) => {
  writeFileSync(join(folder, policyName), text);
  return join(folder, policyName);
};

/** A folder with a policy and no configuration. */
async function office(env: Record<string, string> = {}) {
  const service = await newService();
  const desk = deskFor(service, rows, { PAYRUN_PASSPHRASE, ...env });
  const policy = putPolicy(desk.folder);
  const give = async (...argv: string[]) => await command(desk, argv);
  const plan = async (...more: string[]) =>
    documentOf(await give('plan', desk.sheet, '--maker', 'Ama Mensah', '--json', ...more));
  const approve = async (path: string, name: string) =>
    await give('approve', path, '--key', join(golden, `${name}.key`));
  /** The sheet as batch nov, approved by both and sent. */
  const paid = async () => {
    const { plan: path } = await plan('--batch', 'nov');
    for (const name of approvers) expect((await approve(path ?? '', name)).exit).toBe(0);
    expect((await give('run', desk.sheet, '--wait', '0')).exit).toBe(23);
  };
  const posts = () => service.calls.get('POST /payments') ?? 0;
  const refused = async (
    run: (...argv: string[]) => Promise<Ran>,
    argv: readonly string[],
    code: object,
    exit = 26,
  ) => {
    const before = posts();
    const ran = await run(...argv, '--json');
    expect([ran.exit, refusalOf(ran)]).toMatchObject([exit, code]);
    expect(posts()).toBe(before);
  };
  return { service, desk, policy, give, plan, approve, paid, posts, refused };
}

/** The decisions in the trail: each with the person, and the approver whose signature it has. */
async function said(desk: Desk): Promise<unknown[][]> {
  const out = join(newFolder(), 'trail.jsonl');
  expect((await command(desk, ['audit', 'export', '--out', out])).exit).toBe(0);
  const lines = readFileSync(out, 'utf8').split('\n').slice(0, -1);
  const entries = lines.map((line) => JSON.parse((JSON.parse(line) as { text: string }).text) as unknown[]);
  return entries
    .map((entry) => entry[4] as { said?: string; by?: string; signature?: { approver: string } })
    .flatMap(({ said: word, by, signature }) => (word === undefined ? [] : [[word, by, signature?.approver]]));
}

const signedByKofi = ['Kofi Boateng', 'Kofi Boateng'];

const at =
  (desk: Pick<Desk, 'folder' | 'env'>) =>
  async (...argv: string[]) =>
    await command(desk, argv);
const wordsOf = (line: string) => line.split(' ').slice(1);
const notFound = (path: string) => ({ code: 'POLICY_NOT_FOUND', facts: { path } });
const differs = (path: string, last: string) => ({ code: 'POLICY_DIFFERS', facts: { path, last } });
const unsigned = { code: 'SIGNED_PLAN_MISSING', facts: { command: { action: 'plan-sheet', signs: 'key' } } };

describe.concurrent('a folder with a policy and no configuration', () => {
  it('is paid from once the signatures are there, by the commands that are printed', async () => {
    const { desk, give, plan, approve, refused, service } = await office();
    await refused(give, ['run', desk.sheet, '--batch', 'nov'], unsigned);
    const made = await plan('--batch', 'nov');
    const path = made.plan ?? '';
    expect(made.next).toMatchObject([{ action: 'approve-plan', plan: path, after: null }]);
    const lacking = (signed: string[], mayStillSign: readonly string[]) => ({
      code: 'APPROVALS_TOO_FEW',
      facts: {
        command: { action: 'approve-plan', plan: path, signs: 'key' },
        signed,
        needed: 2,
        mayStillSign,
        because: { fault: 'every-amount-needs-approval', approvals: 2 },
      },
    });
    const both = lacking([], approvers);
    await refused(give, ['run', desk.sheet, '--batch', 'nov', '--approve', made.plan_digest ?? ''], both);
    await refused(give, ['run', desk.sheet, '--batch', 'nov'], both);

    const first = await approve(path, 'Kofi Boateng');
    expect(first.out).toMatch(/1 of 2 approvals;.* Thandi Mokoena\.\n/);
    expect(first.out).toContain(`: payrun approve ${path} --key FILE\n`);
    await refused(give, ['run', desk.sheet], lacking(['Kofi Boateng'], ['Thandi Mokoena']));
    const { out } = await approve(path, 'Thandi Mokoena');
    expect(out).toContain(' 2 of 2 approvals: ');
    const paying = /next: (payrun run .*)\n/.exec(out)?.[1] ?? '';
    expect(paying).toBe(`payrun run ${path} --approve ${made.plan_digest}`);
    expect((await give(...wordsOf(paying), '--wait', '0')).exit).toBe(23);
    expect(service.payments).toHaveLength(3);
    expect((await give('audit', 'verify')).exit).toBe(0);
  });

  it('leads from a refused run to a plan, and from it to a run, where the policy asks for no approval', async () => {
    const { desk, give, plan, refused } = await office();
    const above = [{ above: '1000000', approvals: 1 }];
    putPolicy(desk.folder, policyWith({ currencies: [{ currency: 'KES', row: above }] }));
    await refused(give, ['run', desk.sheet, '--batch', 'nov'], unsigned);
    expect((await plan('--batch', 'nov')).next).toMatchObject([{ action: 'run-plan' }]);
    expect((await give('run', desk.sheet, '--batch', 'nov', '--wait', '0')).exit).toBe(23);
    writeFileSync(desk.sheet, csvOf(kenyanRows(4)));
    await refused(give, ['run', desk.sheet, '--batch', 'nov', '--add'], unsigned);
    expect((await plan('--batch', 'nov', '--add')).next).toMatchObject([{ action: 'run-plan' }]);
  });

  it('counts the signatures in the document of approve too', async () => {
    const { plan, give } = await office();
    const { plan: path } = await plan('--batch', 'nov');
    const approve = ['approve', path ?? '', '--key', join(golden, 'Kofi Boateng.key'), '--json'];
    const { out } = await give(...approve);
    expect(JSON.parse(out)).toMatchObject({ approver: 'Kofi Boateng', approvals: 1, needed: 2 });
    expect(refusalOf(await give(...approve))).toMatchObject({ code: 'APPROVED_ALREADY' });
  });

  it('names the run that follows the approvals of a plan that only sends unpaid rows again', async () => {
    const { service, plan, approve, paid } = await office();
    service.fault = ({ body }) =>
      (body as { reference?: string } | undefined)?.reference === 'Ref 2'
        ? { kind: 'answer', status: 400, body: { message: 'no' } }
        : undefined;
    await paid();
    const { plan: path, plan_digest: digest } = await plan('--batch', 'nov', '--retry');
    await approve(path ?? '', 'Kofi Boateng');
    const { out } = await approve(path ?? '', 'Thandi Mokoena');
    expect(out).toMatch(/^1 row, .*\b1 to be /m);
    expect(out).toContain(`: payrun run ${path} --approve ${digest}\n`);
  });

  it('names the plan, and not the run, that pays a paid sheet again', async () => {
    const { desk, give, paid, refused } = await office();
    await paid();
    const planned = ['plan', desk.sheet, '--batch', 'dec', '--maker', 'Ama Mensah'];
    const facts = { addition: null, command: { action: 'repeat-sheet', file: desk.sheet, signs: 'key' } };
    await refused(give, planned, { code: 'SHEET_LOOKS_PAID', facts });
    expect((await give(...planned, '--confirm-repeat', 'A second salary')).exit).toBe(0);
  });

  it('has nobody join an approved batch without an approval', async () => {
    const { desk, give, paid, plan, posts, refused } = await office();
    await paid();
    writeFileSync(desk.sheet, csvOf([...rows, { ...rows[0], row_id: 'new', reference: 'One more' }]));
    const december = join(desk.folder, 'december.csv');
    writeFileSync(december, csvOf([{ ...rows[0], row_id: 'other', reference: 'Another' }]));
    await refused(give, ['run', desk.sheet, '--batch', 'nov', '--add'], { code: 'PLAN_DIFFERS' });
    await refused(give, ['run', december, '--batch', 'nov', '--add'], unsigned);
    // Nor under a policy that asks for less than it did.
    putPolicy(desk.folder, policyWith({ currencies: [], otherwise: 0 }));
    const { plan_digest: digest, next } = await plan('--batch', 'nov', '--add');
    expect(next[0]?.command).toContain('payrun approve ');
    const before = posts();
    const again = await give('run', desk.sheet, '--json', '--batch', 'nov', '--add', '--approve', digest ?? '');
    expect(refusalOf(again)).toMatchObject({
      code: 'APPROVALS_TOO_FEW',
      facts: { signed: [], needed: 2, because: { fault: 'batch-began-with-approvals', approvals: 2 } },
    });
    expect([again.exit, posts()]).toEqual([26, before]);
  });

  it('asks for a plan also where the policy asks for no approval, and names run as what follows that', async () => {
    const { desk, give, plan, refused, posts } = await office();
    putPolicy(desk.folder, policyWith({ currencies: [], otherwise: 0 }));
    await refused(give, ['run', desk.sheet, '--batch', 'nov'], unsigned);
    const { next } = await plan('--batch', 'nov');
    expect(next[0]?.command).toMatch(/^payrun run .*november\.plan\.json --approve sha256:/);
    expect((await give(...wordsOf(next[0]?.command ?? ''), '--wait', '0')).exit).toBe(23);
    expect(posts()).toBe(3);
  });

  it('lets no row go that is held as a repeat without the signature of an approver who did not make the plan', async () => {
    const { desk, give, plan, approve, paid, refused, posts } = await office();
    await paid();
    writeFileSync(desk.sheet, csvOf([...rows, { ...rows[0], row_id: 'again' }]));
    const { plan: path } = await plan('--batch', 'nov', '--add');
    for (const name of approvers) expect((await approve(path ?? '', name)).exit).toBe(0);
    const ran = await give('run', desk.sheet, '--batch', 'nov', '--add', '--json', '--wait', '0');
    expect(documentOf(ran).rows.held).toBe(1);
    const letGo = ['resolve', 'nov', '--row', 'again', '--not-a-repeat', '--reason', 'a second delivery'];
    await refused(give, letGo, { code: 'RELEASE_NEEDS_KEY', facts: { batch: 'nov' } });
    const before = posts();
    expect((await give(...letGo, '--key', join(golden, 'Kofi Boateng.key'))).exit).toBe(23);
    expect(await said(desk)).toEqual([['not a repeat', ...signedByKofi]]);
    expect((await give('resume', 'nov', '--wait', '0')).exit).toBe(23);
    expect([posts() - before, (await give('audit', 'verify')).exit]).toEqual([1, 0]);
  });

  it('names in the trail the approver who says that a row was not paid, and the one who releases it', async () => {
    const { service, desk, give, plan, approve } = await office();
    const { plan: path } = await plan('--batch', 'nov');
    for (const name of approvers) expect((await approve(path ?? '', name)).exit).toBe(0);
    service.fault = ({ route, nth }) => (route === 'POST /payments' && nth === 3 ? { kind: 'drop' } : undefined);
    await give('run', desk.sheet, '--wait', '0', '--concurrency', '1');
    service.fault = () => undefined;
    desk.clock.pass(45 * 60_000);
    const decide = async (...words: string[]) =>
      await give('resolve', 'nov', '--reason', 'x', '--key', join(golden, 'Kofi Boateng.key'), ...words);
    const row = String(
      rows.find(({ reference }) => !service.payments.some((paid) => paid.reference === reference))?.row_id,
    );
    expect((await decide('--row', row, '--not-paid')).exit).toBe(22);
    expect((await decide('--release-absent')).exit).toBe(23);
    expect(await said(desk)).toEqual([
      ['not paid', ...signedByKofi],
      ['release', ...signedByKofi],
    ]);
  });

  it('binds where it cannot be read', async () => {
    const { desk, give, policy, refused } = await office();
    renameSync(policy, `${policy}.off`);
    symlinkSync(join(desk.folder, 'away.json'), policy);
    await refused(give, ['run', desk.sheet], { code: 'POLICY_UNUSABLE' }, 2);
  });

  it('sends nothing under a policy that cannot be used', async () => {
    const { desk, give, paid, refused } = await office();
    await paid();
    for (const text of ['', '{}', '[]']) {
      putPolicy(desk.folder, text);
      for (const argv of [
        ['run', desk.sheet],
        ['resume', 'nov'],
        ['retry', 'nov'],
      ])
        await refused(give, argv, { code: 'POLICY_UNUSABLE' }, 2);
    }
  });
});

describe.concurrent('where the policy is not found', () => {
  /** Each command that can send, and each that makes ready what is sent. */
  const sending = (sheet: string): string[][] => [
    ['run', sheet, '--batch', 'dec'],
    ['run', sheet, '--batch', 'nov', '--add'],
    ['resume', 'nov'],
    ['retry', 'nov'],
    ['release', 'nov', '--row', '2', '--by', 'Esi', '--reason', 'x'],
    ...['--not-paid', '--not-a-repeat'].map((way) => ['resolve', 'nov', '--row', '2', way, '--reason', 'x']),
    ['resolve', 'nov', '--release-absent', '--reason', 'x'],
    ['plan', sheet, '--batch', 'dec'],
  ];

  /** Another folder, with another sheet. */
  function away({ desk }: { readonly desk: Desk }) {
    const folder = newFolder();
    const sheet = join(folder, 'december.csv');
    writeFileSync(sheet, csvOf([{ ...rows[0], row_id: 'other', reference: 'December' }]));
    return { folder, sheet, desk: { ...desk, folder } };
  }

  it('nothing is sent, whichever command is given, and each says where the policy was', async () => {
    const made = await office();
    await made.paid();
    const { sheet, desk } = away(made);
    for (const argv of sending(sheet)) await made.refused(at(desk), argv, notFound(made.policy));
    const json = await command(desk, ['resume', 'nov', '--json']);
    expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'POLICY_NOT_FOUND' }, exit: 26 });
    for (const argv of [['reconcile', 'nov'], ['status', 'nov'], ['list'], ['audit', 'verify']])
      expect([argv[0], (await command(desk, argv)).err]).toEqual([argv[0], '']);
  });

  it('a plan that was made under it is enough for the ledger to remember it', async () => {
    const made = await office();
    await made.plan('--batch', 'nov');
    const { desk, sheet } = away(made);
    await made.refused(at(desk), ['run', sheet], notFound(made.policy));
  });

  it('any of the three ways to name it puts it back', async () => {
    const made = await office();
    await made.paid();
    const { desk, folder } = away(made);
    const resume = async (env: Record<string, string>, ...more: string[]) =>
      (await command({ ...desk, env: { ...desk.env, ...env } }, ['resume', 'nov', '--wait', '0', ...more])).exit;
    expect(await resume({ PAYRUN_POLICY: made.policy })).toBe(23);
    expect(await resume({}, '--policy', made.policy)).toBe(23);
    writeFileSync(join(folder, 'payrun.config.json'), JSON.stringify({ policy: made.policy }));
    expect(await resume({})).toBe(23);
    rmSync(join(folder, 'payrun.config.json'));
    copyFileSync(made.policy, join(folder, policyName));
    rmSync(made.policy);
    expect(await resume({})).toBe(23);
    // A copy takes the place of none.
    rmSync(join(folder, policyName));
    await made.refused(at(desk), ['resume', 'nov'], notFound(made.policy));
  });

  it('a policy that was renamed or deleted is not found in its own folder either', async () => {
    const { desk, give, paid, policy, refused } = await office();
    await paid();
    renameSync(policy, `${policy}.off`);
    for (const argv of sending(desk.sheet)) await refused(give, argv, notFound(policy));
  });

  it('nor does another way to the ledger help: a link, a backup, a moved file', async () => {
    const made = await office();
    await made.paid();
    const { desk, folder, sheet } = away(made);
    const [link, backup] = [join(folder, 'link.db'), join(folder, 'backup.db')];
    symlinkSync(made.desk.ledger, link);
    for (const end of ['', '-wal'].filter((one) => existsSync(`${made.desk.ledger}${one}`)))
      copyFileSync(`${made.desk.ledger}${end}`, `${backup}${end}`);
    for (const ledger of [link, backup])
      await made.refused(at(desk), ['run', sheet, '--ledger', ledger], notFound(made.policy));
  });

  it('nor a copy of the ledger in a Postgres', async () => {
    const made = await office();
    await made.paid();
    const { desk, sheet } = away(made);
    const place = new URL(await newPlace('Postgres'));
    const PGPASSWORD = decodeURIComponent(place.password);
    place.password = '';
    const env = { ...desk.env, PGPASSWORD };
    const copied = await command({ ...desk, env }, ['ledger', 'copy', place.href]);
    expect([copied.exit, copied.err]).toEqual([0, '']);
    const there = { ...desk, env: { ...env, PAYRUN_LEDGER: place.href } };
    await made.refused(at(there), ['run', sheet], notFound(made.policy));
    await made.refused(at(there), ['worker'], notFound(made.policy));
  });

  it('cron, which has neither folder nor variables, pays nothing', async () => {
    const home = newFolder();
    const folder = join(home, 'payouts');
    mkdirSync(folder);
    const policy = putPolicy(folder);
    const sheet = join(folder, 'november.csv');
    writeFileSync(sheet, csvOf(rows));
    const give = async (cwd: string, ...argv: string[]) =>
      await command({ folder: cwd, env: { HOME: home } }, [...argv, '--sandbox']);
    expect((await give(folder, 'plan', sheet, '--maker', 'Ama Mensah')).exit).toBe(0);
    const byCron = await give(home, 'run', sheet, '--json');
    expect([byCron.exit, refusalOf(byCron)]).toMatchObject([26, notFound(policy)]);
    copyFileSync(sheet, join(home, 'november.csv'));
    const copied = await give(home, 'run', join(home, 'november.csv'), '--json');
    expect([copied.exit, refusalOf(copied)]).toMatchObject([26, notFound(policy)]);
    const fresh = await give(home, 'run', join(home, 'november.csv'), '--fresh', '--json');
    expect([fresh.exit, refusalOf(fresh)]).toEqual([2, usageAbout('of a policy')]);
  });

  it('a sheet in the hot folder waits, and is paid once the policy is there again', async () => {
    const made = await office();
    const { plan: path } = await made.plan('--batch', 'nov');
    for (const name of approvers) await made.approve(path ?? '', name);
    const { folder, desk } = away(made);
    const hot = join(folder, 'hot');
    mkdirSync(hot);
    for (const name of [
      'november.csv',
      'november.plan.json',
      ...approvers.map((one) => `november.plan.${one}.sig.json`),
    ])
      copyFileSync(join(made.desk.folder, name), join(hot, name));
    const looked = ['watch', hot, '--once', '--still', '20ms', '--wait', '0'];
    // By the machine's clock, as a file's time is.
    const once = async (env: Record<string, string> = {}) =>
      await command({ folder, env: { ...desk.env, ...env } }, looked);
    expect((await once()).exit).toBe(26);
    const ack = JSON.parse(readFileSync(join(hot, 'out', 'november.ACK'), 'utf8')) as unknown;
    expect(ack).toMatchObject({ state: 'waits', code: 'POLICY_NOT_FOUND' });
    expect(made.posts()).toBe(0);
    const record = join(hot, 'taken', 'november', 'taken.json');
    writeFileSync(record, readFileSync(record, 'utf8').replace(/"again_at": ".*"/, '"again_at": null'));
    await once({ PAYRUN_POLICY: made.policy });
    expect(made.posts()).toBe(3);
  });
});

describe.concurrent('a policy that is not the one in force', () => {
  it('is refused by whichever way it is named, unless it says the same', async () => {
    const { desk, give, plan, refused, policy } = await office();
    await plan('--batch', 'nov');
    const weak = join(desk.folder, 'weak.json');
    writeFileSync(weak, policyWith({ currencies: [], otherwise: 0 }));
    const under = (env: Record<string, string>) => at({ ...desk, env: { ...desk.env, ...env } });
    const differ = configAbout('two policies');
    await refused(give, ['run', desk.sheet, '--policy', weak], differ, 2);
    await refused(under({ PAYRUN_POLICY: weak }), ['run', desk.sheet], differ, 2);
    writeFileSync(join(desk.folder, 'payrun.config.json'), JSON.stringify({ policy: 'weak.json' }));
    await refused(give, ['run', desk.sheet], differ, 2);
    copyFileSync(policy, weak);
    await refused(give, ['run', desk.sheet], { code: 'APPROVALS_TOO_FEW', facts: { signed: [], needed: 2 } });
    const gone = join(desk.folder, 'gone.json');
    await refused(give, ['run', desk.sheet, '--policy', gone], { code: 'POLICY_UNUSABLE', facts: { path: gone } }, 2);
  });

  it('is not read in silence where it lies beside the sheet alone', async () => {
    const { desk, policy, refused } = await office();
    const elsewhere = { ...desk, folder: newFolder() };
    for (const name of ['run', 'plan']) await refused(at(elsewhere), [name, desk.sheet], notFound(policy));
    await refused(at(elsewhere), ['watch', desk.folder, '--once'], notFound(policy));
    const PAYRUN_CONFIG = join(elsewhere.folder, 'empty.json');
    writeFileSync(PAYRUN_CONFIG, '{}');
    const configured = { ...elsewhere, env: { ...desk.env, PAYRUN_CONFIG } };
    await refused(at(configured), ['run', desk.sheet], notFound(policy));
  });

  it('is not passed by in a folder below it, nor by a sheet that lies in one', async () => {
    const { desk, policy, refused } = await office();
    const month = join(desk.folder, 'payments', '2026-11');
    mkdirSync(month, { recursive: true });
    const sheet = join(month, 'november.csv');
    copyFileSync(desk.sheet, sheet);
    const foreign = join(newFolder(), 'foreign.csv');
    copyFileSync(desk.sheet, foreign);
    for (const [folder, file] of [
      [month, sheet],
      [newFolder(), sheet],
      [month, foreign],
    ] as const) {
      for (const name of ['run', 'plan']) await refused(at({ ...desk, folder }), [name, file], notFound(policy));
      await refused(at({ ...desk, folder }), ['watch', join(file, '..'), '--once'], notFound(policy));
    }
    // Nor where a link leads to the folder or to the sheet.
    const place = newFolder();
    symlinkSync(month, join(place, 'link'));
    symlinkSync(sheet, join(place, 'november.csv'));
    for (const file of ['link/november.csv', 'november.csv'])
      await refused(at({ ...desk, folder: place }), ['run', file], notFound(policy));
    // Nor by a console or a worker that starts below it.
    for (const argv of [['console', '--port', '0'], ['worker']])
      await refused(at({ ...desk, folder: month }), argv, notFound(policy));
    // Nor by a weaker policy of the folder in which the command is given.
    const weak = putPolicy(newFolder(), policyWith({ currencies: [], otherwise: 0 }));
    await refused(at({ ...desk, folder: join(weak, '..') }), ['run', sheet], differs(weak, policy));
  });

  it('keeps a dropped row closed when the sheet is run again under the plan that began its batch', async () => {
    const { desk, service, give, plan, approve, posts, refused } = await office();
    const { plan: path } = await plan('--batch', 'nov');
    for (const name of approvers) await approve(path ?? '', name);
    service.fault = ({ body }) =>
      (body as { reference?: string } | undefined)?.reference === 'Ref 2'
        ? { kind: 'answer', status: 422, body: { message: 'no' } }
        : undefined;
    expect((await give('run', desk.sheet, '--wait', '0')).exit).toBe(23);
    service.fault = () => undefined;
    expect((await give('drop', 'nov', '--row', 'k2', '--reason', 'Fraud')).exit).toBe(23);
    const before = posts();
    const again = await give('run', desk.sheet, '--json', '--wait', '0');
    expect(again.exit).toBe(26);
    expect(refusalOf(again)).toMatchObject({
      code: 'ROWS_CLOSED',
      facts: {
        rows: { total: 1, shown: [{ row: 3, why: 'Fraud' }] },
        reopen: { signs: 'key' },
      },
    });
    const decided = ['resolve', 'nov', '--row', 'k2', '--not-a-repeat', '--reason', 'Owed'];
    const kofi = ['--key', join(golden, 'Kofi Boateng.key')];
    const closed = { code: 'ROW_IS_CLOSED', facts: {} };
    expect(JSON.parse((await give('explain', 'nov', 'k2', '--json')).out).next).toMatchObject({
      action: 'reopen-rows',
      signs: 'key',
    });
    await refused(give, [...decided, ...kofi], closed, 2);
    // Nor under a plan that was signed before the row was dropped.
    expect(
      (await give('reopen', 'nov', '--row', 'k2', '--reason', 'Ok', '--key', join(golden, 'Kofi Boateng.key'))).exit,
    ).toBe(23);
    const { plan: later } = await plan('--batch', 'nov');
    for (const name of approvers) await approve(later ?? '', name);
    expect((await give('drop', 'nov', '--row', 'k2', '--reason', 'Fraud')).exit).toBe(23);
    expect((await give('run', desk.sheet, '--wait', '0')).exit).toBe(26);
    expect(posts()).toBe(before);
  });

  it('binds a batch whose sheet it lies beside, wherever the command is given', async () => {
    const { desk, service, give, policy, refused } = await office();
    renameSync(policy, `${policy}.off`);
    service.fault = () => ({ kind: 'answer', status: 422, body: { message: 'no' } });
    await give('run', desk.sheet, '--batch', 'nov', '--wait', '0');
    service.fault = () => undefined;
    renameSync(`${policy}.off`, policy);
    const elsewhere = { ...desk, folder: newFolder() };
    for (const argv of [
      ['retry', 'nov'],
      ['resume', 'nov'],
      ['drop', 'nov', '--row', '2', '--reason', 'Left'],
    ])
      await refused(at(elsewhere), argv, notFound(policy));
  });

  it('is refused in another folder, and takes the place of none; it is changed where it is', async () => {
    const { desk, give, plan, policy, refused } = await office();
    await plan('--batch', 'nov');
    const folder = newFolder();
    const weak = putPolicy(folder, policyWith({ currencies: [], otherwise: 0 }));
    for (const argv of [['run'], ['plan', '--maker', 'Ama Mensah']])
      await refused(at({ ...desk, folder }), [...argv, desk.sheet], differs(weak, policy));
    renameSync(policy, `${policy}.off`);
    await refused(at({ ...desk, folder }), ['run', desk.sheet], differs(weak, policy));
    renameSync(`${policy}.off`, policy);
    await refused(give, ['run', desk.sheet], { code: 'APPROVALS_TOO_FEW', facts: { signed: [], needed: 2 } });
    copyFileSync(weak, policy);
    const planned = ['plan', desk.sheet, '--batch', 'nov', '--maker', 'Ama Mensah'];
    await refused(at({ ...desk, folder }), planned, differs(weak, policy));
    expect((await give(...planned)).exit).toBe(0);
    // A copy counts while it says the same, and does not become the place where the policy is changed.
    expect((await command({ ...desk, folder }, planned)).exit).toBe(0);
    writeFileSync(weak, `${policyWith({ currencies: [], otherwise: 0 })} `);
    await refused(at({ ...desk, folder }), planned, differs(weak, policy));
    await refused(at({ ...desk, folder }), ['run', desk.sheet], differs(weak, policy));
    copyFileSync(policy, weak);
    writeFileSync(policy, policyWith({ currencies: [], otherwise: 2 }));
    expect((await give(...planned)).exit).toBe(0);
    await refused(at({ ...desk, folder }), planned, differs(weak, policy));
  });

  it.each([
    ['a flag', ['--require-approval']],
    ['a flag that says no', ['--no-require-approval']],
  ])('cannot be set aside by %s', async (_, flags) => {
    const { desk, give, refused } = await office();
    await refused(give, ['run', desk.sheet, ...flags], usageAbout('require-approval'), 2);
  });
});

describe.concurrent('the console, which has a policy of its own where none is found', () => {
  /** As the console gives a command for a person. */
  async function asNomsa(desk: Pick<Desk, 'folder' | 'env'>, argv: readonly string[]): Promise<Ran> {
    let [out, err] = ['', ''];
    const exit = await runCommand(argv, {
      env: desk.env,
      cwd: desk.folder,
      actor: { driver: 'console', name: 'Nomsa' },
      streams: { out: { write: (text) => (out += text) }, err: { write: (text) => (err += text) }, color: false },
      signals: { on: () => {}, off: () => {}, exit: (code) => expect.fail(`left with ${code}`) },
    });
    return { exit, out, err };
  }

  it('binds the terminal by it, which continues what the console approved and begins nothing', async () => {
    const { desk, give, policy, refused, posts } = await office();
    const own = join(newFolder(), 'policy.json');
    rmSync(policy);
    writeFileSync(own, policyWith({ currencies: [], makers: ['Nomsa'] }));
    const made = documentOf(await asNomsa(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']));
    for (const name of approvers)
      await asNomsa(desk, ['approve', made.plan ?? '', '--key', join(golden, `${name}.key`), '--policy', own]);
    const under = ['--policy', own, '--approve', made.plan_digest ?? '', '--wait', '0'];
    expect((await asNomsa(desk, ['run', desk.sheet, '--batch', 'nov', ...under])).exit).toBe(23);
    expect(posts()).toBe(3);
    writeFileSync(desk.sheet, csvOf([{ ...southAfrican, row_id: 'new' }]));
    await refused(give, ['run', desk.sheet, '--batch', 'nov', '--add'], { code: 'PLAN_DIFFERS' });
    const unsigned = documentOf(
      await give('plan', desk.sheet, '--batch', 'nov', '--add', '--maker', 'Nomsa', '--json'),
    );
    const again = ['run', desk.sheet, '--add', '--approve', unsigned.plan_digest ?? ''];
    await refused(give, again, { code: 'APPROVALS_TOO_FEW', facts: { signed: [], needed: 2 } });
    expect((await give('resume', 'nov', '--wait', '0')).exit).toBe(23);
    await refused(give, ['run', desk.sheet, '--batch', 'other', '--wait', '0'], { code: 'PLAN_DIFFERS' });
    const mine = join(newFolder(), 'mine.json');
    writeFileSync(mine, policyWith({ currencies: [], otherwise: 0 }));
    await refused(give, ['run', desk.sheet, '--batch', 'other', '--policy', mine], {
      code: 'POLICY_DIFFERS',
      facts: { path: mine },
    });
    await refused(give, ['resume', 'nov', '--policy', mine], { code: 'POLICY_DIFFERS', facts: { path: mine } });
  });

  it('goes on by its own one where a terminal named that, and the terminal names it from then on', async () => {
    const { desk, give, policy, refused } = await office();
    const own = join(newFolder(), 'policy.json');
    renameSync(policy, own);
    await refused(give, ['run', desk.sheet, '--batch', 'nov', '--policy', own], unsigned);
    await refused(give, ['run', desk.sheet, '--batch', 'nov'], notFound(own));
    await refused(
      async (...argv) => await asNomsa(desk, argv),
      ['run', desk.sheet, '--batch', 'nov', '--policy', own],
      unsigned,
    );
    const plan = ['plan', desk.sheet, '--batch', 'nov', '--policy', own, '--maker', 'Ama Mensah'];
    expect(await asNomsa(desk, plan)).toMatchObject({ exit: 0, err: '' });
  });

  it('binds its sandbox too, and a refusal names the ledger of a trial', async () => {
    const desk = deskFor(null, kenyanRows(1));
    const own = join(newFolder(), 'policy.json');
    writeFileSync(own, policyWith({ currencies: [] }));
    const run = ['run', desk.sheet, '--sandbox', '--json', '--wait', '20s'];
    await asNomsa(desk, [...run, '--policy', own]);
    const facts = { isTrial: true };
    expect(refusalOf(await command(desk, run))).toMatchObject({ code: 'SIGNED_PLAN_MISSING', facts });
    expect((await command(desk, [...run, '--ledger', join(desk.folder, 'trial.db')])).exit).toBe(0);
  });

  it('sends nothing by its own one where the ledger remembers another', async () => {
    const { desk, plan, policy, refused } = await office();
    await plan('--batch', 'nov');
    const own = join(newFolder(), 'policy.json');
    writeFileSync(own, policyWith({ currencies: [], otherwise: 0 }));
    renameSync(policy, `${policy}.off`);
    await refused(async (...argv) => await asNomsa(desk, argv), ['run', desk.sheet, '--policy', own], notFound(policy));
  });
});
