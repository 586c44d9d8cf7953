/** Watches texts and unread columns that may say which rows to pay, or name another currency or unit. */
import type { Problem } from '../../base/problem.ts';
import { currencyNamed, isCurrencyCode } from '../../domain/amounts/money.ts';
import type { Note } from '../../domain/note.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import type { SheetColumn } from '../../domain/problems/sheet-problems.ts';
import { sheetProblem } from '../../domain/problems/sheet-problems.ts';
import { isUnknown, shownText } from '../../domain/rows/cell.ts';
import { type ColumnValue, createTally, isNumber } from '../../domain/rows/decision-column.ts';
import type { Row } from '../../domain/rows/row.ts';
import { beginsWithStopWord, hasStopWord, stopMarkIn } from '../../domain/rows/stop-mark.ts';
import { headerKey } from '../../domain/rows/text.ts';
import {
  columnName,
  isChosen,
  isMapped,
  isMergedOverRows,
  type Line,
  onlyWords,
  type Sheet,
  type SheetOptions,
} from '../../sheet/sheet.ts';

class Watched {
  readonly index: number;
  readonly countsUnits: boolean;
  /** True if a map declares the column meaningless. A suspicion about the column is then only a note. */
  readonly decided: boolean;
  readonly isChosen: boolean;
  readonly tally: ReturnType<typeof createTally>;
  /** True if the header names an amount to be paid, as the column `amount` does. */
  readonly namesPayment: boolean;
  /** True if the header, or a code that can mean nothing else, shows that the column holds currencies. */
  sure: boolean;
  filled = 0;
  currencies = 0;
  units = 0;
  other: { readonly row: number; readonly text: string; readonly currency: string } | null = null;
  unit: { readonly row: number; readonly text: string } | null = null;
  numbers = 0;
  /** True if a row has another number in this column than in the column `amount`. */
  differs = false;

  constructor(index: number, { header, columns }: Sheet, { map, choices }: SheetOptions) {
    const text = header[index]!;
    this.index = index;
    this.countsUnits = unitHeader.test(text.slice(0, 100));
    this.decided = isMapped(map, text);
    this.isChosen = isChosen(choices, text);
    this.tally = createTally(text);
    this.namesPayment = columns.includes('amount') && namesPayment(text);
    this.sure = currencyHeader.test(text.slice(0, 100));
  }
}

export interface ColumnQuestion {
  readonly index: number;
  readonly header: string;
  readonly values: readonly ColumnValue[];
  readonly others: number;
  /** How many rows have an error in the cell, or a formula without a result. */
  readonly unknown: number;
  /** True if cells are merged over several rows, so that only the first of these rows has the value. */
  readonly isMerged: boolean;
}

const sign = /^\p{L}{0,3}\p{Sc}$/u;
const unitWord = /^(?:in )?(?:cents?|kobo|thousands?|millions?|['’]?000['’]?s?)$/i;
const unitHeader = /\b(?:cents?|kobo|thousands?|millions?)\b/i;
const nothing = /^[-–—]$|^n\/?a$/i;
/** Matches headers under which any code is a currency, even a rare one. */
const currencyHeader = /curr|money|coin|\b(?:ccy|cur|fx|paid (?:as|in)|pay in)\b/i;
const longest = 40;
const paymentWord =
  /^(?:amount|amt|montant|betrag|monto|balance|due|final|grand|net|outstanding|owed|owing|pay|payable|payment|payout|salary|sum|total|wages)$/;

/** True if every word of the header means an amount to be paid or a currency, as in `Net payable (KES)`. */
const namesPayment = (header: string) =>
  headerKey(header)
    .replace(/\b(?:to pay|a payer|zu zahlen|a pagar)\b/, 'payable')
    .split(' ')
    .every((word) => paymentWord.test(word) || isCurrencyCode(word.toUpperCase()));

