/** Finds the service's name for each funding source (interface 2.9, 4.20). */
import { PayrunError } from '../../base/errors.ts';
import type { Deps } from '../deps.ts';

/** Payrun tries these names in order: its own name, then other names from the service's documentation. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  SouthAfrica: ['SouthAfrica'],
  Nigeria: ['Nigeria'],
  Kenya: ['Kenya', 'KE', 'KES'],
  UnitedKingdom: ['UnitedKingdom', 'UK'],
  Europe: ['Europe'],
  USDT: ['USDT', 'Tether'],
  BTC: ['BTC', 'Bitcoin'],
};

export async function sourceWordsFor(
  { client }: Deps,
  sources: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const words = new Map<string, string>();
  if (sources.length === 0) return words;
  const listed = new Set(await client.countries());
  for (const source of new Set(sources)) {
    const word = (spellings[source] ?? [source]).find((one) => listed.has(one));
    if (word === undefined)
      throw new PayrunError('SERVICE_ANSWER', {
        what: 'GET /utils/countries',
        why: { fault: 'source-is-not-listed', source },
      });
    words.set(source, word);
  }
  return words;
}
