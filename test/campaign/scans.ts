/** Judges the list scans of a command: what they prove, and what they show. The trace has each scan. */
import type { Real } from './desk.ts';
import type { Step } from './judge.ts';
import type { Wanted } from './oracle.ts';
import { deadlineMs, horizonMs, minuteMs } from './parameters.ts';
import type { SeenBatch } from './seen.ts';
import { closenessOf, mayHavePayment } from './tables.ts';

type Seen = readonly (readonly SeenBatch[])[];

const scan = /^ *(\d+)d (\d+):(\d+):(\d+)\.(\d+) +(\S+) +GET \/payments to its end/;

/** Returns when the processes of a desk read the whole list. */
const scansOf = ({ story }: Real, desk: string) =>
  story.trace.flatMap((line) => {
    const [, day, hour, minute, second, ms, process] = scan.exec(line) ?? [];
    if (process?.startsWith(desk) !== true) return [];
    const minutes = (Number(day) * 24 + Number(hour)) * 60 + Number(minute);
    return [{ process, at: minutes * minuteMs + Number(second) * 1000 + Number(ms) }];
  });

/** Needs no reference: the first scan that shows a late payment, of which an equal one was sent later, is an alarm. */
export function hiddenDoubles(real: Real, { name, ending }: Pick<Step, 'name' | 'ending'>, { words }: Wanted) {
  if (ending.kind !== 'ended' || ('stopped' in ending.outcome && ending.outcome.stopped !== undefined)) return [];
  const { payments } = real.world;
  return payments.flatMap((late) => {
    const { revivedAt, row: debt, madeBy } = late;
    const desk = madeBy.split('.')[0]!;
    const first = revivedAt === null ? undefined : scansOf(real, desk).find(({ at }) => at > revivedAt);
    if (first?.process !== name || debt === null || words.has(debt)) return [];
    return payments
      .filter((one) => one.madeAt > late.madeAt && one.status !== 'expired' && one.madeBy.startsWith(desk))
      .filter((one) => one.row === debt && one.amount === late.amount && one.reference === late.reference)
      .map((one) => `${name} shows that ${late.id} lives, beside ${one.id}, and raises no alarm`);
  });
}

/** An absence is proven by two scans after the horizon, a minute apart. */
export function compareAbsences(real: Real, { before }: Step, seen: Seen, differences: string[]): void {
  for (const [ledger, batches] of seen.entries())
    for (const { name, rows } of batches)
      for (const { key, state, sentAt, attempts } of rows) {
        const was = before.ledgers[ledger]!.batches[name]?.rows[key];
        // A row that this ledger never sent has a payment by a person's word alone, and loses it by one.
        if (state !== 'absent' || was?.state === 'absent' || attempts === 0) continue;
        const late = scansOf(real, real.desks[ledger]!.name)
          .map(({ at }) => at)
          .filter((at) => at >= sentAt! + deadlineMs + horizonMs);
        if (late.length < 2 || late.at(-1)! - late[0]! < minuteMs)
          differences.push(`${name}/${key} is absent after ${late.length} scans that prove it`);
      }
}

/** A run that sent rows, and that nothing stopped, reads the list after its last request. */
export function compareLastScan({ story }: Real, { command, name, ending }: Step, differences: string[]): void {
  if (ending.kind !== 'ended' || !('run' in ending.outcome) || ending.outcome.kind === 'stopped') return;
  if ('stops' in command || 'halts' in command) return;
  const last = (what: string) => story.trace.findLastIndex((line) => line.includes(` ${name} `) && line.includes(what));
  if (last('POST /payments') > last('GET /payments to its end'))
    differences.push(`${name} sent rows, and did not scan`);
}

/** An expired payment comes alive on a row that the command leaves closed, or that a later payment copies: an alarm. */
export function compareAlarms({ before, applied, ending, name }: Step, seen: Seen, differences: string[]): void {
  if (ending.kind !== 'ended' || ('stopped' in ending.outcome && ending.outcome.stopped !== undefined)) return;
  for (const [ledger, batches] of seen.entries()) {
    const all = batches.flatMap(({ rows }) => rows);
    for (const batch of batches)
      for (const row of batch.rows) {
        const was = before.ledgers[ledger]!.batches[batch.name]?.rows[row.key];
        if (was?.state !== 'expired' || !mayHavePayment(row) || !was.expired.includes(row.paymentId ?? '')) continue;
        const isCopied = all.some(
          (one) =>
            mayHavePayment(one) &&
            one.attempts > 0 &&
            (one.sentAt ?? 0) > (was.sentAt ?? 0) &&
            closenessOf(one.content, row.content) === 'same',
        );
        const isClosed = applied.world.ledgers[ledger]!.batches[batch.name]!.rows[row.key]!.closed !== null;
        if (isClosed || isCopied) differences.push(`${name} shows that ${row.key} lives, and raises no alarm`);
      }
  }
}
