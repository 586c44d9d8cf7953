/** Translates statements to Postgres by replacing the few words that differ. */

/** The parts of a statement. Texts and quoted names stay unchanged. Names with capitals get quotes, which keep the capitals. */
const pieces =
  /'(?:[^']|'')*'|"[^"]*"|\?(\d*)|\bsubstr\(([\w.]+), -(\d+)\)|\bCROSS JOIN\b|\bLIKE\b|\btemp\.|(?<=[ (])\+(?=[a-z])|\b[a-z]+[A-Z]\w*/g;

/** Replacements for words that Postgres lacks, or that are hints for SQLite. Postgres chooses joins and indexes itself. */
const words: Readonly<Record<string, string>> = {
  'CROSS JOIN': 'JOIN',
  // ILIKE ignores case, as SQLite's LIKE does.
  LIKE: 'ILIKE',
  'temp.': 'pg_temp.',
  '+': '',
};

export function forPostgres(text: string): string {
  let asked = 0;
  return text.replaceAll(pieces, (piece, place?: string, of?: string, letters?: string) => {
    if (piece.startsWith("'") || piece.startsWith('"')) return piece;
    if (place !== undefined) {
      asked += 1;
      return `$${place === '' ? asked : place}`;
    }
    if (letters !== undefined) return `right(${of}, ${letters})`;
    return words[piece] ?? `"${piece}"`;
  });
}

export function forRows(text: string, rows: number): string {
  return text.replace(/VALUES (\([?,]+\))/, (_, row: string) => `VALUES ${Array<string>(rows).fill(row).join(',')}`);
}
