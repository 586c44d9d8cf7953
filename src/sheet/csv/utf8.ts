/** Checks that bytes are UTF-8. A decoder would replace a wrong letter of a name by U+FFFD without an error. */
import { isAscii, isUtf8 } from 'node:buffer';

export function createUtf8Check() {
  /** The bytes from the start of the last character on, because the next chunk may continue it. */
  let rest: Buffer = Buffer.alloc(0);
  let valid = true;
  return {
    push(chunk: Buffer): void {
      if (!valid || (rest.length === 0 && isAscii(chunk))) return;
      const bytes = Buffer.concat([rest, chunk]);
      let whole = bytes.length - 1;
      while (whole > bytes.length - 4 && (bytes[whole]! & 0xc0) === 0x80) whole--;
      valid = isUtf8(bytes.subarray(0, whole));
      rest = Buffer.from(bytes.subarray(whole));
    },
    end: () => valid && isUtf8(rest),
  };
}
