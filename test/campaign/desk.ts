/** Gives commands to the product: its use cases, on real ledgers, with a service on virtual time. */

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dropRows, reopenRows } from '../../src/app/close-rows.ts';
import { decideRow } from '../../src/app/decide-row.ts';
import { endProposal } from '../../src/app/end-proposal.ts';
import { endPause, pauseBatch, stopSending } from '../../src/app/pause-batch.ts';
import { plan, proposePlan } from '../../src/app/preview-batch.ts';
import { reconcileRows } from '../../src/app/reconcile-batch.ts';
import { retryRows } from '../../src/app/retry-rows.ts';
import { resume, run } from '../../src/app/run-batch.ts';
import { PayrunError } from '../../src/base/errors.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import type { RunOrder } from '../../src/pipeline/order.ts';
import type { Done, Outcome } from '../../src/pipeline/outcome.ts';
import { stopOf } from '../../src/pipeline/sending/backoff.ts';
import { plainRules } from '../plain-rules.ts';
import { Hang } from '../simulation/clock.ts';
import { type Desk, newDesk } from '../simulation/desk.ts';
import { openMemoryStore } from '../simulation/memory-store.ts';
import { type Fate, startProcess } from '../simulation/process.ts';
import { newStory, type Story, type Tamper } from '../simulation/story.ts';
import { openWorld, type World } from '../simulation/world.ts';
import { approve, type PolicyPlace, signerFor } from './approvers.ts';
import type { Approver, Command, Place, SheetOrder, Trouble } from './commands.ts';
import { calmParameters, planMs } from './parameters.ts';
import { seenIn } from './seen.ts';
import { sheetText } from './sheet.ts';

export type Ending =
  | { readonly kind: 'ended'; readonly outcome: Outcome | Done }
  | { readonly kind: 'refused'; readonly code: string }
  | { readonly kind: 'died' };

/** A plan on the disk, with the order that it was made for. */
interface MadePlan {
  readonly order: SheetOrder;
  readonly path: string;
  readonly digest: string;
  readonly file: string;
}

export interface Real {
  readonly story: Story;
  readonly world: World;
  readonly desks: readonly Desk[];
  readonly plans: Map<number, MadePlan>;
  /** The product's keys for the digests of the reference. */
  readonly digests: Map<string, string>;
  readonly deps: (deps: Deps) => Deps;
  /** The maker of each plan, and the time that the plan may wait. */
  readonly making: Required<Pick<Mutant, 'maker' | 'goodForMs'>>;
  /** The stop by another process while the last command ran. */
  halt: Halt | null;
  /** True if Ben declined the plan of the last command before its version was opened. */
  isDeclined: boolean;
  policy: PolicyPlace | null;
  sheets: number;
}

interface Halt extends Place {
  /** The attempts of each row of the batch at that moment, by key. No later request may leave. */
  readonly attempts: ReadonlyMap<string, number>;
}

export function begin(seed: number, folder: string, mutant: Mutant = {}): Real {
  const { tamper = null, deps = (same) => same, maker = 'ann', goodForMs = planMs } = mutant;
  const story = newStory(calmParameters(seed), tamper);
  const desks = ['ann', 'ben'].map((name) => newDesk(story, folder, name));
  return {
    story,
    world: openWorld(story),
    desks,
    plans: new Map(),
    digests: new Map(),
    deps,
    making: { maker, goodForMs },
    halt: null,
    isDeclined: false,
    policy: null,
    sheets: 0,
  };
}

/** Takes a rule away from the product. */
export interface Mutant {
  readonly tamper?: Tamper | null;
  readonly deps?: (deps: Deps) => Deps;
  readonly maker?: string;
  readonly goodForMs?: number;
}

const [maker, decliner] = ['ann', 'ben'];
const reason = 'a person said so';

const never = Number.POSITIVE_INFINITY;
const fateOf = ({ dies = never, stops = never, halts = never, declines = halts }: Trouble, halt: () => void): Fate => ({
  crashAt: dies,
  crashWhilePaying: false,
  stopAt: stops,
  jumpAt: never,
  jumpMs: 0,
  suspend: 0,
  backupAt: declines,
  backup: halt,
});

