/** Reads values like `="0123"`, a form that makes spreadsheets keep leading zeros. */

export function forcedText(text: string): string | null {
  return text.charCodeAt(0) === equals && text.charCodeAt(1) === quote
    ? (/^="([^"]*)"$/.exec(text)?.[1] ?? null)
    : null;
}

const equals = 0x3d;
const quote = 0x22;
const carriageReturn = 0x0d;
const lineFeed = 0x0a;

const opening = Buffer.from('"=""');
const closing = Buffer.from('"""');
/** The most bytes of a value like `="0123"`. No value of a payment is longer. */
const longest = 4096;

/** Searches a file for values like `="0123"`. May also find another text with `="`. */
export function createForcedSearch() {
  let last = 0;
  let found = false;
  return {
    push(chunk: Buffer): void {
      found ||= (last === equals && chunk[0] === quote) || chunk.includes('="');
      last = chunk.at(-1) ?? last;
    },
    found: () => found,
  };
}

export async function* withForcedQuoted(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<Buffer> {
  const parting = delimiter.charCodeAt(0);
  const isEnd = (byte: number | undefined) => byte === parting || byte === carriageReturn || byte === lineFeed;
  let rest: Buffer = Buffer.alloc(0);
  let quoted = false;
  let atStart = true;
  let behindQuoted = false;

  /** Returns the index of the last quote of a value like `="0123"`; -1 for other values; null if the bytes end. */
  function lastQuote(bytes: Buffer, at: number, whole: boolean): number | null {
    const until = Math.min(bytes.length, at + longest);
    const cut = whole || until < bytes.length ? -1 : null;
    if (at + 1 >= until) return cut;
    if (bytes[at + 1] !== quote) return -1;
    for (let end = at + 2; end < until; end++) {
      // Spreadsheets end a value at a separator or line end, even inside `="01,23"`.
      if (isEnd(bytes[end])) return -1;
      if (bytes[end] !== quote) continue;
      if (end + 1 < bytes.length) return isEnd(bytes[end + 1]) ? end : -1;
      return whole ? end : null;
    }
    return cut;
  }

  function take(bytes: Buffer, whole: boolean): Buffer {
    const pieces: Buffer[] = [];
    let from = 0;
    let at = 0;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (quoted) {
        quoted = byte !== quote;
        behindQuoted = !quoted;
        continue;
      }
      if (atStart && byte === equals) {
        const end = lastQuote(bytes, at, whole);
        if (end === null) break;
        if (end >= 0) {
          pieces.push(bytes.subarray(from, at), opening, bytes.subarray(at + 2, end), closing);
          from = end + 1;
          at = end;
          atStart = false;
          continue;
        }
      }
      // A quote opens a quoted part at the start of a value, or directly after a closing quote (`""`).
      quoted = byte === quote && (atStart || behindQuoted);
      behindQuoted = false;
      atStart = isEnd(byte);
    }
    rest = Buffer.from(bytes.subarray(at));
    return Buffer.concat([...pieces, bytes.subarray(from, at)]);
  }

  for await (const chunk of chunks) yield take(rest.length === 0 ? chunk : Buffer.concat([rest, chunk]), false);
  yield take(rest, true);
}
