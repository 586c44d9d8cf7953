/** What one seed decides before its story begins: the sheet, the service's habits, and what goes wrong. */
import type { DoubtSettings } from '../../src/pipeline/deps.ts';
import { type Chance, chanceFrom } from './chance.ts';
import { survives } from './gaps.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

export interface SheetRow {
  /** Its number in the story; its reference begins with it, whatever is corrected later. */
  readonly index: number;
  readonly country: 'Kenya' | 'SouthAfrica' | 'Nigeria' | 'BTC';
  readonly payee: number;
  readonly amount: number;
  readonly fromCountry: string | null;
  readonly document: boolean;
  /** The service refuses it until a person corrects it. */
  readonly bad: boolean;
}

/** How often each fault happens to a call that can suffer it, while faults happen at all. */
export interface Faults {
  // POST /payments.
  readonly notSent: number;
  readonly lost: number;
  readonly answerLost: number;
  readonly late: number;
  readonly failsBefore: number;
  readonly failsAfter: number;
  readonly cut: number;
  readonly busy: number;
  readonly unauthorized: number;
  readonly forbidden: number;
  /** A 400, though the payment was made. */
  readonly lying: number;
  readonly withoutStatus: number;
  /** The answer names another row's payment. */
  readonly otherId: number;
  // Every reading.
  readonly readFails: number;
  // GET /payments, once a pass.
  readonly blind: number;
  readonly hides: number;
  readonly shuffles: number;
  readonly markerRepeats: number;
  // The rest.
  readonly token: number;
  readonly merchant: number;
  readonly document: number;
}

export interface Parameters {
  readonly seed: number;
  readonly rows: readonly SheetRow[];
  readonly rowIds: boolean;
  readonly named: boolean;
  readonly concurrency: number;
  readonly waitMs: number;
  readonly doubt: DoubtSettings;
  readonly latencyMs: readonly [number, number];
  /** A request that the client saw fail may be carried out up to so long after its deadline. */
  readonly lateMs: number;
  readonly listLagMs: number;
  readonly merchantLagMs: number;
  readonly readableMs: number;
  readonly pageSize: number;
  readonly listOrder: 'newest' | 'oldest' | 'random';
  readonly settleMs: readonly [number, number];
  readonly expires: number;
  /** How many of the expired succeed after all. */
  readonly revives: number;
  readonly foreign: number;
  /** Payments that somebody made by hand, just like a row. */
  readonly lookalikes: number;
  readonly faults: Faults;
  /** Credentials or the right to pay are gone until the faults stop. */
  readonly lockedOut: 401 | 403 | null;
  // What befalls the process and the machine, each as a probability for one command.
  readonly crash: number;
  readonly stop: number;
  readonly suspend: number;
  readonly clockJump: number;
  // What befalls the ledger, between two commands.
  readonly ledgerLost: number;
  readonly ledgerRestored: number;
  readonly secondLedger: number;
  /** How many commands are run while faults happen. */
  readonly commands: number;
  /** Whether the person corrects rows that ended unpaid. */
  readonly corrects: boolean;
  readonly useResume: boolean;
  /** Which of the declared assumptions this seed breaks. */
  readonly breaks: { readonly late: boolean; readonly lag: boolean };
}

