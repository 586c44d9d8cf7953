/** Compares the product with the reference after each command. */
import { readFileSync } from 'node:fs';
import { wordOfRow } from '../../src/ledger/ledger.ts';
import { rememberPolicy } from './approvals.ts';
import type { Command, SheetOrder } from './commands.ts';
import type { Ending, Real } from './desk.ts';
import { holdsOf, rowMatches } from './matches.ts';
import { type Batch, isAlarm, isHeld, isInHead, type Row, standingIn, type World } from './model-world.ts';
import { isSurprise } from './oracle.ts';
import { dayMs } from './parameters.ts';
import type { Applied } from './reference.ts';
import { compareAbsences, compareAlarms, compareLastScan } from './scans.ts';
import { knowsPolicy, type SeenBatch, type SeenRow, seenIn } from './seen.ts';
import { type Content, contentOf, keyOf, type Line, newLine } from './sheet.ts';
import { alarms, compareStops } from './stops.ts';
import { closenessOf, duplicatesTable, mayHavePayment } from './tables.ts';

/** Refusals that depend on the service, the clock or another ledger, which the reference does not know. */
export const beyondReference: ReadonlySet<string> = new Set([
  'STOPPED',
  'PAYMENT_MAY_APPEAR',
  'PAYMENT_FOUND',
  'PAYMENT_EXPIRED',
  'PAYMENT_DIFFERS',
  'PAYMENT_OF_OTHER_ROW',
  'PAYMENT_NOT_AT_SERVICE',
  'ROW_LOOKS_PAID',
]);
export interface Step {
  readonly command: Command;
  readonly before: World;
  readonly applied: Applied;
  readonly name: string;
  readonly ending: Ending;
}

export interface Judged {
  readonly world: World;
  readonly seen: readonly (readonly SeenBatch[])[];
  readonly hasHappened: boolean;
  readonly differences: readonly string[];
  /** The cells and refusals that the step hit. */
  readonly met: readonly string[];
}

export function judge(real: Real, step: Step): Judged {
  const { command, before, applied, ending } = step;
  const seen = real.desks.map((_, ledger) => seenIn(real, ledger));
  const differences: string[] = [];
  const met: string[] = ending.kind === 'refused' ? [`refused: ${ending.code}`] : [];
  const hasHappened = happened(step, seen, differences);
  const world = hasHappened ? applied.world : before;
  if (hasHappened) met.push(...applied.met);
  if (ending.kind === 'ended' && ending.outcome.kind === 'stopped') met.push(`stopped: ${ending.outcome.stopped.code}`);
  if (ending.kind === 'died') met.push(`died: ${command.do}`);
  for (const [ledger, batches] of seen.entries())
    for (const batch of batches) {
      const own = world.ledgers[ledger]!.batches[batch.name];
      if (own === undefined) differences.push(`batch ${batch.name} is not in the reference`);
      else compareRows(own, batch, differences);
    }
  for (const [ledger, { batches }] of world.ledgers.entries())
    for (const name of Object.keys(batches))
      if (!seen[ledger]!.some((one) => one.name === name)) differences.push(`batch ${name} is lost`);
  compareAbsences(real, step, seen, differences);
  compareLastScan(real, step, differences);
  compareAlarms(step, seen, differences);
  if (differences.length === 0) compareStops({ real, step, world }, seen, differences);
  if (hasHappened && ending.kind === 'ended' && (command.do === 'plan' || command.do === 'propose'))
    comparePlan(real, world, seen, differences);
  if (differences.length === 0) compareSends(real, step, world, seen, differences, met);
  const now = structuredClone(world);
  now.now = real.story.timeline.now();
  const order = 'plan' in command ? before.plans[command.plan]!.order : command;
  if ('ledger' in order)
    rememberPolicy(
      now.ledgers[order.ledger]!,
      now,
      command,
      () => ending.kind === 'ended' || knowsPolicy(real, order.ledger),
    );
  if (ending.kind !== 'ended' && 'lines' in order) forgetClaims(now, before, order);
  for (const [ledger, batches] of seen.entries())
    for (const batch of batches) sync(real, now.ledgers[ledger]!.batches[batch.name], batch);
  return { world: now, seen, hasHappened, differences, met };
}

