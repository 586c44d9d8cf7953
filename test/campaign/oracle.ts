/** Judges a list without the reference: it knows only the service's payments, and what people wanted. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { collectFindings } from '../../src/audit/findings.ts';
import { auditLedger } from '../../src/audit/verify.ts';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger, wordOfRow } from '../../src/ledger/ledger.ts';
import { findingLine } from '../../src/messages/findings.ts';
import { openMemoryStore } from '../simulation/memory-store.ts';
import type { Stored, World } from '../simulation/world.ts';
import type { Command, Place } from './commands.ts';
import { type Ending, productKey, type Real } from './desk.ts';
import { dayMs, deadlineMs, horizonMs } from './parameters.ts';
import type { SeenBatch, SeenRow } from './seen.ts';
import { keyOf, type Line } from './sheet.ts';
import { moneyOf, type SignedRows } from './signed.ts';

/** What people said so far, by batch and debt. A person means one payment for each debt, unless another word adds one. */
export interface Wanted {
  /** The rows of each debt that somebody wants to be paid: `0 nov 3` has the keys of debt 3 in ledger 0. */
  readonly rows: Map<string, Map<string, Line>>;
  /** How many payments of a debt a person permitted besides the first, although the ledger warned. */
  readonly words: Map<number, number>;
  /** The command of each process, by the name of the process. */
  readonly commands: Map<string, Given>;
  /** The held batches, by ledger and batch: `0 nov`, or `0 ` for all of ledger 0. The number is the waiting plan. */
  readonly holds: Map<string, Set<'pause' | number>>;
  readonly ended: Set<number>;
  /** The batches that another process stopped, by ledger and batch, until a person continues them. */
  readonly stopped: Set<string>;
  /** How many approvals a plan needs; 0 without a policy. */
  needed: number;
  /** Who approved each plan, without its maker. */
  readonly signed: Map<number, Set<string>>;
  /** How many people approved the first version of each batch. */
  readonly signedFirst: Map<string, number>;
  /** The rows of each plan, and of all plans that a batch ran with enough signatures. */
  readonly planned: Map<number, SignedRows>;
  readonly approved: Map<string, SignedRows>;
  /** The payment that a person named for each row: `0 nov k1`. */
  readonly named: Map<string, string>;
}

interface Given {
  readonly batch: string;
  readonly ledger: number;
  readonly beganAt: number;
  /** The debts of the batch that people wanted to be paid. A late payment is judged by what they wanted then. */
  debts: ReadonlySet<number>;
  /** Why the command may pay nothing; null if it may. */
  readonly forbidden: string | null;
  /** The rows that the command may pay; null without a policy. */
  readonly approved: SignedRows | null;
}

export const nothingWanted = (): Wanted => ({
  rows: new Map(),
  words: new Map(),
  commands: new Map(),
  holds: new Map(),
  ended: new Set(),
  stopped: new Set(),
  needed: 0,
  signed: new Map(),
  signedFirst: new Map(),
  planned: new Map(),
  approved: new Map(),
  named: new Map(),
});

const wordsFor = ({ words }: Wanted, debt: number) => words.get(debt) ?? 0;

/** One word covers all payments that the debt has, or may get from a row in doubt, and permits one more. */
function permit(wanted: Wanted, debt: number, payments: readonly Stored[], known: readonly SeenBatch[]): void {
  const inDoubt = known.flatMap(({ rows }) => rows.filter((row) => row.state === 'in_doubt' && debtOf(row) === debt));
  const living = payments.filter((one) => one.row === debt && lives(one));
  const others = living.filter(({ tag }) => !inDoubt.some((row) => row.tag === tag));
  wanted.words.set(debt, Math.max(wordsFor(wanted, debt) + 1, others.length + inDoubt.length));
}

const debtOf = (row: SeenRow | undefined): number => Number(/^R0(\d)/.exec(row?.content[3] ?? '')?.[1] ?? 0) - 1;

/** Called after the words of the command count, because the command itself may be the word. */
export function remember(
  wanted: Wanted,
  name: string,
  { ledger, batch }: Place,
  command: Command,
  beganAt: number,
): void {
  const { commands, rows } = wanted;
  const debts = [...rows].flatMap(([place, keys]) =>
    place.startsWith(`${ledger} ${batch} `) && keys.size > 0 ? [Number(place.split(' ')[2])] : [],
  );
  commands.set(name, {
    batch,
    ledger,
    beganAt,
    debts: new Set(debts),
    forbidden: whyForbidden(wanted, { ledger, batch }, command),
    approved:
      neededFor(wanted, { ledger, batch }) === 0 ? null : (wanted.approved.get(`${ledger} ${batch}`) ?? new Map()),
  });
}

