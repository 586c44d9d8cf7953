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

const readerFaults: readonly unknown[] = [
  'file-empty',
  'file-is-hostile',
  'foreign-file',
  'reader-failed',
  'reader-lacks-memory',
  'workbook-has-links',
  'workbook-has-macros',
  'workbook-has-objects',
  'workbook-is-damaged',
  'workbook-is-empty',
  'workbook-is-labelled',
  'workbook-is-locked',
  'workbook-is-too-wide',
  'workbook-row-is-too-large',
  'xml-is-cut',
  'xml-is-not-utf8',
  'zip-has-too-many-parts',
  'zip-is-too-large',
  'zip-part-is-damaged',
  'zip-part-swells',
] satisfies readonly SheetFault['fault'][];

/** True for a fault of a reader without objects in its data. A hostile file may control the process that sent the fault. */
function isPlainFault(why: unknown): boolean {
  const isPlain = (one: unknown) =>
    one === null || ['string', 'number', 'boolean'].includes(typeof one) || (Array.isArray(one) && one.every(isPlain));
  const facts = typeof why === 'object' && why !== null ? Object.values(why) : [];
  return readerFaults.includes((why as { fault?: unknown } | null)?.fault) && facts.every(isPlain);
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