/** Each seed has its own few faults: with all at once most stories would end at the first. */
export function parametersOf(seed: number): Parameters {
  const chance = chanceFrom(`parameters ${seed}`);
  const { happens, between, spread, below, pick } = chance;
  const rare = () => (happens(0.22) ? spread(0.02, 0.6) : 0);
  const seldom = () => (happens(0.07) ? spread(0.02, 0.5) : 0);
  const breaks = { late: happens(0.03), lag: happens(0.03) };
  const doubt: DoubtSettings = {
    horizonMs: pick([5, 10, 30, 30]) * minuteMs,
    confirmMs: minuteMs,
    visibleMs: pick([0, 5, 20, 20]) * secondMs,
    policy: happens(0.5) ? 'resend' : 'hold',
    presend: happens(0.8) || !survives.suspect ? 'always' : 'suspect',
    deadlineMs: pick([5, 30, 75]) * secondMs,
  };
  const documents = happens(0.12);
  const corrects = happens(0.35);
  const listLagMs = breaks.lag ? doubt.visibleMs + spread(secondMs, hourMs) : doubt.visibleMs * pick([0, 0.3, 0.99]);
  const slow = happens(0.2) ? 3 * secondMs : 300;
  return {
    seed,
    rows: rowsOf(chance, { documents, bad: happens(0.3) ? between(0.05, 0.5) : 0 }),
    rowIds: corrects || happens(0.7),
    named: corrects || happens(0.7),
    // Which of two documents is read first is the disk's to say.
    concurrency: documents ? 1 : pick([1, 2, 4, 8, 8]),
    waitMs: pick([0, 0, 30 * secondMs, 2 * minuteMs, 2 * minuteMs, 2 * hourMs]),
    doubt,
    latencyMs: [1, spread(5, slow)],
    lateMs: breaks.late ? doubt.horizonMs * between(1, 6) : doubt.horizonMs * pick([0.1, 0.5, 0.99]),
    listLagMs,
    merchantLagMs: survives.merchantLag ? listLagMs : 0,
    readableMs: happens(0.3) ? between(0, 10 * secondMs) : 0,
    pageSize: pick([1, 3, 10, 100]),
    listOrder: pick(['newest', 'newest', 'oldest', 'random']),
    settleMs: pick([
      [10, secondMs],
      [secondMs, minuteMs],
      [minuteMs, 6 * hourMs],
    ]),
    expires: happens(0.25) ? between(0.1, 0.6) : 0,
    revives: happens(0.3) ? 0.5 : 0,
    foreign: happens(0.5) ? below(12) : 0,
    lookalikes: happens(0.1) ? 1 + below(2) : 0,
    faults: {
      notSent: rare(),
      lost: rare(),
      answerLost: rare(),
      late: rare(),
      failsBefore: rare(),
      failsAfter: rare(),
      cut: rare(),
      busy: rare(),
      unauthorized: rare(),
      forbidden: seldom(),
      lying: seldom(),
      withoutStatus: rare(),
      otherId: seldom() * Number(survives.otherId),
      readFails: rare() / 4,
      blind: seldom(),
      hides: seldom(),
      shuffles: rare(),
      markerRepeats: seldom(),
      token: rare() / 4,
      merchant: rare() / 2,
      document: rare(),
    },
    lockedOut: happens(0.04) ? pick([401, 403]) : null,
    crash: happens(0.7) ? between(0.2, 0.95) : 0,
    stop: happens(0.1) ? 0.3 : 0,
    suspend: happens(0.15) ? spread(0.05, 0.5) : 0,
    clockJump: happens(0.15) && survives.clockBack ? 0.4 : 0,
    ledgerLost: happens(0.12) ? 0.4 : 0,
    ledgerRestored: happens(0.12) ? 0.4 : 0,
    secondLedger: happens(0.12) ? 0.4 : 0,
    commands: 1 + below(5),
    corrects,
    useResume: happens(0.4),
    breaks,
  };
}

const sources = ['Nigeria', 'UnitedKingdom', 'USDT'] as const;

function rowsOf(chance: Chance, { documents, bad }: { documents: boolean; bad: number }): SheetRow[] {
  const { happens, below, pick } = chance;
  const count = happens(0.3) ? 1 + below(3) : 1 + below(20);
  const mixed = happens(0.25);
  const payees = happens(0.3) ? 1 : 5;
  return Array.from({ length: count }, (_, index) => {
    const country = mixed ? pick(['Kenya', 'Kenya', 'SouthAfrica', 'Nigeria', 'BTC'] as const) : 'Kenya';
    return {
      index,
      country,
      payee: below(payees),
      amount: 100 + below(900),
      fromCountry: mixed && country === 'Kenya' && happens(0.2) ? pick(sources.slice(0, 2)) : null,
      document: documents && happens(0.4),
      bad: happens(bad),
    };
  });
}
