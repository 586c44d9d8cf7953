/** The grown model: every step that process, service, person and time may take, and what must never come of it. */
import { type Explored, type Model, type Search, type Step, search } from './explore.ts';
import { judge, move, pass, type Shows } from './pass.ts';
import { asDesigned, type Rules } from './rules.ts';
import {
  alarmed,
  type Bounds,
  type Budget,
  calmBounds,
  type Entry,
  isDoubt,
  isOpen,
  isTwice,
  keyOf,
  knows,
  living,
  newBook,
  newEntry,
  newWorld,
  type Payment,
  type Row,
  type World,
} from './world.ts';

/** Searches the protocol within bounds; what is not given does not happen. */
export function explore(bounds: Partial<Bounds>, rules: Partial<Rules> = {}, options: Search = {}): Explored {
  return search(modelOf({ ...calmBounds, ...bounds }, { ...asDesigned, ...rules }), options);
}

function modelOf(bounds: Bounds, rules: Rules): Model<World> {
  return {
    initial: newWorld(bounds),
    key: keyOf,
    steps: (world) => [
      ...processSteps(world, bounds, rules),
      ...serviceSteps(world, bounds),
      ...personSteps(world, rules),
      ...ledgerSteps(world, bounds, rules),
      ...timeSteps(world, bounds, rules),
    ],
    broken: (world) => [...paidTwice(world), ...(isDone(world, bounds, rules) ? wrongAtTheEnd(world) : [])],
    done: (world) => isDone(world, bounds, rules),
  };
}

/** The order of steps once faults have stopped: what is under way ends first, then the ledger looks, then it sends. */
const calm = {
  answer: 1,
  service: 2,
  bytes: 3,
  read: 4,
  pass: 5,
  intent: 6,
  person: 7,
  time: 8,
  end: 9,
  start: 10,
} as const;

// What must hold

/** S1: two payments for one row, neither of which ended unpaid before the other was sent. */
function paidTwice({ rows }: World): string[] {
  const counted = (payment: Payment) => living(payment) && !payment.excused;
  return rows.some(({ payments, declared }) => declared === null && payments.filter(counted).length > 1) ? ['S1'] : [];
}

/** S2: two payments and no alarm; S3: a row called paid, or paid twice, that is not; S4: a payment nobody knows of. */
function wrongAtTheEnd({ rows }: World): string[] {
  const wrong: string[] = [];
  for (const { entry, payments } of rows) {
    const alive = payments.filter(living).length;
    if (alive > 1 && !isTwice(entry)) wrong.push('S2');
    if (alive === 0 && entry.state === 'succeeded') wrong.push('S3');
    if (alive < 2 && isTwice(entry)) wrong.push('S3');
    if (payments.some((_, index) => !knows(entry, index))) wrong.push('S4');
  }
  return wrong;
}

/** Nothing runs, nothing is under way, and one more pass would find nothing new. */
function isDone(world: World, bounds: Bounds, rules: Rules): boolean {
  if (world.on || !world.rows.every((row) => hasEnded(row, world, bounds))) return false;
  const after = pass(world, bounds, rules, everything);
  return after.rows.every(
    ({ entry }, index) =>
      entry.state === world.rows[index]?.entry.state && entry.known === world.rows[index]?.entry.known,
  );
}

function hasEnded({ entry, requests, payments }: Row, world: World, { expiries }: Bounds): boolean {
  const quiet = requests.length === 0 && payments.every(({ listed, status }) => listed && status !== 'pending');
  if (!quiet || entry.state === 'sending') return false;
  if (alarmed(world.rows)) return true;
  const { state } = entry;
  return (
    state === 'succeeded' || state === 'expired' || state === 'refused' || (state === 'accepted' && expiries === 0)
  );
}

// Small words

const everything: Shows = () => true;
const nameOf = (index: number) => `row ${'abcdefgh'[index]}`;
const closed = <T extends { readonly open: boolean }>(item: T): T => (item.open ? { ...item, open: false } : item);

function withRow(world: World, index: number, change: Partial<Row>): World {
  return { ...world, rows: world.rows.map((row, other) => (other === index ? { ...row, ...change } : row)) };
}

function withEntry(world: World, index: number, change: Partial<Entry>): World {
  return {
    ...world,
    rows: world.rows.map((row, other) => (other === index ? { ...row, entry: { ...row.entry, ...change } } : row)),
  };
}

function spend(world: World, what: keyof Budget): World {
  return { ...world, left: { ...world.left, [what]: world.left[what] - 1 } };
}