/** True if the command did what the reference says. Adds a difference if product and reference disagree. */
function happened(
  { command, before, applied, ending }: Step,
  seen: readonly (readonly SeenBatch[])[],
  differences: string[],
): boolean {
  const { refused, or, world } = applied;
  if (ending.kind === 'died') {
    if (refused !== null) return false;
    // A version is opened in one transaction, so its number says whether the death came before or after.
    const opened = world.ledgers.flatMap(({ batches }, ledger) =>
      Object.values(batches)
        .filter(({ name, versions }) => versions.length > (before.ledgers[ledger]!.batches[name]?.versions.length ?? 0))
        .map(
          ({ name, versions }) =>
            (seen[ledger]!.find((one) => one.name === name)?.versions.length ?? 0) === versions.length,
        ),
    );
    return opened.every(Boolean);
  }
  if (ending.kind === 'refused') {
    if (ending.code === refused || [...or, ...alarms, ...beyondReference].includes(ending.code))
      return wasOpened(before, applied, seen);
    differences.push(`${command.do} was refused with ${ending.code}, and the reference says ${refused ?? 'nothing'}`);
    return false;
  }
  if (refused === null) return true;
  differences.push(`${command.do} ended, and the reference refuses it with ${refused}`);
  return false;
}

/** A command may be refused after its version was opened, for example at the service. */
function wasOpened(before: World, { world, refused }: Applied, seen: readonly (readonly SeenBatch[])[]): boolean {
  if (refused !== null) return false;
  return world.ledgers.some(({ batches }, ledger) =>
    Object.values(batches).some(
      ({ name, versions }) =>
        versions.length > (before.ledgers[ledger]!.batches[name]?.versions.length ?? 0) &&
        seen[ledger]!.find((one) => one.name === name)?.versions.length === versions.length,
    ),
  );
}

const isTwice = ({ state }: SeenRow) => state.startsWith('duplicate');

function compareRows(batch: Batch, seen: SeenBatch, differences: string[]): void {
  const say = (key: string, what: string) => differences.push(`${batch.name}/${key}: ${what}`);
  if (batch.versions.length !== seen.versions.length)
    differences.push(
      `${batch.name} has ${seen.versions.length} versions, and in the reference ${batch.versions.length}`,
    );
  const known = new Map(seen.rows.map((row) => [row.key, row]));
  for (const row of Object.values(batch.rows)) {
    const own = known.get(row.key);
    known.delete(row.key);
    if (own === undefined) say(row.key, 'the row is lost');
    else {
      if (own.closed !== row.closed) say(row.key, `closed by ${own.closed}, and in the reference by ${row.closed}`);
      compareRow(batch, row, own, say);
    }
  }
  for (const key of known.keys()) say(key, 'the reference has no such row');
}

function compareRow(batch: Batch, row: Row, own: SeenRow, say: (key: string, what: string) => void): void {
  // A list scan may have found a payment of the row, whatever its line is.
  const isUnsent = ['planned', 'ready', 'invalid'].includes(own.state);
  if (isUnsent && (own.state === 'invalid') !== (row.state === 'invalid'))
    say(row.key, `${own.state}, and in the reference ${row.state}`);
  const isReadable = own.state !== 'invalid' && own.content[2] !== '0';
  if (isReadable && own.content.join() !== row.content.join())
    say(row.key, `has ${own.content.join(' ')}, and in the reference ${row.content.join(' ')}`);
  if (own.isInHead !== isInHead(batch, row.key) && !mayHavePayment(own) && own.closed === null)
    say(row.key, `is ${own.isInHead ? '' : 'not '}in the head, unlike in the reference`);
}

type Seen = readonly (readonly SeenBatch[])[];

interface Warning {
  readonly code: string;
  readonly row: number | null;
  readonly facts: { readonly effect?: 'holds' | 'pays' };
}

interface PlanText {
  readonly warnings: readonly Warning[];
  readonly rows: readonly { readonly row: number; readonly standing: string }[];
}

/** The newest plan shows people each row as it stands, each row that looks like another payment, and what becomes of the row. */
function comparePlan(real: Real, { plans }: World, seen: Seen, differences: string[]): void {
  const number = real.plans.size - 1;
  const { shown } = plans[number]!;
  const { order, path } = real.plans.get(number)!;
  const { warnings, rows } = JSON.parse(readFileSync(path, 'utf8')) as PlanText;
  const known = new Map(
    seen[order.ledger]!.find(({ name }) => name === order.batch)?.rows.map((row) => [row.key, row]),
  );
  // Nothing is sent after the plan was made, and no doubt of the plan was only a request under way.
  for (const { row, standing } of rows) {
    const key = keyOf(order.lines[row - 2]!)!;
    // A closed row that the plan has comes back as it was.
    const word = wordOfRow({ state: known.get(key)?.state ?? 'planned', closed: null });
    if ([word, standing].includes('in doubt') ? word !== standing : standing === 'not sent' && isPaidWord(word))
      differences.push(`plan ${number} shows that ${key} is ${standing}, and it is ${word}`);
  }
  const near = warnings.flatMap(({ code, row }) => (code === 'ROW_ALIKE' ? [row! - 2] : []));
  const nearIs = rows
    .map(({ row }) => row - 2)
    .filter((at) => order.lines.slice(0, at).some((one) => isNear(one, order.lines[at]!)));
  if (near.join() !== nearIs.join())
    differences.push(
      `plan ${number} shows that ${near.join(', ')} repeat lines, and in the reference ${nearIs.join(', ')}`,
    );
  // The header is row 1.
  const warned = warnings.flatMap(({ code, row, facts: { effect } }) => {
    if (code !== 'LOOKS_PAID' && code !== 'LOOKS_WAITING') return [];
    const decision = effect === 'holds' ? 'hold' : 'warning';
    return [`${keyOf(order.lines[row! - 2]!)} ${code === 'LOOKS_WAITING' ? 'waits' : decision}`];
  });
  if (warned.toSorted().join() !== shown.alike.toSorted().join())
    differences.push(`plan ${number} shows ${warned.join(', ')}, and in the reference ${shown.alike.join(', ')}`);
}

