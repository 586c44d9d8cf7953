/** Writes a pain.002, a bank's answer to a file of payments (pain.001), with a status for each transaction. */
import type { FileHandle } from 'node:fs/promises';
import type { Each } from '../../base/words.ts';
import { decimalText, exactDecimal } from '../../domain/amounts/exact-decimal.ts';
import type { Initiation } from '../open.ts';
import { type Output, writeOutput } from '../write/owned-files.ts';
import { escapedXml } from '../xml/xml.ts';

export interface StatusLine extends Each<'instructionId endToEndId status', string> {
  /** The three ids come from the payments file, and may be NOTPROVIDED. */
  readonly batchId: string;
  /** Payrun's status of the row, which becomes the reason code. Null if the row is paid. */
  readonly word: string | null;
  readonly reasons: readonly string[];
}

interface StatusReport {
  readonly initiation: Initiation;
  readonly at: string;
  readonly groupStatus: string;
  readonly counts: readonly { readonly status: string; readonly count: number; readonly sum: string }[];
  lines(): AsyncIterable<readonly StatusLine[]>;
}

/** ISO 20022 defines the version of the answer (pain.002) for each version of the payments file (pain.001). */
const answers: { readonly [version: string]: string } = {
  'pain.001.001.03': 'pain.002.001.03',
  'pain.001.001.09': 'pain.002.001.10',
};

/** ISO 20022 allows 105 characters in a line of reasons. Payrun writes at most ten such lines for a transaction. */
const maxLine = 105;
const maxLines = 10;
/** A line ends before a space. Only a word that is too long is cut. */
const linePattern = new RegExp(`\\S.{0,${maxLine - 1}}(?= |$)|\\S{${maxLine}}`, 'g');

const reportIdStart = 'PAYRUN-';

export async function writeStatusReport(result: Output, report: StatusReport): Promise<string> {
  const path = result.path.replace(
    /(?:\.result(-\d+)?)?\.\w+$/,
    (_, number: string | undefined) => `${number ?? ''}.pain.002.xml`,
  );
  return await writeOutput({ ...result, path }, async (handle) => await write(handle, report));
}

async function write(handle: FileHandle, report: StatusReport): Promise<void> {
  const { initiation, at, counts } = report;
  const { version, messageId, created, count, sum } = initiation;
  const head = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${answers[version]}">`,
    '<CstmrPmtStsRpt>',
    `<GrpHdr>${element('MsgId', reportIdStart + at)}${element('CreDtTm', at)}</GrpHdr>`,
    '<OrgnlGrpInfAndSts>',
    element('OrgnlMsgId', messageId) + element('OrgnlMsgNmId', version) + element('OrgnlCreDtTm', created),
    element('OrgnlNbOfTxs', count) + (sum === null ? '' : element('OrgnlCtrlSum', sum)),
    element('GrpSts', report.groupStatus),
    ...counts.map(
      (one) =>
        `<NbOfTxsPerSts>${element('DtldNbOfTxs', String(one.count))}${element('DtldSts', one.status)}${element('DtldCtrlSum', one.sum)}</NbOfTxsPerSts>`,
    ),
    '</OrgnlGrpInfAndSts>',
  ];
  await handle.appendFile(`${head.filter((line) => line !== '').join('\n')}\n`);
  let batch: string | null = null;
  for await (const lines of report.lines()) {
    let text = '';
    for (const line of lines) {
      if (line.batchId !== batch) {
        text += `${batch === null ? '' : '</OrgnlPmtInfAndSts>\n'}<OrgnlPmtInfAndSts>${element('OrgnlPmtInfId', line.batchId)}\n`;
        batch = line.batchId;
      }
      text += `${transaction(line)}\n`;
    }
    await handle.appendFile(text);
  }
  await handle.appendFile(`${batch === null ? '' : '</OrgnlPmtInfAndSts>\n'}</CstmrPmtStsRpt>\n</Document>\n`);
}

function transaction({ instructionId, endToEndId, status, word, reasons }: StatusLine): string {
  const reason =
    word === null && reasons.length === 0
      ? ''
      : `<StsRsnInf>${word === null ? '' : `<Rsn>${element('Prtry', word)}</Rsn>`}${linesOf(reasons)
          .map((line) => element('AddtlInf', line))
          .join('')}</StsRsnInf>`;
  const instruction = instructionId === '' ? '' : element('OrgnlInstrId', instructionId);
  const id = endToEndId === '' ? '' : element('OrgnlEndToEndId', endToEndId);
  return `<TxInfAndSts>${instruction}${id}${element('TxSts', status)}${reason}</TxInfAndSts>`;
}

const element = (name: string, text: string): string =>
  text === '' ? '' : `<${name}>${escapedXml(text).xml}</${name}>`;

const linesOf = (reasons: readonly string[]): string[] =>
  reasons.flatMap((text) => text.replaceAll(/\s+/g, ' ').trim().match(linePattern) ?? []).slice(0, maxLines);

export function createAmountSums<Status>() {
  const sums = new Map<Status, { count: number; units: bigint }>();
  return {
    add(status: Status, amount: string): void {
      const one = sums.get(status) ?? { count: 0, units: 0n };
      one.count += 1;
      one.units += exactDecimal(amount) ?? 0n;
      sums.set(status, one);
    },
    all: () => Array.from(sums, ([status, { count, units }]) => ({ status, count, sum: decimalText(units) })),
  };
}
