/** The payout service of a story, in memory: what the pipeline sees of it by its client, and what is really there. */
import { sha256 } from '../../src/base/digest.ts';
import { PayrunError } from '../../src/base/errors.ts';
import {
  type BankEntry,
  CallFailure,
  type PayoutClient,
  type ReadMerchant,
  type ReadPayment,
  readPayment,
} from '../../src/client/client.ts';
import { type PaymentCreate, paymentCreate } from '../../src/wire/payment.ts';
import { epochMs } from './clock.ts';
import { survives } from './gaps.ts';
import { never, type Process } from './process.ts';
import { referenceOf, rowOfReference, timesCorrected } from './sheet.ts';
import type { PaymentFate, Story } from './story.ts';

const refusedWith = (
  outcome: CallFailure['outcome'],
  call: string,
  status: number,
  retryAfterMs: number | null = null,
) => new CallFailure(outcome, { fault: 'call-was-answered', call, status, reason: null }, retryAfterMs);

export interface Stored {
  readonly id: string;
  /** The sheet's row that it pays; null for payments that are none of ours. */
  readonly row: number | null;
  readonly reference: string;
  readonly tag: string | null;
  readonly merchantId: string;
  readonly amount: number;
  readonly madeAt: number;
  readonly listedAt: number;
  readonly readableAt: number;
  readonly place: number;
  readonly madeBy: string;
  status: string;
  /** When it succeeded after all, though it had expired; else null. */
  revivedAt: number | null;
}

export interface World {
  readonly url: string;
  readonly payments: readonly Stored[];
  /** Requests that may still be carried out, by row. */
  readonly underWay: ReadonlyMap<number, number>;
  /** Payments that exist and are not yet in the list. */
  unlisted(): number;
  /** Whether every payment has come to its end. */
  settled(): boolean;
  /** How often a payment was made or changed. */
  readonly changes: number;
  /** Rows whose payments were made and refused in one breath. */
  readonly lies: ReadonlySet<number>;
  /** Rows that were answered with another row's payment: what a ledger makes of them is at least an alarm. */
  readonly misnamed: ReadonlySet<number>;
  /** Passes that were shown a list with holes. */
  readonly badPasses: number;
  clientFor(process: Omit<Process, 'deps'>): PayoutClient;
}

type Caller = Omit<Process, 'deps'>;

const banks: Record<string, readonly BankEntry[]> = {
  SouthAfrica: [{ name: 'Standard Bank', code: 'ZA-SBZA', branchCode: '051001' }],
  Nigeria: [{ name: 'Guaranty Trust Bank', code: '058', branchCode: null }],
};
const countries = ['BTC', 'SouthAfrica', 'Nigeria', 'Kenya', 'Europe', 'UnitedKingdom', 'USDT'];

/** Shapes that other programs' payments can have: none of them may spoil a pass. */
const strangeItems: readonly unknown[] = [
  null,
  {},
  'payment',
  { id: 12345, tag: null, amount: null },
  { id: 'f-1', tag: 7, amount: '100', status: 'success' },
  { id: 'f-2', tag: 'JANUARY PAYROLL', amount: 100, reference: 'R01', status: 'paid out' },
  { id: 'f-3', tag: '', merchantId: null, date: 'yesterday', status: null },
  { id: 'f-4', tag: 'q0000000000000000000', amount: 5, reference: '', status: 'success' },
];