/** What each row offers, for all rows. */
function forRows(world: World, offers: (row: Row, index: number) => readonly Step<World>[]): Step<World>[] {
  return world.rows.flatMap(offers);
}

// The process

function processSteps(world: World, bounds: Bounds, rules: Rules): Step<World>[] {
  if (!world.on) return [{ label: 'a run starts', next: start(world, rules), calm: calm.start }];
  const sending = world.rows.some((row) => row.entry.state === 'sending' || isOpen(row));
  const stop = sending
    ? world.left.kills > 0
      ? [{ label: 'the run is killed', next: stopped(spend(world, 'kills'), rules) }]
      : []
    : [{ label: 'the run ends', next: stopped(world, rules), calm: calm.end }];
  return [
    ...stop,
    ...forRows(world, (row, index) => sendSteps(world, row, index, rules, bounds)),
    ...forRows(world, (row, index) => answerSteps(world, row, index)),
    ...(bounds.expiries === 0 ? [] : forRows(world, (row, index) => readSteps(world, row, index, bounds, rules))),
    ...passSteps(world, bounds, rules),
  ];
}

/** What was being sent when the last process died may have arrived. */
function start(world: World, rules: Rules): World {
  const rows = world.rows.map((row) =>
    row.entry.state === 'sending' ? { ...row, entry: move(row.entry, rules.deathIsDoubt ? 'in_doubt' : 'ready') } : row,
  );
  const ban = rules.foreignStops === 'one run' && world.book.ban !== null ? 0 : world.book.ban;
  return { ...world, rows, on: true, runAge: 0, book: { ...world.book, ban } };
}

function stopped(world: World, rules: Rules): World {
  const rows = world.rows.map((row) => ({
    ...row,
    entry: { ...row.entry, cleared: false },
    requests: row.requests.map(closed),
    payments: row.payments.map(closed),
  }));
  const trusted = world.book.trusted || rules.canary === 'first run';
  return { ...world, rows, on: false, runAge: 0, book: { ...world.book, trusted } };
}

function sendSteps(world: World, row: Row, index: number, rules: Rules, { horizon }: Bounds): Step<World>[] {
  const { entry } = row;
  if (isOpen(row)) return [];
  if (entry.state === 'sending') {
    return rules.abandonsOnDrift && entry.age > 0
      ? [{ label: `${nameOf(index)} was held up, abandoned`, next: notSent(world, index), calm: calm.bytes }]
      : [{ label: `${nameOf(index)}: bytes leave`, next: bytes(world, row, index), calm: calm.bytes }];
  }
  if (!maySend(world, row, rules, horizon)) return [];
  const intended = intend(world, index, horizon, rules);
  if (rules.intentFirst)
    return [{ label: `${nameOf(index)}: intent`, next: moved(intended, index, 'sending'), calm: calm.intent }];
  const sent = bytes(intended, intended.rows[index] ?? row, index);
  return [{ label: `${nameOf(index)}: bytes leave without an intent`, next: sent, calm: calm.intent }];
}

function maySend(world: World, { entry }: Row, rules: Rules, horizon: number): boolean {
  if (entry.state !== 'ready' || alarmed(world.rows)) return false;
  if (rules.passBeforeSending && !entry.cleared) return false;
  if (rules.witnessHolds === 'send' && world.book.behind && world.idle < horizon) return false;
  return world.book.trusted || rules.canary === 'no' || mayBeCanary(world);
}

/** On a ledger without trust one row goes alone; a refused one passes the part on, and so does one in doubt. */
function mayBeCanary({ rows }: World): boolean {
  return rows.every((row) => {
    const { state, canary } = row.entry;
    if (isOpen(row) || state === 'sending') return false;
    return canary === 0 || state === 'in_doubt';
  });
}

/** The intent: what the ledger and its witness remember from now on. */
function intend(world: World, index: number, horizon: number, rules: Rules): World {
  const doubts = world.rows.map(({ entry }) => entry).filter(isDoubt);
  const probe = doubts.length > 0 && doubts.every(({ age }) => age >= horizon);
  const rows = world.rows.map((row, other): Row => {
    if (other !== index) return row.entry.probe ? { ...row, entry: { ...row.entry, probe: false } } : row;
    const canary = world.book.trusted || rules.canary === 'no' ? 0 : 1;
    const payments = row.payments.map((payment) => (payment.seenExpired ? { ...payment, excused: true } : payment));
    const declared = canary === 1 && isHiddenCanary(world, row) ? 'canary' : row.declared;
    return { ...row, payments, declared, entry: { ...row.entry, age: 0, probe, canary } };
  });
  return { ...world, rows, idle: 0 };
}

