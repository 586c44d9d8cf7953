/** The commands for rows that no run settles by itself: reconcile, resolve, retry, explain, ledger rebind. */
import type { TrailEntry } from '../../audit/chain.ts';
import { createPlans, type Retry, type TakenSheet, type ToldPlan } from '../../audit/plans.ts';
import { systemClock, timeWords } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { counted, moneyOf } from '../../base/words.ts';
import { rightsOf } from '../../domain/sending/actor.ts';
import { reasonsIn } from '../../domain/sending/reason.ts';
import { type BatchFacts, type Ledger, type LedgerRow, wordOf } from '../../ledger/ledger.ts';
import { reasonWords, trailReasonWords } from '../../messages/reasons.ts';
import type { Deps } from '../../pipeline/deps.ts';
import {
  type Outcome,
  planNote,
  planOf,
  planWords,
  type RetryPlan,
  retryNote,
  retryPlans,
} from '../../pipeline/outcome.ts';
import { actorOf, advanceOrder, approveOrder, retryRowsIn } from '../args/order.ts';
import { readWhole } from '../args/values.ts';
import { type Args, flag, text, type World } from '../compose/world.ts';
import { withDeps } from './pay.ts';
import { batchNamed, ledgerView, payeeOf, withLedgerOnly } from './status.ts';

/** Runs `payrun reconcile [BATCH]`: searches for payments of rows in doubt, and writes the result again. */
export async function reconcileRows(args: Args, world: World): Promise<number> {
  const { openBatch, reconcileBatch } = await import('../../app/resolve-row.ts');
  const { concluded, concludeFor } = await import('../../app/run-batch.ts');
  return await withDeps(
    args,
    world,
    async (deps) => {
      const { name } = await batchNamed(deps.ledger, text(args, 'batch'));
      const owed =
        rightsOf(deps.actor).afterSignal === 'worker' ? await concludeFor(deps, advanceOrder(args, world), name) : null;
      if (owed !== null) return owed;
      const batch = await openBatch(deps, name);
      return await concluded(deps, advanceOrder(args, world), batch, async () => {
        const { pages, payments, adopted, absent, incomplete, alarm } = await reconcileBatch(deps, batch);
        const read = `Read ${counted(payments, 'payment')} on ${counted(pages, 'page')}: ${counted(adopted, 'row')} found, ${absent} proven absent.`;
        const notes = [read, ...(incomplete === null ? [] : [`The list proves no absence: ${incomplete}.`])];
        return { notes, alarm };
      });
    },
    'status',
  );
}

const ways = ['paid', 'not-paid', 'not-a-repeat', 'known', 'given-up', 'release-absent', 'gone'] as const;
/** Decisions after which a row may be sent. */
const lettingGo: readonly string[] = ['not-paid', 'not-a-repeat', 'release-absent'];
const ofOneRow: readonly string[] = ['paid', 'not-paid', 'not-a-repeat', 'known', 'given-up'];

/** Runs `payrun resolve BATCH` with exactly one decision. */
export async function resolveRows(args: Args, world: World): Promise<number> {
  const said = ways.filter((way) => flag(args, way) || text(args, way) !== null);
  const [way] = said;
  if (way === undefined || said.length > 1)
    throw new PayrunError('USAGE', { detail: `resolve takes exactly one of --${ways.join(', --')}` });
  const reason = text(args, 'reason') ?? '';
  if (way !== 'paid' && reason.trim() === '')
    throw new PayrunError('USAGE', { detail: `--${way} takes a --reason, which the trail keeps` });
  const row = text(args, 'row');
  if (row === null && ofOneRow.includes(way))
    throw new PayrunError('USAGE', { detail: `--${way} takes the --row that it is about` });
  if (row !== null && way === 'gone')
    throw new PayrunError('USAGE', { detail: '--gone takes no --row: it is about a --payment' });
  const sheet = text(args, 'sheet');
  if (sheet !== null && way !== 'given-up')
    throw new PayrunError('USAGE', { detail: `--${way} takes no --sheet; that goes with --given-up` });
  const payment = text(args, 'payment');
  if (payment !== null && way !== 'gone')
    throw new PayrunError('USAGE', { detail: `--${way} takes no --payment; that goes with --gone` });
  if (way === 'gone' && payment === null)
    throw new PayrunError('USAGE', { detail: '--gone takes the --payment that it is about' });
  return await withDeps(
    args,
    world,
    async (deps) =>
      await resolveOne(deps, args, world, {
        way,
        row: row ?? '',
        sheet: sheet === null ? null : readWhole(sheet, '--sheet', 1, 999_999_999),
        payment: payment ?? '',
        reason,
      }),
    'status',
  );
}

