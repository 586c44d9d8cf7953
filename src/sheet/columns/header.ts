/** Recognises the columns of a sheet by the headers that are usual in finance. */
import type { Problem } from '../../base/problem.ts';
import { byWord, codePointName, type Each, visible } from '../../base/words.ts';
import { isCurrencyCode } from '../../domain/amounts/money.ts';
import { sheetProblem } from '../../domain/problems/sheet-problems.ts';
import type { Field } from '../../domain/rows/cell.ts';
import { editDistance, fold } from '../../domain/rows/text.ts';
import { type ColumnUse, headerKey, type MappedColumn, mappedColumns, type SheetMap } from './column-map.ts';
import { columnName } from './column-name.ts';

const listed = (text: string) => text.split(/,\s+/);

/** The known names of each field. Payrun ignores case, spaces and signs: `Beneficiary  Name*` is `beneficiary_name`. */
export const aliases: { readonly [F in Field]: readonly string[] } = {
  row_id: ['row_id', 'row id', 'id', 'unique id', 'payment id'],
  payee_id: listed(`payee_id, payee id, employee id, employee no, employee number, staff id, staff no,
    staff number, customer id, customer no, customer number, supplier id, supplier no,
    supplier number, vendor id, vendor no, vendor number, member no, member number`),
  name: listed(`name, beneficiary, beneficiary name, recipient, recipient name, payee, payee name, supplier,
    vendor, employee, employee name, full name, account name, account holder, business name`),
  country: ['country', 'beneficiary country', 'destination', 'destination country', 'country code'],
  bank_name: ['bank', 'bank name', 'beneficiary bank', 'institution'],
  bank_code: ['bank code', 'sort code', 'cbn code'],
  branch_code: ['branch', 'branch code', 'br code', 'universal code'],
  account_number: listed(`account, account no, account number, acc no, acc number, beneficiary account,
    beneficiary account no, beneficiary account number`),
  network_provider: ['network', 'network provider', 'mobile network', 'provider'],
  contact_number: listed(`contact number, phone, phone number, phone no, mobile no, cell no, cell number, mobile,
    mobile number, msisdn, cell, cell phone, momo number`),
  lnurl: ['lnurl', 'lightning address', 'ln address'],
  merchant_id: ['merchant id'],
  amount: ['amount', 'value', 'payment amount', 'net amount', 'net pay', 'net salary'],
  amount_unit: ['amount unit'],
  currency: listed(`currency, ccy, cur, curr, currency code, currency iso, iso currency, iso currency code,
    payment currency, payout currency`),
  reference: listed(`reference, ref, payment reference, payment ref, narration, beneficiary reference,
    recipient reference, statement reference, beneficiary statement reference,
    recipient statement reference, their reference`),
  from_country: ['from country'],
  collection_method: ['collection method'],
  type: ['type'],
  slow: ['slow'],
  tag: ['tag', 'own reference', 'my reference', 'my statement reference', 'own statement reference'],
  documents: listed(`document, documents, invoice, invoice file, attachment, attachments, supporting document,
    supporting documents`),
};

/** Words that look like a misspelt field, but mean something else: `county` is not `country`. */
export const otherWords: ReadonlySet<string> = new Set(
  `county count counts counter counterparty payer payment payments valid brand batch address addresses postcode
   costcode glaccount accountant accounting gender sender employer employed payername referee preference valuta
   otherreference supplies networth constitution vatamount invoiceno invoiceid cellno typed filename
   employername employerid employerno employernumber payerid payerno newsalary paymentfee`.split(/\s+/),
);

/** A column `description` is the reference, but only if no other column or map value gives the reference. */
const lastResort: { readonly field: Field; readonly name: string } = { field: 'reference', name: 'description' };

/** Endings that give a known name another meaning: `branch id` is not a misspelt `branch`. */
const keyWords = ['id', 'no', 'nr', 'key', 'ref'];

const surelyMeant = byWord({
  'phone number': 'phoneno phonenr',
  'mobile number': 'mobileno mobilenr',
  'account number': 'accountnr accnr bankaccount bankaccountnumber',
});

