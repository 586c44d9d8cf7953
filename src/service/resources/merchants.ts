/** The handlers of POST, GET and PATCH /merchants (interface 2.7, 4.16 to 4.19). */
import type { z } from 'zod';
import { given } from '../../base/words.ts';
import type { Merchant, MerchantCreate, MerchantPatch } from '../../wire/merchant.ts';
import type { listQuery } from '../../wire/page.ts';
import { type GuardedCall, HttpRefusal, uuidFrom } from '../http/call.ts';
import type { MerchantRow } from '../store/store.ts';
import type { ServiceDeps } from './deps.ts';
import { resolveDestination } from './destination.ts';

// The interface does not show which tokens merchants, payments and documents accept (interface 5.6, 5.7). This
// service accepts tenant and user tokens. A tenant's token sees everything of the tenant. A user's token sees the
// tenant's merchants, and the payments made with that user's tokens.
export function merchantsResource({ store, clock, lists }: ServiceDeps) {
  async function found(tenantId: string, id: string): Promise<MerchantRow> {
    const row = await store.merchants.byId(tenantId, id);
    if (row === undefined) throw notFound();
    return row;
  }

  async function create(call: GuardedCall<MerchantCreate>): Promise<Merchant> {
    const { body, caller } = call;
    const row = {
      id: uuidFrom(clock.randomHex(16)),
      tenant_id: caller.tenantId,
      name: body.name,
      country: body.country,
      ...resolveDestination(body),
      created_at: clock.now(),
      revision: 0,
    };
    // The interface does not show if two merchants may have the same destination (4.16). This service accepts both.
    await store.merchants.add(row);
    return shownMerchant(row);
  }

  async function list(call: GuardedCall<unknown, z.infer<typeof listQuery>>) {
    const { tenantId } = call.caller;
    const { rows, offsetMarker } = await lists.page('merchants', tenantId, call, (span) =>
      store.merchants.list(tenantId, span),
    );
    return { items: rows.map(shownMerchant), offsetMarker };
  }

  async function get(call: GuardedCall): Promise<Merchant> {
    return shownMerchant(await found(call.caller.tenantId, call.params.id!));
  }

  async function patch(call: GuardedCall<MerchantPatch>): Promise<Merchant> {
    const row = await store.merchants.change(call.caller.tenantId, call.params.id!, (before) => {
      const whole = withPatch(shownMerchant(before), call.body);
      return { name: whole.name, country: whole.country, ...resolveDestination(whole) };
    });
    if (row === undefined) throw notFound();
    return shownMerchant(row);
  }

  return { create, list, get, patch };
}

const notFound = () => new HttpRefusal(404, 'Merchant not found');

// The interface does not show what PATCH /merchants/:id checks (interface 4.19). This service checks the changed
// merchant like a new merchant. A new bankName removes the old bankCode and the old phone. In Nigeria a new
// bankCode removes the old bankName.
function withPatch(merchant: Merchant, patch: MerchantPatch): MerchantCreate {
  const { bankName, bankCode, networkProvider, contactNumber, ...rest } = merchant;
  const country = patch.country ?? merchant.country;
  const newBank = patch.bankName !== undefined || (country === 'Nigeria' && patch.bankCode !== undefined);
  const oldBank = given({ bankName, bankCode });
  const oldPhone = given({ networkProvider, contactNumber });
  return { ...rest, ...(newBank ? {} : oldBank), ...(patch.bankName === undefined ? oldPhone : {}), ...patch };
}

export function shownMerchant(row: Omit<MerchantRow, 'seq'>): Merchant {
  const { id, name, country, lnurl } = row;
  const { bank_name: bankName, account_number: accountNumber, bank_code: bankCode } = row;
  const { network_provider: networkProvider, contact_number: contactNumber } = row;
  return { id, name, country, ...given({ bankName, accountNumber, bankCode, networkProvider, contactNumber, lnurl }) };
}