async function resolveOne(
  deps: Deps,
  args: Args,
  world: World,
  {
    way,
    row,
    sheet,
    payment,
    reason,
  }: { way: (typeof ways)[number]; row: string; sheet: number | null; payment: string; reason: string },
): Promise<Outcome> {
  const resolve = await import('../../app/resolve-row.ts');
  const { concluded } = await import('../../app/run-batch.ts');
  const order = advanceOrder(args, world);
  const isLettingGo = lettingGo.includes(way);
  if (isLettingGo) await resolve.requirePolicy(deps, text(args, 'batch'));
  const batch = await resolve.openBatch(deps, text(args, 'batch') ?? '');
  if (isLettingGo && deps.policy !== undefined) await resolve.requireApproved(deps, batch);
  const found = async () => await resolve.findRow(deps, batch, row);
  const said = { why: reason, by: actorOf(world).name };
  const say: { readonly [W in (typeof ways)[number]]: () => Promise<string> } = {
    paid: async () => await resolve.resolvePaid(deps, await found(), text(args, 'paid') ?? '', said),
    'not-paid': async () => await resolve.resolveNotPaid(deps, batch, row, said),
    'not-a-repeat': async () => await resolve.releaseRepeat(deps, await found(), said),
    known: async () => await resolve.resolveKnown(deps, await found(), reason),
    'given-up': async () => await resolve.giveUp(deps, batch, { row, sheet }, said),
    'release-absent': async () => await resolve.releaseAbsent(deps, batch, row === '' ? null : row, said),
    gone: async () => await resolve.resolveGone(deps, batch, payment, reason),
  };
  return await concluded(deps, order, batch, async () => ({
    notes: [await say[way]()],
    alarm: null,
  }));
}

/** Runs `payrun retry BATCH [--rows …]`: sends unpaid rows again, and continues the batch. */
export async function retryRows(args: Args, world: World): Promise<number> {
  const { markForRetry, openBatch, openRetry, requirePolicy, resultPlace } = await import('../../app/resolve-row.ts');
  const { resume } = await import('../../app/run-batch.ts');
  const { heedSignal } = await import('../../pipeline/sending/together.ts');
  const approve = approveOrder(args, world);
  return await withDeps(args, world, async (deps) => {
    const name = text(args, 'batch') ?? '';
    await requirePolicy(deps, name);
    const over = new AbortController();
    heedSignal(deps, name, over.signal);
    const batch = await openBatch(deps, name);
    const order = advanceOrder(args, world);
    const approved = await openRetry(deps, approve, batch, { ...order, ...resultPlace(batch, order) });
    const notes = await markForRetry(deps, batch, await retryKeys(args, deps.ledger, batch.name), approved);
    over.abort();
    const outcome = await resume(deps, order, name);
    // Rows that are sent again have their own plan, which the first note names.
    const [own] = planNote(batch);
    const others = outcome.notes.flatMap((note) =>
      approved !== null && note === own ? planNote(batch, 'All else runs under') : [note],
    );
    return { ...outcome, notes: [...notes, ...others] };
  });
}

/** Returns the chosen keys; null for every unpaid row. Throws if a key with commas also reads as a list. */
async function retryKeys(args: Args, ledger: Ledger, batch: string): Promise<readonly string[] | null> {
  const one = retryRowsIn(args);
  const list = text(args, 'rows');
  if (list === null) return one.length === 0 ? null : one;
  if (list.includes(',') && (await ledger.rowByKey(batch, list.trim())) !== null)
    throw new PayrunError('USAGE', {
      detail: `--rows '${list}' is a row of batch ${batch} and a list as well; name each row by a --retry-row of its own`,
    });
  return [...one, ...list.split(',').map((key) => key.trim())];
}

/** The reason of a row in doubt whose run ended before the answer arrived. */
const unanswered = 'It was sent, and no answer has told what became of it: it may be paid, so do not pay it elsewhere.';

const retryOf = (retries: readonly RetryPlan[], sentAgain: number) =>
  retries.findLast(({ at }) => Date.parse(at) <= sentAgain) ?? null;

interface Left {
  readonly sheet: TakenSheet;
  readonly retry: Retry | null;
}

/** Returns the sheet and retry under which the row was last sent; null if never, or under the current sheet. */
function leftBefore(told: readonly TrailEntry[], { batch, key }: LedgerRow): Left | null {
  const plans = createPlans();
  let left: Left | null = null;
  for (const entry of told) {
    plans.take(entry);
    const sheet = plans.of(batch).at(-1);
    if (entry.what === 'move' && entry.data.to === 'sending' && sheet !== undefined)
      left = { sheet, retry: sheet.retries.findLast(({ sent }) => sent.has(key)) ?? null };
  }
  return left === null || left.sheet === plans.of(batch).at(-1) ? null : left;
}

function planOfTold({ plan, made }: TakenSheet): (ToldPlan & { readonly maker: string }) | null {
  return plan === null ? null : { ...plan, maker: String(made.maker) };
}

function leftWords({ sheet }: Left, batch: BatchFacts): string[] {
  const plan = planOfTold(sheet);
  if (plan !== null) return [`Ran under ${planWords(plan)}.`];
  const under = planOf(batch) === null ? '' : ', under no plan';
  // A person does not see the same file, submitted again, as another sheet.
  return under === '' && sheet.name === batch.sheet.name
    ? []
    : [`It was sent from an earlier sheet, ${sheet.name}${under}.`];
}

