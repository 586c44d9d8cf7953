/** Two pairs of eyes: what is sent where approval is required, and how somebody would get round it. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeKey, publicLine, publicOf, sign, signatureText } from '../../src/approval/approval.ts';
import { sha256 } from '../../src/base/digest.ts';
import { runCommand } from '../../src/cli/args/command-line.ts';
import type { ShownOutcome as Outcome } from '../../src/cli/render/outcome-document.ts';
import type { Independent } from '../independent/service.ts';
import { messageOf } from '../problem-words.ts';
import { stretchCheaply } from '../stretched-once.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  expectOnePaymentEach,
  kenyanRows,
  planDiffers,
  type Ran,
  refusalOf,
  resultOf,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

stretchCheaply();

const rows = kenyanRows(3);
const posts = ({ calls }: Independent) => calls.get('POST /payments') ?? 0;
const people = { 'Kofi Boateng': makeKey(), 'Thandi Mokoena': makeKey() };
type Approver = keyof typeof people;

const policyText = (changes: object = {}) =>
  JSON.stringify({
    version: 1,
    approvers: Object.entries(people).map(([name, key]) => ({ name, keys: [publicLine(publicOf(name, key))] })),
    currencies: [
      {
        currency: 'KES',
        batch: [
          { above: '0', approvals: 1 },
          { above: '1000', approvals: 2 },
        ],
      },
    ],
    otherwise: 2,
    ...changes,
  });

interface Made {
  readonly plan: string;
  readonly plan_digest: string;
}

async function plan(desk: Desk, ...more: string[]): Promise<Made> {
  const maker = more.includes('--maker') ? [] : ['--maker', 'Ama Mensah'];
  const batch = more.includes('--batch') ? [] : ['--batch', 'nov'];
  const ran = await command(desk, ['plan', desk.sheet, '--json', ...batch, ...maker, ...more]);
  return documentOf(ran) as Outcome & Made;
}

/** As `payrun approve` writes it, without the half second that a passphrase costs. */
function signPlan(
  { plan: path, plan_digest: digest }: Made,
  approver: Approver,
  at = new Date().toISOString(),
): string {
  const file = path.replace(/json$/, `${approver}.sig.json`);
  writeFileSync(file, signatureText(sign(people[approver], { purpose: 'approve plan', digest, approver, at })));
  return file;
}

async function desk(...more: string[]) {
  return await deskWith(rows, ...more);
}

async function deskWith(of: typeof rows, ...more: string[]) {
  const service = await newService();
  const own = deskFor(service, of);
  writeFileSync(join(own.folder, 'payrun.policy.json'), policyText());
  return { service, desk: own, made: await plan(own, ...more) };
}

const run = async (at: Desk, ...more: string[]) =>
  await command(at, ['run', at.sheet, '--json', '--wait', '0', ...more]);

/** Expects that the command, which ran with --json, refuses with these facts and sends nothing. */
async function expectNothing(service: Independent, ran: Promise<Ran>, refusal: object, exit = 26) {
  const before = posts(service);
  const ended = await ran;
  expect([ended.exit, refusalOf(ended)]).toMatchObject([exit, refusal]);
  expect(posts(service)).toBe(before);
}

/** Matches APPROVALS_TOO_FEW with these numbers of signatures, and maybe more facts. */
const tooFew = (signed: readonly string[], needed: number, facts: object = {}) => ({
  code: 'APPROVALS_TOO_FEW',
  facts: { signed, needed, ...facts },
});
const kes = (amount: string) => ({ amount, unit: 'whole', currency: 'KES' });
const threshold = (fault: string, amount: string, above: string) => ({
  because: { fault, amount: kes(amount), above: kes(above) },
});
const otherBatch = planDiffers({ fault: 'setting-differs', name: 'batch', was: 'nov', now: 'dec' });

async function trail(at: Desk, what: string): Promise<Record<string, unknown>[]> {
  const out = join(at.folder, `trail-${Math.random()}.jsonl`);
  await command(at, ['audit', 'export', '--out', out]);
  const lines = readFileSync(out, 'utf8').split('\n').slice(0, -1);
  const entries = lines.map((line) => JSON.parse((JSON.parse(line) as { text: string }).text) as unknown[]);
  return entries.filter((entry) => entry[3] === what).map((entry) => entry[4] as Record<string, unknown>);
}

