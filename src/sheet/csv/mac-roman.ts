/** Distinguishes two encodings of text that is not UTF-8: Mac Roman, of old Mac programs, and Windows-1252. */

/**
 * Matches bytes that are probably letters in Mac Roman: Windows-1252 would show the Mac Roman bytes of `José` as `JosŽ`.
 * Dashes and apostrophes do not count, except 0xD5 where it can only be Mac Roman's apostrophe.
 */
const macLetters =
  /(?<=[a-z])[\x87-\x8a\x8c-\x90\x95\x98\x9d\x9f]|(?<=[A-Z])[\x87-\x8a\x8c-\x90\x95\x98\x9d\x9f](?=[a-z])|(?<=[a-z])[\x8b\x94\x99\x9b](?=[a-z])|(?<=[A-Z])[\x80-\x84\x86](?![a-z])|(?<=[a-z])\xd5(?=[a-z])|(?<=[A-Z])\xd5(?=[A-Z][a-z])/g;
/** Matches bytes that are letters in Mac Roman. In Windows-1252, they are closing quotation marks of languages such as German. */
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
