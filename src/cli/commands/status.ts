/** Runs `payrun check`, `status`, `list` and `report`, which send nothing. */
import { resolve } from 'node:path';
import { batchNamed } from '../../app/batch/find-batch.ts';
import { isoTime, systemClock } from '../../base/clock.ts';
import { destinationWords } from '../../domain/accounts/merchant.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import { reasonsIn } from '../../domain/sending/reason.ts';
import { eachRow, type LedgerRow, openLedger, proposalWaits } from '../../ledger/ledger.ts';
import { grouped, rowStateCounts } from '../../messages/format/numbers.ts';
import { isoTimeWords } from '../../messages/format/times.ts';
import { noteWords } from '../../messages/notes.ts';
import { rowReasonWords } from '../../messages/row-reasons.ts';
import { wordsNow } from '../../pipeline/doubt-step.ts';
import { pausesOf, stopNotes } from '../../pipeline/holds.ts';
import { elsewhereFields } from '../../pipeline/outcome.ts';
import { advanceOrder, checkOrder } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { flag, placeFlags, print, reply, text, texts } from '../compose/command-context.ts';
import { foldersOf, loadSettings, refuseUnread } from '../compose/config.ts';
import { ledgerOnly, ledgerView } from '../compose/ledger-only.ts';
import { guardsOf } from '../compose/limits.ts';
import { writeResult } from '../perform/write-result.ts';
import { firstLine, progressOf, table } from '../render/screen.ts';

export const checkFile: Run = async (args, world) => {
  const { check } = await import('../../app/preview-batch.ts');
  const { streams, cwd, clock = systemClock } = world;
  const settings = loadSettings(world, {});
  const file = resolve(cwd, text(args, 'file') ?? '');
  refuseUnread(settings, foldersOf(cwd, file));
  const line = progressOf(streams, flag(args, 'quiet') || flag(args, 'json'));
  await using ledger = openLedger(null, clock);
  const outcome = await check(
    ledger,
    {
      ...checkOrder(args, world, settings, file),
      caps: guardsOf(args, settings).caps,
      rails: settings.guards.rails,
      controls: { expect: texts(args, 'expect'), required: false },
      handBack: {
        outDir: advanceOrder(args, world).outDir,
        always: flag(args, 'write'),
        totals: flag(args, 'totals'),
        now: clock.now(),
      },
    },
    line.show,
  ).finally(line.end);
  return print(outcome, args, world, 'look');
};

export const statusOf: Run = async (args, world) => {
  const { batchStatus, outcomeOf } = await import('../../pipeline/outcome.ts');
  await using ledger = await ledgerOnly(args, world);
  const batch = await batchNamed(ledger, text(args, 'batch'));
  const view = ledgerView(batch, world);
  const { notes, ...stands } = await batchStatus(ledger, batch, view);
  const outcome = outcomeOf({ ...stands, notes: [...(await stopNotes(ledger, batch.name)), ...notes] });
  if (!flag(args, 'json')) world.streams.out.write(firstLine(batch.service, ledger.path));
  const end = print(outcome, { ...args, quiet: false }, world, 'status');
  return flag(args, 'exit-code') ? end : 'done';
};

export const listOf: Run = async (...given) =>
  await (text(given[0], 'batch') === null ? listBatches : listRows)(...given);

const listRows: Run = async (args, world) => {
  await using ledger = await ledgerOnly(args, world);
  const batch = await batchNamed(ledger, text(args, 'batch'));
  const rows = await Array.fromAsync(eachRow(ledger, { batch: batch.name }));
  const wordIn = await wordsNow(ledger, rows);
  const shown = rows.map((row) => ({
    row: row.number,
    key: row.key,
    status: wordIn(row),
    ...payeeOf(row),
    amount: row.amount,
    paid_amount: row.paidAmount,
    unit: row.unit,
    currency: row.currency,
    payment_id: row.paymentId,
    payment_status: row.paymentStatus,
    reason: rowReasonWords(row.reason, row.closed),
    reasons: reasonsIn(row.reason),
    tag: row.tag,
  }));
  const lines = shown.map((row) => {
    const currency = row.unit === 'whole' ? row.currency : `${row.currency} (${row.unit})`;
    const amount = currency === '' ? '' : grouped(row.paid_amount ?? row.amount);
    const { name, reference, payment_id, reason } = row;
    return [row.key, String(row.row), row.status, name, reference, amount, currency, payment_id ?? '', reason ?? ''];
  });
  const header = ['payrun_row', 'row', 'status', 'payee', 'reference', 'amount', 'currency', 'payment', 'reason'];
  const document = { batch: batch.name, ...elsewhereFields(await ledger.elsewhere()), rows: shown };
  return reply(args, world, document, `${table([header, ...lines], [header.indexOf('amount')]).join('\n')}\n`);
};

export function payeeOf({ content, number }: LedgerRow) {
  const { name, destination, reference } = rowOfContent(content, number);
  return { name, destination: destinationWords(destination), reference };
}

const listBatches: Run = async (args, world) => {
  await using ledger = await ledgerOnly(args, world);
  const { standing } = await import('../../pipeline/figures.ts');
  const batches = await Promise.all(
    (await ledger.batches.list()).map(async (batch) => ({
      batch: batch.name,
      sheet: batch.sheet.name,
      service: batch.service,
      received: isoTime(batch.sheet.receivedAt),
      rows: (await standing(ledger, batch)).rows,
    })),
  );
  const paused = await pausesOf(ledger, null);
  const moved = elsewhereFields(await ledger.elsewhere());
  const plans = ledger.holds.proposals().map((plan) => proposalWaits(plan).refusal);
  const waiting = plans.length === 0 ? {} : { waiting: plans.map(({ facts }) => facts) };
  const held = { ...(paused.length === 0 ? {} : { paused }), ...waiting };
  const document = { ledger: ledger.path, ...moved, batches, ...held };
  const lines = batches.map(({ batch, sheet, received, rows }) => {
    const words = rowStateCounts(rows).map(([word, count]) => `${grouped(count)} ${word}`);
    return [batch, sheet, isoTimeWords(received), words.join(', ')];
  });
  const words = [
    ...(lines.length === 0 ? ['No batches yet.'] : table([['batch', 'sheet', 'received', 'rows'], ...lines], 9)),
    ...paused.map((pause) => noteWords({ note: 'paused', ...pause }, placeFlags(args, world))),
    ...plans.map((why) => noteWords({ note: 'plan-waits', why }, placeFlags(args, world))),
  ];
  const first = firstLine(batches[0]?.service ?? 'none', ledger.path);
  return reply(args, world, document, `${first}${words.join('\n')}\n`);
};

export const reportOf: Run = async (args, world) => {
  await using ledger = await ledgerOnly(args, world);
  const batch = await batchNamed(ledger, text(args, 'batch'));
  const html = flag(args, 'html') ? { zone: text(args, 'zone') } : null;
  const { result, notes } = await writeResult({ ledger, batch, ...advanceOrder(args, world), html }, args, world);
  const document = { batch: batch.name, ...elsewhereFields(await ledger.elsewhere()), result };
  for (const note of notes) world.streams.err.write(`${noteWords(note)}\n`);
  return reply(args, world, document, `${result}\n`);
};
