/** The sentences of notes on a sheet, its plan and the files that are made of it. */

import { timeWords } from '../../base/clock.ts';
import { counted, grouped, moneyOf, named, percentWords, quoted, quotedOrNothing, sumWords } from '../../base/words.ts';
import type { AgreedTotals, NoteOf, SheetForm, TotalCheck } from '../../domain/note.ts';
import { atTerminal } from '../audience.ts';
import { faultWords } from '../faults/fault-words.ts';
import { countryName, fieldName } from '../field-words.ts';
import type { NoteWords } from '../passage.ts';
import { likeBatchWords } from '../problems/repeat-problems.ts';
import { beyondWords } from '../refusals/control-refusals.ts';
import { failureWords, refusalWords } from '../refusals.ts';

/** The first text names the form of the file. The other texts are remarks. */
export function formWords(form: SheetForm): string[] {
  switch (form.format) {
    case 'csv':
      return [
        `CSV, separated by ${form.delimiter === 'tab' ? 'tabs' : `"${form.delimiter}"`}, ${form.encoding}`,
        ...(form.isGuessed
          ? ['The file is not valid UTF-8, so it was read as Windows-1252. Look at names with accents.']
          : []),
        ...(form.endsWithMark ? ['It ends with the end mark of DOS (0x1A), which is not read.'] : []),
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
      return 'not compared, since there are no rows';
    case 'rows-left-out':
      return `not compared, since ${counted(check.rows, 'row')} of the sheet ${named(check.rows).is} left out`;
    case 'rows-to-correct':
      return `not compared, since ${counted(check.rows, 'row')} ${named(check.rows).is} to mend first`;
    case 'no-common-sum':
      return `not compared, since the rows have no common sum (${check.currencies.join(', ')})`;
    case 'equal':
      return `${moneyOf(check)}, as the rows add up to`;
  }
}

const fileNames = { 'checked-workbook': 'the checked workbook', 'problem-list': 'the list of problems' } as const;

export const sheetNotes = {
  'sheet-read': ({ file, form }) => `${file}: ${formWords(form).join('; ')}`,
  'map-read': ({ map, columns, values }, _, to) => {
    const [is, every] = to === 'page' ? ['is', 'every row has'] : ['as', 'says of every row:'];
    const read = columns.map(({ header, field }) => `${quoted(header)} ${is} ${fieldName(field, to)}`).join(', ');
    const said = values.map(({ field, value }) => `${fieldName(field, to)} ${countryName(value, to)}`).join(', ');
    const parts = [read === '' ? '' : `${atTerminal(to, 'reads ')}${read}`, said === '' ? '' : `${every} ${said}`];
    const all = parts.filter((part) => part !== '').join('; ');
    if (to === 'page') return `The map of the columns: ${all || 'it says nothing of this sheet'}`;
    return `The map ${map} ${all || 'says nothing of this sheet'}`;
  },
  'corrections-read': (facts) =>
    `Read with ${correctionWords(facts)}: the cells that are meant say something else in the file.`,
  'columns-unused': ({ columns }) => `Columns not used: ${columns.join(', ')}`,
  'rows-chosen': ({ columns, leftOut }) => {
    const said = columns.map(
      ({ column, values }) => `${quoted(column)} says ${values.map(quotedOrNothing).join(' or ')}`,
    );
    const left =
      leftOut === null ? '' : `; ${counted(leftOut, 'other row')} of the sheet ${named(leftOut).is} left out`;
    return `Pays only rows of which ${said.join(' and ')}${left}.`;
  },
  'columns-ignored': ({ columns }) => `Pays rows whatever ${columns.map(quoted).join(', ')} says of them.`,
  'column-constant': ({ column, header, value }) =>
    `Column ${column} '${header}' is not read, and says '${value}' of every row.`,
  'currencies-ignored': ({ column, header, row, says, currency }) =>
    `Column ${column} '${header}' is not read, as the map says, though row ${row} says ${says} there, and is counted in ${currency}.`,
  'units-ignored': ({ column, header, row, says }) =>
    `Column ${column} '${header}' is not read, as the map says, though row ${row} says ${says} there.`,
  'rows-below-total': ({ rows }) =>
    `${rows.length === 1 ? `Row ${rows[0]} stands` : `Rows ${rows.join(', ')} stand`} below the total: signatures, not payments.`,
  'banks-built-in': () => 'Banks: looked up in the built-in list. No service was asked, and its own list decides.',
  'banks-not-listed': () => 'The service did not list its banks; the built-in lists were used to check the sheet.',
  'total-compared': ({ row, check }) => `Totals row (row ${row}): ${totalWords(check)}.`,

  'already-paid': ({ batch, file, at, isPaid }) =>
    `This sheet is batch ${batch}, ${isPaid ? 'paid' : 'last sent'} on ${timeWords(at)} from the file ${file}: nothing is left to send, and nothing new was sent.`,
  'batch-continues': ({ batch, by }) =>
    by === 'result-file'
      ? `This file is a result of batch ${batch}, which goes on.`
      : `All rows of this sheet belong to batch ${batch}, which goes on.`,
  'rows-missing': ({ batch, rows }) => {
    const { is, they } = named(rows);
    return `${counted(rows, 'row')} of batch ${batch} ${is} not in this sheet; ${they} stay${rows === 1 ? 's' : ''} as ${they} ${is}.`;
  },
  'sent-as-batch': ({ batch, rows, paid }) =>
    `${counted(rows, 'row')} of it ${named(rows).was} sent already, ${grouped(paid)} of them paid, as batch ${batch}`,
  'held-in-batch': ({ batch, rows }) =>
    `${counted(rows, 'row')} of it ${named(rows).is} held, and not sent, in batch ${batch}`,
  'like-earlier-batch': (facts) => `T${likeBatchWords(facts).slice(1)}.`,
  'series-first': ({ series }) => `This is the first batch of series ${series}: there is nothing to compare it with.`,
  'series-compared': ({ batch, series, at, percent, payees: { added, gone, changed }, totals }) => {
    const sums = totals.map(
      ({ was, now, ...money }) =>
        `${moneyOf({ ...money, amount: was })} then, ${moneyOf({ ...money, amount: now })} now (${percentWords(BigInt(was), BigInt(now))})`,
    );
    return `Against batch ${batch} of series ${series} (sent on ${timeWords(at)}): ${counted(added, 'payee')} new, ${grouped(gone)} gone, ${grouped(changed)} changed by more than ${percent} %; ${sums.join('; ')}.`;
  },
  'totals-agree': ({ source, ...totals }, _, to) =>
    `The sheet is what ${to === 'page' && source === '--expect' ? 'the control totals say' : `${source} says`}: ${totalsWords(totals)}.`,
  'totals-written': ({ path }) => `Control totals: ${path}. Send them by another way than the sheet.`,
  'totals-unwritten': () => 'Control totals: not written, since the sheet cannot be paid as it is.',
  'within-caps': ({ caps }) => `Within the caps: ${caps}.`,
  'outside-pay-window': ({ window, until }) => `The pay window (${window}) is closed until ${timeWords(until)}.`,
  'plan-refused-now': ({ why }, place) => `A run of it is refused (26) as things stand. ${refusalWords(why, place)}`,
  'plan-stops': ({ unconfirmed }, _, to) =>
    `A run of it stops${atTerminal(to, ' (26)')}: ${unconfirmed.map((one) => beyondWords(one, to)).join('; ')}. If it is meant, ${to === 'page' ? 'say why, and plan it again' : 'plan it again with --confirm-variance REASON, so that the plan carries the reason, or say it to the run'}.`,
  'plan-expires': ({ at }) => `The plan is good until ${timeWords(at)}.`,
  'plan-expires-before-window': (_, __, to) =>
    `This plan expires before the pay window opens, so no run can pay it: make it good for longer${atTerminal(to, ', as with --expires 72h')}, or for another window.`,
  payees: ({ payees, known }, _, to) =>
    to === 'page'
      ? `Different accounts that would be paid: ${grouped(payees)}. Of these the service has saved ${grouped(known)} already, and ${grouped(payees - known)} will be saved there first.`
      : `Payees: ${grouped(payees)}; known to the service: ${grouped(known)}; to be created: ${grouped(payees - known)}.`,
  'rows-of-batch': ({ batch, added, same, differing }) =>
    `Rows new to batch ${batch}: ${grouped(added)}; in it already: ${grouped(same)}, and otherwise than here: ${grouped(differing)}.`,
  'documents-to-attach': ({ documents }, _, to) =>
    `Documents to be attached${to === 'page' && documents > 0 ? ', each counted for every row that it goes with' : ''}: ${grouped(documents)}.`,

  'pays-again': ({ reason }) => `Pays again what looks paid. The reason that was given: ${reason}`,
  'of-series': ({ series }) => `Is one of series ${series}, and is compared with the last of it.`,
  'variance-confirmed': ({ reason }) => `Is meant as it is, however far it moved. The reason that was given: ${reason}`,
  'adds-rows': () => 'Adds rows to a batch that was sent from before.',
  'drops-rows': () => 'Ends rows of the batch that the sheet lacks: they are not paid.',
  'renames-payees': () => 'Renames known payees as the sheet spells them.',
  'mistakes-skipped': ({ rows }) => `${counted(rows, 'row')} of the sheet with mistakes ${named(rows).is} left out.`,
  'documents-go': ({ documents, rows }) =>
    `${documents === 1 ? 'One document goes' : `${grouped(documents)} documents go`} with ${counted(rows, 'row')} of it.`,
  'signature-not-counted': ({ file, why }) => `${file} does not count: ${faultWords(why)}.`,

  'file-kept': ({ kept, written }) =>
    `Payrun kept ${kept}, which may be somebody's work or open in a program. The new file is ${written}.`,
  'files-unwritten': ({ files, why }, place) =>
    `Not written: ${files.map((one) => fileNames[one]).join(' and ')}; older ones may lie there. ${failureWords(why, place)}`,
  'files-removed': ({ folder, files }) =>
    `Removed what an earlier check had written to ${folder}: ${files.join(', ')}.`,
  'checked-unwritten': ({ why }, place) => `The checked workbook could not be written: ${failureWords(why, place)}`,
} satisfies Partial<NoteWords>;
