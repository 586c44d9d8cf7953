/** The reference model: what a command does to the batches of a ledger, or why it is refused. A pure function of the world. */

import { approve, readsPolicy, refuseApprovals, refuseLostPolicy, refuseMaker, refuseUnapproved } from './approvals.ts';
import { type Change, changeOf, endsMistakes, isUnpaid, looseLines } from './change.ts';
import type { Command, Place, SheetOrder } from './commands.ts';
import { endProposal, pause, refuseHold, refuseProposal } from './holds.ts';
import { matchesOf } from './matches.ts';
import {
  type Batch,
  batchOf,
  headOf,
  type Plan,
  type Row,
  standingIn,
  type Version,
  type World,
} from './model-world.ts';
import { dayMs, planMs } from './parameters.ts';
import { Refusal, refuse } from './refuse.ts';
import { type Content, contentOf, digestOf, isSameMoney, keyOf, type Line } from './sheet.ts';
import { differs, hasEffect, shownBy } from './shown.ts';
import { hasUnsent } from './stops.ts';
import { mayHavePayment, type Standing, versionTable, wasSent } from './tables.ts';
import { clear, decide } from './words.ts';

export interface Applied {
  readonly world: World;
  /** The refusal's code. A refused command changes nothing. */
  readonly refused: string | null;
  /** The cells of the tables that the command met. */
  readonly met: readonly string[];
  /** Refusals that are right too: the model does not know all that a plan shows. */
  readonly or: readonly string[];
}

export function apply(world: World, command: Command): Applied {
  const next = structuredClone(world);
  const met: string[] = [];
  const or: string[] = [];
  try {
    perform(next, command, met, or);
    return { world: next, refused: null, met, or };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { world, refused: error.message, met, or };
  }
}

function perform(world: World, command: Command, met: string[], or: string[]): void {
  const order = 'plan' in command ? world.plans[command.plan]!.order : command;
  if (command.do === 'propose') refuseProposal(world, command);
  if (readsPolicy(command)) refuseLostPolicy(world, order as Place);
  switch (command.do) {
    case 'policy':
      world.needed = command.needed;
      return;
    case 'approve':
      approve(world, command, or);
      return;
    case 'run':
      if (world.needed > 0) refuse('SIGNED_PLAN_MISSING');
      runSheet(world, command, met);
      return;
    case 'plan':
      makePlan(world, command, met);
      return;
    case 'propose':
      propose(world, command, met);
      return;
    case 'decline':
    case 'withdraw':
      endProposal(world, command);
      return;
    case 'pause':
    case 'end pause':
      pause(world, command, met);
      return;
    case 'run plan':
      runPlan(world, command, met, or);
      return;
    case 'retry':
      refuseUnapproved(world, batchOf(world, command), {});
      retry(world, batchOf(world, command), command);
      return;
    case 'resume':
      // Lists give another key only for a batch that was sent.
      if (command.key === 'other') refuse('IDENTITY_CHANGED');
      refuseUnapproved(world, batchOf(world, command), command);
      return;
    case 'continue': {
      const batch = batchOf(world, command);
      // The hot folder leaves a stopped batch as it is.
      if (!batch.isStopped || !hasUnsent(batch)) refuseUnapproved(world, batch, {});
      return;
    }
    case 'stop':
    case 'reconcile':
      batchOf(world, command);
      return;
    case 'wait':
    case 'expire':
    case 'settle':
    case 'revive':
    case 'restart':
      return;
    case 'paid':
    case 'known':
      decide(world, command, batchOf(world, command), or);
      return;
    case 'release-absent':
    case 'drop':
    case 'reopen':
    case 'not-a-repeat':
    case 'not-paid': {
      const batch = batchOf(world, command);
      refuseProposal(world, command);
      if (command.do === 'release-absent') refuseMaker(world, batch, command);
      else decide(world, command, batch, or);
    }
  }
}

// ------------------------------------------------------------------------------------------------ versions
const waits = ({ state }: Row): boolean => state === 'planned' || state === 'ready';

