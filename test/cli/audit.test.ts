/** The auditor's commands: a ledger, its trail and its result are whole, or it is said where they are not. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import Excel from 'exceljs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { entryText, genesis, link, readEntry } from '../../src/audit/chain.ts';
import type { AuditFinding } from '../../src/audit/findings.ts';
import { sha256 } from '../../src/base/digest.ts';
import { contentOf, likenessOf, rowDigest, rowOfContent } from '../../src/domain/rows/digest.ts';
import { type CellSheet, readCells } from '../../src/sheet/sheet.ts';
import {
  command,
  csvOf,
  deskFor,
  kenyanRows,
  newFolder,
  newService,
  nigerian,
  pay,
  refusalOf,
  southAfrican,
} from '../support.ts';
import { ownTime } from './own-time.ts';
import { expectWhole } from './whole-result.ts';

/** A folder with a ledger, its sheets, its results and its exported trail; copied for each tampering. */
let original = '';
const ledgerOf = (folder: string) => join(folder, 'state', 'ledger.db');
const csvResult = (folder: string) => join(folder, 'november.result.csv');
const xlsxResult = (folder: string) => join(folder, 'november.result.xlsx');
const olderResult = (folder: string) => join(folder, 'older.result.xlsx');
const trailOf = (folder: string) => join(folder, 'trail.jsonl');

interface Audited {
  readonly exit: number;
  readonly findings: readonly AuditFinding[];
  readonly document: Record<string, unknown>;
}

const run = (folder: string, ...argv: string[]) =>
  command({ folder, env: { XDG_STATE_HOME: join(folder, 'nowhere') } }, argv);

async function verify(folder: string, ...more: string[]): Promise<Audited> {
  const { exit, out, err } = await run(folder, 'audit', 'verify', '--json', ...more);
  const document = out === '' ? { error: err } : JSON.parse(out);
  return { exit, findings: document.findings ?? [], document };
}
const verifyLedger = (folder: string, ...more: string[]) => verify(folder, '--ledger', ledgerOf(folder), ...more);

/** A batch with a story: a row left out and mended, one refused and corrected, one in doubt and found, a document. */
async function makeOriginal(): Promise<string> {
  const folder = newFolder();
  const clock = ownTime();
  const service = await newService(clock);
  const env = {
    PAYRUN_LEDGER: ledgerOf(folder),
    XDG_STATE_HOME: join(folder, 'state'),
    PAYRUN_BASE_URL: service.url,
    PAYRUN_API_KEY: service.apiKey,
    PAYRUN_API_SECRET: service.apiSecret,
    PAYRUN_DOUBT_VISIBLE: '0',
  };
  mkdirSync(join(folder, 'state'));
  const sheet = join(folder, 'november.csv');
  const pdf = '%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n';
  writeFileSync(join(folder, 'slip.pdf'), pdf);
  const rows = [{ ...southAfrican, documents: 'slip.pdf', note: '=1+1+1' }, nigerian, ...kenyanRows(6)];
  const bad = rows.map((row) => (row.row_id === 'k6' ? { ...row, amount: '1.5' } : row));
  const again = (...more: string[]) => command({ folder, env, clock }, ['run', sheet, '--batch', 'nov', ...more]);
  service.fault = ({ route, body }) => {
    const reference = (body as { reference?: string } | undefined)?.reference;
    if (route === 'POST /payments' && reference === 'Ref 2')
      return { kind: 'answer', status: 400, body: { message: 'no' } };
    if (route === 'POST /payments' && reference === 'Ref 3')
      return { kind: 'answer', after: true, status: 500, body: { message: 'oh' } };
    return undefined;
  };
  writeFileSync(sheet, csvOf(bad));
  const first = await again('--skip-invalid', '--wait', '5s');
  expect([first.exit, first.err]).toEqual([21, '']);
  await command({ folder, env }, ['report', 'nov', '--format', 'xlsx']);
  renameSync(xlsxResult(folder), olderResult(folder));
  service.fault = () => undefined;
  const mended = rows.map((row) => (row.row_id === 'k2' ? { ...row, amount: '777' } : row));
  writeFileSync(sheet, csvOf([...mended, { ...kenyanRows(7)[6], row_id: 'k7' }]));
  const second = await again('--add', '--drop', '--wait', '5s');
  expect([second.exit, second.err]).toEqual([0, '']);
  const xlsx = await command({ folder, env }, ['report', 'nov', '--format', 'xlsx']);
  expect(xlsx.exit).toBe(0);
  expect((await run(folder, 'audit', 'export', '--ledger', ledgerOf(folder), '--out', trailOf(folder))).exit).toBe(0);
  return folder;
}

beforeAll(async () => {
  original = await makeOriginal();
});

