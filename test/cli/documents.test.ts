/** Supporting documents: where one is needed, and every way in which a file can be the wrong one, found before anything is sent. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../src/base/digest.ts';
import { defaultDocuments } from '../../src/domain/rows/document.ts';
import type { BatchFacts } from '../../src/ledger/ledger.ts';
import type { Deps } from '../../src/pipeline/deps.ts';
import { attach } from '../../src/pipeline/documents/attach.ts';
import {
  command,
  csvOf,
  type Desk,
  documentOf,
  newFolder,
  nigerian,
  pay,
  refusalOf,
  resultOf,
  type SheetRow,
  southAfrican,
} from '../support.ts';
import { deskFor, newService } from './own-time.ts';

const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
const big = 10 * 1024 * 1024;

const rand = (amount: string, documents = '') => [{ ...southAfrican, amount, documents }];

type Prepare = (desk: Desk) => void;
const file =
  (name: string, bytes: string | Uint8Array): Prepare =>
  ({ folder }) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  };

/** Returns row and code of each problem that a check finds; it judges documents as a run does. */
async function checked(rows: readonly SheetRow[], prepare: Prepare, ...more: string[]) {
  const desk = deskFor(null, rows);
  prepare(desk);
  const { exit, out } = await command(desk, ['check', desk.sheet, '--json', ...more]);
  const { problems } = JSON.parse(out) as { problems: { row: number; code: string; severity: string }[] };
  return [exit, ...problems.map(({ row, code, severity }) => `${row} ${code} ${severity}`)];
}
const nothing: Prepare = () => {};

