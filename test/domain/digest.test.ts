/** What makes two rows one: a digest of what the money does, and nothing else. */
import { describe, expect, it } from 'vitest';
import type { Cells } from '../../src/domain/rows/cell.ts';
import { contentOf, likenessOf, rowDigest, rowOfContent } from '../../src/domain/rows/digest.ts';
import { parseRow } from '../../src/domain/rows/row.ts';
import { kenya, lightning, nigeria, rowOf, rules, southAfrica } from './example.ts';

const digest = (cells: Cells) => rowDigest(rowOf(cells));

it('the content of a row keeps the id of its payee, and nothing in the place of one that it lacks', () => {
  const named = { ...rowOf(southAfrica), payeeId: 'p7' };
  expect(rowOfContent(contentOf(named), named.number)).toEqual(named);
  expect(contentOf({ ...named, payeeId: null })).not.toContain('payeeId');
});

it('the content of a row keeps of its destination what pays it, and nothing that another country has', () => {
  const row = rowOf(southAfrica);
  const destination = { ...row.destination, contactNumber: '+254712345678' };
  expect(contentOf({ ...row, destination })).toBe(contentOf(row));
});

describe('the digest of a row', () => {
  it('is this one, on every machine and in every version', () => {
    expect(digest(southAfrica)).toMatchInlineSnapshot(
      `"f3869534c9704a73f0d9403c8d6dd44c35bb2a7c5e583b4b9c533452e71d90aa"`,
    );
    expect(digest(nigeria)).toMatchInlineSnapshot(`"f9892794e335cf3b1fff8ae95bb2d391e01fd7f4cede065223be492e5f8d6ba2"`);
    expect(digest(kenya)).toMatchInlineSnapshot(`"4e17a62e3dee5b836758b0941747ffa63969232566513c3f72a72680178e8fc1"`);
    expect(digest(lightning)).toMatchInlineSnapshot(
      `"e8a8497ccecba24c571839ea8061940e31116f3e9ffa07ffb3e3c60effea15d3"`,
    );
  });

  it.each<Cells>([
    { name: 'Another Spelling' },
    { tag: 'mine' },
    { documents: 'invoice.pdf' },
    { row_id: '7' },
    { merchant_id: 'abc' },
    { slow: 'yes' },
    { amount: 'R 4 500.00' },
    { country: 'za' },
    { bank_name: 'SBSA' },
    { branch_code: '51001' },
    { account_number: '1000 4291 601' },
    { currency: 'zar' },
  ])('does not change with %j', (change) => expect(digest({ ...southAfrica, ...change })).toBe(digest(southAfrica)));

  it.each<Cells>([
    { amount: '4501' },
    { reference: 'Salary Dec' },
    { bank_name: 'TymeBank' },
    { account_number: '001321676' },
    { from_country: 'Kenya' },
    { type: 'PURCHASE' },
    { from_country: 'USDT', amount_unit: 'hundredths' },
  ])('changes with %j', (change) => expect(digest({ ...southAfrica, ...change })).not.toBe(digest(southAfrica)));
});

describe('the likeness of a row: what a person takes for the same payment', () => {
  const likeness = (cells: Cells) => likenessOf(rowOf(cells));

  it.each<Cells>([{ name: 'Another Spelling' }, { from_country: 'Kenya' }, { type: 'PURCHASE' }, { row_id: '7' }])(
    'does not change with %j',
    (change) => expect(likeness({ ...southAfrica, ...change })).toBe(likeness(southAfrica)),
  );

  it.each<Cells>([
    { amount: '4501' },
    { reference: 'Salary Dec' },
    { account_number: '001321676' },
    { from_country: 'USDT', amount_unit: 'hundredths' },
    { bank_name: 'TymeBank' },
  ])('changes with %j', (change) => expect(likeness({ ...southAfrica, ...change })).not.toBe(likeness(southAfrica)));
});

it('a phone is one payee whatever network is named for it, and a destination of its own with each', () => {
  const other = { ...kenya, network_provider: 'MPESA' };
  expect(likenessOf(rowOf(other))).toBe(likenessOf(rowOf(kenya)));
  expect(digest(other)).not.toBe(digest(kenya));
});

describe('the content of a row', () => {
  it.each([southAfrica, nigeria, kenya, lightning])('comes back as it was stored', (cells) => {
    const row = rowOf({ ...cells, documents: 'a.pdf;b.pdf', tag: 'x', row_id: '1', merchant_id: 'm' });
    expect(rowOfContent(contentOf(row), 2)).toEqual(row);
  });

  it('does not depend on where the row stands', () => {
    const [first, second] = [2, 99].map((number) => parseRow(southAfrica, number, rules).row);
    expect(contentOf(first!)).toBe(contentOf(second!));
  });
});
