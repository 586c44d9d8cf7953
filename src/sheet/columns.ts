/** Which column of a sheet is which: the names that finance sheets use, and the header row that is read with them. */
import type { Problem } from '../base/problem.ts';
import type { Field } from '../domain/cell.ts';
import { editDistance, fold } from '../domain/text.ts';
import { columnName } from './column-name.ts';
import { sheetProblem } from './problem-codes.ts';

/** Exact aliases, as people write them; compared folded: `Beneficiary  Name*` and `beneficiary_name` are one. From other products' templates (sheet-habits). */
const aliases: { readonly [F in Field]: readonly string[] } = {
  row_id: ['row_id', 'row id', 'id', 'unique id', 'payment id'],
  name: [
    'name',
    'beneficiary',
    'beneficiary name',
    'recipient',
    'recipient name',
    'payee',
    'payee name',
    'supplier',
    'vendor',
    'employee',
    'account name',
    'account holder',
    'business name',
  ],
  country: ['country', 'beneficiary country', 'destination', 'destination country', 'country code'],
  bank_name: ['bank', 'bank name', 'beneficiary bank', 'institution'],
  bank_code: ['bank code', 'sort code', 'cbn code'],
  branch_code: ['branch', 'branch code', 'universal code'],
  account_number: ['account', 'account no', 'account number', 'acc no', 'acc number', 'beneficiary account'],
  network_provider: ['network', 'network provider', 'mobile network', 'provider'],
  contact_number: [
    'contact number',
    'phone',
    'phone number',
    'mobile',
    'mobile number',
    'msisdn',
    'cell',
    'cell phone',
    'momo number',
  ],
  lnurl: ['lnurl', 'lightning address', 'ln address'],
  merchant_id: ['merchant id'],
  amount: ['amount', 'value', 'payment amount', 'net amount', 'net pay'],
  amount_unit: ['amount unit'],
  currency: ['currency'],
  reference: [
    'reference',
    'ref',
    'payment reference',
    'narration',
    'beneficiary reference',
    'recipient reference',
    'statement reference',
  ],
  from_country: ['from country'],
  collection_method: ['collection method'],
  type: ['type'],
  slow: ['slow'],
  tag: ['tag', 'own reference', 'my reference'],
  documents: [
    'document',
    'documents',
    'invoice',
    'invoice file',
    'attachment',
    'attachments',
    'supporting document',
    'supporting documents',
  ],
};

/** Ordinary words that stand one or two letters from a known name, and mean something else. */
const otherWords = new Set([
  'county',
  'count',
  'counts',
  'counter',
  'counterparty',
  'payer',
  'payment',
  'payments',
  'valid',
  'brand',
  'batch',
  'vatamount',
  'invoiceno',
  'invoiceid',
  'cellno',
  'typed',
]);

/** A known name with one of these behind it is another thing (`vendor id` is a key of the vendor), not a misspelling. */
const keyWords = ['id', 'no', 'nr', 'key', 'ref'];

/** Names that are not known, and so near to one that the sheet surely means it. */
const surelyMeant: { readonly [folded: string]: string } = {
  phoneno: 'phone number',
  phonenr: 'phone number',
  mobileno: 'mobile number',
  mobilenr: 'mobile number',
  accountnr: 'account number',
  accnr: 'account number',
  bankaccount: 'account number',
  bankaccountnumber: 'account number',
};

/** Line numbers, which people put first and nobody reads (sheet-habits). */
const lineNumberHeaders = new Set(['no', '#', 'nr', 'no.']);

/** Folded alias to field and the alias as it is written. A Map: a header may be called `constructor`. */
const known = new Map<string, { field: Field; alias: string }>();
for (const [field, names] of Object.entries(aliases) as [Field, readonly string[]][]) {
  for (const alias of names) known.set(fold(alias), { field, alias });
}

