/** Reads payments from the service's database without HTTP calls, for tools that check the work of a client. */

import { systemClock } from '../base/clock.ts';
import type { Each } from '../base/words.ts';
import type { ListedMerchant } from '../domain/accounts/merchant.ts';
import { shownMerchant } from './resources/merchants.ts';
import { type MerchantRow, openStore, type PaymentRow, type Span } from './store/store.ts';

export interface BookedPayment
  extends Each<'id currency reference', string>,
    Each<'amount documents createdAt', number> {
  readonly merchant: ListedMerchant;
  readonly tag: string | null;
  /** False if the payment expired. Every other payment moved money, or can still move money. */
  readonly living: boolean;
}

/** Returns all payments, grouped by tenant, oldest first. A running service may use the same folder. */
export async function readBooks(dataDir: string): Promise<readonly BookedPayment[]> {
  await using store = await openStore({ dataDir });
  const booked: BookedPayment[] = [];
  for (const { id: tenantId } of await store.tenants.list()) {
    const caller = { tenantId, userId: null };
    const merchants = await everyRow((span) => store.merchants.list(tenantId, span));
    const byId = new Map(merchants.map((merchant) => [merchant.id, merchant]));
    for (const row of await everyRow((span) => store.payments.list(caller, span))) {
      const documents = (await store.documents.list(tenantId, row.id)).length;
      booked.push(bookedPayment(row, byId.get(row.merchant_id)!, documents));
    }
  }
  return booked;
}

async function everyRow<Row extends { readonly seq: number }>(read: (span: Span) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read({ after: rows.at(-1)?.seq ?? null, count: 1000 });
    if (page.length === 0) return rows.reverse();
    rows.push(...page);
  }
}

function bookedPayment(row: PaymentRow, merchant: MerchantRow, documents: number): BookedPayment {
  return {
    id: row.id,
    merchant: shownMerchant(merchant),
    amount: row.amount,
    currency: row.destination_currency,
    reference: row.reference,
    tag: row.tag,
    living: row.ends_as !== 'expired' || row.ends_at > systemClock.now(),
    documents,
    createdAt: row.created_at,
  };
}
