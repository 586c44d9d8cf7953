/** The sentences of notes on a batch: its state, its payments and deposits, the decisions of people about it, and its workers. */
import type { Some } from '../../base/refusal.ts';
import { capital, type NotedRow } from '../../base/words.ts';
import { resumeOf } from '../../domain/next-action.ts';
import type { NotedPlan, NoteOf } from '../../domain/note.ts';
import { atTerminal } from '../audience.ts';
import { faultWords } from '../faults/fault-words.ts';
import { countryName } from '../field-words.ts';
import { windowsWords } from '../format/limits.ts';
import { counted, grouped, moneyOf, named } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import { rowNamed, someRows } from '../next-actions.ts';
import { type NoteWords, passage } from '../passage.ts';
import { causeWords } from '../reasons.ts';
import { depositWords, detailsWords, failureWords, firstLineOf, refusalWords } from '../refusals.ts';

export function planWords({ digest, maker, approvals }: NotedPlan): string {
  const by = approvals.map(({ approver, fingerprint }) => `${approver} (key ${fingerprint})`).join(' and ');
  return `plan sha256:${digest}, maker ${maker}${by === '' ? '' : `, approved by ${by}`}`;
}

const rowsNamed = (rows: Some<NotedRow>) => `${capital(someRows(rows))} ${named(rows.total).is}`;

const byPerson = (by: string | null) => (by === null ? '' : ` by ${by}`);

const plansOf = { batch: 'Runs under', later: 'The batch now runs under' } as const;

const hourEnds = {
  begun: 'came, and a worker continues the batch.',
  stopped: 'came while the batch was stopped, so Payrun did not send its rows.',
  expired: 'passed, and no worker came in time. The batch waits for a person.',
};

export const hourWords = ({ hour, end }: Pick<NoteOf<'batch-hour'>, 'hour' | 'end'>): string =>
  `scheduled time of ${timeWords(Date.parse(hour))} ${hourEnds[end]}`;

const more = (hasMore: boolean, mark: string) => (hasMore ? mark : '');