/** The aliases of one field, for docs and templates. */
export function aliasesOf(field: Field): readonly string[] {
  return aliases[field];
}

/** Our own result columns; `payment_id` is ours only in a file that has others of ours (foreign sheets mean row_id). */
export function isOwnHeader(text: string): boolean {
  return text.trim().toLowerCase().startsWith('payrun_');
}

export interface Header {
  /** Texts by column index. */
  readonly texts: readonly string[];
  readonly fields: readonly (Field | null)[];
  readonly unused: readonly string[];
  readonly problems: readonly Problem[];
  /** From a header like `Amount (ZAR)`. */
  readonly amountCurrency: string | null;
  /** True for a file of ours: a result, or a checked sheet. */
  readonly own: boolean;
  /** Columns of ours, which are never carried over into a new result. */
  readonly ours: readonly boolean[];
  readonly batchColumn: number;
  readonly rowColumn: number;
  readonly statusColumn: number;
}

export type HeaderMap = Readonly<Record<string, Field>>;

/** How many names of a row are known; the header is the first row with three. Near misses count when nothing is known. */
export function countKnown(texts: readonly string[], map: HeaderMap | undefined, near: boolean): number {
  const mapped = foldedMap(map);
  const found = new Set<string>();
  for (const text of texts) {
    if (text === '' || text.length > 200) continue;
    const folded = fold(text);
    const field =
      mapped.get(folded)?.field ??
      known.get(folded)?.field ??
      amountWithUnit(text)?.field ??
      (isOwnHeader(text) || isPartOfName(folded) ? folded : undefined) ??
      (near ? (lookAlike(text) ?? nearest(folded))?.field : undefined);
    if (field !== undefined) found.add(field);
  }
  return found.size;
}

export function readHeader(texts: readonly string[], row: number, map: HeaderMap | undefined): Header {
  const problems: Problem[] = [];
  const unused: string[] = [];
  const own = texts.some(isOwnHeader);
  const ours = texts.map((text) => own && (isOwnHeader(text) || text.trim().toLowerCase() === 'payment_id'));
  const mapped = foldedMap(map);
  const bothNames = hasBothNames(texts);
  const folded = texts.map(fold);
  let amountCurrency: string | null = null;

  const fields = texts.map((text, index): Field | null => {
    if (text.trim() === '' || ours[index]) return null;
    const chosen = mapped.get(folded[index]!);
    if (chosen !== undefined) return chosen.field;
    const strange = strangeCharacters(text);
    if (strange !== null) {
      problems.push(strangeHeader(text, row, strange));
      return null;
    }
    // Before the plain names: folding drops the brackets, and the sign in `Amount ($)` with them.
    const unit = amountWithUnit(text);
    if (unit !== null) {
      if (unit.currency === null) problems.push(unitProblem(text, row, unit.unit));
      else amountCurrency = unit.currency;
      return 'amount';
    }
    const exact = known.get(folded[index]!);
    if (exact !== undefined) return exact.field;
    if (bothNames && isPartOfName(folded[index]!)) return 'name';
    if (isLineNumber(text)) return null;
    const meant = nearest(folded[index]!);
    if (meant === null) unused.push(text);
    else problems.push(misspelt(text, row, meant));
    return null;
  });

  problems.push(...twice(texts, fields, folded, row));
  for (const [name, { given, field }] of mapped) {
    if (folded.includes(name)) continue;
    problems.push(
      sheetProblem(
        'MAP_UNKNOWN',
        'error',
        `no column is headed '${given}', which was to be read as ${field}; correct --map`,
        {
          row,
          value: given,
        },
      ),
    );
  }
  const ownColumn = (name: string) => texts.findIndex((text) => own && text.trim().toLowerCase() === name);
  return {
    texts,
    fields,
    unused,
    problems,
    amountCurrency,
    own,
    ours,
    batchColumn: ownColumn('payrun_batch'),
    rowColumn: ownColumn('payrun_row'),
    statusColumn: ownColumn('payrun_status'),
  };
}

