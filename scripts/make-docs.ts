/** `npm run gen:docs`: writes the generated pages of docs/ from the code, so that the two cannot differ. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ErrorCode } from '../src/base/refusal.ts';
import { helpOf } from '../src/cli/args/command-line.ts';
import { commandTable } from '../src/cli/args/command-table.ts';
import { type Field, fields } from '../src/domain/rows/cell.ts';
import { batchMeanings, rowMeanings, sheetMeanings } from '../src/messages/problems/meanings.ts';
import { refusalWords } from '../src/messages/refusals.ts';
import { exitOfCode } from '../src/pipeline/exit-code.ts';
import { aliasesOf, fixedFields, parseMap, type ShippedMap, shippedMaps, wordFields } from '../src/sheet/sheet.ts';
import { manualPage } from './manual-page.ts';
import { refusalExamples } from './refusal-examples.ts';

const root = join(import.meta.dirname, '..');
const docs = join(root, 'docs');
const source = join(root, 'src');
const widest = 116;

/** Returns the texts of all generated pages, by the name of the page. */
export async function generatedPages(): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ['reference/commands.md', await commandsPage()],
    ['reference/columns.md', columnsPage()],
    ['reference/maps.md', mapsPage()],
    ['reference/errors.md', errorsPage()],
    ['explanation/assumptions.md', assumptionsPage()],
    ['payrun.1', await manualPage()],
  ]);
}

const generated = '<!-- Written by `npm run gen:docs` from the code; edit the code, not this page. -->';

// --- Commands

export interface CommandHelp {
  /** The command without `payrun`; empty for the program itself. */
  readonly name: string;
  readonly help: string;
}

/** Returns the help of the program and of each command, in the order of `--help`. */
export async function everyHelp(): Promise<readonly CommandHelp[]> {
  const table = await commandTable(helpOf);
  return await Promise.all(
    table.map(async ({ words }) => ({
      name: words,
      help: `${(await helpOf(words === '' ? [] : words.split(' '))).trimEnd()}\n`,
    })),
  );
}

async function commandsPage(): Promise<string> {
  const parts = (await everyHelp()).map(({ name, help }) =>
    [`## \`payrun${name === '' ? '' : ` ${name}`}\``, '', '```text', help.trimEnd(), '```', ''].join('\n'),
  );
  const intro = wrapped(
    'What each command takes, as `--help` prints it. In this folder `payrun …` is `npm start -- …`. ' +
      'Durations are written ' +
      '`500ms`, `20s`, `2m`, `1h` or `0`; an option may be given once; an option that is not listed stops ' +
      'the command ' +
      '(exit 2) and nothing is sent. Exit codes: [exit-codes.md](exit-codes.md).',
  );
  return ['# Commands', '', generated, '', intro, '', ...parts].join('\n');
}

// --- Columns and the codes of problems

type Need = 'always' | 'by country' | 'no';