function copy(): string {
  const folder = newFolder();
  cpSync(original, folder, { recursive: true });
  return folder;
}

function change(folder: string, sql: string, ...values: (string | number | null)[]): void {
  const db = new DatabaseSync(ledgerOf(folder));
  try {
    db.prepare(sql).run(...values);
  } finally {
    db.close();
  }
}

type Values = Record<string, SQLOutputValue>;
function read(folder: string, sql: string): Values[] {
  const db = new DatabaseSync(ledgerOf(folder), { readOnly: true });
  try {
    return db.prepare(sql).all() as Values[];
  } finally {
    db.close();
  }
}

describe('what is whole', () => {
  it('a ledger, with its result in either format, and its exported trail', async () => {
    expect(await verifyLedger(original)).toMatchObject({ exit: 0, findings: [] });
    expect(await verifyLedger(original, '--result', csvResult(original))).toMatchObject({ exit: 0, findings: [] });
    expect(await verifyLedger(original, '--result', xlsxResult(original))).toMatchObject({ exit: 0, findings: [] });
    expect(await verifyLedger(original, '--trail', trailOf(original))).toMatchObject({ exit: 0, findings: [] });
  });

  it('the result against the exported trail alone, without any ledger', async () => {
    for (const result of [csvResult(original), xlsxResult(original)])
      expect(await verify(original, '--trail', trailOf(original), '--result', result)).toMatchObject({
        exit: 0,
        findings: [],
        document: { ledger: null, rows: null, result: { rows: 9 } },
      });
    expect(await verify(original, '--trail', trailOf(original))).toMatchObject({ exit: 0, document: { result: null } });
  });

  it('an older result is one finding in place of the cells that changed later, and is whole by the exported trail', async () => {
    const result = ['--result', olderResult(original)];
    const found = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(await verifyLedger(original, ...result)).toMatchObject({
      exit: 27,
      findings: [{ code: 'older', what: 'result', where: { file: olderResult(original) }, expected: [], found }],
    });
    expect(await verify(original, '--trail', trailOf(original), ...result)).toMatchObject({ exit: 0, findings: [] });
  });

  it('prints what it checked', async () => {
    const { exit, out, err } = await run(original, 'audit', 'verify', '--ledger', ledgerOf(original));
    expect([exit, err]).toEqual([0, '']);
    expect(out).toMatch(/Trail: .* \d+ entries, .*\b[0-9a-f]{64}\n/);
    expect(out).toMatch(/nov +paid +1 +250000 +NGN/);
    expect(out).toMatch(/^Whole:/m);
  });

  it('a ledger that was moved, with its sheets beside it', async () => {
    const folder = copy();
    expect(await verifyLedger(folder, '--result', csvResult(folder))).toMatchObject({ exit: 0, findings: [] });
  });

  it('changes nothing in the ledger, and needs no right to', async () => {
    const folder = copy();
    const before = sha256(readFileSync(ledgerOf(folder)));
    chmodSync(ledgerOf(folder), 0o400);
    await verifyLedger(folder, '--result', csvResult(folder));
    expect(sha256(readFileSync(ledgerOf(folder)))).toBe(before);
    expect(statSync(ledgerOf(folder)).mode & 0o777).toBe(0o400);
  });

  it('is verified while another process holds the ledger to pay', async () => {
    const folder = copy();
    const { openLedger } = await import('../../src/ledger/ledger.ts');
    const { systemClock } = await import('../../src/base/clock.ts');
    const ledger = openLedger(ledgerOf(folder), systemClock);
    await ledger.hold();
    expect((await verifyLedger(folder)).exit).toBe(0);
    await ledger.close();
  });
});

