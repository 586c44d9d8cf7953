/**
 * One row, and fifteen ways to send it: which of them can pay it twice when requests are lost or late and workers die.
 * Small enough that every history of at most three sends within nine ticks is seen.
 */
import { type Explored, type Model, type Step, search } from './explore.ts';

export interface Design {
  /** When the intent is written: before the bytes leave, after that, or never. */
  readonly intent: 'before' | 'after' | 'never';
  /** A row that may have been sent is looked for at the service before it is sent again. */
  readonly looks: boolean;
  /** What the service lists is not everything that it has. */
  readonly blind: boolean;
  /** Ticks from the intent until a row may be looked for. */
  readonly wait: number;
  readonly notFound: 'resend' | 'hold';
  /** Ticks after which a request can no longer become a payment. */
  readonly late: number;
  readonly workers: 1 | 2;
  /** Ticks for which a worker may stand still between its intent and its bytes. */
  readonly pause: number;
  /** A worker that stood still does not send. */
  readonly abandons: boolean;
  /** A power cut may take the intent back. */
  readonly losesWrites: boolean;
}

interface Worker {
  readonly doing: 'nothing' | 'about to send' | 'waiting' | 'about to note';
  /** The attempt that it works on; the ledger has forgotten it when this is not the ledger's. */
  readonly attempt: number;
}

interface State {
  readonly tick: number;
  readonly ledger: 'ready' | 'sending' | 'accepted' | 'held';
  readonly intentAt: number;
  readonly attempt: number;
  readonly workers: readonly Worker[];
  /** When each request left that may still become a payment. */
  readonly requests: readonly number[];
  readonly payments: number;
  readonly sends: number;
}

const ticks = 9;
const sends = 3;
const idle: Worker = { doing: 'nothing', attempt: 0 };

export function oneRow(design: Design): Explored {
  return search(modelOf(design));
}

function modelOf(design: Design): Model<State> {
  return {
    initial: {
      tick: 0,
      ledger: 'ready',
      intentAt: 0,
      attempt: 0,
      workers: Array.from({ length: design.workers }, () => idle),
      requests: [],
      payments: 0,
      sends: 0,
    },
    key: (state) => JSON.stringify(state),
    steps: (state) => [
      ...state.workers.flatMap((_, index) => workerSteps(design, state, index)),
      ...requestSteps(state),
      ...timeSteps(design, state),
    ],
    broken: ({ payments }) => (payments > 1 ? ['S1'] : []),
  };
}

function doing(state: State, index: number, what: Worker['doing'], attempt: number): readonly Worker[] {
  return state.workers.map((worker, other) => (other === index ? { doing: what, attempt } : worker));
}

function workerSteps(design: Design, state: State, index: number): Step<State>[] {
  const worker = state.workers[index] ?? idle;
  const name = design.workers === 1 ? '' : `worker ${index + 1}: `;
  const step = (label: string, change: Partial<State>): Step<State> => ({
    label: name + label,
    next: { ...state, ...change },
  });
  const free = doing(state, index, 'nothing', 0);
  const mine = state.attempt === worker.attempt;
  const dies = [
    step('dies', { workers: free }),
    ...(design.losesWrites && state.ledger === 'sending'
      ? [step('power cut, the intent is lost', { workers: free, ledger: 'ready' })]
      : []),
  ];
  switch (worker.doing) {
    case 'nothing':
      return freeSteps(design, state, index, step);
    case 'about to send':
      return design.abandons && state.tick > state.intentAt
        ? [step('stood still, abandons', { workers: free, ...(mine ? { ledger: 'ready' as const } : {}) }), ...dies]
        : [step('bytes leave', leaving(design, state, index, worker.attempt)), ...dies];
    case 'about to note':
      return [
        step('writes the intent', {
          ledger: 'sending',
          intentAt: state.tick,
          workers: doing(state, index, 'waiting', worker.attempt),
        }),
        ...dies,
      ];
    case 'waiting':
      return [
        step('time-out', { workers: free }),
        ...dies,
        ...(state.payments > 0 && mine ? [step('answer: accepted', { workers: free, ledger: 'accepted' })] : []),
      ];
  }
}