/** No version has fewer signers than the first. */
const neededFor = ({ needed, signedFirst }: Wanted, { ledger, batch }: Place): number =>
  Math.max(needed, signedFirst.get(`${ledger} ${batch}`) ?? 0);

const isSigned = (wanted: Wanted, place: Place, plan: number): boolean =>
  (wanted.signed.get(plan)?.size ?? 0) >= neededFor(wanted, place);

function whyForbidden(wanted: Wanted, { ledger, batch }: Place, command: Command): string | null {
  const { holds, ended, stopped } = wanted;
  if (command.do === 'run plan' && !isSigned(wanted, { ledger, batch }, command.plan))
    return 'its plan has too few signatures';
  if (command.do === 'run plan' && ended.has(command.plan)) return 'its plan was declined';
  if (command.do === 'continue' && stopped.has(`${ledger} ${batch}`)) return 'no person continued the batch';
  const isHeld = [`${ledger} ${batch}`, `${ledger} `].some((place) => (holds.get(place)?.size ?? 0) > 0);
  return isHeld ? 'a hold stands' : null;
}

/** Called for each command, before the words of rows. `plan` is the plan that the command made. */
function takeHolds({ holds, ended }: Wanted, command: Command, order: Command, plan: number): void {
  if (!('ledger' in order)) return;
  const place = `${order.ledger} ${'all' in order && order.all ? '' : order.batch}`;
  const held = holds.get(place) ?? new Set();
  holds.set(place, held);
  if (command.do === 'pause') held.add('pause');
  if (command.do === 'end pause') held.delete('pause');
  if (command.do === 'propose') held.add(plan);
  if (command.do === 'run plan') held.delete(command.plan);
  if (command.do !== 'decline' && command.do !== 'withdraw') return;
  for (const one of held)
    if (one !== 'pause') {
      ended.add(one);
      held.delete(one);
    }
}

/** Called after the payments of the command were judged. Returns the rows that were sent after another process stopped the batch. */
export function judgeStop(
  { halt }: Real,
  { stopped }: Wanted,
  command: Command,
  {
    place,
    batches,
    hasHappened,
  }: { readonly place: Place; readonly batches: readonly SeenBatch[]; readonly hasHappened: boolean },
): readonly string[] {
  const name = `${place.ledger} ${place.batch}`;
  if (hasHappened && ['run', 'run plan', 'resume', 'retry'].includes(command.do)) stopped.delete(name);
  if ((hasHappened && command.do === 'stop') || halt !== null) stopped.add(name);
  if (halt === null) return [];
  const { rows } = batches.find((one) => one.name === place.batch)!;
  return rows
    .filter(({ key, attempts }) => attempts > (halt.attempts.get(key) ?? 0))
    .map(({ key }) => `${place.batch}/${key} was sent after another process stopped the batch`);
}

/** Called if the command did what it says. `plan` is the number of the newest plan. `payments` were made earlier. */
export function wish(
  wanted: Wanted,
  command: Command,
  order: Command,
  {
    known,
    plan,
    payments,
  }: { readonly known: readonly SeenBatch[]; readonly plan: number; readonly payments: readonly Stored[] },
): void {
  takeHolds(wanted, command, order, plan);
  if (command.do === 'approve' && command.by !== 'ann')
    wanted.signed.set(command.plan, new Set([...(wanted.signed.get(command.plan) ?? []), command.by]));
  if (command.do === 'run plan' && 'batch' in order) {
    const batch = `${order.ledger} ${order.batch}`;
    if (wanted.needed > 0 && isSigned(wanted, order, command.plan))
      approve(wanted, batch, wanted.planned.get(command.plan)!);
    // Signatures that no policy asked for bind nobody.
    const signed = wanted.needed > 0 ? wanted.signed.get(command.plan)?.size : 0;
    wanted.signedFirst.set(batch, wanted.signedFirst.get(batch) ?? signed ?? 0);
  }
  if ((command.do === 'run' || command.do === 'run plan') && 'lines' in order) {
    const isAddition = order.add && !order.drop;
    if (!isAddition)
      for (const [place, rows] of wanted.rows) if (place.startsWith(`${order.ledger} ${order.batch} `)) rows.clear();
    for (const line of order.lines) {
      const key = keyOf(line);
      const place = `${order.ledger} ${order.batch} ${line.debt}`;
      if (!wanted.rows.has(place)) wanted.rows.set(place, new Map());
      if (key !== null && !line.isMistaken) wanted.rows.get(place)!.set(key, line);
      if (command.do === 'run' && command.confirms) permit(wanted, line.debt, payments, known);
    }
  }
  if (wanted.needed > 0) approveReleased(wanted, command, known);
  if (!('key' in command)) return;
  const row = known.find(({ name }) => name === command.batch)?.rows.find(({ key }) => key === command.key);
  const debt = debtOf(row);
  const place = `${command.ledger} ${command.batch} ${debt}`;
  if (command.do === 'drop') wanted.rows.get(place)?.delete(command.key);
  if (command.do === 'reopen' && row !== undefined)
    wanted.rows.set(place, new Map([...(wanted.rows.get(place) ?? []), [command.key, lineFor(debt)]]));
  if (command.do === 'paid' && row?.state === 'accepted')
    wanted.named.set(`${command.ledger} ${command.batch} ${command.key}`, row.paymentId!);
  if (['not-a-repeat', 'not-paid', 'paid'].includes(command.do)) permit(wanted, debt, payments, known);
}