describe('export', () => {
  it('is owner-only, a line for each entry, and never over a file that is there', async () => {
    expect(statSync(trailOf(original)).mode & 0o777).toBe(0o600);
    const lines = readFileSync(trailOf(original), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(read(original, 'SELECT seq FROM trail').length);
    let head = genesis;
    for (const [index, line] of lines.entries()) {
      const { seq, text, hash } = JSON.parse(line);
      head = link(head, text);
      expect([seq, hash]).toEqual([index + 1, head]);
    }
    const folder = copy();
    const argv = ['audit', 'export', '--json', '--ledger', ledgerOf(folder), '--out'];
    const over = await run(folder, ...argv, trailOf(folder));
    const message = expect.stringMatching(`^${trailOf(folder)} .* --out$`);
    expect([over.exit, refusalOf(over)]).toMatchObject([2, { code: 'USAGE', message }]);
    expect(readFileSync(trailOf(folder), 'utf8')).toBe(readFileSync(trailOf(original), 'utf8'));
    const none = await run(folder, ...argv, join(folder, 'no', 'x'));
    const unwritable = { code: 'FOLDER_UNWRITABLE', facts: { path: join(folder, 'no'), why: { fault: 'no-folder' } } };
    expect([none.exit, refusalOf(none), existsSync(join(folder, 'no'))]).toMatchObject([2, unwritable, false]);
  });
});

describe('slips', () => {
  const usage = (message: RegExp) => ({ code: 'USAGE', message: expect.stringMatching(message) });
  const missing = (name: string) => ({
    code: 'FILE_UNREADABLE',
    facts: { path: expect.stringContaining(`/${name}`), why: { fault: 'no-file' } },
  });

  it.each([
    ['no ledger there', ['verify', '--ledger', 'nowhere.db'], usage(/nowhere\.db/)],
    ['no trail there', ['verify', '--trail', 'nowhere.jsonl'], missing('nowhere.jsonl')],
    ['neither verify nor export', [], usage(/\bverify, export\b/)],
    ['export without a file', ['export'], usage(/--out/)],
    ['a pack and a ledger', ['verify', 'a.zip', '--ledger', 'b.db'], usage(/leave --ledger out/)],
    ['a pack that is not there', ['verify', 'a.zip'], missing('a.zip')],
    ['a policy without a pack', ['verify', '--policy', 'a.json'], usage(/^--policy .*\bevidence pack\b/)],
  ])('%s', async (_title, argv, refusal) => {
    const ran = await run(original, 'audit', ...argv, '--json');
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, refusal]);
  });

  it('the evidence of a batch whose rows were left out, refused, corrected and in doubt is whole', async () => {
    const pack = join(newFolder(), 'nov.zip');
    const argv = ['audit', 'export', 'nov', '--json', '--ledger', ledgerOf(original), '--out', pack];
    const { exit, out, err } = await run(original, ...argv);
    expect([exit, err, JSON.parse(out)]).toMatchObject([0, '', { whole: true, rows: 9, findings: [] }]);
  });

  it('a result that is not there', async () => {
    const argv = ['audit', 'verify', '--json', '--ledger', ledgerOf(original), '--result', join(original, 'x.csv')];
    const ran = await run(original, ...argv);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, missing('x.csv')]);
  });

  const alone = () => ['--trail', trailOf(original)];
  const withLedger = () => ['--ledger', ledgerOf(original)];
  it.each([
    ['the sheet itself', 'november.csv', withLedger, usage(/november\.csv.*--result/)],
    ['the sheet itself, against the trail', 'november.csv', alone, usage(/november\.csv.*--result/)],
    ['a document', 'slip.pdf', withLedger, usage(/slip\.pdf.*--result/)],
    ['a folder', 'state', withLedger, { code: 'FILE_UNREADABLE', facts: { why: { fault: 'is-folder' } } }],
    ['the trail', 'trail.jsonl', alone, usage(/trail\.jsonl.*--result/)],
  ])('a file that is no result: %s', async (_title, name, against, refusal) => {
    const path = join(original, name);
    const ran = await run(original, 'audit', 'verify', '--json', ...against(), '--result', path);
    expect([ran.exit, refusalOf(ran)]).toMatchObject([2, refusal]);
  });

  it('a result of another batch, and what to do', async () => {
    const desk = deskFor(await newService(), kenyanRows(2));
    expect((await pay(desk, '--batch', 'dec')).exit).toBe(23);
    const result = csvResult(desk.folder);
    for (const [against, option] of [
      [withLedger(), '--ledger'],
      [alone(), '--trail'],
    ] as const) {
      const { exit, out, err } = await run(original, 'audit', 'verify', ...against, '--result', result);
      expect([exit, out, err]).toEqual([2, '', expect.stringMatching(`of batch 'dec'.*with ${option}`)]);
    }
  });

  it('a ledger that lost the batch is not whole, whatever is compared with it', async () => {
    const folder = copy();
    change(folder, 'DELETE FROM batch');
    expect((await verifyLedger(folder, '--result', csvResult(folder))).exit).toBe(27);
  });
});

// --- Named tamperings

type Tampering = readonly [title: string, tamper: (folder: string) => void, where: Partial<AuditFinding['where']>];
const k1 = { batch: 'nov', row: 'k1' };
const set =
  (sql: string): ((folder: string) => void) =>
  (folder) =>
    change(folder, `UPDATE payout SET ${sql} WHERE key = 'k1'`);

/** The last clock's moment with a digit more. */
const beside = (column: string) => `substr(${column}, 1, length(${column}) - 1) || '0]'`;

