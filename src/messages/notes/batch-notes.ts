/** The sentences of notes on a batch: its state, its payments and deposits, and the decisions of people about it. */

import { timeWords } from '../../base/clock.ts';
import { counted, grouped, moneyOf, named } from '../../base/words.ts';
import { resumeOf } from '../../domain/next-action.ts';
import type { NotedPlan, NotedRow, NoteOf } from '../../domain/note.ts';
import { faultWords } from '../faults/fault-words.ts';
import { type NoteWords, passage } from '../passage.ts';
import { depositWords, failureWords } from '../refusals.ts';

export function planWords({ digest, maker, approvals }: NotedPlan): string {
  const by = approvals.map(({ approver, fingerprint }) => `${approver} (key ${fingerprint})`).join(' and ');
  return `plan sha256:${digest}, made by ${maker}${by === '' ? '' : `, approved by ${by}`}`;
}

/** The line of an invalid row may have neither payee nor currency. */
const rowNamed = ({ key, number, payee, money }: NotedRow) =>
  `${key} (${[payee, money.currency === '' ? '' : moneyOf(money), `row ${number} of the sheet`].filter((one) => one !== '').join(', ')})`;

const rowsNamed = (rows: readonly NotedRow[]) =>
  `${rows.length === 1 ? 'Row' : 'Rows'} ${rows.map(rowNamed).join(', ')} ${named(rows.length).is}`;

const plansOf = { batch: 'Runs under', later: 'The batch now runs under' } as const;

export function hourWords({ hour, why }: Pick<NoteOf<'hour-missed'>, 'hour' | 'why'>): string {
  const at = timeWords(Date.parse(hour));
  if (why === 'paused') return `hour of ${at} came while it was paused: not all of it was sent.`;
  const more = why === 'other-service' ? ': no worker of its service, key and user was there' : '';
  return `hour of ${at} is over, and nobody went on with it then${more}.`;
}

const more = (hasMore: boolean, mark: string) => (hasMore ? mark : '');

const alsoSent = (also: boolean) => (also ? ' Rows that were never sent are sent now.' : '');

