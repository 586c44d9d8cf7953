/** Bytes turned, cut out, put in, doubled or swapped, anywhere in a file. */
import type { Chance } from './chance.ts';

/** What means something to archives, XML, workbooks or CSV. */
const meaningful = [
  '<',
  '>',
  '/',
  '"',
  "'",
  '&',
  '&#0;',
  '&x;',
  '<row r="2">',
  '</row>',
  '<c r="B2"><v>1</v></c>',
  '</c>',
  '<v>',
  ' r="A1"',
  ' t="s"',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE a>',
  '<?',
  '\0',
  '\xff',
  '\xc3',
  ',',
  ';',
  '\r',
  '\n',
  '"\n"',
  '_x0041_',
  'PK\x01\x02',
  'PK\x03\x04',
  'PK\x05\x06',
  '\xff\xff\xff\xff',
  '999999999999',
  '-1',
];

export function damaged(chance: Chance, bytes: Buffer): Buffer {
  let out = bytes;
  for (let left = 1 + (chance.once(3) ? chance.below(8) : 0); left > 0; left--) out = once(chance, out);
  return out;
}

function once(chance: Chance, bytes: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from('x');
  const at = chance.below(bytes.length);
  const length = 1 + chance.below(chance.once(3) ? Math.min(400, bytes.length) : 8);
  const piece = bytes.subarray(at, at + length);
  const spliced = (from: number, cut: number, ...put: readonly Uint8Array[]) =>
    Buffer.concat([bytes.subarray(0, from), ...put, bytes.subarray(from + cut)]);
  switch (chance.below(7)) {
    case 0: {
      const out = Buffer.from(bytes);
      out[at] = out[at]! ^ (1 << chance.below(8));
      return out;
    }
    case 1: {
      const out = Buffer.from(bytes);
      out[at] = chance.below(256);
      return out;
    }
    case 2:
      return spliced(at, piece.length);
    case 3:
      return spliced(at, 0, Buffer.from(chance.one(meaningful), 'latin1'));
    case 4:
      return spliced(at, 0, piece);
    case 5:
      return spliced(at, 0, bytes.subarray(chance.below(bytes.length)).subarray(0, length));
    default:
      return bytes.subarray(0, at);
  }
}
