/** The commands of approvers: `keys new`, `keys show`, `approve`. They need no service and no ledger. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { approvePlan as sign } from '../../app/approve-plan.ts';
import {
  isSamePerson,
  lockKey,
  makeKey,
  mayStillSign,
  type Policy,
  publicLine,
  publicOf,
  readKeyFile,
  readPublicLine,
  unlockKey,
} from '../../approval/approval.ts';
import { systemClock } from '../../base/clock.ts';
import { folderFault, PayrunError, readOrRefuse } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { readSmallFile } from '../../base/small-file.ts';
import { visible } from '../../base/words.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import { planPageWords } from '../../messages/files/plan-page.ts';
import { identityWords } from '../../messages/format/identity.ts';
import { counted, grouped, moneyOf } from '../../messages/format/numbers.ts';
import { timeWords } from '../../messages/format/times.ts';
import { commandOf, noPlace } from '../../messages/next-actions.ts';
import { noteWords } from '../../messages/notes.ts';
import { problemWords } from '../../messages/problems.ts';
import { stillSignWords } from '../../messages/refusals/plan-refusals.ts';
import { type ApprovalStanding, openPolicy } from '../../pipeline/plans/approved.ts';
import { payerOf } from '../../pipeline/plans/plan.ts';
import { digestWords, type PlanFile } from '../../pipeline/plans/plan-file.ts';
import { glanceAt, payeeDestination, termNotes } from '../../pipeline/plans/plan-page.ts';
import { pageOf } from '../../pipeline/plans/plan-place.ts';
import { policyInForce, readPerson } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { type Args, type CommandContext, flag, reply, text, usage } from '../compose/command-context.ts';
import { readPassphrase } from '../compose/config.ts';
import { table } from '../render/screen.ts';

const leastPassphrase = 12;

export const newKey: Run = async (args, world) => {
  const name = readPerson(text(args, 'name') ?? '', 'The name');
  const folder = resolve(world.cwd, text(args, 'out') ?? '');
  const [privatePath, publicPath] = [join(folder, `${name}.key`), join(folder, `${name}.pub`)];
  for (const path of [privatePath, publicPath])
    if (existsSync(path)) throw usage(`${path} is there already; keys are never overwritten`);
  const passphrase = await newPassphrase(world);
  const key = makeKey();
  const shown = publicOf(name, key);
  const locked = await lockKey(name, key, passphrase);
  writeNew(privatePath, locked);
  writeNew(publicPath, `${publicLine(shown)}\n`);
  const { fingerprint } = shown;
  return reply(
    args,
    world,
    { name, fingerprint, private: privatePath, public: publicPath },
    `Key of ${name}, fingerprint ${fingerprint}\n  ${privatePath}   yours alone; its passphrase cannot be recovered\n  ${publicPath}   for the policy; give its fingerprint in person to the keeper of the policy\n`,
  );
};

export const showKey: Run = async (args, world) => {
  const path = resolve(world.cwd, text(args, 'file') ?? '');
  const content = readText(path);
  const line = content.startsWith('payrun-') ? readPublicLine(content.trimEnd()) : readKeyFile(path, content);
  if ('fault' in line) throw new PayrunError('KEY_UNUSABLE', { path, why: line });
  const { name, fingerprint } = line;
  const kind = 'payrun' in line ? 'private' : 'public';
  return reply(args, world, { name, fingerprint, kind }, `${visible(name)}, fingerprint ${fingerprint} (${kind})\n`);
};

export function keyOf(args: Args, world: CommandContext) {
  const path = resolve(world.cwd, text(args, 'key') ?? '');
  const file = readKeyFile(path, readText(path));
  const unlock = async () =>
    unlockKey(path, file, readPassphrase(world.env) ?? new Secret(await askedFor(world, `Passphrase of ${path}: `)));
  return { file, unlock };
}

/** Signs the digest of exactly the plan text that it showed. */
export const approvePlan: Run = async (args, world) => {
  const path = resolve(world.cwd, text(args, 'plan') ?? '');
  const { file: key, unlock } = keyOf(args, world);
  const policyPath = policyInForce(args, world);
  const policy = policyPath === null ? null : openPolicy(policyPath);
  const approver = {
    name: key.name,
    async unlock(shown: PlanFile) {
      if (!flag(args, 'json')) world.streams.out.write(`${(await shownPlan(shown)).join('\n')}\n`);
      return await unlock();
    },
  };
  const deps = { ledger: null, clock: systemClock };
  const { plan, page, signature, file, standing } = await sign(deps, { path, seen: null, policy }, approver);
  const notes =
    standing !== null && policy !== null
      ? standingWords(plan, standing, policy)
      : isSamePerson(key.name, plan.head.maker)
        ? ['You made this plan yourself: a policy will not count it.']
        : [];
  const { fingerprint, name } = key;
  const counts = { approvals: standing?.approvals.length ?? null, needed: standing?.needed ?? null };
  return reply(
    args,
    world,
    { plan: digestWords(plan.digest), approver: name, fingerprint, at: signature.at, page, signature: file, ...counts },
    `${[`Signed as ${name} (key ${fingerprint}): ${file}`, ...notes].join('\n')}\n`,
  );
};