/** Returns the digits of an amount, however its thousands and currency are written; null for other text. */
function digitsOf(text: string): string | null {
  const bare = text.trim().replaceAll(/^\p{L}{1,4}[.\s]*|\s*\p{L}{1,4}$/gu, '');
  return isNumber(bare) ? bare.replace(/[.,]00?$/, '').replaceAll(/\D/g, '') : null;
}

/** How many of ten filled cells must agree, so that one typing error does not decide about a column. */
const nearlyAll = 8;

/** Columns that Payrun reads, and whose texts it also searches for words that stop a payment. */
const readAlso = ['name', 'reference', 'tag'] as const;

type MarkedPlace = { readonly field: (typeof readAlso)[number] } | SheetColumn;

function markedRow(row: number, place: MarkedPlace, { text, isError }: { text: string; isError: boolean }): Problem {
  const value = text.slice(0, 40);
  const column = 'field' in place ? place.field : null;
  return batchProblem('ROW_MARKED', isError ? 'error' : 'warning', { ...place, says: value }, { row, column, value });
}

export const columnAt = ({ header }: Pick<Sheet, 'header'>, index: number): SheetColumn => ({
  column: columnName(index),
  header: header[index]!.trim(),
});

const mostValues = 12;
const shownValues = 6;
const shownSteps = 3;

function choiceUnread({ index, header, values, others, unknown, isMerged }: ColumnQuestion, isTwice: boolean): Problem {
  const title = header.trim();
  const shown = values.slice(0, shownValues);
  const facts = {
    column: columnName(index),
    header: title,
    values: shown,
    others: values.slice(shownValues).reduce((sum, one) => sum + one.rows, others),
    unknown,
    isMerged,
    choices: isTwice ? [] : shown.slice(0, shownSteps).map(({ text }) => onlyWords(title, text)),
  };
  return batchProblem('CHOICE_UNREAD', 'error', facts, { value: title });
}

