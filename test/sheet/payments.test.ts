/** Files of payments (pain.001): strict where two programs could read them differently, exact in their sums; and the answer's structure. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Refusal } from '../../src/base/refusal.ts';
import { decimalText, exactDecimal } from '../../src/domain/amounts/exact-decimal.ts';
import { transactionWords } from '../../src/messages/files/result.ts';
import { groupStatus, transactionStatus } from '../../src/pipeline/results/answer-file.ts';
import { type StatusLine, writeStatusReport } from '../../src/sheet/sheet.ts';
import { createXmlStream } from '../../src/sheet/xml/xml-stream.ts';
import { freshPath, given, readAll, refusal } from './given.ts';

const minimal = readFileSync(join(import.meta.dirname, '../corpus/payments/minimal.xml'), 'utf8');
const changed = (from: string | RegExp, to: string) => {
  const text = minimal.replace(from, to);
  expect(text, String(from)).not.toBe(minimal);
  return given('a.xml', text);
};

describe('what two programs could read differently', () => {
  test.each<[string, string | RegExp, string, Refusal]>([
    [
      'a second id',
      '</EndToEndId>',
      '</EndToEndId><EndToEndId>X</EndToEndId>',
      { code: 'PAYMENTS_MALFORMED', facts: { element: 'EndToEndId' } },
    ],
    [
      'an element in a text',
      'Thandi Mokoena',
      'Thandi<b/> Mokoena',
      { code: 'PAYMENTS_MALFORMED', facts: { element: 'Nm' } },
    ],
    ['a text beside elements', '<PmtId>', '<PmtId>x', { code: 'PAYMENTS_MALFORMED', facts: { element: 'PmtId' } }],
    [
      'a group after its transactions',
      '</PmtInf>',
      '<CtrlSum>14500</CtrlSum></PmtInf>',
      { code: 'PAYMENTS_MALFORMED', facts: { element: 'CdtTrfTxInf' } },
    ],
    ['no header', /<GrpHdr>.*<\/GrpHdr>/, '', { code: 'PAYMENTS_MALFORMED', facts: { element: 'GrpHdr' } }],
    [
      'another root',
      /CstmrCdtTrfInitn/g,
      'CstmrDrctDbtInitn',
      { code: 'PAYMENTS_MALFORMED', facts: { element: 'CstmrDrctDbtInitn' } },
    ],
    ['an entity that nobody declared', 'Thandi', '&who;', { code: 'XML_CUT', facts: {} }],
    ['a prefix that nobody declared', /<(\/?)Nm>(?=Thandi|<\/Cdtr>)/g, '<$1q:Nm>', { code: 'XML_CUT', facts: {} }],
    ['a control character', 'Thandi', 'Thandi\u0008', { code: 'XML_CUT', facts: {} }],
    ['two roots', '</Document>', '</Document><Document/>', { code: 'XML_CUT', facts: {} }],
    ['text behind the end', '</Document>', '</Document>x', { code: 'XML_CUT', facts: {} }],
    [
      'an amount in words',
      '14500.00',
      '1.45E4',
      { code: 'PAYMENTS_AMOUNT_NO_DECIMAL', facts: { transaction: 1, id: 'SAL-0001' } },
    ],
    [
      'a negative amount',
      '14500.00',
      '-14500.00',
      { code: 'PAYMENTS_AMOUNT_NO_DECIMAL', facts: { transaction: 1, id: 'SAL-0001' } },
    ],
    [
      'an amount to be exchanged',
      /<InstdAmt.*<\/InstdAmt>/,
      '<EqvtAmt><Amt Ccy="USD">800</Amt></EqvtAmt>',
      { code: 'PAYMENTS_NEED_EXCHANGE', facts: { transaction: 1, id: 'SAL-0001' } },
    ],
    ['a text that never ends', 'Thandi', 'x'.repeat(300_000), { code: 'PAYMENTS_MALFORMED', facts: { element: 'Nm' } }],
  ])('is refused: %s', async (_, from, to, why) => {
    expect(await refusal(changed(from, to))).toEqual(why);
  });

  test('is the same in whatever pieces it comes', () => {
    const whole = events(Buffer.from(minimal), minimal.length);
    for (const size of [1, 2, 3, 7, 64]) expect(events(Buffer.from(minimal), size)).toEqual(whole);
  });
});

function events(bytes: Buffer, size: number): string[] {
  const out: string[] = [];
  let text = '';
  const flush = () => {
    if (text.trim() !== '') out.push(text);
    text = '';
  };
  const stream = createXmlStream({
    open(name) {
      flush();
      out.push(`<${name}`);
    },
    text(piece) {
      text += piece;
    },
    close() {
      flush();
      out.push('>');
    },
  });
  for (let at = 0; at < bytes.length; at += size) stream.push(bytes.subarray(at, at + size));
  stream.end();
  return out;
}

test.each([
  ['0.1', '0.2', '0.3'],
  ['9007199254740993', '0.01', '9007199254740993.01'],
  ['14500.00', '+1', '14501'],
])('sums are exact: %s and %s are %s', (one, other, sum) => {
  expect(decimalText(exactDecimal(one)! + exactDecimal(other)!)).toBe(sum);
});

test.each([
  ['+254-712345678', '+254712345678', ''],
  ['0712345678', '0712345678', ''],
  ['1234567890', '', '1234567890'],
])('in Kenya the account %s is paid as the phone "%s"', async (account, phone, other) => {
  const kenyan = minimal.replace('<Ctry>ZA</Ctry>', '<Ctry>KE</Ctry>').replace('001321676', account);
  const { lines } = await readAll(
    given('a.xml', kenyan.replace('<Nm>Thandi', '<CtctDtls><MobNb>+254-799999999</MobNb></CtctDtls><Nm>Thandi')),
  );
  expect([lines[0]!.cells.contact_number ?? '', lines[0]!.cells.account_number ?? '']).toEqual([phone, other]);
});

// --- The answer

/** Of each element of a pain.002 that we write, what may stand in it and in which order; `!` is required, `*` may stand several times. */
const structure: { readonly [element: string]: string } = {
  Document: 'CstmrPmtStsRpt!',
  CstmrPmtStsRpt: 'GrpHdr! OrgnlGrpInfAndSts! OrgnlPmtInfAndSts*',
  GrpHdr: 'MsgId! CreDtTm! InitgPty',
  OrgnlGrpInfAndSts:
    'OrgnlMsgId! OrgnlMsgNmId! OrgnlCreDtTm OrgnlNbOfTxs OrgnlCtrlSum GrpSts StsRsnInf* NbOfTxsPerSts*',
  NbOfTxsPerSts: 'DtldNbOfTxs! DtldSts! DtldCtrlSum',
  OrgnlPmtInfAndSts: 'OrgnlPmtInfId! OrgnlNbOfTxs OrgnlCtrlSum PmtInfSts StsRsnInf* NbOfTxsPerSts* TxInfAndSts*',
  TxInfAndSts: 'StsId OrgnlInstrId OrgnlEndToEndId TxSts StsRsnInf*',
  StsRsnInf: 'Orgtr Rsn AddtlInf*',
  Rsn: 'Prtry!',
};
const limits: { readonly [element: string]: number } = {
  MsgId: 35,
  OrgnlMsgId: 35,
  AddtlInf: 105,
  Prtry: 35,
  OrgnlEndToEndId: 35,
};

