/** Writes an archive part after part, each packed as it comes, so that no part is ever held whole. */
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import { PayrunError } from '../base/errors.ts';
import { maxBytes } from './zip.ts';

export interface ZipWriter {
  /** Packs the texts, in their order, as one part. */
  part(name: string, texts: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** Writes the directory: without it there is no archive. */
  end(): Promise<void>;
}

interface Written {
  readonly name: Buffer;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  readonly headerAt: number;
}

const deflated = 8;
/** Names are UTF-8. */
const flags = 0x0800;
const version = 20;
/** 1 January 1980, the first day that an archive knows: the same content is the same file. */
const date = 0x0021;
const headerBytes = 30;
const packBytes = 256 * 1024;

/** `handle` is a new file, written from its start; `limitBytes` is what may be packed into it. */
export function createZipWriter(handle: FileHandle, limitBytes = maxBytes): ZipWriter {
  const parts: Written[] = [];
  let at = 0;
  let allBytes = 0;

  async function append(bytes: Uint8Array): Promise<void> {
    // appendFile writes until all is written; a single write may take less than it is given.
    await handle.appendFile(bytes);
    at += bytes.length;
  }

  return {
    async part(name, texts) {
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
          if (allBytes > limitBytes) throw tooLarge();
          yield chunk;
        }
      }
      await append(localHeader(rawName, 0, 0, 0));
      const dataAt = at;
      // The fastest packing makes a result a third larger than the best and takes a fifth of its time. The room ahead lets
      // rows be made while others are packed; more of it would cost memory and no less time.
      const deflate = createDeflateRaw({
        level: 1,
        chunkSize: packBytes,
        writableHighWaterMark: 2 * packBytes,
      } as object);
      await pipeline(counted, deflate, async (packed: AsyncIterable<Buffer>) => {
        for await (const chunk of packed) await append(chunk);
      });
      const part = { name: rawName, crc, packedBytes: at - dataAt, bytes, headerAt };
      // Written again now that the sizes are known: a reader that goes from part to part needs no directory.
      await writeAt(handle, localHeader(rawName, crc, part.packedBytes, bytes), headerAt);
      parts.push(part);
    },
    async end() {
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

/** Payrun itself would refuse to read it again, and a result must go on where it stopped. */
function tooLarge(): PayrunError {
  return new PayrunError('USAGE', {
    detail:
      'A workbook of so many cells would unpack to more than 1 GiB, which Payrun does not read. Ask for CSV (--format csv).',
  });
}

async function writeAt(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await handle.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

function localHeader(name: Buffer, crc: number, packedBytes: number, bytes: number): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(version, 4);
  writeCommon(header, 6, crc, packedBytes, bytes, name);
  return Buffer.concat([header, name]);
}

function directoryEntry({ name, crc, packedBytes, bytes, headerAt }: Written): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(version, 4);
  entry.writeUInt16LE(version, 6);
  writeCommon(entry, 8, crc, packedBytes, bytes, name);
  entry.writeUInt32LE(headerAt, 42);
  return Buffer.concat([entry, name]);
}

/** What a local header and an entry of the directory have in common, from the flags to the length of the name. */
function writeCommon(
  target: Buffer,
  from: number,
  crc: number,
  packedBytes: number,
  bytes: number,
  name: Buffer,
): void {
  target.writeUInt16LE(flags, from);
  target.writeUInt16LE(deflated, from + 2);
  target.writeUInt16LE(date, from + 6);
  target.writeUInt32LE(crc, from + 8);
  target.writeUInt32LE(packedBytes, from + 12);
  target.writeUInt32LE(bytes, from + 16);
  target.writeUInt16LE(name.length, from + 20);
}
