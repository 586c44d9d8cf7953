/** Sheets that go on with a batch, and have rows that it has not sent otherwise than it: told where somebody would let these go. */
import type { MendedIn } from '../api.ts';
import { pathOf } from './route.ts';
import { may } from './server.ts';
import { rowsWords, within } from './words.ts';

const ways = { account: 'to another account', otherwise: 'otherwise', missing: 'not at all' };

export function Mended({ of }: { readonly of: readonly MendedIn[] }) {
  return of.map(({ upload, file, by, approved, rows }) => (
    <p class="notice warning" key={upload}>
      <strong>A mended sheet waits:</strong> <a href={pathOf('sheets', upload, 'review')}>{file}</a>, handed in by {by},{' '}
      {approved ? 'is approved and not paid yet' : 'waits for approval'}. It has{' '}
      {Object.entries(ways)
        .flatMap(([how, words]) => {
          const numbers = rows.filter((row) => row.how === how).map(({ number }) => number);
          return numbers.length === 0 ? [] : [`${within(rowsWords(numbers))} of this batch ${words}`];
        })
        .join('; ')}
      . To pay by that sheet, release nothing here, do not go on here, and let that sheet be paid. To pay as it stands
      here, {may('approver') ? 'decline its plan first' : 'an approver declines its plan first'}.
    </p>
  ));
}
