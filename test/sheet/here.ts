/**
 * Reads a workbook in this process: what the program does in another one, without the time that a process takes to start. What it
 * tells goes through the same form as between the two, and nothing of it is taken on trust.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { openReadable } from '../../src/sheet/readable.ts';
import type { ReadWorkbook } from '../../src/sheet/xlsx/process/reader.ts';
import { headOf, type ReaderAnswer } from '../../src/sheet/xlsx/process/reader-answers.ts';
import { answersOf, type DecodedAnswer } from '../../src/sheet/xlsx/process/reader-decoding.ts';
import { createRowDecoder, createRowEncoder } from '../../src/sheet/xlsx/process/reader-rows.ts';

/** Like the process, it has the file open too. */
export async function openReader(file: FileHandle, size: number): Promise<ReadWorkbook> {
  const own = await open(`/dev/fd/${file.fd}`);
  const close = () => void own.close();
  try {
    const workbook = await openReadable(own, size);
    return {
      ...workbook,
      async *rows(sheet, extras) {
        const encode = createRowEncoder();
        const decode = createRowDecoder();
        for await (const rows of workbook.rows(sheet, extras)) yield decode(encode(rows));
      },
      look: async (sheet) => (await told({ kind: 'look', reading: 1, look: await workbook.look(sheet) })).look,
      close,
      [Symbol.dispose]: close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function told<Kind extends ReaderAnswer['kind']>(
  answer: ReaderAnswer & { kind: Kind },
): Promise<Extract<DecodedAnswer, { kind: Kind }>> {
  const body = Buffer.from(JSON.stringify(answer));
  const { value } = await answersOf(Readable.from([headOf(body.length, 0), body])).next();
  return value;
}
