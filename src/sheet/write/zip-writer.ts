/** Writes a ZIP archive. Processes each part in pieces, so that even a large part needs little memory. */

import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { PayrunError } from '../../base/errors.ts';
import type { Each } from '../../base/words.ts';
import { maxBytes } from '../xlsx/zip.ts';

type Texts = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

interface Written extends Each<'method crc packedBytes bytes headerAt', number> {
  readonly name: Buffer;
}

const deflated = 8;
const asIs = 0;
const flags = 0x0800;
const version = 20;
/** 1 January 1980. All parts have the same date, so that equal content gives equal files. */
const date = 0x0021;
const headerBytes = 30;
const packBytes = 256 * 1024;

export function createZipWriter(handle: FileHandle, limitBytes = maxBytes) {
  const parts: Written[] = [];
  let at = 0;
  let allBytes = 0;

  async function append(bytes: Uint8Array): Promise<void> {
    // Uses appendFile, which writes all bytes. A single `write` may write only some of them.
    await handle.appendFile(bytes);
    at += bytes.length;
  }

  async function addPart(name: string, texts: Texts, method: number): Promise<void> {
    const headerAt = at;
    const rawName = Buffer.from(name);
    let crc = 0;
    let bytes = 0;
    async function* counted() {
      for await (const text of texts) {
        const chunk = Buffer.from(text);
        crc = crc32(chunk, crc);
        bytes += chunk.length;
        allBytes += chunk.length;
        // Payrun itself refuses to read a workbook that unpacks to more bytes.
        if (allBytes > limitBytes) throw new PayrunError('WORKBOOK_CELLS_TOO_MANY', {});
        yield chunk;
      }
    }
    await append(localHeader({ name: rawName, method, crc: 0, packedBytes: 0, bytes: 0, headerAt }));
    const dataAt = at;
    const appendAll = async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await append(chunk);
    };
    if (method === deflated) await pipeline(counted, createPacker(), appendAll);
    else await appendAll(counted());
    const part = { name: rawName, method, crc, packedBytes: at - dataAt, bytes, headerAt };
    // Writes the header again with the final sizes, because some programs do not read the directory at the end.
    await writeAt(handle, localHeader(part), headerAt);
    parts.push(part);
  }

  return {
    part: async (name: string, texts: Texts) => await addPart(name, texts, deflated),
    /** Writes a part without compression, so that its bytes do not depend on the compressor's version. */
    stored: async (name: string, texts: Texts) => await addPart(name, texts, asIs),
    async end(): Promise<void> {
      const directoryAt = at;
      for (const part of parts) await append(directoryEntry(part));
      const end = Buffer.alloc(22);
      end.writeUInt32LE(0x06054b50, 0);
      end.writeUInt16LE(parts.length, 8);
      end.writeUInt16LE(parts.length, 10);
      end.writeUInt32LE(at - directoryAt, 12);
      end.writeUInt32LE(directoryAt, 16);
      await append(end);
    },
  };
}

/** Level 1 takes a fifth of the usual time. The large buffer lets Payrun make more rows during the compression. */
const createPacker = () =>
  createDeflateRaw({ level: 1, chunkSize: packBytes, writableHighWaterMark: 2 * packBytes } as object);

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

function localHeader(part: Written): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version, 4);
  writeCommon(header, 6, part);
  return Buffer.concat([header, part.name]);
}

function directoryEntry(part: Written): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(version, 4);
  entry.writeUInt16LE(version, 6);
  writeCommon(entry, 8, part);
  entry.writeUInt32LE(part.headerAt, 42);
  return Buffer.concat([entry, part.name]);
}

function writeCommon(target: Buffer, from: number, { method, crc, packedBytes, bytes, name }: Written): void {
  target.writeUInt16LE(flags, from);
  target.writeUInt16LE(method, from + 2);
  target.writeUInt16LE(date, from + 6);
  target.writeUInt32LE(crc, from + 8);
  target.writeUInt32LE(packedBytes, from + 12);
  target.writeUInt32LE(bytes, from + 16);
  target.writeUInt16LE(name.length, from + 20);
}