/** Two lines of one sheet with the same account and amount. */
const isNear = (one: Line, other: Line) =>
  !one.isMistaken && !other.isMistaken && [1, 2].every((part) => contentOf(one)[part] === contentOf(other)[part]);

const isPaidWord = (word: string) => word === 'pending' || word === 'paid';

/** Rows that got a request: each was in the head, open, and not held by the table of duplicates. No alarm stood. */
function compareSends(
  real: Real,
  { before, name, ending, command }: Step,
  world: World,
  seen: readonly (readonly SeenBatch[])[],
  differences: string[],
  met: string[],
): void {
  const order = 'plan' in command ? before.plans[command.plan]!.order : command;
  const skips = 'skips' in order ? order.skips : true;
  for (const [ledger, batches] of seen.entries()) {
    const known = before.ledgers[ledger]!.batches;
    const hasAlarm = batches.some((one) =>
      one.rows.some((row) => isTwice(row) && [known[one.name]?.rows[row.key]].some((was) => was && isAlarm(was))),
    );
    const paid = batches.flatMap(({ rows }) => rows.flatMap(({ paymentId, tag }) => [paymentId, tag]));
    for (const batch of batches) {
      const place = { ledger, batch: batch.name };
      const own = world.ledgers[ledger]!.batches[batch.name]!;
      // A run under the plan that waits ends its hold.
      const isHeldNow = isHeld(
        command.do === 'run plan' ? world.ledgers[ledger]! : before.ledgers[ledger]!,
        batch.name,
      );
      const hasUnknown = batch.rows.some(
        ({ key, state, closed, attempts }) =>
          own.rows[key]!.claimedAt !== null &&
          closed === null &&
          (['planned', 'ready'].includes(state) || attempts > (known[batch.name]?.rows[key]?.attempts ?? 0)),
      );
      for (const now of batch.rows) {
        const row = own.rows[now.key]!;
        const was = before.ledgers[ledger]!.batches[batch.name]?.rows[now.key];
        const isSent = now.attempts > (was?.attempts ?? 0);
        const waits = ['planned', 'ready'].includes(row.state) && standingIn(own, row) === 'never sent';
        const matches = waits ? rowMatches(world, place, row) : [];
        if (isSent || now.heldFor === 'looks-paid')
          for (const { line, decision } of matches) met.push(`duplicate: ${line}: ${decision}`);
        if (isSent && command.do === 'continue' && before.ledgers[ledger]!.batches[batch.name]?.isStopped === true)
          differences.push(`${name} sent ${batch.name}/${now.key}, although only a person may continue the batch`);
        // A payee whom the service did not make stops the run, unless the order skips such rows.
        if (isSent && !skips && batch.rows.some(waitsForPayee))
          differences.push(`${name} sent ${batch.name}/${now.key}, although another payee is missing`);
        if (isSent && hasUnknown)
          differences.push(
            `${name} sent ${batch.name}/${now.key}, although a result file says that other rows are paid`,
          );
        if (isSent && hasAlarm) differences.push(`${name} sent ${batch.name}/${now.key}, although an alarm stands`);
        if (isSent && isHeldNow) differences.push(`${name} sent ${batch.name}/${now.key}, although a hold stands`);
        const holds = waits ? holdsOf(world, place, row) : [];
        if (now.heldFor === 'looks-paid') row.heldBy.push(...holds);
        if (isSent && holds.length > 0)
          differences.push(`${name} sent ${batch.name}/${now.key}, which waits for ${holds.join(', ')}`);
        if (isSent && !waits && !maySendAgain(row, was))
          differences.push(`${name} sent ${batch.name}/${now.key}, which is ${row.state} (${standingIn(own, row)})`);
        const since = row.sentAt ?? own.versions[row.version - 1]!.at;
        if (
          isSent &&
          waits &&
          !row.isAllowed &&
          holdsListed(real, ledger, row, { since, now: before.now, known: paid })
        )
          differences.push(`${name} sent ${batch.name}/${now.key}, although the list shows a like payment`);
        const looksPaid = now.heldFor === 'looks-paid' && row.state !== 'withheld';
        if (looksPaid && holds.length === 0 && !isListedLike(real, ledger, now.content) && ending.kind === 'ended')
          differences.push(`${name} held ${batch.name}/${now.key} without a match`);
        const isAbout = command.do === 'not-a-repeat' && command.ledger === ledger && command.batch === batch.name;
        const isRefused = ending.kind === 'refused' && ending.code === 'ROW_LOOKS_PAID';
        const isLike = isListedLike(real, ledger, now.content) || holdsOf(world, place, row).length > 0;
        if (isAbout && isRefused && command.key === now.key && !(isLike && now.named > (was?.named ?? 0)))
          differences.push(
            `${name} refused a word about ${batch.name}/${now.key}, although its reason names no new payment`,
          );
      }
    }
  }
}

