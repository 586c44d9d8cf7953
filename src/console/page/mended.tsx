/** The lists beside Go on: sheets that change or lack unsent rows of a batch, and released rows. */
import { useState } from 'preact/hooks';
import type { Batch } from '../api.ts';
import { Ask, LongField, Moment, say } from './parts.tsx';
import { pathOf } from './route.ts';
import { may, post } from './server.ts';
import { counted, rowsWords, wholeSentence, within } from './words.ts';

const standsWords = {
  waits: 'waits for approval',
  approved: 'is approved and not paid yet',
  old: 'is no longer good',
  void: 'is to be planned once more, since it was changed or planned anew',
};
const ways = { account: 'to another account', otherwise: 'otherwise', missing: 'not at all' };

const waysOf = (rows: readonly { readonly how: keyof typeof ways; readonly number: number }[]) =>
  Object.entries(ways)
    .flatMap(([how, words]) => {
      const numbers = rows.filter((row) => row.how === how).map(({ number }) => number);
      return numbers.length === 0 ? [] : [`${within(rowsWords(numbers))} of this batch ${words}`];
    })
    .join('; ');

export function Mended({ of, onDeclined }: { readonly of: Batch['mended']; readonly onDeclined: () => Promise<void> }) {
  const [reason, setReason] = useState('');
  return of.map(({ upload, digest, file, by, stands, rows }) => (
    <div class="notice warning" key={upload}>
      <p>
        <strong>A mended sheet waits:</strong>{' '}
        <a href={stands === 'void' || rows === null ? pathOf('sheets', upload) : pathOf('sheets', upload, 'review')}>
          {file}
        </a>
        , handed in by {by}, {standsWords[stands]}.{' '}
        {rows === null
          ? 'Its plan cannot be read here: a preparer plans it again, or discards it'
          : `It has ${waysOf(rows)}`}
        . To pay by that sheet, release nothing here, do not go on here, and let that sheet be paid. To pay as it stands
        here,{' '}
        {stands === 'void'
          ? 'whoever handed it in discards it first'
          : may('approver')
            ? 'decline its plan first'
            : 'an approver declines its plan first'}
        .
      </p>
      {stands !== 'void' && may('approver') && (
        <p class="buttons">
          <Ask
            of={digest}
            button={`Decline the plan of ${file}`}
            title={`Decline the plan of ${file}`}
            confirm="Decline it"
            action={async () => {
              await post(`/api/uploads/${encodeURIComponent(upload)}/decline`, { digest, reason });
              setReason('');
              await onDeclined();
              say(`The plan of ${file} is declined, and nothing of it is paid. What is held here can be released.`);
            }}
          >
            <p>
              Nothing of {file} is paid then, whoever approved it: what is held is released, or not paid, as it stands
              here.
            </p>
            <LongField label="Reason" hint="The preparer sees it." value={reason} onText={setReason} required />
          </Ask>
        </p>
      )}
    </div>
  ));
}

export function Released({ batch: { batch, released } }: { readonly batch: Batch }) {
  const more = released.total - released.rows.length;
  if (released.rows.length === 0) return null;
  return (
    <ul>
      {released.rows.map(({ key, number, name, by, at, why }) => (
        <li key={key}>
          <a href={pathOf('batches', batch, 'rows', key)}>
            Row {number}, {name}
          </a>
          , was held, and was released{by !== null && ` by ${by}`}, <Moment at={at} />: {wholeSentence(why)} It is sent
          when a preparer goes on.
        </li>
      ))}
      {more > 0 && <li>And {counted(more, 'more row')} that were held and are released.</li>}
    </ul>
  );
}