/** Runs `payrun explain BATCH ROW`: shows everything that the ledger knows about one row, oldest first. */
export async function explainRow(args: Args, world: World): Promise<number> {
  const { copyWordsOf, findRow, nextStepOf, stopsAsRepeat } = await import('../../app/resolve-row.ts');
  return await withLedgerOnly(args, world, async (ledger) => {
    const batch = await batchNamed(ledger, text(args, 'batch'));
    const row = await findRow({ ledger }, batch, text(args, 'row') ?? '');
    const trail = await ledger.trailOf(row.id);
    // If the row was sent again after the sheet arrived, the plan of that retry applies.
    const last = trail.findLast(({ what, data }) => what === 'move' && data.why === 'sent again')?.at ?? 0;
    const retries = await retryPlans(ledger, batch.name);
    const before = last < batch.sheet.receivedAt ? leftBefore(await ledger.plansTold(batch.name, row.id), row) : null;
    const again =
      before === null
        ? last < batch.sheet.receivedAt
          ? null
          : retryOf(retries, last)
        : (retries.find(({ plan_digest: digest }) => digest === `sha256:${before.retry?.plan.digest}`) ?? null);
    const copied = (await copyWordsOf(ledger, batch.name)).get(row.id);
    const next = nextStepOf(
      row,
      batch,
      ledgerView(batch, args, world),
      await ledger.lastListed(batch.name),
      copied !== undefined,
      wordOf[row.state] === 'not sent' && (await stopsAsRepeat(ledger, batch, systemClock.now())),
    );
    const payee = payeeOf(row);
    const reason = reasonWords(row.reason) ?? (wordOf[row.state] === 'in doubt' ? unanswered : null);
    const why = [copied, reason].filter((words) => words != null);
    if (flag(args, 'json')) {
      const reasons = { reason: reasonWords(row.reason), reasons: reasonsIn(row.reason) };
      const told = { ...row, ...reasons, word: wordOf[row.state] };
      const { name: sheet } = batch.sheet;
      world.streams.out.write(
        `${JSON.stringify({ batch: batch.name, sheet, plan: before === null ? planOf(batch) : planOfTold(before.sheet), retry: again, row: told, payee, why: why.join(' ') || null, next, trail })}\n`,
      );
      return 0;
    }
    const facts = [
      `Row ${row.key} of batch ${batch.name} (row ${row.number} of ${batch.sheet.name}): ${wordOf[row.state]}`,
      `  ${payee.name}, ${payee.destination}, '${payee.reference}'`,
      `  ${moneyOf({ ...row, amount: row.paidAmount ?? row.amount })}${row.paidAmount === null ? '' : ` (the sheet says ${moneyOf(row)})`}, tag ${row.tag}, payment ${row.paymentId ?? 'none'}`,
      ...(before === null
        ? planNote(batch)
        : [...leftWords(before, batch), ...planNote(batch, 'The batch runs by now under')]
      ).map((note) => `  ${note}`),
      ...(again === null ? [] : [`  ${retryNote(again, 'This row was sent again')}`]),
      ...why.map((words) => `  ${words}`),
      ...(next === null
        ? []
        : [
            `  Next${next.after === null ? '' : ` (after ${timeWords(Date.parse(next.after))})`}: ${next.command}`,
            `    ${next.what}`,
          ]),
      '',
      ...trail.map(({ at, what, data }) => `  ${timeWords(at)}  ${what.padEnd(8)}  ${dataWords(data)}`),
    ];
    world.streams.out.write(`${facts.join('\n')}\n`);
    return 0;
  });
}

function dataWords(data: Readonly<Record<string, unknown>>): string {
  const { from, to, reason, ...others } = data;
  const rest = { ...others, reason: trailReasonWords(reason) ?? reason };
  const move = typeof from === 'string' && typeof to === 'string' ? [`${from} → ${to}`] : [];
  const told = Object.entries(rest)
    .filter(([, value]) => value != null)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [...move, ...told].join('; ');
}

/** Runs `payrun ledger rebind BATCH`: another key, user or address continues the batch. */
export async function rebindBatch(args: Args, world: World): Promise<number> {
  const { rebind } = await import('../../app/resolve-row.ts');
  const { batchOutcome, viewOf } = await import('../../pipeline/outcome.ts');
  const reason = text(args, 'reason') ?? '';
  return await withDeps(
    args,
    world,
    async (deps) => {
      const note = await rebind(deps, text(args, 'batch') ?? '', reason);
      const batch = await batchNamed(deps.ledger, text(args, 'batch'));
      const outcome = await batchOutcome(deps.ledger, batch, viewOf(deps));
      return { ...outcome, notes: [note, ...outcome.notes], exit: 0 };
    },
    'status',
  );
}