type StepOf = (label: string, change: Partial<State>) => Step<State>;

/** What a worker with nothing in hand does about the row. */
function freeSteps(design: Design, state: State, index: number, step: StepOf): Step<State>[] {
  if (state.sends >= sends) return [];
  const attempt = state.attempt + 1;
  const begin: Partial<State> = {
    attempt,
    workers: doing(state, index, 'about to send', attempt),
    ...(design.intent === 'before' ? { ledger: 'sending' as const, intentAt: state.tick } : {}),
  };
  if (state.ledger === 'ready')
    return [step(design.intent === 'before' ? 'writes the intent' : 'takes the row', begin)];
  if (state.ledger !== 'sending') return [];
  if (state.tick < state.intentAt + design.wait) return [];
  if (!design.looks) return [step('sends again', begin)];
  if (state.payments > 0 && !design.blind) return [step('looks, finds it', { ledger: 'accepted' })];
  return design.notFound === 'hold'
    ? [step('looks, does not find it, holds', { ledger: 'held' })]
    : [step('looks, does not find it, writes the intent', begin)];
}

function leaving(design: Design, state: State, index: number, attempt: number): Partial<State> {
  return {
    requests: [...state.requests, state.tick],
    sends: state.sends + 1,
    workers: doing(state, index, design.intent === 'after' ? 'about to note' : 'waiting', attempt),
  };
}

/** A request becomes a payment at some time, or never: a lost one is simply not chosen before it is too late. */
function requestSteps(state: State): Step<State>[] {
  return state.requests.map((left, index) => ({
    label: left === state.tick ? 'the service commits' : `the service commits, ${state.tick - left} ticks late`,
    next: { ...state, requests: state.requests.filter((_, other) => other !== index), payments: state.payments + 1 },
  }));
}

/** Time passes, unless a worker would stand still for longer than the design assumes. */
function timeSteps(design: Design, state: State): Step<State>[] {
  const standsStill = state.workers.some(
    (worker) => worker.doing === 'about to send' && state.tick - state.intentAt >= design.pause,
  );
  if (state.tick >= ticks || standsStill) return [];
  const tick = state.tick + 1;
  return [
    { label: 'tick', next: { ...state, tick, requests: state.requests.filter((at) => tick - at <= design.late) } },
  ];
}

const sound: Design = {
  intent: 'before',
  looks: true,
  blind: false,
  wait: 3,
  notFound: 'resend',
  late: 2,
  workers: 1,
  pause: 0,
  abandons: false,
  losesWrites: false,
};

/** The table: what each design is, and whether it can pay twice. */
export const designs: readonly (readonly [name: string, paysTwice: boolean, design: Design])[] = [
  ['1 blind retry, no ledger', true, { ...sound, intent: 'never', looks: false, wait: 0 }],
  ['2 intent, no lookup, retry', true, { ...sound, looks: false, wait: 0 }],
  ['3 lookup, but the intent is written after the send', true, { ...sound, intent: 'after' }],
  ['4 intent and lookup, sent again at once when not found', true, { ...sound, wait: 0 }],
  ['5 the same, and nothing is ever late', true, { ...sound, wait: 0, late: 0 }],
  ['6 a wait as long as the lateness', true, { ...sound, wait: 2 }],
  ['7 a wait longer than the lateness', false, sound],
  ['8 a wait of 3, but 4 ticks late', true, { ...sound, late: 4 }],
  ['9 hold when not found, 4 ticks late', false, { ...sound, notFound: 'hold', late: 4 }],
  ['10 the wait is right, but a power cut loses the intent', true, { ...sound, losesWrites: true }],
  ['11 two workers, a pause of 2 after the intent', true, { ...sound, workers: 2, pause: 2 }],
  ['12 the same, abandoned after a pause', false, { ...sound, workers: 2, pause: 2, abandons: true }],
  ['13 two workers, a wait longer than pause and lateness', false, { ...sound, workers: 2, pause: 2, wait: 5 }],
  ['14 two workers, hold, a pause of 5, 4 late', false, { ...sound, workers: 2, pause: 5, late: 4, notFound: 'hold' }],
  ['15 a lookup that does not see what is there', true, { ...sound, blind: true }],
];