function standingWords(plan: PlanFile, { approvals, needed }: ApprovalStanding, policy: Policy) {
  const signed = approvals.map(({ approver }) => approver);
  const more = needed - signed.length;
  const stands = `Signed. ${Math.min(signed.length, needed)} of ${counted(needed, 'approval')}`;
  if (more > 0)
    return [
      `${stands}; ${counted(more, 'more is', 'more are')} needed. ${stillSignWords(mayStillSign([{ name: plan.head.maker }], signed, policy))}`,
      `  next: ${commandOf({ action: 'approve-plan', plan: plan.path, signs: 'key' }, noPlace)}`,
    ];
  const { path, head, digest } = plan;
  const paying: ActionNamed = { action: 'run-plan', plan: path, digest: digestWords(digest), needsReason: false };
  const place = { ...noPlace, ledger: head.service === 'sandbox' ? ' --sandbox' : '' };
  const hasDay = policy.currencies.some(({ day }) => day !== undefined);
  return [
    `${needed === 0 ? 'Signed. The policy asks for no approval of this plan' : `${stands}: complete`}.${hasDay ? ' The run also counts what else was sent on its day, and may ask for more.' : ''}`,
    `  next: ${commandOf(paying, place)}`,
  ];
}

const shownPayees = 20;

async function shownPlan(plan: PlanFile): Promise<string[]> {
  const { head, digest } = plan;
  const glance = await glanceAt(plan);
  const { created, renamed, largest, warnings, held } = glance;
  const { counts } = head;
  const lines = (rows: readonly (readonly string[])[]) =>
    table(
      rows.map((cells) => cells.map(visible)),
      9,
    );
  const more = (all: number, some: number) => (all > some ? [`  and ${grouped(all - some)} more`] : []);
  const some = created.slice(0, shownPayees);
  const news = counts.merchants_to_create;
  return [
    `Plan of batch ${visible(head.batch)}, of the sheet ${visible(basename(head.sheet))}`,
    `  ${digestWords(digest)}`,
    `  page ${visible(pageOf(plan.path))}, written again from this plan`,
    `  maker ${visible(head.maker)}, made at ${timeWords(Date.parse(head.made_at))}, valid until ${timeWords(Date.parse(head.expires_at))}`,
    `  to be paid at ${visible(identityWords(payerOf(head)))}`,
    ...termNotes(head).map((note) => `  ${noteWords(note)}`),
    '',
    counts.rows_to_send === 0
      ? `${counted(counts.rows, 'row')}; none is to be sent.`
      : `${counted(counts.rows, 'row')}, of which ${grouped(counts.rows_to_send)} to be sent:`,
    ...(counts.rows_to_send === 0 ? [] : head.totals).map((total) => {
      const { amount_to_send, amount, unit, currency, from_country, rows_to_send } = total;
      const source = from_country === null ? '' : ` from ${visible(from_country)}`;
      const whole = amount === amount_to_send ? '' : ` (of ${moneyOf({ amount, unit, currency })} in the sheet)`;
      return visible(
        `  ${moneyOf({ amount: amount_to_send, unit, currency })}${source} in ${counted(rows_to_send, 'row')}${whole}`,
      );
    }),
    ...(held.rows === 0 ? [] : [planPageWords.held(held)]),
    '',
    ...(counts.rows_to_send === 0
      ? []
      : [news === 0 ? 'No payee is new to the service.' : `${counted(news, 'payee')} new to the service:`]),
    ...lines(some.map(({ merchant, row }) => [`  ${merchant.name}`, payeeDestination(row), `row ${merchant.row}`])),
    ...more(news, some.length),
    ...(renamed.length === 0 ? [] : [`${counted(counts.merchants_to_rename, 'payee')} to be renamed.`]),
    '',
    ...(largest.length === 0 ? [] : ['The largest rows:']),
    ...lines(largest.map((row) => [`  row ${row.row}`, row.name, payeeDestination(row), moneyOf(row), row.reference])),
    ...(warnings.length === 0 ? [] : ['', 'To look at:']),
    ...warnings
      .slice(0, shownPayees)
      .map((one) => `  ${one.row === null ? 'sheet' : `row ${one.row}`}: ${problemWords(one)}`),
    ...more(counts.warnings, Math.min(warnings.length, shownPayees)),
    '',
  ];
}

async function newPassphrase(world: CommandContext): Promise<Secret> {
  const given = readPassphrase(world.env);
  const typed = given?.reveal() ?? (await askedFor(world, 'A passphrase for the new key: '));
  if (typed.normalize('NFC').length < leastPassphrase)
    throw usage(`the passphrase has fewer than ${leastPassphrase} characters`);
  if (given === null && (await askedFor(world, 'The same again: ')) !== typed)
    throw usage('the two passphrases differ');
  return new Secret(typed);
}

async function askedFor({ ask }: CommandContext, question: string): Promise<string> {
  if (ask === undefined)
    throw usage(
      'there is no terminal to ask for the passphrase; set PAYRUN_PASSPHRASE_FILE (an owner-only file) or PAYRUN_PASSPHRASE',
    );
  return await ask(question);
}

const maxKeyBytes = 64 * 1024;

const readText = (path: string): string => readOrRefuse(path, () => readSmallFile(path, maxKeyBytes));

function writeNew(path: string, content: string): void {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    throw new PayrunError('FOLDER_UNWRITABLE', { path, why: folderFault(error) });
  }
}
