/** Public reference data: banks by country, and supported countries (interface 4.14, 4.15). */
import type { z } from 'zod';
import { type Bank, type BankCountry, bankCountries, bankNames, bankTable } from '../../domain/accounts/bank.ts';
import { listedCountries } from '../../domain/accounts/country.ts';
import type { bankDetails, banksQuery, countriesQuery } from '../../wire/reference.ts';
import { type Call, HttpRefusal } from '../http/call.ts';

type BankDetails = z.infer<typeof bankDetails>;

export function listedCode(bank: Bank): string {
  // The interface does not show the `code` of a South African bank (interface 2.9). In this service the code is `za-`
  // and the letters of the name. Nigerian banks have their CBN codes, and Kenyan banks their clearing codes.
  return bank.code ?? `${prefixes[bank.country]}-${bank.id}`;
}

const prefixes: { readonly [C in BankCountry]: string } = { SouthAfrica: 'za', Nigeria: 'ng', Kenya: 'ke' };

// The interface does not show the codes of GET /utils/countries?showIsoCodes=true (interface 4.15). This service
// lists ISO 3166-1 alpha-2 codes, EU for Europe, BTC and USDT.
const isoCodes = ['BTC', 'ZA', 'NG', 'KE', 'EU', 'GB', 'USDT'];

async function banks(call: Call<unknown, z.infer<typeof banksQuery>>): Promise<string[] | BankDetails> {
  const wanted = call.params.country!.toLowerCase();
  const country = bankCountries.find((name) => name.toLowerCase() === wanted);
  // The interface does not show the answer for a country without banks (interface 4.14). This service answers 400.
  if (country === undefined) throw new HttpRefusal(400, `country must be one of ${bankCountries.join(', ')}`);
  return call.query.showDetails ? bankTable[country].map(detailsOf) : [...bankNames(country)];
}

const countries = async (call: Call<unknown, z.infer<typeof countriesQuery>>): Promise<string[]> =>
  call.query.showIsoCodes ? isoCodes : [...listedCountries];

export const reference = { banks, countries };

function detailsOf(bank: Bank): BankDetails[number] {
  const branch = bank.country === 'SouthAfrica' && bank.branchCode !== null ? { branchCode: bank.branchCode } : {};
  // The interface does not show all fields of a bank with details (2.9). In this service a bank also has a `name`.
  return { name: bank.name, code: listedCode(bank), ...branch };
}
