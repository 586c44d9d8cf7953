/** Reads payments from the service's database without HTTP calls, for tools that check the work of a client. */
import { type Clock, systemClock } from '../base/clock.ts';
import type { ListedMerchant } from '../domain/accounts/merchant.ts';
import { type MerchantRow, openStore, type PaymentRow, type Store } from './store/store.ts';

export interface BookedPayment {
  readonly id: string;
  readonly merchant: ListedMerchant;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly tag: string | null;
  /** False if the payment expired. Every other payment moved money, or can still move money. */
  readonly living: boolean;
  readonly documents: number;
  readonly createdAt: number;
}

const pageSize = 1000;

/** Returns all payments, grouped by tenant, oldest first. A running service may use the same folder. */
export async function readBooks(dataDir: string, clock: Clock = systemClock): Promise<readonly BookedPayment[]> {
  const store = await openStore({ dataDir });
  try {
    const booked: BookedPayment[] = [];
    for (const { id: tenantId } of await store.tenants.list()) {
      const merchants = new Map((await everyMerchant(store, tenantId)).map((merchant) => [merchant.id, merchant]));
      for await (const row of everyPayment(store, tenantId)) {
        const documents = (await store.documents.list(tenantId, row.id)).length;
        booked.push(bookedPayment(row, merchants.get(row.merchant_id)!, documents, clock.now()));
      }
    }
    return booked;
  } finally {
    await store.close();
  }
}

async function everyMerchant(store: Store, tenantId: string): Promise<MerchantRow[]> {
  const merchants: MerchantRow[] = [];
  for (let after: string | null = null; ; ) {
    const page: MerchantRow[] = await store.merchants.list(tenantId, { order: 'oldest', after, count: pageSize });
    const last = page.at(-1);
    if (last === undefined) return merchants;
    merchants.push(...page);
    after = String(last.seq);
  }
}

async function* everyPayment(store: Store, tenantId: string): AsyncIterable<PaymentRow> {
  const caller = { tenantId, userId: null };
  for (let after: string | null = null; ; ) {
    const span = { order: 'oldest', after, count: pageSize } as const;
    const page: PaymentRow[] = await store.payments.list(caller, span, Number.MAX_SAFE_INTEGER);
    const last = page.at(-1);
    if (last === undefined) return;
    yield* page;
    after = String(last.seq);
  }
}

function bookedPayment(row: PaymentRow, merchant: MerchantRow, documents: number, now: number): BookedPayment {
  return {
    id: row.id,
    merchant: {
      name: merchant.name,
      country: merchant.country,
      bankName: merchant.bank_name,
      accountNumber: merchant.account_number,
      bankCode: merchant.bank_code,
      networkProvider: merchant.network_provider,
      contactNumber: merchant.contact_number,
      lnurl: merchant.lnurl,
    },
    amount: row.amount,
    currency: row.destination_currency,
    reference: row.reference,
    tag: row.tag,
    living: row.ends_as !== 'expired' || row.ends_at > now,
    documents,
    createdAt: row.created_at,
  };
}