/** As careful as one can be who writes the ledger without the trail: content, hash, digest and columns agree. */
function rewrite(key: string, changes: Record<string, unknown>) {
  return (folder: string) => {
    const [found] = read(
      folder,
      `SELECT id, content FROM payout JOIN payout_content ON payout = id WHERE key = '${key}'`,
    );
    const row = { ...rowOfContent(String(found?.content), 0), ...changes };
    const content = contentOf(row);
    change(folder, 'UPDATE payout SET amount = ? WHERE id = ?', row.amount, Number(found?.id));
    change(
      folder,
      'UPDATE payout_content SET content = ?, content_hash = ?, digest = ?, likeness = ? WHERE payout = ?',
      content,
      sha256(content),
      rowDigest(row),
      likenessOf(row),
      Number(found?.id),
    );
  };
}

/** Rewrites the trail from an entry on, hashes and all: only another copy of its head shows that. */
function reforge(folder: string, edit: (texts: string[]) => void): void {
  const db = new DatabaseSync(ledgerOf(folder));
  const entries = db.prepare('SELECT payout, entry FROM trail ORDER BY seq').all() as {
    payout: number;
    entry: string;
  }[];
  const texts = entries.map(({ entry }) => entry);
  edit(texts);
  db.exec('DELETE FROM trail');
  const insert = db.prepare('INSERT INTO trail (seq, payout, entry, hash) VALUES (?,?,?,?)');
  let head = genesis;
  for (const [index, text] of texts.entries()) {
    head = link(head, text);
    const key = readEntry(text).row;
    const id = key === null ? null : entries.find(({ entry }) => readEntry(entry).row === key)?.payout;
    insert.run(index + 1, id ?? null, text, head);
  }
  db.close();
}

const inLedger: readonly Tampering[] = [
  ['the state of a row', set("state = 'ready'"), { ...k1, column: 'state' }],
  ['a payment id', set("payment_id = 'p-other'"), { ...k1, column: 'payment_id' }],
  ['a payment id taken away', set('payment_id = NULL'), { ...k1, column: 'payment_id' }],
  ['what a payment is of', set('paid_amount = 7'), { ...k1, column: 'paid_amount' }],
  ['a payment status', set("payment_status = 'expired'"), { ...k1, column: 'payment_status' }],
  ['an amount', set('amount = amount + 1'), { ...k1, column: 'amount' }],
  ['a currency', set("currency = 'ZAR'"), { ...k1, column: 'currency' }],
  ['a destination', set("destination = 'Kenya|MOMO|+254700000000'"), { ...k1, column: 'destination' }],
  ['a merchant', set("merchant_id = 'm-other'"), { ...k1, column: 'merchant_id' }],
  ['a tag', set("tag = 'q0000000000000000000'"), { ...k1, column: 'tag' }],
  ['a revision', set('revision = 1'), { ...k1, column: 'revision' }],
  ['the number of attempts', set('attempts = 0'), { ...k1, column: 'attempts' }],
  ['when it was sent', set('submitted_at = submitted_at - 1'), { ...k1, column: 'submitted_at' }],
  ['when it ended', set('settled_at = settled_at + 1'), { ...k1, column: 'settled_at' }],
  ['a clock of the last attempt', set(`sent_moment = ${beside('sent_moment')}`), { ...k1, column: 'sent_moment' }],
  ['a reason', set("reason = 'Paid in cash.'"), { ...k1, column: 'reason' }],
  [
    'what the service answered',
    set('service_details = \'{"depositBankDetails":"mine"}\''),
    { ...k1, column: 'service_details' },
  ],
  ['the number of a row', set('number = number + 100'), { batch: 'nov' }],
  ['the key of a row', set("key = 'k9'"), { batch: 'nov', row: 'k9' }],
  [
    'an amount, with content, hashes and digest made to agree',
    rewrite('k1', { amount: 999 }),
    { ...k1, column: 'amount' },
  ],
  ['a name, with content and hash made to agree', rewrite('k1', { name: 'Somebody Else' }), { batch: 'nov' }],
  ['a row taken away', (folder) => change(folder, "DELETE FROM payout WHERE key = 'k1'"), { batch: 'nov', row: 'k1' }],
  [
    'a row put in',
    (folder) =>
      change(
        folder,
        `INSERT INTO payout SELECT (SELECT max(id) + 1 FROM payout), batch, 'k99', 99, sheet, first_sheet, content_sheet, state, revision,
          'q1111111111111111111',
          ${read(folder, "SELECT name FROM pragma_table_info('payout')")
            .slice(10)
            .map(({ name }) => (name === 'payment_id' ? "'p-99'" : name))
            .join(', ')} FROM payout WHERE key = 'k1'`,
      ),
    { batch: 'nov', row: 'k99' },
  ],
  [
    'a merchant whose id leads elsewhere',
    (folder) => change(folder, "UPDATE merchant SET merchant_id = 'm-mine' WHERE destination LIKE 'Kenya%'"),
    {},
  ],
  [
    'the name that a merchant would be made with',
    (folder) => change(folder, "UPDATE merchant SET content = replace(content, 'Payee', 'Payer')"),
    {},
  ],
  [
    'the row that a merchant is shown with',
    (folder) => change(folder, "UPDATE merchant SET number = number + 1 WHERE destination LIKE 'Kenya%'"),
    {},
  ],
  ['a merchant taken away', (folder) => change(folder, "DELETE FROM merchant WHERE destination LIKE 'Kenya%'"), {}],
  ['the number of a document', (folder) => change(folder, 'UPDATE document SET id = id + 1'), { batch: 'nov' }],
  ['which ledger it is', (folder) => change(folder, "UPDATE ledger SET id = 'x'"), { entry: 0 }],
  ['where the ledger lay', (folder) => change(folder, "UPDATE ledger SET home = '/elsewhere'"), { entry: 0 }],
  ['that there is a ledger', (folder) => change(folder, 'DELETE FROM ledger'), { entry: 0 }],
  [
    'a document that is said to be attached to nothing',
    (folder) => change(folder, "UPDATE document SET state = 'due'"),
    { row: 'za1' },
  ],
  ['the file of a document', (folder) => change(folder, "UPDATE document SET path = '/etc/passwd'"), { batch: 'nov' }],
  ['whose the batch is', (folder) => change(folder, "UPDATE batch SET identity = 'x|key:0|tenant'"), { batch: 'nov' }],
  [
    "the digest of the batch's sheet",
    (folder) => change(folder, "UPDATE sheet SET digest = 'x' WHERE id = 2"),
    { batch: 'nov' },
  ],
  ['an entry', (folder) => change(folder, "UPDATE trail SET entry = entry || ' ' WHERE seq = 12"), { entry: 12 }],
  ['a hash', (folder) => change(folder, `UPDATE trail SET hash = '${genesis}' WHERE seq = 12`), { entry: 12 }],
  ['an entry taken away', (folder) => change(folder, 'DELETE FROM trail WHERE seq = 12'), { entry: 13 }],
  [
    'two entries that changed places',
    (folder) => {
      change(folder, 'UPDATE trail SET seq = 100000 WHERE seq = 12');
      change(folder, 'UPDATE trail SET seq = 12 WHERE seq = 13');
      change(folder, 'UPDATE trail SET seq = 13 WHERE seq = 100000');
    },
    { entry: 12 },
  ],
  ['whose an entry is', (folder) => change(folder, 'UPDATE trail SET payout = 1 WHERE payout = 3'), { entry: 0 }],
  ['the tables themselves', (folder) => change(folder, 'DROP INDEX payout_doubt'), {}],
];