/** The field of each folded alias. A plain object would fail for a header called `constructor`. */
export const known = new Map<string, KnownName>();
for (const [field, names] of Object.entries(aliases) as [Field, readonly string[]][])
  for (const alias of names) known.set(fold(alias), { field, alias });

interface KnownName {
  readonly field: Field;
  readonly alias: string;
}

const foldHeader = (text: string): string => fold(text.replace(notes, ''));

const notes = /[([{]\s*(?:required|optional|mandatory)\s*[)\]}]/giu;

export const knownField = (text: string): Field | undefined => known.get(foldHeader(text))?.field;

export const meantField = (text: string): Field | null =>
  (amountWithUnit(text) ?? lookAlike(text) ?? nearest(foldHeader(text)))?.field ?? null;

export const currencyOfHeader = (text: string): string | null => amountWithUnit(text, true)?.currency ?? null;

export const checkHeaders = ['payrun_check', 'payrun_what_to_do', 'payrun_suggested_value'] as const;
export const checkWidths: readonly number[] = [15, 64, 26];

/** The column with the uploaded sheet's row numbers. Only a checked workbook that omits rows has this column. */
export const sheetRowHeader = 'payrun_sheet_row';

/** True for a header that begins with `payrun_`. False for `payment_id`, which is Payrun's column only in a result. */
const isOwnHeader = (text: string): boolean => plainHeader(text).startsWith('payrun_');

const plainHeader = (text: string): string => text.trim().toLowerCase();

export interface Header extends Each<'batchColumn rowColumn statusColumn attemptsColumn paymentColumn', number> {
  readonly texts: readonly string[];
  readonly fields: readonly (Field | null)[];
  readonly unused: readonly string[];
  /** If there is an error, Payrun pays no line. */
  readonly problems: readonly Problem[];
  /** The currency in the amount's header, such as `Amount (ZAR)`, or in a title above it; null if there is none. */
  readonly amountCurrency: string | null;
  readonly own: boolean;
  /** By column index: true if Payrun added the column. A new result replaces all columns that Payrun added. */
  readonly ours: readonly boolean[];
  /** By column index: true if an earlier check by Payrun added the column. Payrun ignores the column's values. */
  readonly checks: readonly boolean[];
}

/** Payrun does not compare a longer header with the known names, because the comparison would take too long. */
const maxNameCharacters = 200;

/** Counts the different headers that Payrun or the map knows. If `near` is true, counts misspelt headers too. */
export function countKnown(texts: readonly string[], map: SheetMap | undefined, near: boolean): number {
  const mapped = mappedColumns(map);
  const found = new Set<string>();
  for (const text of texts) {
    if (text === '' || text.length > maxNameCharacters) continue;
    const folded = foldHeader(text);
    const field =
      mapped.get(headerKey(text))?.header ??
      known.get(folded)?.field ??
      amountWithUnit(text)?.field ??
      (isOwnHeader(text) ? folded : halves.get(folded)) ??
      (near ? (lookAlike(text) ?? nearest(folded))?.field : undefined);
    if (field !== undefined) found.add(field);
  }
  return found.size;
}

