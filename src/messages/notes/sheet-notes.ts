/** The sentences of notes on a sheet, its plan and the files that are made of it. */
import { capital, quoted, quotedOrNothing } from '../../base/words.ts';
import type { AgreedTotals, NoteOf, SheetForm, TotalCheck } from '../../domain/note.ts';
import { atTerminal, listed } from '../audience.ts';
import { faultWords } from '../faults/fault-words.ts';
import { countryName, fieldName } from '../field-words.ts';
import { capsWords, windowsWords } from '../format/limits.ts';
import { counted, grouped, moneyOf, named, percentWords, sumWords } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import type { NoteWords } from '../passage.ts';
import { likeBatchWords } from '../problems/repeat-problems.ts';
import { changesWords } from '../refusals/batch-refusals.ts';
import { beyondWords } from '../refusals/control-refusals.ts';
import { failureWords } from '../refusals.ts';

/** The first text names the form of the file. The other texts are remarks. */
export function formWords(form: SheetForm): string[] {
  switch (form.format) {
    case 'csv':
      return [
        `CSV, separated by ${form.delimiter === 'tab' ? 'tabs' : `"${form.delimiter}"`}, ${form.encoding}`,
        ...(form.isGuessed
          ? ['The file is not valid UTF-8, so it was read as Windows-1252. Check names with accents.']
          : []),
      ];
    case 'payments':
      return [
        `ISO 20022 payments (${form.version}), message '${form.message}': the first transaction is row 2, as in the result`,
      ];
    case 'workbook':
      return [
        `Excel workbook, sheet '${form.sheet}'`,
        ...(form.others > 0
          ? [`${counted(form.others, 'other visible sheet')} without a header of payouts, not read`]
          : []),
        ...form.alike.map((name) => `sheet '${name}' looks like payouts too, and is not read`),
        ...(form.hidden > 0
          ? [`${counted(form.hidden, `${form.isHidden ? 'other ' : ''}hidden sheet`)}, not read`]
          : []),
      ];
  }
}

export function totalsWords({ rows, totals, accounts }: AgreedTotals): string {
  return [
    ...(rows === null ? [] : [counted(rows, 'row')]),
    ...Object.entries(totals).map(([name, amount]) => sumWords(name, amount)),
    ...(accounts === null ? [] : [`accounts ${accounts.slice(0, 16)}`]),
  ].join(', ');
}

export const correctionWords = ({ corrections, by }: Pick<NoteOf<'corrections-read'>, 'corrections' | 'by'>) =>
  `${counted(corrections, 'correction')}, by ${by.join(', ')}`;

function totalWords(check: TotalCheck): string {
  switch (check.is) {
    case 'no-amount':
      return 'it has no amount, so nothing was compared';
    case 'no-rows':
      return 'not compared, because there are no rows';
    case 'rows-left-out':
      return `not compared, because ${counted(check.rows, 'row')} of the sheet ${named(check.rows).is} left out`;
    case 'rows-to-correct':
      return `not compared, because ${counted(check.rows, 'row')} must be corrected first`;
    case 'no-common-sum':
      return `not compared, because the rows have no common sum (${check.currencies.join(', ')})`;
    case 'equal':
      return `${moneyOf(check)}, equal to the sum of the rows`;
  }
}

const fileNames = { 'checked-workbook': 'the checked workbook', 'problem-list': 'the list of problems' } as const;

