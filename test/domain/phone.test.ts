/** Kenyan mobile numbers: the collected vectors, and agreement with libphonenumber-js, which the program does not load. */

import fc from 'fast-check';
import parsePhone from 'libphonenumber-js/mobile';
import { describe, expect, it } from 'vitest';
import { readPhone } from '../../src/domain/accounts/phone.ts';
import vectors from './account-vectors.json' with { type: 'json' };
import { formulaCell, numberCell, typedCell } from './example.ts';

describe('Kenyan mobile numbers', () => {
  it.each(vectors.phoneKE)('$in is $e164', ({ in: text, e164 }) => {
    const { value, findings } = readPhone(text);
    expect(value ?? null).toBe(e164);
    const codes = findings.map((one) => one.code);
    expect(codes).toEqual(e164 === null ? ['PHONE_INVALID'] : e164 === text ? [] : ['PHONE_REWRITTEN']);
  });

  it.each(['+254 (0)712 345 678', '00254712345678', '\u202a+254712345678\u202c', '0712-345-678', '+254712345678 '])(
    'reads %j',
    (text) => expect(readPhone(text).value).toBe('+254712345678'),
  );

  it.each(['071234567', '07123456789', '+2547123456789', '0812345678', 'tel', '++254712345678', '254 254712345678'])(
    'refuses %j',
    (text) => expect(readPhone(text).findings.map((one) => one.code)).toEqual(['PHONE_INVALID']),
  );

  it('says why a number in scientific notation is lost', () =>
    expect(readPhone('2.54712E+11').findings[0]?.facts).toMatchObject({ why: 'scientific' }));

  it.each([
    [numberCell('254712345678'), '+254712345678', 'PHONE_REWRITTEN'],
    [numberCell('712345678'), '+254712345678', 'PHONE_REWRITTEN'],
    [numberCell('2.54712E+11'), undefined, 'PHONE_INVALID'],
    [numberCell('712345678.5'), undefined, 'PHONE_INVALID'],
    [numberCell('71234567.8'), undefined, 'PHONE_INVALID'],
    ['71234567.8', undefined, 'PHONE_INVALID'],
    ['71234560.0', undefined, 'PHONE_INVALID'],
    ['+25471234560.0', undefined, 'PHONE_INVALID'],
    ['+254 71234560.0', undefined, 'PHONE_INVALID'],
    ['(0)71234560.0', undefined, 'PHONE_INVALID'],
    ['(71234560.0)', undefined, 'PHONE_INVALID'],
    ['\u202a+25471234560.0\u202c', undefined, 'PHONE_INVALID'],
    ['71234560.0-', undefined, 'PHONE_INVALID'],
    ['71234560.0.', undefined, 'PHONE_INVALID'],
    ['71234560.-0', undefined, 'PHONE_INVALID'],
    ['0712.345.678', '+254712345678', 'PHONE_REWRITTEN'],
    ['0712345.60.0', undefined, 'PHONE_INVALID'],
    ['0712.34.56.00', undefined, 'PHONE_INVALID'],
    ['7123-4560.0', undefined, 'PHONE_INVALID'],
    ['71234560. 0', undefined, 'PHONE_INVALID'],
    ['+2547123456.00', undefined, 'PHONE_INVALID'],
    ['712.345.678', '+254712345678', 'PHONE_REWRITTEN'],
    [formulaCell('254712345678'), '+254712345678', 'FORMULA_CELL PHONE_REWRITTEN'],
    [typedCell('error', '#N/A'), undefined, 'CELL_ERROR'],
    ['', undefined, 'PHONE_MISSING'],
  ] as const)('reads a cell of another kind', (cell, phone, codes) => {
    const { value, findings } = readPhone(cell);
    expect(value).toBe(phone);
    expect(findings.map((one) => one.code).join(' ')).toBe(codes);
  });

  it('says of a number cell that digits may be lost', () =>
    expect(readPhone(numberCell('71234560')).findings[0]?.facts).toMatchObject({ why: 'stored' }));

  it('reads every form of a number as libphonenumber-js does', () => {
    const local = fc.stringMatching(/^[17]\d{8}$/);
    const form = fc.constantFrom('+254', '254', '0', '', '+254 ', '+254-');
    fc.assert(
      fc.property(local, form, (nine, prefix) => {
        const library = parsePhone(prefix + nine, 'KE');
        // The library also knows which ranges are handed out; that changes over time, so the service decides it.
        fc.pre(library?.isValid() === true);
        expect(readPhone(prefix + nine).value).toBe(library?.number);
      }),
    );
  });

  it('reads nothing that libphonenumber-js reads as another number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+?[0-9 ()-]{7,16}$/), (text) => {
        const { value } = readPhone(text);
        const library = parsePhone(text, 'KE');
        if (value !== undefined && library?.isValid() && library.country === 'KE') expect(value).toBe(library.number);
        if (value === undefined) expect(library?.isValid() === true && library.country === 'KE').toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});
