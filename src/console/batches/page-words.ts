/** Replaces flags and commands in the command line's sentences by actions on the page. */
import { countryWords, fieldWords } from '../../messages/field-words.ts';
import { hasPageWords, type PageMessage, pageWords } from '../../messages/web/messages.ts';

/** Returns a unit in people's words, for a name such as `BTC:sat`. */
const unitWords = (name = '') => {
  const [code = '', unit] = name.split(':');
  return unit === 'sat' ? `${code} in satoshis` : unit === undefined ? code : `${code} in ${unit}`;
};

type Instead = string | ((words: string, ...groups: string[]) => string);

const instead: readonly (readonly [RegExp, Instead])[] = [
  [/Choose one with --sheet NAME, or correct the names\./g, 'Choose one of them here, or correct the names.'],
  [
    /Choose one with --sheet NAME, and `payrun check` prints a map to start from; or see `payrun template`\./g,
    'Choose one of them here.',
  ],
  [/Choose one with --sheet NAME/g, 'Choose one of them here'],
  [/--map can say so/g, 'say so where columns are matched'],
  [/, who is none of the makers of .*$/gs, ', who is no preparer any more. A preparer makes a new plan of the sheet.'],
  [
    /--expect: no (\S+) expected, the sheet has ([\d,]+)/g,
    (_, name, amount) =>
      `Who gives the total of one currency gives them all: the sheet has ${amount} ${unitWords(name)} too, and no total was given for that.`,
  ],
  [/--expect: (\w+:\w+) /g, (_, name) => `Control total: ${unitWords(name)} `],
  [/--expect: /g, 'Control total: '],
  [
    /, by another way than the sheet came: [^\n]*--expect rows=N --expect ZAR=SUM/g,
    ', by another way than the sheet came, and give them here',
  ],
  [/'?(?:\/[^\s'"/]+)+\/uploads\/[0-9a-f]{32}\/documents\b'?/g, 'the documents that were handed in'],
  [/'?(?:\/[^\s'"/]+)+\/columns\.json\b'?/g, 'the columns as they were matched'],
  [/(?:\/[^\s'"/]+)+\/uploads\/[0-9a-f]{32}\/(?:[^\s'"/]+\/)*([^\s'"/]+)/g, '$1'],
  [/\bkey ([0-9a-f]{1,8}…), tenant\b/g, 'API key $1, for the organisation itself'],
  [/\bkey ([0-9a-f]{1,8}…), user (?=\S)/g, 'API key $1, for user '],
  [/or pay the others with --skip-invalid/g, 'or leave them out'],
  [
    /; open it in the spreadsheet program and save it, or paste the values/g,
    '; write its value here, or save the file in the spreadsheet program and hand it in again',
  ],
  [/; correct the formula/g, '; write its value here, or correct the formula in the file and hand it in again'],
  [/\bpays the same amount to the same payee with\b/g, 'pays the same amount to the same account with'],
  [/; type it again (?:in a text cell|as text)/g, '; write it here as it should be'],
  [/, or take the row out/g, ', or plan the good rows alone, which leaves this one out'],
  [/, else (?:delete one|take one out)/g, ', else plan the good rows alone, which leaves this one out'],
  [
    /Look at it with payrun plan; if it is meant, run it again with --confirm-variance "the reason"/g,
    'If it is meant, say why, and plan it again',
  ],
  [/^( *)(--[a-z-]+)(?= was .*, is )/gm, (words, indent, option) => `${indent}${optionWords[option ?? ''] ?? words}`],
];

const optionWords: Readonly<Record<string, string>> = {
  '--add': 'adding new rows',
  '--skip-invalid': 'leaving out rows',
  '--update-names': 'new names of payees',
  '--confirm-repeat': 'the reason for paying again',
  '--series': 'the series',
  '--confirm-variance': 'the reason why it differs',
};

const fields = new RegExp(String.raw`\b(?:${Object.keys(fieldWords).join('|')})\b`, 'g');

const commands =
  'approve audit banks check console explain funding key ledger list plan reconcile release report resolve resume ' +
  'pause retry run schedule serve signature template trail watch work worker';
const flags =
  'account-checks add all allow-momo-push approve as-user base-path batch batch-if-new behind-proxy body ' +
  'by canary cap concurrency confirm-repeat confirm-variance corrections country cron csv data database ' +
  'deployment documents documents-kinds documents-max-size documents-policy end every exit-code expect expires ' +
  'faults format fresh from-country given-up gone host html ignore-column inactive include-hidden json keep key kills ' +
  'known label lead ledger listen log maker map metrics-port minutes momo-accounts not-a-repeat not-paid ' +
  'list number-format offline once only out outside paid pay-window payment plan policy port public-url quiet ' +
  'rail-limits reason release-absent requests-per-minute result retry-row row rows ' +
  'sandbox seed series sheet skip-invalid still tls-cert tls-key tokens-per-minute totals trail type ' +
  'unsigned until-eof update-names upload-space uploads user variance wait webhook-url write zone';
const oneOf = (words: string) => words.replaceAll(' ', '|');

const terminal = new RegExp(String.raw`(?:^|[\s("\`])--(?:${oneOf(flags)})(?![\w-])|\bpayrun (?:${oneOf(commands)})\b`);
const isForTerminal = (words: string) => terminal.test(words);

/** Matches quotes around a person's words, which may contain quotes. Folders of the console are no such words. */
const inQuotes =
  /(?<![\p{L}\p{N}])'(?!\/(?:[^'\n]*\/)?(?:uploads\/[0-9a-f]{32}|columns\.json))([^\n]+?)'(?![\p{L}\p{N}])/gu;