describe('a payment above 50,000 ZAR', () => {
  it('needs a document, as the policy says', async () => {
    expect(await checked(rand('50000'), nothing)).toEqual([0]);
    expect(await checked(rand('50001'), nothing)).toEqual([20, '2 DOCUMENT_MISSING_FOR_AMOUNT error']);
    expect(await checked([{ ...nigerian, amount: '50001' }], nothing)).toEqual([0]);
    const policy = async (word: string) => await checked(rand('50001'), nothing, '--documents-policy', word);
    expect(await policy('warn')).toEqual([0, '2 DOCUMENT_MISSING_FOR_AMOUNT warning']);
    expect(await policy('off')).toEqual([0]);
  });

  it('goes out with its documents, one call a file, whatever the amount', async () => {
    const service = await newService();
    const desk = deskFor(service, [
      { ...southAfrican, amount: '50001', documents: 'docs/a.pdf; docs/b.png' },
      { ...nigerian, documents: 'docs/a.pdf' },
    ]);
    mkdirSync(join(desk.folder, 'docs'));
    writeFileSync(join(desk.folder, 'docs/a.pdf'), pdf);
    writeFileSync(join(desk.folder, 'docs/b.png'), Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1'));
    const { document } = await pay(desk);
    expect(document.documents).toEqual({ attached: 3, open: 0 });
    const ids = service.payments.map(({ id, destinationCountry }) => [id, destinationCountry]);
    const uploads = service.uploads.map(({ paymentId }) => ids.find(([id]) => id === paymentId)?.[1]);
    expect(uploads.filter((country) => country === 'SouthAfrica')).toHaveLength(2);
    expect(uploads.filter((country) => country === 'Nigeria')).toHaveLength(1);
    expect(resultOf(document.result)).toMatchObject([
      { payrun_documents: expect.stringMatching(/^2 of 2 attached/) },
      { payrun_documents: expect.stringMatching(/^1 of 1 attached/) },
    ]);
    const again = await pay(desk);
    expect([again.document.sent, service.uploads.length]).toEqual([0, 3]);
  });

  it('lies in the folder that --documents names', async () => {
    const service = await newService();
    const desk = deskFor(service, rand('50001', 'a.pdf'));
    mkdirSync(join(desk.folder, 'elsewhere'));
    writeFileSync(join(desk.folder, 'elsewhere/a.pdf'), pdf);
    expect((await pay(desk)).exit).toBe(20);
    const { document } = await pay(desk, '--documents', 'elsewhere');
    expect(document.documents).toEqual({ attached: 1, open: 0 });
  });
});

/** Rows to one account, each with a reference and a row_id of its own. */
const parts = (amounts: readonly string[], documents: readonly string[] = []) =>
  amounts.map((amount, index) => ({
    ...southAfrican,
    row_id: `za${index + 1}`,
    amount,
    reference: `Part ${index + 1}`,
    documents: documents[index] ?? '',
  }));

describe.concurrent('rows to one account', () => {
  it.each([
    ['of 50,000 ZAR together need none', parts(['24000', '26000']), []],
    ['of more need one each', parts(['25000', '25001']), [2, 3]],
    ['may share it', parts(['25000', '25001'], ['a.pdf', 'a.pdf']), []],
    ['count where they have none', parts(['60000', '24000', '26000'], ['a.pdf']), []],
    ['are not covered by another one', parts(['25000', '25000', '25001'], ['a.pdf']), [3, 4]],
    [
      'and another account are two',
      [...parts(['50000']), { ...southAfrican, row_id: 'x', account_number: '10004291624' }],
      [],
    ],
  ] as const)('%s', async (_, rows, missing) => {
    const found = await checked(rows, file('a.pdf', pdf), '--account-checks', 'off');
    const problems = missing.map((row) => `${row} DOCUMENT_MISSING_TOGETHER error`);
    expect(found).toEqual([problems.length === 0 ? 0 : 20, ...problems]);
  });

  it('that were sent before it was asked for are not told', async () => {
    const service = await newService();
    const desk = deskFor(service, parts(['25000', '25001']));
    expect((await pay(desk, '--documents-policy', 'off')).exit).toBe(23);
    const { document } = await pay(desk);
    expect([document.exit, document.problems, service.payments.length]).toEqual([23, [], 2]);
    // In a batch of another name the same rows are other payments.
    const { document: next } = await pay(desk, '--batch', 'dec', '--confirm-repeat', 'December');
    expect([next.exit, next.problems.length, service.payments.length]).toEqual([20, 2, 2]);
  });

  it('find theirs under their ids, and a file that is unsound stops its row', async () => {
    const service = await newService();
    const desk = deskFor(service, parts(['50001', '25000', '60000']));
    mkdirSync(join(desk.folder, 'documents'));
    const put = (name: string, bytes: string | Buffer) => writeFileSync(join(desk.folder, 'documents', name), bytes);
    for (const name of ['za1.pdf', 'ZA1 page 2.pdf', 'za2-invoice.pdf']) put(name, pdf);
    put('za3.pdf', '');
    const bad = await pay(desk);
    expect(bad.document.problems).toMatchObject([{ row: 4, code: 'DOCUMENT_TYPE', value: 'documents/za3.pdf' }]);
    const skipped = await pay(desk, '--skip-invalid', '--batch', 'nov');
    expect([skipped.document.rows, service.payments.length]).toMatchObject([{ invalid: 1, pending: 2 }, 2]);
    expect(skipped.document.documents).toEqual({ attached: 3, open: 0 });
  });
});

const outside = (desk: Desk) => {
  const other = newFolder();
  writeFileSync(join(other, 'secret.pdf'), pdf);
  return { other, desk };
};

const wrong: readonly (readonly [title: string, documents: string, code: string, prepare: Prepare])[] = [
  ['that is missing', 'invoice.pdf', 'DOCUMENT_MISSING', () => {}],
  ['of which the second is missing', 'a.pdf;b.pdf', 'DOCUMENT_MISSING', file('a.pdf', pdf)],
  ['one byte over 10 MB', 'a.pdf', 'DOCUMENT_TOO_LARGE', file('a.pdf', Buffer.concat([pdf], big + 1))],
  ['that is a web page named .pdf', 'a.pdf', 'DOCUMENT_TYPE', file('a.pdf', '<html>')],
  ['that is empty', 'a.pdf', 'DOCUMENT_TYPE', file('a.pdf', '')],
  ['that ends as another kind', 'a.png', 'DOCUMENT_TYPE', file('a.png', pdf)],
  ['that is cut off at its beginning', 'a.pdf', 'DOCUMENT_UNREADABLE', file('a.pdf', '%PDF-')],
  [
    'that is encrypted',
    'a.pdf',
    'DOCUMENT_UNREADABLE',
    file('a.pdf', '%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<</Root 1 0 R /Encrypt 5 0 R>>\n%%EOF\n'),
  ],
  ['that is a folder', 'docs', 'DOCUMENT_TYPE', ({ folder }) => mkdirSync(join(folder, 'docs'))],
  ['above its folder', '../secret.pdf', 'DOCUMENT_OUTSIDE', () => {}],
  [
    'above its folder by a detour',
    'docs/../../secret.pdf',
    'DOCUMENT_OUTSIDE',
    ({ folder }) => mkdirSync(join(folder, 'docs')),
  ],
  ['with an absolute path', '/etc/hostname', 'DOCUMENT_OUTSIDE', () => {}],
  ['with a path of Windows', '..\\secret.pdf', 'DOCUMENT_OUTSIDE', () => {}],
  [
    'that is a link out of its folder',
    'link.pdf',
    'DOCUMENT_OUTSIDE',
    (desk) => symlinkSync(join(outside(desk).other, 'secret.pdf'), join(desk.folder, 'link.pdf')),
  ],
  [
    'in a linked folder outside',
    'docs/secret.pdf',
    'DOCUMENT_OUTSIDE',
    (desk) => symlinkSync(outside(desk).other, join(desk.folder, 'docs')),
  ],
];

describe.concurrent('a document', () => {
  it('that is missing stops the sheet before anything is sent', async () => {
    const service = await newService();
    const { exit } = await pay(deskFor(service, [{ ...nigerian, documents: 'invoice.pdf' }]));
    expect([exit, service.payments.length, service.merchants.size, service.uploads.length]).toEqual([20, 0, 0, 0]);
  });

  it.each(wrong)('%s is an error', async (_title, documents, code, prepare) => {
    expect(await checked([{ ...nigerian, documents }], prepare)).toEqual([20, `2 ${code} error`]);
  });

  it('of exactly 10 MB is taken', async () => {
    const exact = file('a.pdf', Buffer.concat([pdf], big));
    expect(await checked([{ ...nigerian, documents: 'a.pdf' }], exact)).toEqual([0]);
  });

  it('is taken as documents.kinds and documents.maxSize say, also by the sandbox, and refused with their names', async () => {
    const desk = deskFor(null, [{ ...nigerian, documents: 'scan.tif; photo.png' }]);
    const scan = Buffer.alloc(11 * 1024 * 1024);
    scan.write('II*\0', 'latin1');
    file('scan.tif', scan)(desk);
    file('photo.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))(desk);
    file('payrun.config.json', '{"documents": {"kinds": ["tiff", "png"], "maxSize": "12MB"}}')(desk);
    expect((await pay(desk, '--sandbox')).document.documents).toEqual({ attached: 2, open: 0 });
    const refused = async (env: Record<string, string>) => {
      const ran = await pay({ ...desk, env: { ...desk.env, ...env } }, '--sandbox', '--batch', 'again');
      return [ran.exit, ...ran.document.problems.map(({ code, facts }) => ({ code, facts }))];
    };
    expect(await refused({ PAYRUN_DOCUMENTS_MAX_SIZE: '11MB', PAYRUN_DOCUMENTS_KINDS: 'tiff,pdf' })).toEqual([
      20,
      {
        code: 'DOCUMENT_TYPE',
        facts: { name: 'photo.png', why: 'content', kinds: ['tiff', 'pdf'], bySetting: true },
      },
    ]);
    expect(await refused({ PAYRUN_DOCUMENTS_MAX_SIZE: '10MB' })).toEqual([
      20,
      {
        code: 'DOCUMENT_TOO_LARGE',
        facts: { name: 'scan.tif', sizeBytes: scan.length, maxBytes: 10 * 1024 * 1024, bySetting: true },
      },
    ]);
  });

  it.each([
    ['PAYRUN_DOCUMENTS_MAX_SIZE', '20'],
    ['PAYRUN_DOCUMENTS_MAX_SIZE', '1GB'],
    ['PAYRUN_DOCUMENTS_MAX_SIZE', '101MB'],
    ['PAYRUN_DOCUMENTS_KINDS', 'pdf,exe'],
  ])('is not looked at under %s=%s', async (name, value) => {
    const ran = await command(deskFor(null, [nigerian], { [name]: value }), ['run', 'november.csv', '--sandbox']);
    expect([ran.exit, ran.err]).toEqual([2, expect.stringContaining(name)]);
  });

  it('that the service kept, and did not answer, is known again whatever its size', async () => {
    const service = await newService();
    const desk = deskFor(service, [{ ...nigerian, documents: 'a.pdf' }], { PAYRUN_DOCUMENTS_MAX_SIZE: '12MB' });
    file('a.pdf', Buffer.concat([pdf], 12 * 1024 * 1024))(desk);
    service.fault = ({ route, nth }) =>
      route === 'POST /payments/:id/document' && nth === 1 ? { kind: 'drop', after: true } : undefined;
    await pay(desk);
    const { document } = await pay(desk);
    expect([service.uploads.length, document.documents]).toEqual([1, { attached: 1, open: 0 }]);
  });

  it('in a linked folder that stays inside is taken', async () => {
    const service = await newService();
    const desk = deskFor(service, [{ ...nigerian, documents: 'docs/a.pdf' }]);
    file('real/a.pdf', pdf)(desk);
    symlinkSync(join(desk.folder, 'real'), join(desk.folder, 'docs'));
    expect((await pay(desk)).document.documents).toEqual({ attached: 1, open: 0 });
  });

  it('that changes between the check and the upload is not sent, and the payment stands', async () => {
    const service = await newService();
    const desk = deskFor(service, [{ ...nigerian, documents: 'a.pdf' }]);
    const path = join(desk.folder, 'a.pdf');
    writeFileSync(path, pdf);
    service.fault = ({ route }) => {
      if (route === 'POST /payments') writeFileSync(path, '%PDF-another invoice');
      return undefined;
    };
    const { exit, document } = await pay(desk, '--wait', '20s');
    expect([exit, document.rows.paid, document.documents]).toEqual([21, 1, { attached: 0, open: 1 }]);
    expect(service.uploads).toEqual([]);
    expect(resultOf(document.result)[0]?.payrun_documents).toMatch(/0 of 1 attached.*changed/);
  });

  it('that the service refuses leaves its payment paid, and the run says 21', async () => {
    const service = await newService();
    const desk = deskFor(service, [{ ...nigerian, documents: 'a.pdf' }]);
    writeFileSync(join(desk.folder, 'a.pdf'), pdf);
    const error = 'no such kind';
    service.fault = ({ route }) =>
      route === 'POST /payments/:id/document' ? { kind: 'answer', status: 415, body: { error } } : undefined;
    const { exit, document } = await pay(desk, '--wait', '20s');
    expect([exit, document.rows.paid]).toEqual([21, 1]);
    expect(resultOf(document.result)[0]).toMatchObject({
      payrun_status: 'paid',
      payrun_documents: expect.stringMatching(`${error}.*documents\\.kinds.*documents\\.maxSize`),
    });
  });
});

it('a file that another batch had under another name causes a warning, and the row is paid', async () => {
  const service = await newService();
  const desk = deskFor(service, [{ ...southAfrican, documents: 'invoice.pdf' }]);
  const put = (name: string, bytes: string | Buffer) => writeFileSync(join(desk.folder, name), bytes);
  put('invoice.pdf', pdf);
  expect((await pay(desk, '--batch', 'oct')).document.documents).toEqual({ attached: 1, open: 0 });
  const november = { ...southAfrican, row_id: 'n', amount: '4700', reference: 'Nov' };
  writeFileSync(desk.sheet, csvOf([{ ...november, documents: 'november.pdf' }]));
  const told = async () => (await pay(desk, '--batch', 'nov')).document.problems.map(({ row, code }) => [row, code]);
  put('november.pdf', `${pdf.toString()}%\n`);
  const planned = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']));
  expect(planned.problems).toEqual([]);
  put('november.pdf', pdf);
  const again = documentOf(await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']));
  expect(again.problems).toMatchObject([{ code: 'DOCUMENT_AGAIN', severity: 'warning', column: 'documents' }]);
  const facts = { name: 'november.pdf', row: 2, batch: 'oct' };
  expect(JSON.parse(readFileSync(again.plan!, 'utf8')).warnings).toMatchObject([
    { row: 2, code: 'DOCUMENT_AGAIN', facts },
  ]);
  expect(await told()).toEqual([[2, 'DOCUMENT_AGAIN']]);
  // Of what was sent nothing is told; nor of rows of one sheet that share a file.
  expect(await told()).toEqual([]);
  const parts = ['a', 'b'].map((row_id) => ({
    ...november,
    row_id,
    reference: row_id,
    amount: row_id === 'a' ? '4800' : '4900',
    documents: 'december.pdf',
  }));
  writeFileSync(desk.sheet, csvOf(parts));
  put('december.pdf', `${pdf.toString()}% December\n`);
  expect((await pay(desk, '--batch', 'dec')).document.problems).toEqual([]);
});

it('how many of all are attached is told from the first one on', async () => {
  const path = join(newFolder(), 'a.pdf');
  writeFileSync(path, pdf);
  const document = { row: 1, rowKey: 'k', paymentId: 'p', name: 'a.pdf', path, sha256: sha256(pdf), state: 'due' };
  const due = [1, 2].map((id) => ({ ...document, id, sizeBytes: pdf.length }));
  const told: unknown[] = [];
  const deps = {
    ledger: {
      documents: {
        list: async (_: string, [state]: string[], afterId: number) => (state === 'due' && afterId === 0 ? due : []),
        documentCounts: async () => ({ due: 2, uploading: 0, attached: 0, in_doubt: 0, missing: 0 }),
        moveDocument: async () => {},
      },
    },
    client: { attachDocument: async () => 'id', documents: async () => [] },
    limits: { concurrency: 1, documents: defaultDocuments },
    stop: new AbortController().signal,
    progress: ({ done, total }: { done: number; total: number | null }) => told.push(`${done} of ${total}`),
  };
  await attach(deps as unknown as Deps, { name: 'nov' } as BatchFacts);
  expect(told).toEqual(['0 of 2', '1 of 2', '2 of 2']);
});

it('one that was sent, or has ended, keeps its documents and is asked for none; one that changed is asked again', async () => {
  const service = await newService({ expires: new Set(['Part 2']) });
  const rows = parts(['50001', '60000', '70000'], ['a.pdf', 'b.pdf']);
  const desk = deskFor(service, rows);
  mkdirSync(join(desk.folder, 'documents'));
  const paths = ['a.pdf', 'b.pdf', 'documents/za3.pdf'].map((name) => join(desk.folder, name));
  for (const path of paths) writeFileSync(path, `${pdf.toString()}% ${path}\n`);
  const run = async (...more: string[]) => (await pay(desk, '--wait', '20s', ...more)).document;
  const first = await run('--batch', 'nov');
  expect([first.rows, first.documents]).toMatchObject([{ paid: 2, unpaid: 1 }, { attached: 3 }]);
  for (const path of paths) rmSync(path);

  const grown = {
    ...southAfrican,
    row_id: 'za4',
    name: 'Sipho Dube',
    reference: 'Part 4',
    account_number: '10004291624',
  };
  writeFileSync(desk.sheet, csvOf([...rows, grown]));
  const second = await run('--batch', 'nov', '--add', '--account-checks', 'off');
  expect([second.problems, second.sent, second.documents]).toMatchObject([[], 1, { attached: 3, open: 0 }]);
  const again = documentOf(await command(desk, ['retry', 'nov', '--json', '--wait', '0']));
  expect([again.sent, again.documents]).toMatchObject([1, { attached: 2, open: 1 }]);

  const [one, , three] = rows;
  writeFileSync(
    desk.sheet,
    csvOf([
      { ...one!, documents: 'a.pdf; new.pdf' },
      { ...three!, amount: '70001' },
    ]),
  );
  const changed = await command(desk, ['run', desk.sheet, '--batch', 'nov', '--json']);
  expect(refusalOf(changed)).toMatchObject({
    code: 'SENT_ROWS_CHANGED',
    facts: { rows: { shown: [{ row: 2 }, { row: 3 }] } },
  });
});

it('a document that lies in the folder `documents` is named there', async () => {
  const desk = deskFor(null, [{ ...southAfrican, amount: '60000', documents: 'a.pdf' }]);
  mkdirSync(join(desk.folder, 'documents'));
  writeFileSync(join(desk.folder, 'documents', 'a.pdf'), pdf);
  const { document } = await pay(desk, '--sandbox', '--account-checks', 'off');
  expect(document.problems).toMatchObject([
    { row: 2, code: 'DOCUMENT_MISSING', value: 'a.pdf', message: expect.stringContaining("'documents/a.pdf'") },
  ]);
});