function located(findings: readonly AuditFinding[], where: Partial<AuditFinding['where']>): boolean {
  const { entry, ...rest } = where;
  return findings.some(({ where: found }) => {
    const entryFits = entry === undefined || (entry === 0 ? found.entry !== undefined : found.entry === entry);
    return (
      entryFits && Object.entries(rest).every(([name, value]) => found[name as keyof AuditFinding['where']] === value)
    );
  });
}

describe('a tampered ledger is found, and where', () => {
  it.each(inLedger.map(([title, tamper, where]) => ({ title, tamper, where })))('$title', async ({ tamper, where }) => {
    const folder = copy();
    tamper(folder);
    const { exit, findings } = await verifyLedger(folder);
    expect([exit, located(findings, where)], JSON.stringify(findings, null, 1)).toEqual([27, true]);
  });

  it('a last entry taken away is shown by the result that knows it', async () => {
    const folder = copy();
    const [last] = read(folder, 'SELECT max(seq) AS seq FROM trail');
    change(folder, 'DELETE FROM trail WHERE seq = ?', Number(last?.seq));
    const { exit, findings } = await verifyLedger(folder, '--result', xlsxResult(folder));
    expect([exit, located(findings, { sheet: 'Trail', entry: Number(last?.seq) })]).toEqual([27, true]);
    expect((await verifyLedger(folder, '--trail', trailOf(folder))).exit, 'and by the trail that was exported').toBe(
      27,
    );
  });

  it('a trail that was made anew from a changed entry on is shown by the result that knows its head', async () => {
    const folder = copy();
    reforge(folder, (texts) => {
      const at = texts.findIndex((text) => readEntry(text).what === 'pass');
      const entry = readEntry(texts[at] ?? '');
      texts[at] = entryText({ ...entry, at: entry.at - 1 });
    });
    expect((await verifyLedger(folder)).exit, 'by itself it is whole').toBe(0);
    const { exit, findings } = await verifyLedger(folder, '--result', xlsxResult(folder));
    expect([exit, located(findings, { sheet: 'Trail', entry: 0 })]).toEqual([27, true]);
  });

  it('a rewritten trail that leaves out the clocks of its intents', async () => {
    const folder = copy();
    reforge(folder, (texts) => {
      texts.splice(0, texts.length, ...texts.map((text) => text.replace(/,"moment":"[0-9a-f]+"/, '')));
    });
    const { exit, findings } = await verifyLedger(folder);
    expect([exit, located(findings, { ...k1, column: 'sent_moment' })]).toEqual([27, true]);
  });

  it('a merchant that was wanted, and for which nothing was done yet', async () => {
    const service = await newService();
    service.fault = ({ route }) =>
      route === 'GET /merchants' ? { kind: 'answer', status: 400, body: { message: 'no' } } : undefined;
    const desk = deskFor(service, kenyanRows(3));
    expect((await pay(desk)).document.rows).toMatchObject({ not_sent: 3 });
    expect(await verify(desk.folder, '--ledger', desk.ledger)).toMatchObject({ exit: 0, findings: [] });
    change(desk.folder, "UPDATE merchant SET content = replace(content, 'Payee 2', 'Payee 9')");
    const { exit, findings } = await verify(desk.folder, '--ledger', desk.ledger);
    expect([exit, findings.length]).toEqual([27, 1]);
  });

  it('a move that is told nowhere in a trail made anew is still no move of the row', async () => {
    const folder = copy();
    reforge(folder, (texts) => {
      const at = texts.findIndex((text) => readEntry(text).row === 'k1' && text.includes('"succeeded"'));
      texts.splice(at, 1);
    });
    const { exit, findings } = await verifyLedger(folder);
    expect([exit, located(findings, { ...k1, column: 'state' })]).toEqual([27, true]);
  });
});