/** Matches payees' names, which stay unchanged. */
const withNames =
  /(?<=account changed: |known in another country: ).+(?=; the row is held|; IT IS NOT HELD|; see that it is)|(?<=was last paid as ).+(?=; see that it is meant)/g;

function setAside(words: string): [marked: string, back: (text: string) => string] {
  const kept: string[] = [];
  const back = (text: string): string => text.replaceAll(/\uE000(\d+)\uE001/g, (_, nth) => kept[Number(nth)] ?? '');
  const mark = (own: string) => `\uE000${kept.push(back(own)) - 1}\uE001`;
  const marked = words
    .replaceAll(/[\uE000\uE001]/g, '')
    .replaceAll(withNames, mark)
    .replaceAll(inQuotes, (_, own: string) => `'${mark(own)}'`);
  return [marked, back];
}

function withoutTerminal(line: string): string {
  if (!isForTerminal(line)) return line;
  return line
    .replaceAll(/ ?\(([^()]*)\)/g, (words, within: string) => (isForTerminal(within) ? '' : words))
    .replaceAll(/ (?:with|by) --[a-z-]+(?: [A-Z]+)?(?=[.,;]|$)/g, '')
    .split(/(?<=[.!?]) +/)
    .map((sentence) => {
      const clauses = sentence.split(/(?<=;) +|(?=, (?:or|and|nor) )/).map(withoutCommand);
      const kept = clauses
        .filter((clause) => clause !== '')
        .join(' ')
        .replaceAll(/ (?=, )/g, '')
        .replace(/^, (?:or|and|nor) /, '')
        .replace(/[;,:] *$/, '');
      return kept === '' || /[.!?]$/.test(kept) || !/[.!?]$/.test(sentence) ? kept : `${kept}.`;
    })
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function withoutCommand(clause: string): string {
  if (!isForTerminal(clause)) return clause;
  const cut = /^(?:or )?(?:if|once) /i.test(clause) ? '' : clause.replace(/: *`?payrun [a-z]+.*$/, '');
  return isForTerminal(cut) ? '' : cut;
}

const cutOut = (line: string) => line.replace(/`?\bpayrun [a-z].*$/, '').replaceAll(/--[a-z][a-z-]*/g, '');

const joined = (lines: readonly string[]) =>
  lines
    .map((line) => line.replaceAll(/ {2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .map((line, index, { length }) => (index < length - 1 && /[\p{L}\p{N})]$/u.test(line) ? `${line}.` : line))
    .join(' ');

/** Removes the ledger's server and user, which only an administrator may see. */
export const withoutServer = (words: string) => words.replaceAll(/postgres(?:ql)?:\/\/[^\s,;]+/g, 'on PostgreSQL');

export const messageWords = (message: PageMessage) =>
  hasPageWords(message) ? pageWords(message) : forPage(pageWords(message));

export function forPage(words: string): string {
  const [marked, back] = setAside(withoutServer(words));
  const lines = instead
    .reduce((text, [pattern, other]) => text.replaceAll(pattern, other as string), marked)
    .split('\n')
    .filter((line) => !/^\s*(?:Make one|Have it approved)\b/.test(line));
  const shown = joined(lines.map(withoutTerminal)) || joined(lines.map(cutOut));
  return back(countryWords(shown).replaceAll(fields, (field) => fieldWords[field] ?? field));
}