/** One entry for each column. The compiler reports a column without a rule. */
const columnRules: { readonly [F in Field]: { readonly need: Need; readonly rule: string } } = {
  row_id: {
    need: 'no',
    rule:
      'Your own key of the row, at most 200 characters, each once in a sheet. With it a row stays the same row ' +
      'when its amount is corrected. Without it a row is known by what it pays: destination, amount, currency, ' +
      'reference, source and type. Do not add the column to a sheet that was sent without it: every row would ' +
      'be a new one.',
  },
  payee_id: {
    need: 'no',
    rule:
      'Your own id of the payee: an employee, customer or supplier number. It tells payees apart whatever their ' +
      'names, so that one whose account changed is noticed. It is never sent, and no ' +
      "part of the row's key.",
  },
  name: {
    need: 'always',
    rule:
      'The payee: 1 to 254 letters A to Z, digits, spaces and `@ / ( ) . , _ -`. Columns headed `first name` ' +
      'and `last name` (or `name` and `surname`) are read as one name. A word for nothing (`nan`, `None`, `N/A`) is an ' +
      'error, in a reference too; a [correction](corrections.md) lets a payee of that name through.',
  },
  country: {
    need: 'always',
    rule:
      'SouthAfrica, Nigeria, Kenya or BTC; also their ISO codes (ZA, ZAF, …), `South Africa`, `Bitcoin`, ' +
      '`Lightning`.',
  },
  bank_name: {
    need: 'by country',
    rule:
      "South Africa; Nigeria, where bank_code does as well. A bank of the service's list (`payrun banks`); " +
      'other common spellings are found, and shown.',
  },
  bank_code: { need: 'by country', rule: 'Nigeria: the CBN or NIP code, in place of bank_name or with it.' },
  branch_code: {
    need: 'no',
    rule:
      'South Africa: the universal branch code. It is never sent; one that belongs to another bank than ' +
      'bank_name is an error.',
  },
  account_number: {
    need: 'by country',
    rule:
      'South Africa and Nigeria (ten digits), in a text cell. Its check digit is checked; how a failure counts ' +
      'is `--account-checks`.',
  },
  network_provider: {
    need: 'no',
    rule:
      'Kenya: the mobile-money network; MOMO unless `kenya.networkProvider` in [configuration.md](configuration.md) says ' +
      'otherwise.',
  },
  contact_number: {
    need: 'by country',
    rule: 'Kenya: the mobile number, +254 and nine digits. 0712345678 and 254712345678 are rewritten, and shown.',
  },
  lnurl: { need: 'by country', rule: 'BTC: a Lightning Address (name@example.com, name+tag@example.com) or an LNURL.' },
  merchant_id: {
    need: 'no',
    rule:
      'Which merchant of the service to use, where it has several for this destination. The destination must ' +
      "be the row's.",
  },
  amount: {
    need: 'always',
    rule:
      'A whole number of 1 or more in the currency of the destination. `R 1 500.00` is read as 1500, and ' +
      'shown. `1,500` and `1.500` are refused unless `--number-format` says which is meant. A header such as ' +
      '`Amount (ZAR)` gives the currency.\n\n' +
      'The service pays whole rand, naira and shillings only, and Payrun never rounds: an amount with cents is ' +
      'refused. Round net pay in the payroll, and carry the difference to the next month. For an invoice, agree with ' +
      'the payee who bears the difference, carry it to the next invoice, or settle it another way. Control totals ' +
      'are those of the whole amounts.',
  },
  amount_unit: {
    need: 'by country',
    rule:
      'BTC: `sat`. Rows funded from USDT: `hundredths` (151 means 1.51 USDT), or `USDT` for a decimal amount. ' +
      'Else empty.',
  },
  currency: {
    need: 'no',
    rule:
      'ZAR, NGN, KES or BTC as the destination has it, USDT for USDT-funded rows. Only checked: it must agree ' +
      'with the row.',
  },
  reference: {
    need: 'always',
    rule: 'What the payee sees: 1 to 20 letters, digits and single spaces. `description` is read where no other column is the reference.',
  },
  from_country: {
    need: 'no',
    rule:
      'Where the money comes from: SouthAfrica, Nigeria, Kenya, UnitedKingdom, Europe, USDT or BTC. Empty: not ' +
      'sent, so the service decides. `--from-country` is for rows that leave it empty.',
  },
  collection_method: {
    need: 'no',
    rule: 'Kenya-funded rows: MOMO (each such payment asks a phone for money) or BANK_TRANSFER.',
  },
  type: {
    need: 'no',
    rule:
      'The type that the service shall note: PURCHASE, or one that `payments.types` in [configuration.md](configuration.md) ' +
      'names. Any other is an error: a column of this name often says what kind of account is paid.',
  },
  slow: { need: 'no', rule: 'yes or no: asks the service for a slow payment.' },
  tag: {
    need: 'no',
    rule:
      "Your own mark. It is kept and travels in the payment's meta; the payment's tag is always ours, since a " +
      'payment is found again by it.',
  },
  documents: {
    need: 'by country',
    rule:
      'Files under the documents folder, `;` between them; PDF, PNG or JPEG by content, at most 10 MB each, ' +
      'unless `documents.kinds` and `documents.maxSize` in [configuration.md](configuration.md) say otherwise. ' +
      'Needed above 50,000 ZAR, of one row or of all rows to its account without one (`--documents-policy`). A file in the folder ' +
      "`documents` whose name begins with the `row_id` is the row's without being named: [documents.md](documents.md).",
  },
};

