/** One process of Payrun: the real pipeline on a virtual machine. It can die at any step, and then does no more. */
import { defaultDocuments } from '../../src/domain/rows/document.ts';
import { statusesOf } from '../../src/domain/sending/payment.ts';
import {
  type Ledger,
  type LedgerRow,
  type Move,
  openLedger,
  openWitness,
  type Witness,
} from '../../src/ledger/ledger.ts';
import { noteWords } from '../../src/messages/notes.ts';
import { type Deps, usualLimits } from '../../src/pipeline/deps.ts';
import type { Chance } from './chance.ts';
import { type ClockOwner, type Machine, processClock } from './clock.ts';
import { databaseAt, openMemoryStore } from './memory-store.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** Counted steps at which something befalls the process; Infinity for never. */
export interface Fate {
  readonly crashAt: number;
  /** Only steps on the way of a payment count for the crash. */
  readonly crashWhilePaying: boolean;
  readonly stopAt: number;
  readonly jumpAt: number;
  readonly jumpMs: number;
  /** How likely its machine sleeps between an intent and its sending. */
  readonly suspend: number;
  /** Called once at this step: the ledger's file can be copied then. */
  readonly backupAt: number;
  backup(): void;
}

export interface Process extends ClockOwner {
  readonly name: string;
  readonly story: Story;
  readonly deps: Deps;
  /** Resolves at death. */
  readonly death: Promise<'died'>;
  /** Requests to pay that got no answer yet. */
  readonly paying: Set<string>;
  /** A step that can be the last one: true where it was. */
  step(what: string): boolean;
  /** The end, in order: nothing of the process is left. */
  end(): Promise<void>;
}

export interface ProcessOrder {
  readonly name: string;
  readonly ledgerPath: string;
  readonly witnessPath: string;
  readonly machine: Machine;
  readonly fate: Fate;
}

const payingStep = /POST \/payments|sending/;

export const never = new Promise<never>(() => {});

export function startProcess(
  story: Story,
  world: World,
  { name, ledgerPath, witnessPath, machine, fate }: ProcessOrder,
): Process {
  const { timeline, parameters } = story;
  const chance = story.chance(`process ${name}`);
  const stopping = new AbortController();
  let steps = 0;
  let crashSteps = 0;
  let died: (how: 'died') => void = () => {};
  const death = new Promise<'died'>((resolve) => {
    died = resolve;
  });

  function step(what: string): boolean {
    if (owner.gone) return true;
    steps += 1;
    if (steps === fate.jumpAt) {
      machine.wallOffsetMs += fate.jumpMs;
      story.tell(name, `the wall clock is moved by ${Math.round(fate.jumpMs / 1000)} s`);
    }
    if (steps === fate.backupAt) fate.backup();
    if (steps === fate.stopAt) {
      story.tell(name, `Ctrl-C at step ${steps} (${what})`);
      stopping.abort();
    }
    if (!fate.crashWhilePaying || payingStep.test(what)) crashSteps += 1;
    if (crashSteps === fate.crashAt) {
      story.tell(name, `DIES at step ${steps} (${what})`);
      kill();
      died('died');
      return true;
    }
    return false;
  }

  const kill = () => {
    owner.gone = true;
    // As the operating system does it: committed is committed, and the lock is free.
    void ledger.close();
    for (const die of owner.onDeath) die();
    owner.onDeath.clear();
  };

  const owner: Omit<Process, 'deps'> = {
    name,
    story,
    gone: false,
    frozenUntil: 0,
    startedAt: timeline.now(),
    suspendedMs: 0,
    onDeath: new Set(),
    paying: new Set(),
    death,
    step,
    async end() {
      if (owner.gone) return;
      owner.gone = true;
      await ledger.close();
    },
  };
  const clock = processClock(timeline, owner, machine, chance);
  const ledger = openLedger(ledgerPath, clock, { store: openMemoryStore });
  const deps: Deps = {
    ledger: guarded(ledger, owner, fate.suspend, chance),
    client: world.clientFor(owner),
    clock,
    service: { label: world.url, identity: `${world.url}|key:simulated|tenant`, embedded: false, asUser: false },
    limits: {
      ...usualLimits,
      concurrency: parameters.concurrency,
      // The commands that are printed wait as long as commands do that nobody tells otherwise.
      waitMs: story.calm ? 120_000 : parameters.waitMs,
      callMs: 75_000,
      firstPollMs: 2000,
      probeMs: 60_000,
      doubt: parameters.doubt,
      documents: defaultDocuments,
    },
    statuses: statusesOf(),
    actor: { driver: 'terminal', name: null },
    witness: witnessed(witnessPath, owner),
    stop: stopping.signal,
    progress: () => {},
    say: (note) => story.tell(name, `says: ${noteWords(note)}`),
  };
  return Object.assign(owner, { deps });
}

/** The witness's file is written at once, and like everything else not after a death. */
function witnessed(path: string, owner: Owner): Witness {
  const witness = openWitness(path);
  return { ...witness, write: (ledger, seen) => (owner.gone ? null : witness.write(ledger, seen)) };
}

