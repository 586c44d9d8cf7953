/** What eyes that need not see where money goes are shown of it. */
import { describe, expect, it } from 'vitest';
import { masked, maskedWords } from '../../src/domain/accounts/masked.ts';
import { factsFor } from '../../src/domain/problems/masked-facts.ts';

it.each([
  ['', ''],
  ['601', '…'],
  ['1601', '…'],
  ['429160', '…9160'],
  [' 10004291601 ', '…1601'],
])('%j is shown as %j', (text, shown) => expect(masked(text)).toBe(shown));

describe('a sentence', () => {
  it.each([
    ['10004291601', '…1601'],
    ['1000 4291 601', '… 601'],
    ['1000  4291  601', '… 601'],
    ['1000\u00a04291\u00a0601', '…\u00a0601'],
    ['10.004.291.601', '….601'],
    ['10/004/291/601', '…/601'],
    ['1000_4291_601', '…_601'],
    ["1000'4291'601", "…'601"],
    ['1000–4291–601', '…–601'],
    ['１０００４２９１６０１', '…１６０１'],
    ['0712.345.610', '….610'],
    ['+254 (0)712 345610', '…5610'],
    ['2026-11-201601', '…1601'],
    ['2026-11-20 10004291601', '2026-11-20 …1601'],
    ['2026-11 201601', '…1601'],
    ['2026-11 (201601)', '…1601)'],
    ['2026-13-1601', '…1601'],
    ['10004291601 2026-11', '…6-11'],
    ['2026-11 20 42916', '…2916'],
    ['sha256:10004291601', 'sha256:…1601'],
    ['sha256:100042916011', 'sha256:…6011'],
    ['sha256:100042916011…', 'sha256:…6011…'],
    [`sha256:${'1'.repeat(64)}`, 'sha256:…1111'],
    [`sha256:${'a'.repeat(60)}1000429`, `sha256:${'a'.repeat(60)}…0429`],
    ['ZAR 10004291601', 'ZAR …1601'],
    ['ZAR 10 004 291 601', 'ZAR … 601'],
    ['KES 712 345 610', 'KES … 610'],
    ['KES 0 712 345', 'KES … 345'],
    ['ZAR 12 345 610 11', 'ZAR …0 11'],
    ['ZAR 12 345 6101', 'ZAR …6101'],
    ['FNB 1 000 429', 'FNB … 429'],
    ['MOZAR 1 000 429', 'MOZAR … 429'],
    ['satoshi@bitcoin', '…coin'],
    ['satoshi@example.com', '….com'],
  ])('with %j says %j', (text, shown) =>
    expect(maskedWords(`row 4: '${text}' is read so.`)).toBe(`row 4: '${shown}' is read so.`),
  );

  it.each([
    'on 2026-11-20 and 2026/11/21, at 2026-11-20T10:15:00.000Z',
    'the sheet has 1,290,000 BTC:sat and ZAR 12345.67 in rows 12, 345, 678 and 9',
    "'12' and '345678'",
    'a plan for batch 2026-11, sha256:95085843f88b…',
    `sha256:${'1234567890abcdef'.repeat(4)} and SHA-256 ${'1234567890abcdef'.repeat(4)}`,
    'the same rows as batch 2026-11 (2026-11.csv, 1 row, 62,000 ZAR, sent on 2026-11-22 22:41:07 UTC)',
    '2026/11, batch 2026-11-2 of 2026-11 (2).csv, batch 2026-11 20 rows',
    'ZAR 1 500 000 expected, KES 12\u00a0500\u00a0000 more',
  ])('keeps %j', (text) => expect(maskedWords(text)).toBe(text));
});

describe('a viewer', () => {
  const seen = (facts: object) => factsFor({ masked: true }, facts);
  const account = '10004291601';

  it.each<object>([
    { batch: 'payroll20261130', payment: 'pay_12345678901', file: 'payroll20261130.csv' },
    { note: 'like-earlier-batch', totals: { ZAR: '12345678' }, rows: 12345678 },
    { kind: 'older-payment', payments: ['pay_12345678901'], sentAt: 1795000000000 },
    { of: 'batch', money: 'KES', cap: '1000000', before: '0', now: '12345678' },
    { destination: 'SouthAfrica', severity: 'error', facts: { field: 'amount', why: 'format' } },
  ])('sees the names, amounts and times of %j', (facts) => expect(seen(facts)).toEqual(facts));

  it.each<[facts: object, shown: object]>([
    [{ reason: `${account} is closed` }, { reason: '…1601 is closed' }],
    [
      { note: 'no-repeat', batch: 'nov', row: { key: account, number: 2 } },
      { note: 'no-repeat', batch: 'nov', row: { key: '…1601', number: 2 } },
    ],
    [
      { note: 'rows-dropped', rows: { shown: [{ key: account }], total: 1 } },
      { note: 'rows-dropped', rows: { shown: [{ key: '…1601' }], total: 1 } },
    ],
    [
      { note: 'row-released', row: { key: account }, fingerprint: account },
      { note: 'row-released', row: { key: '…1601' }, fingerprint: account },
    ],
    [
      { why: { fault: 'call-was-answered', reason: account } },
      { why: { fault: 'call-was-answered', reason: '…1601' } },
    ],
    [
      { was: account, now: account, batch: 'nov' },
      { was: '…1601', now: '…1601', batch: 'nov' },
    ],
    [
      { code: 'ACCOUNT_CHECK', facts: { account: '429160' } },
      { code: 'ACCOUNT_CHECK', facts: { account: '…9160' } },
    ],
    [
      { column: 'lnurl', facts: { anything: 'satoshi' } },
      { column: 'lnurl', facts: { anything: '…oshi' } },
    ],
    [
      { field: 'contact_number', batch: '712345' },
      { field: 'contact_number', batch: '…2345' },
    ],
    [
      { country: 'BTC', lnurl: 'satoshi@bitcoin.org' },
      { country: 'BTC', lnurl: '….org' },
    ],
    [
      { changes: [{ column: 'account_number', was: '429160', now: null }] },
      { changes: [{ column: 'account_number', was: '…9160', now: null }] },
    ],
  ])('does not see the destination in %j', (facts, shown) => expect(seen(facts)).toEqual(shown));

  it('sees the payment in the reasons of a row, and no number that a person wrote there', () => {
    const [paymentId, why] = ['pay_12345678901', `${account} is closed`];
    const reasons = (said: string) => JSON.stringify([{ kind: 'said-gone', paymentId, why: said }]);
    expect(seen({ reason: reasons(why) })).toEqual({ reason: reasons('…1601 is closed') });
    const closed = (said: string) => JSON.stringify({ by: 'Ama', why: said, at: 1795000000000 });
    expect(seen({ closed: closed(why) })).toEqual({ closed: closed('…1601 is closed') });
    expect(seen({ reason: `[{"kind": ${account}` })).toEqual({ reason: '[{"kind": …1601' });
  });

  it('is the only person from whom facts are hidden', () =>
    expect(factsFor({ masked: false }, { account })).toEqual({ account }));
});
