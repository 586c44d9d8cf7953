/** Tells Mac Roman, the encoding of old Mac programs, from Windows-1252 in text that is not UTF-8. */

/**
 * Bytes that suit the letters beside them in Mac Roman, and not in Windows-1252, which would read `José` as `JosŽ`. Bytes for
 * dashes or apostrophes are left out, except 0xD5 where only the apostrophe of Mac Roman suits.
 */
const macLetters =
  /(?<=[a-z])[\x87-\x8a\x8c-\x90\x95\x98\x9d\x9f]|(?<=[A-Z])[\x87-\x8a\x8c-\x90\x95\x98\x9d\x9f](?=[a-z])|(?<=[a-z])[\x8b\x94\x99\x9b](?=[a-z])|(?<=[A-Z])[\x80-\x84\x86](?![a-z])|(?<=[a-z])\xd5(?=[a-z])|(?<=[A-Z])\xd5(?=[A-Z][a-z])/g;
/** Bytes for letters in Mac Roman that may be closing quotation marks in Windows-1252. */
const macOrQuote = /(?<=[a-z])[\x91\x93]/g;
const openingQuote = /[\x82\x84]/;
const windowsLetters = /(?<=[a-z])[\xdf-\xf6\xf8-\xff]|(?<![a-z])[\xc0-\xd6\xd8-\xff](?=[a-z])/g;

export function createMacSearch() {
  let mac = 0;
  let windows = 0;
  return {
    push(chunk: Buffer): void {
      const text = chunk.toString('latin1');
      mac += count(text, macLetters) + (openingQuote.test(text) ? 0 : count(text, macOrQuote));
      windows += count(text, windowsLetters);
    },
    found: () => mac > windows,
  };
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
