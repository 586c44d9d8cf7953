/** `npm run gen:docs`: writes the generated pages of docs/ from the code, so that the two cannot differ. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { ErrorCode } from '../src/base/refusal.ts';
import { commands, helpOf } from '../src/cli/args/command-line.ts';
import { everyCommand } from '../src/cli/args/command-table.ts';
import { badSetting, usage } from '../src/cli/compose/command-context.ts';
import { exitOf } from '../src/cli/render/exit-code.ts';
import { type Field, fields } from '../src/domain/rows/cell.ts';
import { batchMeanings, rowMeanings, sheetMeanings } from '../src/messages/problems/meanings.ts';
import { refusalWords } from '../src/messages/refusals.ts';
import { shippedMapWords } from '../src/messages/shipped-maps.ts';
import { refusalKind } from '../src/pipeline/refusal-kind.ts';
import { aliases, fixedFields, parseMap, type ShippedMap, shippedMaps, wordFields } from '../src/sheet/sheet.ts';
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
    ['payrun.1', manualPage()],
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
  return await Promise.all(
    everyCommand(commands).map(async ({ path }) => ({ name: path, help: `${(await helpOf(path)).trimEnd()}\n` })),
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
      'Write an id of your own for each row in `row_id`, with at most 200 characters. Each row needs a different id. ' +
      'A row with a `row_id` stays the same row when you correct its amount. Without a `row_id`, Payrun recognizes a row by its ' +
      'destination, amount, currency, reference, funding source and type of payment. Do not add the column `row_id` to ' +
      'a sheet that you already sent without it, because every row would count as a new payment.',
  },
  payee_id: {
    need: 'no',
    rule:
      'Write your own id of the payee in `payee_id`, such as an employee, customer or supplier number. The ' +
      '`payee_id` shows Payrun that two spellings of a name are the same payee, or that a payee has a new account. ' +
      'Payrun never sends the `payee_id` to the service.',
  },
  name: {
    need: 'always',
    rule:
      "Write the payee's name in 1 to 254 characters: letters A to Z, digits, spaces and `@ / ( ) . , _ -`. Payrun joins the " +
      'columns `first name` and `last name` (or `name` and `surname`) to one name. A word that means an empty cell ' +
      '(`nan`, `None`, `N/A`) is an error in a name or a reference. If `Nan` or `None` really is the name of a payee, write a [correction](corrections.md).',
  },
  country: {
    need: 'always',
    rule:
      'Write the destination in `country`: SouthAfrica, Nigeria, Kenya or BTC. As a destination, Payrun also accepts ISO ' +
      'codes (ZA, ZAF, …), `South Africa`, `Bitcoin` and `Lightning`.',
  },
  bank_name: {
    need: 'by country',
    rule:
      'A row to South Africa needs the name of the bank. A row to Nigeria needs the name of the bank if the row has no ' +
      '`bank_code`. Spell each bank as the service does: `payrun banks` lists the names of banks. Payrun recognizes other common spellings of a bank, and lists each replaced spelling among the problems.',
  },
  bank_code: {
    need: 'by country',
    rule:
      "A row to Nigeria needs the bank's CBN or NIP code in `bank_code`, or the bank's name in `bank_name`. A row may " +
      'have both the code and the name of the bank.',
  },
  branch_code: {
    need: 'no',
    rule:
      'Write the universal branch code of a South African bank in `branch_code`. Payrun compares the branch code with ' +
      "`bank_name`, and never sends the branch code to the service. Another bank's branch code is an error.",
  },
  account_number: {
    need: 'by country',
    rule:
      'A row to South Africa or Nigeria needs an account number, in a text cell. In Nigeria an account number has ten ' +
      'digits. Payrun tests the check digit of an account number. The option `--account-checks` decides if a wrong check ' +
      'digit is an error, a warning or no problem.',
  },
  network_provider: {
    need: 'no',
    rule:
      'Write the mobile-money network of a payee in Kenya in `network_provider`. If ' +
      '`network_provider` is empty, Payrun uses the network in the setting `kenya.networkProvider` ' +
      '([configuration.md](configuration.md)). Without this setting, Payrun uses MOMO.',
  },
  contact_number: {
    need: 'by country',
    rule:
      "A row to Kenya needs the payee's mobile number: +254 and nine digits. Payrun changes 0712345678 and 254712345678 to " +
      '+254712345678, and lists each change among the problems.',
  },
  lnurl: {
    need: 'by country',
    rule: 'A row to BTC needs a Lightning Address (name@example.com, name+tag@example.com) or an LNURL.',
  },
  merchant_id: {
    need: 'no',
    rule:
      "If the service has several merchants for the row's destination, write the id of the right merchant in " +
      "`merchant_id`. The `merchant_id` must belong to the row's destination.",
  },
  amount: {
    need: 'always',
    rule:
      'Write the amount as a whole number of 1 or more, in the currency of the destination. Payrun reads `R 1 500.00` as ' +
      '1500, and lists this change among the problems. Payrun refuses `1,500` and `1.500` without `--number-format`, because ' +
      'each can mean two amounts. A header such as `Amount (ZAR)` sets the currency of every row.\n\n' +
      'The service pays whole rand, naira and shillings only, and Payrun never rounds. An amount with cents is an error. ' +
      'Round net pay in the payroll, and carry the difference to the next month. For an invoice with cents, agree with ' +
      'the payee on who bears the difference. You can carry the cents to the next invoice, or settle the cents in another way. If you give control totals (`--expect`), add up the whole amounts of the sheet.',
  },
  amount_unit: {
    need: 'by country',
    rule:
      'A row to BTC needs the unit `sat`. A row funded from USDT needs the unit `hundredths` (151 means 1.51 USDT), or ' +
      '`USDT` for a decimal amount. In all other rows, leave `amount_unit` empty.',
  },
  currency: {
    need: 'no',
    rule:
      'Write the currency of the destination (ZAR, NGN, KES, BTC), or USDT if the row is funded from USDT. Payrun uses the ' +
      'column `currency` only as a check: any other currency is an error.',
  },
  reference: {
    need: 'always',
    rule:
      'In `reference`, write the text that the payee sees: 1 to 20 letters, digits and single spaces. Payrun reads a column ' +
      '`description` as the reference if no other column is the reference.',
  },
  from_country: {
    need: 'no',
    rule:
      'Write the source of the money in `from_country`: SouthAfrica, Nigeria, Kenya, UnitedKingdom, Europe, USDT or BTC. ' +
      'An empty `from_country` means the source that the option `--from-country` names. Without that option, an empty ' +
      '`from_country` means that the service chooses the source.',
  },
  collection_method: {
    need: 'no',
    rule: 'Only rows funded from Kenya use the column `collection_method`. Write MOMO in `collection_method` if the service must ask a phone for the money of each payment. Write BANK_TRANSFER in `collection_method` if you send the money by bank transfer.',
  },
  type: {
    need: 'no',
    rule:
      "In `type`, write the service's type for the payment: PURCHASE, or a type that the setting `payments.types` names " +
      '([configuration.md](configuration.md)). Any other word in `type` is an error, because in many sheets a column ' +
      '`type` means the kind of account.',
  },
  slow: {
    need: 'no',
    rule: 'Write `yes` in `slow` to ask the service for a slow payment. For a normal payment, write `no` in `slow`, or leave the cell empty.',
  },
  tag: {
    need: 'no',
    rule:
      "Write a note of your own in `tag`. Payrun sends this note to the service, in the payment's `meta`. The service has " +
      'another field with the name `tag`. Payrun writes its own text there, to find the payment again.',
  },
  documents: {
    need: 'by country',
    rule:
      'In `documents`, write the names of files in the documents folder, separated by `;`. Each document is a PDF, PNG or JPEG by its ' +
      'content, and has at most 10 MB. The settings `documents.kinds` and `documents.maxSize` change the limits of ' +
      'documents ([configuration.md](configuration.md)). A row above 50,000 ZAR needs a document. Payrun also ' +
      'adds up the rows to one account that have no document. If their sum is above 50,000 ZAR, each of these rows needs a document. Payrun also finds ' +
      'documents by their file names ([documents.md](documents.md)).',
  },
};

const needWords: { readonly [N in Need]: (field: Field) => string } = {
  always: (field) => `Every row needs the column \`${field}\`.`,
  'by country': (field) => `Only some rows need the column \`${field}\`.`,
  no: (field) => `The column \`${field}\` is optional.`,
};

function columnsPage(): string {
  const columns = fields.flatMap((field) => {
    const { need, rule } = columnRules[field];
    const other = aliases[field].filter((alias) => alias !== field && alias.replaceAll(' ', '_') !== field);
    return [
      `### \`${field}\``,
      '',
      ...(other.length === 0
        ? []
        : [
            wrapped(
              `Payrun also accepts these names for the column \`${field}\`: ${other.map((alias) => `\`${alias}\``).join(', ')}.`,
            ),
            '',
          ]),
      ...`${needWords[need](field)} ${rule}`.split('\n\n').flatMap((part) => [wrapped(part), '']),
    ];
  });
  return [
    '# Columns, and what can be wrong',
    '',
    generated,
    '',
    wrapped(
      'For people who prepare sheets. This page has every column, and every problem that a check can find. Payrun looks ' +
        'for the header in the first fifty lines. The header is the first line with three or more column names that Payrun knows. Payrun accepts titles above the header. Capitals, spaces and signs in a column name make no difference. A misspelt column ' +
        'name is an error, because Payrun would ' +
        'otherwise ignore the column. Payrun does not read a column whose name it does not know. The ' +
        'summary names the unread columns, and the result keeps these columns unchanged.',
    ),
    '',
    wrapped(
      'The last row is a totals row if it begins with *Total*, and has no account and no reference. Payrun never pays a ' +
        'totals row. If all rows have the same currency and no mistakes, Payrun compares the total with the sum of the ' +
        'rows. A total that differs from the sum of the rows is an error. A total or subtotal with payouts below it is an error. `payrun template` writes a blank sheet with the columns of this page. The folder `templates/` has ready-made blank sheets.',
    ),
    '',
    '## Columns',
    '',
    ...columns,
    ...unreadColumns,
    '## Problems',
    '',
    wrapped(
      'Every problem has a row number (as the spreadsheet shows it), a column, a code, a severity and a sentence. The ' +
        'screen shows the first 50 problems, and `--json` shows up to 10,000. The checked workbook and the list beside it have all problems ([fix-a-sheet.md](../how-to/fix-a-sheet.md)).',
    ),
    '',
    '| Severity | On the screen | Means |',
    '|---|---|---|',
    '| The severity `error` | The screen shows **fix**. | Payrun cannot pay the row until you fix the problem. |',
    '| The severity `warning` | The screen shows **look**. | Payrun can pay the row, but check the row first. |',
    '| The severity `repair` | The screen shows **read**. | Payrun understood the cell, and you need not do anything. |',
    '',
    wrapped(
      'The lists below explain the code of each problem. One code can be an error in one row, and a warning in another row.',
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
    'Some sheets have a column that decides which rows to pay: a column of ticks, the status at another provider, `Hold` ' +
      'or `Approved by`. Payrun may find such a column among the columns that it does not read. Then Payrun asks about the column: it refuses the sheet until a person gives one of these options:',
  ),
  '',
  '| You write | Effect |',
  '|---|---|',
  '| `--only "status=FAILED"` | Payrun pays only the rows with FAILED in the column `status`. |',
  '| `--only "Hold="` | Payrun pays only the rows with an empty cell in the column `Hold`. |',
  '| `--only "status=FAILED" --only "status=EXPIRED"` | Payrun pays only the rows with FAILED or EXPIRED in the column `status`. |',
  '| `--only "status=FAILED" --only "Hold="` | Payrun pays only the rows with FAILED in `status` and an empty cell in `Hold`. |',
  '| `--ignore-column status` | Payrun pays all rows, whatever the column `status` says. |',
  '',
  wrapped(
    'Capitals, accents and outer spaces make no difference in a value of `--only`. A dash and `n/a` count as empty ' +
      'cells for `--only`. The batch and the plan store these options. So `resume` and the workers pay the rows that the approvers ' +
      'saw. The settings `sheet.only` and `sheet.ignoreColumns` have the effect of `--only` and `--ignore-column` for every sheet ' +
      '([configuration.md](configuration.md)). The options `--only` and `--ignore-column` take precedence over the settings. Rows that `--only` leaves out are not in the batch. The summary counts the rows that `--only` leaves ' +
      'out, and the result calls them `left out`. Payrun refuses the sheet if `--only` names a missing column, or a ' +
      'value that no row has.',
  ),
  '',
  wrapped('Payrun asks about an unread column if the column has a filled cell, and one of these points is true:'),
  '',
  wrapped(
    '- The header of the column names a state or a decision (`Status`, `Paid`, `Approved by`, `Include`, `Bezahlt`, also ' +
      '`Days paid`) or ends with `?`.',
    '  ',
  ),
  wrapped(
    '- The cells put the rows into two or three groups, such as `yes` and `no`, or ticks and empty cells. All dates in a ' +
      'column count as one group.',
    '  ',
  ),
  wrapped(
    '- At least half of the rows have the same text, and the other rows have other texts. In the results of another provider, paid rows often have one text, and each failure has its own message.',
    '  ',
  ),
  '',
  wrapped(
    'Numbers put the rows into groups only if each number has one digit. A column in which all cells differ usually forms no groups of rows. Payrun cannot tell a department from a payment status, so Payrun also asks about a column `Department` with three ' +
      'departments. To stop the question about a harmless column, name the column in the setting `sheet.ignoreColumns`. ' +
      'If every cell has the same text, and the header names no decision, Payrun prints a note and does not ask.',
  ),
  '',
  wrapped(
    '`--only` cannot use a column in which a cell has an error, or a formula without a current result. Calculate and ' +
      'save the workbook before you use `--only`, or use `--ignore-column`. In your own map, `null` means that Payrun ' +
      'does not read a column. If the column looks as if it decides which rows to pay, Payrun still refuses the sheet until you answer.',
  ),
  '',
  wrapped(
    'Payrun also looks for marks that forbid a payment, such as `do not pay`, `on hold`, `cancelled` or `resigned`. A ' +
      'single word such as `paid` in a longer text is a stop word, which may also forbid the payment. With `--ignore-column`, ' +
      'Payrun does not look for marks and stop words in the column that the option names. Marks and stop words give these problems:',
  ),
  '',
  '| Text | Problem |',
  '|---|---|',
  '| A cell of an unread column is a mark, or contains a mark. | This mark is an error. |',
  '| A name, reference or tag is a mark and nothing else. | This mark is an error. |',
  '| Only a part of a name, reference or tag is a mark. | This mark is a warning. |',
  '| A text has a stop word at its end or in capitals, as in `INV 12 PAID`. | The stop word is a warning. |',
  '| A name, reference or tag begins with a stop word, as in `Paid leave`. | The stop word is a warning. |',
  '',
  wrapped(
    'Payrun pays at the time of the run, so it compares the dates in unread columns with today. With ' +
      '`--ignore-column`, Payrun does not check the dates in the column that the option names. The check of dates gives these problems:',
  ),
  '',
  '| Date | Problem |',
  '|---|---|',
  '| A payment date (`Payment date`, `Pay on`, `Zahldatum`) is another day than today. | Payrun gives a warning. |',
  '| A payment date is more than 35 days before or after today. | Payrun reports an error. |',
  '| A payment date is not readable as a day. | Payrun reports an error. |',
  '| A date in a column `Scheduled` is more than 35 days after today. | Payrun reports an error. |',
  '| A due date is more than 35 days after today. | Payrun gives a warning. |',
  '| A date in any other unread column is after today. | Payrun gives a warning. |',
  '',
  wrapped(
    'Sometimes the amounts to pay are in an unread column, such as `Net payable`, `Amount to pay`, `Balance` or ' +
      '`Total`. Then the column that Payrun reads as `amount` has other numbers. Payrun recognizes a column of amounts if every word of its header means an amount to pay. Payrun refuses ' +
      'the sheet (`COLUMN_TWICE`) if a row has one number in an unread column of amounts and another number in `amount`. If two columns have amounts, delete one of them, or rename the unread column. A map or `--ignore-column` can also decide which column is the ' +
      'amount.',
  ),
  '',
];

/** Returns a list for each heading comment in the table's source, in its order. */
function meaningLists(meanings: Readonly<Record<string, string>>): string[] {
  return headed('messages/problems/meanings.ts', Object.keys(meanings)).flatMap(([heading, codes]) => [
    ...(heading === null ? [] : [`#### ${heading}`, '']),
    ...codes.map((code) => wrapped(`- \`${code}\`: ${meanings[code]}`, '  ')),
    '',
  ]);
}

