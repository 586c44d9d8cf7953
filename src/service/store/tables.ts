/** The service's tables, as Kysely sees them. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { PayoutCountry } from '../../domain/accounts/country.ts';
import type { DocumentKind } from '../../domain/rows/document.ts';

/** Times are milliseconds since 1970 UTC; `seq` is the order of arrival; flags are 0 or 1. */
export interface Tables {
  /** Includes the total of each tenant's uploads. */
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
  /** One row, which identifies the pepper of the data folder that belongs to this database. */
  peppers: { one: 1; fingerprint: string };
  /** The source of each deployment's signing key, with the pepper. */
  deployments: { name: string; salt: string };
}

type Fixed<T> = ColumnType<T, T, never>;

export interface UserTable {
  seq: Generated<number>;
  /** The id of our record, which opens nothing. */
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** The identity provider's id, which paths, POST /tokens/user and the claim use. */
  user_id: Fixed<string>;
  email: string;
  /** Lower case; unique within a tenant. */
  email_folded: string;
  name: string;
  status: 'Active' | 'Inactive';
  /** JSON: the fields that PATCH of the user and of the profile set, one record for both. */
  profile: string;
  /** JSON: a list of momo accounts, in the order in which they were added. */
  momo_accounts: string;
  /** One of the momo accounts; null: momo collection is off. */
  default_momo_account_id: string | null;
  verified_at: number | null;
  /** Grows by one with each change, so that a change never applies to another state than the one that was read. */
  revision: number;
  created_at: Fixed<number>;
  updated_at: number;
}

export interface MerchantTable {
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
  /** Grows by one with each change, like a user's. */
  revision: number;
}

export interface PaymentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** The user whose token made it; null for the tenant's. */
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
  /** JSON, or null if no fiat deposit is due. */
  deposit_details: Fixed<string | null>;
  deposit_address: Fixed<string | null>;
  /** The phone that the collection push went to; null if nothing is collected. */
  collect_from: Fixed<string | null>;
  created_at: Fixed<number>;
  /** The rail's decision, made once: see resources/rails.ts. */
  deposit_at: Fixed<number | null>;
  needs_deposit: Fixed<number>;
  processing_at: Fixed<number | null>;
  ends_at: Fixed<number>;
  ends_as: Fixed<'success' | 'expired'>;
  /** The end, written when first seen, so that a clock set back never takes a `success` away. */
  ended: 'success' | 'expired' | null;
}

export interface DocumentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  payment_id: Fixed<string>;
  sha256: Fixed<string>;
  size_bytes: Fixed<number>;
  kind: Fixed<DocumentKind>;
  created_at: Fixed<number>;
}

export interface KycDocumentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** The identity provider's id, as in paths. */
  user_id: Fixed<string>;
  document_type: Fixed<string>;
  sha256: Fixed<string>;
  size_bytes: Fixed<number>;
  kind: Fixed<DocumentKind>;
  created_at: Fixed<number>;
}

export type MerchantRow = Selectable<MerchantTable>;
export type PaymentRow = Selectable<PaymentTable>;
export type UserRow = Selectable<UserTable>;
export type DocumentRow = Selectable<DocumentTable>;
export type KycDocumentRow = Selectable<KycDocumentTable>;

/** A push of a status change: due at its own time, and again until the receiver takes it. */
export interface WebhookCallTable {
  seq: Generated<number>;
  /** The id by which a receiver recognises a repeated call. */
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  payment_id: Fixed<string>;
  url: Fixed<string>;
  /** Sealed; null if the payment came without one. */
  secret: Fixed<string | null>;
  body: Fixed<string>;
  /** The time of the next attempt; null after the receiver took it, or after the last attempt. */
  due_at: number | null;
  attempts: number;
  taken: number;
}

export type WebhookCallRow = Selectable<WebhookCallTable>;
