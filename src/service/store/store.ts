/** Opens the service's database, and groups its queries by table. */
import { sql } from 'kysely';
import { openDatabase, type StorePlace } from './database.ts';
import { documentsOf, uploadsOf } from './documents.ts';
import { merchantsOf } from './merchants.ts';
import { paymentsOf } from './payments.ts';
import { deploymentsOf, tenantsOf } from './tenants.ts';
import { usersOf } from './users.ts';
import { webhooksOf } from './webhooks.ts';

export type { StorePlace } from './database.ts';
export type { UploadRoom } from './documents.ts';
export type { NewPayment } from './payments.ts';
export type { Span } from './span.ts';
export type { DocumentRow, MerchantRow, PaymentRow, UserRow, WebhookCallRow } from './tables.ts';
export type { UserChange } from './users.ts';

export type Store = Awaited<ReturnType<typeof openStore>>;

export async function openStore(place: StorePlace) {
  const db = await openDatabase(place);
  const close = () => db.destroy();
  return {
    tenants: tenantsOf(db),
    deployments: deploymentsOf(db),
    users: usersOf(db),
    merchants: merchantsOf(db),
    payments: paymentsOf(db),
    documents: documentsOf(db),
    uploads: uploadsOf(db),
    webhooks: webhooksOf(db),
    ping: async () => void (await sql`select 1`.execute(db)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