/** Another process stops the batch, or declines the command's own plan while it waits. `declined` is the plan's digest. */
async function halt(
  real: Real,
  { clock }: Deps,
  { ledger, batch }: Place,
  declined: string | undefined,
): Promise<void> {
  const there = () => seenIn(real, ledger).find(({ name }) => name === batch);
  if (there() === undefined) return;
  const path = real.desks[ledger]!.ledger;
  const opened = openLedger(path, clock, { store: openMemoryStore });
  try {
    if (declined !== undefined) {
      if (opened.holds.proposalOf(batch)?.digest !== `sha256:${declined}`) return;
      const ended = await endProposal(
        { ledger: opened },
        { batch, ending: 'plan-declined', reason },
        { name: decliner },
      );
      real.isDeclined = ended.wasWaiting;
      return;
    }
    const { isNew } = await stopSending({ ledger: opened }, { batch }, { driver: 'console', name: decliner });
    if (isNew) real.halt = { ledger, batch, attempts: new Map(there()!.rows.map((row) => [row.key, row.attempts])) };
  } finally {
    await opened.close();
  }
}

const limitMs = 12 * 60 * 60 * 1000;

/** Runs the command as a process of its own, to its end or to its death. */
export async function give(real: Real, command: Command): Promise<{ readonly name: string; readonly ending: Ending }> {
  const { story, world } = real;
  const order = 'plan' in command ? real.plans.get(command.plan)?.order : command;
  const desk = real.desks[order !== undefined && 'ledger' in order ? order.ledger : 0]!;
  const trouble = command as Trouble;
  const declined =
    trouble.declines === undefined || !('plan' in command) ? undefined : real.plans.get(command.plan)?.digest;
  desk.commands += 1;
  const name = `${desk.name}.${desk.commands}`;
  Object.assign(real, { halt: null, isDeclined: false });
  story.fates.splice(0, never, ...(trouble.fates ?? []));
  Object.assign(story.parameters.faults, { merchant: trouble.payees === 'fail' ? 1 : 0 });
  const place = { ledgerPath: desk.ledger, witnessPath: desk.witness, machine: desk.machine };
  const started = startProcess(story, world, {
    name,
    ...place,
    fate: fateOf(trouble, () => {
      if (order !== undefined && 'batch' in order)
        halt(real, started.deps, order, declined).catch((error: unknown) => story.blame('no crash', stackOf(error)));
    }),
  });
  const isPaying = command.do === 'run' || command.do === 'run plan' || command.do === 'resume';
  const payer = isPaying ? paying(started.deps, command) : started.deps;
  const deps = real.deps(real.policy === null ? payer : { ...payer, policy: real.policy });
  const work = meanwhile(real, place, command, async () => await perform(deps, real, desk, command)).catch(
    (error: unknown) => {
      throw stopOf(deps, error);
    },
  );
  work.catch(() => undefined);
  try {
    const outcome = await story.timeline.until(Promise.race([work, started.death]), limitMs, started);
    if (outcome === 'died') return { name, ending: { kind: 'died' } };
    if (outcome.kind === 'refused') return { name, ending: { kind: 'refused', code: 'SHEET_HAS_PROBLEMS' } };
    return { name, ending: { kind: 'ended', outcome } };
  } catch (error) {
    if (error instanceof PayrunError) return { name, ending: { kind: 'refused', code: error.code } };
    story.blame(error instanceof Hang ? 'no hang' : 'no crash', `${name}: ${stackOf(error)}`);
    return { name, ending: { kind: 'refused', code: 'BROKEN' } };
  } finally {
    story.fates.length = 0;
    await started.end();
  }
}

type ProcessPlace = Pick<Parameters<typeof startProcess>[2], 'ledgerPath' | 'witnessPath' | 'machine'>;

