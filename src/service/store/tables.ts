/** The service's tables, as types for Kysely. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { PayoutCountry } from '../../domain/accounts/country.ts';
import type { DocumentKind } from '../../domain/rows/document.ts';

/** Times are in milliseconds since 1970 UTC, `seq` is the order of arrival, and flags are 0 or 1. */
export interface Tables {
  tenants: {
    id: string;
    name: string;
    created_at: number;
    uploads: Generated<number>;
    upload_bytes: Generated<number>;
  };
  api_keys: { api_key: string; tenant_id: string; secret_hmac: string; created_at: number };
  users: UserTable;
  merchants: MerchantTable;
  payments: PaymentTable;
  documents: DocumentTable;
  webhook_calls: WebhookCallTable;
  kyc_documents: KycDocumentTable;
  /** One row: the fingerprint of the secret file `pepper` that belongs to this database. */
  peppers: { one: 1; fingerprint: string };
  deployments: { name: string; salt: string };
}

type Fixed<T> = ColumnType<T, T, never>;

interface UserTable {
  seq: Generated<number>;
  /** The id of the record. Paths and tokens use `user_id` instead. */
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** The user's id at the identity provider. */
  user_id: Fixed<string>;
  email: string;
  email_folded: string;
  name: string;
  status: 'Active' | 'Inactive';
  profile: string;
  momo_accounts: string;
  default_momo_account_id: string | null;
  verified_at: number | null;
  revision: number;
  created_at: Fixed<number>;
  updated_at: number;
}

interface MerchantTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  name: string;
  country: PayoutCountry;
  bank_name: string | null;
  account_number: string | null;
  bank_code: string | null;
  network_provider: string | null;
  contact_number: string | null;
  lnurl: string | null;
  created_at: Fixed<number>;
  revision: number;
}

interface PaymentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** Null if a tenant's token made the payment. */
  user_id: Fixed<string | null>;
  merchant_id: Fixed<string>;
  amount: Fixed<number>;
  from_country: Fixed<string | null>;
  destination_country: Fixed<PayoutCountry>;
  destination_currency: Fixed<string>;
  reference: Fixed<string>;
  tag: Fixed<string | null>;
  type: Fixed<string>;
  meta: Fixed<string | null>;
  slow: Fixed<number>;
  deposit_details: Fixed<string | null>;
  deposit_address: Fixed<string | null>;
  collect_from: Fixed<string | null>;
  created_at: Fixed<number>;
  /** The rail (resources/rails.ts) fixes these times and `ends_as` when the payment is created. */
  deposit_at: Fixed<number | null>;
  needs_deposit: Fixed<number>;
  processing_at: Fixed<number | null>;
  ends_at: Fixed<number>;
  ends_as: Fixed<'success' | 'expired'>;
  /** Set when a caller first sees the end. A later change of the clock cannot undo the end. */
  ended: 'success' | 'expired' | null;
}

interface DocumentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  payment_id: Fixed<string>;
  sha256: Fixed<string>;
  size_bytes: Fixed<number>;
  kind: Fixed<DocumentKind>;
  created_at: Fixed<number>;
}

interface KycDocumentTable extends Omit<DocumentTable, 'payment_id'> {
  user_id: Fixed<string>;
  document_type: Fixed<string>;
}

export type MerchantRow = Selectable<MerchantTable>;
export type PaymentRow = Selectable<PaymentTable>;
export type UserRow = Selectable<UserTable>;
export type DocumentRow = Selectable<DocumentTable>;
export type KycDocumentRow = Selectable<KycDocumentTable>;

interface WebhookCallTable {
  seq: Generated<number>;
  /** The id of the event, by which a receiver recognises a repeated call. */
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  payment_id: Fixed<string>;
  url: Fixed<string>;
  /** The encrypted webhookSecret; null if the payment has none. */
  secret: Fixed<string | null>;
  body: Fixed<string>;
  /** The time of the next attempt; null if the receiver accepted the call, or if no attempt is left. */
  due_at: number | null;
  attempts: number;
  taken: number;
}

export type WebhookCallRow = Selectable<WebhookCallTable>;
