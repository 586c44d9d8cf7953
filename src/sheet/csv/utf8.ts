/** Checks that bytes are UTF-8. A decoder would replace a wrong letter of a name by U+FFFD without an error. */
import { isAscii, isUtf8 } from 'node:buffer';

export function createUtf8Check() {
  let rest: Buffer = Buffer.alloc(0);
  let valid = true;
  return {
    push(chunk: Buffer): void {
      if (!valid || (rest.length === 0 && isAscii(chunk))) return;
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = bytes.length - incompleteBytesAtEnd(bytes);
      valid = isUtf8(bytes.subarray(0, whole));
      rest = Buffer.from(bytes.subarray(whole));
    },
    end: () => valid && rest.length === 0,
  };
}

function incompleteBytesAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needs > back ? back : 0;
    }
  }
  return 0;
}