/** What only reads: after a death it fails, so that the report lets its file go; everything else never comes back. */
const readings: ReadonlySet<string | symbol> = new Set<string | symbol>([
  'batch',
  'batchesOfDraft',
  'compare',
  'copiesIn',
  'copiesOf',
  'counts',
  'documentCounts',
  'documentsOf',
  'earlierPayment',
  'everAccepted',
  'everSent',
  'firstReadyOfKinds',
  'hasCopy',
  'hasEarlierPayments',
  'hasSent',
  'head',
  'invalidRows',
  'lastListed',
  'lastSent',
  'lastTried',
  'lines',
  'list',
  'livingCopies',
  'merchants',
  'newestEntry',
  'otherRows',
  'outerDoubts',
  'readyKinds',
  'row',
  'rowByPayment',
  'rowByKey',
  'rowByTag',
  'rowsByNumber',
  'unknownDoubles',
]);

/** The parts of a ledger that write, or read what was written. */
const repositories: ReadonlySet<string | symbol> = new Set<string | symbol>([
  'batches',
  'documents',
  'duplicates',
  'payees',
  'rows',
  'trail',
  'versions',
]);

type Owner = Omit<Process, 'deps'>;

/** The ledger of a process that can die before each write and after it, before it hears of it. */
function guarded(ledger: Ledger, owner: Owner, suspend: number, chance: Chance): Ledger {
  const { story } = owner;
  const tampered = story.tamper === null ? ledger : withTamper(ledger, story);
  const guard = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (repositories.has(name)) return guard(value as object);
        if (typeof value !== 'function' || name === 'close') return value;
        const call = value.bind(target) as (...args: unknown[]) => unknown;
        if (readings.has(name))
          return (...args: unknown[]) => {
            if (!owner.gone) return call(...args);
            const dead = Promise.reject(new Error('the process is dead'));
            // A loop over the answer does not wait for it.
            dead.catch(() => undefined);
            return dead;
          };
        return (...args: unknown[]) => {
          if (owner.gone) return never;
          const moves = movesIn(name, args);
          if (moves.length > 0 && owner.step(`before writing ${moveWords(moves)}`)) return never;
          const answer = call(...args);
          if (!(answer instanceof Promise)) return answer;
          return answer.then(
            async (result: unknown) => {
              if (owner.gone) return await never;
              if (moves.length > 0) story.tell(owner.name, `ledger: ${moveWords(moves)}`);
              if (owner.step(`written: ${moves.length > 0 ? moveWords(moves) : String(name)}`)) return await never;
              if (moves[0]?.to === 'sending' && !story.calm && chance.happens(suspend)) await sleepNow(owner, chance);
              return result;
            },
            async (error: unknown) => {
              if (owner.gone) return await never;
              throw error;
            },
          );
        };
      },
    });
  return guard(tampered);
}

/** The lid is closed: the world goes on, the process does not. */
async function sleepNow(owner: Owner, chance: Chance): Promise<void> {
  const { timeline, tell } = owner.story;
  const ms = chance.spread(1000, 4 * 60 * 60 * 1000);
  if (owner.frozenUntil > timeline.now()) return;
  tell(owner.name, `the machine sleeps for ${Math.round(ms / 1000)} s`);
  timeline.freeze(owner, ms);
  await new Promise<void>((wake) => {
    timeline.after(ms, () => {
      owner.suspendedMs += ms;
      wake();
    });
  });
  if (owner.gone) await never;
}

function movesIn(name: string | symbol, args: readonly unknown[]): readonly Move[] {
  if (name === 'move') return [args[0] as Move];
  return name === 'moveAll' ? (args[0] as readonly Move[]) : [];
}

function moveWords(moves: readonly Move[]): string {
  return moves.map(({ row, from, to }) => `${rowWords(row)} ${from} -> ${to}`).join(', ');
}

const rowWords = ({ key, number }: LedgerRow) => (key.length > 10 ? `line ${number}` : key);

/** Protections taken away, for the controls. */
function withTamper(ledger: Ledger, { tamper }: Story): Ledger {
  const withRows = (rows: Partial<Ledger['rows']>): Ledger => ({ ...ledger, rows: { ...ledger.rows, ...rows } });
  if (tamper === 'ready-at-recovery')
    return withRows({
      async recover() {
        databaseAt(ledger.path).exec("UPDATE payout SET state = 'ready' WHERE state = 'sending'");
        return await ledger.rows.recover();
      },
    });
  if (tamper !== 'intent-after-send') return ledger;
  const intents = new Map<number, Move>();
  return withRows({
    async move(move) {
      if (move.to === 'sending') {
        intents.set(move.row.id, move);
        return;
      }
      const intent = intents.get(move.row.id);
      intents.delete(move.row.id);
      if (intent !== undefined) await ledger.rows.move(intent);
      await ledger.rows.move(move);
    },
  });
}
