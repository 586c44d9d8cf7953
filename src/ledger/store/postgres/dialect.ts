/** Translates statements into Postgres's dialect, by the few words that differ. */

/** Splits a statement; texts and quoted names stay. Postgres keeps capitals only in quotes. */
const pieces =
  /'(?:[^']|'')*'|"[^"]*"|\?(\d*)|\bsubstr\(([\w.]+), -(\d+)\)|\bCROSS JOIN\b|\bLIKE\b|\btemp\.|(?<=[ (])\+(?=[a-z])|\b[a-z]+[A-Z]\w*/g;

/** Words with another word or none in Postgres, which plans joins and indexes itself. */
const words: Readonly<Record<string, string>> = {
  'CROSS JOIN': 'JOIN',
  // SQLite's LIKE ignores case.
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

/** Returns `INSERT … VALUES (?,?) …` for several rows. */
export function forRows(text: string, rows: number): string {
  return text.replace(/VALUES (\([?,]+\))/, (_, row: string) => `VALUES ${Array<string>(rows).fill(row).join(',')}`);
}
