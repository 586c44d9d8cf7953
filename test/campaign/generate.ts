/** Draws the next command of a list from what the reference knows, so that most commands make sense where they stand. */
import type { Chance } from '../simulation/chance.ts';
import type { PaymentFate } from '../simulation/story.ts';
import type { Approver, Command, Decision, Place, SheetOrder, Trouble } from './commands.ts';
import { type Batch, isInHead, type LedgerWorld, type Row, type World } from './model-world.ts';
import { contentOf, debts, keyOf, type Line, newLine } from './sheet.ts';
import { mayHavePayment } from './tables.ts';

const fates: readonly PaymentFate[] = [
  'made',
  'lost',
  'answer-lost',
  'late',
  'not-sent',
  'refused',
  'refused',
  'refused',
  'busy',
  'fails-after',
  'busy',
  'cut',
];

const batches = ['nov', 'nov', 'dec'] as const;

/** Now and then, the service carries out no request, so that the run gives up. */
const drawFates = (chance: Chance): readonly PaymentFate[] =>
  chance.happens(0.04)
    ? Array(12).fill(chance.pick(['busy', 'not-sent'] as const))
    : Array.from({ length: 1 + chance.below(3) }, () => chance.pick(fates));

/** A short command is rare, so it meets more trouble. */
function trouble(chance: Chance, steps = 60): Trouble {
  const share = 7 / steps;
  return {
    ...(chance.happens(share) ? { dies: 1 + chance.below(steps) } : {}),
    ...(chance.happens(share) ? { stops: 1 + chance.below(steps) } : {}),
    ...(chance.happens(share) ? { halts: 1 + chance.below(steps) } : {}),
    ...(chance.happens(0.5) ? { fates: drawFates(chance) } : {}),
    ...(chance.happens(0.04) ? { payees: 'fail' as const } : {}),
  };
}

/** Each debt at most once in a sheet, with or without a row_id. */
function drawLines(chance: Chance, { batches: known }: LedgerWorld, name: string): readonly Line[] {
  const lines = new Map<number, Line>();
  const batch = known[name];
  // Now and then, the first list of a batch is the list of another batch.
  const versions = (batch ?? (chance.happens(0.6) ? Object.values(known)[0] : undefined))?.versions ?? [];
  const isReplaced = batch !== undefined && Object.values(batch.rows).some(({ past }) => past.length > 0);
  // Mostly the newest sheet with changes; now and then an older one, or a new list.
  const from =
    versions.length === 0 || chance.happens(0.15)
      ? null
      : chance.happens(isReplaced ? 0.5 : 0.2)
        ? chance.pick(versions)
        : versions.at(-1)!;
  if (from === null) {
    const hasId = chance.happens(0.6);
    for (let debt = 0; debt < debts; debt += 1) if (chance.happens(0.45)) lines.set(debt, newLine(debt, { hasId }));
  } else for (const line of from.lines) lines.set(line.debt, line);
  for (let changes = chance.below(from === null ? 2 : 4); changes > 0; changes -= 1) change(chance, lines, batch);
  if (lines.size === 0) lines.set(0, newLine(0));
  return withClaims(chance, [...lines.values()]);
}

/** Now and then, the sheet is a result file that says that one row is paid, or the next sheet says that no row is. */
function withClaims(chance: Chance, lines: readonly Line[]): readonly Line[] {
  if (lines.some(({ saysPaid }) => saysPaid))
    return chance.happens(0.5) ? lines.map((line) => ({ ...line, saysPaid: false })) : lines;
  const paid = chance.happens(0.05) ? chance.below(lines.length) : -1;
  return lines.map((line, at) => (at === paid ? { ...line, saysPaid: true } : line));
}

function change(chance: Chance, lines: Map<number, Line>, batch: Batch | undefined): void {
  // Mostly lines of rows that a version may change, such as closed and unpaid rows.
  const ended = Object.values(batch?.rows ?? {}).filter(({ closed, state }) => closed !== null || isUnpaid(state));
  if (ended.length > 0 && chance.happens(0.5)) {
    const line = lineOf(chance.pick(ended));
    const more = chance.pick([{}, {}, { amount: 1 }, { isMistaken: true }, { isRenamed: true }] as const);
    if (chance.happens(0.8)) lines.set(line.debt, { ...line, ...more });
    else lines.delete(line.debt);
    return;
  }
  const isFree = (line: Line) => {
    const row = batch?.rows[keyOf(line) ?? ''];
    return row === undefined || !mayHavePayment(row);
  };
  const free = [...lines.values()].filter(isFree);
  const known = chance.happens(0.7) && free.length > 0 ? free : [...lines.values()];
  const debt = chance.happens(0.7) && known.length > 0 ? chance.pick(known).debt : chance.below(debts);
  const line = lines.get(debt);
  if (line === undefined) {
    lines.set(debt, newLine(debt, { hasId: [...lines.values()].every(({ hasId }) => hasId) || chance.happens(0.3) }));
    return;
  }
  chance.pick([
    () => lines.delete(debt),
    () => lines.set(debt, { ...line, amount: line.amount === 0 ? 1 : 0 }),
    () => lines.set(debt, { ...line, reference: chance.pick([0, 1, 1, 2] as const) }),
    () => lines.set(debt, { ...line, isMistaken: !line.isMistaken }),
    () => lines.set(debt, { ...line, isRenamed: line.isRenamed !== true }),
    () => lines.set(debt, { ...line, hasId: !line.hasId, ours: null }),
  ])();
}