// --- Results

const wordColumns = ['payrun_reason', 'payrun_documents', 'payrun_evidence'];

/** True for a cell that says what became of the rows. The other cells are words, which another version may say otherwise. */
function isFact(sheets: readonly CellSheet[], name: string, number: number, index: number): boolean {
  const rows = sheets.find((sheet) => sheet.name === name)?.rows ?? [];
  if (name === 'Trail') return number === 1 || number > 3;
  const cell = rows.find((row) => row.number === number)?.cells[index] ?? '';
  if (name === 'Summary') return /^\d+$/.test(cell);
  const header = rows.find(({ cells }) => cells.includes('payrun_row'));
  return number === header?.number || !wordColumns.includes(header?.cells[index] ?? '');
}

const factsIn = (sheets: readonly CellSheet[]) =>
  sheets.flatMap(({ name, rows }) =>
    rows.flatMap(({ number, cells }) => cells.filter((_, index) => isFact(sheets, name, number, index))),
  );

const editCsv = (edit: (lines: string[]) => string[]) => (folder: string) => {
  const text = readFileSync(csvResult(folder), 'utf8');
  writeFileSync(csvResult(folder), edit(text.split('\n')).join('\n'));
};
const cell = (key: string, from: string | RegExp, to: string) =>
  editCsv((lines) =>
    lines.map((line) => (line.includes(`,${key},`) || line.startsWith(`${key},`) ? line.replace(from, to) : line)),
  );

const inResult: readonly Tampering[] = [
  ['a status', cell('k1', ',paid,', ',unpaid,'), { row: 'k1', column: 'payrun_status' }],
  ['a payment id', cell('k1', ',paid,,', ',paid,,0'), { row: 'k1', column: 'payment_id' }],
  ["an amount of the person's own", cell('k1', ',100,', ',900,'), { row: 'k1', column: 'amount' }],
  ["a payee of the person's own", cell('k1', 'Payee 1', 'Payee 9'), { row: 'k1', column: 'name' }],
  ['a row taken away', editCsv((lines) => lines.filter((line) => !line.includes('Ref 4'))), { row: 'k4' }],
  ['a row twice', editCsv((lines) => lines.flatMap((line) => (line.includes('Ref 4') ? [line, line] : [line]))), {}],
  [
    'two rows that changed places',
    editCsv(([head = '', a = '', b = '', ...rest]) => [head, b, a, ...rest]),
    { row: 'za1' },
  ],
  ['a header', editCsv(([head = '', ...rest]) => [head.replace('amount', 'amounts'), ...rest]), { line: 1 }],
  ['the header of the keys', editCsv(([head = '', ...rest]) => [head.replace('payrun_row', 'row'), ...rest]), {}],
  ['the header of the batches', editCsv(([head = '', ...rest]) => [head.replace('payrun_batch', 'b'), ...rest]), {}],
  ['whose the first row is', cell('za1', ',nov,', ',dec,'), { row: 'za1', column: 'payrun_batch' }],
  ['the mark that keeps a cell from being run', cell('za1', "'=1+1", '=1+1'), { row: 'za1' }],
  ['a line at its end', editCsv((lines) => [...lines, 'k9,x']), {}],
  [
    'its end cut off',
    (folder) => writeFileSync(csvResult(folder), readFileSync(csvResult(folder)).subarray(0, -200)),
    {},
  ],
  ['everything', (folder) => writeFileSync(csvResult(folder), ''), {}],
];

