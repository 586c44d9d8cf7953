/** Names and references: what passes, and the plain spelling that is proposed for what does not. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readName, readReference } from '../../src/domain/rows/name-and-reference.ts';
import {
  editDistance,
  fold,
  hasZeroWidth,
  isTypingSlip,
  isWordForNothing,
  plainName,
  plainReference,
  withoutZeroWidth,
} from '../../src/domain/rows/text.ts';
import { anyText } from '../any-text.ts';

describe('names', () => {
  it.each(['Thandi Mokoena', 'a', '@handle', '-', 'Acme (Pty) Ltd., No_1/2', 'x'.repeat(254)])('take %j', (name) =>
    expect(readName(name)).toEqual({ value: name, findings: [] }),
  );

  it.each([
    ["O'Brien", 'OBrien', [["'", 2]]],
    ['M&S', 'M and S', [['&', 2]]],
    ['José', 'Jose', [['é', 4]]],
    [
      'Ọlá',
      'Ola',
      [
        ['Ọ', 1],
        ['á', 3],
      ],
    ],
    [
      'O\u0323la\u0301',
      'Ola',
      [
        ['\u0323', 2],
        ['\u0301', 5],
      ],
    ],
    ['A+B', 'A plus B', [['+', 2]]],
    [
      'Straße – Nord',
      'Strasse - Nord',
      [
        ['ß', 5],
        ['–', 8],
      ],
    ],
    [
      'Ɗan Ƙano',
      'Dan Kano',
      [
        ['Ɗ', 1],
        ['Ƙ', 5],
      ],
    ],
    ['A\u00a0B', 'A B', [['\u00a0', 2]]],
    ['A\u202eB', 'AB', [['\u202e', 2]]],
    ['A\nB', 'A B', [['\n', 2]]],
    ['Smile 😀 Ltd', 'Smile Ltd', [['😀', 7]]],
  ] as const)('refuse %j, proposing %j', (name, plain, places) => {
    const { value, findings } = readName(name);
    expect(value).toBeUndefined();
    expect(findings).toHaveLength(1);
    const strangers = places.map(([character, position]) => ({ character, position }));
    const found = { code: 'NAME_CHARACTERS', severity: 'error', facts: { strangers, others: 0 }, suggestion: plain };
    expect(findings[0]).toMatchObject(found);
  });

  it.each([
    ['', 'NAME_MISSING'],
    ['   ', 'NAME_MISSING'],
    ['x'.repeat(255), 'NAME_TOO_LONG'],
    ['李雷', 'NAME_CHARACTERS'],
    ['R&D &copy 2020', 'NAME_CHARACTERS'],
    ['Jos+AOk- Example', 'NAME_CHARACTERS'],
    ['Jos&eacute Example', 'NAME_CHARACTERS'],
  ])('refuse %j', (name, code) => {
    expect(readName(name).findings.map((one) => [one.code, one.suggestion])).toEqual([[code, null]]);
  });

  it('propose nothing for Õ in a guessed encoding, where Mac Roman has an apostrophe', () => {
    expect(readName('SEAN OÕNEILL', 'guessed').findings.map((one) => one.suggestion)).toEqual([null]);
  });

  // Letters that no rule of Unicode takes apart, in names that have them.
  it.each([
    ['Groß GROẞ', 'Gross GROSS'],
    ['Ægir æon', 'AEgir aeon'],
    ['Œuvre cœur', 'OEuvre coeur'],
    ['Øst Søren', 'Ost Soren'],
    ['Đorđe', 'Dorde'],
    ['Ðað', 'Dad'],
    ['Łukasz Paweł', 'Lukasz Pawel'],
    ['Þór þing', 'Thor thing'],
    ['Yıldız', 'Yildiz'],
    ['Ŋma ŋa', 'Ngma nga'],
    ['Ɓala ɓera', 'Bala bera'],
    ['Ɗan ɗaki', 'Dan daki'],
    ['Ƙano ƙasa', 'Kano kasa'],
    ['Ƴar ƴanci', 'Yar yanci'],
    ['Ɛdem ɛna', 'Edem ena'],
    ['Ɔkai Kɔfi', 'Okai Kofi'],
    ['Ǝdo ǝna', 'Edo ena'],
    ['Nord–Süd—Ost\u2011West\u2010Mitte', 'Nord-Sud-Ost-West-Mitte'],
    ['A&B+C', 'A and B plus C'],
    ['  A \t B  ', 'A B'],
    ['#$%', ''],
    [`${'x'.repeat(253)} yz`, 'x'.repeat(253)],
  ])('%j is plainly %j', (text, plain) => expect(plainName(text)).toBe(plain));

  // Without such a character, or with another in its place, it would be another name.
  it.each([
    'Jos? Example',
    'Jos\ufffd Example',
    '李 Wang',
    'Smith &foo; Sons',
    'Ann; Ben',
    'A*B',
    'A#1',
    'Иван Petrov',
  ])('propose nothing for %j', (name) =>
    expect(readName(name).findings[0]).toMatchObject({ code: 'NAME_CHARACTERS', suggestion: null }),
  );

  it('propose no name where a sign stands for letters', () => {
    for (const name of ['⻳𝐀', 'Acme™']) expect(plainName(name)).toBe('');
    expect(plainName('Acme®')).toBe('Acme');
  });

  it('propose no name that lacks a letter of the one that was written', () => {
    const bare = (text: string) =>
      text
        .normalize('NFKD')
        .replace(/[^A-Za-z]/g, '')
        .toLowerCase();
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const plain = plainName(text);
        if (plain === '' || /[&+]/.test(text.normalize('NFKD'))) return;
        const letters = Array.from(text.normalize('NFKD').replace(/\p{M}/gu, '')).filter((one) =>
          /[\p{L}\p{N}]/u.test(one),
        );
        expect(Array.from(plain.replace(/[^A-Za-z0-9]/g, '')).length).toBeGreaterThanOrEqual(letters.length);
        expect(bare(plain)).toContain(bare(text).slice(0, 1));
      }),
    );
  });

  it('propose only what passes', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (text) => {
        const plain = plainName(text);
        if (plain !== '') expect(readName(plain).value).toBe(plain);
      }),
    );
  });
});

describe('UTF-8 that was read as Windows-1252', () => {
  it.each([
    ['ZoÃ« MÃ¼ller', 'Zoe Muller'],
    ['Renâ€™e Åke', 'Rene Ake'],
    ['AndrÃ©', 'Andre'],
  ])('%s is told as a broken file, and never spelt out garbled', (name, suggestion) => {
    const [found] = readName(name).findings;
    expect(found).toMatchObject({ code: 'NAME_CHARACTERS', facts: { encoding: 'broken' }, suggestion });
    expect(readReference(name).findings[0]!.suggestion).toBe(suggestion);
  });

  it('is nothing that a name can be by itself', () => {
    const [found] = readName('Zoë Müller-Çelik').findings;
    expect(found).toMatchObject({ facts: { encoding: null }, suggestion: 'Zoe Muller-Celik' });
  });
});

describe('letters of a file that does not say its encoding', () => {
  it.each(['Kovèic', 'JosŽ', 'Zo‘', 'Garc’a', 'Mu–oz', 'Jos‚', 'Øst'])(
    '%j has no plain spelling, and the encoding is named as the reason',
    (text) => {
      for (const read of [readName, readReference]) {
        const [found] = read(text, 'guessed').findings;
        expect(found).toMatchObject({ facts: { encoding: 'guessed' }, suggestion: null });
      }
    },
  );

  it('are certain as far as they are ASCII, or the same in every encoding that is likely', () => {
    expect(readName('José Müñoz Ágí', 'guessed').findings[0]!.suggestion).toBe('Jose Munoz Agi');
    expect(readName("O'Brien", 'guessed').findings[0]!.suggestion).toBe('OBrien');
    expect(readReference('INV-204', 'guessed').findings[0]!.suggestion).toBe('INV 204');
  });
});

describe('words for nothing', () => {
  it.each(
    'nan NaN None NULL null undefined nil N/A n.a. NA #N/A <NA> (null) [null] - -- ? . unknown TBC tba (blank) empty missing'
      .split(' ')
      .concat(['undefined undefined', 'None None', '[object Object]', 'not applicable', 'Not Provided', 'n / a', '']),
  )('%j is one', (text) => expect(isWordForNothing(text)).toBe(true));

  it.each([
    'Nan Example',
    'Nullah',
    'Annan',
    'Nina',
    'Nonesuch Ltd',
    'INV 0',
    'Nothing Else Matters',
    'X',
    'Ñana',
    '1',
  ])('%j is none', (text) => expect(isWordForNothing(text)).toBe(false));
});

describe('a typing slip', () => {
  it.each([
    ['kenia', 'kenya'],
    ['nigera', 'nigeria'],
    ['nigerria', 'nigeria'],
    ['nigreia', 'nigeria'],
    ['capitce', 'capitec'],
  ])('%s for %s', (a, b) => expect([isTypingSlip(a, b), isTypingSlip(b, a)]).toEqual([true, true]));

  it.each([
    ['kenya', 'kenya'],
    ['niger', 'nigeria'],
    ['algeria', 'nigeria'],
    ['kuda', 'wema'],
    ['bank1', 'bank2'],
  ])('is not %s for %s', (a, b) => expect([isTypingSlip(a, b), isTypingSlip(b, a)]).toEqual([false, false]));

  it('is one change, or a swap of neighbours', () => {
    const letters = fc.stringMatching(/^[a-c]{0,6}$/);
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const distance = editDistance(a, b);
        const swapped = Array.from(
          { length: a.length - 1 < 0 ? 0 : a.length - 1 },
          (_, at) => `${a.slice(0, at)}${a[at + 1]}${a[at]}${a.slice(at + 2)}`,
        );
        expect(isTypingSlip(a, b)).toBe(a !== b && (distance <= 1 || swapped.includes(b)));
      }),
    );
  });
});

describe('references', () => {
  it.each(['INV 204', 'a', '0042', 'x'.repeat(20)])('take %j', (text) =>
    expect(readReference(text)).toEqual({ value: text, findings: [] }),
  );

  it.each([
    ['INV-204', 'REFERENCE_CHARACTERS', 'INV 204'],
    ['INV/204', 'REFERENCE_CHARACTERS', 'INV 204'],
    ['1.23E+08', 'CELL_NUMBER', null],
    ['2,5e12', 'CELL_NUMBER', null],
    ["O'Brien", 'REFERENCE_CHARACTERS', 'OBrien'],
    ['Café', 'REFERENCE_CHARACTERS', 'Cafe'],
    ['INV\u200b204', 'REFERENCE_CHARACTERS', 'INV204'],
    ['M&S', 'REFERENCE_CHARACTERS', 'M S'],
    ['November salary run 26', 'REFERENCE_TOO_LONG', null],
    [' INV 204', 'REFERENCE_SPACES', 'INV 204'],
    ['INV 204 ', 'REFERENCE_SPACES', 'INV 204'],
    ['INV  204', 'REFERENCE_SPACES', 'INV 204'],
    ['١٢٣', 'REFERENCE_CHARACTERS', null],
    ['发票 204', 'REFERENCE_CHARACTERS', null],
    ['INV?204', 'REFERENCE_CHARACTERS', null],
    ['10.50', 'REFERENCE_CHARACTERS', null],
  ])('refuse %j as %s, proposing %j', (text, code, suggestion) => {
    const { value, findings } = readReference(text);
    expect(value).toBeUndefined();
    expect(findings.map((one) => [one.code, one.suggestion])).toEqual([[code, suggestion]]);
  });

  it.each(['', '  '])('are required: %j', (text) =>
    expect(readReference(text).findings.map((one) => one.code)).toEqual(['REFERENCE_MISSING']),
  );

  it('propose only what passes', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 40 }), (text) => {
        const plain = plainReference(text);
        if (plain !== '') expect(readReference(plain).value).toBe(plain);
      }),
    );
  });
});

describe('what is pasted along', () => {
  it.each(['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'])('%j is no character of a word', (character) => {
    expect(hasZeroWidth(`a${character}b`)).toBe(true);
    expect(withoutZeroWidth(`${character}a${character}${character}b`)).toBe('ab');
  });

  it.each(['ab', 'a b', 'a\u00a0b', 'a\u200eb', 'a\u200ab', ''])('%j has none of it', (text) => {
    expect([hasZeroWidth(text), withoutZeroWidth(text)]).toEqual([false, text]);
  });

  it.each([
    ["INV’2'04`.", 'INV204'],
    ['INV 1001.0', ''],
    ['1,001.0', ''],
    ['INV-1.10', ''],
    ['12.0.0', ''],
    ['INV%204', ''],
    ['INV\\n4', ''],
    ['₦500', ''],
    ['INVOICE NOVEMBER 2026 0001', ''],
    ['INV_204/A–B', 'INV 204 A B'],
    ['Straße Ø', 'Strasse O'],
    ['Ref é & co + x', 'Ref e co x'],
    ['a\u200bb', 'ab'],
    ['#', ''],
    ['x'.repeat(25), ''],
  ])('the reference %j is plainly %j', (text, plain) => expect(plainReference(text)).toBe(plain));
});

describe('comparing words', () => {
  it.each([
    ['South Africa', 'southafrica'],
    ['  SOUTH-africa ', 'southafrica'],
    ['ＦＮＢ', 'fnb'],
    ['I&M Bank', 'imbank'],
    ['', ''],
  ])('folds %j to %j', (text, folded) => expect(fold(text)).toBe(folded));

  it.each([
    ['', 'abc', 3],
    ['capitek', 'capitec', 1],
    ['kitten', 'sitting', 3],
    ['same', 'same', 0],
  ])('measures %j to %j as %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});
