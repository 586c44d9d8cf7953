/**
 * `="0123"`: how programs write digits into CSV so that a spreadsheet takes them for text. To the letter it is no CSV, since a
 * quote stands inside a value; and what it says is the text within.
 */

/** The text within; null for any other text, formulas of other forms included. */
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
/** No value that can be paid with is as long. */
const longest = 4096;

/** Whether such a value may be among these chunks, seen at the speed of memory. */
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

/** The same text with such values in quotes of their own, as CSV has values with quotes in them: `"=""0123"""`. */
export async function* withForcedQuoted(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<Buffer> {
  const parting = delimiter.charCodeAt(0);
  const isEnd = (byte: number | undefined) => byte === parting || byte === carriageReturn || byte === lineFeed;
  let rest: Buffer = Buffer.alloc(0);
  let quoted = false;
  let atStart = true;
  /** Right behind a quote that closes a value, or is the first of two that stand for one. */
  let behindQuoted = false;

  /** Where the value's last quote stands; -1 for any other value, and null where the bytes end too soon to tell. */
  function lastQuote(bytes: Buffer, at: number, whole: boolean): number | null {
    const until = Math.min(bytes.length, at + longest);
    const cut = whole || until < bytes.length ? -1 : null;
    if (at + 1 >= until) return cut;
    if (bytes[at + 1] !== quote) return -1;
    for (let end = at + 2; end < until; end++) {
      // A spreadsheet would part it here, quotes or none.
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
      // A quote opens a value at its start, and right behind a closing one both are a quote within it.
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