const isUnpaid = (state: string) => state === 'refused' || state === 'expired';

/** The line that gives a row back. */
function lineOf({ key, content: [name, , amount, reference] }: Row): Line {
  const debt = Number(reference.slice(2, 3)) - 1;
  const more = {
    hasId: /^k\d$/.test(key),
    isRenamed: name.startsWith('PAYEE'),
    reference: reference.endsWith('c1') ? 1 : reference.endsWith('C1') ? 2 : 0,
  } as const;
  const line = newLine(debt, more);
  return contentOf(line)[2] === amount ? line : { ...line, amount: 1 };
}

/** Mostly with the options that the sheet needs. */
function drawSheet(chance: Chance, world: World, place: Place): SheetOrder {
  const ledger = world.ledgers[place.ledger]!;
  const batch = ledger.batches[place.batch];
  const lines = drawLines(chance, ledger, place.batch);
  const skips = chance.happens(0.85);
  if (batch === undefined || chance.happens(0.25))
    return { ...place, lines, add: chance.happens(batch === undefined ? 0.03 : 0.3), drop: chance.happens(0.3), skips };
  const keys = new Set(lines.map(keyOf));
  const adds = lines.some((line) => batch.rows[keyOf(line) ?? ''] === undefined);
  const drops = Object.keys(batch.rows).some((key) => isInHead(batch, key) && !keys.has(key));
  return { ...place, lines, add: adds || chance.happens(0.1), drop: drops && (!adds || chance.happens(0.7)), skips };
}

/** A line of our own result file: the row's key stands in `payrun_row`, whatever its content is. */
function asOurs(chance: Chance, order: SheetOrder, batch: Batch | undefined): SheetOrder {
  if (batch === undefined || !chance.happens(0.2)) return order;
  const lines = order.lines.map((line) => {
    if (line.hasId) return line;
    const own = Object.values(batch.rows).find(({ content }) => content[3].startsWith(`R0${line.debt + 1}`));
    return own === undefined || /^k\d$/.test(own.key) ? line : { ...line, ours: own.key };
  });
  return { ...order, lines };
}

const minutes = [1, 5, 11, 25, 60, 25 * 60, 6 * 24 * 60, 30 * 24 * 60, 36 * 24 * 60] as const;

