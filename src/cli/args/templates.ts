/** Writes blank sheets and reference data: `template` and `banks`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BankCountry } from '../../domain/accounts/bank.ts';
import { payoutCountryOf } from '../../domain/accounts/country.ts';
import { flag, reply, text, usage } from '../compose/command-context.ts';
import { table } from '../render/screen.ts';
import type { Run } from './command-table.ts';

export const templateFile: Run = async (args, world) => {
  const { writeTemplate } = await import('../../sheet/sheet.ts');
  const asked = text(args, 'country');
  const country = asked === null ? null : payoutCountryOf(asked);
  if (country === undefined) throw usage(`--country '${asked}' is not South Africa, Nigeria, Kenya or BTC`);
  const name = `payouts${country === null ? '' : `-${country.toLowerCase()}`}.${flag(args, 'csv') ? 'csv' : 'xlsx'}`;
  const path = resolve(world.cwd, text(args, 'out') ?? name);
  if (existsSync(path)) throw usage(`${path} is there already; name another file with --out`);
  const written = await writeTemplate(path, country === null ? undefined : [country]);
  world.streams.out.write(`${written}\n`);
  return 'done';
};

export const banksOf: Run = async (args, world) => {
  const { bankTable } = await import('../../domain/accounts/bank.ts');
  const asked = text(args, 'country');
  const country = asked === null ? null : payoutCountryOf(asked);
  if (asked !== null && (country === undefined || country === null || country === 'BTC'))
    throw usage(`'${asked}' has no banks here; name South Africa, Nigeria or Kenya`);
  const countries: readonly BankCountry[] = country === null ? ['SouthAfrica', 'Nigeria'] : [country as BankCountry];
  const banks = countries.flatMap((one) => bankTable[one]);
  const lines = banks.map(({ country: one, name, code }) => [one, name, code ?? '']);
  return reply(args, world, banks, `${table([['country', 'bank', 'code'], ...lines], 9).join('\n')}\n`);
};
