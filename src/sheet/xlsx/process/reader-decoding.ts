/** Decodes the answers of the process that reads a workbook, and refuses invalid ones. */
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { SheetFault } from '../../../base/faults/fault.ts';
import { maxHeight, maxSheetRows } from '../../file/limits.ts';
import { type CellStyle, cellStyle } from '../style/cell-style.ts';
import { headBytes, refuseNonsense } from './reader-answers.ts';

const maxAnswerBytes = 64 * 1024 ** 2;

const maxColumn = 255;

const reading = z.int();
const index = z.int().nonnegative();
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);
const ranges = z.array(z.object({ top: index, bottom: index, left: index, right: index }));
const styleNumber = orNull(index);
/** The most frozen rows or columns. Some programs cannot open a file with more. */
const frozen = z.int().min(0).max(99);

/** True for a fault that the process may report. The other faults are found by this process. */
const isOfReader: Readonly<Record<SheetFault['fault'], boolean>> = {
  'file-empty': true,
  'foreign-file': true,
  'file-is-hostile': true,
  'csv-has-one-sheet': false,
  'csv-in-unknown-encoding': false,
  'csv-has-zeros': false,
  'csv-is-binary': false,
  'csv-row-is-too-wide': false,
  'csv-row-does-not-end': false,
  'csv-quote-within-value': false,
  'csv-is-unreadable': false,
  'workbook-is-labelled': true,
  'workbook-is-locked': true,
  'workbook-has-macros': true,
  'workbook-has-links': true,
  'workbook-has-objects': true,
  'workbook-is-damaged': true,
  'workbook-row-is-too-large': true,
  'workbook-is-too-wide': true,
  'zip-part-is-damaged': true,
  'zip-part-swells': true,
  'zip-has-too-many-parts': true,
  'zip-is-too-large': true,
  'reader-is-late': false,
  'reader-lacks-memory': true,
  'reader-answer-is-unreadable': false,
  'reader-failed': true,
  'xml-is-cut': true,
  'xml-is-not-utf8': true,
  'payments-amount-is-no-decimal': true,
  'payments-are-malformed': true,
  'payments-are-none': true,
  'payments-version-is-not-read': true,
  'payments-method-is-not-paid': true,
  'payments-need-exchange': true,
  'payments-total-differs': true,
  'sheet-is-not-there': false,
  'sheet-is-hidden': false,
  'sheets-are-hidden': false,
  'sheets-are-several': false,
  'sheet-may-be-misspelt': false,
  'workbook-is-empty': true,
  'sheets-lack-header': false,
};

/** True for a fault of a reader without objects in its data. A hostile file may control the process that sent the fault. */
function isPlainFault(why: unknown): boolean {
  const isPlain = (one: unknown) =>
    one === null || ['string', 'number', 'boolean'].includes(typeof one) || (Array.isArray(one) && one.every(isPlain));
  const facts = typeof why === 'object' && why !== null ? Object.values(why) : [];
  const { fault } = (why ?? {}) as { fault?: unknown };
  return Object.entries(isOfReader).some(([name, may]) => may && name === fault) && facts.every(isPlain);
}

const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('opened'),
    date1904: z.boolean(),
    sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })).min(1),
  }),
  z.object({
    kind: z.literal('extras'),
    reading,
    isLast: z.boolean(),
    extras: z.object({
      widths: z.array(z.number().nullable()),
      merges: ranges,
      maybeStruck: ranges,
      staleColumns: z.array(index),
    }),
  }),
  z.object({
    kind: z.literal('look'),
    reading,
    look: z.object({
      // exceljs accepts properties with the value undefined, but its types forbid them.
      styles: z.array(cellStyle).transform((styles) => styles as unknown as CellStyle[]),
      kinds: z.array(z.array(styleNumber)),
      rows: z.array(
        z.tuple([
          z.int().min(1).max(maxSheetRows),
          styleNumber,
          styleNumber,
          orNull(
            z
              .number()
              .positive()
              .transform((height) => Math.min(height, maxHeight)),
          ),
        ]),
      ),
      columns: z.array(z.tuple([index, index.max(maxColumn), index])),
      frozen: orNull(z.object({ rows: frozen, columns: frozen }).refine(({ rows, columns }) => rows + columns > 0)),
    }),
  }),
  z.object({ kind: z.literal('refused'), why: z.custom<SheetFault>(isPlainFault) }),
]);

export type DecodedAnswer =
  | z.infer<typeof answerSchema>
  | { readonly kind: 'rows'; readonly reading: number; readonly bytes: Buffer };

/** Yields the answers. Ignores an incomplete last answer: the caller notices that the process ended. */
export async function* answersOf(stream: Readable): AsyncGenerator<DecodedAnswer> {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = headBytes;
  for await (const chunk of stream) {
    pieces.push(chunk as Buffer);
    held += (chunk as Buffer).length;
    if (held < wanted) continue;
    let bytes = Buffer.concat(pieces);
    while (bytes.length >= wanted) {
      const length = bytes.readUInt32LE();
      if (length > maxAnswerBytes) refuseNonsense();
      wanted = headBytes + length;
      if (bytes.length < wanted) break;
      yield decodeAnswer(bytes.readUInt32LE(4), bytes.subarray(headBytes, wanted));
      bytes = bytes.subarray(wanted);
      wanted = headBytes;
    }
    pieces = [bytes];
    held = bytes.length;
  }
}

function decodeAnswer(number: number, bytes: Buffer): DecodedAnswer {
  if (number > 0) return { kind: 'rows', reading: number, bytes };
  try {
    return answerSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    refuseNonsense();
  }
}