function foldedMap(map: HeaderMap | undefined): Map<string, { field: Field; given: string }> {
  return new Map(Object.entries(map ?? {}).map(([given, field]) => [fold(given), { field, given }]));
}

function isLineNumber(text: string): boolean {
  return lineNumberHeaders.has(text.trim().toLowerCase());
}

function isPartOfName(folded: string): boolean {
  return folded === 'firstname' || folded === 'lastname';
}

/** A first name alone is not a name; only both are joined. */
function hasBothNames(texts: readonly string[]): boolean {
  const folded = texts.map(fold);
  return folded.includes('firstname') && folded.includes('lastname');
}

/** Two columns for one field, naming both; a first and a last name are one pair. */
function twice(
  texts: readonly string[],
  fields: readonly (Field | null)[],
  folded: readonly string[],
  row: number,
): Problem[] {
  const first = new Map<string, number>();
  const problems: Problem[] = [];
  fields.forEach((field, index) => {
    const ownName = isOwnHeader(texts[index]!) ? texts[index]!.trim().toLowerCase() : null;
    if (field === null && ownName === null) return;
    const key = ownName ?? (field === 'name' && isPartOfName(folded[index]!) ? `name ${folded[index]}` : field!);
    const earlier = first.get(key) ?? (key.startsWith('name ') ? first.get('name') : undefined);
    if (earlier === undefined) {
      first.set(key, index);
      if (key.startsWith('name ')) first.set('name', index);
      return;
    }
    if (key.startsWith('name ') && isPartOfName(folded[earlier]!) && folded[earlier] !== folded[index]) {
      first.set(key, index);
      return;
    }
    problems.push(
      sheetProblem(
        'COLUMN_TWICE',
        'error',
        `columns ${columnName(earlier)} '${texts[earlier]}' and ${columnName(index)} '${texts[index]}' both mean ${ownName ?? field}; keep one, or rename the other`,
        { row, column: ownName ?? field, value: texts[index]! },
      ),
    );
  });
  return problems;
}

/** `Amount (ZAR)`: a bracketed unit is read, not dropped, since `cents` read as whole units would pay a hundredfold. */
function amountWithUnit(text: string): { field: 'amount'; unit: string; currency: string | null } | null {
  const plain = text.normalize('NFKC');
  const match =
    /^([^([{]*)[([{]([^)\]}]*)[)\]}]?[\s*:]*$/u.exec(plain) ?? /^([^%\p{Sc}]*)([%\p{Sc}])[\s*:]*$/u.exec(plain);
  if (match === null || known.get(fold(match[1]!))?.field !== 'amount') return null;
  const unit = match[2]!.trim();
  return unit === '' ? null : { field: 'amount', unit, currency: currencyOfUnit(unit) };
}

/** Signs that one of our payout countries writes for its own currency. */
const signs = new Map([
  ['r', 'ZAR'],
  ['₦', 'NGN'],
  ['ksh', 'KES'],
  ['kshs', 'KES'],
]);

let isoCurrencies: Set<string> | undefined;

function currencyOfUnit(unit: string): string | null {
  const sign = signs.get(unit.toLowerCase().replace(/\.$/, ''));
  if (sign !== undefined) return sign;
  const code = unit.toUpperCase();
  isoCurrencies ??= new Set([...Intl.supportedValuesOf('currency'), 'BTC', 'USDT']);
  return isoCurrencies.has(code) ? code : null;
}

function unitProblem(text: string, row: number, unit: string): Problem {
  return sheetProblem(
    'HEADER_UNIT',
    'error',
    `the header '${text}' gives the amount in '${unit}', which is not a currency code; give whole units, and head the column 'amount' or, for example, 'amount (ZAR)'`,
    { row, column: 'amount', value: text },
  );
}