/** The refusals of a version, in their order. */
function refuseVersion(
  { batch, cells, added, isNew, file }: Change,
  { add, drop }: SheetOrder,
  isPlanned: boolean,
): void {
  const isAddition = add && !drop;
  if (isNew && isAddition) refuse('NOTHING_TO_ADD_TO');
  const effects = cells.map((cell) => ({ ...cell, effect: versionTable[cell.standing][cell.column] }));
  const has = (effect: string) => effects.some((one) => one.effect === effect);
  if (has('refused')) refuse('SENT_ROWS_CHANGED');
  const older = cells.some(({ row, column }) => column === 'other' && isPast(row, contentOf(file.get(row.key)!)));
  const returns = effects.filter(({ effect }) => effect === 'comes back');
  if (!isPlanned && returns.some(({ row }) => row.closed === 'person')) refuse('ROWS_CLOSED');
  if (!isPlanned && (older || returns.length > 0)) refuse('OLDER_VERSION');
  if (isAddition && (has('new content') || has('invalid'))) refuse('ADDITION_CHANGES_ROWS');
  if (isAddition && looseLines(batch) > 0) refuse('ADDITION_ENDS_MISTAKES');
  if (isAddition || !cells.some(({ row }) => mayHavePayment(row) || (wasSent(row) && !waits(row)))) return;
  if (added.length > 0 && !add) refuse('ROWS_ADDED');
  if (has('closes') && !drop) refuse('ROWS_DROPPED');
}

/** A retry changes no row, so no rule of versions refuses it. */
const isRetry = (order: SheetOrder): boolean => 'again' in order && order.again === true;

/** A version that changed the money replaced it for every name. */
const isPast = (row: Row, content: Content): boolean =>
  row.past.includes(content.join()) ||
  ((row.isMistaken || !isSameMoney(row.content, content)) && row.past.includes(digestOf(content)));

const isSameContent = (one: Line, other: Line) => contentOf(one).join() === contentOf(other).join();
const differsInId = (one: Line, other: Line) => !one.hasId || !other.hasId;
const isRepeat = ({ lines }: SheetOrder, line: Line, at: number) =>
  lines.some((one, index) => index < at && differsInId(one, line) && isSameContent(one, line));

/** True for a row that may have a payment. */
const keepsContent = (standing: Standing): boolean => versionTable[standing].other === 'refused';

function planVersion(world: World, order: SheetOrder, isPlanned: boolean, confirms: boolean, said = order): Change {
  const change = changeOf(world, order);
  const { cells, file, isNew } = change;
  const isUnpayable = order.lines.every(({ isMistaken }) => isMistaken);
  const hasProblems =
    isUnpayable || (!order.skips && order.lines.some((line, at) => line.isMistaken || isRepeat(order, line, at)));
  const spoilsPaid = cells.some(({ standing, column }) => column === 'mistake' && keepsContent(standing));
  if (!hasProblems) refuseAlikeName(world, order);
  if ((!hasProblems || spoilsPaid) && !isRetry(order)) refuseVersion(change, said, isPlanned);
  if (hasProblems) refuse('SHEET_HAS_PROBLEMS');
  if (isNew) refusePaidSheet(world, order, file, confirms);
  const sent = cells.flatMap(({ row }) => (row.submittedAt === null ? [] : [row.submittedAt]));
  if (
    !isNew &&
    hasEnded(change) &&
    !(order.drop && endsMistakes(change, order)) &&
    sent.length > 0 &&
    world.now - Math.max(...sent) > dayMs
  )
    refuse('BATCH_PAID');
  return change;
}

function refuseAlikeName(world: World, { ledger, batch }: SheetOrder): void {
  const isAlike = (name: string) => name !== batch && name.toLowerCase() === batch.toLowerCase();
  if (Object.keys(world.ledgers[ledger]!.batches).some(isAlike)) refuse('BATCH_NAMES_ALIKE');
}

/** True if the whole batch is paid, and the sheet changes nothing. */
const hasEnded = ({ cells, added }: Change): boolean =>
  added.length === 0 &&
  cells.some(({ standing }) => standing !== 'closed') &&
  cells.every(({ row, standing, column }) =>
    standing === 'closed'
      ? column === 'missing' || column === 'mistake'
      : row.state === 'succeeded' && column !== 'other',
  );