describe('a tampered result is found, and where', () => {
  it.each(inResult.map(([title, tamper, where]) => ({ title, tamper, where })))('$title', async ({ tamper, where }) => {
    const folder = copy();
    tamper(folder);
    expect(readFileSync(csvResult(folder), 'utf8')).not.toBe(readFileSync(csvResult(original), 'utf8'));
    const { exit, findings } = await verifyLedger(folder, '--result', csvResult(folder));
    expect([exit, located(findings, where)], JSON.stringify(findings, null, 1)).toEqual([27, true]);
    expect(findings.every((one) => one.where.file !== undefined || one.where.entry !== undefined)).toBe(true);
  });

  it.each([
    ['a status', cell('k1', ',paid,', ',unpaid,'), 'payrun_status'],
    ['a payment id', cell('k1', ',paid,,', ',paid,,0'), 'payment_id'],
    ['a row taken away', editCsv((lines) => lines.filter((line) => !line.includes('Ref 1'))), undefined],
    ['whose a row is', cell('k1', ',nov,', ',dec,'), 'payrun_batch'],
  ])('without a ledger, against the exported trail: %s', async (_title, tamper, column) => {
    const folder = copy();
    tamper(folder);
    const { exit, findings } = await verify(folder, '--trail', trailOf(folder), '--result', csvResult(folder));
    expect([exit, findings.some(({ where }) => where.row === 'k1' && where.column === column)]).toEqual([27, true]);
  });

  it('other words for the reason of an unpaid row are no alarm, with the ledger and by the exported trail alone', async () => {
    const service = await newService();
    service.fault = ({ route, body }) =>
      route === 'POST /payments' && body.reference === 'Ref 2'
        ? { kind: 'answer', status: 400, body: { message: 'no such account' } }
        : undefined;
    const desk = deskFor(service, kenyanRows(3));
    const { document } = await pay(desk);
    const result = String(document.result);
    await expectWhole(desk, result);
    const written = readFileSync(result, 'utf8');
    writeFileSync(result, written.replace('no such account', 'no such person'));
    expect(readFileSync(result, 'utf8')).not.toBe(written);
    const trail = join(desk.folder, 'trail.jsonl');
    for (const by of [
      ['--ledger', desk.ledger],
      ['--trail', trail],
    ]) {
      const { exit, findings } = await verify(desk.folder, ...by, '--result', result);
      expect([exit, findings], by[0]).toEqual([0, []]);
    }
  });

  it('without a ledger, the head of the trail in a workbook', async () => {
    const folder = copy();
    const workbook = new Excel.Workbook();
    await workbook.xlsx.readFile(xlsxResult(original));
    const head = workbook.getWorksheet('Trail')?.lastRow?.getCell(4);
    if (head === undefined) throw new Error('the cell is there');
    head.value = `1 ${genesis}`;
    await workbook.xlsx.writeFile(xlsxResult(folder));
    const { exit, findings } = await verify(folder, '--trail', trailOf(folder), '--result', xlsxResult(folder));
    expect([exit, located(findings, { sheet: 'Trail', entry: 1 })]).toEqual([27, true]);
  });

  it('every fact of every sheet of a workbook, and no other words', async () => {
    const sheets = await readCells(xlsxResult(original));
    const places = sheets.flatMap((sheet) =>
      sheet.rows.flatMap(({ number, cells }) =>
        cells.flatMap((value, index) => (value === '' ? [] : [{ sheet: sheet.name, number, index }])),
      ),
    );
    const workbook = new Excel.Workbook();
    await workbook.xlsx.readFile(xlsxResult(original));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), async ({ sheet, number, index }) => {
        const folder = newFolder();
        const found = workbook
          .getWorksheet(sheet)
          ?.getRow(number)
          .getCell(index + 1);
        if (found === undefined) throw new Error('the cell is there');
        const { value } = found;
        found.value = typeof value === 'number' ? value + 1 : `${found.text}x`;
        const file = join(folder, 'november.result.xlsx');
        await workbook.xlsx.writeFile(file);
        found.value = value;
        const { exit, findings } = await verifyLedger(original, '--result', file);
        if (!isFact(sheets, sheet, number, index)) expect([exit, findings]).toEqual([0, []]);
        else
          expect([exit, findings.some(({ where }) => where.sheet === sheet || where.file !== undefined)]).toEqual([
            27,
            true,
          ]);
      }),
      { numRuns: 16 },
    );
  });
});