export function openWorld(story: Story): World {
  const { parameters, timeline, tell } = story;
  const { faults, doubt } = parameters;
  const payments: Stored[] = [];
  const merchants = new Map<string, ReadMerchant & { listedAt: number }>();
  /** The documents of each payment, by the hash of their content. */
  const documents = new Map<string, string[]>();
  const underWay = new Map<number, number>();
  const lies = new Set<number>();
  const misnamed = new Set<number>();
  const chance = story.chance('service');
  const strangers = Array.from({ length: parameters.foreign }, () => chance.pick(strangeItems));
  const hiddenOnce = new Set<string>();
  let badPasses = 0;
  let ids = 0;
  /** Payments that will change once more. */
  let moving = 0;
  let changes = 0;

  const happens = (probability: number) => !story.calm && chance.happens(probability);
  const latency = () => chance.between(...parameters.latencyMs);
  const serviceNow = () => epochMs + timeline.now();

  function store(body: PaymentCreate, row: number | null, madeBy: string): Stored {
    ids += 1;
    const now = timeline.now();
    const { merchantId, amount, reference } = body;
    const payment: Stored = {
      id: row === null ? `hand-${ids}` : `pay-${ids}`,
      row,
      reference,
      tag: body.tag ?? null,
      merchantId,
      amount,
      madeAt: now,
      listedAt: now + (story.calm ? 0 : chance.between(0, parameters.listLagMs)),
      readableAt: now + (story.calm ? 0 : chance.between(0, parameters.readableMs)),
      place: chance.next(),
      madeBy,
      status: chance.pick(['pending', 'pending', 'processing', 'awaiting funds']),
      revivedAt: null,
    };
    payments.push(payment);
    const settleMs = chance.spread(...parameters.settleMs);
    moving += 1;
    changes += 1;
    timeline.after(settleMs, () => {
      moving -= 1;
      changes += 1;
      payment.status = chance.happens(parameters.expires) ? 'expired' : 'success';
      tell('service', `${payment.id} (${reference}) is ${payment.status}`);
      if (payment.status !== 'expired' || !chance.happens(parameters.revives)) return;
      moving += 1;
      timeline.after(chance.spread(1000, 12 * 60 * 60 * 1000), () => {
        moving -= 1;
        changes += 1;
        payment.status = 'success';
        payment.revivedAt = timeline.now();
        tell('service', `${payment.id} (${reference}) had expired and is success after all`);
      });
    });
    return payment;
  }

  const shown = (payment: Stored): ReadPayment => {
    const { id, merchantId, amount, reference, tag, status, madeAt } = payment;
    const date = new Date(epochMs + madeAt).toISOString();
    const read = readPayment({ id, merchantId, amount, reference, tag, status, date });
    if (read === null) throw new Error('a payment of the simulated service is readable');
    return read;
  };

  function listed(): Stored[] {
    const now = timeline.now();
    const list = payments.filter(({ listedAt }) => listedAt <= now);
    if (parameters.listOrder === 'newest') list.reverse();
    else if (parameters.listOrder === 'random') list.sort((a, b) => a.place - b.place);
    return list;
  }

  /** The answer to what was asked now, when it comes in; the process may be gone by then. */
  function answered<T>(caller: Caller, delayMs: number, what: string, answer: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      timeline.after(
        delayMs,
        () => {
          if (caller.step(`answer of ${what}`)) return;
          try {
            resolve(answer());
          } catch (error) {
            reject(error);
          }
        },
        caller,
      );
    });
  }

  const failure = (call: string) =>
    chance.happens(0.5)
      ? refusedWith('unknown', call, 503)
      : new CallFailure('unknown', { fault: 'call-was-cut', call });

  /** A reading, its repeats by the client left out: it answers, or it failed five times. */
  async function read<T>(caller: Caller, what: string, answer: () => T, mayFail = true): Promise<T> {
    if (caller.step(`ask ${what}`)) return await never;
    if (happens(faults.readFails) && mayFail)
      return await answered(caller, chance.spread(500, 20_000), what, () => {
        tell('service', `${what} fails for ${caller.name}`);
        throw failure(what);
      });
    return await answered(caller, latency() + latency(), what, answer);
  }

  function clientFor(caller: Caller): PayoutClient {
    let dated: { serviceMs: number; atMs: number } | null = null;
    let freshToken = false;
    const ownMs = () => timeline.now() - caller.startedAt - caller.suspendedMs;
    const date = () => {
      dated = { serviceMs: Math.floor(serviceNow() / 1000) * 1000, atMs: ownMs() };
    };

    async function mint(what: string): Promise<void> {
      if (caller.step(what)) return await never;
      if (happens(faults.token))
        return await answered(caller, latency(), what, () => {
          tell('service', `no token for ${caller.name}`);
          throw new CallFailure('not-sent', { fault: 'call-was-cut', call: 'POST /token' });
        });
      await answered(caller, latency(), what, date);
      freshToken = true;
    }

    /** The payment is asked for now; what the client hears of it, and when it is carried out, are two things. */
    async function createPayment(body: PaymentCreate) {
      paymentCreate.parse(body);
      const { reference } = body;
      const row = rowOfReference(reference);
      if (row === null) throw new Error(`the sheet has no row '${reference}'`);
      if (caller.step(`before POST /payments ${reference}`)) return await never;
      const fate = paymentFate(row, timesCorrected(reference), freshToken);
      const sentAt = timeline.now();
      const arriveMs = Math.min(latency(), doubt.deadlineMs / 2);
      const backMs = Math.min(latency(), doubt.deadlineMs / 4);
      const carryOut = (delayMs: number) => {
        underWay.set(row, (underWay.get(row) ?? 0) + 1);
        timeline.after(delayMs, () => {
          underWay.set(row, (underWay.get(row) ?? 1) - 1);
          made = store(body, row, caller.name);
          tell('service', `makes ${made.id} for ${reference}, sent ${Math.round(timeline.now() - sentAt)} ms ago`);
        });
      };
      let made: Stored | null = null;
      tell(caller.name, `POST /payments ${reference} ${body.tag} -> ${fate}`);
      caller.paying.add(reference);
      if (carriedOut.has(fate)) carryOut(arriveMs);
      // What fails is heard of at once, after a while, or at the deadline.
      const failMs = Math.max(arriveMs, chance.pick([0, chance.next(), 1]) * doubt.deadlineMs);
      if (fate === 'late') carryOut(chance.between(failMs, doubt.deadlineMs + parameters.lateMs));
      if (fate === 'lying') lies.add(row);
      // Dead on the wire: the request has left.
      if (caller.step(`after POST /payments ${reference}`)) return await never;
      const slowMs = arriveMs + doubt.deadlineMs / 2;
      const heardMs = fate === 'slow' ? slowMs : heardAtOnce.has(fate) ? arriveMs + backMs : failMs;
      return await answered(caller, heardMs, `POST /payments ${reference}`, () => {
        caller.paying.delete(reference);
        if (fate !== 'not-sent' && heardAtOnce.has(fate)) date();
        const payment = made;
        switch (fate) {
          case 'made':
          case 'slow':
          case 'without-status':
          case 'other-id': {
            if (payment === null) throw new Error('a made payment is there');
            const other = fate === 'other-id' ? payments.find((one) => one.row !== null && one.row !== row) : undefined;
            if (other !== undefined) for (const one of [row, other.row]) if (one !== null) misnamed.add(one);
            const { id } = other ?? payment;
            const told = fate === 'without-status' ? { id } : shown(other ?? payment);
            return { id, body: told, payment: readPayment(told) };
          }
          case 'not-sent':
            throw new CallFailure('not-sent', { fault: 'call-was-cut', call: 'POST /payments' });
          case 'busy': {
            const retryAfterMs = chance.pick([null, 0, 1000, 30_000, 1e12]);
            throw refusedWith('not-sent', 'POST /payments', 429, retryAfterMs);
          }
          case 'unauthorized':
            throw refusedWith('not-sent', 'POST /payments', 401);
          case 'forbidden':
            throw refusedWith('refused', 'POST /payments', 403);
          case 'refused':
          case 'lying':
            throw refusedWith('refused', 'POST /payments', 400);
          case 'fails-before':
          case 'fails-after':
            throw refusedWith('unknown', 'POST /payments', 502);
          case 'cut':
            throw new CallFailure('unknown', { fault: 'answer-has-no-id', call: 'POST /payments', status: 201 });
          case 'late':
          case 'lost':
          case 'answer-lost':
            throw new CallFailure('unknown', { fault: 'call-was-cut', call: 'POST /payments' });
        }
      });
    }

    return {
      baseUrl: url,
      serviceTime: () => (dated === null ? null : dated.serviceMs + Math.floor(ownMs() - dated.atMs)),
      async ready() {
        if (!freshToken) await mint('POST /token');
      },
      async reauthenticate() {
        await mint('POST /token again');
      },
      countries: () => read(caller, 'GET /utils/countries', () => countries),
      banks: (country) => read(caller, `GET /utils/banks/${country}`, () => banks[country] ?? []),
      async *merchants() {
        const items = await read(caller, 'GET /merchants', () => {
          date();
          return [...merchants.values()].filter(({ listedAt }) => listedAt <= timeline.now());
        });
        yield { items, unreadable: [] };
      },
      async createMerchant(body) {
        if (caller.step('ask POST /merchants')) return await never;
        const make = () => {
          const id = `m-${merchants.size + 1}`;
          const lagMs = story.calm ? 0 : chance.between(0, parameters.merchantLagMs);
          const made = { ...noMerchant, ...body, id, listedAt: timeline.now() + lagMs };
          merchants.set(id, made);
          tell('service', `makes merchant ${id} (${body.country}, ${body.contactNumber ?? body.name})`);
          return made;
        };
        if (happens(faults.merchant)) {
          const fate = chance.pick(['not-sent', 'before', 'after', 'busy'] as const);
          tell(caller.name, `POST /merchants ${body.contactNumber ?? body.name} -> ${fate}`);
          if (fate === 'after') timeline.after(latency(), make);
          return await answered(caller, latency() + latency(), 'POST /merchants', () => {
            if (fate === 'busy') throw refusedWith('not-sent', 'POST /merchants', 429);
            if (fate === 'not-sent')
              throw new CallFailure('not-sent', { fault: 'call-was-cut', call: 'POST /merchants' });
            throw failure('POST /merchants');
          });
        }
        let made: ReadMerchant | null = null;
        const outMs = latency();
        timeline.after(outMs, () => {
          made = make();
        });
        return await answered(caller, outMs + latency(), 'POST /merchants', () => made ?? make());
      },
      merchant: (id) => read(caller, `GET /merchants/${id}`, () => merchants.get(id) ?? null),
      patchMerchant: (id) => read(caller, `PATCH /merchants/${id}`, () => merchants.get(id) ?? null),
      createPayment,
      payment: (id) =>
        read(
          caller,
          `GET /payments/${id}`,
          () => {
            date();
            const found = payments.find((one) => one.id === id);
            return found === undefined || found.readableAt > timeline.now() ? null : shown(found);
          },
          survives.failedLooks,
        ),
      payments: () => pass(caller, date),
      async attachDocument(paymentId, { content }) {
        if (caller.step('ask POST document')) return await never;
        const fails = happens(faults.document);
        const kept = documents.get(paymentId) ?? [];
        if (!fails || chance.happens(0.5)) documents.set(paymentId, [...kept, sha256(content as Uint8Array)]);
        return await answered(caller, latency(), 'POST document', () => {
          if (fails) throw failure('POST /payments/p/document');
          return `d-${paymentId}-${kept.length + 1}`;
        });
      },
      documents: (paymentId) => read(caller, 'GET documents', () => documents.get(paymentId) ?? []),
      // What is listed here is the hash itself.
      documentHashes: (listed) => read(caller, 'GET the documents', () => listed.map(String)),
      close: () => {},
      [Symbol.dispose]() {},
    };
  }

  /** GET /payments to its end, as this pass is shown it. */
  async function* pass(caller: Caller, date: () => void): AsyncGenerator<readonly unknown[]> {
    const blind = (badPasses < 2 && happens(faults.blind)) || (story.tamper === 'pass-sees-nothing' && !story.calm);
    const hides = happens(faults.hides);
    const twice = happens(faults.shuffles);
    const repeats = happens(faults.markerRepeats);
    const hidden = chance.next();
    let hiddenId = null as string | null;
    let at = 0;
    const seen: string[] = [];
    for (let page = 1; ; page += 1) {
      const { items, last } = await read(caller, `GET /payments page ${page}`, () => {
        date();
        if (blind) return { items: [], last: true };
        const list = story.tamper === 'pass-sees-own-run-only' && !story.calm ? listedOf(caller) : listed();
        if (hides && page === 1) hiddenId = hideOnce(list[Math.floor(hidden * list.length)]?.id);
        const slice = list.slice(twice && at > 0 ? at - 1 : at, at + parameters.pageSize);
        const read = slice.filter(({ id }) => id !== hiddenId);
        seen.push(...read.map(({ id }) => id));
        const strange = page === 1 ? strangers : [];
        return { items: [...strange, ...read.map(shown)], last: at + parameters.pageSize >= list.length };
      });
      if (last) {
        if (blind || hiddenId !== null) badPasses += 1;
        const words = blind ? ', blind' : hiddenId === null ? '' : `, without ${hiddenId}`;
        tell(caller.name, `GET /payments to its end${words}: ${seen.join(' ')}`);
        yield items;
        return;
      }
      yield items;
      at += parameters.pageSize;
      if (repeats) {
        tell(caller.name, 'GET /payments: a marker came twice');
        throw new PayrunError('SERVICE_ANSWER', { what: 'GET /payments', why: { fault: 'answer-repeats-pages' } });
      }
    }
  }

  /** An item that moves between two pages is missed once, not for ever. */
  function hideOnce(id: string | undefined): string | null {
    if (id === undefined || hiddenOnce.has(id)) return null;
    hiddenOnce.add(id);
    return id;
  }

  const listedOf = ({ startedAt }: Caller) => listed().filter(({ madeAt }) => madeAt >= startedAt);

  function paymentFate(row: number, corrected: number, freshToken: boolean): PaymentFate {
    if (parameters.rows[row]?.bad === true && corrected === 0) return happens(faults.lying) ? 'lying' : 'refused';
    if (!story.calm && parameters.lockedOut !== null)
      return parameters.lockedOut === 401 ? 'unauthorized' : 'forbidden';
    if (!freshToken || happens(faults.unauthorized)) return 'unauthorized';
    const told = story.calm ? undefined : story.fates.shift();
    if (told !== undefined) return told;
    for (const [fate, rate] of rates) if (happens(rate)) return fate;
    return 'made';
  }

  const rates: readonly (readonly [PaymentFate, number])[] = [
    ['not-sent', faults.notSent],
    ['lost', faults.lost],
    ['answer-lost', faults.answerLost],
    ['late', faults.late],
    ['fails-before', faults.failsBefore],
    ['fails-after', faults.failsAfter],
    ['cut', faults.cut],
    ['busy', faults.busy],
    ['forbidden', faults.forbidden],
    ['lying', faults.lying],
    ['without-status', faults.withoutStatus],
    ['other-id', faults.otherId],
  ];

  /** Somebody pays a row by hand, in the service's own console: no tag, and no word to us. */
  function payByHand(): void {
    const row = chance.pick(parameters.rows);
    const merchant = [...merchants.values()].find(
      ({ country, contactNumber }) =>
        country === row.country && (country !== 'Kenya' || contactNumber === `+25471234561${row.payee}`),
    );
    if (merchant === undefined) return;
    const reference = referenceOf(row.index, new Map());
    const made = store({ merchantId: merchant.id, amount: row.amount, reference }, null, 'hand');
    tell('somebody', `pays ${reference} by hand: ${made.id}`);
  }
  for (let n = 0; n < parameters.lookalikes; n += 1)
    timeline.after(chance.spread(10, 6 * 60 * 60 * 1000), () => {
      if (!story.calm) payByHand();
    });

  const url = 'https://simulated.example/v1';
  return {
    url,
    payments,
    underWay,
    lies,
    misnamed,
    settled: () => moving === 0,
    unlisted: () => payments.filter(({ listedAt }) => listedAt > timeline.now()).length,
    get changes() {
      return changes;
    },
    get badPasses() {
      return badPasses;
    },
    clientFor,
  };
}

/** Carried out when they arrive. */
const carriedOut: ReadonlySet<PaymentFate> = new Set<PaymentFate>([
  'made',
  'slow',
  'answer-lost',
  'fails-after',
  'cut',
  'lying',
  'without-status',
  'other-id',
]);

/** With an answer, not with a time-out or a reset. */
const heardAtOnce: ReadonlySet<PaymentFate> = new Set<PaymentFate>([
  'made',
  'slow',
  'not-sent',
  'fails-before',
  'fails-after',
  'cut',
  'busy',
  'unauthorized',
  'forbidden',
  'refused',
  'lying',
  'without-status',
  'other-id',
]);

const noMerchant: ReadMerchant = {
  id: '',
  name: null,
  country: null,
  bankName: null,
  accountNumber: null,
  bankCode: null,
  networkProvider: null,
  contactNumber: null,
  lnurl: null,
};