export const batchNotes = {
  'deposit-changed': (change) => `Changed deposit details. ${depositWords(change)}`,
  'result-away': ({ batch, host, path, why }, place, to) => {
    const reason = why === null ? '.' : `: ${firstLineOf(why, place)}`;
    const how =
      path === null
        ? `could not write the result${reason}`
        : `cannot write to the folder of the sheet. The result is on that machine: ${path}.`;
    const lead = `A worker on ${host} continued the batch, and ${how}`;
    if (to === 'page') return lead;
    const then = path === null ? 'To write it where the sheet was submitted' : 'To write it to the folder of the sheet';
    return passage`${lead} ${then}: ${{ action: 'report', batch, needsFolder: false }}`;
  },
  'under-plan': ({ of, plan }) => `${plansOf[of]} ${planWords(plan)}.`,
  'paid-other-amount': ({ rows, hasMore }) => {
    const [only, ...others] = rows;
    const money = (amount: number, { unit, currency }: (typeof rows)[number]) => moneyOf({ amount, unit, currency });
    if (only !== undefined && others.length === 0)
      return `Row ${only.row} has a payment of ${money(only.paid, only)}, but the sheet says ${money(only.planned, only)}. The totals count the payment.`;
    const shown = rows.map((one) => `${one.row}: ${money(one.paid, one)} instead of ${money(one.planned, one)}`);
    return `The payments of some rows have another amount than the sheet (${shown.join('; ')}${more(hasMore, '; …')}). The totals count the payments.`;
  },
  'status-by-setting': ({ status, rows, means }) => {
    const said = `${counted(rows, 'row')}: the service says '${status}', which the setting payments.statuses counts as`;
    return means === 'success'
      ? `${said} success. Payrun counts such rows as paid.`
      : `${said} expired. Payrun counts such rows as unpaid. Before you send one again, make sure that the service pays out no such payment later.`;
  },
  'unpaid-left-out': ({ rows }) => {
    const { is, it } = named(rows);
    return `${counted(rows, 'unpaid row')} ${is} not in the newest sheet, or ${rows === 1 ? 'has' : 'have'} a mistake there. Payrun sends ${it} again only after a corrected sheet has ${it}.`;
  },
  'deposits-wait': ({ batch, sources }, _, to) => {
    const words = `Pending rows funded from ${sources.map((source) => countryName(source, to)).join(', ')} may wait for your deposit`;
    return to === 'page' ? `${words}.` : passage`${words}: ${{ action: 'show-deposits', batch }}`;
  },
  paused: ({ id, batch, by, since, reason }) => {
    const what = batch === null ? 'All batches of this ledger are' : `Batch ${batch} is`;
    return passage`${what} paused${byPerson(by)} on ${timeWords(Date.parse(since))} (${reason}). Payrun sends nothing until ${{ action: 'end-pause', batch, pause: id }}`;
  },
  'plan-waits': ({ why }, place) => refusalWords(why, place),
  'batch-stopped': ({ why }, place) => refusalWords(why, place),
  'batch-interrupted': ({ batch }) =>
    passage`The run of batch ${batch} was interrupted. Continue it: ${resumeOf(batch)}`,
  'result-unwritten': ({ batch, why }, place) =>
    passage`The result could not be written, so the file may be an older one: ${failureWords(why, place)}\n  Write it again: ${{ action: 'report', batch, needsFolder: true }}`,

  'not-scanned': () =>
    "Payrun did not read the service's payments before sending, because scan.presend is 'suspect' and no row was suspect.",
  'payments-found': ({ payments }) => {
    const { is, was, its } = named(payments);
    return `${counted(payments, 'payment')} ${was} found at the service by ${its} tag${payments === 1 ? '' : 's'}, and ${is} not sent again.`;
  },
  'scan-unfinished': ({ batch, incomplete }) =>
    passage`The service's payments could not all be read after sending (${faultWords(incomplete)}), so Payrun could not check for rows paid twice. The next run of this batch checks again. To check now: ${{ action: 'reconcile', batch, doubt: null }}`,
  'scan-read': ({ payments, pages, found, absent }) =>
    `Read ${counted(payments, 'payment')} on ${counted(pages, 'page')}: ${counted(found, 'row')} found, ${grouped(absent)} proven absent.`,
  'absence-unproven': ({ incomplete }) => `The list proves no absence: ${faultWords(incomplete)}.`,
  'clock-is-off': ({ days, is }) =>
    `This machine's clock is ${counted(days, 'day')} ${is === 'behind' ? 'behind' : 'ahead of'} the service's: the ledger gets wrong times, and Payrun may not notice that a sheet is paid again. Set the clock.`,
  'merchants-unreadable': ({ merchants }) =>
    `${counted(merchants, 'merchant')} in the service's list ${merchants === 1 ? 'has' : 'have'} no readable id. Payrun holds a row whose payee may be such a merchant.`,
  'merchants-incomplete': ({ merchants }) =>
    `${counted(merchants, 'merchant')} in the service's list ${merchants === 1 ? 'has' : 'have'} an incomplete account. Payrun compares payments to such a merchant with rows that have the same payee name.`,
  'witness-unwritten': ({ why }) =>
    `The witness of this run could not be written (${faultWords(why)}). Payrun pays without it.`,
  'doubts-in-a-row': ({ reason }) =>
    `Several payments in a row are in doubt (${causeWords(reason)}). Payrun sends nothing more until one is accepted.`,
  'stop-unheard': ({ batch, why }, place) =>
    passage`${failureWords(why, place)} Workers may continue batch ${batch}, because this stop does not reach them. To stop them: ${{ action: 'pause', batch }}`,
  'waits-for-window': ({ windows, until }) =>
    `The pay window (${windowsWords(windows)}) is closed. This run waits until ${timeWords(until)}.`,
  'webhook-unasked': ({ why }, place) =>
    `The service cannot be asked (${failureWords(why, place)}). Payrun keeps the call of the webhook, and asks again later.`,
  'webhook-lost': ({ why }, place) => `The call of the webhook is lost: ${failureWords(why, place)}`,

  retried: ({ rows, also }) =>
    `${rows === 0 ? 'The newest sheet has no unpaid row to send again' : `${counted(rows, 'unpaid row')} ${named(rows).is} sent again`}.${also ? ' The batch also sends its rows that were never sent.' : ''}`,
  'payment-known-already': ({ row, payment }) => `Row ${row} has payment ${payment} already.`,
  'payment-accepted': ({ row, payment, status, paid, planned }) => {
    const other =
      paid === planned
        ? ''
        : ` It pays ${paid === null ? 'an unknown amount' : grouped(paid)}, but the row says ${grouped(planned)}.`;
    return `Row ${row} now has payment ${payment}. The service gives it ${status === null ? 'no status' : `the status ${status}`}.${other}`;
  },
  absent: ({ row }, _, to) =>
    `Row ${row} is absent: no payment has its tag.${atTerminal(to, ' To release it, use --release-absent.')}`,
  'nothing-absent': () => 'No row of this batch is absent, so no row was released.',
  'absent-released': ({ batch, rows, by }) =>
    passage`${rowsNamed(rows)} released${byPerson(by)}, to be sent again: ${resumeOf(batch)}`,
  'released-already': ({ row }) => `Row ${row} was released already.`,
  'no-repeat': ({ batch, row, by }) =>
    passage`Row ${rowNamed(row)} is released${byPerson(by)}, because it repeats no payment: ${resumeOf(batch)}`,
  'row-known': ({ batch, row, is }) =>
    passage`Row ${row} stays ${is}. To continue with the other rows: ${resumeOf(batch)}`,
  'deposit-known': ({ batch, row }) =>
    passage`Row ${row}: your answer about the changed deposit details is stored. To see both versions: ${{ action: 'show-deposits', batch }}`,
  'rows-dropped': ({ rows }) => `${rowsNamed(rows)} closed. Payrun does not pay ${named(rows.total).it}.`,
  'rows-reopened': ({ rows }) => `${rowsNamed(rows)} open again.`,
  'payment-not-looked-for': ({ payment, row, isHeld }) =>
    `Payment ${payment} of row ${row} is no longer searched for${isHeld ? ', and the row is held. The result says what to do.' : '. The ledger keeps what it knows about the payment.'}`,
  'row-released': ({ batch, row, by, fingerprint }) =>
    passage`Row ${rowNamed(row)} is released by ${by}${fingerprint === null ? '' : ` (key ${fingerprint})`}: ${resumeOf(batch)}`,
  'bound-already': ({ batch }) => `Batch ${batch} is bound to this service and key already.`,
  bound: ({ batch, service, payments }) =>
    `Batch ${batch} is bound to ${service}, which shows ${grouped(payments)} of its payments with their tags.`,

  'deposit-alarm': ({ row, was, now }) =>
    `ALARM: the deposit details of row ${row} changed. First: ${detailsWords(was)}. Now: ${detailsWords(now)}. Payrun shows the first. Deposit nothing for this row until the service has confirmed the details by a channel that you knew before.`,
  'deposit-change-known': ({ row, was, now, known }) =>
    `The deposit details of row ${row} changed, and a person knows about it (${known}). First: ${detailsWords(was)}. Now: ${detailsWords(now)}.`,
  'address-shared': ({ rows, address }) =>
    `Rows ${rows.join(', ')} have the same address (${address}), but each should have its own. Ask the service before you deposit.`,
  'deposits-untold': ({ rows }) => `The service has not said yet where to deposit for ${counted(rows, 'row')}.`,
  'deposits-cut': ({ shown, rows }) => `The list has the first ${counted(shown, 'row')} of ${grouped(rows)}.`,
  'deposits-unasked': ({ payments }) =>
    `The service did not answer for ${counted(payments, 'payment')}: the list shows its earlier answers.`,
  'deposits-not-read-again': () => 'Not read again from the service: the list shows what the ledger has.',

  'worker-joined': ({ ledger, service }) =>
    `The worker joined the fleet of ${ledger}. It sends the open rows of batches at ${service}.`,
  'ledger-back': () => 'The ledger answers again. The worker continues.',
  'worker-leads-nothing': ({ why }, place) => `The worker leads no batch: ${failureWords(why, place)}`,
  'worker-tries-again': ({ why }, place) => `${failureWords(why, place)} The worker tries again.`,
  'engine-fault': ({ why }) => `pg-boss: ${faultWords(why)}`,
  'batch-hour': ({ batch, ...facts }) => `Batch ${batch}: its ${hourWords(facts)}`,
} satisfies Partial<NoteWords>;
