/** Writes the page of an evidence pack: its content, and ways to check it with and without Payrun. */
import type { BatchFacts } from '../../ledger/ledger.ts';
import { timeWords } from '../../messages/format/times.ts';
import { decisionWords } from '../../messages/web/trail.ts';
import { safe } from '../../pipeline/plans/page.ts';
import type { Decision } from './decisions.ts';

const files: readonly (readonly [string, string])[] = [
  ['manifest.json', 'Every other file with its length and SHA-256, and the last hash of the trail.'],
  [
    'sheet.*',
    'The newest sheet of the batch as it was received, byte for byte; which cells people corrected is listed below.',
  ],
  [
    'plan.json, approvals.json',
    'Where the batch ran under a plan: the plan, who made it, and the signatures over its digest.',
  ],
  [
    'sheet-1.*, plan-1.json, approvals-1.json, …',
    'Where payments left under an earlier sheet of the batch too: that sheet, and its plan with the signatures; the oldest is 1.',
  ],
  ['rows.jsonl', 'Each row: where it stands, what was sent but for its destination, and what the service answered.'],
  ['totals.json', 'Rows and amounts by currency and status.'],
  ['documents.json', 'The supporting documents with their SHA-256; the documents themselves are not in the pack.'],
  ['decisions.json', 'The entries of the trail about decisions of people; the list below shows them in words.'],
  ['result.csv', 'The sheet with the status of each row.'],
  [
    'answer.xml',
    'Where the sheet was a file of payments (pain.001): its answer (pain.002), as of the last entry of the trail.',
  ],
  ['trail.jsonl', 'The whole trail of the ledger: other batches are in it, since the chain runs through them.'],
];

function decisionsTable(decisions: readonly Decision[]): string {
  if (decisions.length === 0) return '<p>Nobody had to give a reason.</p>';
  const rows = decisions.map(({ at, row, by, why, ...entry }) => {
    const cells = [timeWords(at), row ?? 'the batch', decisionWords(entry), by ?? '', why ?? ''];
    return `<tr>${cells.map((cell) => `<td>${safe(cell)}</td>`).join('')}</tr>`;
  });
  return `<table>\n<tr><th>When</th><th>Row</th><th>What</th><th>Who</th><th>Why</th></tr>\n${rows.join('\n')}\n</table>`;
}

export function howToCheck({ name, service }: BatchFacts, decisions: readonly Decision[]): string {
  const list = files.map(([file, what]) => `<tr><td><code>${file}</code></td><td>${what}</td></tr>`).join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Evidence of batch ${safe(name)}</title>
<style>body{font:16px/1.5 sans-serif;max-width:46em;margin:2em auto;padding:0 1em}td,th{vertical-align:top;text-align:left;padding:.2em 1em .2em 0}</style>
<h1>Evidence of batch ${safe(name)}</h1>
<p>Paid with Payrun; service: ${safe(service)}. This pack holds names and account numbers: keep it as you keep payrolls.</p>
<table>
${list}
</table>
<h2>What people decided</h2>
${decisionsTable(decisions)}
<h2>With Payrun, on any machine</h2>
<p><code>payrun audit verify FILE.zip</code> needs no network, no ledger and no credentials. With <code>--policy payrun.policy.json</code>,
which has the approvers' public keys and must come to you another way than this pack, it checks the signatures too. It ends with 0 when the
pack is whole and with 27 when it is not, and says which file and row.</p>
<p>The command first prints the SHA-256 of the file. Compare it with the one that Payrun printed when it made the pack, or with the one in the
console's trail. If somebody wrote the pack again, the pack passes the check, but its SHA-256 differs.</p>
<h2>Without Payrun</h2>
<ol>
<li>Compare what <code>sha256sum FILE.zip</code> says with the SHA-256 that was printed when the pack was made, or that the console's
trail has of its download.</li>
<li>Unpack, and compare <code>sha256sum</code> of each file with <code>manifest.json</code>.</li>
<li>The trail: begin with the SHA-256 of the text <code>payrun trail 1</code>. For each line take the SHA-256 of the hash so far, a line feed,
and the line's <code>text</code>: it must be the line's <code>hash</code>. The last must be the manifest's <code>head</code>.</li>
<li>Each row of <code>result.csv</code> says its state, payment and times; the last entries of the trail for that row say the same.</li>
<li>Ask the service for the payments by their ids.</li>
</ol>
</html>
`;
}
