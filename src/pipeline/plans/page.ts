/** Builds parts of pages for people. Each page is one file without scripts, and loads nothing. */
import { visible } from '../../base/words.ts';

export function list(sentences: readonly string[]): string {
  if (sentences.length === 0) return '';
  return `<ul class="terms">${sentences.map((sentence) => `<li>${safe(sentence)}</li>`).join('')}</ul>\n`;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[], numbers: readonly number[]) {
  return `${tableStart(header, numbers)}${rows.map((cells) => tableRow(cells, numbers)).join('')}${tableEnd}`;
}

export function tableStart(header: readonly string[], numbers: readonly number[]): string {
  const cells = header.map((name, at) => `<th scope="col"${numbers.includes(at) ? ' class="n"' : ''}>${name}</th>`);
  return `<table><thead><tr>${cells.join('')}</tr></thead><tbody>\n`;
}

export function tableRow(cells: readonly string[], numbers: readonly number[]): string {
  const parts = cells.map((cell, at) => `<td${numbers.includes(at) ? ' class="n"' : ''}>${safe(cell)}</td>`);
  return `<tr>${parts.join('')}</tr>\n`;
}

export const tableEnd = '</tbody></table>\n';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function factsTable(lines: readonly (readonly [name: string, value: string])[]): string {
  const rows = lines.map(([name, value]) => `<tr><th scope="row">${name}</th><td>${safe(value)}</td></tr>`);
  return `<table class="facts">${rows.join('\n')}</table>\n`;
}

/** Escapes text. Invisible characters, and characters that reverse the direction of the text, are replaced by their names. */
export const safe = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');

export function pageStart(title: string, extra: { readonly style?: string } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(title)}</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; color: #1c2126; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; } table.facts { width: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid #dde1e5; }
thead th { border-bottom: 2px solid #9aa3ab; } .n { text-align: right; font-variant-numeric: tabular-nums; }
td { overflow-wrap: anywhere; } .n { overflow-wrap: normal; white-space: nowrap; }
.digest code { font-size: 0.9em; overflow-wrap: anywhere; } .terms { font-weight: 600; }
@media screen and (max-width: 48rem) { table { display: block; overflow-x: auto; } td { min-width: 5rem; } }
@page { size: landscape; margin: 1.2cm; }
@media print { body { margin: 0; padding: 0; max-width: none; font-size: 9pt; } h2 { break-after: avoid; } thead { display: table-header-group; } tr { break-inside: avoid; } }
${extra.style ?? ''}</style>
</head>
<body>
`;
}
