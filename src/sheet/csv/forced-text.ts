/** Reads values like `="0123"`, a form that makes spreadsheets keep leading zeros. */

export const forcedText = (text: string): string | null =>
  text.startsWith('="') ? (/^="([^"]*)"$/.exec(text)?.[1] ?? null) : null;

/** A longer line without a line end belongs to a row that Payrun refuses. */
const longestLine = 65_536;

/**
 * Quotes each value like `="0123"`, because the CSV parser refuses quotation marks inside a value. A value ends at a
 * separator or line end, as in spreadsheets. A quoted value that contains such a text between two separators is refused,
 * because its marks no longer fit.
 */
export async function* withForcedQuoted(chunks: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<Buffer> {
  const ends = `\\u{${delimiter.charCodeAt(0).toString(16)}}\\r\\n`;
  const forced = new RegExp(`(?<=^|[${ends}])="([^"${ends}]*)"(?=$|[${ends}])`, 'gu');
  const quoted = (text: string) => Buffer.from(text.replace(forced, '"=""$1"""'), 'latin1');
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + chunk.toString('latin1');
    const lines = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    const done = text.length - lines > longestLine ? text.length : lines;
    yield quoted(text.slice(0, done));
    rest = text.slice(done);
  }
  yield quoted(rest);
}