/** More than half of a first version, and at least two of its rows, look paid: the sheet was paid. */
function refusePaidSheet(world: World, order: SheetOrder, file: ReadonlyMap<string, Line>, confirms: boolean): void {
  const rows = [...file].filter(([, { isMistaken }]) => !isMistaken);
  const held = rows.flatMap(([key, line]) => {
    const one = { key, content: contentOf(line), since: world.now, version: null };
    const holds = matchesOf(world, order, one).filter(({ decision }) => decision === 'hold');
    return holds.length === 0 ? [] : [holds];
  });
  if (!confirms && (held.length < 2 || held.length * 2 <= rows.length)) return;
  if (held.some((holds) => holds.some(({ isInDoubt }) => isInDoubt))) refuse('REPEATS_A_DOUBT');
  if (!confirms) refuse('SHEET_LOOKS_PAID');
}

function runSheet(world: World, order: Extract<Command, { do: 'run' }>, met: string[]): void {
  if (order.key === 'other') refuse('IDENTITY_CHANGED');
  const change = planVersion(world, order, false, order.confirms);
  if (!isHead(change, order)) refuseLivePayments(change, order);
  refuseProposal(world, order);
  takeClaims(change.batch, order.lines, world.now);
  if (isHead(change, order)) return;
  if (order.stale === true && !change.isNew) refuse('VERSION_CONFLICT');
  openVersion(world, order, change, { plan: null, met });
  // The word is for the first version of a batch.
  if (!order.confirms || !change.isNew) return;
  for (const row of Object.values(change.batch.rows)) clear(world, order, row);
}

/** The rows of the head again. A file with a mistake is a version of its own each time. */
function isHead({ batch, added, cells }: Change, { lines, add, drop }: SheetOrder): boolean {
  const head = headOf(batch);
  const isOfHead = (key: string) => head?.head.includes(key) === true;
  return (
    head !== null &&
    added.length === 0 &&
    [...head.lines, ...lines].every(({ isMistaken }) => !isMistaken) &&
    lines.length === head.lines.length &&
    cells.every(({ row, column }) => (column === 'missing') !== head.lines.some((line) => keyOf(line) === row.key)) &&
    cells.every(({ row, column }) => column === 'missing' || (column === 'same' && isOfHead(row.key))) &&
    ((add && !drop) || head.head.every((key) => lines.some((line) => keyOf(line) === key)))
  );
}

/** An expired payment may have come alive: the row then neither changes nor closes. */
function refuseLivePayments({ cells }: Change, { add, drop }: SheetOrder, retried: readonly string[] = []): void {
  for (const { row, standing, column } of cells) {
    const isLeft = column === 'missing' && add && !drop;
    const closes = column === 'missing' && standing !== 'closed';
    const isTouched = column === 'other' || closes || retried.includes(row.key);
    if (row.isAlive && standing !== 'may be paid' && isTouched && !isLeft) refuse('PAYMENT_ALIVE');
  }
}

interface Opening {
  readonly plan: number | null;
  readonly met: string[];
}

function openVersion(world: World, order: SheetOrder, change: Change, { plan, met }: Opening): void {
  const { batch, file, cells, added } = change;
  const isAddition = order.add && !order.drop && !change.isNew;
  const number = batch.versions.length + 1;
  const approvers = approversOf(world, batch, plan);
  const before = headOf(batch)?.head ?? [];
  for (const { row, standing, column } of cells) {
    const effect = versionTable[standing][column];
    met.push(`version: ${standing}, ${column}: ${effect}`);
    const line = file.get(row.key);
    // A row that the head lacks closes as soon as it cannot have a payment.
    const isLacked = effect === 'closes' || (standing === 'closed' && column === 'missing');
    if (isLacked && !isAddition) row.closed ??= 'version';
    if (effect === 'comes back') row.closed = null;
    if (line?.isMistaken === true && !isUnpaid(row) && !keepsContent(standing)) {
      if (!row.isMistaken) row.past.push(digestOf(row.content));
      Object.assign(row, { state: 'invalid', isMistaken: true, cleared: [], heldBy: [] });
    } else if (column === 'other') takeContent(row, contentOf(line!), number);
  }
  for (const key of added) {
    const line = file.get(key)!;
    met.push(`version: new, ${line.isMistaken ? 'mistake' : 'row'}: added`);
    batch.rows[key] = newRow(key, line, number, world.now);
  }
  const head = [...new Set([...(isAddition ? before : []), ...file.keys()])];
  batch.versions.push({ at: world.now, lines: order.lines, head, plan, approvers });
  world.ledgers[order.ledger]!.batches[batch.name] = batch;
}