export function watchUnread(sheet: Sheet, options: SheetOptions) {
  const watched = sheet.columns.flatMap((field, index) =>
    field !== null || sheet.ours[index] === true ? [] : [new Watched(index, sheet, options)],
  );

  /** `row` is null if the line has mistakes. */
  function see({ number, raw, cells }: Line, row: Row | null): Problem[] {
    const problems: Problem[] = [];
    for (const field of readAlso) {
      const text = shownText(cells[field] ?? '');
      const found = stopMarkIn(text);
      if (found !== null || hasStopWord(text) || beginsWithStopWord(text))
        problems.push(markedRow(number, { field }, { text, isError: found === 'whole' }));
    }
    for (const one of watched) {
      const cell = raw[one.index] ?? '';
      const text = shownText(cell).trim();
      one.tally.add(isUnknown(cell) ? null : text);
      if (text === '' || nothing.test(text)) continue;
      one.filled += 1;
      if (one.namesPayment) {
        const digits = digitsOf(text);
        const paid = digitsOf(shownText(cells.amount ?? ''));
        if (digits !== null) one.numbers += 1;
        one.differs ||= digits !== null && paid !== null && digits !== paid;
      }
      // Reports no single cell of a column that a person chose, or that gets a question as a whole.
      const isError = stopMarkIn(text) !== null;
      if (!one.isChosen && !one.tally.isNamed && (isError || hasStopWord(text)))
        problems.push(markedRow(number, columnAt(sheet, one.index), { text, isError }));
      if (text.length > longest) continue;
      const named = currencyNamed(text);
      if (named !== null || sign.test(text)) {
        one.currencies += 1;
        one.sure ||= named?.sure ?? true;
        if (row !== null && !(named?.codes.has(row.currency) ?? (text === '₦' && row.currency === 'NGN')))
          one.other ??= { row: number, text, currency: row.currency };
      } else if (one.countsUnits ? /[1-9]/.test(text) : unitWord.test(text)) {
        one.units += 1;
        one.unit ??= { row: number, text };
      }
    }
    return problems;
  }

  const holdsCurrencies = ({ sure, other, currencies, filled }: Watched) =>
    sure && other !== null && currencies * 10 >= filled * nearlyAll;
  const holdsUnits = ({ countsUnits, unit, units, filled }: Watched) =>
    unit !== null && (countsUnits || units * 10 >= filled * nearlyAll);
  /** True if all filled cells name currencies or units. Other checks report these columns. */
  const holdsAmountWords = ({ filled, currencies, units }: Watched) => filled > 0 && currencies + units === filled;

  const isNamed = ({ tally, index }: Watched) => tally.isNamed && !currencyHeader.test(sheet.header[index]!);

  /** True for a column of a known format: a payments file, or the file of a product that Payrun has a map for. */
  const isKnown = ({ decided }: Watched) =>
    sheet.initiation !== null || (options.map?.shipped !== undefined && decided);

  const asks = (one: Watched) =>
    !isKnown(one) && !one.isChosen && (isNamed(one) || !holdsAmountWords(one)) && one.tally.asks();

  const isTwice = (header: string) => sheet.header.filter((other) => headerKey(other) === headerKey(header)).length > 1;

  const questions = (): ColumnQuestion[] =>
    watched.filter(asks).map(({ index, tally }) => {
      const values = tally.values();
      return {
        index,
        header: sheet.header[index]!,
        values: values.slice(0, mostValues),
        others: values.slice(mostValues).reduce((sum, { rows }) => sum + rows, tally.others()),
        unknown: tally.unknown(),
        isMerged: isMergedOverRows(sheet.merges(), index, sheet.headerRow),
      };
    });

  function problems(): Problem[] {
    const others = watched.flatMap((one) => {
      if (one.decided) return [];
      const { other, unit } = one;
      const at = columnAt(sheet, one.index);
      if (one.differs && !one.isChosen && one.numbers * 10 >= one.filled * nearlyAll) {
        const facts = { first: columnAt(sheet, sheet.columns.indexOf('amount')), second: at, field: 'amount' };
        return [sheetProblem('COLUMN_TWICE', 'error', facts, { column: 'amount', value: at.header })];
      }
      if (other !== null && holdsCurrencies(one)) {
        const { row, text: says, currency } = other;
        const place = { column: 'currency', value: says };
        return [batchProblem('CURRENCY_UNREAD', 'error', { ...at, row, says, currency }, place)];
      }
      if (unit === null || !holdsUnits(one)) return [];
      const { row, text: says } = unit;
      return [batchProblem('UNIT_UNREAD', 'error', { ...at, row, says }, { column: 'amount_unit', value: says })];
    });
    return [...questions().map((one) => choiceUnread(one, isTwice(one.header))), ...others];
  }

  /** Returns notes about columns with one value for all rows, and about currencies or units in columns that a map ignores. */
  function notes(): Note[] {
    return watched.flatMap((one): Note[] => {
      const [first, second] = one.tally.values();
      const at = { column: columnName(one.index), header: sheet.header[one.index]!.trim() };
      const value = second === undefined && first !== undefined && first.rows > 1 ? first.text.slice(0, 40) : '';
      const isConstant = value !== '' && !isNumber(value) && !holdsAmountWords(one);
      if (isConstant && !isKnown(one) && !one.isChosen && !asks(one))
        return [{ note: 'column-constant', ...at, value }];
      if (!one.decided) return [];
      const { other, unit } = one;
      if (other !== null && holdsCurrencies(one))
        return [{ note: 'values-ignored', ...at, row: other.row, says: other.text }];
      return unit !== null && holdsUnits(one)
        ? [{ note: 'values-ignored', ...at, row: unit.row, says: unit.text }]
        : [];
    });
  }

  const currencies = () =>
    watched.filter((one) => !one.decided && holdsCurrencies(one)).map(({ index }) => sheet.header[index]!);

  return { see, problems, questions, notes, currencies };
}
