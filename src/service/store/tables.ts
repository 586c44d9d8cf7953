/** The service's tables, as types for Kysely. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { PayoutCountry } from '../../domain/accounts/country.ts';
import type { DocumentKind } from '../../domain/rows/document.ts';

/** Times are milliseconds since 1970 UTC; `seq` is the order of arrival; flags are 0 or 1. */
export interface Tables {
  /** Each tenant, with the total of its uploads. */
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
  /** One row, with the fingerprint of the pepper that belongs to this database. */
  peppers: { one: 1; fingerprint: string };
  /** Each deployment's salt, from which its signing key is derived together with the pepper. */
  deployments: { name: string; salt: string };
}

type Fixed<T> = ColumnType<T, T, never>;

export interface UserTable {
  seq: Generated<number>;
  /** The id of our record, which gives access to nothing. */
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** The identity provider's id, used in paths, in POST /tokens/user and in tokens. */
  user_id: Fixed<string>;
  email: string;
  /** The e-mail in lower case; unique within a tenant. */
  email_folded: string;
  name: string;
  status: 'Active' | 'Inactive';
  /** JSON with the fields of both the user and the profile. */
  profile: string;
  /** JSON: a list of momo accounts, in the order in which they were added. */
  momo_accounts: string;
  /** The id of one of the momo accounts; null: momo collection is off. */
  default_momo_account_id: string | null;
  verified_at: number | null;
  /** Grows by one with each change. A change is written only if the revision is still the one that was read. */
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
  /** Grows by one with each change, like a user's revision. */
  revision: number;
}

export interface PaymentTable {
  seq: Generated<number>;
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  /** The user whose token created the payment; null for a tenant's token. */
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
  /** JSON; null if no deposit to a bank account is due. */
  deposit_details: Fixed<string | null>;
  deposit_address: Fixed<string | null>;
  /** The phone that was asked to confirm the deposit; null if none was. */
  collect_from: Fixed<string | null>;
  created_at: Fixed<number>;
  /** This field and those up to `ends_as` are the rail's decision at creation; see resources/rails.ts. */
  deposit_at: Fixed<number | null>;
  needs_deposit: Fixed<number>;
  processing_at: Fixed<number | null>;
  ends_at: Fixed<number>;
  ends_as: Fixed<'success' | 'expired'>;
  /** The end, stored when it is first shown, so that it stays if the clock is set back. */
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
  /** The user's id at the identity provider, as in paths. */
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

/** A call that reports a status change to a webhookUrl. It is retried until the receiver accepts it or the attempts run out. */
export interface WebhookCallTable {
  seq: Generated<number>;
  /** The id by which a receiver recognises a repeated call. */
  id: Fixed<string>;
  tenant_id: Fixed<string>;
  payment_id: Fixed<string>;
  url: Fixed<string>;
  /** Encrypted; null if the payment has no webhook secret. */
  secret: Fixed<string | null>;
  body: Fixed<string>;
  /** The time of the next attempt; null after the receiver accepted the call, or after the last attempt. */
  due_at: number | null;
  attempts: number;
  taken: number;
}

export type WebhookCallRow = Selectable<WebhookCallTable>;
