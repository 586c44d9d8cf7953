/** Understands the answers of the process that reads a workbook, and takes nothing on trust: a hostile file may have had its way with it. */
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Cell } from '../domain/cell.ts';
import { type CellStyle, cellStyle } from './cell-style.ts';
import { maxHeight, maxSheetRows } from './limits.ts';
import type { RawRow } from './lines.ts';
import { lengthBytes } from './reader-answers.ts';
import type { StoredCell } from './rows.ts';

/** More than any batch of rows needs, and little enough to be held. */
const maxAnswerBytes = 64 * 1024 ** 2;

/** Further to the right nothing is read. */
const maxColumn = 255;

const reading = z.int();
const index = z.int().nonnegative();
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);
const styleNumber = orNull(index);
/** A person freezes a few: more is no header, and some programs do not open it. */
const frozen = z.int().min(0).max(99);

const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('opened'),
    date1904: z.boolean(),
    sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })).min(1),
  }),
  z.object({
    kind: z.literal('layout'),
    reading,
    layout: z.object({
      hiddenColumns: z.array(z.tuple([index, index])),
      widths: z.array(z.object({ from: index, to: index, width: z.number() })),
    }),
  }),
  z.object({ kind: z.literal('rows'), reading, rows: z.array(z.unknown()) }),
  z.object({
    kind: z.literal('end'),
    reading,
    merges: z.array(z.object({ top: index, bottom: index, left: index, right: index })),
  }),
  z.object({
    kind: z.literal('look'),
    reading,
    look: z.object({
      // exceljs's own types have no place for what is undefined, and it takes it all the same.
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
  z.object({ kind: z.literal('refused'), detail: z.string() }),
]);

type Understood = z.infer<typeof answerSchema>;
/** An answer whose rows are rows again. */
export type DecodedAnswer =
  | Exclude<Understood, { kind: 'rows' }>
  | { readonly kind: 'rows'; readonly reading: number; readonly rows: RawRow[] };

/** What came is not an answer. */
export class NoAnswer extends Error {}

/** Ends with the stream; what was cut off is no answer, and how the process ended says why. */
export async function* answersOf(stream: Readable): AsyncGenerator<DecodedAnswer> {
  let pieces: Buffer[] = [];
  let held = 0;
  let wanted = lengthBytes;
  let inBody = false;
  for await (const chunk of stream) {
    pieces.push(chunk as Buffer);
    held += (chunk as Buffer).length;
    while (held >= wanted) {
      const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      const piece = bytes.subarray(0, wanted);
      pieces = [bytes.subarray(wanted)];
      held -= wanted;
      if (inBody) yield decodeAnswer(piece);
      wanted = inBody ? lengthBytes : piece.readUInt32LE();
      if (wanted > maxAnswerBytes) throw new NoAnswer(`${wanted} bytes`);
      inBody = !inBody;
    }
  }
}

function decodeAnswer(bytes: Buffer): DecodedAnswer {
  try {
    const answer = answerSchema.parse(JSON.parse(bytes.toString('utf8')));
    return answer.kind === 'rows' ? { ...answer, rows: answer.rows.map(rowOf) } : answer;
  } catch (error) {
    throw new NoAnswer('not understood', { cause: error });
  }
}

function rowOf(form: unknown): RawRow {
  if (!Array.isArray(form)) throw new NoAnswer('no row');
  const [number, hidden, cells] = form as unknown[];
  if (!Number.isInteger(number) || !Array.isArray(cells)) throw new NoAnswer('no row');
  for (let k = 0; k < cells.length; k++) if (typeof cells[k] !== 'string') cells[k] = cellOf(cells[k]);
  return { number: number as number, cells: cells as Cell[], hidden: hidden === 1 };
}

const kinds: ReadonlySet<unknown> = new Set<StoredCell['kind']>([
  'number',
  'text',
  'date',
  'boolean',
  'error',
  'uncached',
]);

function cellOf(form: unknown): StoredCell {
  if (!Array.isArray(form)) throw new NoAnswer('no cell');
  const [kind, text, shown, formula, format] = form as unknown[];
  const isCell =
    kinds.has(kind) &&
    typeof text === 'string' &&
    (shown === 0 || typeof shown === 'string') &&
    (format === null || typeof format === 'string');
  if (!isCell) throw new NoAnswer('no cell');
  return { kind: kind as StoredCell['kind'], text, shown: shown === 0 ? text : shown, formula: formula === 1, format };
}