/** A run readies each row whose payee it knows. */
const waitsForPayee = ({ state, closed, isInHead: isListed }: SeenRow) =>
  state === 'planned' && closed === null && isListed;

interface Listed {
  readonly since: number;
  readonly now: number;
  /** The payments and tags of the rows of this ledger. The table of duplicates compares those rows. */
  readonly known: readonly (string | null)[];
}

/** True if the list shows a payment of another ledger for which the row has to wait. */
const holdsListed = (
  { world, desks }: Real,
  ledger: number,
  { content }: Row,
  { since, now, known }: Listed,
): boolean =>
  world.payments.some((one) => {
    const isOurs =
      one.row === null ||
      one.madeBy.startsWith(desks[ledger]!.name) ||
      known.includes(one.id) ||
      known.includes(one.tag);
    if (isOurs || one.madeAt >= now || one.status === 'expired') return false;
    const [name, account] = contentOf(newLine(one.row));
    const closeness = closenessOf(content, [name, account, String(one.amount), one.reference]);
    const facts = { isHere: false, isInFile: false, wasMeanwhile: one.madeAt > since };
    const other = { ...facts, is: 'paid', days: (now - one.madeAt) / dayMs } as const;
    return closeness !== null && duplicatesTable.find(({ fits }) => fits({ ...other, closeness }))?.decision === 'hold';
  });

/** A list scan may have shown a payment that agrees with the row, and that the ledger did not expect. */
const isListedLike = ({ world, desks }: Real, ledger: number, content: Content): boolean =>
  world.payments.some(
    (one) =>
      (isSurprise(world, one) || !one.madeBy.startsWith(desks[ledger]!.name)) &&
      closenessOf(content, [content[0], content[1], String(one.amount), one.reference]) !== null,
  );

/** A row that Payrun itself proves absent, or that a service refused for the moment, may go again in the same run. */
const maySendAgain = (row: Row, was: Row | undefined): boolean =>
  ['in_doubt', 'absent', 'sending'].includes(was?.state ?? '') || row.state === 'ready';

export const livesAgain = (payments: Real['world']['payments'], { expired }: Pick<Row, 'expired'>): boolean =>
  payments.some(({ id, status }) => expired.includes(id) && status !== 'expired');

/** A run that did not end may have read its file, or not. */
function forgetClaims(now: World, before: World, { ledger, batch, lines }: SheetOrder): void {
  const [rows, was] = [now, before].map(({ ledgers }) => ledgers[ledger]!.batches[batch]?.rows ?? {});
  for (const line of lines) {
    const key = keyOf(line) ?? '';
    if (rows?.[key] !== undefined && !(line.saysPaid && was?.[key]?.claimedAt)) rows[key].claimedAt = null;
  }
}

/** Takes from the ledger all that the service decides. */
function sync({ world: { payments } }: Real, batch: Batch | undefined, { rows, versions, stands }: SeenBatch): void {
  if (batch === undefined) return;
  batch.isStopped = stands === 'stopped';
  for (const [index, at] of versions.entries()) if (batch.versions[index] !== undefined) batch.versions[index].at = at;
  for (const seen of rows) {
    const row = batch.rows[seen.key];
    if (row === undefined) continue;
    const { state, attempts, paymentId, heldFor, named, sentAt, paidAt, submittedAt, isAllowed } = seen;
    if (state === 'expired' && paymentId !== null && !row.expired.includes(paymentId)) row.expired.push(paymentId);
    const facts = { state, attempts, paymentId, heldFor, named, sentAt, paidAt, submittedAt, isAllowed };
    Object.assign(row, { ...facts, isAlive: livesAgain(payments, row) });
  }
}