export function nextCommand(chance: Chance, world: World, alive: readonly number[]): Command {
  const place: Place = { ledger: chance.happens(0.05) ? 1 : 0, batch: chance.pick(batches) };
  if (chance.happens(0.005))
    return { do: chance.pick(['resume', 'retry', 'stop', 'decline'] as const), ...place, batch: 'feb' };
  const batch = world.ledgers[place.ledger]!.batches[place.batch];
  const sheet = () => asOurs(chance, drawSheet(chance, world, place), batch);
  const hasUnpaid = Object.values(batch?.rows ?? {}).some(({ state }) => isUnpaid(state));
  const again = () => chance.happens(hasUnpaid ? 0.5 : 0.03);
  const newest = Object.keys(world.plans).length - 1;
  const fresh = world.plans[newest];
  const isFresh = fresh?.order.batch === place.batch && fresh.order.ledger === place.ledger && !fresh.isEnded;
  const otherKey = () =>
    batch !== undefined && wasTaken(batch) && chance.happens(0.03) ? { key: 'other' as const } : {};
  const { isPolicyKnown } = world.ledgers[place.ledger]!;
  if (world.needed === 2 && chance.happens(0.05)) return { do: 'policy', needed: 1 };
  if (world.needed > 0 ? chance.happens(0.02) : chance.happens(isPolicyKnown ? 0.6 : 0.005))
    return { do: 'policy', needed: world.needed > 0 ? 0 : 1 };
  if (world.needed > 0 && chance.happens(0.75)) {
    const plan = Object.keys(world.plans)
      .map(Number)
      .findLast((one) => isOpen(world, place, one));
    if (plan !== undefined && world.plans[plan]!.approvers.length < world.needed && chance.happens(0.9))
      return { do: 'approve', plan, by: chance.pick(['ann', 'cara', 'cara', 'dan', 'dan'] as const) };
    const [by] = plan !== undefined && chance.happens(0.05) ? world.plans[plan]!.approvers : [];
    if (plan !== undefined)
      return { do: 'run plan', plan, ...trouble(chance), ...(by === undefined ? {} : { by: by as Approver }) };
  }
  if (isFresh && fresh.base === (batch?.versions.length ?? 0) && chance.happens(0.4))
    return { do: 'run plan', plan: newest, ...trouble(chance) };
  const isSecond = batch === undefined && Object.keys(world.ledgers[place.ledger]!.batches).length > 0;
  if (world.needed > 0 && (batch === undefined || chance.happens(0.3)))
    return { do: chance.happens(0.3) ? 'propose' : 'plan', ...sheet(), again: again() };
  if (batch === undefined || chance.happens(0.3))
    return { do: 'run', ...sheet(), confirms: isSecond && chance.happens(0.2), ...trouble(chance), ...otherKey() };
  const plans = Object.keys(world.plans).map(Number);
  const { pauses, proposals } = world.ledgers[place.ledger]!;
  const waiting = proposals[place.batch];
  const endPause: Command = { do: 'end pause', ...place, all: pauses.includes('') };
  const signer = world.needed > 0 && chance.happens(0.3) ? ({ by: 'ann' } as const) : {};
  const wordOn = (way: Decision, fits: (row: Row) => boolean): Command | null => {
    const rows = Object.values(batch.rows);
    const fitting = rows.filter(fits);
    if (fitting.length === 0 && chance.happens(0.9)) return null;
    return { do: way, ...place, ...signer, key: chance.pick(fitting.length > 0 ? fitting : rows).key };
  };
  const has = (...states: readonly string[]) => Object.values(batch.rows).some(({ state }) => states.includes(state));
  const choices: readonly (Command | null)[] = [
    { do: chance.happens(0.3) ? 'propose' : 'plan', ...sheet(), again: again() },
    ...Array(3).fill(
      waiting === undefined
        ? null
        : {
            do: 'run plan',
            plan: waiting,
            ...trouble(chance),
            ...(chance.happens(0.1) ? { declines: 1 + chance.below(30) } : {}),
          },
    ),
    waiting === undefined && chance.happens(0.9)
      ? null
      : { do: chance.pick(['decline', 'withdraw'] as const), ...place },
    chance.happens(0.3) ? { do: 'pause', ...place, all: chance.happens(0.4) } : null,
    ...(pauses.length === 0 && chance.happens(0.95) ? [] : [endPause, endPause]),
    plans.length === 0 ? null : { do: 'run plan', plan: chance.pick(plans), ...trouble(chance) },
    ...Array(2).fill(plans.length === 0 ? null : { do: 'run plan', plan: plans.at(-1)!, ...trouble(chance) }),
    { do: 'resume', ...place, ...trouble(chance), ...otherKey() },
    waiting === undefined ? null : { do: 'resume', ...place },
    has('planned', 'ready') ? { do: chance.pick(['stop', 'continue', 'continue'] as const), ...place } : null,
    has('refused', 'expired') || chance.happens(0.1) ? { do: 'retry', ...place, ...trouble(chance, 25) } : null,
    ...Array(2).fill(hasEnded(batch) ? { do: 'plan', ...sheet(), again: again() } : null),
    alive.length > 0 || has('in_doubt', 'absent', 'sending')
      ? { do: 'reconcile', ...place, ...trouble(chance, 25) }
      : null,
    has('absent') ? { do: 'release-absent', ...place, ...signer } : null,
    wordOn('drop', ({ state, closed }) => closed === null && closable.includes(state)),
    wordOn('reopen', ({ closed, key }) => closed !== null && isInHead(batch, key)),
    wordOn('not-a-repeat', ({ heldFor }) => heldFor === 'looks-paid'),
    wordOn('not-paid', ({ state }) => state === 'in_doubt' || state === 'sending' || state === 'held'),
    wordOn(
      'paid',
      ({ state }) => state === 'in_doubt' || state === 'absent' || state === 'withheld' || state === 'held',
    ),
    wordOn('known', ({ state }) => state.startsWith('duplicate')),
    { do: 'wait', minutes: chance.pick(minutes) },
    has('in_doubt') ? { do: 'wait', minutes: 25 } : null,
    { do: chance.pick(['expire', 'expire', 'settle'] as const) },
    alive.length === 0 ? null : { do: 'revive', payment: chance.pick(alive) },
    chance.happens(0.2) ? { do: 'restart', ...place } : null,
  ];
  return chance.pick(choices.filter((choice) => choice !== null));
}

/** True if the plan may open a version of the batch. */
const isOpen = (world: World, { ledger, batch }: Place, number: number): boolean => {
  const { order, base, isEnded } = world.plans[number]!;
  const versions = world.ledgers[ledger]!.batches[batch]?.versions.length ?? 0;
  return order.ledger === ledger && order.batch === batch && base === versions && !isEnded;
};

/** True if the service took a row of the batch, or may have taken it. Until then, another API key may pay the batch. */
const wasTaken = ({ rows }: Batch) =>
  Object.values(rows).some(
    ({ paymentId, attempts, state }) =>
      paymentId !== null || (attempts > 0 && !['planned', 'ready', 'withheld'].includes(state)),
  );

/** True if a row of the batch is closed or unpaid: a plan may bring it back. */
const hasEnded = ({ rows }: Batch) =>
  Object.values(rows).some(({ closed, state }) => closed !== null || isUnpaid(state));

const closable: readonly string[] = ['withheld', 'held', 'refused', 'expired', 'planned', 'ready', 'invalid', 'absent'];