describe.concurrent('keys and signatures, as people make them', () => {
  it('a key is made, told and signs; the plan is shown first, and the run takes the signature', async () => {
    const { service, desk: at, made } = await desk();
    const secret = { ...at, env: { ...at.env, PAYRUN_PASSPHRASE: 'correct horse battery' } };
    const { out } = await command(secret, ['keys', 'new', 'Esi Owusu', '--json']);
    const key = JSON.parse(out) as { private: string; public: string; fingerprint: string };
    expect([statSync(key.private).mode & 0o077, statSync(key.public).mode & 0o077]).toEqual([0, 0]);
    for (const file of [key.private, key.public])
      expect((await command(at, ['keys', 'show', file])).out).toMatch(`Esi Owusu, fingerprint ${key.fingerprint}`);
    expect((await command(secret, ['keys', 'new', 'Esi Owusu'])).exit, 'never written over').toBe(2);
    writeFileSync(
      join(at.folder, 'payrun.policy.json'),
      policyText({
        approvers: [{ name: 'Esi Owusu', keys: [readFileSync(key.public, 'utf8').trim()] }],
        currencies: [],
        otherwise: 1,
      }),
    );
    const wrong = { ...at, env: { ...at.env, PAYRUN_PASSPHRASE: 'another passphrase' } };
    const denied = await command(wrong, ['approve', made.plan, '--key', key.private, '--json']);
    expect(refusalOf(denied)).toMatchObject({
      code: 'PASSPHRASE_WRONG',
      facts: { path: key.private },
    });
    const approved = await command(secret, ['approve', made.plan, '--key', key.private]);
    expect([approved.exit, approved.err]).toEqual([0, '']);
    expect(approved.out).toMatch(/^3 rows, .*\b3 to be /m);
    for (const words of ['303 KES in 3 rows', '3 payees new', 'maker Ama Mensah', made.plan_digest])
      expect(approved.out).toContain(words);
    expect(readdirSync(at.folder)).toContain('november.plan.Esi Owusu.sig.json');
    expect((await run(at)).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });

  it.each([
    ['a short passphrase', ['keys', 'new', 'A'], { PAYRUN_PASSPHRASE: 'elevenchars' }, /fewer than 12/],
    ['no passphrase and no terminal', ['keys', 'new', 'A'], {}, /PAYRUN_PASSPHRASE_FILE/],
    ['a name that is a path', ['keys', 'new', '../A'], { PAYRUN_PASSPHRASE: 'a'.repeat(12) }, /'\.\.\/A'/],
    ['a file that is no key', ['keys', 'show', 'november.csv'], {}, /private key/],
    ['a passphrase as a flag', ['keys', 'new', 'A', '--passphrase', 'x'], {}, /there is no --passphrase/],
  ])('%s is refused', async (_, argv, env, words) => {
    const at = deskFor(null, rows, env as Record<string, string>);
    const { exit, err } = await command(at, argv);
    expect([exit, err]).toEqual([2, expect.stringMatching(words)]);
    expect(readdirSync(at.folder).filter((name) => /\.(key|pub)$/.test(name))).toEqual([]);
  });

  it('a passphrase is asked for twice at a terminal, and must be the same', async () => {
    const at = deskFor(null, rows);
    const answers = ['one passphrase', 'another passphrase'];
    let err = '';
    const exit = await runCommand(['keys', 'new', 'A'], {
      env: at.env,
      cwd: at.folder,
      streams: { out: { write: () => true }, err: { write: (text) => (err += text) }, color: false },
      signals: { on: () => {}, off: () => {}, exit: (code) => expect.fail(`left with ${code}`) },
      ask: async () => answers.shift() ?? '',
    });
    expect([exit, err]).toEqual([2, expect.stringContaining('two passphrases')]);
  });

  it('a plan that has expired, was changed, or was made by the approver is not signed', async () => {
    const { desk: at, made } = await desk('--expires', '1ms');
    const secret = { ...at, env: { ...at.env, PAYRUN_PASSPHRASE: 'correct horse battery' } };
    const { out } = await command(secret, ['keys', 'new', 'ama mensah', '--json']);
    const { private: key, public: pub } = JSON.parse(out) as { private: string; public: string };
    writeFileSync(
      join(at.folder, 'payrun.policy.json'),
      policyText({
        approvers: [{ name: 'ama mensah', keys: [readFileSync(pub, 'utf8').trim()] }],
        otherwise: 1,
        currencies: [],
      }),
    );
    const approve = async () => {
      const ran = await command(secret, ['approve', made.plan, '--key', key, '--json']);
      return { exit: ran.exit, ...refusalOf(ran) };
    };
    expect(await approve()).toMatchObject({ exit: 26, code: 'PLAN_EXPIRED', facts: { path: made.plan } });
    Object.assign(made, await plan(at));
    const own = { fault: 'signed-own-plan', approver: 'ama mensah' };
    expect(await approve()).toMatchObject({ exit: 26, code: 'SIGNATURE_USELESS', facts: { why: own } });
    const policy = join(at.folder, 'payrun.policy.json');
    writeFileSync(policy, policyText({ makers: ['Esi Owusu'] }));
    const unlisted = { fault: 'maker-is-not-listed', maker: 'Ama Mensah', policy };
    expect(await approve()).toMatchObject({ exit: 26, code: 'MAKER_UNSIGNABLE', facts: { why: unlisted } });
    const planned = async (maker: string) =>
      await command(at, ['plan', at.sheet, '--json', '--batch', 'dec', '--maker', maker]);
    const slip = await planned('Ama Mensah');
    expect([slip.exit, refusalOf(slip)]).toMatchObject([
      2,
      { code: 'USAGE', message: expect.stringMatching(`'Ama Mensah'.*${policy}.*--maker NAME`) },
    ]);
    expect((await planned('ESI Owusu')).exit).toBe(0);
    Object.assign(made, await plan(at, '--maker', 'Esi Owusu'));
    writeFileSync(made.plan, readFileSync(made.plan, 'utf8').replace('"amount":"100"', '"amount":"900"'));
    const edited = { path: made.plan, why: { fault: 'plan-row-differs', row: 2 } };
    expect(await approve()).toMatchObject({ exit: 26, code: 'PLAN_CHANGED', facts: edited });
    expect(readdirSync(at.folder).filter((name) => name.endsWith('.sig.json'))).toEqual([]);
  });
});

describe.concurrent('what is shown to who signs', () => {
  it('the page beside the plan is that of the signed plan, also if it was changed, lost or cannot be written', async () => {
    const { desk: at, made } = await desk();
    const secret = { ...at, env: { ...at.env, PAYRUN_PASSPHRASE: 'correct horse battery' } };
    const { out } = await command(secret, ['keys', 'new', 'Kofi Boateng', '--json']);
    const { private: key } = JSON.parse(out) as { private: string };
    rmSync(join(at.folder, 'payrun.policy.json'));
    const page = made.plan.replace(/json$/, 'html');
    const told = readFileSync(page, 'utf8');
    const approve = async () => await command(secret, ['approve', made.plan, '--key', key, '--json']);
    rmSync(page);
    mkdirSync(page);
    const refused = await approve();
    const facts = { path: page, why: { fault: 'is-folder' } };
    expect([refused.exit, refusalOf(refused)]).toMatchObject([2, { code: 'FOLDER_UNWRITABLE', facts }]);
    expect(readdirSync(at.folder).filter((name) => name.endsWith('.sig.json'))).toEqual([]);
    rmSync(page, { recursive: true });
    for (const edited of [null, told.replace('>101 KES<', '>1 KES<'), `${told}\n`, told.slice(0, -1)]) {
      expect(edited).not.toBe(told);
      if (edited !== null) writeFileSync(page, edited);
      const signed = await approve();
      expect([signed.exit, JSON.parse(signed.out)]).toMatchObject([0, { page }]);
      expect(readFileSync(page, 'utf8')).toBe(told);
    }
  });
});

describe.concurrent('where approval is required', () => {
  it('an approved plan is run without its digest being said, and trail, summary and audit name who approved', async () => {
    const { service, desk: at, made } = await desk();
    signPlan(made, 'Kofi Boateng');
    const ran = await run(at, '--format', 'xlsx');
    const document = documentOf(ran);
    expect([ran.exit, document.plan_digest]).toEqual([23, made.plan_digest]);
    expectOnePaymentEach(service, rows);
    const { fingerprint } = publicOf('Kofi Boateng', people['Kofi Boateng']);
    expect((await command(at, ['status', 'nov'])).out).toContain(`Kofi Boateng (key ${fingerprint})`);
    expect(await trail(at, 'approval')).toMatchObject([
      {
        plan: made.plan_digest.slice(7),
        approver: 'Kofi Boateng',
        fingerprint,
        at: expect.any(String),
        signature: expect.any(String),
      },
    ]);
    const audit = await command(at, ['audit', 'verify', '--json', '--result', document.result ?? '']);
    const { plans } = JSON.parse(audit.out) as { plans: object[] };
    expect([audit.exit, plans]).toMatchObject([0, [{ batch: 'nov', approved: ['Kofi Boateng'] }]]);
  });

  it('nothing is sent if the policy has a mistake or is missing, and the trail says so', async () => {
    const { service, desk: at, made } = await desk();
    signPlan(made, 'Kofi Boateng');
    const policy = join(at.folder, 'payrun.policy.json');
    writeFileSync(policy, policyText({ note: 'x' }));
    const unusable = (why: object) => ({ code: 'POLICY_UNUSABLE', facts: { path: policy, why: [why] } });
    await expectNothing(
      service,
      run(at),
      unusable({ fault: 'wrong-shape', detail: expect.stringContaining('"note"') }),
      2,
    );
    rmSync(policy);
    await expectNothing(service, run(at), { code: 'POLICY_NOT_FOUND', facts: { path: policy } });
    const named = { ...at, env: { ...at.env, PAYRUN_POLICY: policy } };
    await expectNothing(service, run(named), unusable({ fault: 'policy-file', why: { fault: 'no-file' } }), 2);
    const codes = ['POLICY_UNUSABLE', 'POLICY_NOT_FOUND', 'POLICY_UNUSABLE'];
    expect((await trail(at, 'denied')).map(({ code }) => code)).toEqual(codes);
    const elsewhere = join(at.folder, 'state', 'policy.json');
    writeFileSync(elsewhere, policyText());
    expect((await run(at, '--policy', elsewhere)).exit).toBe(23);
  });

  it('above the threshold one is not enough, and two are', async () => {
    const { service, desk: at } = await desk();
    writeFileSync(at.sheet, csvOf(rows.map((row) => ({ ...row, amount: '334' }))));
    const made = await plan(at);
    signPlan(made, 'Kofi Boateng');
    const { because } = threshold('batch-pays-more', '1002', '1000');
    const once = tooFew(['Kofi Boateng'], 2, { because, mayStillSign: ['Thandi Mokoena'] });
    await expectNothing(service, run(at), once);
    copyFileSync(
      made.plan.replace(/json$/, 'Kofi Boateng.sig.json'),
      made.plan.replace(/json$/, 'Thandi Mokoena.sig.json'),
    );
    await expectNothing(service, run(at), once);
    signPlan(made, 'Thandi Mokoena');
    expect((await run(at)).exit).toBe(23);
    expect(await trail(at, 'approval')).toHaveLength(2);
  });

  it.each([
    ['to one account', {}],
    ['to two phones under one name', { contact_number: '+254712345999' }],
    ['to two phones under two names with one id', { contact_number: '+254712345999', name: 'Half Example' }],
  ])('a payee counts with all of its rows, %s: no row is made smaller by being cut in two', async (_, other) => {
    const service = await newService();
    const [first, second] = rows.map((one, nth) => ({ ...one, payee_id: `E-${nth}` }));
    const halves = [first!, { ...first!, row_id: 'half', reference: 'The rest', ...other }, second!];
    const own = deskFor(service, halves);
    const row = [
      { above: '0', approvals: 1 },
      { above: '199', approvals: 2 },
    ];
    writeFileSync(join(own.folder, 'payrun.policy.json'), policyText({ currencies: [{ currency: 'KES', row }] }));
    const made = await plan(own);
    signPlan(made, 'Kofi Boateng');
    await expectNothing(service, run(own), tooFew(['Kofi Boateng'], 2, threshold('payee-gets-more', '200', '199')));
    signPlan(made, 'Thandi Mokoena');
    expect((await run(own)).exit).toBe(23);
    expectOnePaymentEach(service, halves);
  });

  it.each([
    ['of the batch', { batch: [{ above: '150', approvals: 2 }] }, 'batch-pays-more'],
    ['of a payee', { row: [{ above: '150', approvals: 2 }] }, 'payee-gets-more'],
  ])('added rows count together with the sent rows: a threshold %s', async (_, thresholds, fault) => {
    const service = await newService();
    const [first] = rows;
    const own = deskFor(service, [first!]);
    const text = policyText({ currencies: [{ currency: 'KES', ...thresholds }] });
    writeFileSync(join(own.folder, 'payrun.policy.json'), text);
    await plan(own, '--batch', 'nov');
    expect((await run(own, '--batch', 'nov')).exit).toBe(23);
    writeFileSync(own.sheet, csvOf([{ ...first!, row_id: 'more', reference: 'The rest', amount: '102' }]));
    const made = await plan(own, '--batch', 'nov', '--add');
    await expectNothing(service, run(own, '--batch', 'nov', '--add'), tooFew([], 2, threshold(fault, '202', '150')));
    for (const name of ['Kofi Boateng', 'Thandi Mokoena'] as const) signPlan(made, name);
    expect((await run(own, '--batch', 'nov', '--add')).exit).toBe(23);
  });

  it('a sum that is cut into batches of one day: where one is sent already the plan says so, and a threshold of the day holds it', async () => {
    const service = await newService();
    const own = deskFor(service, rows.slice(0, 2));
    const batch = [
      { above: '0', approvals: 1 },
      { above: '250', approvals: 2 },
    ];
    const policy = (more: object) =>
      writeFileSync(
        join(own.folder, 'payrun.policy.json'),
        policyText({ currencies: [{ currency: 'KES', batch, ...more }] }),
      );
    policy({});
    const first = await plan(own);
    expect(readFileSync(first.plan, 'utf8')).not.toContain('APPROVAL_SPLIT');
    signPlan(first, 'Kofi Boateng');
    expect((await run(own)).exit).toBe(23);
    writeFileSync(own.sheet, csvOf(rows.slice(2)));
    const rest = await plan(own, '--batch', 'rest');
    const split = {
      row: null,
      code: 'APPROVAL_SPLIT',
      facts: { currency: 'KES', unit: 'whole', day: '303', above: '250', approvals: 2 },
    };
    expect(readFileSync(rest.plan, 'utf8')).toContain(JSON.stringify(split));
    expect(readFileSync(rest.plan.replace(/json$/, 'html'), 'utf8')).toContain(messageOf(split));
    signPlan(rest, 'Kofi Boateng');
    policy({ day: [{ above: '302', approvals: 2 }] });
    const once = tooFew(['Kofi Boateng'], 2, threshold('day-pays-more', '303', '302'));
    await expectNothing(service, run(own, '--approve', rest.plan_digest), once);
    signPlan(rest, 'Thandi Mokoena');
    expect((await run(own, '--approve', rest.plan_digest)).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });

  it('a sum of a day that is cut into batches of which the first waits: it goes out with the second by resume', async () => {
    const service = await newService();
    const own = deskFor(service, rows.slice(0, 2));
    const day = [
      { above: '0', approvals: 1 },
      { above: '302', approvals: 2 },
    ];
    writeFileSync(
      join(own.folder, 'payrun.policy.json'),
      policyText({ currencies: [{ currency: 'KES', day, batch: [{ above: '250', approvals: 2 }] }] }),
    );
    signPlan(await plan(own), 'Kofi Boateng');
    service.fault = ({ route }) => (route === 'POST /payments' ? { kind: 'answer', status: 401 } : undefined);
    expect((await run(own)).exit).toBe(25);
    service.fault = () => undefined;
    writeFileSync(own.sheet, csvOf(rows.slice(2)));
    const rest = await plan(own, '--batch', 'rest');
    expect(readFileSync(rest.plan, 'utf8')).toContain('"day":"303"');
    signPlan(rest, 'Kofi Boateng');
    const again = () => run(own, '--approve', rest.plan_digest);
    await expectNothing(service, again(), tooFew(['Kofi Boateng'], 2, threshold('day-pays-more', '303', '302')));
    signPlan(rest, 'Thandi Mokoena');
    expect((await again()).exit).toBe(23);
    expect((await command(own, ['resume', 'nov', '--wait', '0'])).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });

  it('an approval is of one plan: not of another batch, a later plan, or an edited one', async () => {
    const { service, desk: at, made } = await desk();
    const signature = signPlan(made, 'Kofi Boateng');
    await expectNothing(service, run(at, '--batch', 'dec'), otherBatch);
    writeFileSync(at.sheet, csvOf(rows.map((row) => ({ ...row, amount: '999' }))));
    const amount = { fault: 'cell-differs', row: 2, column: 'amount', was: '100', now: '999' };
    await expectNothing(service, run(at), planDiffers(amount));
    const later = await plan(at);
    expect(later.plan, 'a signed plan is not replaced').toBe(join(at.folder, 'november.plan-2.json'));
    const file = 'november.plan-2.Kofi Boateng.sig.json';
    renameSync(signature, join(at.folder, file));
    const notCounted = [{ file, why: { fault: 'signed-other-plan', plan: made.plan_digest } }];
    await expectNothing(service, run(at, '--approve', later.plan_digest), tooFew([], 2, { notCounted }));
    const text = readFileSync(made.plan, 'utf8').replaceAll('Ama Mensah', 'Somebody');
    writeFileSync(made.plan, text);
    await expectNothing(service, run(at, '--approve', sha256(text)), tooFew([], 1));
  });

  it('is told with the plan as what comes before paying, where it is asked for', async () => {
    const { desk: at } = await desk();
    const next = async () => {
      const made = (await plan(at)) as Outcome & Made;
      return [made, ...made.next.map(({ command: line }) => line)] as const;
    };
    const [asked, ...signing] = await next();
    expect(signing).toEqual([`payrun approve ${asked.plan} --key FILE`]);
    const free = policyText({ currencies: [{ currency: 'KES', batch: [{ above: '303', approvals: 1 }] }] });
    writeFileSync(join(at.folder, 'payrun.policy.json'), free);
    const [made, ...paying] = await next();
    expect(paying).toEqual([`payrun run ${made.plan} --approve ${made.plan_digest}`]);
  });

  it('next month the same sheet needs another approval', async () => {
    const { service, desk: at, made } = await desk();
    signPlan(made, 'Kofi Boateng');
    expect((await run(at)).exit).toBe(23);
    const again = ['--batch', 'dec', '--confirm-repeat', 'December'];
    await expectNothing(service, run(at, ...again), otherBatch);
    await expectNothing(service, run(at, ...again, '--approve', made.plan_digest), otherBatch);
  });

  it('the maker does not approve, by whatever spelling', async () => {
    const { service, desk: at } = await desk();
    const made = await plan(at, '--maker', 'KOFI  Boáteng');
    signPlan(made, 'Kofi Boateng');
    const why = { fault: 'signed-own-plan', approver: 'Kofi Boateng' };
    await expectNothing(service, run(at), tooFew([], 1, { notCounted: [{ why }] }));
    signPlan(made, 'Thandi Mokoena');
    expect((await run(at)).exit).toBe(23);
    const next = await plan(at);
    signPlan(next, 'Kofi Boateng');
    const ofBatch = { fault: 'signed-own-batch', approver: 'Kofi Boateng' };
    const later = refusalOf(await run(at, '--approve', next.plan_digest));
    expect(later).toMatchObject(tooFew([], 1, { notCounted: [{ why: ofBatch }] }));
  });

  it('if two signed plans exist, the run names one', async () => {
    const { service, desk: at, made } = await desk();
    signPlan(made, 'Kofi Boateng');
    const other = await plan(at);
    signPlan(other, 'Kofi Boateng');
    const paths = [other.plan, made.plan];
    await expectNothing(service, run(at), { code: 'SIGNED_PLANS_SEVERAL', facts: { paths } });
    expect((await run(at, '--approve', other.plan_digest)).exit).toBe(23);
  });
});

/** One row paid, the others not sent: the credentials were refused. */
async function half(...more: string[]) {
  const made = await desk(...more);
  signPlan(made.made, 'Kofi Boateng');
  made.service.fault = ({ route, nth }) =>
    route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
  expect((await run(made.desk, '--concurrency', '1')).exit).toBe(25);
  made.service.fault = () => undefined;
  return made;
}

describe('half of an approved batch, the next day', () => {
  it('is finished by the same line after the expiry, without its signatures, by another policy', async () => {
    const { service, desk: at, made } = await half('--expires', '1h');
    for (const name of readdirSync(at.folder)) if (name.endsWith('.sig.json')) rmSync(join(at.folder, name));
    writeFileSync(join(at.folder, 'payrun.policy.json'), policyText({ currencies: [], otherwise: 1 }));
    at.clock.pass(24 * 3_600_000);
    expect((await run(at, '--approve', made.plan_digest)).exit).toBe(23);
    expectOnePaymentEach(service, rows);
    expect((await command(at, ['status', 'nov'])).out).toMatch(/pproved by Kofi Boateng/);
  });
});

describe.concurrent('a batch that nobody approved', () => {
  /** One row paid before there was a policy, the others not sent. */
  async function halfWithout(...more: string[]) {
    const service = await newService();
    const at = deskFor(service, rows);
    const made = await plan(at);
    service.fault = ({ route, nth }) =>
      route === 'POST /payments' && nth > 1 ? { kind: 'answer', status: 401 } : undefined;
    const approve = more.includes('--approve') ? [made.plan_digest] : [];
    await run(at, '--batch', 'nov', '--concurrency', '1', ...more, ...approve);
    service.fault = () => undefined;
    writeFileSync(join(at.folder, 'payrun.policy.json'), policyText());
    return { service, at, made };
  }

  it.each([
    ['came without a plan', [], 'november.csv'],
    ['began under a plan without signatures', ['--approve'], null],
  ])('is not continued once there is a policy, if it %s', async (_, more, sheet) => {
    const { service, at } = await halfWithout(...more);
    const unapproved = { code: 'BATCH_UNAPPROVED', facts: { batch: 'nov', sheet, command: { signs: 'key' } } };
    await expectNothing(service, command(at, ['resume', 'nov', '--json', '--wait', '0']), unapproved);
    const release = ['resolve', 'nov', '--json', '--release-absent', '--reason', 'x'];
    await expectNothing(service, command(at, release), unapproved);
    expect(await trail(at, 'denied')).toHaveLength(2);
  });

  it('is asked for its approvals also where it began under the plan without them, and goes on with them', async () => {
    const { service, at, made } = await halfWithout('--approve');
    await expectNothing(service, run(at, '--approve', made.plan_digest), tooFew([], 1));
    signPlan(made, 'Kofi Boateng');
    expect((await run(at, '--approve', made.plan_digest)).exit).toBe(23);
    expectOnePaymentEach(service, rows);
  });
});

/** The second row is refused by the service, and so unpaid. */
async function oneUnpaid() {
  const made = await desk();
  signPlan(made.made, 'Kofi Boateng');
  made.service.fault = ({ route, body }) =>
    route === 'POST /payments' && body.amount === 101
      ? { kind: 'answer', status: 422, body: { message: 'not today' } }
      : undefined;
  await run(made.desk);
  made.service.fault = () => undefined;
  return made;
}

/** Each row is; and the name of one could be a list of the others. */
async function allUnpaid() {
  const made = await deskWith(rows.map((row, index) => ({ ...row, row_id: ['1', '2', '1,2'][index]! })));
  signPlan(made.made, 'Kofi Boateng');
  made.service.fault = ({ route }) =>
    route === 'POST /payments' ? { kind: 'answer', status: 422, body: { message: 'not today' } } : undefined;
  await run(made.desk);
  made.service.fault = () => undefined;
  return made;
}

describe.concurrent('unpaid rows of an approved batch', () => {
  const again = async (at: Desk, ...more: string[]) => await plan(at, '--retry', ...more);

  it('are not sent again by the plan that they were sent under', async () => {
    const { service, desk: at, made } = await oneUnpaid();
    const sent = service.payments.length;
    for (const more of [[], ['--approve', made.plan_digest]]) expect((await run(at, ...more)).exit).toBe(23);
    expect(service.payments).toHaveLength(sent);
  });

  it('that has none is continued by retry', async () => {
    const { desk: at, made } = await desk();
    signPlan(made, 'Kofi Boateng');
    await run(at);
    expect((await command(at, ['retry', 'nov', '--json', '--wait', '0'])).exit).toBe(23);
    expect(await trail(at, 'denied')).toEqual([]);
  });

  it('are not sent again by retry, which names the plan that they need', async () => {
    const { service, desk: at } = await oneUnpaid();
    const command26 = command(at, ['retry', 'nov', '--json', '--wait', '0']);
    await expectNothing(service, command26, { code: 'RETRY_UNPLANNED', facts: { batch: 'nov' } });
    expect((await trail(at, 'denied')).length).toBe(1);
    const ofOne = await command(at, ['retry', 'nov', '--rows', 'k2', '--json', '--wait', '0']);
    expect(JSON.parse(ofOne.out).error.facts, 'the step sends no other row').toMatchObject({
      command: { retry: ['k2'] },
    });
    // A paid row needs no plan: the answer is about the row.
    const ofPaid = await command(at, ['retry', 'nov', '--rows', 'k1', '--json', '--wait', '0']);
    expect(JSON.parse(ofPaid.out).error).toMatchObject({ facts: { batch: 'nov', row: 'k1' } });
    expect((await trail(at, 'denied')).length).toBe(2);
    const { next } = documentOf(await command(at, ['status', 'nov', '--json', '--exit-code']));
    const ofSheet = { action: 'plan-sheet', file: at.sheet, batch: 'nov', signs: 'key' };
    expect(next.slice(-3)).toMatchObject([
      { ...ofSheet, retry: [], why: 'corrected' },
      { ...ofSheet, retry: 'all', why: null },
      { action: 'drop-rows', rows: ['k2'] },
    ]);
    const explained = JSON.parse((await command(at, ['explain', 'nov', 'k2', '--json'])).out);
    expect(explained.next).toMatchObject({ ...ofSheet, effect: 'plans-retry', retry: ['k2'] });
  });

  it('leave the first plan used: the sheet alone continues under the plan of the retry', async () => {
    const { service, desk: at } = await oneUnpaid();
    signPlan(await again(at), 'Thandi Mokoena');
    await run(at);
    const sent = service.payments.length;
    expect((await run(at)).exit).toBe(23);
    expect(service.payments).toHaveLength(sent);
  });

  it('are not sent again by a new plan that was not asked to send them', async () => {
    const { service, desk: at } = await oneUnpaid();
    const made = await plan(at);
    expect(JSON.parse(readFileSync(made.plan, 'utf8')).plan.counts.rows_to_send).toBe(0);
    signPlan(made, 'Thandi Mokoena');
    const sent = service.payments.length;
    expect((await run(at, '--approve', made.plan_digest)).exit).toBe(23);
    expect(service.payments).toHaveLength(sent);
  });

  it('are shown with their money and their reason to an approver', async () => {
    const { desk: at } = await oneUnpaid();
    const made = await again(at);
    const secret = { ...at, env: { ...at.env, PAYRUN_PASSPHRASE: 'correct horse battery' } };
    await command(secret, ['keys', 'new', 'Kofi Boateng']);
    const { out } = await command(secret, ['approve', made.plan, '--key', 'Kofi Boateng.key']);
    expect(out).toMatch(/101 KES.* in 1 row/);
    const { warnings } = JSON.parse(readFileSync(made.plan, 'utf8'));
    expect(warnings).toMatchObject([
      { row: 3, code: 'ROW_UNPAID', facts: { reason: expect.stringContaining('not today') } },
      { row: 3, code: 'PAYEE_NEW', facts: { which: 'this' } },
    ]);
    for (const warning of warnings) expect(out).toContain(`row 3: ${messageOf(warning)}`);
  });

  it('count for the day on which they are sent again', async () => {
    const { service, desk: at } = await oneUnpaid();
    const made = await again(at);
    const currencies = [{ currency: 'KES', day: [{ above: '302', approvals: 2 }] }];
    writeFileSync(join(at.folder, 'payrun.policy.json'), policyText({ currencies }));
    signPlan(made, 'Thandi Mokoena');
    const once = tooFew(['Thandi Mokoena'], 2, threshold('day-pays-more', '303', '302'));
    await expectNothing(service, run(at), once);
  });

  it('are sent again as chosen in the plan that was approved, and no other', async () => {
    const { service, desk: at } = await allUnpaid();
    const other = ['plan', at.sheet, '--json', '--batch', 'nov', '--maker', 'Ama', '--retry-row', 'k9'];
    const notUnpaid = { code: 'ROW_NOT_UNPAID', facts: { batch: 'nov', row: 'k9' } };
    expect(refusalOf(await command(at, other))).toMatchObject(notUnpaid);
    // Totals and a series say nothing about a part of the batch. The result still has all its rows.
    writeFileSync(at.sheet, csvOf([{ ...rows[2]!, row_id: '1,2' }]));
    writeFileSync(join(at.folder, 'november.totals.json'), JSON.stringify({ rows: 3 }));
    writeFileSync(join(at.folder, 'payrun.config.json'), JSON.stringify({ controls: { variance: { stop: true } } }));
    const made = await plan(at, '--retry-row', '1,2');
    signPlan(made, 'Thandi Mokoena');
    const ran = await run(at, '--approve', made.plan_digest);
    expect(service.payments.map(({ reference }) => reference)).toEqual(['Ref 3']);
    expect(resultOf(documentOf(ran).result)).toHaveLength(3);
  });

  it('are sent again under the terms of their own plan alone', async () => {
    const { service, desk: at } = await allUnpaid();
    const made = await again(at, '--canary', '1');
    signPlan(made, 'Thandi Mokoena');
    await command(at, ['run', made.plan, '--json', '--wait', '0']);
    expect(service.payments).toHaveLength(1);
    await command(at, ['resume', 'nov', '--json', '--wait', '0']);
    expect(service.payments).toHaveLength(1);
  });

  it('are sent again only from the sheet that was planned, whose other rows nobody compares', async () => {
    const { service, desk: at } = await allUnpaid();
    const made = await plan(at, '--retry-row', '1');
    signPlan(made, 'Thandi Mokoena');
    writeFileSync(at.sheet, `${readFileSync(at.sheet, 'utf8').replace('Ref 2', 'Ref 2 corrected')}`);
    const edited = await run(at, '--approve', made.plan_digest);
    expect(refusalOf(edited).code).toBe('SHEET_CHANGED');
    expect(service.payments).toEqual([]);
  });

  it.each([
    [['--batch', 'nov', '--expect', 'rows=3'], 2, null],
    [['--batch', 'nov', '--add'], 2, null],
    [['--batch', 'nvo'], 2, 'BATCH_UNKNOWN'],
    [['--batch', 'nov'], 2, 'ROW_NOT_UNPAID'],
  ])('are not planned by --retry %j of a corrected sheet', async (more, exit, code) => {
    const { desk: at } = await oneUnpaid();
    const corrected = readFileSync(at.sheet, 'utf8').replaceAll('Ref 2', 'Ref 2 corrected');
    writeFileSync(at.sheet, corrected);
    const refused = await command(at, ['plan', at.sheet, '--json', '--maker', 'Ama', '--retry', ...more]);
    expect([refused.exit, code && refusalOf(refused).code]).toEqual([exit, code]);
  });

  it('are named again in the step of a plan that was refused', async () => {
    const { desk: at } = await allUnpaid();
    const made = await plan(at, '--retry-row', '1');
    signPlan(made, 'Kofi Boateng');
    const second = await plan(at, '--retry-row', '2');
    signPlan(second, 'Thandi Mokoena');
    await run(at, '--approve', second.plan_digest);
    const stale = refusalOf(await run(at, '--approve', made.plan_digest));
    expect(stale).toMatchObject({ code: 'VERSION_CONFLICT', facts: { command: { add: false, retry: ['1'] } } });
  });

  it('are sent again once for an approval, and the version says under which plan', async () => {
    const { service, desk: at } = await oneUnpaid();
    const made = await again(at);
    await expectNothing(service, run(at, '--approve', made.plan_digest), tooFew([], 1));
    signPlan(made, 'Thandi Mokoena');
    service.fault = ({ route }) =>
      route === 'POST /payments' ? { kind: 'answer', status: 422, body: { message: 'not today' } } : undefined;
    await run(at);
    service.fault = () => undefined;
    const sent = service.payments.length;
    await run(at, '--approve', made.plan_digest);
    expect(service.payments).toHaveLength(sent);
    const once = await again(at);
    signPlan(once, 'Thandi Mokoena');
    expect((await run(at, '--approve', once.plan_digest)).exit).toBe(23);
    expectOnePaymentEach(service, rows);
    expect((await trail(at, 'plan')).at(-1)).toMatchObject({ plan: once.plan_digest.slice(7) });
    const audit = await command(at, ['audit', 'verify']);
    expect([audit.exit, audit.out]).toEqual([0, expect.stringContaining('Whole')]);
  });

  it('are not sent again by a plan that was made before they were refused', async () => {
    const service = await newService();
    const at = deskFor(service, rows);
    const refuse = (status: number) => {
      service.fault = ({ route, body }) =>
        route === 'POST /payments' && body.amount === 101
          ? { kind: 'answer', status, body: { message: 'no' } }
          : undefined;
    };
    refuse(401);
    await run(at, '--batch', 'nov');
    const made = await plan(at);
    refuse(422);
    await command(at, ['resume', 'nov', '--json', '--wait', '0']);
    const ran = await run(at, '--approve', made.plan_digest);
    const isNew = { code: 'PLAN_DIFFERS', facts: { differences: { shown: [{ fault: 'effect-differs', row: 3 }] } } };
    expect([ran.exit, refusalOf(ran)]).toMatchObject([26, isNew]);
  });
});
