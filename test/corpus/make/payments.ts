/** Files of payments (ISO 20022 pain.001) as several programs lay them out, made anew: `node test/corpus/make/payments.ts`. */
import { place } from './place.ts';

const space = (version: string) => `urn:iso:std:iso:20022:tech:xsd:${version}`;
const v03 = 'pain.001.001.03';
const v09 = 'pain.001.001.09';

function put(name: string, about: string, text: string): void {
  place({ name: `payments/${name}.xml`, about }, text);
}

interface Transfer {
  readonly id: string;
  readonly name: string;
  readonly amount: string;
  readonly currency?: string;
  readonly agent: string;
  readonly account?: string;
  readonly more?: string;
  readonly reference?: string;
}

const thandi: Transfer = {
  id: 'SAL-0001',
  name: 'Thandi Mokoena',
  amount: '14500.00',
  agent:
    '<ClrSysMmbId><ClrSysId><Cd>ZANCC</Cd></ClrSysId><MmbId>051001</MmbId></ClrSysMmbId><PstlAdr><Ctry>ZA</Ctry></PstlAdr>',
  account: '001321676',
  reference: 'Salary Nov',
};
const ade: Transfer = {
  id: 'INV-204',
  name: 'Ade Bello',
  amount: '250000',
  currency: 'NGN',
  agent: '<ClrSysMmbId><MmbId>058</MmbId></ClrSysMmbId><Nm>Guaranty Trust Bank</Nm><PstlAdr><Ctry>NG</Ctry></PstlAdr>',
  account: '0123456785',
  reference: 'INV 204',
};
const wanjiru: Transfer = {
  id: 'TRAVEL-7',
  name: 'Wanjiru Example',
  amount: '1200.00',
  currency: 'KES',
  agent: '<Nm>Mobile money</Nm><PstlAdr><Ctry>KE</Ctry></PstlAdr>',
  account: '+254-712345678',
  reference: 'TRAVEL',
};

function transfer({ id, name, amount, currency = 'ZAR', agent, account, more = '', reference }: Transfer): string {
  const remittance = reference === undefined ? '' : `<RmtInf><Ustrd>${reference}</Ustrd></RmtInf>`;
  const to = account === undefined ? '' : `<CdtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></CdtrAcct>`;
  return `<CdtTrfTxInf><PmtId><EndToEndId>${id}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt><CdtrAgt><FinInstnId>${agent}</FinInstnId></CdtrAgt><Cdtr><Nm>${name}</Nm>${more}</Cdtr>${to}${remittance}</CdtTrfTxInf>`;
}

const debtor =
  '<Dbtr><Nm>Example Holdings</Nm></Dbtr><DbtrAcct><Id><Othr><Id>62001234567</Id></Othr></Id></DbtrAcct><DbtrAgt><FinInstnId/></DbtrAgt>';

interface Group {
  readonly id: string;
  readonly date?: string;
  readonly sums?: string;
  readonly method?: string;
  readonly transfers: readonly string[];
}

const group = ({ id, date = '2026-11-30', sums = '', method = 'TRF', transfers }: Group) =>
  `<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>${method}</PmtMtd>${sums}<ReqdExctnDt>${date}</ReqdExctnDt>${debtor}${transfers.join('')}</PmtInf>`;

const header = (count: number, sum: string | null, id = 'MSG-2026-11') =>
  `<GrpHdr><MsgId>${id}</MsgId><CreDtTm>2026-11-20T09:00:00</CreDtTm><NbOfTxs>${count}</NbOfTxs>${sum === null ? '' : `<CtrlSum>${sum}</CtrlSum>`}<InitgPty><Nm>Example Holdings</Nm></InitgPty></GrpHdr>`;

const document = (inside: string, version = v03) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${space(version)}"><CstmrCdtTrfInitn>${inside}</CstmrCdtTrfInitn></Document>\n`;

const indented = (text: string) => {
  let depth = 0;
  return text
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (line.startsWith('</')) depth -= 1;
      const out = '  '.repeat(Math.max(0, depth)) + line;
      if (/^<[\w:]/.test(line) && !line.includes('</') && !line.endsWith('/>')) depth += 1;
      return out;
    })
    .join('\r\n');
};

const one = group({ id: 'PAY-1', transfers: [transfer(thandi)] });

// --- As programs lay them out

