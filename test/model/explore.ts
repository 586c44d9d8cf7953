/** Breadth-first search over every state that a model can reach: the first trace to a bad state is a shortest one. */

export interface Step<S> {
  readonly label: string;
  readonly next: S;
  /** The order of steps once faults have stopped; a step without it is a fault, or somebody's free choice. */
  readonly calm?: number;
}

export interface Model<S> {
  readonly initial: S;
  /** Equal for states that behave alike, so that each is looked at once. */
  key(state: S): string;
  steps(state: S): readonly Step<S>[];
  /** The properties that this very state breaks. */
  broken(state: S): readonly string[];
  /** Nothing is left to do. Where a model has it, every state must come here by calm steps alone, or it breaks L1. */
  done?(state: S): boolean;
}

export interface Finding {
  readonly property: string;
  readonly trace: readonly string[];
}

export interface Explored {
  readonly states: number;
  /** Every reachable state was seen. */
  readonly exhausted: boolean;
  readonly finding: Finding | null;
}

export interface Search {
  /** Look for these only; whatever else breaks is walked through. */
  readonly properties?: readonly string[];
  readonly limit?: number;
  readonly progress?: (states: number) => void;
}

/** What is remembered of each state: enough to walk to it again; the states themselves would fill the memory. */
interface Memory {
  readonly numbers: Map<string, number>;
  readonly parent: number[];
  readonly choice: number[];
  /** Where the calm step leads: a state's number, or one of these two. */
  readonly calm: number[];
}
const finished = -1;
const stuck = -2;

/** Sixteen million entries are the most that a Map takes. */
const mostStates = 16_000_000;

export function search<S>(model: Model<S>, { properties, limit = mostStates, progress }: Search = {}): Explored {
  const memory: Memory = { numbers: new Map(), parent: [], choice: [], calm: [] };
  const sought = (property: string) => properties === undefined || properties.includes(property);
  const found = (property: string, number: number, exhausted: boolean): Explored => ({
    states: memory.numbers.size,
    exhausted,
    finding: { property, trace: traceTo(model, memory, number) },
  });

  remember(memory, model.key(model.initial), 0, 0);
  let level = [model.initial];
  for (let first = 0; level.length > 0; ) {
    const below: S[] = [];
    for (const [offset, state] of level.entries()) {
      const number = first + offset;
      const property = model.broken(state).find(sought);
      if (property !== undefined) return found(property, number, false);
      if (memory.numbers.size > limit) return { states: memory.numbers.size, exhausted: false, finding: null };
      below.push(...expand(model, memory, state, number));
    }
    first += level.length;
    level = below;
    progress?.(memory.numbers.size);
  }
  const stalled = model.done === undefined || !sought('L1') ? undefined : firstStalled(memory.calm);
  if (stalled !== undefined) return found('L1', stalled, true);
  return { states: memory.numbers.size, exhausted: true, finding: null };
}

function remember({ numbers, parent, choice }: Memory, key: string, from: number, chosen: number): void {
  numbers.set(key, numbers.size);
  parent.push(from);
  choice.push(chosen);
}

/** Takes every step from a state and returns the states that were not known. */
function expand<S>(model: Model<S>, memory: Memory, state: S, number: number): S[] {
  const fresh: S[] = [];
  let rank = Number.POSITIVE_INFINITY;
  let calm = stuck;
  for (const [index, step] of model.steps(state).entries()) {
    const key = model.key(step.next);
    if (!memory.numbers.has(key)) {
      remember(memory, key, number, index);
      fresh.push(step.next);
    }
    const to = memory.numbers.get(key) ?? stuck;
    // A step that changes nothing brings nobody further.
    if (step.calm === undefined || step.calm >= rank || to === number) continue;
    rank = step.calm;
    calm = to;
  }
  memory.calm[number] = model.done?.(state) ? finished : calm;
  return fresh;
}

/** Each state has one calm step at most, so a walk along them ends, or turns in a circle: then its row never ends. */
function firstStalled(calm: readonly number[]): number | undefined {
  const ends = new Uint8Array(calm.length);
  for (let start = 0; start < calm.length; start += 1) {
    const path: number[] = [];
    let at = start;
    for (const walked = new Set<number>(); at >= 0 && ends[at] === 0; at = calm[at] ?? stuck) {
      if (walked.has(at)) return start;
      walked.add(at);
      path.push(at);
    }
    if (at === stuck) return start;
    for (const number of path) ends[number] = 1;
  }
  return undefined;
}

/** The labels of the steps from the start to a state: the walk is made again by the choices that were remembered. */
function traceTo<S>(model: Model<S>, { parent, choice }: Memory, number: number): string[] {
  const choices: number[] = [];
  for (let at = number; at > 0; at = parent[at] ?? 0) choices.push(choice[at] ?? 0);
  const labels: string[] = [];
  let state = model.initial;
  for (const index of choices.reverse()) {
    const step = model.steps(state)[index];
    if (step === undefined) throw new Error('the model took other steps than the first time');
    labels.push(step.label);
    state = step.next;
  }
  return labels;
}