function moved(world: World, index: number, ...to: readonly Entry['state'][]): World {
  return {
    ...world,
    rows: world.rows.map((row, other) => (other === index ? { ...row, entry: move(row.entry, ...to) } : row)),
  };
}

function bytes(world: World, row: Row, index: number): World {
  const { revision, content } = row.entry;
  const request = { revision, content, age: 0, open: true, foreign: false };
  return withRow(world, index, { requests: [...row.requests, request] });
}

/** A list that hides what is there costs the canary, one row at most: that is declared. */
function isHiddenCanary({ rows }: World, { overlooked }: Row): boolean {
  return overlooked && rows.every(({ declared }) => declared !== 'canary');
}

/** The answer, when there is one: accepted, refused, not sent, a lie, or none in time. */
function answerSteps(world: World, row: Row, index: number): Step<World>[] {
  if (!isOpen(row)) return [];
  const name = nameOf(index);
  const { left } = world;
  const paid = row.payments.findIndex(({ open }) => open);
  const hungUp = withRow(world, index, { requests: row.requests.map(closed), payments: row.payments.map(closed) });
  const fromSending = row.entry.state === 'sending' ? [] : (['sending'] as const);
  const steps: Step<World>[] = [];
  if (left.timeouts > 0) {
    const doubt = moved(hungUp, index, ...fromSending, 'in_doubt');
    const next = row.entry.canary > 0 ? lookAgain(doubt) : doubt;
    steps.push({ label: `${name}: time-out`, next: spend(next, 'timeouts') });
  }
  const lie = paid >= 0 ? 'lies' : 'earlyLies';
  if (left[lie] > 0) {
    const next = withEntry(moved(hungUp, index, ...fromSending, 'refused'), index, { canary: 0 });
    const when = paid >= 0 ? 'it was made' : 'it may yet be made';
    steps.push({ label: `${name}: answer 400, though ${when}`, next: spend(next, lie) });
  }
  if (paid >= 0) {
    const next = withEntry(moved(hungUp, index, 'accepted'), index, { known: row.entry.known | (1 << paid) });
    return [{ label: `${name}: answer accepted`, next, calm: calm.answer }, ...steps];
  }
  const undone = withRow(hungUp, index, { requests: row.requests.filter(({ open }) => !open) });
  if (left.refusals > 0) {
    const next = partPassedOn(moved(undone, index, ...fromSending, 'refused'), index);
    steps.push({ label: `${name}: answer refused`, next: spend(next, 'refusals') });
  }
  if (left.unsent > 0)
    steps.push({ label: `${name}: not sent, or 429`, next: spend(notSent(undone, index), 'unsent') });
  return steps;
}

/** A canary in doubt is looked for before another row takes its part. */
const lookAgain = (world: World): World => ({
  ...world,
  rows: world.rows.map((row) => ({ ...row, entry: { ...row.entry, cleared: false } })),
});

const notSent = (world: World, index: number): World => partPassedOn(moved(world, index, 'ready'), index);

/** Nothing came of the canary, so another row may be it. */
function partPassedOn(world: World, index: number): World {
  const declared = world.rows[index]?.declared ?? null;
  return withRow(withEntry(world, index, { canary: 0 }), index, { declared: declared === 'canary' ? null : declared });
}

/** Payments that the ledger knows are read by their ids. */
function readSteps(world: World, row: Row, index: number, bounds: Bounds, rules: Rules): Step<World>[] {
  if (row.entry.state === 'sending' || row.entry.state === 'ready') return [];
  const entry = judge(row.entry, row.payments, bounds, rules);
  if (entry.state === row.entry.state) return [];
  return [{ label: `${nameOf(index)}: its payment is read`, next: withRow(world, index, { entry }), calm: calm.read }];
}

function passSteps(world: World, bounds: Bounds, rules: Rules): Step<World>[] {
  if (world.book.behind && rules.witnessHolds === 'pass' && world.idle < bounds.horizon) return [];
  const { left } = world;
  const steps = [{ label: 'a pass', next: pass(world, bounds, rules, everything), calm: calm.pass }] as Step<World>[];
  if (left.blind > 0)
    steps.push({
      label: 'a pass, but the list is empty',
      next: pass(spend(world, 'blind'), bounds, rules, () => false),
    });
  if (left.hidden === 0) return steps;
  const lacking = forRows(world, (row, index) =>
    row.payments.map((_, number) => ({
      label: `a pass, but the list lacks payment ${number} of ${nameOf(index)}`,
      next: pass(spend(world, 'hidden'), bounds, rules, (other, shown) => other !== index || shown !== number),
    })),
  );
  return [...steps, ...lacking];
}

