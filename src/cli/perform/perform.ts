/** Performs a command about a sheet or batch: reads settings, opens service and ledger, and calls the use case. */
import type { KeyObject } from 'node:crypto';
import type { Command, Options, Release, SheetCommand } from '../../app/batch/command.ts';
import { requireOwnReasons } from '../../app/batch/own-words.ts';
import type { AskSigner, Releaser } from '../../app/release-row.ts';
import { type KeyFile, sign } from '../../approval/approval.ts';
import { type Clock, isoTime, systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import { noteWords } from '../../messages/notes.ts';
import type { Deps, Progress } from '../../pipeline/deps.ts';
import type { Outcome } from '../../pipeline/outcome.ts';
import { openPolicy } from '../../pipeline/plans/approved.ts';
import { stopOf } from '../../pipeline/sending/backoff.ts';
import type { HotJob } from '../../watch/watch.ts';
import {
  advanceOrder,
  approveOrder,
  planMaking,
  policyOfRun,
  readPerson,
  refuseUnbound,
  runOrder,
  settingsFor,
  sheetOptions,
} from '../args/build-orders.ts';
import { assemble } from '../compose/assemble.ts';
import { type CommandContext, placeFlags, usage } from '../compose/command-context.ts';
import { foldersOf, type Settings } from '../compose/config.ts';
import { guardsOf } from '../compose/limits.ts';

export interface Around extends Pick<CommandContext, 'env' | 'cwd'> {
  readonly clock?: Clock | undefined;
  readonly actor: Actor;
  readonly stop: AbortSignal;
  readonly key?: { readonly file: KeyFile; unlock(): Promise<KeyObject> } | undefined;
  progress(step: Progress): void;
  say(sentence: string): void;
  opened?(service: string, ledger: string, config: string | null): void;
}

export async function perform(command: Command, around: Around): Promise<Outcome> {
  requireOwnReasons(command);
  // A mistake in the map is reported before any ledger or service is opened.
  const sheet = 'file' in command ? sheetOptions(command, around) : {};
  return await withDeps(command, around, async (deps, settings) => {
    const policy = deps.policy?.path ?? null;
    const askSigner: AskSigner = async (reason) => await keyHolder(reason, around, policy);
    const ordered = <C extends Command>(said: C) => ({ ...said, ...advanceOrder(said, around) });
    switch (command.do) {
      case 'run': {
        const { run } = await import('../../app/run-batch.ts');
        const approve = approveOrder(command, around, policy);
        return await run(deps, { ...runOrder(command, around, settings, sheet), approve });
      }
      case 'plan':
      case 'propose': {
        const making = planMaking(command, around, policy === null ? null : openPolicy(policy));
        // The plan names the maker (`making`), so the run order does not.
        const said = { ...runOrder(command, around, settings, sheet), maker: null };
        const { plan, proposePlan } = await import('../../app/preview-batch.ts');
        if (command.do === 'plan') return await plan(deps, { ...said, seen: command.seen }, making);
        const { seen, batch, upload = null, base } = command;
        return await proposePlan(deps, { ...said, seen, batch, upload, base }, making);
      }
      case 'resume':
        return await (await import('../../app/run-batch.ts')).resume(deps, ordered(command));
      case 'retry':
        return await (await import('../../app/retry-rows.ts')).retryRows(deps, ordered(command));
      case 'reconcile':
        return await (await import('../../app/reconcile-batch.ts')).reconcileRows(deps, ordered(command));
      case 'resolve':
        return await (await import('../../app/decide-row.ts')).decideRow(deps, ordered(command), askSigner);
      case 'release': {
        const by = (await askSigner(command.reason)) ?? namedReleaser(command, around);
        return await (await import('../../app/release-row.ts')).releaseRow(deps, ordered(command), by);
      }
      case 'drop':
        return await (await import('../../app/close-rows.ts')).dropRows(deps, ordered(command));
      case 'reopen':
        return await (await import('../../app/close-rows.ts')).reopenRows(deps, ordered(command), askSigner);
      case 'rebind':
        return await (await import('../../app/rebind-batch.ts')).rebindBatch(deps, ordered(command));
    }
  });
}

/** Pays a sheet of the hot folder. `onBegan` is called if the sheet's batch is in the ledger already. */
export async function performHotJob(command: SheetCommand, around: Around, job: HotJob, onBegan: () => void) {
  const { runOrResume } = await import('../../app/run-batch.ts');
  const { batch, sha256, taken_at, base, fault, file } = job;
  if (fault !== null) throw new PayrunError('FILE_UNREADABLE', { path: file, why: fault });
  const sheet = sheetOptions(command, around);
  return await withDeps(command, around, async (deps, settings) => {
    const bytes = sha256 === null ? {} : { sha256 };
    const policy = deps.policy?.path ?? null;
    const approve = approveOrder(command, around, policy);
    const said = runOrder(command, around, settings, sheet);
    const takenAt = Date.parse(taken_at);
    return await runOrResume(deps, { ...said, approve, base, takenAt, recorded: batch, ...bytes }, onBegan);
  });
}

/** A name is enough if there is no policy. */
function namedReleaser({ reason, by }: Release, { actor }: Around): Releaser {
  const name = by ?? actor.name;
  if (name === null) throw usage('nobody is logged in by a name here; say who releases with --by');
  return { name: readPerson(name, '--by'), reason, signed: null };
}

/** Returns the approver who signs; null for a command without a key. */
async function keyHolder(reason: string, { key }: Around, policyPath: string | null): Promise<Releaser | null> {
  if (key === undefined) return null;
  if (policyPath === null) throw usage('--key goes with a policy: name its file with --policy or PAYRUN_POLICY');
  const policy = openPolicy(policyPath);
  const unlocked = await key.unlock();
  const { name } = key.file;
  const at = isoTime(systemClock.now());
  return {
    name,
    reason,
    signed: { policy, sign: (digest) => sign(unlocked, { purpose: 'release row', digest, approver: name, at }) },
  };
}

async function withDeps(
  args: Command | SheetCommand,
  around: Around,
  work: (deps: Deps, settings: Settings) => Promise<Outcome>,
): Promise<Outcome> {
  const { cwd, clock, actor, stop } = around;
  const settings = settingsFor(args, around);
  const { concurrency = 8, waitMs = 120_000, fresh = false } = args;
  await using ear = await openEar(args.listen, settings);
  await using assembled = await assemble({
    settings,
    hints: ear?.hints,
    fresh,
    concurrency,
    waitMs,
    guards: guardsOf(args, settings),
    policy: policyOfRun(args, around, settings),
    stop,
    actor,
    ...(clock === undefined ? {} : { clock }),
    progress: around.progress,
    say: (note) => around.say(noteWords(note, placeFlags(args, around))),
  });
  const { deps } = assembled;
  const batch = 'file' in args ? null : await deps.ledger.batches.batch(args.batch ?? '');
  if (batch !== null) refuseUnbound(args, around, settings, foldersOf(cwd, batch.sheet.origin));
  around.opened?.(deps.service.label, deps.ledger.path, settings.configPath);
  const outcome = await work(deps, settings).catch((error: unknown) => {
    throw stopOf(deps, error);
  });
  return { ...outcome, interrupted: outcome.interrupted ?? stop.aborted };
}

async function openEar(listener: Options['listen'], { webhook }: Settings) {
  if (listener === undefined) return null;
  const { openHints, openReceiver } = await import('../../pipeline/webhooks/receiver.ts');
  const hints = openHints();
  const { secret } = webhook;
  const settings = { ...listener, secret, unsigned: secret === null };
  const { close } = await openReceiver(settings, systemClock, hints.put);
  return { hints, [Symbol.asyncDispose]: close };
}
