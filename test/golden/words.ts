/** Stable words for what differs from run to run: ids, times, addresses and folders. Tags and digests follow from the sheet, and stay. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/digest.ts';
import { isPostgres, type LedgerRow, openLedger } from '../../src/ledger/ledger.ts';

export interface Words {
  /** What is replaced, and by what, in this order. */
  readonly known: ReadonlyMap<string, string>;
  /** The sheet row of each of our tags. */
  readonly rowOfTag: ReadonlyMap<string, number>;
  /** Whether the case sets the clock: then a time on the minute is what the case is about. */
  readonly clocked: boolean;
}

export interface Places {
  readonly here: string;
  readonly state: string;
  /** The ledger, if it is not one of those below `state`: its address on Postgres, or its file. */
  readonly ledger: string | null;
  readonly serviceUrl: string | null;
  /** The digests of all plans that were made, also of one in whose place there is another now. */
  readonly plans: Iterable<string>;
  readonly clocked: boolean;
}

/** Payments and merchants are numbered by the rows of the sheet, not by who was served first. */
export async function knownWords({ here, state, ledger, serviceUrl, plans, clocked }: Places): Promise<Words> {
  const ledgers = [join(state, 'payrun/sandbox/ledger.db'), join(state, 'payrun/ledger.db')];
  const rows: LedgerRow[] = ledger === null ? [] : await rowsOf(ledger);
  for (const path of ledgers) if (existsSync(path)) rows.push(...(await rowsOf(path)));
  const known = new Map<string, string>();
  if (ledger !== null) {
    known.set(ledger, '<ledger>');
    known.set(withoutPassword(ledger), '<ledger>');
  }
  if (serviceUrl !== null) known.set(serviceUrl, '<service>');
  for (const path of ledgers) known.set(path, '<ledger>');
  for (const digest of plans) known.set(digest, 'DIGEST');
  for (const digest of digestsOf(here, '.evidence.zip')) known.set(digest, '<digest of the pack>');
  known.set(here, '<here>');
  known.set(state, '<state>');
  known.set(dirname(here), '<home>');
  let merchants = 0;
  let payments = 0;
  for (const { merchantId, paymentId } of rows) {
    if (merchantId !== null && !known.has(merchantId)) known.set(merchantId, `merchant-${++merchants}`);
    if (paymentId !== null && !known.has(paymentId)) known.set(paymentId, `payment-${++payments}`);
  }
  return { known, rowOfTag: new Map(rows.map(({ tag, number }) => [tag, number])), clocked };
}

/** Commands show the address without its password. */
function withoutPassword(address: string): string {
  if (!isPostgres(address)) return address;
  const url = new URL(address);
  url.password = '';
  return url.href;
}

export const id = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export const idsIn = (text: string): readonly string[] => text.match(id) ?? [];

/** A plan's digest covers when it was made, and the key. */
export function planDigests(here: string): readonly string[] {
  return digestsOf(here, '.plan.json');
}

function digestsOf(here: string, ending: string): readonly string[] {
  const names = readdirSync(here).filter((name) => name.endsWith(ending));
  return names.map((name) => sha256(readFileSync(join(here, name))));
}

async function rowsOf(path: string): Promise<LedgerRow[]> {
  const ledger = openLedger(path, systemClock);
  try {
    const rows: LedgerRow[] = [];
    for (const { name } of (await ledger.batches.list()).toReversed())
      rows.push(...(await ledger.rows.list({ batch: name, limit: 1000 })));
    return rows;
  } finally {
    await ledger.close();
  }
}

/** Times as the console's page shows them, and what only a page has. */
const onPages: readonly (readonly [RegExp, string])[] = [
  [/(?:<today>|\b\d{4}-\d\d-\d\d) \d\d:\d\d(?![:\d])/g, '<time>'],
  [/\b[0-9a-f]{64}\b/g, '<digest>'],
  [/\b[0-9a-f]{32}\b/g, '<id>'],
  [/(?<=code: )"?[0-9a-f]{12}"?$/gm, '<hash>'],
  [/(?<=sha256:|the plan )[0-9a-f]{12}(?=[….])/g, '<digest>'],
  [/(?<=code: |\(key )[0-9a-z]{4}(?:-[0-9a-z]{4}){3}(?=\)|$)/gm, '<fingerprint>'],
  [/\d+ entries in its trail/g, '<n> entries in its trail'],
];

export const wordedPage = (text: string, words: Words): string =>
  onPages.reduce((plain, [pattern, word]) => plain.replaceAll(pattern, word), worded(text, words));

const patterns: readonly (readonly [RegExp, string])[] = [
  [/http:\/\/127\.0\.0\.1:\d+\/join#\S+/g, '<first link>'],
  [/(?<=The console is at )http:\/\/127\.0\.0\.1:\d+/g, '<console>'],
  [/http:\/\/127\.0\.0\.1:\d+/g, '<service>'],
  [id, '<id>'],
  [/(?<=--seen )[0-9a-f]{12}\b/g, '<seen>'],
  [/\bkey([: ])[0-9a-f]{8,16}\b/g, 'key$1<key>'],
  // Each entry of a trail has its time, and how many there are depends on how often a payment was looked at.
  [/Trail: \d+ entries, the last [0-9a-f]{64}/g, 'Trail: <n> entries, the last <hash>'],
  [/\d+ entries of the trail, last [0-9a-f]{64}/g, '<n> entries of the trail, last <hash>'],
  [/"at":\d{13}/g, '"at":<time>'],
  [/moment: [0-9a-f]{16}/g, 'moment: <moment>'],
  [/serviceDetails: [0-9a-f]{32}/g, 'serviceDetails: <digest>'],
  [/trail’s entry \d+: <code>[0-9a-f]{64}/g, 'trail’s entry <n>: <code><hash>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/ in \d+ s, seed /g, ' in <time>, seed '],
  [/\b([ps]k)_[0-9a-f]{32,64}\b/g, '$1_<key>'],
  [/(?<=^Key of .*, fingerprint )[a-z0-9-]+/gm, '<fingerprint>'],
  [/expires=\d+&signature=[\w-]+/g, 'expires=<time>&signature=<signature>'],
  // A signature is of the time, too.
  [/[A-Za-z0-9+/]{86}==/g, '<signature>'],
  // The sandbox draws the account and the address of a deposit from the payment's id.
  [/0x[0-9a-f]{40}/g, '<address>'],
  [/accountNumber(:| {2,}) ?(?!6666666666)\d{10}\b/g, 'accountNumber$1 <account>'],
];

/** As programs and as people read it; its zone stays. */
const times = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z| \d\d:\d\d:\d\d\b)/g;
const onTheMinute = /:00(?:\.000Z)?$/;

export function worded(text: string, { known, clocked }: Words): string {
  let plain = text;
  for (const [value, word] of known) plain = plain.replaceAll(value, word);
  plain = plain.replaceAll(times, (time) => (clocked && onTheMinute.test(time) ? time : '<time>'));
  for (const [pattern, word] of patterns) plain = plain.replaceAll(pattern, word);
  return clocked ? plain : plain.replaceAll(new Date().toISOString().slice(0, 10), '<today>');
}
