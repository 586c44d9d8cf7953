/** Distinguishes Mac Roman, the encoding of old Mac programs, from Windows-1252. */

/** Matches probable Mac Roman letters, and its apostrophe (0xD5): `José` reads as `JosŽ` in Windows-1252. */
const macLetters =
  /(?<=[a-z])[\x87-\x8a\x8c-\x90\x95\x98\x9d\x9f]|(?<=[A-Z])[\x87-\x8a\x8c-\x90\x95\x98\x9d\x9f](?=[a-z])|(?<=[a-z])[\x8b\x94\x99\x9b](?=[a-z])|(?<=[A-Z])[\x80-\x84\x86](?![a-z])|(?<=[a-z])\xd5(?=[a-z])|(?<=[A-Z])\xd5(?=[A-Z][a-z])/g;
/** Matches Mac Roman letters whose bytes are closing quotation marks in Windows-1252. German uses these marks. */
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

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