/** Each file that lists a row says again whether the row is paid. A plan of before a claim does not end the claim. */
function takeClaims({ rows }: Batch, lines: readonly Line[], now: number, saidAt = now): void {
  for (const line of lines) {
    const row = rows[keyOf(line) ?? ''];
    if (row === undefined || line.isMistaken) continue;
    if (line.saysPaid) row.claimedAt = now;
    else if ((row.claimedAt ?? 0) <= saidAt) row.claimedAt = null;
  }
}

/** A retry: the same rows are the next version. */
function reopenHead(world: World, batch: Batch, retried: readonly string[], plan: number | null): void {
  for (const key of retried) goAgain(batch.rows[key]!);
  batch.versions.push({ ...headOf(batch)!, at: world.now, plan, approvers: approversOf(world, batch, plan) });
}

function approversOf(world: World, batch: Batch, plan: number | null): Version['approvers'] {
  const approvers = plan !== null && world.needed > 0 ? world.plans[plan]!.approvers : null;
  batch.signedFirst ||= approvers?.length ?? 0;
  return approvers;
}

/** True if the newest line of the row has a mistake. */
const hasMistake = ({ versions }: Batch, { key }: Row): boolean =>
  versions.flatMap(({ lines }) => lines).findLast((line) => keyOf(line) === key)?.isMistaken === true;

const newRow = (key: string, line: Line, version: number, at: number): Row => ({
  key,
  content: contentOf(line),
  past: [],
  state: line.isMistaken ? 'invalid' : 'planned',
  closed: null,
  attempts: 0,
  paymentId: null,
  heldFor: null,
  named: 0,
  revision: 0,
  sentAt: null,
  paidAt: null,
  submittedAt: null,
  version,
  cleared: [],
  heldBy: [],
  isAllowed: false,
  isMistaken: line.isMistaken,
  claimedAt: line.saysPaid && !line.isMistaken ? at : null,
  isKnown: false,
  expired: [],
  isAlive: false,
});

function takeContent(row: Row, content: Content, version: number): void {
  // No word was about the content that nobody could read.
  if (row.isMistaken)
    Object.assign(row, { state: 'planned', content, version, isMistaken: false, cleared: [], heldBy: [] });
  if (row.content.join() === content.join()) return;
  // A person's word about like payments stays while the money does.
  const isMoney = isSameMoney(row.content, content);
  row.past.push(isMoney ? row.content.join() : digestOf(row.content));
  if (row.state === 'expired') row.revision += 1;
  Object.assign(row, { content, state: 'planned', ...(isMoney ? {} : { version, cleared: [], heldBy: [] }) });
}

function goAgain(row: Row): void {
  if (row.state === 'expired') row.revision += 1;
  row.state = 'ready';
}

// ------------------------------------------------------------------------------------------------ plans
/** A retry has the unpaid rows of its sheet alone. */
function retryOrder(world: World, order: Plan['order']): Plan['order'] {
  const { batch, cells, isNew } = changeOf(world, order);
  const isUnpayable = order.lines.every(({ isMistaken }) => isMistaken);
  if (isUnpayable) refuse('SHEET_HAS_PROBLEMS');
  if (isNew) refuse('BATCH_UNKNOWN');
  const unpaid = cells.filter(
    ({ row, standing, column }) => standing === 'unpaid' && column === 'same' && !hasMistake(batch, row),
  );
  const lines = order.lines.filter(
    (line, at) => !isRepeat(order, line, at) && unpaid.some(({ row }) => row.key === keyOf(line)),
  );
  if (lines.length === 0) refuse('ROW_NOT_UNPAID');
  return { ...order, lines, add: true, drop: false };
}

const unpaidIn = ({ cells }: Change, { again }: Plan['order']) =>
  again
    ? cells.filter(({ standing, column }) => standing === 'unpaid' && column === 'same').map(({ row }) => row.key)
    : [];

