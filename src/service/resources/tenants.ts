/** Creates tenants and their API keys (interface 5.1). Only the operator creates a tenant: no HTTP call does. */
import { PayrunError } from '../../base/errors.ts';
import { uuidFrom } from '../http/call.ts';
import type { ServiceDeps } from './deps.ts';

/** The parts that the operator's changes need, also without a running service. */
export type TenantDeps = Pick<ServiceDeps, 'store' | 'secrets' | 'clock'>;

export interface Credentials {
  readonly apiKey: string;
  readonly apiSecret: string;
}

/** Returns the secret. No later call can return the secret, because the database stores only its digest. */
export async function createTenant({ store, secrets, clock }: TenantDeps, name: string): Promise<Credentials> {
  if (name.trim() === '') throw new PayrunError('TENANT_NAMELESS', {});
  const apiKey = `pk_${clock.randomHex(16)}`;
  const apiSecret = `sk_${clock.randomHex(32)}`;
  const [id, created_at] = [uuidFrom(clock.randomHex(16)), clock.now()];
  const key = { api_key: apiKey, tenant_id: id, secret_hmac: secrets.digest(apiSecret), created_at };
  await store.tenants.add({ id, name: name.trim(), created_at }, key);
  return { apiKey, apiSecret };
}

export async function tenantOfKey({ store }: TenantDeps, apiKey: string): Promise<string> {
  const found = await store.tenants.byKey(apiKey);
  if (found === undefined) throw new PayrunError('TENANT_UNKNOWN', { key: apiKey });
  return found.tenant_id;
}
