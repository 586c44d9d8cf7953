/** The rules of the model, each as a named list of commands on the product. */
import { expect, it } from 'vitest';
import { wordOfRow } from '../../src/ledger/ledger.ts';
import { listWords, tell } from './lists.ts';
import { scenarios } from './scenarios.ts';

it.each(scenarios)('$name', async ({ commands, ends, refused = [], stops, payments }) => {
  const told = await tell({ seed: 1, commands });
  expect(told.broken, listWords(told)).toEqual([]);
  if (stops !== undefined) expect(told.stops).toEqual(stops);
  const rows = told.rows.map(({ batch, key, ...row }) => [`${batch} ${key}`, wordOfRow(row)]);
  expect({ ends: Object.fromEntries(rows), refused: told.refused, payments: told.payments }).toEqual({
    ends,
    refused,
    payments,
  });
});