function misspelt(text: string, row: number, meant: { field: Field; alias: string }): Problem {
  return sheetProblem(
    'HEADER_MISSPELT',
    'error',
    `the header '${text}' looks like '${meant.alias}' (${meant.field}), misspelt; correct it, or rename the column if it means something else`,
    { row, column: meant.field, value: text, suggestion: meant.alias },
  );
}

/** Letters of other alphabets that look Latin, to find what a disguised header pretends to be. */
const lookAlikes = new Map(
  Array.from('аaеeоoрpсcхxуyіiјjѕsԁdһhβbԛqԝwкkмmтtнhвbгrοoαaνvρpτtιiυuεeκkηnοo'.matchAll(/(.)(.)/gu), (pair) => [
    pair[1]!,
    pair[2]!,
  ]),
);

function lookAlike(text: string): { field: Field; alias: string } | null {
  const plain = Array.from(text.toLowerCase(), (letter) => lookAlikes.get(letter) ?? letter).join('');
  const folded = fold(plain);
  return known.get(folded) ?? nearest(folded);
}

/** Invisible characters, or letters of two alphabets: the code points, or null for an honest header. */
function strangeCharacters(text: string): string[] | null {
  const strange = Array.from(text).filter(
    (character) => /[\p{Cf}\p{Co}\p{Cn}\u115f\u1160\u3164]/u.test(character) || isControl(character),
  );
  const otherLetters = Array.from(text).filter((letter) =>
    /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(letter),
  );
  const mixed =
    /\p{Script=Latin}/u.test(text) ||
    known.has(fold(Array.from(text.toLowerCase(), (letter) => lookAlikes.get(letter) ?? letter).join('')));
  if (otherLetters.length > 0 && mixed) strange.push(...otherLetters);
  return strange.length === 0 ? null : strange;
}

/** Line breaks and tabs are ordinary inside a header cell; every other control character is not. */
function isControl(character: string): boolean {
  const code = character.codePointAt(0)!;
  return (code < 32 && code !== 9 && code !== 10 && code !== 13) || (code >= 127 && code < 160);
}

function strangeHeader(text: string, row: number, strange: readonly string[]): Problem {
  const points = [...new Set(strange)].map(codePoint).join(', ');
  const plain = Array.from(text)
    .filter((character) => !strange.includes(character) || lookAlikes.has(character.toLowerCase()))
    .join('');
  const meant = lookAlike(plain);
  return sheetProblem(
    'HEADER_CHARACTERS',
    'error',
    `the header '${printable(text)}' holds characters that cannot be seen or look like others: ${points}; type it again${meant === null ? '' : `: '${meant.alias}'`}`,
    { row, column: meant?.field ?? null, value: text, suggestion: meant?.alias ?? null },
  );
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

function printable(text: string): string {
  return Array.from(text, (character) =>
    /[\p{Cf}\p{Cc}]/u.test(character) ? `<${codePoint(character)}>` : character,
  ).join('');
}

/** The known name that a header misspells: one or two letters off, never a short word, never another ordinary word. */
function nearest(folded: string): { field: Field; alias: string } | null {
  const meant = surelyMeant[folded];
  if (meant !== undefined && Object.hasOwn(surelyMeant, folded)) return known.get(fold(meant)) ?? null;
  if (folded.length < 5 || folded.length > 40 || otherWords.has(folded)) return null;
  for (const word of keyWords) {
    if (folded.endsWith(word) && known.has(folded.slice(0, -word.length))) return null;
  }
  let best: { field: Field; alias: string } | null = null;
  let bestDistance = 3;
  for (const [alias, entry] of known) {
    if (alias.length < 5 || Math.abs(alias.length - folded.length) > 2) continue;
    const distance = editDistance(folded, alias);
    // Two letters of five are another word; two of six and more are a slip.
    if (distance < bestDistance && (distance === 1 || folded.length >= 6)) {
      best = entry;
      bestDistance = distance;
    }
  }
  return best;
}