export function readHeader(texts: readonly string[], row: number, map: SheetMap | undefined): Header {
  const problems: Problem[] = [];
  const unused: string[] = [];
  const own = texts.some(isOwnHeader);
  const checks = texts.map((text) => checkHeaders.some((one) => one === plainHeader(text)));
  const ofResult = texts.some((text, index) => isOwnHeader(text) && !checks[index]);
  const ours = texts.map((text) => isOwnHeader(text) || (ofResult && plainHeader(text) === 'payment_id'));
  const mapped = mapColumns(texts, ours, row, map, problems);
  const parts = halvesOfName(texts.map((text, index) => (mapped[index] === undefined ? text : '')));
  let amountCurrency: string | null = null;

  const uses = texts.map((text, index): ColumnUse => {
    if (text.trim() === '' || ours[index]) return null;
    const chosen = mapped[index];
    const strange = chosen === undefined ? strangeCharacters(text) : [];
    if (strange.length > 0) {
      problems.push(strangeHeader(text, row, strange));
      return null;
    }
    // Looks for a unit first, because known names are compared without signs: `Amount ($)` would equal `Amount`.
    const unit = chosen === undefined || chosen === 'amount' ? amountWithUnit(text, chosen === 'amount') : null;
    if (unit !== null) {
      if (unit.currency !== null) amountCurrency = unit.currency;
      else if (!isAnswered(unit.unit, map?.values.amount_unit)) problems.push(unitProblem(text, row, unit.unit));
      return 'amount';
    }
    if (chosen === null) unused.push(visible(text));
    if (chosen !== undefined) return chosen;
    if (text.length > maxNameCharacters) {
      unused.push(`${text.slice(0, 80)}…`);
      return null;
    }
    const folded = foldHeader(text);
    const exact = parts[index] ?? known.get(folded)?.field;
    if (exact !== undefined) return exact;
    if (isLineNumber(text)) return null;
    const meant = nearest(folded);
    if (meant === null) unused.push(text);
    else problems.push(misspelt(text, row, meant));
    return null;
  });

  if (!uses.includes(lastResort.field) && map?.values[lastResort.field] === undefined) {
    const place = texts.findIndex((text, index) => mapped[index] === undefined && foldHeader(text) === lastResort.name);
    if (place >= 0) {
      uses[place] = lastResort.field;
      unused.splice(unused.indexOf(texts[place]!), 1);
    }
  }
  problems.push(...twice(texts, uses, row), ...contradictions(texts, uses, row, map, amountCurrency));
  // A workbook with this column omits rows. If Payrun paid the workbook, the omitted rows would stay unpaid.
  if (texts.some((text) => plainHeader(text) === sheetRowHeader))
    problems.push(sheetProblem('SHEET_OF_PROBLEMS', 'error', {}, { row }));
  const ownColumn = (name: string) => texts.findIndex((text) => plainHeader(text) === name);
  return {
    texts,
    fields: uses.map((use) => (use === 'first_name' || use === 'last_name' ? 'name' : use)),
    unused,
    problems,
    amountCurrency,
    own,
    ours,
    checks,
    batchColumn: ownColumn('payrun_batch'),
    rowColumn: ownColumn('payrun_row'),
    statusColumn: ownColumn('payrun_status'),
    attemptsColumn: ownColumn('payrun_attempts'),
    paymentColumn: ownColumn('payment_id'),
  };
}

function mapColumns(
  texts: readonly string[],
  ours: readonly boolean[],
  row: number,
  map: SheetMap | undefined,
  problems: Problem[],
): readonly (ColumnUse | undefined)[] {
  const chosen: (ColumnUse | undefined)[] = texts.map(() => undefined);
  if (texts.length === 0) return chosen;
  const keys = texts.map((text, index) => (ours[index] ? '' : headerKey(text)));
  for (const [key, column] of mappedColumns(map)) {
    const places = keys.flatMap((one, index) => (one === key ? [index] : []));
    if (places.length === column.uses.length) {
      places.forEach((place, nth) => {
        chosen[place] = column.uses[nth] ?? null;
      });
    } else if (places.length > 0 || !column.optional) {
      problems.push(mapUnknown(column, places, texts, row, map!.name));
      // The map expects a different number of columns with this header, so Payrun ignores all of them.
      for (const place of places) chosen[place] = null;
    }
  }
  for (const refused of map?.shipped?.refusedHeaders ?? []) {
    const place = keys.indexOf(headerKey(refused));
    if (place < 0) continue;
    chosen[place] = null;
    const facts = { map: map!.shipped!.name, refused, of: columnAt(texts, place) };
    problems.push(sheetProblem('MAP_REFUSED', 'error', facts, { row, value: texts[place]! }));
  }
  return chosen;
}

function mapUnknown(
  { header, uses }: MappedColumn,
  places: readonly number[],
  texts: readonly string[],
  row: number,
  map: string,
): Problem {
  const near = texts.find((text) => editDistance(headerKey(text), headerKey(header)) <= 2)?.trim() ?? null;
  const facts = { header, map, uses, columns: places.map(columnName), near: places.length === 0 ? near : null };
  return sheetProblem('MAP_UNKNOWN', 'error', facts, { row, value: header });
}