// The service

function serviceSteps(world: World, bounds: Bounds): Step<World>[] {
  return forRows(world, (row, index) => [
    ...row.requests.map((_, number) => ({
      label: `${nameOf(index)}: the service makes the payment`,
      next: commit(world, row, index, number, bounds),
      calm: calm.service,
    })),
    ...row.payments.flatMap((payment, number) => paymentSteps(world, row, index, payment, number)),
  ]);
}

function commit(world: World, row: Row, index: number, number: number, { expiries, lag }: Bounds): World {
  const request = row.requests[number];
  if (request === undefined) return world;
  const { revision, content, open } = request;
  const payment: Payment = {
    revision,
    content,
    open,
    status: expiries > 0 ? 'pending' : 'success',
    age: 0,
    listed: lag === 0,
    seenExpired: false,
    excused: false,
  };
  return withRow(world, index, {
    requests: row.requests.filter((_, other) => other !== number),
    payments: [...row.payments, payment],
  });
}

function paymentSteps(world: World, row: Row, index: number, payment: Payment, number: number): Step<World>[] {
  const name = `${nameOf(index)}: payment ${number}`;
  const becomes = (change: Partial<Payment>) =>
    withRow(world, index, {
      payments: row.payments.map((it, other) => (other === number ? { ...it, ...change } : it)),
    });
  const steps: Step<World>[] = [];
  const { left } = world;
  if (!payment.listed) steps.push({ label: `${name} is listed`, next: becomes({ listed: true }), calm: calm.service });
  if (payment.status === 'pending') {
    steps.push({ label: `${name} succeeds`, next: becomes({ status: 'success' }), calm: calm.service });
    if (left.expiries > 0)
      steps.push({ label: `${name} expires`, next: spend(becomes({ status: 'expired' }), 'expiries') });
  }
  if (payment.status === 'expired' && left.flips > 0)
    steps.push({ label: `${name} succeeds after all`, next: spend(becomes({ status: 'success' }), 'flips') });
  return steps;
}

// Persons

function personSteps(world: World, rules: Rules): Step<World>[] {
  return forRows(world, (row, index) => [
    ...releaseSteps(world, row, index, rules),
    ...verdictSteps(world, row, index, rules),
    ...retrySteps(world, row, index, rules),
  ]);
}

/** By a person, or by the policy that sends again by itself: the ledger does the same. */
function releaseSteps(world: World, { entry }: Row, index: number, rules: Rules): Step<World>[] {
  if (entry.state !== 'absent') return [];
  const cleared = !rules.passAfterRelease && entry.cleared;
  const next = withEntry(moved(world, index, 'ready'), index, { cleared });
  return [{ label: `${nameOf(index)}: released`, next, calm: calm.person }];
}

function verdictSteps(world: World, { entry, payments }: Row, index: number, rules: Rules): Step<World>[] {
  const name = nameOf(index);
  const { state } = entry;
  const { left } = world;
  const steps: Step<World>[] = [];
  if (state === 'in_doubt' && left.lookalikes > 0)
    steps.push({ label: `${name}: a look-alike holds it`, next: spend(moved(world, index, 'held'), 'lookalikes') });
  if (state === 'held' && payments.some((_, number) => knows(entry, number)))
    steps.push({ label: `${name}: resolved as paid`, next: moved(world, index, 'accepted'), calm: calm.person });
  const proven = entry.misses === 3 || !rules.verdictNeedsPasses;
  const gone = { proof: 0, misses: 0, cleared: false, canary: 0 } as const;
  const absent = (from: World) => withEntry(moved(from, index, 'absent'), index, gone);
  if (state === 'held' && rules.heldHasExit && proven)
    steps.push({ label: `${name}: resolved as not paid`, next: absent(world), calm: calm.person });
  if (state === 'in_doubt' && left.verdicts > 0 && proven)
    steps.push({ label: `${name}: resolved as not paid`, next: absent(spend(world, 'verdicts')) });
  return steps;
}

function retrySteps(world: World, { entry }: Row, index: number, rules: Rules): Step<World>[] {
  const { state, revision, content } = entry;
  if (world.left.retries === 0 || (state !== 'refused' && state !== 'expired')) return [];
  const keeps = state === 'refused' && rules.refusedKeepsRevision;
  const again = spend(moved(world, index, 'ready'), 'retries');
  const change = { revision: keeps ? revision : revision + 1, cleared: false };
  const steps = [{ label: `${nameOf(index)}: retried`, next: withEntry(again, index, change) }];
  if (world.left.corrections === 0) return steps;
  const corrected = withEntry(spend(again, 'corrections'), index, { ...change, content: content + 1 });
  return [...steps, { label: `${nameOf(index)}: corrected`, next: corrected }];
}