interface Element {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

function treeOf(xml: string): Element {
  const root: Element = { name: '', children: [], text: '' };
  const open = [root];
  const stream = createXmlStream({
    open(name) {
      const one: Element = { name, children: [], text: '' };
      open.at(-1)!.children.push(one);
      open.push(one);
    },
    text(text) {
      open.at(-1)!.text += text;
    },
    close: () => void open.pop(),
  });
  stream.push(Buffer.from(xml));
  stream.end();
  return root.children[0]!;
}

function faultsOf({ name, children, text }: Element): string[] {
  const order = (structure[name] ?? '').split(' ').filter((one) => one !== '');
  const names = order.map((one) => one.replace(/[!*]$/, ''));
  const places = children.map((child) => names.indexOf(child.name));
  return [
    ...places.flatMap((place, at) => (place < 0 ? [`${children[at]!.name} in ${name}`] : [])),
    ...places.flatMap((place, at) => (place < (places[at - 1] ?? 0) ? [`${children[at]!.name} too late`] : [])),
    ...order.flatMap((one, at) => {
      const count = places.filter((place) => place === at).length;
      return (one.endsWith('!') && count !== 1) || (!one.endsWith('*') && count > 1)
        ? [`${count} ${one} in ${name}`]
        : [];
    }),
    ...(order.length === 0 && (text === '' || text.length > (limits[name] ?? 999)) ? [`the text of ${name}`] : []),
    ...children.flatMap(faultsOf),
  ];
}

describe('the answer', () => {
  const initiation = {
    version: 'pain.001.001.09',
    messageId: 'M & <1>',
    created: '2026-11-20T09:00:00',
    count: '3',
    sum: null,
  };
  const line = (endToEndId: string, batchId: string, status = 'ACSC', more: Partial<StatusLine> = {}): StatusLine => ({
    batchId,
    instructionId: '',
    endToEndId,
    status,
    word: null,
    reasons: [],
    ...more,
  });

  test('has the structure of a pain.002, the ids of the file, and reasons in lines that fit', async () => {
    const doubt = {
      word: 'in doubt',
      reasons: [transactionWords['in doubt'], `${'a long reason & more '.repeat(20)}end`],
    };
    const path = await writeStatusReport(
      { path: freshPath('nov.result.csv'), subject: 'batch' },
      {
        initiation,
        at: '2026-11-21T12:00:00.000Z',
        groupStatus: 'PART',
        counts: [
          { status: 'ACSC', count: 2, sum: '100' },
          { status: 'PDNG', count: 1, sum: '0.5' },
        ],
        async *lines() {
          yield [line('A', 'P-1', 'ACSC', { instructionId: 'I' }), line('B', 'P-1', 'PDNG', doubt)];
          yield [line('C', 'P-2')];
        },
      },
    );
    expect(path).toMatch(/nov\.pain\.002\.xml$/);
    const xml = readFileSync(path, 'utf8');
    expect(xml).toContain('xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"');
    const tree = treeOf(xml);
    expect(faultsOf(tree)).toEqual([]);
    const [, original, ...groups] = tree.children[0]!.children;
    expect(original!.children[0]!.text).toBe('M & <1>');
    expect(
      groups.map(({ children }) =>
        children.map((one) => one.text || one.children.find(({ name }) => name === 'OrgnlEndToEndId')?.text),
      ),
    ).toEqual([
      ['P-1', 'A', 'B'],
      ['P-2', 'C'],
    ]);
    expect(xml).toContain(transactionWords['in doubt']);
    expect(
      faultsOf(treeOf(xml.replace('<TxSts>ACSC</TxSts>', '').replace('<GrpSts>PART</GrpSts>', '<Other/>'))),
    ).not.toEqual([]);
  });

  test('goes over its own earlier one, and not over what lies there under that name', async () => {
    const result = freshPath('dec.result.csv');
    const order = {
      initiation,
      at: '2026-11-21T12:00:00.000Z',
      groupStatus: 'ACSC',
      counts: [],
      lines: async function* () {},
    };
    const theirs = result.replace('result.csv', 'pain.002.xml');
    const document = '<Document>of a bank</Document>';
    writeFileSync(theirs, document);
    const [first, second] = [
      await writeStatusReport({ path: result, subject: 'batch' }, order),
      await writeStatusReport({ path: result, subject: 'batch' }, order),
    ];
    expect([first, second]).toEqual([theirs.replace('.pain', '-2.pain'), first]);
    expect(readFileSync(theirs, 'utf8')).toBe(document);
  });

  test('never rejects what may have been paid, and never calls paid what was not', () => {
    const of = (status: string) =>
      Object.entries(transactionStatus).flatMap(([word, one]) => (one === status ? [word] : []));
    expect(of('ACSC')).toEqual(['paid', 'paid twice']);
    expect(of('PDNG')).toEqual(['pending', 'not sent', 'in doubt', 'held']);
    expect(of('RJCT')).toEqual(['unpaid', 'invalid', 'closed']);
    expect(groupStatus(['ACSC'])).toBe('ACSC');
    expect(groupStatus(['PDNG'])).toBe('PDNG');
    expect(groupStatus(['ACSC', 'PDNG'])).toBe('PART');
  });
});