/** Reports a field with both a column and a map value. The header `Amount ZAR` may repeat the map's currency ZAR. */
function contradictions(
  texts: readonly string[],
  uses: readonly ColumnUse[],
  row: number,
  map: SheetMap | undefined,
  amountCurrency: string | null,
): Problem[] {
  const problems: Problem[] = [];
  for (const [field, value] of Object.entries(map?.values ?? {})) {
    const place = uses.indexOf(field as Field);
    const amount = field === 'currency' && amountCurrency !== null ? uses.indexOf('amount') : -1;
    const column = place < 0 ? amount : place;
    if (column < 0 || (place < 0 && amountCurrency === value.trim().toUpperCase())) continue;
    const facts = { ...columnAt(texts, column), map: map!.name, field, value };
    problems.push(sheetProblem('MAP_CONTRADICTED', 'error', facts, { row, column: field, value: texts[column]! }));
  }
  return problems;
}

export const isLineNumber = (text: string): boolean => ['no', '#', 'nr', 'no.'].includes(plainHeader(text));

const halves = byWord<'first_name' | 'last_name'>({
  first_name: 'firstname firstnames forename givenname',
  last_name: 'lastname surname familyname',
});

/** `Name` beside `Surname` is the first name. Beside whole names, only `first name` and `last name` count. */
export function halvesOfName(texts: readonly string[]): readonly ('first_name' | 'last_name' | null)[] {
  const folded = texts.map(foldHeader);
  const found = folded.map((text) => halves.get(text) ?? null);
  const whole = folded.filter((text) => known.get(text)?.field === 'name');
  const hasFirst = found.includes('first_name');
  const isPlain = folded.includes('firstname') && folded.includes('lastname');
  const isRead = hasFirst ? isPlain || whole.length === 0 : whole.join() === 'name';
  if (!found.includes('last_name') || !isRead) return texts.map(() => null);
  return found.map((half, index) => half ?? (folded[index] === 'name' && !hasFirst ? 'first_name' : null));
}

/** Reports two columns with the same use or `payrun_` header. Also reports whole names beside first or last names. */
function twice(texts: readonly string[], uses: readonly ColumnUse[], row: number): Problem[] {
  const first = new Map<string, number>();
  const problems: Problem[] = [];
  uses.forEach((use, index) => {
    const ownName = isOwnHeader(texts[index]!) ? plainHeader(texts[index]!) : null;
    const key = ownName ?? use;
    if (key === null) return;
    const isHalf = key === 'first_name' || key === 'last_name';
    const earlier =
      first.get(key) ??
      (isHalf ? first.get('name') : key === 'name' ? (first.get('first_name') ?? first.get('last_name')) : undefined);
    if (earlier === undefined) {
      first.set(key, index);
      return;
    }
    const field = isHalf ? 'name' : key;
    const facts = { first: columnAt(texts, earlier), second: columnAt(texts, index), field };
    problems.push(sheetProblem('COLUMN_TWICE', 'error', facts, { row, column: field, value: texts[index]! }));
  });
  return problems;
}

/** Matches `Amount USD`, `Betrag in EUR`, `Amount cents` and `Amount x100`. */
const unitWord =
  /^(.*?)[\s_-]+(?:in[\s_-]+)?([A-Z]{3}|[Cc]ents?|[Kk]obo|[Tt]housands?|[Mm]illions?|[xX×] ?1\d+)[\s*:]*$/u;

/** Returns the unit in the header of an amount. If Payrun ignored `cents`, it would pay 100 times too much. */
function amountWithUnit(
  text: string,
  isAmount = false,
): { field: 'amount'; unit: string; currency: string | null } | null {
  if (text.length > maxNameCharacters) return null;
  const plain = text.normalize('NFKC').replace(notes, '');
  const match =
    /^([^([{]*)[([{]([^)\]}]*)[)\]}]?[\s*:]*$/u.exec(plain) ??
    /^([^%\p{Sc}]*)([%\p{Sc}])[\s*:]*$/u.exec(plain) ??
    unitAtEnd(plain);
  if (match === null || !(isAmount || known.get(fold(match[1]!))?.field === 'amount')) return null;
  const unit = match[2]!.trim();
  return unit === '' ? null : { field: 'amount', unit, currency: currencyOfUnit(unit) };
}