export const batchNotes = {
  'deposit-changed': (change) => `Changed deposit details. ${depositWords(change)}`,
  'result-away': ({ batch, host, path, why }, place, to) => {
    const reason = why === null ? '.' : `: ${failureWords(why, place).split('\n')[0]}`;
    const how =
      path === null
        ? `could not write the result${reason}`
        : `cannot write to the folder of the sheet: the result lies there, at ${path}.`;
    const lead = `A worker on ${host} led the batch on, and ${how}`;
    if (to === 'page') return lead;
    const then = path === null ? 'Where the sheet was taken in' : 'To write it to its own place';
    return passage`${lead} ${then}: ${{ action: 'report', batch, needsFolder: false }}`;
  },
  'under-plan': ({ of, plan }) => `${plansOf[of]} ${planWords(plan)}.`,
  'hour-missed': (facts) => `Its ${hourWords(facts)}`,
  'paid-other-amount': ({ rows, hasMore }) => {
    const [only, ...others] = rows;
    const money = (amount: number, { unit, currency }: (typeof rows)[number]) => moneyOf({ amount, unit, currency });
    if (only !== undefined && others.length === 0)
      return `Row ${only.row} has a payment of ${money(only.paid, only)}, where the sheet says ${money(only.planned, only)}: the totals count the payment.`;
    const shown = rows.map((one) => `${one.row}: ${money(one.paid, one)} instead of ${money(one.planned, one)}`);
    return `Rows whose payment is of another amount than the sheet says (${shown.join('; ')}${more(hasMore, '; …')}): the totals count the payments.`;
  },
  'status-by-setting': ({ status, rows, means }) => {
    const said = `${counted(rows, 'row')}: the service says '${status}', which the setting payments.statuses takes for`;
    return means === 'success'
      ? `${said} success. They count as paid.`
      : `${said} expired. They count as unpaid; make sure that no such payment is paid out later before they are sent again.`;
  },
  'rows-left-out': ({ rows: { shown, total } }) => {
    const keys = `${shown.join(', ')}${more(total > shown.length, ', …')}`;
    const { is, it } = named(total);
    return `${counted(total, 'row')} that ${is} not sent ${is} not in the newest sheet (${keys}): nothing is sent for ${it}.`;
  },
  'unpaid-left-out': ({ rows }) => {
    const { is, it, they } = named(rows);
    return `${counted(rows, 'unpaid row')} ${is} not in the newest sheet: ${they} ${is} not sent again until a sheet has ${it}.`;
  },
  'rows-closed': ({ rows }) => `${counted(rows, 'row is', 'rows are')} closed: nothing is paid for ${named(rows).it}.`,
  paused: ({ batch, by, since, reason }) => {
    const who = by === null ? '' : ` by ${by}`;
    const when = since === null ? '' : ` on ${timeWords(Date.parse(since))}`;
    const what = batch === null ? 'All batches of this ledger are' : `Batch ${batch} is`;
    return passage`${what} paused${who}${when} (${reason}): nothing is sent until ${{ action: 'end-pause', batch }}`;
  },
  'result-unwritten': ({ batch, why }, place) =>
    passage`The result could not be written, and an older one may lie there: ${failureWords(why, place)}\n  Write it again: ${{ action: 'report', batch, needsFolder: true }}`,

  'not-scanned': () =>
    "The service's payments were not read before sending (scan.presend is 'suspect', and nothing was).",
  'payments-found': ({ payments }) => {
    const { is, was, its } = named(payments);
    return `${counted(payments, 'payment')} ${was} found at the service by ${its} tag${payments === 1 ? '' : 's'}, and ${is} not sent again.`;
  },
  'scan-unfinished': ({ batch, incomplete }) =>
    passage`The service's payments could not be read to their end after sending (${faultWords(incomplete)}): whether a row was paid twice was not seen. The next run of this batch looks again, as does: ${{ action: 'reconcile', batch }}`,
  'scan-read': ({ payments, pages, found, absent }) =>
    `Read ${counted(payments, 'payment')} on ${counted(pages, 'page')}: ${counted(found, 'row')} found, ${grouped(absent)} proven absent.`,
  'absence-unproven': ({ incomplete }) => `The list proves no absence: ${faultWords(incomplete)}.`,
  'clock-is-off': ({ days, is }) =>
    `This machine's clock is ${counted(days, 'day')} ${is === 'behind' ? 'behind' : 'ahead of'} the service's: what is sent now is dated wrong in the ledger, and a sheet that is paid again may not be known for one. Set the clock.`,
  'merchants-unreadable': ({ merchants }) =>
    `${counted(merchants, 'merchant')} in the service's list ${merchants === 1 ? 'bears' : 'bear'} no id that can be read: a row is held where one of them may be its payee.`,
  'merchants-incomplete': ({ merchants }) =>
    `${counted(merchants, 'merchant')} in the service's list ${merchants === 1 ? 'does' : 'do'} not say in full where payments go: what was paid to one of them is compared with rows of the same payee's name.`,
  'witness-unwritten': ({ detail }) =>
    `The witness of this run could not be written (${detail}); paying goes on without it.`,
  'doubts-in-a-row': ({ detail }) =>
    `Payments go in doubt one after another (${detail}); nothing is sent until one goes through.`,
  'stop-unheard': ({ batch, why }, place) =>
    passage`${failureWords(why, place)} Workers may go on with batch ${batch}, which this stop does not reach: ${{ action: 'pause', batch }} stops them.`,
  'waits-for-window': ({ window, until }) =>
    `The pay window (${window}) is closed. This run waits until ${timeWords(until)}.`,
  'webhook-unasked': ({ why }, place) =>
    `The service cannot be asked (${failureWords(why, place)}); what was heard is kept, and asked about again.`,
  'webhook-lost': ({ why }, place) => `What was heard is lost: ${failureWords(why, place)}`,

  'retry-lacks-row': ({ batch, row }) =>
    passage`Row ${row} is left out: the newest sheet lacks it. To send it again, put it back into the sheet, hand that in (${{ action: 'run-sheet', file: 'FILE', batch, options: {}, add: false, why: null }}), and retry.`,
  'retry-empty': ({ isNothingUnpaid, also }) =>
    isNothingUnpaid
      ? `No row of the newest sheet is unpaid: nothing is sent again.${alsoSent(also)}`
      : `Nothing is sent again.${alsoSent(also)}`,
  retried: ({ rows, also }) => `${counted(rows, 'unpaid row')} ${named(rows).is} sent again.${alsoSent(also)}`,
  'payment-known-already': ({ row, payment }) => `Row ${row} has payment ${payment} already.`,
  'payment-accepted': ({ row, payment, status, paid, planned }) => {
    const other =
      paid === planned
        ? ''
        : ` It pays ${paid === null ? 'an unknown amount' : grouped(paid)}, where the row says ${grouped(planned)}.`;
    return `Row ${row} has payment ${payment} now, of which the service says: ${status ?? 'no status'}.${other}`;
  },
  'absent-already': ({ row }) => `Row ${row} is absent already; release it with --release-absent.`,
  absent: ({ row }) => `Row ${row} is absent: no payment bears its tag.`,
  'nothing-absent': () => 'No row of this batch is absent: nothing was released.',
  'absent-released': ({ batch, rows }) => passage`${counted(rows, 'row')} may be sent again: ${resumeOf(batch)}`,
  'released-already': ({ row }) => `Row ${row} was released already.`,
  'no-repeat': ({ batch, row }) => passage`Row ${row} is no repeat: ${resumeOf(batch)}`,
  'row-known': ({ batch, row, is }) => passage`Row ${row} stays ${is}; the other rows go on: ${resumeOf(batch)}`,
  'deposit-known': ({ batch, row }) =>
    passage`Row ${row}: the changed deposit details are known. Both readings stay in sight: ${{ action: 'show-deposits', batch }}`,
  'rows-dropped': ({ rows }) => `${rowsNamed(rows)} closed: nothing is paid for ${named(rows.length).it}.`,
  'rows-reopened': ({ batch, rows }) => passage`${rowsNamed(rows)} open again: ${resumeOf(batch)}`,
  'payment-not-looked-for': ({ payment, row, isHeld }) =>
    `Payment ${payment} of row ${row} is no longer looked for${isHeld ? ', and the row is held: the result says what lets it go on.' : '. What the ledger knows of it stays.'}`,
  'row-released': ({ batch, row, by, key }) =>
    passage`Row ${rowNamed(row)} is released by ${by}${key === null ? '' : ` (key ${key})`}: ${resumeOf(batch)}`,
  'bound-already': ({ batch }) => `Batch ${batch} is bound to this service and key already.`,
  'bound-unpaid': ({ batch, service }) =>
    `Batch ${batch} is bound to ${service} on your word: nothing of it was ever paid.`,
  bound: ({ batch, service, payments }) =>
    `Batch ${batch} is bound to ${service}, which shows ${grouped(payments)} of its payments with their tags.`,

  'deposit-alarm': ({ row, was, now }) =>
    `ALARM: the deposit details of row ${row} changed. First: ${was}. Now: ${now}. Shown are the first. Deposit nothing for it before the service has confirmed them by a way that you knew before.`,
  'deposit-change-known': ({ row, was, now, known }) =>
    `The deposit details of row ${row} changed, and somebody knows of it (${known}). First: ${was}. Now: ${now}.`,
  'address-shared': ({ rows, address }) =>
    `Rows ${rows.join(', ')} have one and the same address (${address}), though each should have its own: ask the service before you deposit.`,
  'deposits-untold': ({ rows }) => `The service has not told where to deposit for ${counted(rows, 'row')} yet.`,
  'deposits-cut': ({ shown, rows }) => `Listed are the first ${counted(shown, 'row')} of ${grouped(rows)}.`,
  'deposits-unasked': ({ payments }) =>
    `The service did not answer for ${counted(payments, 'payment')}: what it said before is shown for them.`,
  'deposits-not-read-again': () => 'Not asked for again: as the ledger has it.',
} satisfies Partial<NoteWords>;