/** Returns a table's codes under the `// Heading.` comments of its source. */
function headed(file: string, codes: readonly string[]): [string | null, string[]][] {
  const lists: [string | null, string[]][] = [];
  for (const line of readFileSync(join(source, file), 'utf8').split('\n')) {
    const heading = /^ {2}\/\/ (.+?)[.:]?$/.exec(line)?.[1];
    // A line has one code before its facts, or quotes the codes that share their facts.
    const [, code = '', shared = ''] = /^ {2}([A-Z][A-Z_]+):|^ {2}.*'([A-Z][A-Z_ ]+)'/.exec(line) ?? [];
    if (line.startsWith('export ')) lists.push([null, []]);
    if (heading !== undefined) lists.push([heading.replace(/[.:] .*/, ''), []]);
    const found = `${code} ${shared}`.split(' ').filter((one) => codes.includes(one));
    if (lists.length === 0) lists.push([null, []]);
    lists.at(-1)?.[1].push(...found);
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
      'For people whose sheets have other column names than [columns.md](columns.md) lists. A map is a file that says what each column ' +
        'of a sheet means. With `--map FILE`, Payrun uses your own map. With `--map NAME`, Payrun uses a map that comes with Payrun. The commands `check`, `plan`, `run`, `rehearse` and `watch` accept the option `--map`. If a sheet has an unknown header, ' +
        '`payrun check` prints a suggested map. With `--json`, this map is in the field `map.suggested`. `payrun check` also names a map that comes with Payrun, if such a map fits the sheet. Payrun makes a suggested map from the column names alone, so check the map before you use it. Payrun uses a map only if you name it with `--map`.',
    ),
    '',
    '```json',
    example,
    '```',
    '',
    wrapped(
      "- **`columns`** gives Payrun's column for each header of the sheet. Case, spaces and punctuation in a header make no " +
        'difference. If a header occurs several times in the sheet, give this header a list of columns, from left to right. If a header has `null` in the map, Payrun does not read its column. If such a column seems to decide which rows to pay, Payrun still refuses the sheet until you write `--only` or `--ignore-column` ' +
        '([columns.md](columns.md#columns-that-are-not-read)). Payrun joins `first_name` and `last_name` to one name. ' +
        'Headers that are not in the map keep their usual meaning.',
      '  ',
    ),
    wrapped(
      `- **\`values\`** sets one value for every row, in a column that the sheet lacks. Only these columns can have one value for every row: ${list(fixedFields)}. ` +
        '`"amount_unit": "cents"` means that amounts are in cents or kobo. Payrun reads 150000 cents as 1500, and lists this change among the problems. Payrun refuses an amount in cents that is no whole number of units, such as 150050.',
      '  ',
    ),
    wrapped(
      `- **\`words\`** replaces words of the sheet with Payrun's words, in these columns: ${list(wordFields)}. Payrun lists each replaced word among the problems.`,
      '  ',
    ),
    wrapped(
      '- **`number_format`** is `1,234.56` or `1.234,56`, and has the same meaning as the option `--number-format`.',
      '  ',
    ),
    '',
    'Every part of a map is optional. Payrun refuses a map with one of these mistakes, and names the place of the mistake:',
    '',
    '- The map has a part or a column that Payrun does not know.',
    '- The map gives the same column of Payrun to two headers.',
    '- The sheet lacks a header of the map.',
    '- A header occurs in the sheet more often, or less often, than in the map.',
    '- The map sets a value for a column that the sheet has.',
    '',
    wrapped(
      'The summary of every command names the map. The batch stores the map, so `resume`, `report` and a submitted result work without `--map` and without the file of the map. For a new sheet of a batch with a map, give `--map` again. Without `--map`, the run stops ' +
        '([exit code 26](exit-codes.md)). If the new sheet needs no map, write `--map none`.',
    ),
    '',
    "## Other products' files",
    '',
    wrapped(
      'Each section shows a map that comes with Payrun. [samples/other/](../../samples/README.md) has a sample file for each ' +
        'map. Payrun refuses a file that lacks a necessary value, such as the account. The list below each map says what you have to add or change in a file of this kind. To change a map, save the map as a file, and name the file with `--map`. In a map of your own, delete the headers that your sheet lacks, because the sheet must have every header of the map.',
    ),
    '',
    ...shippedMaps.flatMap(shippedPart),
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

function shippedPart({ name, seen, columns, values, words, shipped }: ShippedMap): string[] {
  const { product, about, source, lacks = {}, refused = {} } = shippedMapWords[name];
  const optional =
    shipped.optional.length === 0
      ? ''
      : ` The map \`${name}\` also accepts files without these headers: ${shipped.optional.join(', ')}.`;
  return [
    `### \`--map ${name}\``,
    '',
    wrapped(`The map \`${name}\` reads files of this kind: ${product}. ${about}${optional}`),
    '',
    wrapped(`The column names of the map \`${name}\` come from this source, read on ${seen}: ${source}.`),
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
    'Change the file before you submit it, if one of these points is true:',
    '',
    ...shipped.lacks.map((field) => wrapped(`- The file has no column for \`${field}\`: ${lacks[field]}.`, '  ')),
    ...shipped.refusedHeaders.map((header) =>
      wrapped(`- The file has a column \`${header}\`: ${refused[header]}.`, '  '),
    ),
    ...Object.entries(shipped.refusedWords).flatMap(([field, words]) =>
      words.map((word) =>
        wrapped(
          `- A row has the word \`${word}\` in the column that the map reads as \`${field}\`: ${refused[word]}.`,
          '  ',
        ),
      ),
    ),
    '',
  ];
}

// --- Errors

/** The commands that can end with the error, if only a few can. */
const errorCommands: { readonly [C in ErrorCode]?: string } = {
  FOLDER_UNUSABLE: '`payrun watch`',
  HOT_FOLDER_REPLACED: '`payrun watch`',
  HOT_FOLDER_LOCK_DAMAGED: '`payrun watch`',
  HOT_FOLDER_RECORD_UNREADABLE: '`payrun watch`',
  FOLDER_BUSY: '`payrun watch`',
  LEDGER_COPY_NEEDS_POSTGRES: '`payrun ledger copy`',
  COPY_MEETS_OTHER_LEDGER: '`payrun ledger copy`',
  COPY_MEETS_EARLIER_STATE: '`payrun ledger copy`',
  COPY_WENT_APART: '`payrun ledger copy`',
  WORKERS_NEED_POSTGRES: '`payrun worker`',
  WEBHOOKS_UNHEARD: 'A command with `--listen`',
  ROW_IN_OTHER_STATE: '`payrun resolve`, `retry` and `drop`',
  ROW_ACCOUNT_UNCHANGED: '`payrun release`',
  ROW_HELD_FOR_ACCOUNT: '`payrun resolve`',
  ROW_LOOKS_PAID: '`payrun resolve --not-paid` and `--not-a-repeat`',
  PAYMENT_OF_OTHER_ROW: '`payrun resolve --paid`',
  PAYMENT_NOT_AT_SERVICE: '`payrun resolve --paid`',
  PAYMENT_EXPIRED: '`payrun resolve --paid`',
  PAYMENT_DIFFERS: '`payrun resolve --paid`',
  PAYMENT_NOT_GONE: '`payrun resolve --gone`',
  PAYMENT_FOUND: '`payrun resolve --not-paid` and `--not-a-repeat`',
  PAYMENT_MAY_APPEAR: '`payrun resolve`',
  ROW_MAY_BE_PAID: '`payrun drop`',
  ROW_IS_CLOSED: '`payrun resolve`, `release`, `retry` and `drop`',
  ROW_IS_OPEN: '`payrun reopen`',
  ROW_NOT_LISTED: '`payrun reopen` and `retry`',
  ROW_HAS_MISTAKE: '`payrun retry`',
  SERVICE_DATA_BUSY: '`payrun service`',
  SERVICE_DATA_FOREIGN: '`payrun service`',
  SERVICE_DATABASE_UNUSABLE: '`payrun service`',
  SERVICE_ADDRESS_UNUSABLE: '`payrun service`',
  BASE_PATH_INVALID: '`payrun service`',
  PUBLIC_URL_INVALID: '`payrun service`',
  FAULT_ROUTE_UNKNOWN: '`payrun service --faults`',
  FAULT_KIND_MISPLACED: '`payrun service --faults`',
  TENANT_NAMELESS: '`payrun service tenant`',
  TENANT_UNKNOWN: '`payrun service tenant`',
  USER_UNKNOWN: '`payrun service user`',
  USER_DISABLED: '`payrun service user`',
  PLAN_EXPIRED: '`payrun approve`',
  MAKER_UNSIGNABLE: '`payrun approve`',
  SIGNATURE_USELESS: '`payrun approve`',
  REASON_PLACEHOLDER: 'Every command that takes a reason',
  RELEASE_NEEDS_KEY: '`payrun release`, `resolve` or `reopen`',
  RELEASE_BY_MAKER: '`payrun release`, `resolve` or `reopen`',
  RELEASE_MAKER_UNKNOWN: '`payrun release`',
  RELEASE_SIGNATURE_USELESS: '`payrun release`, `resolve` or `reopen`',
  SERVICE_LACKS: 'A command for one endpoint, such as `payrun payments`,',
  SERVICE_REFUSED: 'A command for one endpoint, such as `payrun payments`,',
  CALL_IN_DOUBT: 'A command for one endpoint that makes something, such as `payrun merchants add`,',
  DOCUMENTS_NOT_LISTED: '`payrun documents list`',
};

/** Adds the cause of a refusal, and the page that explains more, where the message lacks them. */
const errorAdvice: { readonly [C in ErrorCode]?: string } = {
  CREDENTIALS_MISSING:
    '`--sandbox` starts the embedded service, which pays no real money. Without `--sandbox`, Payrun pays at the service that the settings name.',
  FILE_UNREADABLE: 'The sheet is missing, is not a file, or is larger than 1 GiB.',
  SHEET_COPY_GONE:
    'Payrun stores a copy of each sheet in a folder beside the ledger. Restore that folder from a backup.',
  MAP_UNUSABLE:
    'Payrun reads the map before the sheet. The message lists the mistakes in the map, each with its place. [maps.md](maps.md) explains maps.',
  CORRECTIONS_UNUSABLE:
    'Payrun reads the corrections before the sheet. [corrections.md](corrections.md) explains files of corrections.',
  FOLDER_UNWRITABLE: 'Before the first payment, Payrun writes a small test file into the folder for the result.',
  FOLDER_UNUSABLE: '[hot-folder.md](../how-to/hot-folder.md) explains hot folders.',
  DISK_UNWRITABLE:
    'The folder in the message contains the copies of sheets, or the files of `payrun watch`. The sheet and the settings are not the cause.',
  COPIES_UNWRITABLE:
    'The copies of sheets are in a folder beside the ledger, or in the folder that `PAYRUN_LEDGER_FILES` names. In a [hot folder](../how-to/hot-folder.md), the watcher tries the same sheet again later.',
  FOLDER_BUSY:
    'Only one watcher at a time uses a folder. A second watcher with `--once` ends with `FOLDER_BUSY`. A second watcher without `--once` waits until the first watcher ends.',
  LEDGER_HAS_NO_BATCH: 'A command that names no batch uses the newest batch of the ledger.',
  LEDGER_ADDRESS_UNUSABLE: '[ledger.md](ledger.md) says where a ledger can be.',
  WORKERS_NEED_POSTGRES: '[workers.md](../how-to/workers.md) explains workers.',
  SCHEDULE_UNUSABLE:
    'For example, `--cron "0 8 25 * *"` means 08:00 on the 25th day of each month. `--zone` has the name of a time zone, such as `Africa/Johannesburg`.',
  CAP_UNUSABLE: '[caps.md](caps.md) explains caps.',
  EXPECT_UNUSABLE: '[control-totals.md](../how-to/control-totals.md) explains control totals.',
  PAY_WINDOWS_NEVER_MEET: '[pay-window.md](pay-window.md) explains pay windows.',
  LEAD_MOVED: 'A worker decides again at once, and needs no person.',
  WORKBOOK_ROWS_TOO_MANY: 'Payrun checks the number of rows before the first payment.',
  CONSOLE_BUSY: 'Only one console at a time can use a ledger.',
  CONSOLE_PAGE_MISSING: 'To repair the console, install Payrun again.',
  FAULT_ROUTE_UNKNOWN: 'For tests, `--faults` makes calls to a route of the service fail. `*` means every route.',
  FAULT_KIND_MISPLACED: '`webhook` stands for the calls by which the service reports payments.',
  SHEET_HAS_PROBLEMS:
    'The trail records `SHEET_HAS_PROBLEMS` if a run under an approved plan finds mistakes in the sheet.',
  PAYEES_REFUSED:
    'The list of problems, which the command also prints, has the reason for each refused payee. [columns.md](columns.md) lists all problems.',
  SHEET_CHANGED:
    'For example, a person changed the sheet in a [hot folder](../how-to/hot-folder.md) after the check. Payrun pays only the content that it checked.',
  TOTALS_DIFFER:
    'The message lists each total that differs. [control-totals.md](../how-to/control-totals.md) explains control totals.',
  OVER_CAP:
    'A cap limits the sum of a row, a payee, a batch or a day. The message lists each exceeded cap. [caps.md](caps.md) explains caps.',
  VARIANCE:
    'The sheet differs from the last sheet of its series by more than the setting `controls.variance.percent` allows. [release-a-payee.md](../how-to/release-a-payee.md#compare-with-last-month) explains the comparison with the last sheet.',
  LEDGER_BUSY:
    'Only one run at a time sends from a ledger. The message names the process of the other run. When that process ends, even by a crash, the ledger is free.',
  LEDGER_UNUSABLE:
    'For example, the folder of the ledger is missing, the disk is full, or the ledger is on a network disk.',
  LEDGER_UNWRITABLE: 'No payment is lost: Payrun writes the intent of each row to the ledger before it sends the row.',
  LEDGER_DAMAGED:
    '[recover-a-ledger.md](../how-to/recover-a-ledger.md#the-ledger-is-damaged) says what to do about a damaged ledger.',
  BATCH_UNKNOWN: 'The batch may be in another ledger. `--sandbox` and `--ledger` choose the ledger.',
  REPEATS_A_DOUBT: '[settle-a-doubt.md](../how-to/settle-a-doubt.md) says how to settle a row in doubt.',
  SENT_ROWS_CHANGED:
    'The message names each changed row with its old and new values, or says that it has a mistake. A row that was sent cannot change.',
  ROWS_ADDED: '`--add` pays the new rows. `--add --drop` also closes the unpaid rows that the sheet lacks.',
  ROWS_DROPPED: '`--drop` closes the rows that the sheet lacks, so Payrun never pays these rows.',
  ADDITION_CHANGES_ROWS: 'Without `--drop`, the option `--add` can only add rows to the batch.',
  OLDER_VERSION:
    'Payrun compares each row with its content in all earlier sheets of the batch. [versions.md](../explanation/versions.md#which-sheet-counts) says which sheet of a batch counts.',
  BATCH_UNNAMED:
    'Without a name, Payrun continues a batch only with the same rows. [versions.md](../explanation/versions.md) says what a new version does to each row.',
  ROWS_CLOSED: '`payrun drop` closes rows, and `payrun reopen` opens them again.',
  BATCH_PAID:
    '`BATCH_PAID` appears only if the last payment is more than 24 hours old. Before that, the same command sends nothing and ends with exit code 0.',
  BATCH_PAID_IN_PART: 'Payrun found the payments at the service by the tags of the rows.',
  PAYMENT_ALIVE: 'A service can pay a payment even after it reported the payment as expired.',
  MAP_LEFT_OUT: '[maps.md](maps.md) explains maps.',
  CLAIMS_UNKNOWN:
    'If you submit a result as a sheet, Payrun continues its batch, and so needs the ledger of that batch. `payrun ledger rebind` moves a batch to another address or key. Payrun treats a result without the column `payrun_status` as an ordinary sheet.',
  SHEET_LOOKS_PAID:
    'The message lists the rows that look like earlier payments. [duplicate-checks.md](duplicate-checks.md) explains the checks for duplicates.',
  PROPOSAL_WAITS:
    'A batch has at most one waiting plan. [console.md](../tutorials/console.md) shows how plans work at the console.',
  VERSION_CONFLICT: '[versions.md](../explanation/versions.md#which-sheet-counts) says which sheet of a batch counts.',
  IDENTITY_CHANGED:
    'With another address, key or user, the service perhaps does not show the earlier payments. Payrun could then pay the same rows again.',
  IDENTITY_UNPROVEN:
    '`payrun ledger rebind` reads up to three payments of the batch, both in the list and by id. The message names a payment that was missing or had another tag.',
  PLAN_NOT_FOUND: '`--approve` accepts the digest of a plan, or at least its first 32 digits.',
  PLAN_CHANGED:
    "The digest covers every byte of the plan's file. Payrun refuses a plan whose file changed by one byte.",
  PLAN_EXPIRED: 'A plan is valid until its expiry. `payrun plan --expires` sets a later expiry.',
  PLAN_DECLINED: 'A later signature does not undo the decline.',
  PLAN_DIFFERS:
    'The message lists the differences between the plan and the run. [approve-a-plan.md](../how-to/approve-a-plan.md) explains plans and approvals.',
  BATCH_LEAVES_PLAN: 'Every later run of the batch must agree with its plan.',
  APPROVALS_TOO_FEW: '[approve-a-plan.md](../how-to/approve-a-plan.md) explains plans and approvals.',
  OWN_SHEET: 'At a terminal, Payrun signs, and a run then does not count the signature.',
  OWN_TO_DISCARD: 'Payrun refuses a decline by a person who made the plan or a sheet of its batch.',
  NOT_OWN_PLAN: 'Only the makers of a plan withdraw it. Any other person declines it.',
  POLICY_NOT_FOUND:
    'The ledger records the policy of its payments, and Payrun sends nothing without this policy. So name the policy if you run Payrun in another folder, under cron or on another machine. [policy.md](policy.md#which-policy-binds) says which policy Payrun uses.',
  POLICY_DIFFERS:
    'A copy of the policy counts only if its text is identical. [policy.md](policy.md) explains the policy file.',
  POLICY_UNUSABLE:
    'The policy file is missing or has mistakes. The message names each mistake in the policy file. [policy.md](policy.md) explains the policy file.',
  SERVICE_UNREACHABLE:
    'No program listens at the address, the network is down, or the service answered with server errors. To send the rows that are not sent yet, run the command again later.',
  SERVICE_UNREADABLE:
    'After several payments in doubt, Payrun sends one row alone as a test. If the test row is in doubt too, the run stops and sends no other row.',
  REFUSED_IN_A_ROW:
    '`payrun retry` sends the refused rows again, and `payrun resume` sends the other rows. The number of refusals that stops a run is a setting ([caps.md](caps.md#breakers)).',
  SERVICE_ANSWER:
    'The base URL may be wrong, or the service may use other names for paths and fields ([adapt-to-a-service.md](../how-to/adapt-to-a-service.md#names-and-paths)).',
  CREDENTIALS_REFUSED: 'The service does not accept the key, secret or user, or it requires a user (`PAYRUN_USER_ID`).',
  SERVICE_BUSY:
    'Payrun waited five times, each time as long as the service asked. Run the command again later, perhaps with a lower `--concurrency`.',
  TAG_LOST: 'Ask the service why it does not return the tag of the payment unchanged.',
  PASS_INCOMPLETE:
    "Before Payrun sends, it reads the service's whole list of payments to find the payments that already exist. After an incomplete list scan, run the command again.",
  PAID_ELSEWHERE:
    'For example, two people or two machines paid from the same sheet. Payrun does not send the rows that the other ledger paid.',
  SENT_ELSEWHERE:
    '`SENT_ELSEWHERE` is about another ledger on this machine. Run the command with the other ledger, or wait.',
  LEDGER_RESTORED: 'After the time in the message, the next list scan finds the payments that the restored copy lacks.',
  PAYMENT_UNDONE:
    'Payrun holds each row of the message until the service reports the payment as paid again, or until a person settles the row with `payrun resolve`.',
  COPIES_PAID:
    'The service reported the first row as unpaid. Then Payrun sent a copy: a row with the same account, amount and reference. Later the service paid the first row after all. The result names both rows. If both payments are intended, confirm them with the command in the message.',
  PAID_TWICE:
    'The result names the row and both payments. The batch continues when one payment ends unpaid, or when a person confirms both payments with `--known`.',
  DEPOSIT_CHANGED:
    'The new account, address, reference or amount differs from the first details, perhaps because of a fraud. The trail and `payrun funding` show the old and the new details. [funding.md](../how-to/funding.md#a-changed-account-is-an-alarm) says what to do about a changed account.',
  CANARY_OPEN:
    'Canaries are the first rows of a batch, and they must be paid before Payrun sends the other rows. With a longer `--wait`, one run can follow the canaries to their end. [pay-window.md](pay-window.md#canaries) explains canaries.',
  CANARY_UNPAID:
    'If the batch runs under a plan, `--canary 0` needs a new plan. [pay-window.md](pay-window.md#canaries) explains canaries.',
  RAIL_SHUT:
    'A rail is the payment system of a country. `RAIL_SHUT` appears only if the setting `rails` is `hold`. [pay-window.md](pay-window.md#limits-of-a-rail) lists the limits of rails.',
  OUTSIDE_PAY_WINDOW:
    'Outside the pay window, Payrun still follows the payments that it sent. [pay-window.md](pay-window.md#the-pay-window) explains pay windows.',
  PAUSED:
    '`payrun pause` pauses one batch or all batches. [workers.md](../how-to/workers.md#pause-one-batch-or-all-batches) says how to pause batches.',
  STOPPED_BEFORE: 'The [hot folder](../how-to/hot-folder.md) does not continue a batch that a person stopped.',
  STOPPED: 'To continue, run the same command again.',
};

/** Mistakes in a command or a setting, which the terminal words. */
const mistakes = {
  USAGE: {
    example: usage('--cap was given twice'),
    advice: '`payrun COMMAND --help` lists the options and arguments of a command.',
  },
  CONFIG: {
    example: badSetting('PAYRUN_CONFIG names pay.json, and there is no such file'),
    advice:
      'An environment variable, a secret file or payrun.config.json has a value that Payrun cannot use. [settings.md](settings.md) lists all settings.',
  },
};

function errorSection(code: string, exit: number, message: string, advice: string): string[] {
  return [
    `### \`${code}\` (exit ${exit})`,
    '',
    '```text',
    wrapped(message),
    '```',
    '',
    ...(advice === '' ? [] : [wrapped(advice), '']),
  ];
}

const refusalFiles = ['base/refusal.ts', 'base/refusals/row-refusals.ts', 'base/refusals/sheet-refusals.ts'];

function errorsPage(): string {
  const codes = Object.keys(refusalExamples) as ErrorCode[];
  const lists = refusalFiles
    .flatMap((file) => headed(file, codes))
    .flatMap(([heading, found]) => [
      `## ${heading}`,
      '',
      ...(found as ErrorCode[]).flatMap((code) => {
        const commands = errorCommands[code];
        const ends = commands === undefined ? '' : `${commands} can end with \`${code}\`.`;
        const advice = `${ends} ${errorAdvice[code] ?? ''}`.trim();
        return errorSection(code, exitOf(refusalKind(code)), firstLine(code), advice);
      }),
    ]);
  return [
    '# Errors',
    '',
    generated,
    '',
    wrapped(
      'For people who see an error, and for programs that read the JSON of an error. Each section has the code, the exit code and the first ' +
        'line of an example message. The text below a message explains the error. The command prints the message on stderr. With `--json` the command also prints ' +
        '`{"error":{"code","facts","message"},"end","exit"}` on stdout. If a run stops with an error after it began, its JSON output has the error in the field `stopped`. [columns.md](columns.md) lists the problems of single rows, and [exit-codes.md](exit-codes.md) lists the exit codes.',
    ),
    '',
    '## Mistakes in a command or a setting',
    '',
    'These errors have no `facts`.',
    '',
    ...Object.entries(mistakes).flatMap(([code, { example, advice }]) =>
      errorSection(code, exitOf('usage'), example.message, advice),
    ),
    ...lists,
  ]
    .join('\n')
    .replace(/\n+$/, '\n');
}

/** Returns the first line of a refusal's message for example facts. */
function firstLine(code: ErrorCode): string {
  return refusalWords({ code, facts: refusalExamples[code] }).split('\n')[0] ?? '';
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
        const ended = /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
        return wrapped(`- The interface does not show ${ended} ([${file}](../../src/${file}))`, '  ');
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
        'says what Payrun does there. The line is also a comment in the linked file. Numbers in brackets are sections of ' +
        '[interface.md](../reference/interface.md). "This service" is the embedded service. If your service differs from ' +
        'a line of the first three sections, you need a setting ' +
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
  // An option such as `--out` stays beside the word before it, because a line that begins with a hyphen looks like a list item.
  const words = text.match(/(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|[^\s`[]| (?=--)|\[)+/g) ?? [];
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