put(
  'minimal',
  'The least that a file of payments has: no sums but the number of its transactions.',
  document(header(1, null) + one),
);
put(
  'as-a-large-erp-has-it',
  'As large ERP systems write it: indented, with sums for the file and for each of two groups, and instruction ids.',
  indented(
    document(
      header(3, '265700.00') +
        group({
          id: '0000012345-1',
          sums: '<BtchBookg>false</BtchBookg><NbOfTxs>1</NbOfTxs><CtrlSum>14500.00</CtrlSum><PmtTpInf><SvcLvl><Cd>NURG</Cd></SvcLvl></PmtTpInf>',
          transfers: [transfer(thandi).replace('<PmtId>', '<PmtId><InstrId>4711</InstrId>')],
        }) +
        group({
          id: '0000012345-2',
          date: '2026-12-01',
          sums: '<NbOfTxs>2</NbOfTxs><CtrlSum>251200</CtrlSum>',
          transfers: [transfer(ade), transfer(wanjiru)],
        }),
    ),
  ),
);
put(
  'as-accounting-programs-have-it',
  'As accounting programs for small companies write it: accounts with their branch codes, the id only as an instruction.',
  document(
    header(2, '18950.00') +
      group({
        id: 'BATCH 7',
        transfers: [
          transfer({ ...thandi, id: 'NOTPROVIDED' }).replace('<PmtId>', '<PmtId><InstrId>A1</InstrId>'),
          transfer({
            ...thandi,
            id: 'NOTPROVIDED',
            name: 'Pieter Example',
            amount: '4450.0',
            account: '10001274162',
          }).replace('<PmtId>', '<PmtId><InstrId>A2</InstrId>'),
        ],
      }),
  ),
);
put(
  'as-open-erp-has-it',
  'As open ERP systems write it, in version 09: the day within an element of its own, a BIC beside the name, an address.',
  indented(
    document(
      header(2, '264500.0') +
        group({
          id: 'PAY/2026/0007',
          transfers: [
            transfer({
              ...thandi,
              agent: '<BICFI>SBZAZAJJ</BICFI><Nm>Standard Bank</Nm>',
              more: '<PstlAdr><StrtNm>1 Example Street</StrtNm><Ctry>ZA</Ctry><AdrLine>Cape Town</AdrLine></PstlAdr>',
            }),
            transfer({ ...ade, agent: '<BICFI>GTBINGLA</BICFI><Nm>Guaranty Trust Bank</Nm>' }),
          ],
        }).replace(/<ReqdExctnDt>(.*?)<\/ReqdExctnDt>/, '<ReqdExctnDt><Dt>$1</Dt></ReqdExctnDt>'),
      v09,
    ),
  ),
);
put(
  'with-prefixes',
  'Every element under a prefix, comments and a CDATA section between, and an extension of another namespace.',
  document(header(1, '14500') + one)
    .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1p:')
    .replace('xmlns=', 'xmlns:p=')
    .replace('Thandi Mokoena', '<![CDATA[Thandi]]> <!-- who? -->Mokoena')
    .replace(
      '</p:CdtTrfTxInf>',
      '<x:Envlp xmlns:x="urn:example"><x:Cdtr><x:Nm>Somebody</x:Nm></x:Cdtr></x:Envlp></p:CdtTrfTxInf>',
    ),
);

// --- What is to be mended

put(
  'mistakes',
  'Transactions that cannot be paid as they are: a fraction, a reference that is too long, a bank by its BIC alone, an id twice.',
  document(
    header(5, '60500.50') +
      group({
        id: 'PAY-1',
        date: '2026-11-01',
        transfers: [
          transfer({ ...thandi, amount: '2500.50' }),
          transfer({ ...thandi, id: 'E-2', reference: 'Salary for the month of November' }),
          transfer({ ...thandi, id: 'E-3', agent: '<BIC>SBZAZAJJ</BIC>' }),
          transfer({ ...thandi, id: 'E-4', reference: 'Bonus' }),
          transfer({ ...thandi, id: 'E-4', reference: 'Bonus 2' }),
        ],
      }),
  ),
);

// --- What is refused

const refused: readonly (readonly [string, string, string])[] = [
  ['sum-differs', 'The sum of the file is another than that of its amounts.', document(header(1, '14500.01') + one)],
  ['count-differs', 'The file says that it has two transactions, and one is gone.', document(header(2, null) + one)],
  [
    'group-sum-differs',
    'A group whose own sum does not agree, though that of the file does.',
    document(
      header(1, '14500') + group({ id: 'P', sums: '<CtrlSum>14500.10</CtrlSum>', transfers: [transfer(thandi)] }),
    ),
  ],
  [
    'cheques',
    'Cheques are no transfers.',
    document(header(1, null) + group({ id: 'P', method: 'CHK', transfers: [transfer(thandi)] })),
  ],
  ['other-version', 'A version that is not read.', document(header(1, null) + one, 'pain.001.001.08')],
  ['direct-debit', 'A direct debit, which takes money in.', document(header(1, null) + one, 'pain.008.001.02')],
  [
    'amount-twice',
    'Two amounts in one transaction.',
    document(header(1, null) + one.replace('</Amt>', '<InstdAmt Ccy="ZAR">1</InstdAmt></Amt>')),
  ],
  ['no-transaction', 'A header and no transaction.', document(header(0, '0'))],
  ['cut-off', 'A file that ends in the middle.', document(header(1, null) + one).slice(0, -80)],
  [
    'entity',
    'An entity of its own, in a document type declaration.',
    document(header(1, null) + one).replace(
      '<Document',
      '<!DOCTYPE Document [<!ENTITY e SYSTEM "file:///etc/passwd">]><Document',
    ),
  ],
  ['latin-1', 'Another encoding than UTF-8.', document(header(1, null) + one).replace('UTF-8', 'ISO-8859-1')],
  ['deep', 'Elements a hundred deep.', document(header(1, null) + one).replace('<Cdtr>', `${'<Cdtr>'.repeat(100)}`)],
];
for (const [name, about, text] of refused) put(name, about, text);