/** If two plans have a row, the newer one counts. */
const approve = ({ approved }: Wanted, batch: string, rows: SignedRows): unknown =>
  approved.set(batch, new Map([...(approved.get(batch) ?? []), ...rows]));

/** An approver who releases or reopens a row signs this row alone. Of absent rows, they release all. */
function approveReleased(wanted: Wanted, command: Command, known: readonly SeenBatch[]): void {
  const isRelease = ['reopen', 'not-a-repeat', 'not-paid', 'release-absent'].includes(command.do);
  if (!isRelease || !('batch' in command) || ('by' in command && command.by === 'ann')) return;
  const rows = known.find(({ name }) => name === command.batch)?.rows ?? [];
  const released = rows.filter(({ key, attempts }) => ('key' in command ? key === command.key : attempts > 0));
  const money = released.map(
    ({ tag, content: [, , amount, reference] }) => [tag, moneyOf({ amount, reference })] as const,
  );
  approve(wanted, `${command.ledger} ${command.batch}`, new Map(money));
}

const lineFor = (debt: number): Line => ({ debt, hasId: true, ours: null, amount: 0, reference: 0, isMistaken: false });

const lives = ({ status }: Stored) => status !== 'expired';
/** True if the service first said that there is no such payment. */
export const isSurprise = ({ lies }: World, { row, revivedAt }: Stored): boolean =>
  revivedAt !== null || (row !== null && lies.has(row));
const folded = (reference: string) => reference.toLowerCase().replaceAll(' ', '');

/** Returns the broken promises of the newest payments. `made`: how many payments were judged before. */
export function judgePayments({ world }: Real, wanted: Wanted, made: number): readonly string[] {
  const broken: string[] = [];
  for (const payment of world.payments.slice(made)) {
    const { id, row: debt, madeBy } = payment;
    if (debt === null) continue;
    const by = wanted.commands.get(madeBy);
    if (by?.debts.has(debt) === false)
      broken.push(`${id} pays debt ${debt + 1} of ${by?.batch}, which nobody wants paid`);
    if (by?.approved != null && by.approved.get(payment.tag ?? '') !== moneyOf(payment))
      broken.push(`${id} is paid by ${madeBy}, and no signed plan has its row`);
    if (by !== undefined && by.forbidden !== null) broken.push(`${id} is paid by ${madeBy}, although ${by.forbidden}`);
    // Another ledger has the same tags for a batch of the same name.
    const isOwn = (one: string) => one.split('.')[0] === madeBy.split('.')[0];
    const old = world.payments.find((one) => one.tag === payment.tag && one.status === 'expired' && isOwn(one.madeBy));
    if (old !== undefined && old !== payment && old.madeAt < payment.madeAt && !isSurprise(world, old))
      broken.push(`${id} has the tag of ${old.id}, which expired`);
    const others = world.payments.filter(
      (one) => one !== payment && one.row === debt && lives(one) && one.madeAt <= payment.madeAt,
    );
    const counted = others.filter((other) => isSamePayment(wanted, other, payment));
    if (lives(payment) && counted.length > wordsFor(wanted, debt))
      broken.push(
        `debt ${debt + 1} is paid again by ${id} (${madeBy}), after ${counted.map((one) => `${one.id} (${one.madeBy})`).join(', ')}`,
      );
  }
  return broken;
}