// Ledgers that are lost, restored, or not the only one

function ledgerSteps(world: World, bounds: Bounds, rules: Rules): Step<World>[] {
  const { left } = world;
  const steps: Step<World>[] = [];
  if (left.restores > 0 && world.shelf === null) steps.push({ label: 'the ledger is backed up', next: onShelf(world) });
  if (world.on) return steps;
  if (left.restores > 0 && world.shelf !== null)
    steps.push({ label: 'the ledger is restored from its backup', next: restored(spend(world, 'restores'), rules) });
  if (left.losses > 0) steps.push({ label: 'the ledger is lost', next: lost(spend(world, 'losses'), bounds) });
  if (left.turns > 0)
    steps.push({ label: 'another person goes on with another ledger', next: turned(spend(world, 'turns')) });
  return steps;
}

const onShelf = (world: World): World => ({
  ...world,
  shelf: world.book,
  rows: world.rows.map((row) => ({ ...row, shelf: { ...row.entry, cleared: false } })),
});

function restored(world: World, { restoredIsNew }: Rules): World {
  const book = world.shelf ?? world.book;
  return {
    ...world,
    book: { ...book, behind: true, trusted: book.trusted && !restoredIsNew },
    shelf: null,
    rows: world.rows.map((row) => ({ ...row, entry: row.shelf ?? row.entry, shelf: null })),
  };
}

/** The sheet as it is now is all that a new ledger knows. */
const anew = ({ content }: Entry): Entry => ({ ...newEntry, content });

function lost(world: World, { witness }: Bounds): World {
  const rows = world.rows.map((row) => ({
    ...row,
    entry: anew(row.entry),
    requests: witness ? row.requests : row.requests.map((request) => ({ ...request, foreign: true })),
  }));
  return { ...world, rows, book: { ...newBook, behind: witness } };
}

function turned(world: World): World {
  const rows = world.rows.map((row) => ({
    ...row,
    entry: row.shelf ?? anew(row.entry),
    shelf: row.entry,
    requests: row.requests.map((request) => ({ ...request, foreign: !request.foreign })),
  }));
  return { ...world, rows, book: world.shelf ?? newBook, shelf: world.book };
}

// Time

/** An answer comes in the tick of its request, or never: so time stands still while one is waited for. */
function timeSteps(world: World, bounds: Bounds, rules: Rules): Step<World>[] {
  if (world.rows.some(isOpen)) return [];
  const { ban } = world.book;
  const rest = (book: World['book']) => (book.ban === null ? book : { ...book, ban: Math.max(0, book.ban - 1) });
  return [
    {
      label: ban === null || ban === 0 ? 'tick' : `tick (may not send for ${ban})`,
      calm: calm.time,
      next: {
        ...world,
        rows: world.rows.map((row) => older(row, bounds, rules)),
        book: rest(world.book),
        shelf: world.shelf === null ? null : rest(world.shelf),
        runAge: world.on ? Math.min(world.runAge + 1, bounds.visible) : 0,
        idle: Math.min(world.idle + 1, bounds.horizon),
      },
    },
  ];
}

function older(row: Row, bounds: Bounds, rules: Rules): Row {
  const { lag, late } = bounds;
  return {
    ...row,
    entry: olderEntry(row.entry, bounds, rules),
    shelf: row.shelf === null ? null : olderEntry(row.shelf, bounds, rules),
    requests: row.requests.filter(({ age }) => age < late).map((request) => ({ ...request, age: request.age + 1 })),
    payments: row.payments.map((payment) => ({
      ...payment,
      age: Math.min(payment.age + 1, oldestPayment(bounds)),
      listed: payment.listed || payment.age + 1 >= lag,
    })),
  };
}

/** Ages beyond what any rule asks are one. */
function oldestPayment({ losses, restores, turns, horizon, lag, visible }: Bounds): number {
  return losses + restores + turns > 0 ? Math.max(2 * horizon, lag) : Math.max(lag, visible);
}

function olderEntry(entry: Entry, { horizon }: Bounds, rules: Rules): Entry {
  const oldest = entry.state === 'sending' && rules.abandonsOnDrift && entry.age > 0 ? entry.age : 2 * horizon;
  return {
    ...entry,
    age: Math.min(entry.age + 1, oldest),
    proof: entry.proof === 1 ? 2 : entry.proof,
    misses: entry.misses === 1 ? 2 : entry.misses,
  };
}
