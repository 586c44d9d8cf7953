/** Takes an archive apart, so that its parts can be changed and packed again with right checksums. */
import { inflateRawSync } from 'node:zlib';
import type { Entry } from '../sheet/zip-builder.ts';

/** Only for archives in order, by the directory at their end. */
export function unpacked(archive: Buffer): Entry[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries: Entry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    const header = archive.readUInt32LE(at + 42);
    const from = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
    const data = archive.subarray(from, from + archive.readUInt32LE(at + 20));
    const stored = archive.readUInt16LE(at + 10) === 0;
    entries.push({ name, content: stored ? Buffer.from(data) : inflateRawSync(data), stored });
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}
