/** What is kept of a service's answer: however long it is, the result still shows what it needs of it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptAnswer, readDetails } from '../../src/pipeline/settle/payment-details.ts';
import { anyText } from '../any-text.ts';

const limit = 8192;
const shown = {
  statusLog: 'sent',
  amountSettled: 100,
  otcFees: 0.5,
  destinationCurrency: 'KES',
  depositBankDetails: { bankName: 'First Bank', accountNumber: '0123456789', reference: 'PAY 1' },
  depositAddress: `0x${'a'.repeat(64)}`,
};
const log = 'tried again; '.repeat(1000);

describe('an answer', () => {
  it('is kept as it came', () => {
    const answer = { id: 'p-1', ...shown, more: [1, { of: 'it' }] };
    expect(keptAnswer(answer)).toBe(JSON.stringify(answer));
  });

  it.each<[string, object]>([
    ['a field that nobody shows is long', { meta: log, ...shown }],
    [
      'there are many fields',
      { ...Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`f${n}`, n])), ...shown },
    ],
    ['what it wraps is long', { data: { log: [log] }, ...shown }],
  ])('that is too long keeps what the result shows: %s', (_title, answer) => {
    expect(readDetails(keptAnswer(answer))).toEqual(readDetails(JSON.stringify(answer)));
  });

  it('whose log is long keeps the beginning of it, and says that it goes on', () => {
    const told = readDetails(keptAnswer({ ...shown, statusLog: log }));
    expect(told).toEqual({ ...readDetails(JSON.stringify(shown)), statusLog: `${log.slice(0, 1000)}…` });
  });

  it('with a picture among what has to be deposited keeps the accounts whole', () => {
    const picture = 'iVBORw0KGgo'.repeat(2000);
    const answer = { ...shown, depositPicture: picture, depositBankDetails: { picture, ...shown.depositBankDetails } };
    const { deposit } = readDetails(keptAnswer(answer));
    expect(deposit).toContain('accountNumber: 0123456789; reference: PAY 1');
    expect(deposit).toContain(`depositAddress: ${shown.depositAddress}`);
  });

  it('is valid JSON within the limit, whatever it is', () => {
    const text = anyText({ maxLength: 4000 });
    const name = fc.oneof(
      fc.constantFrom(...Object.keys(shown)),
      fc.string(),
      text.map((end) => `deposit${end}`),
    );
    const value = fc.oneof(text, fc.jsonValue(), fc.dictionary(name, text), fc.array(text, { maxLength: 20 }));
    fc.assert(
      fc.property(fc.dictionary(name, value), (answer) => {
        const kept = keptAnswer(answer);
        expect(kept.length).toBeLessThanOrEqual(limit);
        expect(JSON.parse(kept)).toBeTypeOf('object');
      }),
    );
  });
});