/** Starts the work at a step of another process, which resumes the batch. Ends after both. */
async function meanwhile<T>(real: Real, place: ProcessPlace, command: Command, work: () => Promise<T>): Promise<T> {
  if (command.do !== 'propose' || command.amid === undefined) return await work();
  const reached = Promise.withResolvers<void>();
  const fate = fateOf({ halts: command.amid }, reached.resolve);
  const other = startProcess(real.story, real.world, { name: `${decliner}.amid`, ...place, fate });
  const resumed = resume(real.deps(other.deps), batchOrder(command)).finally(reached.resolve);
  try {
    await reached.promise;
    const [outcome] = await Promise.all([work(), resumed]);
    return outcome;
  } finally {
    await other.end();
  }
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

async function perform(deps: Deps, real: Real, desk: Desk, command: Command): Promise<Outcome | Done> {
  switch (command.do) {
    case 'run': {
      const order = sheetOrder(command, newSheet(real, desk, command));
      const approve = real.policy === null ? null : { path: null, digest: null };
      const base = command.stale === true ? { base: 0 } : {};
      return await run(deps, { ...order, ...base, approve, confirmRepeat: command.confirms ? 'it is meant' : null });
    }
    case 'plan':
    case 'propose':
      return await makePlan(deps, real, command, newSheet(real, desk, command));
    case 'approve': {
      await approve(deps, real.plans.get(command.plan)!.path, command.by);
      return { kind: 'finished' };
    }
    case 'decline':
    case 'withdraw': {
      const [ending, name] =
        command.do === 'decline' ? (['plan-declined', decliner] as const) : (['plan-withdrawn', maker] as const);
      return await endProposal(deps, { batch: command.batch, ending, reason }, { name });
    }
    case 'stop':
      return await stopSending(deps, command, { driver: 'console', name: decliner });
    case 'pause':
    case 'end pause': {
      const batch = command.all ? null : command.batch;
      const actor = { driver: 'terminal', name: maker } as const;
      if (command.do === 'pause') return await pauseBatch(deps, { batch, reason }, actor);
      return await endPause(deps, { batch, reason }, actor);
    }
    case 'run plan': {
      const { order, path, digest, file } = real.plans.get(command.plan)!;
      return await run(deps, { ...sheetOrder(order, file), approve: { path, digest } });
    }
    case 'resume':
      return await resume(deps, batchOrder(command));
    case 'continue':
      return await resume({ ...deps, actor: { driver: 'hot folder', name: null } }, batchOrder(command));
    case 'retry':
      return await retryRows(deps, batchOrder(command));
    case 'reconcile':
      return await reconcileRows(deps, batchOrder(command));
    case 'drop':
    case 'reopen': {
      const rows = { named: [{ row: productKey(real, command.key) }], reason };
      if (command.do === 'drop') return await dropRows(deps, { ...batchOrder(command), ...rows });
      return await reopenRows(deps, { ...batchOrder(command), ...rows }, signerFor(deps, command));
    }
    case 'release-absent':
    case 'not-a-repeat':
    case 'not-paid':
    case 'known':
    case 'paid': {
      const row = 'key' in command ? productKey(real, command.key) : null;
      return await decideRow(
        deps,
        { ...batchOrder(command), decision: decisionOf(real, command.do, row) },
        signerFor(deps, command),
      );
    }
    case 'policy':
    case 'wait':
    case 'expire':
    case 'settle':
    case 'revive':
    case 'restart':
      throw new Error(`${command.do} needs no process`);
  }
}

const paying = (deps: Deps, { by, key }: { readonly by?: Approver; readonly key?: 'other' }): Deps => ({
  ...deps,
  ...(by === undefined ? {} : { actor: { ...deps.actor, name: by } }),
  ...(key === undefined ? {} : { service: { ...deps.service, identity: `${deps.service.identity} ${key}` } }),
});

function decisionOf(
  { world }: Real,
  way: 'release-absent' | 'not-a-repeat' | 'not-paid' | 'known' | 'paid',
  row: string | null,
) {
  if (way === 'release-absent') return { way, row, reason };
  if (way !== 'paid') return { way, row: row!, reason };
  // The person reads the service's own list, and takes the newest payment of the row's debt.
  const debt = /^k(\d)$/.exec(row!)?.[1];
  const payment = world.payments.findLast((one) => one.row === Number(debt) - 1)?.id ?? 'pay-unknown';
  return { way, row: row!, payment, reason };
}

type MakingOrder = Extract<Command, { readonly do: 'plan' | 'propose' }>;

async function makePlan(deps: Deps, real: Real, order: MakingOrder, file: string) {
  const making = {
    ...real.making,
    policy: null,
    retries: order.again ? 'all' : [],
  } as const;
  const sheet = { ...sheetOrder(order, file), batch: order.batch, upload: null, base: never };
  const outcome = await (order.do === 'propose' ? proposePlan : plan)(deps, sheet, making);
  const { written } = outcome;
  if (written !== undefined)
    real.plans.set(real.plans.size, {
      order,
      path: written.plan,
      digest: written.plan_digest.replace('sha256:', ''),
      file,
    });
  return outcome;
}

function newSheet(real: Real, desk: Desk, order: SheetOrder): string {
  real.sheets += 1;
  const file = join(dirname(desk.sheet), `sheet-${real.sheets}.csv`);
  writeFileSync(
    file,
    sheetText(order, (key) => productKey(real, key)),
  );
  return file;
}

export const productKey = ({ digests }: Pick<Real, 'digests'>, key: string): string => digests.get(key) ?? key;

const batchOrder = ({ batch }: { readonly batch: string }) => ({
  batch,
  updateNames: false,
  skipInvalid: true,
  outDir: null,
  format: null,
});

function sheetOrder({ batch, add, drop, skips }: SheetOrder, file: string): RunOrder {
  return {
    ...batchOrder({ batch }),
    file,
    batch,
    add,
    drop,
    skipInvalid: skips,
    prompts: 5,
    repeated: {},
    confirmRepeat: null,
    sheet: {},
    rules: plainRules,
    documentsFolder: dirname(file),
  };
}