function unitAtEnd(text: string): RegExpExecArray | null {
  const match = unitWord.exec(text);
  return match !== null && /^[A-Z]{3}$/.test(match[2]!) && !isCurrencyCode(match[2]!) ? null : match;
}

const signs = byWord({ ZAR: 'r', NGN: '₦', KES: 'ksh kshs' });

function currencyOfUnit(unit: string): string | null {
  const sign = signs.get(unit.toLowerCase().replace(/\.$/, ''));
  if (sign !== undefined) return sign;
  const code = unit.toUpperCase();
  return isCurrencyCode(code) ? code : null;
}

/** True if the map's `amount_unit` explains the header's unit. False for thousands, millions, digits, `%` and `$`. */
function isAnswered(unit: string, answer: string | undefined): boolean {
  if (answer === undefined || /[\p{Sc}%\d]|thousand|million|^[km]n?$/iu.test(unit)) return false;
  return /^(?:c|cents?|kobo)$/i.test(unit) ? fold(answer) === 'cents' : true;
}

const unitProblem = (text: string, row: number, unit: string): Problem =>
  sheetProblem('HEADER_UNIT', 'error', { header: text, unit }, { row, column: 'amount', value: text });

function misspelt(text: string, row: number, { field, alias }: KnownName): Problem {
  const facts = { header: text, meant: alias, field };
  return sheetProblem('HEADER_MISSPELT', 'error', facts, { row, column: field, value: text, suggestion: alias });
}

const lookAlikes = new Map(
  Array.from('аaеeоoрpсcхxуyіiјjѕsԁdһhβbԛqԝwкkмmтtнhвbгrοoαaνvρpτtιiυuεeκkηnοo'.matchAll(/(.)(.)/gu), (pair) => [
    pair[1]!,
    pair[2]!,
  ]),
);

const latinFold = (text: string): string =>
  fold(Array.from(text.toLowerCase(), (letter) => lookAlikes.get(letter) ?? letter).join(''));

function lookAlike(text: string): KnownName | null {
  const folded = latinFold(text);
  return known.get(folded) ?? nearest(folded);
}

function strangeCharacters(text: string): readonly string[] {
  const strange = Array.from(text).filter((character) =>
    /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164]|(?![\t\n\r])\p{Cc}/u.test(character),
  );
  const otherLetters = Array.from(text).filter((letter) =>
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(letter),
  );
  const mixed = /\p{Script=Latin}/u.test(text) || known.has(latinFold(text));
  return mixed ? [...strange, ...otherLetters] : strange;
}

function strangeHeader(text: string, row: number, strange: readonly string[]): Problem {
  const points = [...new Set(strange)].map(codePointName);
  const plain = Array.from(text)
    .filter((character) => !strange.includes(character) || lookAlikes.has(character.toLowerCase()))
    .join('');
  const { field = null, alias = null } = lookAlike(plain) ?? {};
  const facts = { header: visible(text), points, meant: alias };
  return sheetProblem('HEADER_CHARACTERS', 'error', facts, { row, column: field, value: text, suggestion: alias });
}

const columnAt = (texts: readonly string[], index: number) => ({ column: columnName(index), header: texts[index]! });

function nearest(folded: string): KnownName | null {
  const meant = surelyMeant.get(folded);
  if (meant !== undefined) return known.get(fold(meant)) ?? null;
  if (folded.length < 5 || folded.length > 40 || otherWords.has(folded)) return null;
  for (const word of keyWords) {
    if (folded.endsWith(word) && known.has(folded.slice(0, -word.length))) return null;
  }
  let best: KnownName | null = null;
  let bestDistance = 3;
  for (const [alias, entry] of known) {
    // Skips the alias `brcode`: other headers, such as `GL code`, differ from `brcode` by only two letters.
    if (alias.length < 5 || alias === 'brcode' || Math.abs(alias.length - folded.length) > 2) continue;
    const distance = editDistance(folded, alias);
    // Accepts one wrong letter. Accepts two only in a header of six or more letters, and never for a payee id.
    if (distance < bestDistance && (distance === 1 || (folded.length >= 6 && entry.field !== 'payee_id'))) {
      best = entry;
      bestDistance = distance;
    }
  }
  return best;
}
