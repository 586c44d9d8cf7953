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
    'For everybody who gives commands: the arguments and options of each command, as `--help` prints them. In this ' +
      'repository, write `npm start -- …` for `payrun …`. A duration is written `500ms`, `20s`, `2m`, `1h` or `0`. Give an ' +
      'option once, unless its text says that it may be given again. An unknown option stops the command ' +
      '([exit code 2](exit-codes.md)), and nothing is sent.',
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
      'Your own key of the row, at most 200 characters, different in each row. A row with a `row_id` stays the same row ' +
      'when you correct its amount. Payrun recognizes a row without one by its destination, amount, currency, ' +
      'reference, source and type. Do not add this column to a sheet that was sent without it: every row would ' +
      'count as new.',
  },
  payee_id: {
    need: 'no',
    rule:
      'Your own id of the payee: an employee, customer or supplier number. By this id Payrun recognizes a payee under ' +
      'any name, and notices a changed account. Payrun never sends the id, and does not use it to recognize the row.',
  },
  name: {
    need: 'always',
    rule:
      'The payee: 1 to 254 letters A to Z, digits, spaces and `@ / ( ) . , _ -`. Payrun joins the columns `first name` ' +
      'and `last name` (or `name` and `surname`) to one name. A word that programs write into an empty cell (`nan`, ' +
      '`None`, `N/A`) is an error, in a reference too. If a payee has such a name, write a [correction](corrections.md).',
  },
  country: {
    need: 'always',
    rule:
      'The destination: SouthAfrica, Nigeria, Kenya or BTC. Payrun also accepts ISO codes (ZA, ZAF, …), `South Africa`, ' +
      '`Bitcoin` and `Lightning`.',
  },
  bank_name: {
    need: 'by country',
    rule:
      "South Africa, and Nigeria if the row has no `bank_code`. Write the bank as in the service's list " +
      '(`payrun banks`). Payrun recognizes other common spellings, and lists each in the problems.',
  },
  bank_code: { need: 'by country', rule: 'Nigeria: the CBN or NIP code, instead of `bank_name` or with it.' },
  branch_code: {
    need: 'no',
    rule: 'South Africa: the universal branch code. Payrun never sends it. A code of another bank than `bank_name` is an error.',
  },
  account_number: {
    need: 'by country',
    rule:
      'South Africa and Nigeria (ten digits), in a text cell. Payrun tests the check digit. `--account-checks` says if ' +
      'a wrong one is an error, a warning or nothing.',
  },
  network_provider: {
    need: 'no',
    rule:
      'Kenya: the mobile-money network. Without this column it is MOMO, or the value of `kenya.networkProvider` in ' +
      '[configuration.md](configuration.md).',
  },
  contact_number: {
    need: 'by country',
    rule: 'Kenya: the mobile number, +254 and nine digits. Payrun rewrites 0712345678 and 254712345678, and lists each in the problems.',
  },
  lnurl: { need: 'by country', rule: 'BTC: a Lightning Address (name@example.com, name+tag@example.com) or an LNURL.' },
  merchant_id: {
    need: 'no',
    rule:
      'The id of the merchant to use, if the service has several merchants for this destination. The merchant must have ' +
      "the row's destination.",
  },
  amount: {
    need: 'always',
    rule:
      'A whole number of 1 or more in the currency of the destination. Payrun reads `R 1 500.00` as 1500, and lists that ' +
      'in the problems. It refuses `1,500` and `1.500` without `--number-format`, because each has two meanings. A ' +
      'header such as `Amount (ZAR)` gives the currency.\n\n' +
      'The service pays whole rand, naira and shillings only, and Payrun never rounds: an amount with cents is ' +
      'refused. Round net pay in the payroll, and carry the difference to the next month. For an invoice, agree with ' +
      'the payee who bears the difference, carry it to the next invoice, or settle it another way. Control totals ' +
      'count the whole amounts.',
  },
  amount_unit: {
    need: 'by country',
    rule:
      'BTC: `sat`. Rows funded from USDT: `hundredths` (151 means 1.51 USDT), or `USDT` for a decimal amount. ' +
      'Other rows: empty.',
  },
  currency: {
    need: 'no',
    rule:
      'The currency of the destination (ZAR, NGN, KES, BTC), or USDT for rows that are funded from USDT. Payrun only ' +
      'checks it: another currency is an error.',
  },
  reference: {
    need: 'always',
    rule: 'The text that the payee sees: 1 to 20 letters, digits and single spaces. Payrun reads `description` if no other column is the reference.',
  },
  from_country: {
    need: 'no',
    rule:
      'The source of the money: SouthAfrica, Nigeria, Kenya, UnitedKingdom, Europe, USDT or BTC. For an empty cell ' +
      '`--from-country` counts. Without both, the service decides.',
  },
  collection_method: {
    need: 'no',
    rule: 'Kenya-funded rows: MOMO (each such payment asks a phone for money) or BANK_TRANSFER.',
  },
  type: {
    need: 'no',
    rule:
      'The type of the payment at the service: PURCHASE, or one that `payments.types` in ' +
      '[configuration.md](configuration.md) names. Any other type is an error, because in many sheets such a column has ' +
      'the kind of account.',
  },
  slow: { need: 'no', rule: 'yes or no: asks the service for a slow payment.' },
  tag: {
    need: 'no',
    rule:
      "Your own text, which Payrun sends in the payment's `meta`. The `tag` of the payment itself is always Payrun's, " +
      'because Payrun finds the payment by it.',
  },
  documents: {
    need: 'by country',
    rule:
      'Files in the documents folder, separated by `;`. Each is a PDF, PNG or JPEG by its content, of at most 10 MB. ' +
      '`documents.kinds` and `documents.maxSize` in [configuration.md](configuration.md) change that. A row above 50,000 ' +
      'ZAR needs a document. So does each row of an account, if its rows without a document exceed 50,000 ZAR together ' +
      '(`--documents-policy`). A file in the folder `documents` belongs to a row if its name begins with the ' +
      '`row_id`: [documents.md](documents.md).',
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
      'For people who prepare sheets: every column, and every problem that a check can find. The header is the first row ' +
        'with three or more known names, among the first fifty rows. Titles may be above it. Payrun compares names without ' +
        'case, spaces, `_` and `*`. A column whose name is nearly a known one is an error, because Payrun would leave a ' +
        'misspelt column out. The result keeps every other unknown column unchanged, and the summary names it.',
    ),
    '',
    wrapped(
      'Payrun never pays a last row whose first cell says *Total*. If all rows have one currency, Payrun compares it with ' +
        'their sum, and the summary says so. A total among the payouts is refused, and so is a *Subtotal*. Blank ' +
        'sheets with these columns: `payrun template`, and the folder `templates/`.',
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
        'a sentence. The screen shows the first 50 problems, and `--json` up to 10,000. The checked workbook, and the ' +
        'list beside it, have all of them ([fix-a-sheet.md](../how-to/fix-a-sheet.md)).',
    ),
    '',
    '| Severity | On the screen | Means |',
    '|---|---|---|',
    '| `error` | **fix** | The row cannot be paid |',
    '| `warning` | **look** | The row can be paid; check it first |',
    '| `repair` | **read** | Payrun read the cell as shown; nothing to do |',
    '',
    wrapped(
      'The next lists have the meaning of each code. A code can occur as an error or as a warning, as its problem says.',
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
    'A column that Payrun does not read may say which rows to pay: the status of another provider, a tick, `Hold`, ' +
      '`Approved by`. Payrun asks about such a column: it refuses the sheet until a person decides with these options:',
  ),
  '',
  '| You say | Payrun pays |',
  '|---|---|',
  '| `--only "status=FAILED"` | the rows with this value; `--only "Hold="` the rows with an empty cell |',
  '| `--only` again, for the same column | the rows with any of the values |',
  '| `--only` again, for another column | only the rows that fit both |',
  '| `--ignore-column status` | all rows, whatever the column says |',
  '',
  wrapped(
    'Payrun compares values without case, accents and outer spaces. A dash and `n/a` count as empty. Batch and plan keep ' +
      'the decision, so `resume`, a second run of the same file, workers and approvers use the same rows. You can also ' +
      'write it into [configuration.md](configuration.md) (`sheet.only`, `sheet.ignoreColumns`); an option of the ' +
      'command takes precedence. Left-out rows are not in the batch. The summary counts them, and the result calls them ' +
      '`left out`. A missing column, and a value that no row has, are errors.',
  ),
  '',
  wrapped('Payrun asks about a column with any filled cell in these cases:'),
  '',
  wrapped(
    '- Its header names a state or a decision (`Status`, `Paid`, `Approved by`, `Include`, `Bezahlt`, also `Days paid`) or ' +
      'ends with `?`.',
    '  ',
  ),
  wrapped(
    '- Its cells differ and put the rows into two or three groups: `yes` and `no`, ticks and empty cells, days and empty ' +
      'cells, `Imelipwa` and `Haijalipwa`.',
    '  ',
  ),
  wrapped(
    '- Its cells differ, and half of the rows say the same, as in a provider’s results with many messages of failure.',
    '  ',
  ),
  '',
  wrapped(
    'Numbers are no groups, except single digits. Nor are cells that all differ: each then describes its own row. Payrun ' +
      'cannot tell a department from a state, so it also asks about a column `Department` with three departments. Name ' +
      'such columns once, in `sheet.ignoreColumns`. If every row says the same under another header, Payrun prints a note.',
  ),
  '',
  wrapped(
    '`--only` cannot use a cell with an error, or with a formula that has no current result. Calculate and save the ' +
      'workbook first, or ignore the column. `null` in your own map says that Payrun does not read a column. It does not ' +
      'answer which rows to pay.',
  ),
  '',
  wrapped(
    'A mark (`do not pay`, `on hold`, `cancelled`, `resigned`) is an error if it is a cell of an unread column, or the ' +
      'whole name, reference or tag. In a part of a name, reference or tag it is a warning. A stop word at the end of a ' +
      'text, at the start of a name, reference or tag, or in capitals, is a warning too: `INV 12 PAID`.',
  ),
  '',
  wrapped(
    'Payrun pays at the time of the run, so it compares the dates of unread columns with that day. `--ignore-column` ' +
      'switches these checks off:',
  ),
  '',
  '| Column | Cell | Problem |',
  '|---|---|---|',
  '| Payment dates (`Payment date`, `Value date`, `Zahldatum`) | another day | warning |',
  '| The same | no readable day | error |',
  '| The same, and `Scheduled`, `Pay on` | a day more than 35 days away | error |',
  '| Due dates | a day more than 35 days ahead | warning |',
  '| Any other header | a later day | warning |',
  '',
  wrapped(
    'An unread column may also have the right amount: `Net payable`, `Amount to pay`, `Balance`, `Total`. Payrun refuses ' +
      'the sheet (`COLUMN_TWICE`) if two things are true: each word of the header means an amount to pay, and a row has ' +
      'another number there than in `amount`. Delete one of the two columns, rename the unread one, or decide with a ' +
      'map or `--ignore-column`.',
  ),
  '',
];

