/** Runs trials in children that may die: what becomes of them, how long they take and how much they use is seen from outside. */
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './child.ts';

export interface Watched {
  /** The first seed; each trial takes the next. */
  readonly seed: number;
  readonly trials: number;
  /** No trial begins behind it; absent: all are made. */
  readonly milliseconds?: number;
  readonly children?: number;
  /** A trial that takes longer hangs: by its own time of the processor, since a busy machine makes everybody wait. */
  readonly deadline?: number;
  readonly onFinding?: (finding: Finding) => void;
}

export interface Finding {
  readonly seed: number;
  readonly what: 'fault' | 'death' | 'hang' | 'memory';
  readonly words: string;
}

export interface Tally {
  readonly lastSeed: number;
  readonly trials: number;
  readonly refused: number;
  readonly kinds: ReadonlyMap<string, number>;
  readonly findings: readonly Finding[];
}

/** What a file that is refused may cost at most; one that is read costs what it holds. */
const mostMegabytes = 256;
/** So many times its deadline, and a trial hangs even where it did nothing. */
const patience = 6;
/** A child that has run so many trials makes room for a fresh one. */
const trialsPerChild = 5000;

export async function watch({
  seed,
  trials,
  milliseconds = Number.POSITIVE_INFINITY,
  children = 2,
  deadline = 10_000,
  onFinding,
}: Watched): Promise<Tally> {
  const end = performance.now() + milliseconds;
  const kinds = new Map<string, number>();
  const findings: Finding[] = [];
  let next = seed;
  let refused = 0;
  const work = async () => {
    let child: Child | null = null;
    for (let run = 0; next < seed + trials && performance.now() < end; run++) {
      if (child === null || run % trialsPerChild === trialsPerChild - 1) {
        child?.end();
        child = startChild(deadline);
      }
      const mine = next++;
      let outcome = await child.try(mine);
      if (!isFine(outcome)) {
        // A busy machine is slow, and an old process is large: what counts happens in a fresh one, too.
        child.end();
        child = startChild(deadline);
        outcome = await child.try(mine);
      }
      if (outcome.what === 'answer') {
        kinds.set(outcome.answer.kind, (kinds.get(outcome.answer.kind) ?? 0) + 1);
        if (outcome.answer.refused) refused++;
      }
      if (isFine(outcome)) continue;
      const finding = findingOf(mine, outcome);
      findings.push(finding);
      onFinding?.(finding);
      child.end();
      child = null;
    }
    child?.end();
  };
  await Promise.all(Array.from({ length: children }, work));
  return { lastSeed: next - 1, trials: next - seed, refused, kinds, findings };
}

type Outcome =
  | { readonly what: 'answer'; readonly answer: Answer; readonly megabytes: number }
  | { readonly what: 'death' | 'hang'; readonly words: string };

interface Child {
  try(seed: number): Promise<Outcome>;
  end(): void;
}

function isFine(outcome: Outcome): boolean {
  if (outcome.what !== 'answer') return false;
  const { refused, fault } = outcome.answer;
  return fault === null && (!refused || outcome.megabytes <= mostMegabytes);
}

function findingOf(seed: number, outcome: Outcome): Finding {
  if (outcome.what !== 'answer') return { seed, what: outcome.what, words: outcome.words };
  const { kind, fault } = outcome.answer;
  if (fault !== null) return { seed, what: 'fault', words: `${kind}: ${fault}` };
  return { seed, what: 'memory', words: `${kind}: ${Math.round(outcome.megabytes)} MiB` };
}

function startChild(deadline: number): Child {
  const child = fork(join(import.meta.dirname, 'child.ts'), {
    // Helpers that collect what trials throw away took a third of the time; the product gives young objects little room, too.
    execArgv: ['--expose-gc', '--max-old-space-size=256', '--single-threaded-gc', '--max-semi-space-size=4'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString('utf8')).slice(-2000);
  });
  // Loading takes what the machine has left; only reading is held to the deadline.
  const ready = new Promise<void>((resolve) => {
    child.once('message', () => resolve()).once('exit', () => resolve());
  });
  return {
    try: async (seed) => {
      await ready;
      return await tried(seed);
    },
    end: () => endChild(child),
  };

  function tried(seed: number): Promise<Outcome> {
    return new Promise((resolve) => {
      let below = 0;
      // The product may read in processes of its own; theirs is told with that of the child.
      const sampler = setInterval(() => {
        below = Math.max(below, ...descendants(child.pid!).map(peakOf));
      }, 100);
      const settle = (outcome: Outcome) => {
        clearInterval(sampler);
        clearInterval(timer);
        child.off('message', onAnswer).off('exit', onExit);
        resolve(outcome);
      };
      const began = performance.now();
      const usedBefore = processorTime(child.pid!);
      const timer = setInterval(() => {
        const waited = performance.now() - began;
        const used = (processorTime(child.pid!) ?? Number.POSITIVE_INFINITY) - (usedBefore ?? 0);
        if (waited < deadline || (used < deadline && waited < patience * deadline)) return;
        child.kill('SIGKILL');
        settle({ what: 'hang', words: `no answer within ${deadline / 1000} s` });
      }, deadline / 8);
      const onAnswer = (answer: Answer) => settle({ what: 'answer', answer, megabytes: Math.max(answer.peak, below) });
      const onExit = (code: number | null, signal: string | null) =>
        settle({ what: 'death', words: `ended with ${signal ?? code}: ${said}` });
      child.on('message', onAnswer).on('exit', onExit);
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
      else child.send(seed);
    });
  }
}

function endChild(child: ChildProcess): void {
  if (child.connected) child.disconnect();
  child.stderr?.destroy();
  child.unref();
}

function descendants(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
    return children.flatMap((one) => [one, ...descendants(one)]);
  } catch {
    return [];
  }
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}

/** In milliseconds; null where the system does not tell. Linux counts in hundredths of a second. */
function processorTime(pid: number): number | null {
  try {
    // Behind the name, which may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return null;
  }
}