function makePlan(world: World, given: Plan['order'], met: string[]): number {
  const order = given.again ? retryOrder(world, given) : given;
  const change = planVersion(world, order, true, false);
  refuseProposal(world, order);
  const { batch } = change;
  met.push(`plan: ${order.again ? 'a retry' : 'a sheet'}`);
  const number = Object.keys(world.plans).length;
  const shown = shownBy(world, order, change, unpaidIn(change, order));
  world.plans[number] = { order, base: batch.versions.length, shown, at: world.now, isEnded: false, approvers: [] };
  return number;
}

/** A plan of an older version meets what a new plan meets, as if nobody had said that the sheet is the whole list. */
function refuseStale(world: World, order: Plan['order']): never {
  planVersion(world, order, false, false, { ...order, add: order.add && !order.drop, drop: false });
  return refuse('VERSION_CONFLICT');
}

/** A plan is opened on its base alone, and only if it still does what it showed. */
function runPlan(world: World, command: Extract<Command, { do: 'run plan' }>, met: string[], or: string[]): void {
  const { plan: number } = command;
  const { order, base, shown, at, isEnded } = world.plans[number]!;
  if (isEnded) refuse('PLAN_DECLINED');
  // The other ledger, or a run that died, may have made a merchant that the plan was to make. A warning has the time of the other payment.
  const others = world.ledgers.flatMap(({ batches }, ledger) =>
    Object.values(batches).filter(
      ({ name, versions, rows }) =>
        ledger !== order.ledger ||
        (name !== order.batch &&
          [versions.at(-1)!.at, ...Object.values(rows).map((row) => row.sentAt ?? 0)].some((one) => one >= at)),
    ),
  );
  if (others.length > 0) or.push('PLAN_DIFFERS');
  const known = world.ledgers[order.ledger]!.batches[order.batch];
  const began = known?.versions.at(-1)?.plan === number;
  if (!began && (known?.versions.length ?? 0) !== base) refuseStale(world, order);
  if (!began && world.now - at >= planMs) refuse('PLAN_DIFFERS');
  refuseApprovals(world, known, command, began);
  const change = planVersion(world, order, !began, false);
  // An addition does not show the unsent rows that it lacks.
  const lacksUnsent = change.cells.some(({ standing, column }) => standing === 'never sent' && column === 'missing');
  if (!began && order.add && !order.drop && lacksUnsent) refuseUnapproved(world, change.batch, {});
  const retried = unpaidIn(change, order);
  if (!began) {
    refuseLivePayments(change, order, retried);
    if (differs(shown, shownBy(world, order, change, retried))) refuse('PLAN_DIFFERS');
  }
  takeClaims(change.batch, order.lines, world.now, at);
  // A plan that began opens no version. Its hold lets nothing be sent.
  if (began) return;
  refuseProposal(world, order, number);
  if (order.again) reopenHead(world, change.batch, retried, number);
  else openVersion(world, order, change, { plan: number, met });
  const { proposals } = world.ledgers[order.ledger]!;
  met.push(`plan: ${proposals[order.batch] === number ? 'proposed' : 'not proposed'}, opened`);
  delete proposals[order.batch];
}

function propose(world: World, order: Plan['order'], met: string[]): void {
  const change = changeOf(world, order);
  const number = makePlan(world, order, met);
  const { shown } = world.plans[number]!;
  if (!order.again && !hasEffect(shown, change) && !endsMistakes(change, order)) refuse('NOTHING_TO_SEND');
  world.ledgers[order.ledger]!.proposals[order.batch] = number;
}

// ------------------------------------------------------------------------------------------------ a person's word
function retry(world: World, batch: Batch, place: Place): void {
  const unpaid = Object.values(batch.rows).filter(isUnpaid);
  const rows = unpaid.filter((row) => standingIn(batch, row) === 'unpaid' && !hasMistake(batch, row));
  if (rows.length > 0 && headOf(batch)?.plan !== null) refuse('RETRY_UNPLANNED');
  if (rows.some(({ isAlive }) => isAlive)) refuse('PAYMENT_ALIVE');
  refuseHold(world, place);
  const keys = rows.map(({ key }) => key);
  if (keys.length > 0) reopenHead(world, batch, keys, null);
}
