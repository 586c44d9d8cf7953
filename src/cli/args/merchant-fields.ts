/** Converts typed merchant fields into the service's words. Accepts the same spellings as a sheet. */
import type { Client } from '../../client/client.ts';
import { type BankCountry, bankCountries, bankDirectory } from '../../domain/accounts/bank.ts';
import { payoutCountryOf } from '../../domain/accounts/country.ts';
import { readLightning } from '../../domain/accounts/lightning.ts';
import { readPhone } from '../../domain/accounts/phone.ts';

/** Leaves unknown words as typed. `known` is the country of an existing merchant. */
export async function merchantWords(
  typed: Readonly<Record<string, unknown>>,
  known: string | null,
  client: Pick<Client, 'banks'>,
): Promise<Record<string, unknown>> {
  const fields = { ...typed };
  const put = (name: string, read: (text: string) => string | null | undefined) => {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = read(value.trim()) ?? value;
  };
  put('country', payoutCountryOf);
  put('contactNumber', (text) => readPhone(text).value);
  put('lnurl', (text) => readLightning(text).value);
  put('accountNumber', (text) => (/^\d[\d -]*$/.test(text) ? text.replaceAll(/[ -]/g, '') : null));
  const country = bankCountries.find((one) => one === (fields.country ?? known));
  if (country !== undefined && typeof fields.bankName === 'string')
    fields.bankName = await bankWord(country, fields.bankName, client);
  return fields;
}

async function bankWord(country: BankCountry, name: string, client: Pick<Client, 'banks'>): Promise<string> {
  const found = bankDirectory({ [country]: await client.banks(country) }).find(country, name.trim(), undefined);
  return found.id === null ? name : (found.name ?? name);
}
