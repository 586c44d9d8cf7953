/** A statement as Postgres reads it: the few words in which the two databases differ, changed in its text. */

/** Texts and quoted names stay as they are. Of a name with a capital Postgres keeps that only in quotes. */
const pieces =
  /'(?:[^']|'')*'|"[^"]*"|\?(\d*)|\bsubstr\(([\w.]+), -(\d+)\)|\bCROSS JOIN\b|\bLIKE\b|\btemp\.|(?<=[ (])\+(?=[a-z])|\b[a-z]+[A-Z]\w*/g;

/** What has another word there, or none: a join's order and an index that is not to be used are Postgres's own business. */
const words: Readonly<Record<string, string>> = {
  'CROSS JOIN': 'JOIN',
  // SQLite's LIKE takes capitals and small letters for the same.
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

/** `INSERT … VALUES (?,?) …` for so many rows at once. */
export function forRows(text: string, rows: number): string {
  return text.replace(/VALUES (\([?,]+\))/, (_, row: string) => `VALUES ${Array<string>(rows).fill(row).join(',')}`);
}