/** True if nobody can want both payments. Payrun only warns of two payments that differ, and of old payments elsewhere. */
function isSamePayment({ commands, rows }: Wanted, first: Stored, second: Stored): boolean {
  const [one, other] = [commands.get(first.madeBy), commands.get(second.madeBy)];
  // Its request was under way already when the first payment came alive.
  if (first.revivedAt !== null && other !== undefined && other.beganAt < first.revivedAt) return false;
  // The declared limit: a ledger cannot see a request that another ledger has under way.
  const isOtherLedger = one?.ledger !== other?.ledger;
  if (isOtherLedger && second.madeAt - first.madeAt < 2 * (horizonMs + deadlineMs)) return false;
  const isOtherAmount = first.amount !== second.amount;
  const isOtherReference = folded(first.reference) !== folded(second.reference);
  const isHere = one?.batch === other?.batch && !isOtherLedger;
  if (isOtherAmount && isOtherReference) return false;
  // Another ledger's payment counts from its date in the list, because this ledger never saw that it had expired.
  const from = isOtherLedger ? first.madeAt : (first.revivedAt ?? first.madeAt);
  if (!isOtherAmount && !isOtherReference) return isHere || second.madeAt - from < 35 * dayMs;
  // A corrected payment in another batch is a warning. In the same batch it waits, unless the sheet has both lines.
  return isHere && (rows.get(`${other?.ledger} ${other?.batch} ${second.row}`)?.size ?? 0) < 2;
}

/** No row is lost, and no doubt is hidden: the ledger against the service's payments. */
export function judgeLedger(
  { world, desks }: Real,
  { named }: Wanted,
  ledger: number,
  batches: readonly SeenBatch[],
): readonly string[] {
  const broken: string[] = [];
  for (const { name, rows, stands } of batches) {
    for (const row of rows) {
      if (stands === 'idle' && ['sending', 'in_doubt', 'accepted'].includes(row.state))
        broken.push(`${name}/${row.key} is ${row.state}, and nobody comes back for it`);
      // A payment that came alive, or that the service refused and made, is unknown until the next list scan.
      const alive = world.payments.filter(
        (one) =>
          one.tag === row.tag && lives(one) && !isSurprise(world, one) && one.madeBy.startsWith(desks[ledger]!.name),
      );
      const word = wordOfRow({ state: row.state, closed: row.closed });
      const isFree = ['not sent', 'unpaid', 'closed', 'invalid'].includes(word);
      if (isFree && alive.length > 0)
        broken.push(`${name}/${row.key} is ${word}, and ${alive.map(({ id }) => id).join(', ')} lives`);
      const said = world.payments.find(({ id }) => id === named.get(`${ledger} ${name} ${row.key}`));
      if (
        said !== undefined &&
        lives(said) &&
        said.revivedAt === null &&
        ['held', 'in_doubt', 'absent'].includes(row.state)
      )
        broken.push(`${name}/${row.key} is ${row.state}, although a person said that ${said.id} pays it`);
      const own = world.payments.find(({ id }) => id === row.paymentId);
      if (word === 'paid' && own?.status !== 'success')
        broken.push(`${name}/${row.key} is paid by ${row.paymentId}, which is ${own?.status}`);
    }
  }
  return broken;
}

/** The result that the command wrote has each row of the ledger once, with its status and its payment. */
export function judgeResult(real: Real, ending: Ending, batches: readonly SeenBatch[]): readonly string[] {
  if (ending.kind !== 'ended' || !('rows' in ending.outcome)) return [];
  const { batch, run, rows } = ending.outcome;
  const seen = batches.find(({ name }) => name === batch);
  const result = run?.result ?? null;
  if (result === null || seen === undefined) return [];
  const lines = parse(readFileSync(result), { columns: true, bom: true }) as Record<string, string>[];
  const broken: string[] = [];
  for (const row of seen.rows) {
    const own = lines.filter(({ payrun_row }) => payrun_row === productKey(real, row.key));
    const [line] = own;
    if (own.length !== 1) broken.push(`${batch}/${row.key} is ${own.length} times in the result`);
    const [word, payment] = [wordOfRow(row), row.paymentId ?? ''];
    if (line !== undefined && (line.payrun_status !== word || line.payment_id !== payment))
      broken.push(
        `${batch}/${row.key} is ${word} by ${payment}, and in the result ${line.payrun_status} by ${line.payment_id}`,
      );
  }
  const counted: Readonly<Record<string, number>> = rows;
  for (const [word, own] of Map.groupBy(seen.rows, wordOfRow))
    if (word !== 'invalid' && counted[word.replaceAll(' ', '_')] !== own.length)
      broken.push(
        `${batch} has ${own.length} rows that are ${word}, and its status ${counted[word.replaceAll(' ', '_')]}`,
      );
  if (rows.total < seen.rows.length)
    broken.push(`the status of ${batch} has ${rows.total} rows of ${seen.rows.length}`);
  return broken;
}

/** `payrun audit`: the trail, played again, leads to the rows as they are. */
export async function judgeTrail({ desks }: Real, ledger: number): Promise<readonly string[]> {
  const opened = openLedger(desks[ledger]!.ledger, systemClock, { store: openMemoryStore });
  const findings = collectFindings();
  auditLedger(opened.trail.evidence(), findings);
  await opened.close();
  return findings.list.map((one) => findingLine(one));
}
