/** The service's tables, as types for Kysely. */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Each } from '../../base/words.ts';
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

/** The columns of each record. `seq` gives the order of a list. */
interface RecordTable extends Each<'id tenant_id', Fixed<string>> {
  seq: Generated<number>;
}

/** `user_id` is the user's id at the identity provider. Paths and tokens use it instead of `id`. */
interface UserTable
  extends RecordTable,
    Each<'email email_folded name profile momo_accounts', string>,
    Each<'revision updated_at', number> {
  user_id: Fixed<string>;
  status: 'Active' | 'Inactive';
  default_momo_account_id: string | null;
  verified_at: number | null;
  created_at: Fixed<number>;
}

interface MerchantTable
  extends RecordTable,
    Each<'bank_name account_number bank_code network_provider contact_number lnurl', string | null> {
  name: string;
  country: PayoutCountry;
  created_at: Fixed<number>;
  revision: number;
}

/** `user_id` is null if a tenant's token made the payment. The rail (resources/rails.ts) fixes the times and `ends_as`. */
interface PaymentTable
  extends RecordTable,
    Each<'merchant_id destination_currency reference type', Fixed<string>>,
    Each<'user_id from_country tag meta deposit_details deposit_address collect_from', Fixed<string | null>>,
    Each<'amount slow needs_deposit created_at ends_at', Fixed<number>>,
    Each<'deposit_at processing_at', Fixed<number | null>> {
  destination_country: Fixed<PayoutCountry>;
  ends_as: Fixed<'success' | 'expired'>;
  /** Set when a caller first sees the end. A later change of the clock cannot undo the end. */
  ended: 'success' | 'expired' | null;
}

interface DocumentTable
  extends RecordTable,
    Each<'payment_id sha256', Fixed<string>>,
    Each<'size_bytes created_at', Fixed<number>> {
  kind: Fixed<DocumentKind>;
}

interface KycDocumentTable extends Omit<DocumentTable, 'payment_id'>, Each<'user_id document_type', Fixed<string>> {}

export type MerchantRow = Selectable<MerchantTable>;
export type PaymentRow = Selectable<PaymentTable>;
export type UserRow = Selectable<UserTable>;
export type DocumentRow = Selectable<DocumentTable>;
export type KycDocumentRow = Selectable<KycDocumentTable>;

/** `id` is the id of the event, by which a receiver recognises a repeated call. */
interface WebhookCallTable extends RecordTable, Each<'payment_id url body', Fixed<string>> {
  secret: Fixed<string | null>;
  /** The time of the next attempt; null if the receiver accepted the call, or if no attempt is left. */
  due_at: number | null;
  attempts: number;
  taken: number;
}

export type WebhookCallRow = Selectable<WebhookCallTable>;
