/** Translates statements from SQLite to Postgres by replacing the few words that differ. */

/** Also matches strings and quoted names, which stay unchanged. Names with capitals get quotes to keep the capitals. */
const pieces =
  /'(?:[^']|'')*'|"[^"]*"|\?(\d*)|\bsubstr\(([\w.]+), -(\d+)\)|\bCROSS JOIN\b|\bLIKE\b|\btemp\.|(?<=[ (])\+(?=[a-z])|\b[a-z]+[A-Z]\w*/g;

/** LIKE and `temp.` have other names in Postgres. CROSS JOIN and `+` are hints that only SQLite needs. */
const words: Readonly<Record<string, string>> = { 'CROSS JOIN': 'JOIN', LIKE: 'ILIKE', 'temp.': 'pg_temp.', '+': '' };

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

export const forRows = (text: string, rows: number): string =>
  text.replace(/VALUES (\([?,]+\))/, (_, row: string) => `VALUES ${Array<string>(rows).fill(row).join(',')}`);
