/** The handlers of POST /payments, GET /payments and GET /payments/{id} (interface 2.8, 4.20 to 4.22). */
import type { z } from 'zod';
import { isoTime } from '../../base/clock.ts';
import { given } from '../../base/words.ts';
import { currencyOf, type SourceCountry } from '../../domain/accounts/country.ts';
import { type RailLimits, railLimitAt } from '../../domain/calendar/rail-limit.ts';
import type { listQuery } from '../../wire/page.ts';
import { type Payment, type PaymentCreate, paymentMeta } from '../../wire/payment.ts';
import { type Caller, type GuardedCall, HttpRefusal, uuidFrom } from '../http/call.ts';
import { gathering } from '../http/gather.ts';
import { tooDeep } from '../http/json.ts';
import type { MerchantRow, NewPayment, PaymentRow, Store } from '../store/store.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { depositFor, fromDollarCents, sourceOf } from './deposits.ts';
import type { ServiceDeps } from './deps.ts';
import { historyOf, isEnd, momentAt, type StatusMoment } from './payment-life.ts';
import { courseOf, type Settle } from './rails.ts';
import { momoAccountsOf } from './user-record.ts';

interface PaymentDeps extends ServiceDeps {
  readonly settle: Settle | null;
  readonly webhooks: Webhooks;
  readonly railLimits: RailLimits | null;
}

type NewRow = NewPayment['row'];

/** The maximum number of payments or merchants in one SQL statement. SQLite allows 32,766 values in a statement. */
const sharedCommit = 100;

export function paymentsResource({ store, clock, settle, lists, webhooks, railLimits }: PaymentDeps) {
  const add = gathering(async (payments: readonly NewPayment[]) => {
    await store.payments.addAll(payments);
    return payments;
  }, sharedCommit);
  const merchantNamed = gathering((asked: readonly Named[]) => merchantsNamed(store, asked), sharedCommit);

  /** Stores a payment's end before a caller sees the end. A later change of the clock cannot undo the end. */
  async function observe(tenantId: string, rows: readonly PaymentRow[]): Promise<StatusMoment[]> {
    const now = clock.now();
    const moments = rows.map((row) => momentAt(row, now, row.ended));
    const ended = rows.flatMap((row, at) => (row.ended === null && isEnd(moments[at]!.status) ? [row.seq] : []));
    if (ended.length > 0) await store.payments.end(tenantId, ended);
    return moments;
  }

  async function readable(caller: Caller, id: string): Promise<PaymentRow> {
    const row = await store.payments.byId(caller, id);
    // The interface does not show the answer for a payment that the caller cannot see (4.22). This service answers 404.
    if (row === undefined) throw new HttpRefusal(404, 'Payment not found');
    return row;
  }

  async function create(call: GuardedCall<PaymentCreate>): Promise<Payment> {
    const { caller, body } = call;
    // The interface does not show the fields for a payee's country (4.20). Here every country has the same fields.
    // The interface does not show whether unknown fields, an amount of 0, or a large payment without documents are
    // refused (4.20, 8). This service ignores unknown fields, answers 400 to 0, and never requires documents.
    // The interface does not show if answers contain webhookUrl and webhookSecret (2.8). This service omits both.
    const meta = readMeta(body.meta);
    const source = readSource(body.fromCountry);
    const merchant = await merchantNamed({ tenantId: caller.tenantId, id: body.merchantId });
    // The interface does not show the error statuses of payments (interface 7). This service answers 400 to an invalid
    // body, 404 for an unknown merchant or payment, and 422 for an amount outside the limits or a missing momo account.
    if (merchant === undefined) throw new HttpRefusal(404, 'Merchant not found');
    const byMomo = source === 'Kenya' && meta?.collectionMethod !== 'BANK_TRANSFER';
    const collectFrom = byMomo ? await momoPhoneOf(store, caller) : null;
    mustFitRail(merchant, body.amount, source);
    const id = uuidFrom(clock.randomHex(16));
    const currency = currencyOf[merchant.country];
    const deposit = depositFor(source, { id, amount: body.amount, currency, reference: body.reference });
    const order = {
      id,
      tenant_id: caller.tenantId,
      user_id: caller.userId,
      merchant_id: merchant.id,
      amount: body.amount,
      from_country: body.fromCountry ?? null,
      destination_country: merchant.country,
      destination_currency: currency,
      reference: body.reference,
      tag: body.tag ?? null,
      // The interface does not show the values of `type` (2.8). This service accepts any text; the default is PURCHASE.
      type: body.type ?? 'PURCHASE',
      meta: body.meta ?? null,
      slow: body.isSlowPayment === true ? 1 : 0,
      ...deposit,
      collect_from: collectFrom,
      created_at: clock.now(),
      ended: null,
    };
    const row: NewRow = { ...order, ...courseOf(order, settle) };
    await add({ row, calls: webhooks.callsFor(row, body) });
    // The interface does not show the answer of POST /payments beyond the id (interface 4.20). This service returns the
    // same fields as GET /payments/{id}, with the status `pending`.
    return inFull(row, historyOf(row)[0]!);
  }

  /** Refuses an amount outside the limits of the payee's rail: bank or mobile money (interface 8). */
  function mustFitRail(merchant: MerchantRow, sent: number, source: SourceCountry | null): void {
    const rail = merchant.network_provider === null ? 'bank' : 'momo';
    const limit = railLimits === null ? null : railLimitAt(merchant.country, rail, clock.now(), railLimits);
    if (limit === null) return;
    const currency = currencyOf[merchant.country];
    const amount = source === 'USDT' ? fromDollarCents(sent, currency) : sent;
    // The interface does not show the limits (interface 8). This service has limits from public sources.
    if (amount > limit.most)
      throw new HttpRefusal(422, `amount is above ${limit.most} ${currency}, the most that the payee's rail takes now`);
    if (amount < limit.least)
      throw new HttpRefusal(422, `amount is below ${limit.least} ${currency}, the least that the payee's rail takes`);
  }

  async function list(call: GuardedCall<unknown, z.infer<typeof listQuery>>) {
    const { caller } = call;
    // The interface does not show the order and page size of GET /payments (interface 4.21). This service sends the
    // newest payments first, 100 on a page. The parameter `limit` sets another page size.
    const { rows, offsetMarker } = await lists.page('payments', caller.tenantId, call, (span) =>
      store.payments.list(caller, span),
    );
    const moments = await observe(caller.tenantId, rows);
    return { items: rows.map((row, at) => inBrief(row, moments[at]!)), offsetMarker };
  }

  async function get(call: GuardedCall): Promise<Payment> {
    const row = await readable(call.caller, call.params.id!);
    const [moment] = await observe(call.caller.tenantId, [row]);
    return inFull(row, moment!);
  }

  return { readable, create, list, get };
}