function columnsPage(): string {
  const columns = fields.flatMap((field) => {
    const { need, rule } = columnRules[field];
    const other = aliasesOf(field).filter((alias) => alias !== field && alias.replaceAll(' ', '_') !== field);
    return [
      `### \`${field}\``,
      '',
      ...(other.length === 0 ? [] : [wrapped(`Also read: ${other.map((alias) => `\`${alias}\``).join(', ')}.`), '']),
      wrapped(`Needed: ${need}. ${rule}`),
      '',
    ];
  });
  return [
    '# Columns, and what can be wrong',
    '',
    generated,
    '',
    wrapped(
      'The header is the first of the first fifty rows with three or more known names; titles may stand ' +
        'above it. Names are ' +
        'compared without regard to case, spaces, `_` and `*`. A column that is nearly a known name is an ' +
        'error, since a ' +
        'misspelt column would silently be left out; any other unknown column is carried through untouched ' +
        'and named in the ' +
        'summary. A row whose first cell says *Total* is compared with the sum of the rows where all are in one currency, and never paid; the summary says ' +
        'whether it was. Such a row among the payouts, and one that says *Subtotal*, is refused. ' +
        'Blank sheets with ' +
        'these columns: `payrun template`, and the folder `templates/`.',
    ),
    '',
    '## Columns',
    '',
    ...columns,
    ...unreadColumns,
    '## Problems',
    '',
    wrapped(
      'Every problem has the row number that the spreadsheet shows, a column, a stable code, a severity and ' +
        'a sentence. On the ' +
        'screen an `error` is marked **fix** (the row cannot be paid), a `warning` **look**, and a `repair` ' +
        '**read** (read as ' +
        'shown, nothing to do). The screen shows the first 50, `--json` up to 10,000; ' +
        'the checked workbook, and the list beside it, have all of them ([fix-a-sheet.md](../how-to/fix-a-sheet.md)).',
    ),
    '',
    '### The file and its header',
    '',
    ...meaningLists(sheetMeanings),
    '### Cells and rows',
    '',
    ...meaningLists(rowMeanings),
    '### Rows, files and the batch seen together',
    '',
    ...meaningLists(batchMeanings),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

/** Explains which unread columns stop a sheet, and how a person answers. */
const unreadColumns = [
  '## Columns that are not read',
  '',
  wrapped(
    'A column that is not read may say which rows are meant: a status of another provider, a tick, `Hold`, `Approved by`. ' +
      'Such a column stops the sheet, and a person decides:',
  ),
  '',
  '| You say | Payrun pays |',
  '|---|---|',
  '| `--only "status=FAILED"` | the rows with this value; `--only "Hold="` the rows with an empty cell |',
  '| `--only` again | for the same column any of its values, for another column only rows that fit both |',
  '| `--ignore-column status` | all rows, whatever the column says |',
  '',
  wrapped(
    'Values are compared without regard to case, accents and outer spaces; a dash and `n/a` are empty cells. The answer is ' +
      'kept with the batch and its plan: `resume`, a second run of the same file, a worker and the approver see the same ' +
      'choice. It may stand in [configuration.md](configuration.md) (`sheet.only`, `sheet.ignoreColumns`); a command goes first. Rows ' +
      'that are left out are no rows of the batch. The summary counts them, and the result calls them `left out`. A column ' +
      'that is not there, and a value that no row has, are errors.',
  ),
  '',
  wrapped(
    'A column that has the same in every row is asked about if its header names a state (`Status`, `Zahlstatus`, `Result`): a ' +
      'report of payments that were made says `Completed` of each. It is also asked about if it says no: `Approved` says no, ' +
      '`Hold` says yes. Where the rows differ, empty cells included, it is asked about in these cases:',
  ),
  '',
  wrapped(
    '- Its header names a state or a decision (`Status`, `Paid`, `Approved by`, `Include`, `Bezahlt`) or ends with `?`, ' +
      'whatever the cells hold. `Amount paid` and `Days paid` are asked about too.',
    '  ',
  ),
  wrapped(
    '- It holds two to six different values, such as `yes` and `no`, `x` and nothing, or two dates and nothing.',
    '  ',
  ),
  wrapped('- At least half of its filled cells are outcomes (`Successful`, `Insufficient funds`, `Rejected`).', '  '),
  wrapped(
    '- A cell is one word that decides, such as `Approved`, `Released` or `Active`, under whichever header.',
    '  ',
  ),
  wrapped(
    '- It holds more than six values, and one of them begins with such a word, except in free text (`Notes`).',
    '  ',
  ),
  '',
  wrapped(
    'A column is not asked about if its header is a harmless thing as a whole (`Department`, `Grade`, `Payment method`, `Due ' +
      'date`), unless it holds ticks, says no or decides. Nor is a column of numbers, e-mail addresses or free text, unless its header ' +
      'names a state or a decision, it holds only 1 and 0, or its texts repeat. `Department approved` and `Manager` are asked about.',
  ),
  '',
  wrapped(
    'A formula without a current result, or an error, is no answer: calculate and save the workbook first, or ignore the ' +
      'column. `null` in a map only says that a column is not read; it does not answer the question.',
  ),
  '',
  wrapped(
    'A mark in a single cell (`do not pay`, `on hold`, `cancelled`, `resigned`) is an error on its row, in any column that is not read and ' +
      'in the whole of a name, reference or tag. In a part of these it is a warning, and so is a stop word ' +
      'at the end of any text, or in capitals: `INV 12 PAID`.',
  ),
  '',
  wrapped(
    'A column of payment dates (`Payment date`, `Value date`, `Zahldatum`) that is not read warns on each row of another day, ' +
      'since Payrun pays when it is run, and on each cell that cannot be read as a day. A day more than 35 days away is an ' +
      'error, also under `Scheduled` or `Pay on`. A later day under any other header that is not harmless is a warning; a due ' +
      'day is one if it is more than 35 days ahead. `--ignore-column` ends all of these.',
  ),
  '',
  wrapped(
    'A column that is not read may also be the amount that is meant: `Net payable`, `Amount to pay`, `Balance`, `Total`. If ' +
      'each word of its header names an amount to be paid, and a row has another number there than in `amount`, the sheet is ' +
      'refused (`COLUMN_TWICE`). Delete one of the two, rename the other, or decide with a map or `--ignore-column`.',
  ),
  '',
];

/** Returns a list for each heading comment in the table's source, in its order. */
function meaningLists(meanings: Readonly<Record<string, string>>): string[] {
  return headed('messages/problems/meanings.ts', Object.keys(meanings)).flatMap(([heading, codes]) => [
    ...(heading === null ? [] : [`**${heading}**`, '']),
    ...codes.map((code) => wrapped(`- \`${code}\` ${meanings[code]}`, '  ')),
    '',
  ]);
}

/** Returns a table's codes under the `// Heading.` comments of its source. */
function headed(file: string, codes: readonly string[]): [string | null, string[]][] {
  const lists: [string | null, string[]][] = [];
  for (const line of readFileSync(join(source, file), 'utf8').split('\n')) {
    const heading = /^ {2}\/\/ (.+?)[.:]?$/.exec(line)?.[1];
    const code = /^ {2}([A-Z][A-Z_]+):/.exec(line)?.[1];
    if (line.startsWith('export ')) lists.push([null, []]);
    if (heading !== undefined) lists.push([heading.replace(/[.:] .*/, ''), []]);
    if (code === undefined || !codes.includes(code)) continue;
    if (lists.length === 0) lists.push([null, []]);
    lists.at(-1)?.[1].push(code);
  }
  return lists.filter(([, found]) => found.length > 0);
}

// --- Maps

/** An example with every part of a map, and with a header that occurs twice. */
const mapExample = {
  columns: {
    Wer: 'name',
    Konto: 'account_number',
    Bank: 'bank_name',
    'Betrag (Cent)': 'amount',
    Ref: ['tag', 'reference'],
    Abteilung: null,
  },
  values: { country: 'SouthAfrica', amount_unit: 'cents' },
  words: { bank_name: { Stdbank: 'Standard Bank' } },
  number_format: '1.234,56',
};

function mapsPage(): string {
  const example = JSON.stringify(mapExample, null, 2);
  // Throws if Payrun would not accept the example on the page.
  parseMap('the example of docs/reference/maps.md', example);
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  return [
    '# Maps',
    '',
    generated,
    '',
    wrapped(
      'A map says which column of a sheet is which, where the names of [columns.md](columns.md) do not fit: ' +
        '`--map FILE`, or `--map NAME` for one that comes with Payrun, with `check`, `plan`, `run` and `rehearse`. ' +
        '`payrun check` prints a map to start from for a header that it does not understand (with `--json` as ' +
        '`map.suggested`), and names the shipped map that fits. What it prints is guessed from the names of the columns ' +
        'alone, and no map is ever used without `--map`.',
    ),
    '',
    '```json',
    example,
    '```',
    '',
    wrapped(
      '- **`columns`**: header to column. Headers are compared as everywhere (case, spaces and punctuation do not count). ' +
        'A header that the sheet has several times gets a list, from left to right. `null` is a column that is not read; ' +
        'one that says which rows are meant is asked about all the same ([columns.md](columns.md)). ' +
        '`first_name` and `last_name` are joined. A header that the map does not name is read as without a map.',
      '  ',
    ),
    wrapped(
      `- **\`values\`**: what holds for every row of a sheet that has no such column. ${list(fixedFields)} can be said so; name, destination and amount are each row's own. ` +
        '`"amount_unit": "cents"` says that the amounts count cents (or kobo): 150000 is read as 1500, and shown; what ' +
        'is no whole unit is refused, since nothing is ever rounded.',
      '  ',
    ),
    wrapped(
      `- **\`words\`**: words of the sheet, and ours for them, in ${list(wordFields)}. Each is shown where it was read.`,
      '  ',
    ),
    wrapped('- **`number_format`**: as `--number-format`: `1,234.56` or `1.234,56`.', '  '),
    '',
    wrapped(
      'All parts may be left out. A map is read strictly: an unknown part or column, one column named twice, a header ' +
        'that the sheet does not have or has another number of times, and a value for a column that the sheet has are ' +
        'errors that name the place. The map that was used stands in the notes of every outcome. It is kept with the ' +
        'batch, so `resume`, `report` and a result that is handed in again need neither `--map` nor its file; a new sheet ' +
        'for a batch that was read with a map stops the run (26) until it comes with a map too, or with `--map none`.',
    ),
    '',
    "## Other products' files",
    '',
    wrapped(
      'Samples of each lie in [samples/other/](../../samples/README.md). Where such a file lacks what a payout here needs, ' +
        'it is refused, and the words below are said. To change one, save it as a file, without the headers that your ' +
        'sheet lacks: a file is held to all of its headers.',
    ),
    '',
    ...shippedMaps.flatMap(shippedPart),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function shippedPart({ name, product, about, source, seen, columns, values, words, shipped }: ShippedMap): string[] {
  const optional = shipped.optional.length === 0 ? '' : ` May be missing: ${shipped.optional.join(', ')}.`;
  return [
    `### \`--map ${name}\``,
    '',
    wrapped(`${product}. ${about}${optional} Seen ${seen}: ${source}.`),
    '',
    '```json',
    JSON.stringify(
      {
        columns,
        ...(Object.keys(values).length === 0 ? {} : { values }),
        ...(Object.keys(words).length === 0 ? {} : { words }),
      },
      null,
      2,
    ),
    '```',
    '',
    ...Object.entries(shipped.lacks).map(([field, words]) => wrapped(`- No \`${field}\`: ${words}.`, '  ')),
    ...Object.entries(shipped.refusedHeaders).map(([header, why]) => wrapped(`- \`${header}\`: ${why}.`, '  ')),
    ...Object.entries(shipped.refusedWords).flatMap(([field, words]) =>
      Object.entries(words).map(([word, why]) => wrapped(`- \`${field}\` \`${word}\`: ${why}.`, '  ')),
    ),
    '',
  ];
}

// --- Errors

/** Advice by code: the cause and the next step. The compiler reports a code without advice. */
const errorAdvice: { readonly [C in ErrorCode]: string } = {
  USAGE: 'An option or argument cannot be used; the sentence says which. `payrun COMMAND --help` tells what is taken.',
  CONFIG:
    'An environment variable, a secret file or payrun.config.json cannot be used. See [settings.md](settings.md).',
  CREDENTIALS_MISSING: 'Nothing ever falls back to the sandbox by itself.',
  FILE_UNREADABLE: 'The sheet is missing, is no file, or is larger than 1 GiB.',
  SHEET_COPY_GONE: '',
  MAP_UNUSABLE: 'Read before anything else; the sentence names each place of it that is wrong. See [maps.md](maps.md).',
  CORRECTIONS_UNUSABLE: 'Read before anything else. See [corrections.md](corrections.md).',
  FOLDER_UNWRITABLE: 'Tried before the first payment, by writing there.',
  FOLDER_UNUSABLE: 'Of `payrun watch`. See [hot-folder.md](../how-to/hot-folder.md).',
  HOT_FOLDER_REPLACED: 'Of `payrun watch`: perhaps a mount is missing.',
  HOT_FOLDER_LOCK_DAMAGED: 'Of `payrun watch`.',
  HOT_FOLDER_RECORD_UNREADABLE: 'Of `payrun watch`.',
  DISK_UNWRITABLE:
    'Of the copy of a sheet that is kept beside the ledger, or the own files of `payrun watch`: no fault of a sheet or a setting.',
  COPIES_UNWRITABLE:
    'Of a set-up: the copies lie beside the ledger, or in `PAYRUN_LEDGER_FILES`. A sheet of the [hot folder](../how-to/hot-folder.md) stays open, and is tried again.',
  FOLDER_BUSY: 'One watcher at work for each folder; without `--once` another waits for it to end, and takes over.',
  LEDGER_HAS_NO_BATCH: 'The newest batch is meant where none is named.',
  LEDGER_ADDRESS_UNUSABLE: 'See [ledger.md](ledger.md).',
  LEDGER_COPY_NEEDS_POSTGRES: 'Of `payrun ledger copy`.',
  LEDGER_COPY_REFUSED: 'Of `payrun ledger copy`.',
  WORKERS_NEED_POSTGRES: 'Of `payrun worker`. See [workers.md](../how-to/workers.md).',
  SCHEDULE_UNUSABLE: 'Five fields, and the name of a time zone.',
  CAP_UNUSABLE: 'See [caps.md](caps.md).',
  EXPECT_UNUSABLE: 'See [control-totals.md](../how-to/control-totals.md).',
  PAY_WINDOWS_NEVER_MEET: 'See [pay-window.md](pay-window.md).',
  WEBHOOKS_UNHEARD: 'Of `--listen`.',
  ROW_UNKNOWN: '',
  ROWS_AMBIGUOUS: '',
  ROW_NOT_UNPAID: '',
  ROW_STAYS: 'Of `payrun resolve`, `release` and `retry`; the sentence says what the row is instead.',
  PAYMENT_UNKNOWN: '',
  TEMPLATE_FORMAT_UNKNOWN: '',
  RESULT_FORMAT_UNKNOWN: '',
  WORKBOOK_ROWS_TOO_MANY: 'Found before the first payment.',
  WORKBOOK_CELLS_TOO_MANY: '',
  CONSOLE_BUSY: 'One console for each ledger.',
  CONSOLE_HAS_NO_ACCOUNTS: '',
  CONSOLE_ADDRESS_UNUSABLE: '',
  CONSOLE_PAGE_MISSING: 'Install Payrun again.',
  SERVICE_DATA_BUSY: 'Of `payrun service`.',
  SERVICE_DATA_FOREIGN: 'Of `payrun service`.',
  SERVICE_DATABASE_UNUSABLE: 'Of `payrun service`.',
  SERVICE_ADDRESS_UNUSABLE: 'Of `payrun service`.',
  BASE_PATH_INVALID: 'Of `payrun service`.',
  PUBLIC_URL_INVALID: 'Of `payrun service`.',
  FAULT_ROUTE_UNKNOWN: 'Of `payrun service`, in a rehearsal.',
  FAULT_KIND_MISPLACED: 'Of `payrun service`, in a rehearsal.',
  TENANT_NAMELESS: 'Of `payrun service tenant`.',
  TENANT_UNKNOWN: 'Of `payrun service tenant`.',
  USER_UNKNOWN: 'Of `payrun service user`.',
  USER_DISABLED: 'Of `payrun service user`.',
  SHEET_REFUSED: 'The file cannot be read as a sheet. What to mend is in the sentence.',
  SHEET_HAS_PROBLEMS: 'In the trail, of a sheet that an approved plan pays.',
  PAYEES_REFUSED: 'Each row has its reason in the problems. See [columns.md](columns.md).',
  SHEET_CHANGED:
    'Of a sheet in the [hot folder](../how-to/hot-folder.md): what was looked at is what is paid, or nothing is.',
  TOTALS_MISSING: '',
  TOTALS_DIFFER: 'Each difference is named. See [control-totals.md](../how-to/control-totals.md).',
  OVER_CAP:
    'More would be sent than the caps allow: to a row, a payee, in the batch or on the day. See [caps.md](caps.md).',
  VARIANCE:
    'The sheet moved further from the last of its series than the setting allows, and nobody has said why. See [release-a-payee.md](../how-to/release-a-payee.md).',
  LEDGER_BUSY: 'One sender for each ledger; the sentence names the process. Its lock ends with it, however it ends.',
  LEDGER_OF_OTHER_BUILD: 'Finish its batches with the build that made it, or name a new ledger.',
  LEDGER_UNUSABLE:
    'Its folder is missing or not yours, its disk is full or in another machine, or the file is no ledger.',
  PAUSED_LEDGER_WAS_COPIED: 'Of `payrun pause`, which was given while the ledger was copied.',
  LEDGER_UNWRITABLE:
    'Its disk became full, or failed, or another program holds the file. What could not be written was not sent.',
  LEDGER_DAMAGED: 'Something changed the ledger from outside.',
  BATCH_UNKNOWN: 'Perhaps it is in another ledger: `--sandbox` and `--ledger` choose which one is read.',
  REPEATS_A_DOUBT: 'See [settle-a-doubt.md](../how-to/settle-a-doubt.md).',
  SENT_ROWS_CHANGED: 'Each changed row is named with its old and new values.',
  SENT_ROWS_INVALID: 'What was sent keeps its row: its row in the sheet stays as it was.',
  ROWS_ADDED: '`--add` says that they are meant; `--add --drop` that the file is the whole list.',
  ROWS_DROPPED: '`--drop` says that they are not to be paid.',
  ADDITION_CHANGES_ROWS: '`--add` alone keeps the rows of the batch as they are.',
  OLDER_VERSION: 'A row is compared with everything that earlier sheets of the batch said of it.',
  NOTHING_TO_ADD_TO: '',
  ROWS_CLOSED: 'By `payrun drop`.',
  BATCH_PAID: 'Within a day the same command may be given again, and sends nothing.',
  BATCH_PAID_IN_PART: 'Found at the service by the tags of the rows.',
  EXPIRED_ROW_PAID: 'A service may pay a payment after it had expired.',
  MAP_LEFT_OUT: 'See [maps.md](maps.md).',
  CLAIMS_UNKNOWN: 'A result is a sheet as well: its rows are those of the batch that it reports.',
  SHEET_LOOKS_PAID: 'See [duplicate-checks.md](duplicate-checks.md).',
  PROPOSAL_WAITS: 'A batch has one waiting plan. See [console.md](../tutorials/console.md).',
  VERSION_CONFLICT:
    'A plan names the newest sheet that it knew; a hot folder keeps it from when it took the file; a command looks before it reads its file.',
  IDENTITY_CHANGED: 'Another URL, key or user may not see the payments made before, so going on could pay twice.',
  IDENTITY_UNPROVEN:
    'What `ledger rebind` asks for was not there: up to three payments of the batch, in the list and by id.',
  PLAN_NOT_FOUND: '`--approve` takes the digest of a plan, or its first 32 digits.',
  PLAN_UNREADABLE: '',
  PLAN_CHANGED: 'Its digest is over each byte of the file.',
  PLAN_PAGE_DIFFERS: 'Of `payrun approve`.',
  PLAN_EXPIRED: 'Of `payrun approve`; `--expires` makes a plan good for longer.',
  PLAN_DECLINED: 'At the console. A signature that is made after it counts again.',
  PLAN_DIFFERS: 'The sentence lists what differs. See [approve-a-plan.md](../how-to/approve-a-plan.md).',
  BATCH_LEAVES_PLAN: 'A plan holds each later run of its batch.',
  RETRY_UNPLANNED: '',
  APPROVALS_TOO_FEW: 'See [approve-a-plan.md](../how-to/approve-a-plan.md).',
  MAKER_REFUSED: '',
  MAKER_UNSIGNABLE: 'Of `payrun approve`.',
  SIGNATURE_USELESS: 'Of `payrun approve`.',
  SIGNED_PLAN_MISSING: '',
  SIGNED_PLANS_SEVERAL: '',
  BATCH_UNAPPROVED: '',
  SHEET_UNAPPROVED: '',
  RETRY_UNAPPROVED: '',
  RELEASE_UNAPPROVED: 'Of `payrun release`.',
  POLICY_NOT_FOUND:
    'A policy was in force once, and the ledger remembers it. In another folder, under cron or on another machine, say where it is. See [policy.md](policy.md).',
  POLICY_DIFFERS:
    'A copy of the policy at another place counts while its text is the same. See [policy.md](policy.md).',
  POLICY_UNUSABLE: 'Its file is missing or has a mistake; each is named with its place. See [policy.md](policy.md).',
  KEY_UNUSABLE: 'A key file was changed, is none, or its passphrase is another one.',
  SERVICE_UNREACHABLE:
    'Nothing listens, the network is down, or it answered with server errors. Rows not yet sent stay so; run again.',
  SERVICE_UNREADABLE: 'Payments kept going in doubt, one row alone too, three times over: rows not yet sent stay so.',
  REFUSED_IN_A_ROW:
    'The refused rows are unpaid (`payrun retry`), the others not sent (`payrun resume`). How many: [caps.md](caps.md).',
  SERVICE_LACKS: "Of a command for one of the service's own endpoints.",
  DOCUMENTS_NOT_LISTED: 'Of `payrun documents list`.',
  SERVICE_REFUSED:
    "A command for one of the service's own endpoints was refused, or its answer did not come. The sentence has the service's words, and says where the call may have been carried out all the same.",
  SERVICE_ANSWER:
    'The answer lacks what is needed. Perhaps the base URL is wrong; see `names` in [configuration.md](configuration.md).',
  CREDENTIALS_REFUSED: 'Key, secret or user are not accepted, or this service wants a user: PAYRUN_USER_ID.',
  SERVICE_BUSY:
    'It was waited for as long as it asked, five times. Run again later, perhaps with a lower --concurrency.',
  TAG_LOST: 'A payment that cannot be found again by its tag could be paid twice later, so sending stops.',
  PASS_INCOMPLETE: 'Before anything is sent the whole list is read, to find what is already there. Run again.',
  PAID_ELSEWHERE:
    'Two people, or two machines, paid from the same sheet. What the other one paid is not sent again; wait and look.',
  SENT_ELSEWHERE:
    'Another ledger of this machine sent payments to the same service. Run again with that ledger, or wait.',
  LEDGER_RESTORED: 'The scan after the wait finds what the copy has forgotten, and nothing is sent twice.',
  PAYMENT_UNDONE:
    'The row is held, and stays so until the service says again that it was paid out, or a person settles it with `resolve`.',
  COPIES_PAID: 'The result names both rows: one seemed unpaid and is not, after its corrected copy was paid.',
  PAID_TWICE:
    'The result names the row and both payments. Nothing more of the batch is sent before one of them has ended, or a person says that it is dealt with.',
  DEPOSIT_CHANGED:
    'Account, address, reference or amount to deposit are other than when they were first read: so are payers led to another account. Both readings stand in the trail and in `payrun funding`; the first one is kept.',
  CANARY_OPEN: 'A longer `--wait` lets one run see them paid. See [pay-window.md](pay-window.md).',
  CANARY_UNPAID: 'A canary did its work. See [pay-window.md](pay-window.md).',
  RAIL_SHUT: 'With `rails` set to `hold`. See [pay-window.md](pay-window.md).',
  OUTSIDE_PAY_WINDOW:
    'The rows stay as they are, and payments are followed all the same. See [pay-window.md](pay-window.md).',
  PAUSED: 'By `payrun pause`, a kill switch for one batch or for all. See [workers.md](../how-to/workers.md).',
  STOPPED_BEFORE: 'Of a hot folder. See [hot-folder.md](../how-to/hot-folder.md).',
  STOPPED: 'By Ctrl-C or a signal. Run the same command again to go on.',
};

function errorsPage(): string {
  const codes = Object.keys(refusalExamples) as ErrorCode[];
  const lists = headed('base/refusal.ts', codes).flatMap(([heading, found]) => [
    `## ${heading}`,
    '',
    ...(found as ErrorCode[]).flatMap((code) => [
      wrapped(`- **\`${code}\`**, exit ${exitOfCode(code)}. ${quotedSentence(code)}${errorAdvice[code]}`, '  '),
    ]),
    '',
  ]);
  return [
    '# Errors',
    '',
    generated,
    '',
    wrapped(
      'Expected failures of a whole command. Each is said in one sentence on stderr, with `--json` also as ' +
        '`{"error":{"code","facts","message"},"exit"}` on stdout; a run that had begun names it in `stopped` of its ' +
        'document. What is ' +
        'wrong with single rows is in [columns.md](columns.md), what the exit codes mean in ' +
        '[exit-codes.md](exit-codes.md).',
    ),
    '',
    ...lists,
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

/** Returns the first line of a refusal's message for example facts. */
function quotedSentence(code: ErrorCode): string {
  const [line = ''] = refusalWords({ code, facts: refusalExamples[code] }).split('\n');
  return `"${line.replaceAll('"', '')}" `;
}

// --- Assumptions

interface Assumption {
  /** The file's path below `src`. */
  readonly file: string;
  readonly sentence: string;
}

/** Returns every comment that starts "The interface does not show", with its following lines. */
export function assumptions(): readonly Assumption[] {
  const files = (readdirSync(source, { recursive: true }) as string[]).filter((file) => file.endsWith('.ts')).sort();
  return files.flatMap((file) => {
    const lines = readFileSync(join(source, file), 'utf8').split('\n');
    return lines.flatMap((line, index): Assumption[] => {
      const start = /^\s*(\/\/|\/\*\*|\*) The interface does not show (.*)$/.exec(line);
      if (start === null) return [];
      const [, mark, first = ''] = start;
      const parts = [first];
      if (!first.includes('*/'))
        for (const next of lines.slice(index + 1)) {
          const more = (mark === '//' ? /^\s*\/\/ (.*)$/ : /^\s*\*(?!\/) ?(.*)$/).exec(next)?.[1];
          if (more === undefined || more.trim() === '' || more.startsWith('The interface does not show ')) break;
          parts.push(more);
        }
      const sentence = parts
        .join(' ')
        .replace(/\*\/.*$/, '')
        .trim();
      return [{ file, sentence }];
    });
  });
}

const rooms: Readonly<Record<string, string>> = {
  client: 'What the client takes from any service',
  domain: 'What the rules take from any service',
  pipeline: 'What paying relies on',
  service: 'What the embedded service does',
  wire: 'Shapes and names that both share',
};

function assumptionsPage(): string {
  const found = assumptions();
  const sections = [...new Set(found.map(({ file }) => file.split('/')[0] ?? ''))].sort().flatMap((room) => [
    `## ${rooms[room] ?? `In src/${room}`}`,
    '',
    ...found
      .filter(({ file }) => file.startsWith(`${room}/`))
      .map(({ file, sentence }) => {
        const text = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
        const ended = /[.!?]$/.test(text) ? text : `${text}.`;
        return wrapped(`- ${ended} ([${file}](../../src/${file}))`, '  ');
      }),
    '',
  ]);
  return [
    '# Assumptions',
    '',
    generated,
    '',
    wrapped(
      'For developers, and for operators of another service. Each line is a choice that the code made because the ' +
        'service\'s interface document does not show something. Each is also a comment beside its code, which begins "The interface does not show". ' +
        'Numbers in brackets are sections of that document. "This service" is the embedded service. If your service differs ' +
        'from a line above "What the embedded service does", it may need a setting ' +
        '([configuration.md](../reference/configuration.md)) or a change.',
    ),
    '',
    ...sections,
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

// --- Text

/** Breaks a paragraph or list item at spaces, never inside code or a link. */
function wrapped(text: string, indent = ''): string {
  const words = text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s`[]|\[)+/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && line.length + 1 + word.length > widest) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

if (import.meta.main) {
  for (const [name, text] of await generatedPages()) {
    const path = join(docs, name);
    writeFileSync(path, text);
    console.log(relative(root, path));
  }
}
