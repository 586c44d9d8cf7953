/** Decodes the answers of the process that reads a workbook, and refuses invalid ones. */
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Refusal, SheetRefusalCode } from '../../../base/refusal.ts';
import { type Words, wordsIn } from '../../../base/words.ts';
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

type OfProgram =
  | `${'CSV' | 'SHEETS'}_${string}`
  | Words<'READER_LATE READER_ANSWER_UNREADABLE SHEET_NOT_THERE SHEET_HIDDEN SHEET_MAY_BE_MISSPELT'>;

/** The refusals that the process may report. Does not compile if a refusal is in neither list. */
const ofReader = z.enum(
  wordsIn(
    'SHEET_EMPTY FOREIGN_FILE FILE_HOSTILE WORKBOOK_LABELLED WORKBOOK_LOCKED WORKBOOK_HAS_MACROS WORKBOOK_HAS_LINKS',
    'WORKBOOK_HAS_OBJECTS WORKBOOK_DAMAGED WORKBOOK_ROW_TOO_LARGE WORKBOOK_TOO_WIDE WORKBOOK_PART_DAMAGED',
    'WORKBOOK_PART_SWELLS WORKBOOK_PARTS_TOO_MANY WORKBOOK_TOO_LARGE READER_LACKS_MEMORY READER_FAILED XML_CUT',
    'XML_IN_OTHER_ENCODING PAYMENTS_AMOUNT_NO_DECIMAL PAYMENTS_MALFORMED PAYMENTS_NONE PAYMENTS_VERSION_NOT_READ',
    'PAYMENTS_METHOD_NOT_PAID PAYMENTS_NEED_EXCHANGE PAYMENTS_TOTAL_DIFFERS WORKBOOK_EMPTY',
  ),
).enum satisfies { readonly [C in Exclude<SheetRefusalCode, OfProgram>]: C };

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
/** Facts without objects: a hostile file may control the process that sent them. */
const plainFacts = z.record(z.string(), z.union([scalar, z.array(scalar)]));

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
  z.object({
    kind: z.literal('refused'),
    refusal: z.object({ code: z.enum(ofReader), facts: plainFacts }).transform((refusal) => refusal as Refusal),
  }),
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