export type PaymentsResource = ReturnType<typeof paymentsResource>;

interface Named {
  readonly tenantId: string;
  readonly id: string;
}

async function merchantsNamed(store: Store, asked: readonly Named[]): Promise<(MerchantRow | undefined)[]> {
  const found = new Map<string, Map<string, MerchantRow>>();
  const ofTenant = async ([tenantId, named]: [string, readonly Named[]]) => {
    const rows = await store.merchants.byIds(tenantId, [...new Set(named.map(({ id }) => id))]);
    found.set(tenantId, new Map(rows.map((row) => [row.id, row])));
  };
  await Promise.all([...Map.groupBy(asked, ({ tenantId }) => tenantId)].map(ofTenant));
  return asked.map(({ tenantId, id }) => found.get(tenantId)?.get(id));
}

function readMeta(text: string | undefined): z.infer<typeof paymentMeta> | null {
  if (text === undefined) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || tooDeep(value))
    throw new HttpRefusal(400, 'meta must be a JSON object, written as text');
  const meta = paymentMeta.safeParse(value);
  if (!meta.success) throw new HttpRefusal(400, 'meta.collectionMethod must be MOMO or BANK_TRANSFER');
  return meta.data;
}

function readSource(fromCountry: string | undefined) {
  if (fromCountry === undefined) return null;
  const source = sourceOf(fromCountry);
  if (source === undefined)
    throw new HttpRefusal(400, 'fromCountry is not a supported country: see GET /utils/countries');
  return source;
}

async function momoPhoneOf(store: Store, caller: Caller): Promise<string> {
  const user = caller.userId === null ? undefined : await store.users.byUserId(caller.tenantId, caller.userId);
  const account = user && momoAccountsOf(user).find(({ id }) => id === user.default_momo_account_id);
  if (account !== undefined) return account.phoneNumber;
  // The interface does not show whose momo account pays for a Kenya-funded payment (interface 4.20). In this service
  // the default account of the calling user pays. A tenant's token gets 422.
  const why =
    user === undefined
      ? 'this call was made with a tenant token'
      : 'the profile of this user has no default momo account';
  throw new HttpRefusal(
    422,
    `MOMO collection needs a user token whose profile has a default momo account, and ${why}; add one, or set meta.collectionMethod to BANK_TRANSFER`,
  );
}

// The interface does not show which fields the list omits (interface 4.21, 4.22). This service omits statusLog,
// amountSettled, otcFees and the deposit details.
function inBrief(row: NewRow, moment: StatusMoment): Payment {
  const { id, amount, reference, tag, type, from_country: fromCountry, meta } = row;
  return {
    id,
    merchantId: row.merchant_id,
    amount,
    status: moment.status,
    destinationCountry: row.destination_country,
    destinationCurrency: row.destination_currency,
    reference,
    type,
    date: isoTime(row.created_at),
    ...given({ fromCountry, tag, meta: meta && shownMeta(meta) }),
    ...(row.slow === 1 ? { isSlowPayment: true as const } : {}),
  };
}

function inFull(row: NewRow, moment: StatusMoment): Payment {
  return {
    ...inBrief(row, moment),
    statusLog: moment.words,
    // The interface does not show amountSettled before a payment ends (2.8). This service shows 0 before a success.
    amountSettled: moment.status === 'success' ? row.amount : 0,
    // The interface does not show how to compute otcFees (interface 2.8). In this service otcFees are always 0.
    otcFees: 0,
    ...given({ depositBankDetails: JSON.parse(row.deposit_details ?? 'null'), depositAddress: row.deposit_address }),
  };
}

/** Removes the internal keys of `meta` (interface 2.8). Returns the same text if there are none. */
function shownMeta(text: string): string {
  if (!text.includes('"_') && !text.includes('\\u005')) return text;
  const meta = JSON.parse(text) as Record<string, unknown>;
  // The interface does not show which meta keys are internal (2.8). In this service internal keys begin with `_`.
  const shown = Object.entries(meta).filter(([key]) => !key.startsWith('_'));
  return shown.length === Object.keys(meta).length ? text : JSON.stringify(Object.fromEntries(shown));
}