/** Returns a list for each heading comment in the table's source, in its order. */
function meaningLists(meanings: Readonly<Record<string, string>>): string[] {
  return headed('messages/problems/meanings.ts', Object.keys(meanings)).flatMap(([heading, codes]) => [
    ...(heading === null ? [] : [`**${heading}**`, '']),
    ...codes.map((code) => wrapped(`- \`${code}\`: ${meanings[code]}`, '  ')),
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
      'For people whose sheets have other column names than those of [columns.md](columns.md). A map says which column of ' +
        'a sheet is which. `--map FILE` uses a file, and `--map NAME` a map that comes with Payrun. `check`, `plan`, ' +
        '`run`, `rehearse` and `watch` accept it. For an unknown header, `payrun check` prints a map to start from (with ' +
        '`--json` as `map.suggested`), and names a shipped map if one fits. It guesses from the column names alone, so ' +
        'check the map. Payrun never uses a map without `--map`.',
    ),
    '',
    '```json',
    example,
    '```',
    '',
    wrapped(
      '- **`columns`**: the column for each header. Case, spaces and punctuation of a header do not count. A header that ' +
        'occurs several times gets a list, from left to right. Payrun does not read a column with `null`, but may still ' +
        'ask about it ([columns.md](columns.md#columns-that-are-not-read)). It joins `first_name` and `last_name`. It ' +
        'reads a header that the map lacks as without a map.',
      '  ',
    ),
    wrapped(
      `- **\`values\`**: the value of every row, if the sheet has no such column. These columns can have one: ${list(fixedFields)}. ` +
        '`"amount_unit": "cents"` means amounts in cents or kobo: Payrun reads 150000 as 1500, and lists that in the ' +
        'problems. It refuses an amount that is not a whole unit.',
      '  ',
    ),
    wrapped(
      `- **\`words\`**: Payrun's word for each word of the sheet, in these columns: ${list(wordFields)}. The problems list each replaced word.`,
      '  ',
    ),
    wrapped('- **`number_format`**: `1,234.56` or `1.234,56`, as with `--number-format`.', '  '),
    '',
    wrapped(
      'Every part is optional. Payrun refuses a map with one of these mistakes, and names the place: an unknown part or ' +
        'column, a column that is named twice, a header that the sheet lacks or has another number of times, or a value ' +
        'for a column that the sheet has.',
    ),
    '',
    wrapped(
      'The notes of every outcome name the map. The batch keeps the map, so `resume`, `report` and a submitted result need ' +
        'neither `--map` nor its file. A new sheet for this batch needs `--map` too, or `--map none`; without it the run ' +
        'stops ([exit code 26](exit-codes.md)).',
    ),
    '',
    "## Other products' files",
    '',
    wrapped(
      'Each section has a shipped map, and [samples/other/](../../samples/README.md) has a sample of its files. If such a ' +
        'file lacks a value that Payrun needs, Payrun refuses it with one of the reasons below the map. To change a map, ' +
        'save it as a file. Leave out the headers that your sheet lacks: a map from a file needs all of its headers.',
    ),
    '',
    ...shippedMaps.flatMap(shippedPart),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function shippedPart({ name, product, about, source, seen, columns, values, words, shipped }: ShippedMap): string[] {
  const optional = shipped.optional.length === 0 ? '' : ` These headers are optional: ${shipped.optional.join(', ')}.`;
  return [
    `### \`--map ${name}\``,
    '',
    wrapped(`${product}. ${about}${optional} Source, read on ${seen}: ${source}.`),
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
  USAGE: 'The message names the option or argument that cannot be used. `payrun COMMAND --help` lists those that can.',
  CONFIG:
    'An environment variable, a secret file or payrun.config.json cannot be used. See [settings.md](settings.md).',
  CREDENTIALS_MISSING: 'Without `--sandbox` Payrun never uses the sandbox.',
  FILE_UNREADABLE: 'The sheet is missing, is not a file, or is larger than 1 GiB.',
  SHEET_COPY_GONE: '',
  MAP_UNUSABLE:
    'Payrun reads the map before the sheet. The message names each mistake and its place. See [maps.md](maps.md).',
  CORRECTIONS_UNUSABLE: 'Payrun reads the corrections before the sheet. See [corrections.md](corrections.md).',
  FOLDER_UNWRITABLE: 'Payrun writes a test file into the folder before the first payment.',
  FOLDER_UNUSABLE: '`payrun watch` gives this error. See [hot-folder.md](../how-to/hot-folder.md).',
  HOT_FOLDER_REPLACED: '`payrun watch` gives this error, for example if a mount is missing.',
  HOT_FOLDER_LOCK_DAMAGED: '`payrun watch` gives this error.',
  HOT_FOLDER_RECORD_UNREADABLE: '`payrun watch` gives this error.',
  DISK_UNWRITABLE:
    'The disk of the copies of sheets, or of the files of `payrun watch`, failed. Sheet and settings are not the cause.',
  COPIES_UNWRITABLE:
    'The folder of the copies is beside the ledger, or is named by `PAYRUN_LEDGER_FILES`. In a [hot folder](../how-to/hot-folder.md) the sheet stays open, and Payrun tries it again.',
  FOLDER_BUSY:
    'Only one watcher works on a folder. Without `--once` a second one waits until the first ends, and takes over.',
  LEDGER_HAS_NO_BATCH: 'A command without a batch uses the newest one, and there is none.',
  LEDGER_ADDRESS_UNUSABLE: 'See [ledger.md](ledger.md).',
  LEDGER_COPY_NEEDS_POSTGRES: '`payrun ledger copy` gives this error.',
  LEDGER_COPY_REFUSED: '`payrun ledger copy` gives this error.',
  WORKERS_NEED_POSTGRES: '`payrun worker` gives this error. See [workers.md](../how-to/workers.md).',
  SCHEDULE_UNUSABLE: '`--cron` has five fields, and `--zone` is the name of a time zone.',
  CAP_UNUSABLE: 'See [caps.md](caps.md).',
  EXPECT_UNUSABLE: 'See [control-totals.md](../how-to/control-totals.md).',
  PAY_WINDOWS_NEVER_MEET: 'See [pay-window.md](pay-window.md).',
  WEBHOOKS_UNHEARD: 'The option `--listen` gives this error.',
  ROW_UNKNOWN: '',
  ROWS_AMBIGUOUS: '',
  ROW_NOT_UNPAID: '',
  ROW_STAYS: '`payrun resolve`, `release` and `retry` give this error. The message says why the row cannot change.',
  PAYMENT_UNKNOWN: '',
  TEMPLATE_FORMAT_UNKNOWN: '',
  RESULT_FORMAT_UNKNOWN: '',
  WORKBOOK_ROWS_TOO_MANY: 'Payrun checks this before the first payment.',
  WORKBOOK_CELLS_TOO_MANY: '',
  CONSOLE_BUSY: 'Only one console can use a ledger.',
  CONSOLE_HAS_NO_ACCOUNTS: '',
  CONSOLE_ADDRESS_UNUSABLE: '',
  CONSOLE_PAGE_MISSING: 'Install Payrun again.',
  SERVICE_DATA_BUSY: '`payrun service` gives this error.',
  SERVICE_DATA_FOREIGN: '`payrun service` gives this error.',
  SERVICE_DATABASE_UNUSABLE: '`payrun service` gives this error.',
  SERVICE_ADDRESS_UNUSABLE: '`payrun service` gives this error.',
  BASE_PATH_INVALID: '`payrun service` gives this error.',
  PUBLIC_URL_INVALID: '`payrun service` gives this error.',
  FAULT_ROUTE_UNKNOWN: '`payrun service --faults` gives this error.',
  FAULT_KIND_MISPLACED: '`payrun service --faults` gives this error.',
  TENANT_NAMELESS: '`payrun service tenant` gives this error.',
  TENANT_UNKNOWN: '`payrun service tenant` gives this error.',
  USER_UNKNOWN: '`payrun service user` gives this error.',
  USER_DISABLED: '`payrun service user` gives this error.',
  SHEET_REFUSED: 'The file cannot be read as a sheet. The message says what to fix.',
  SHEET_HAS_PROBLEMS: 'The trail records this error if a run under an approved plan finds mistakes in the sheet.',
  PAYEES_REFUSED: 'The problems have the reason for each row. See [columns.md](columns.md).',
  SHEET_CHANGED:
    'A sheet in a [hot folder](../how-to/hot-folder.md) changed after the watcher took it. Payrun pays only the file that it checked.',
  TOTALS_MISSING: '',
  TOTALS_DIFFER: 'The message lists each difference. See [control-totals.md](../how-to/control-totals.md).',
  OVER_CAP:
    'A cap limits the sum of a row, a payee, a batch or a day. The message lists each exceeded cap. See [caps.md](caps.md).',
  VARIANCE:
    'The sheet differs from the last one of its series by more than the setting allows, and the command has no `--confirm-variance`. See [release-a-payee.md](../how-to/release-a-payee.md#compare-with-last-month).',
  LEDGER_BUSY:
    'Only one run at a time sends from a ledger. The message names its process. The lock ends with that process, even after a crash.',
  LEDGER_OF_OTHER_BUILD: '',
  LEDGER_UNUSABLE:
    'For example, its folder is missing or belongs to another user, its disk is full or on the network, or the file is not a ledger.',
  PAUSED_LEDGER_WAS_COPIED: '`payrun pause` gives this error if the ledger was copied at the same time.',
  LEDGER_UNWRITABLE:
    'The disk is full or failed, or another program holds the file. Payrun sent no row whose intent it could not write.',
  LEDGER_DAMAGED: 'See [recover-a-ledger.md](../how-to/recover-a-ledger.md#the-ledger-is-damaged).',
  BATCH_UNKNOWN: 'The batch may be in another ledger: `--sandbox` and `--ledger` choose the ledger.',
  REPEATS_A_DOUBT: 'See [settle-a-doubt.md](../how-to/settle-a-doubt.md).',
  SENT_ROWS_CHANGED: 'The message names each changed row with its old and new values.',
  SENT_ROWS_INVALID: 'A sent row cannot change: put its old values back into the sheet.',
  ROWS_ADDED: 'With `--add` Payrun pays the new rows. With `--add --drop` the file is the whole list.',
  ROWS_DROPPED: 'With `--drop` Payrun closes these rows, and never pays them.',
  ADDITION_CHANGES_ROWS: '`--add` without `--drop` keeps the rows of the batch unchanged.',
  OLDER_VERSION:
    'Payrun compares each row with its content in all earlier sheets of the batch. See [versions.md](../explanation/versions.md#which-sheet-counts).',
  NOTHING_TO_ADD_TO: '',
  ROWS_CLOSED: 'The command that closes rows is `payrun drop`; `payrun reopen` opens them.',
  BATCH_PAID: 'In the first 24 hours after the last payment, the same command ends with 0 and sends nothing.',
  BATCH_PAID_IN_PART: 'Payrun found the payments at the service by the tags of the rows.',
  EXPIRED_ROW_PAID: 'A service may pay a payment after it reported that the payment expired.',
  MAP_LEFT_OUT: 'See [maps.md](maps.md).',
  CLAIMS_UNKNOWN: 'A submitted result continues the batch that it names, and this ledger does not have the batch.',
  SHEET_LOOKS_PAID: 'See [duplicate-checks.md](duplicate-checks.md).',
  PROPOSAL_WAITS: 'A batch has at most one waiting plan. See [console.md](../tutorials/console.md).',
  VERSION_CONFLICT:
    'Another sheet became the newest of the batch after Payrun took this one. See [versions.md](../explanation/versions.md#which-sheet-counts).',
  IDENTITY_CHANGED: 'Another address, key or user may not see the earlier payments, and Payrun could pay them again.',
  IDENTITY_UNPROVEN:
    '`payrun ledger rebind` reads up to three payments of the batch, in the list and by their ids. One of them was missing or had another tag.',
  PLAN_NOT_FOUND: '`--approve` accepts the digest of a plan, or at least its first 32 digits.',
  PLAN_UNREADABLE: '',
  PLAN_CHANGED: 'The digest covers each byte of the file.',
  PLAN_PAGE_DIFFERS: '`payrun approve` gives this error.',
  PLAN_EXPIRED: '`payrun approve` gives this error. `payrun plan --expires` makes a plan that is valid for longer.',
  PLAN_DECLINED: 'An approver declined the plan at the console. A later signature counts again.',
  PLAN_DIFFERS: 'The message lists the differences. See [approve-a-plan.md](../how-to/approve-a-plan.md).',
  BATCH_LEAVES_PLAN: 'Every later run of the batch must agree with its plan.',
  RETRY_UNPLANNED: '',
  APPROVALS_TOO_FEW: 'See [approve-a-plan.md](../how-to/approve-a-plan.md).',
  MAKER_REFUSED: '',
  MAKER_UNSIGNABLE: '`payrun approve` gives this error.',
  SIGNATURE_USELESS: '`payrun approve` gives this error.',
  SIGNED_PLAN_MISSING: '',
  SIGNED_PLANS_SEVERAL: '',
  BATCH_UNAPPROVED: '',
  SHEET_UNAPPROVED: '',
  RETRY_UNAPPROVED: '',
  RELEASE_UNAPPROVED: '`payrun release` gives this error.',
  POLICY_NOT_FOUND:
    'The ledger remembers that a policy was in force. In another folder, under cron or on another machine, name the policy. See [policy.md](policy.md#which-policy-binds).',
  POLICY_DIFFERS: 'A copy of the policy counts only while its text is the same. See [policy.md](policy.md).',
  POLICY_UNUSABLE:
    'The file is missing or has mistakes. The message names each mistake and its place. See [policy.md](policy.md).',
  KEY_UNUSABLE: 'The file is not a key, it was changed, or the passphrase is wrong.',
  SERVICE_UNREACHABLE:
    'No program listens at the address, the network is down, or the service answered with server errors. Run the command again: the other rows are not sent yet.',
  SERVICE_UNREADABLE:
    'Many payments ended in doubt, and so did single rows that Payrun sent as a test. The other rows are not sent.',
  REFUSED_IN_A_ROW:
    'The refused rows are unpaid: use `payrun retry`. The others are not sent: use `payrun resume`. The number is a setting: [caps.md](caps.md#breakers).',
  SERVICE_LACKS: "A command for one of the service's endpoints, such as `payrun payments`, gives this error.",
  DOCUMENTS_NOT_LISTED: '`payrun documents list` gives this error.',
  SERVICE_REFUSED:
    "The service refused a command for one of its endpoints, or did not answer. The message has the service's words. It also says if the service may have carried out the call.",
  SERVICE_ANSWER:
    'The answer lacks a field that Payrun needs. Perhaps the base URL is wrong, or the service has other names: [adapt-to-a-service.md](../how-to/adapt-to-a-service.md#names-and-paths).',
  CREDENTIALS_REFUSED: 'The service does not accept the key, secret or user, or it requires a user (`PAYRUN_USER_ID`).',
  SERVICE_BUSY:
    'Payrun waited as long as the service asked, five times. Run the command again later, perhaps with a lower `--concurrency`.',
  TAG_LOST: '',
  PASS_INCOMPLETE:
    'Payrun must read the whole list before it sends, to find payments that already exist. Run the command again.',
  PAID_ELSEWHERE:
    'Two people, or two machines, paid from the same sheet. Payrun does not send again what the other one paid.',
  SENT_ELSEWHERE:
    'Another ledger of this machine sent payments to the same service. Run the command with that ledger, or wait.',
  LEDGER_RESTORED: 'The scan after the wait finds the payments that the copy does not know.',
  PAYMENT_UNDONE:
    'The row is held until the service reports it as paid again, or a person settles it with `payrun resolve`.',
  COPIES_PAID:
    'The first row seemed unpaid, so its corrected copy was sent. Then the first payment was paid after all. The result names both rows.',
  PAID_TWICE:
    'The result names the row and both payments. Payrun sends nothing more of the batch until one payment ends unpaid, or a person acknowledges both (`--known`).',
  DEPOSIT_CHANGED:
    'Account, address, reference or amount differ from the first reading. A fraud may be the cause. The trail and `payrun funding` have both readings. See [funding.md](../how-to/funding.md#a-changed-account-is-an-alarm).',
  CANARY_OPEN:
    'With a longer `--wait`, one run can follow the canaries until they are paid. See [pay-window.md](pay-window.md#canaries).',
  CANARY_UNPAID: 'See [pay-window.md](pay-window.md#canaries).',
  RAIL_SHUT: 'This occurs only if the setting `rails` is `hold`. See [pay-window.md](pay-window.md#limits-of-a-rail).',
  OUTSIDE_PAY_WINDOW:
    'Payrun still follows payments that were sent. See [pay-window.md](pay-window.md#the-pay-window).',
  PAUSED:
    'A person gave `payrun pause` for this batch or for all. See [workers.md](../how-to/workers.md#pause-a-batch-or-everything).',
  STOPPED_BEFORE: 'The [hot folder](../how-to/hot-folder.md) does not continue a batch that a person stopped.',
  STOPPED: 'Run the same command again to continue.',
};

function errorsPage(): string {
  const codes = Object.keys(refusalExamples) as ErrorCode[];
  const lists = headed('base/refusal.ts', codes).flatMap(([heading, found]) => [
    `## ${heading}`,
    '',
    ...(found as ErrorCode[]).flatMap((code) => [
      wrapped(
        `- **\`${code}\`** (exit ${exitOfCode(code)}): ${quotedSentence(code)}${errorAdvice[code]}`.trimEnd(),
        '  ',
      ),
    ]),
    '',
  ]);
  return [
    '# Errors',
    '',
    generated,
    '',
    wrapped(
      'For people who see an error, and for programs that read it. Each entry has the code, the exit code, an example of ' +
        'the message, and advice. The command prints the message on stderr. With `--json` it also prints ' +
        '`{"error":{"code","facts","message"},"exit"}` on stdout; if the run had begun, its document has the error in ' +
        '`stopped`. Problems of single rows: [columns.md](columns.md). Exit codes: [exit-codes.md](exit-codes.md).',
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
  const quoted = `"${line.replaceAll('"', '')}"`;
  return /[.:]$/.test(line) ? `${quoted} ` : `${quoted}. `;
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
  client: 'What the client expects of any service',
  domain: 'What the rules expect of any service',
  pipeline: 'What the stages of a run rely on',
  service: 'What the embedded service does',
  wire: 'Shapes and names that client and service share',
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
      'For developers, and for operators of another service. Each line names a point that the interface leaves open, and ' +
        'says what Payrun does there. The same text is a comment in the code, which begins "The interface does not show". ' +
        'Numbers in brackets are sections of [interface.md](../reference/interface.md). "This service" is the embedded ' +
        'service. If your service differs from a line above "What the embedded service does", you may need a setting ' +
        '([adapt-to-a-service.md](../how-to/adapt-to-a-service.md)) or a change of the code.',
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