// --- Any byte, anywhere

/** All that a file of SQLite holds for a reader, a line for each thing; null where it cannot be read. */
function contentsOf(path: string): string[] | null {
  try {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      const made = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all() as Values[];
      const rows = made
        .filter(({ type }) => type === 'table')
        .flatMap(({ name }) =>
          db
            .prepare(`SELECT * FROM "${String(name)}"`)
            .all()
            .map((row) => [name, ...Object.entries(row)]),
        );
      return [...made, ...rows].map((one) => JSON.stringify(one));
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

describe('any byte that is flipped is found, or means nothing', () => {
  it('in the ledger', async () => {
    const folder = copy();
    const whole = readFileSync(ledgerOf(original));
    const contents = contentsOf(ledgerOf(original));
    expect(contents).not.toBeNull();
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ bits;
        writeFileSync(ledgerOf(folder), bytes);
        const { exit } = await verifyLedger(folder);
        if (exit !== 0) found += 1;
        else
          expect(
            contentsOf(ledgerOf(folder))?.filter((line) => !contents?.includes(line)),
            `byte ${at}`,
          ).toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(found).toBeGreaterThan(6);
  });

  it('in any cell of any table', async () => {
    const folder = copy();
    // The table `lead` says how a batch stands now. The trail has each stop.
    const tables = read(original, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'lead'").map(
      ({ name }) => String(name),
    );
    const cells = tables.flatMap((table) => {
      // A lease lasts for seconds, and decides only when a claim becomes a doubt. The build is a name for people.
      const unaudited = ['payout.worker', 'payout.lease_until', 'ledger.build'];
      const columns = read(original, `SELECT name, type, pk FROM pragma_table_info('${table}')`).filter(
        ({ name }) => !unaudited.includes(`${table}.${String(name)}`),
      );
      const count = Number(read(original, `SELECT count(*) AS n FROM ${table}`)[0]?.n);
      return columns.flatMap((column) =>
        Array.from({ length: count }, (_, row) => ({ table, column: String(column.name), type: column.type, row })),
      );
    });
    const used = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cells), fc.nat(1000), async ({ table, column, type, row }, seed) => {
        cpSync(ledgerOf(original), ledgerOf(folder));
        const order = read(folder, `SELECT * FROM ${table}`)[row] ?? {};
        const value = order[column];
        const next =
          value === null
            ? type === 'INTEGER'
              ? 7
              : 'x'
            : typeof value === 'number'
              ? value + 1 + seed
              : flipped(String(value), seed);
        const keys = Object.entries(order).filter(([, one]) => one !== null);
        try {
          change(
            folder,
            `UPDATE ${table} SET ${column} = ? WHERE ${keys.map(([name]) => `${name} = ?`).join(' AND ')}`,
            next,
            ...keys.map(([, one]) => one as string | number),
          );
        } catch {
          // The table itself refuses the value, as a second row with one key.
          return;
        }
        const { exit, findings } = await verifyLedger(folder);
        const name = `${table}.${column}`;
        used.add(name);
        expect([exit, findings.length > 0], `${name}: ${String(value)} -> ${next}`).toEqual([27, true]);
      }),
      { numRuns: 100 },
    );
    expect(used.size, 'most columns were tried').toBeGreaterThan(25);
  });

  it('in an exported trail', async () => {
    const folder = copy();
    const whole = readFileSync(trailOf(original));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ bits;
        writeFileSync(trailOf(folder), bytes);
        const { exit, findings } = await verify(folder, '--trail', trailOf(folder));
        expect([exit, findings.some(({ where }) => where.entry !== undefined || where.line !== undefined)]).toEqual([
          27,
          true,
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it.each(['csv', 'xlsx'])('in a result as %s', async (format) => {
    const file = format === 'csv' ? csvResult(original) : xlsxResult(original);
    const folder = newFolder();
    const whole = readFileSync(file);
    const facts = factsIn(await readCells(file));
    const target = join(folder, basename(file));
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, bits) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ bits;
        writeFileSync(target, bytes);
        const { exit } = await verifyLedger(original, '--result', target);
        if (exit !== 0) found += 1;
        else expect(factsIn(await readCells(target)), `byte ${at}`).toEqual(facts);
      }),
      { numRuns: 14 },
    );
    expect(found).toBeGreaterThan(format === 'csv' ? 10 : 2);
  });
});

/** Another text of the same length, or a longer one. */
function flipped(text: string, seed: number): string {
  if (text === '') return 'x';
  const at = seed % text.length;
  const code = text.charCodeAt(at);
  return `${text.slice(0, at)}${String.fromCharCode(code === 122 ? 121 : code + 1)}${text.slice(at + 1)}`;
}
