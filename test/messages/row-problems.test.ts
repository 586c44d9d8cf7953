/** The words of every problem of a row, typed by hand: at the terminal, and on a page where they differ. Elsewhere problems are compared as facts. */
import { expect, it } from 'vitest';
import type { RowProblems } from '../../src/domain/problems/row-problems.ts';
import { problemWords } from '../../src/messages/problems.ts';
import { expectPlaced } from './placed.ts';

type Case<C extends keyof RowProblems> = readonly [facts: RowProblems[C], terminal: string, page?: string];

const payable = 'SouthAfrica, Nigeria, Kenya and BTC can be paid';
const payableOnPage = 'South Africa, Nigeria, Kenya and BTC can be paid';
const wholeZar =
  'is not a whole number of ZAR; the service pays whole ZAR only, and Payrun never rounds. Write a whole amount, and carry the rest to the next payment, or settle it another way';
const dash = { strangers: [{ character: '-', position: 4 }], others: 0, encoding: null };

const words: { readonly [C in keyof RowProblems]: readonly Case<C>[] } = {
  CELL_ERROR: [
    [
      { field: 'bank_name', shown: '#REF!' },
      "bank_name shows the error '#REF!'; correct the formula",
      "bank shows the error '#REF!'; write its value here, or correct the formula in the file and upload it again",
    ],
  ],
  CELL_DATE: [
    [
      { field: 'amount', shown: '2026-03-12', likely: null, suggestion: null },
      "amount holds the date '2026-03-12'; a whole number was expected; type it again in a text cell",
      "amount holds the date '2026-03-12'; a whole number was expected; write it here as it should be",
    ],
    [
      { field: 'tag', shown: '2026-03-12', likely: '12-3', suggestion: '12-3' },
      "tag holds the date '2026-03-12'; text was expected; '12-3' was probably typed; type it again in a text cell",
      "tag holds the date '2026-03-12'; text was expected; '12-3' was probably typed; write it here as it should be",
    ],
    [
      { field: 'reference', shown: '2026-03-12', likely: '12-3', suggestion: null },
      "reference holds the date '2026-03-12'; text was expected; '12-3' was probably typed, and a reference has 1 to 20 letters, digits and spaces alone; type it again in a text cell, without other characters",
      "reference holds the date '2026-03-12'; text was expected; '12-3' was probably typed, and a reference has 1 to 20 letters, digits and spaces alone; write it here as it should be, without other characters",
    ],
  ],
  CELL_BOOLEAN: [
    [
      { field: 'name', text: 'TRUE' },
      'name holds TRUE, not text; type it again as text',
      'name holds TRUE, not text; write it here as it should be',
    ],
  ],
  CELL_NUMBER: [
    [
      { field: 'row_id', text: '1.5', why: 'inexact' },
      "row_id holds the number '1.5', which may not be what was typed; type it again in a text cell",
      "row id holds the number '1.5', which may not be what was typed; write it here as it should be",
    ],
    [
      { field: 'tag', text: '42', why: 'format', shown: 'INV 0042' },
      "tag shows 'INV 0042' by its number format, and holds the number '42'; type what is meant in a text cell",
    ],
    [
      { field: 'reference', text: '1.2E+11', why: 'scientific' },
      "reference '1.2E+11' was turned into a number in scientific notation and has lost digits; type it again in a text cell",
      "reference '1.2E+11' was turned into a number in scientific notation and has lost digits; write it here as it should be",
    ],
  ],
  CELL_MERGED: [
    [
      { cell: 'B4' },
      'this cell is merged with B4, which alone holds a value; unmerge them in the file, and fill each cell',
      'this cell is merged with B4, which alone holds a value; unmerge them in the file, and fill each cell',
    ],
  ],
  CELL_NOTHING: [
    [{ field: 'tag', shown: 'nan' }, "tag says 'nan', which programs write for an empty cell; write what is meant"],
    [
      { field: 'name', shown: 'None' },
      "name says 'None', which programs write for an empty cell; write what is meant (a correction lets a payee of this name through)",
    ],
  ],
  CELL_MALFORMED: [
    [
      { field: 'amount', shown: '1500,00' },
      "amount is stored as the number '1500,00', which is no form of a number in a workbook; the program that wrote the file is at fault: save it again in Excel or LibreOffice, or type the value again",
    ],
  ],
  FORMULA_CELL: [
    [
      { field: 'account_number', shown: '123' },
      "account_number is calculated; its stored result '123' is used; check that it is current",
      "account number is calculated; its stored result '123' is used; check that it is current",
    ],
  ],
  FORMULA_UNCACHED: [
    [
      { field: 'amount' },
      'amount is calculated and the file holds no result; open it in the spreadsheet program and save it, or paste the values',
      'amount is calculated and the file holds no result; write its value here, or save the file in the spreadsheet program and upload it again',
    ],
  ],
  FORMULA_STALE: [
    [
      { field: 'amount', shown: '15' },
      "amount is calculated, and the workbook says that its stored result '15' is not current; open it in the spreadsheet program and save it, or paste the values",
      "amount is calculated, and the workbook says that its stored result '15' is not current; write its value here, or save the file in the spreadsheet program and upload it again",
    ],
  ],
  INVISIBLE_DROPPED: [
    [
      { field: 'payee_id', suggestion: 'p1' },
      "payee_id has invisible characters; it is read as 'p1'",
      "payee id has invisible characters; it is read as 'p1'",
    ],
  ],
  OUTER_SPACES_DROPPED: [[{ field: 'name', suggestion: 'Thandi' }, "name has outer spaces; it is read as 'Thandi'"]],
  FIELD_UNUSED: [
    [
      { field: 'lnurl', country: 'SouthAfrica' },
      'lnurl is not used for bank payouts; check that the country is right',
      'Lightning address is not used for bank payouts; check that the country is right',
    ],
    [
      { field: 'lnurl', country: 'Nigeria' },
      'lnurl is not used for bank payouts; check that the country is right',
      'Lightning address is not used for bank payouts; check that the country is right',
    ],
    [
      { field: 'lnurl', country: 'Kenya' },
      'lnurl is not used for mobile-money payouts; check that the country is right',
      'Lightning address is not used for mobile-money payouts; check that the country is right',
    ],
    [
      { field: 'account_number', country: 'Kenya' },
      'account_number is not used for mobile-money payouts, which go to contact_number; check that the country is right',
      'account number is not used for mobile-money payouts, which go to phone number; check that the country is right',
    ],
    [
      { field: 'account_number', country: 'BTC' },
      'account_number is not used for Lightning payouts; check that the country is right',
      'account number is not used for Lightning payouts; check that the country is right',
    ],
    [
      { field: 'collection_method', country: null },
      'collection_method is used only where from_country is Kenya; it is not sent',
      'collection method is used only where funding country is Kenya; it is not sent',
    ],
  ],
  ROW_ID_INVALID: [
    [
      { id: 'a\u0001b' },
      "row_id 'a<U+0001>b' is too long or holds control characters; write at most 200 characters",
      "row id 'a<U+0001>b' is too long or holds control characters; write at most 200 characters",
    ],
  ],
  PAYEE_ID_INVALID: [
    [
      { id: 'x'.repeat(201) },
      `payee_id '${'x'.repeat(57)}...' is too long or holds control characters; write at most 200 characters`,
      `payee id '${'x'.repeat(57)}...' is too long or holds control characters; write at most 200 characters`,
    ],
  ],
  NAME_MISSING: [[{}, 'name is empty; write who is paid']],
  NAME_TOO_LONG: [[{ length: 300, most: 254 }, 'name has 300 characters; at most 254 are allowed']],
  NAME_CHARACTERS: [
    [
      {
        name: "O'Brien",
        strangers: [{ character: "'", position: 2 }],
        others: 0,
        encoding: null,
        suggestion: 'OBrien',
      },
      `name 'O'Brien' has "'" at position 2, which the service refuses; letters A to Z, digits, spaces and @ / ( ) . , _ - are allowed; write 'OBrien'`,
    ],
    [
      {
        name: '李',
        strangers: ['\u00a0', '\t', '\n', '\u0301', '\u202e'].map((character, index) => ({
          character,
          position: index + 1,
        })),
        others: 2,
        encoding: null,
        suggestion: null,
      },
      "name '李' has a no-break space at position 1, a tab at position 2, a line break at position 3, the accent U+0301 at position 4, the invisible U+202E at position 5 and 2 more, which the service refuses; letters A to Z, digits, spaces and @ / ( ) . , _ - are allowed",
    ],
    [
      {
        name: 'A\u001b',
        strangers: [{ character: '\u001b', position: 2 }],
        others: 0,
        encoding: null,
        suggestion: 'A',
      },
      "name 'A<U+001B>' has the invisible U+001B at position 2, which the service refuses; letters A to Z, digits, spaces and @ / ( ) . , _ - are allowed; write 'A'",
    ],
    [
      {
        name: 'ZoÃ«',
        strangers: [{ character: 'Ã', position: 3 }],
        others: 0,
        encoding: 'broken',
        suggestion: 'Zoe',
      },
      `name 'ZoÃ«' has "Ã" at position 3, which the service refuses; the encoding of the file is broken (UTF-8 that some program read as Windows-1252): save it as UTF-8 again; write 'Zoe'`,
    ],
    [
      {
        name: 'Kovè',
        strangers: [{ character: 'è', position: 4 }],
        others: 0,
        encoding: 'guessed',
        suggestion: null,
      },
      `name 'Kovè' has "è" at position 4, which the service refuses; the file does not say its encoding, so this letter is a guess: save it as UTF-8 ("CSV UTF-8" in Excel)`,
    ],
  ],
  MERCHANT_ID_INVALID: [
    [
      { id: 'a/b' },
      "merchant_id 'a/b' is not a merchant's id; copy it from the service, or leave it empty",
      "merchant id 'a/b' is not a merchant's id; copy it from the service, or leave it empty",
    ],
  ],
  COUNTRY_MISSING: [[{}, `country is empty; ${payable}`, `country is empty; ${payableOnPage}`]],
  COUNTRY_UNKNOWN: [
    [
      { country: 'SouthAfrica x', suggestion: null },
      `country 'SouthAfrica x' is not a country that can be paid; ${payable}`,
      `country 'SouthAfrica x' is not a country that can be paid; ${payableOnPage}`,
    ],
    [
      { country: 'ZAR', suggestion: 'SouthAfrica' },
      `country 'ZAR' is not a country that can be paid; perhaps SouthAfrica is meant; ${payable}`,
      `country 'ZAR' is not a country that can be paid; perhaps South Africa is meant; ${payableOnPage}`,
    ],
  ],
  COUNTRY_SOURCE_ONLY: [
    [
      { country: 'Europe' },
      `country 'Europe' can only be a source of money (from_country), never a destination; ${payable}`,
      `country 'Europe' can only be a source of money (funding country), never a destination; ${payableOnPage}`,
    ],
  ],
  FROM_COUNTRY_UNKNOWN: [
    [
      { country: 'Mars' },
      "from_country 'Mars' is not a source of money; SouthAfrica, Nigeria, Kenya, UnitedKingdom, Europe, USDT and BTC are",
      "funding country 'Mars' is not a source of money; South Africa, Nigeria, Kenya, United Kingdom, Europe, USDT and BTC are",
    ],
  ],
  COLLECTION_METHOD_UNKNOWN: [
    [
      { method: 'cash' },
      "collection_method 'cash' is not known; MOMO or BANK_TRANSFER was expected",
      "collection method 'cash' is not known; MOMO or BANK_TRANSFER was expected",
    ],
  ],
  BANK_MISSING: [
    [
      { country: 'SouthAfrica', branch: { field: 'branch_code', code: '1' }, suggestion: null },
      "bank_name is empty; write the payee's bank",
      "bank is empty; write the payee's bank",
    ],
    [
      { country: 'Nigeria', branch: null, suggestion: null },
      "bank_name or bank_code is empty; write the payee's bank",
      "bank or bank code is empty; write the payee's bank",
    ],
    [
      { country: 'SouthAfrica', branch: { field: 'branch_code', code: '470010' }, suggestion: 'Capitec Bank' },
      "bank_name is empty; branch_code '470010' is 'Capitec Bank'; if that is the payee's bank, write it",
      "bank is empty; branch code '470010' is 'Capitec Bank'; if that is the payee's bank, write it",
    ],
  ],
  BANK_UNKNOWN: [
    [
      { bank: 'Moon', country: 'SouthAfrica', list: 'service', suggestion: null },
      "bank_name 'Moon' is not among the banks that the service pays in South Africa; `payrun banks SouthAfrica` lists them",
      "bank 'Moon' is not among the banks that the service pays in South Africa; the list of banks has them",
    ],
    [
      { bank: 'Zenit', country: 'Nigeria', list: 'built-in', suggestion: 'Zenith Bank' },
      "bank_name 'Zenit' is not in the built-in list, and no service was asked which banks it pays in Nigeria; perhaps 'Zenith Bank' is meant",
      "bank 'Zenit' is not in the built-in list, and no service was asked which banks it pays in Nigeria; perhaps 'Zenith Bank' is meant",
    ],
  ],
  BANK_ALIAS: [
    [
      { bank: 'First National Bank', suggestion: 'FNB' },
      "bank_name 'First National Bank' is sent as 'FNB'",
      "bank 'First National Bank' is sent as 'FNB'",
    ],
  ],
  BANK_CODE_INVALID: [
    [
      { code: 'GTB' },
      "bank_code 'GTB' is not made of one to nine digits; write the bank's code, or its name in bank_name",
      "bank code 'GTB' is not made of one to nine digits; write the bank's code, or its name in bank",
    ],
  ],
  BANK_CODE_UNKNOWN: [
    [
      { code: '090365', isSent: true },
      "bank_code '090365' is not a code that Payrun knows; Payrun sends it unchanged, and the service decides; the bank_name would be safer",
      "bank code '090365' is not a code that Payrun knows; Payrun sends it unchanged, and the service decides; the bank would be safer",
    ],
    [
      { code: '090999', isSent: false },
      "bank_code '090999' is not a code that Payrun knows; Payrun identifies the bank by its name, and does not send the code",
      "bank code '090999' is not a code that Payrun knows; Payrun identifies the bank by its name, and does not send the code",
    ],
  ],
  BANK_CODE_AMBIGUOUS: [
    [
      { code: '000011' },
      "bank_code '000011' is one bank as a CBN code and another as an instant-payment (NIP) code; write the bank_name or the three-digit CBN code",
      "bank code '000011' is one bank as a CBN code and another as an instant-payment (NIP) code; write the bank or the three-digit CBN code",
    ],
  ],
  BANK_CODE_MISMATCH: [
    [
      { code: '011', owner: 'First Bank of Nigeria', bank: 'GTBank' },
      "bank_code '011' is 'First Bank of Nigeria', but bank_name is 'GTBank'; correct the one that is wrong",
      "bank code '011' is 'First Bank of Nigeria', but bank is 'GTBank'; correct the one that is wrong",
    ],
  ],
  BANK_CODE_PADDED: [
    [
      { code: '58', suggestion: '058' },
      "bank_code '58' has lost its leading zeros and is read as 058",
      "bank code '58' has lost its leading zeros and is read as 058",
    ],
  ],
  BRANCH_MISMATCH: [
    [
      { field: 'branch_code', code: '470010', owner: 'Capitec Bank', bank: 'Nedbank' },
      "branch_code '470010' belongs to 'Capitec Bank', but bank_name is 'Nedbank'; correct the one that is wrong",
      "branch code '470010' belongs to 'Capitec Bank', but bank is 'Nedbank'; correct the one that is wrong",
    ],
  ],
  BRANCH_UNKNOWN: [
    [
      { field: 'bank_code', code: '051002' },
      "bank_code '051002' is not a universal branch code that Payrun knows; Payrun identifies the bank by bank_name alone",
      "bank code '051002' is not a universal branch code that Payrun knows; Payrun identifies the bank by bank alone",
    ],
  ],
  BRANCH_PADDED: [
    [
      { field: 'branch_code', code: '51001', suggestion: '051001' },
      "branch_code '51001' has lost its leading zeros and is read as 051001",
      "branch code '51001' has lost its leading zeros and is read as 051001",
    ],
  ],
  ACCOUNT_MISSING: [
    [{}, "account_number is empty; write the payee's account", "account number is empty; write the payee's account"],
  ],
  ACCOUNT_IBAN: [
    [
      { account: 'GB29NWBK60161331926819' },
      "account_number 'GB29NWBK60161331926819' is an IBAN; South African and Nigerian accounts have none; write the local account number",
      "account number 'GB29NWBK60161331926819' is an IBAN; South African and Nigerian accounts have none; write the local account number",
    ],
  ],
  ACCOUNT_CHARACTERS: [
    [
      { account: 'ABC', suggestion: null },
      "account_number 'ABC' has characters other than digits; write the digits only",
      "account number 'ABC' has characters other than digits; write the digits only",
    ],
    [
      { account: '="0123"', suggestion: '0123' },
      `account_number '="0123"' has characters other than digits; write 0123`,
      `account number '="0123"' has characters other than digits; write 0123`,
    ],
  ],
  ACCOUNT_SEPARATORS_DROPPED: [
    [
      { account: '12-34', suggestion: '1234' },
      "account_number '12-34' is read as 1234",
      "account number '12-34' is read as 1234",
    ],
  ],
  ACCOUNT_LENGTH: [
    [
      { account: '1', digits: 1, suggestion: null, why: 'country', least: 5, most: 16 },
      "account_number '1' has 1 digit; 5 to 16 were expected; check it",
      "account number '1' has 1 digit; 5 to 16 were expected; check it",
    ],
    [
      { account: '123456785', digits: 9, suggestion: '0123456785', why: 'country', least: 10, most: 10 },
      "account_number '123456785' has 9 digits; 10 were expected; check it, perhaps 0123456785, which would fit the bank's check digit",
      "account number '123456785' has 9 digits; 10 were expected; check it, perhaps 0123456785, which would fit the bank's check digit",
    ],
    [
      {
        account: '12345',
        digits: 5,
        suggestion: null,
        why: 'bank',
        bank: { name: 'Capitec', code: null },
        lengths: [10],
      },
      "account_number '12345' has 5 digits; accounts of Capitec have 10; check it",
      "account number '12345' has 5 digits; accounts of Capitec have 10; check it",
    ],
    [
      {
        account: '1321676',
        digits: 7,
        suggestion: '001321676',
        why: 'bank',
        bank: { name: null, code: '051' },
        lengths: [8, 9, 11],
      },
      "account_number '1321676' has 7 digits; accounts of the bank 051 have 8, 9 or 11; check it, perhaps 001321676 is meant",
      "account number '1321676' has 7 digits; accounts of the bank 051 have 8, 9 or 11; check it, perhaps 001321676 is meant",
    ],
  ],
  ACCOUNT_ZEROS_LOST: (
    [
      ['well-formed', "would fit the bank's check digit"],
      ['fails', "would still not fit the bank's check digit"],
      ['no-rule', 'cannot be checked'],
    ] as const
  ).map(
    ([verdict, fit]) =>
      [
        { account: '123', bank: { name: 'Absa', code: null }, padded: '0123', verdict, suggestion: null },
        `account_number '123' is stored as a number and is short for Absa; with its leading zeros it would be 0123, which ${fit}; type it again in a text cell`,
        `account number '123' is stored as a number and is short for Absa; with its leading zeros it would be 0123, which ${fit}; write it here as it should be`,
      ] as const,
  ),
  ACCOUNT_FROM_NUMBER: [
    [
      { account: '123' },
      "account_number '123' is stored as a number, so leading zeros may be lost; check it, and keep accounts in text cells",
      "account number '123' is stored as a number, so leading zeros may be lost; check it, and keep accounts in text cells",
    ],
  ],
  ACCOUNT_DIGITS_LOST: [
    [
      { account: '1.2E+10' },
      "account_number '1.2E+10' was stored as a number and its digits cannot be trusted; type it again in a text cell",
      "account number '1.2E+10' was stored as a number and its digits cannot be trusted; write it here as it should be",
    ],
  ],
  ACCOUNT_CHECK: [
    [
      { account: '123', bank: { name: 'Absa', code: null }, suggestion: null },
      "account_number '123' does not fit the check digit of Absa; check the number and the bank",
      "account number '123' does not fit the check digit of Absa; check the number and the bank",
    ],
    [
      { account: '123', bank: { name: null, code: '058' }, suggestion: null },
      "account_number '123' does not fit the check digit of the bank 058; check the number and the bank",
      "account number '123' does not fit the check digit of the bank 058; check the number and the bank",
    ],
    [
      { account: '123', bank: { name: 'Absa', code: null }, suggestion: '132' },
      "account_number '123' does not fit the check digit of Absa; check the number and the bank, perhaps 132 is meant",
      "account number '123' does not fit the check digit of Absa; check the number and the bank, perhaps 132 is meant",
    ],
  ],
  PHONE_MISSING: [
    [
      {},
      'contact_number is empty; write the Kenyan mobile number, such as +254712345678',
      'phone number is empty; write the Kenyan mobile number, such as +254712345678',
    ],
  ],
  PHONE_INVALID: [
    [
      { phone: '2.5E+11', why: 'scientific' },
      "contact_number '2.5E+11' was turned into a number in scientific notation and has lost digits; type it again in a text cell",
      "phone number '2.5E+11' was turned into a number in scientific notation and has lost digits; write it here as it should be",
    ],
    [
      { phone: '+27821234567', why: 'foreign' },
      "contact_number '+27821234567' is not a Kenyan number; a Kenyan mobile number is +254, then 7 or 1, then eight digits",
      "phone number '+27821234567' is not a Kenyan number; a Kenyan mobile number is +254, then 7 or 1, then eight digits",
    ],
    [
      { phone: 'tel', why: 'form' },
      "contact_number 'tel' is not a Kenyan mobile number; a Kenyan mobile number is +254, then 7 or 1, then eight digits",
      "phone number 'tel' is not a Kenyan mobile number; a Kenyan mobile number is +254, then 7 or 1, then eight digits",
    ],
    [
      { phone: '71', why: 'stored' },
      "contact_number '71' is not a Kenyan mobile number, and was stored as a number, which may have lost digits; a Kenyan mobile number is +254, then 7 or 1, then eight digits",
      "phone number '71' is not a Kenyan mobile number, and was stored as a number, which may have lost digits; a Kenyan mobile number is +254, then 7 or 1, then eight digits",
    ],
  ],
  PHONE_REWRITTEN: [
    [
      { phone: '0712345678', suggestion: '+254712345678' },
      "contact_number '0712345678' is read as +254712345678",
      "phone number '0712345678' is read as +254712345678",
    ],
  ],
  NETWORK_UNUSUAL: [
    [
      { network: 'MPESA', usual: 'MOMO' },
      "network_provider 'MPESA' is sent unchanged; the value that the service is known to accept is 'MOMO'",
      "mobile network 'MPESA' is sent unchanged; the value that the service is known to accept is 'MOMO'",
    ],
  ],
  KENYA_BANK_UNSUPPORTED: [
    [
      {},
      "a bank payout in Kenya is not supported; clear account_number and write the payee's mobile number into contact_number",
      "a bank payout in Kenya is not supported; clear account number and write the payee's mobile number into phone number",
    ],
  ],
  LNURL_MISSING: [
    [
      {},
      'lnurl is empty; write a Lightning Address such as name@example.com, or an LNURL',
      'Lightning address is empty; write a Lightning Address such as name@example.com, or an LNURL',
    ],
  ],
  LNURL_INVALID: [
    [
      { lnurl: 'a@b', why: 'address' },
      "lnurl 'a@b' is not a Lightning Address; expected a name of a to z, 0 to 9, - _ . perhaps a +tag, and a domain, such as name@example.com",
      "Lightning address 'a@b' is not a Lightning Address; expected a name of a to z, 0 to 9, - _ . perhaps a +tag, and a domain, such as name@example.com",
    ],
    [
      { lnurl: 'x', why: 'neither' },
      "lnurl 'x' is neither a Lightning Address such as name@example.com nor an LNURL, which begins with lnurl1",
      "Lightning address 'x' is neither a Lightning Address such as name@example.com nor an LNURL, which begins with lnurl1",
    ],
    [
      { lnurl: 'Lnurl1a', why: 'case' },
      "lnurl 'Lnurl1a' mixes upper and lower case, which an LNURL never does; copy it again",
      "Lightning address 'Lnurl1a' mixes upper and lower case, which an LNURL never does; copy it again",
    ],
    [
      { lnurl: 'lnurl1a', why: 'checksum' },
      "lnurl 'lnurl1a' does not fit its own checksum; copy it again in full",
      "Lightning address 'lnurl1a' does not fit its own checksum; copy it again in full",
    ],
    [
      { lnurl: 'lnurl1b', why: 'target' },
      "lnurl 'lnurl1b' does not lead to an https address; ask the payee for another one",
      "Lightning address 'lnurl1b' does not lead to an https address; ask the payee for another one",
    ],
  ],
  LNURL_REWRITTEN: [
    [
      { lnurl: 'A@b.co', suggestion: 'a@b.co' },
      "lnurl 'A@b.co' is read as 'a@b.co'",
      "Lightning address 'A@b.co' is read as 'a@b.co'",
    ],
  ],
  AMOUNT_MISSING: [[{}, 'amount is empty; write a whole number']],
  AMOUNT_NOT_A_NUMBER: [
    [{ amount: 'abc' }, "amount 'abc' is not a number that can be read in only one way; write digits only"],
  ],
  AMOUNT_AMBIGUOUS: [
    [
      { amount: '1,000', why: 'marks' },
      "amount '1,000' can be read in two ways, since countries use . and , differently; write it without separators, or say how the sheet writes numbers with --number-format 1,234.56 or 1.234,56",
      "amount '1,000' can be read in two ways, since countries use . and , differently; write it without separators, or say here, where columns are matched, how the sheet writes numbers",
    ],
    [
      { amount: '1,000', why: 'marks', isTotal: true },
      "amount '1,000' can be read in two ways, since countries use . and , differently; write it without separators",
    ],
    [
      { amount: '350000', why: 'format', shown: '350' },
      "amount '350000' is shown as 350 by its number format; write the amount that is meant, in a format that shows all of it",
    ],
  ],
  AMOUNT_FORMAT: [
    [
      { amount: '1.500,00', format: '1,234.56' },
      "amount '1.500,00' does not follow the number format 1,234.56 that the batch declares; write digits only",
    ],
  ],
  AMOUNT_FRACTION: [
    [
      { amount: '1.515', why: 'decimals' },
      "amount '1.515' has more than two decimal places; USDT is counted in hundredths and never rounded",
    ],
    [
      { amount: '1.5', why: 'hundredths' },
      "amount '1.5' is not a whole number of hundredths; write amount_unit USDT where amounts are decimal USDT",
      "amount '1.5' is not a whole number of hundredths; write amount unit USDT where amounts are decimal USDT",
    ],
    [
      { amount: '1.5', why: 'part-cents' },
      "amount '1.5' is not a whole number of cents; correct it, or the map that says amount_unit cents",
      "amount '1.5' is not a whole number of cents; correct it, or the map that says amount unit cents",
    ],
    [{ amount: '1.5', why: 'whole', currency: 'ZAR' }, `amount '1.5' ${wholeZar}`],
    [
      { amount: '1.5', why: 'whole', currency: 'BTC' },
      "amount '1.5' is not a whole number of satoshis; the service pays whole satoshis only, and Payrun never rounds. Write a whole amount, and carry the rest to the next payment, or settle it another way",
    ],
    [{ amount: '150', why: 'cents', currency: 'ZAR' }, `amount '150' counts cents, and ${wholeZar}`],
  ],
  AMOUNT_LEADING_ZERO: [
    [{ amount: '007', suggestion: '7' }, "amount '007' begins with a zero; if 7 is meant, write 7"],
  ],
  AMOUNT_SIGN: [
    [{ amount: '+5', why: 'sign' }, "amount '+5' has a sign; write a plain whole number above 0"],
    [{ amount: '-5', why: 'negative' }, "amount '-5' is negative; only money going out can be paid"],
  ],
  AMOUNT_BRACKETS: [
    [
      { amount: '(5)' },
      "amount '(5)' stands in brackets, which means a negative number; only money going out can be paid",
    ],
  ],
  AMOUNT_PERCENT: [[{ amount: '5%' }, "amount '5%' is a percentage; write the amount itself"]],
  AMOUNT_EXPONENT: [[{ amount: '1E5' }, "amount '1E5' is in scientific notation; write out all its digits"]],
  AMOUNT_DIGITS: [[{ amount: '١' }, "amount '١' has digits of another script; write it with the digits 0 to 9"]],
  AMOUNT_ZERO: [
    [
      { amount: '0' },
      "amount '0' is zero; write the amount, or take the row out",
      "amount '0' is zero; write the amount, or plan the good rows alone, which leaves this one out",
    ],
  ],
  AMOUNT_TOO_LARGE: [
    [
      { amount: '1E300' },
      "amount '1E300' is more than 9,007,199,254,740,991, the largest amount that Payrun stores exactly; correct it",
    ],
  ],
  AMOUNT_CURRENCY: [
    [
      { amount: '$15', sign: '$', why: 'other', currency: 'ZAR' },
      "amount '$15' has '$', but this row is counted in ZAR; correct the amount or the row",
    ],
    [
      { amount: 'R 1', sign: 'R', why: 'other', currency: 'BTC' },
      "amount 'R 1' has 'R', but this row is counted in sat; correct the amount or the row",
    ],
    [
      { amount: 'USDT 151', sign: 'USDT', why: 'hundredths' },
      "amount 'USDT 151' says USDT while amount_unit says hundredths; write amount_unit USDT for decimal USDT, or the bare number of hundredths",
      "amount 'USDT 151' says USDT while amount unit says hundredths; write amount unit USDT for decimal USDT, or the bare number of hundredths",
    ],
  ],
  AMOUNT_REWRITTEN: [[{ amount: 'R 1 500', suggestion: '1500' }, "amount 'R 1 500' is read as 1500"]],
  AMOUNT_CENTS: [
    [{ amount: '15000', currency: 'ZAR', suggestion: '150' }, "amount '15000' counts cents and is read as 150 ZAR"],
  ],
  AMOUNT_UNIT_MISSING: [
    [
      { currency: 'BTC' },
      'amount_unit is empty, and a BTC amount is never guessed; write sat, and the amount in satoshis',
      'amount unit is empty, and a BTC amount is never guessed; write sat, and the amount in satoshis',
    ],
    [
      { currency: 'USDT' },
      'amount_unit is empty, and a USDT amount is never guessed; write hundredths (151 means 1.51 USDT), or USDT for decimal amounts',
      'amount unit is empty, and a USDT amount is never guessed; write hundredths (151 means 1.51 USDT), or USDT for decimal amounts',
    ],
  ],
  AMOUNT_UNIT_INVALID: (
    [
      ['ZAR', 'rand'],
      ['NGN', 'naira'],
      ['KES', 'shillings'],
    ] as const
  ).map(
    ([currency, name]) =>
      [
        { unit: 'sat', currency },
        `amount_unit 'sat' does not fit the row; amounts are whole ${name}: leave it empty, or write whole`,
        `amount unit 'sat' does not fit the row; amounts are whole ${name}: leave it empty, or write whole`,
      ] as const,
  ),
  CURRENCY_MISMATCH: [
    [
      { currency: 'NGN', header: null, expected: 'ZAR', country: 'SouthAfrica' },
      "currency 'NGN' does not agree with the row; payouts to SouthAfrica are in ZAR; correct the currency, the country or from_country",
      "currency 'NGN' does not agree with the row; payouts to South Africa are in ZAR; correct the currency, the country or funding country",
    ],
    [
      { currency: 'ZAR', header: 'Amount (ZAR)', expected: 'USDT', country: 'Kenya' },
      "the header 'Amount (ZAR)' says currency 'ZAR' of each row, which does not agree with this one; a row funded from USDT has its amount in USDT; correct the header, the country or from_country, or write this row's own in a column currency",
      "the header 'Amount (ZAR)' says currency 'ZAR' of each row, which does not agree with this one; a row funded from USDT has its amount in USDT; correct the header, the country or funding country, or write this row's own in a column currency",
    ],
  ],
  REFERENCE_MISSING: [[{}, 'reference is empty; write 1 to 20 letters, digits and spaces']],
  REFERENCE_CHARACTERS: [
    [
      { reference: 'INV-204', ...dash, suggestion: 'INV 204' },
      `reference 'INV-204' has "-" at position 4; only letters A to Z, digits and spaces are allowed; write 'INV 204'`,
    ],
    [
      { reference: 'INV-204', ...dash, encoding: 'guessed', suggestion: null },
      `reference 'INV-204' has "-" at position 4; the file does not say its encoding, so this letter is a guess: save it as UTF-8 ("CSV UTF-8" in Excel); write 1 to 20 letters, digits and spaces`,
    ],
  ],
  REFERENCE_TOO_LONG: [
    [
      { reference: 'x'.repeat(21), most: 20, suggestion: null },
      `reference '${'x'.repeat(21)}' has 21 characters; at most 20 are allowed; shorten it`,
    ],
    [
      { reference: `${'x'.repeat(20)} `, most: 20, suggestion: 'x'.repeat(20) },
      `reference '${'x'.repeat(20)} ' has 21 characters; at most 20 are allowed; write '${'x'.repeat(20)}'`,
    ],
  ],
  REFERENCE_SPACES: [
    [
      { reference: 'a  b', suggestion: 'a b' },
      "reference 'a  b' has outer or doubled spaces, which banks drop; write 'a b'",
    ],
  ],
  REFERENCE_FROM_NUMBER: [
    [
      { reference: '42', date: null },
      "reference is stored as the number '42'; it is sent in these digits, so check that no leading zeros are lost",
    ],
    [
      { reference: '46000', date: '2025-12-09' },
      "reference is stored as the number '46000'; it is sent in these digits, so check that no leading zeros are lost (as a date it would be 2025-12-09)",
    ],
  ],
  TYPE_INVALID: [
    [
      { type: 'savings', known: ['PURCHASE', 'SALARY'] },
      "type 'savings' is not a type of payment that the service is known to accept (PURCHASE, SALARY); empty the column, or rename it if it says something else; add a type that the service accepts to the setting payments.types",
    ],
  ],
  SLOW_INVALID: [[{ slow: 'perhaps' }, "slow 'perhaps' is neither yes nor no; write yes, no, or nothing"]],
  DOCUMENT_MISSING_FOR_AMOUNT: [
    [
      { amount: 60_000, above: 50_000 },
      'documents is empty, and a payment of 60,000 ZAR, above 50,000, should have supporting documents; name the files, with ; between them',
    ],
  ],
  DOCUMENT_MISSING_TOGETHER: [
    [
      { rows: 3, total: 70_000, above: 50_000 },
      'documents is empty, and 3 rows without documents pay 70,000 ZAR to this account, above 50,000 together; name the files; several rows may name the same file',
    ],
  ],
  DOCUMENT_AMOUNT_UNKNOWN: [
    [
      { above: 50_000 },
      'documents is empty; the ZAR amount of a USDT-funded payment is not known, and above 50,000 ZAR it should have supporting documents',
    ],
  ],
};

const cases = Object.entries(words).flatMap(([code, list]) =>
  list.map(([facts, terminal, page]) => ({ code, facts: facts as object, terminal, page: page ?? terminal })),
);

it.each(cases)('$code: $terminal', ({ code, facts, terminal, page }) => {
  expect(problemWords({ code, facts })).toBe(terminal);
  expect(problemWords({ code, facts }, 'page')).toBe(page);
  expectPlaced(() => problemWords({ code, facts }));
});

const suggesting = cases.flatMap(({ code, facts, terminal }) =>
  'suggestion' in facts && typeof facts.suggestion === 'string'
    ? [{ code, suggestion: facts.suggestion, terminal }]
    : [],
);

it.each(suggesting)(
  '$code says that $suggestion may be meant, because no screen adds it',
  ({ suggestion, terminal }) => {
    expect(terminal).toContain(suggestion);
  },
);
