/** Writes the pain.002 answer to a payments file: the status of each transaction under the file's ids. */
import { isoTime } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { shownText } from '../../domain/rows/cell.ts';
import type { RowWord } from '../../ledger/ledger.ts';
import { transactionWords } from '../../messages/files/result.ts';
import {
  createAmountSums,
  type Output,
  oneByOne,
  type ResultRow,
  type Sheet,
  type StatusLine,
  writeStatusReport,
} from '../../sheet/sheet.ts';

interface AnswerOrder {
  readonly source: Sheet;
  readonly now: number;
  readonly places: { readonly word: number; readonly reason: number; readonly payment: number };
  rows(): AsyncIterable<readonly ResultRow[]>;
}

export async function answerFile(result: Output, order: AnswerOrder): Promise<string | null> {
  const { initiation } = order.source;
  if (initiation === null) return null;
  const sums = createAmountSums<TransactionStatus>();
  for await (const lines of transactions(order)) for (const { status, amount } of lines) sums.add(status, amount);
  const counts = sums.all();
  const report = { initiation, at: isoTime(order.now), groupStatus: groupStatus(counts.map(({ status }) => status)) };
  return await writeStatusReport(result, { ...report, counts, lines: () => transactions(order) });
}

type Answered = StatusLine & { readonly status: TransactionStatus; readonly amount: string };

async function* transactions({ source, places, rows }: AnswerOrder): AsyncGenerator<readonly Answered[]> {
  const at = (header: string) => source.header.indexOf(header);
  const [batchAt, instructionAt, endToEndAt, amountAt] = ['PmtInfId', 'InstrId', 'EndToEndId', 'amount'].map(at);
  const lines = oneByOne(source.lines());
  for await (const results of rows()) {
    const out: Answered[] = [];
    for (const { number, values } of results) {
      const { value: line } = await lines.next();
      assert(line?.number === number, `a transaction of the file lacks its result (${number})`);
      const text = (index: number | undefined) => shownText(line.raw[index ?? -1] ?? '');
      out.push({
        batchId: text(batchAt),
        instructionId: text(instructionAt),
        endToEndId: text(endToEndAt),
        amount: text(amountAt),
        ...answerOf(values, places),
      });
    }
    yield out;
  }
}

function answerOf(values: ResultRow['values'], places: AnswerOrder['places']) {
  const word = values[places.word] as RowWord;
  const said = [values[places.reason], values[places.payment] === null ? null : `payment ${values[places.payment]}`];
  const reasons = [transactionWords[word], ...said].filter((one) => one != null && one !== '').map(String);
  return { status: transactionStatus[word], word: word === 'paid' ? null : word, reasons };
}

/** ACSC: paid. PDNG: undecided, so nobody may pay the row again. RJCT: not paid, and Payrun will not pay the row. */
type TransactionStatus = 'ACSC' | 'PDNG' | 'RJCT';

export const transactionStatus: { readonly [W in RowWord]: TransactionStatus } = {
  paid: 'ACSC',
  pending: 'PDNG',
  'not sent': 'PDNG',
  unpaid: 'RJCT',
  'in doubt': 'PDNG',
  held: 'PDNG',
  // The payee was paid. After RJCT, somebody would pay a third time.
  'paid twice': 'ACSC',
  invalid: 'RJCT',
  closed: 'RJCT',
};

/** Returns the status of a whole file, whose transactions have the given different statuses. */
export const groupStatus = (statuses: readonly TransactionStatus[]): TransactionStatus | 'PART' =>
  statuses.length === 1 ? statuses[0]! : 'PART';