export const sheetNotes = {
  'sheet-read': ({ file, form }) => `${file}: ${formWords(form).join('; ')}`,
  'map-read': ({ map, columns, values }, _, to) => {
    const [is, every] = to === 'page' ? ['is', 'every row has'] : ['as', 'sets in every row:'];
    const read = columns.map(({ header, field }) => `${quoted(header)} ${is} ${fieldName(field, to)}`).join(', ');
    const said = values.map(({ field, value }) => `${fieldName(field, to)} ${countryName(value, to)}`).join(', ');
    const parts = [read === '' ? '' : `${atTerminal(to, 'reads ')}${read}`, said === '' ? '' : `${every} ${said}`];
    const all = parts.filter((part) => part !== '').join('; ');
    if (to === 'page') return `The map of the columns: ${all || 'it fits no column of this sheet'}`;
    return `The map ${map} ${all || 'fits no column of this sheet'}`;
  },
  'corrections-read': (facts) =>
    `Read with ${correctionWords(facts)}. The corrected cells have other texts in the file.`,
  'columns-unused': ({ columns }) => `Columns not used: ${columns.join(', ')}`,
  'rows-chosen': ({ columns, leftOut }) => {
    const said = columns.map(
      ({ column, values }) => `${quoted(column)} says ${values.map(quotedOrNothing).join(' or ')}`,
    );
    const left =
      leftOut === null ? '' : `; ${counted(leftOut, 'other row')} of the sheet ${named(leftOut).is} left out`;
    return `Pays only rows where ${said.join(' and ')}${left}.`;
  },
  'columns-ignored': ({ columns }) => `Pays rows with any value in ${columns.map(quoted).join(', ')}.`,
  'column-constant': ({ column, header, value }) =>
    `Column ${column} '${header}' is not read, and has '${value}' in every row.`,
  'values-ignored': ({ column, header, row, says }) =>
    `Column ${column} '${header}' is not read, as the map says. Row ${row} has ${says} there.`,
  'rows-below-total': ({ rows }) =>
    `${rows.length === 1 ? `Row ${rows[0]} stands` : `Rows ${rows.join(', ')} stand`} below the total, and ${rows.length === 1 ? 'is' : 'are'} not read as payments.`,
  'row-ids-missing': () =>
    'Payrun recognises a corrected row by its row_id, and this sheet has no such column. Add it before the first payment, with a different id in each row.',
  'banks-built-in': () =>
    'Banks: checked with the built-in list. Payrun asked no service, and the list of the service decides.',
  'banks-not-listed': () => 'The service did not list its banks, so Payrun checked the sheet with its built-in lists.',
  'total-compared': ({ row, check }) => `Totals row (row ${row}): ${totalWords(check)}.`,

  'already-paid': ({ batch, at }) =>
    `This sheet is batch ${batch}, last sent on ${timeWords(at)}. No row is left to send, and none was sent now.`,
  'batch-continues': ({ batch }) => `This sheet has rows of batch ${batch}, and continues it.`,
  'rows-missing': ({ batch, rows }) => {
    const { is, they } = named(rows);
    return `${counted(rows, 'row')} of batch ${batch} that may be paid ${is} not in this sheet. ${they === 'it' ? 'It stays' : 'They stay'} unchanged.`;
  },
  'rows-kept': ({ batch, rows }, _, to) => {
    const { they } = named(rows.total);
    const each = listed(rows, ({ row, changes }) => `row ${row}: ${changesWords(changes, to)}`).join('; ');
    return `${counted(rows.total, 'row')} of batch ${batch} may be paid. ${they === 'it' ? 'It keeps its' : 'They keep their'} content, and this sheet has other values: ${each}.`;
  },
  'like-earlier-batch': (facts) => `${capital(likeBatchWords(facts))}.`,
  'series-first': ({ series }) => `This is the first batch of series ${series}: there is nothing to compare it with.`,
  'series-compared': ({ batch, series, at, percent, payees: { added, gone, changed }, totals }) => {
    const sums = totals.map(
      ({ was, now, ...money }) =>
        `${moneyOf({ ...money, amount: was })} then, ${moneyOf({ ...money, amount: now })} now (${percentWords(BigInt(was), BigInt(now))})`,
    );
    return `Compared with batch ${batch} of series ${series} (sent on ${timeWords(at)}): ${counted(added, 'payee')} new, ${grouped(gone)} gone, ${grouped(changed)} changed by more than ${percent} %; ${sums.join('; ')}.`;
  },
  'totals-agree': ({ source, ...totals }, _, to) =>
    `The sheet agrees with ${to === 'page' && source === '--expect' ? 'the control totals' : source}: ${totalsWords(totals)}.`,
  'totals-written': ({ path }) => `Control totals: ${path}. Send them by another channel than the sheet.`,
  'totals-unwritten': () => 'Control totals: not written, because the sheet has mistakes.',
  'within-caps': ({ caps }) => `Within the caps: ${capsWords(caps)}.`,
  'outside-pay-window': ({ windows, until }) =>
    `The pay window (${windowsWords(windows)}) is closed until ${timeWords(until)}.`,
  'plan-stops': ({ unconfirmed }, _, to) =>
    `A run of this plan stops: ${unconfirmed.map((one) => beyondWords(one, to)).join('; ')}. If the change is right, ${to === 'page' ? 'give the reason and make the plan again' : 'make the plan again with --confirm-variance REASON, or give the reason to the run'}.`,
  'plan-expires': ({ at }) => `The plan is valid until ${timeWords(at)}.`,
  'plan-expires-before-window': (_, __, to) =>
    `This plan expires before the pay window opens, so no run can pay it. Make a plan that is valid longer${atTerminal(to, ' (such as --expires 72h)')}, or change the window.`,
  payees: ({ payees, known }, _, to) =>
    to === 'page'
      ? `Different accounts that would be paid: ${grouped(payees)}. Of these the service has saved ${grouped(known)} already, and ${grouped(payees - known)} will be saved there first.`
      : `Payees: ${grouped(payees)}; known to the service: ${grouped(known)}; to be created: ${grouped(payees - known)}.`,
  'rows-of-batch': ({ batch, added, same, differing, dropped }) =>
    `Rows new to batch ${batch}: ${grouped(added)}; already in it: ${grouped(same)}; in it with other values: ${grouped(differing)}${dropped === 0 ? '' : `; removed from it: ${grouped(dropped)}`}.`,
  'documents-to-attach': ({ documents }, _, to) =>
    `Documents to be attached${to === 'page' && documents > 0 ? ', each counted for every row that it goes with' : ''}: ${grouped(documents)}.`,

  'pays-again': ({ reason }) => `Pays rows that look paid already. Reason: ${reason}`,
  'of-series': ({ series }) => `Belongs to series ${series}, and is compared with the last batch of the series.`,
  'variance-confirmed': ({ reason }) => `The change since the last batch is confirmed. Reason: ${reason}`,
  'others-stay': () => 'This plan changes no other row of the batch. Unsent rows of the batch are sent too.',
  'renames-payees': () => 'Renames known payees as the sheet spells them.',
  'mistakes-skipped': ({ rows }) => `${counted(rows, 'row')} of the sheet with mistakes ${named(rows).is} left out.`,
  'documents-go': ({ documents, rows }) =>
    `${documents === 1 ? 'One document goes' : `${grouped(documents)} documents go`} with ${counted(rows, 'row')} of the sheet.`,
  'signature-not-counted': ({ file, why }) => `${file} does not count: ${faultWords(why)}.`,

  'file-kept': ({ kept, written }) =>
    `Payrun kept ${kept}, because it may be signed, submitted, changed, open, or of another sheet or batch. The new file is ${written}.`,
  'files-unwritten': ({ files, why }, place) =>
    `Not written: ${files.map((one) => fileNames[one]).join(' and ')}; the folder may have older ones. ${failureWords(why, place)}`,
  'files-removed': ({ folder, files }) =>
    `Removed what an earlier check had written to ${folder}: ${files.join(', ')}.`,
  'checked-unwritten': ({ why }, place) => `The checked workbook could not be written: ${failureWords(why, place)}`,
} satisfies Partial<NoteWords>;
