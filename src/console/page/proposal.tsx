/** Shows two parts of a batch's page: the notice about a waiting plan, and the rows that were released. */
import type { Batch } from '../api.ts';
import { Moment } from './parts.tsx';
import { pathOf } from './route.ts';
import { counted, wholeSentence } from './words.ts';

export function WaitingPlan({ of }: { readonly of: Batch['proposal'] }) {
  if (of === null) return null;
  return (
    <div class="notice warning">
      <p>
        <strong>A plan waits:</strong> <a href={pathOf('sheets', of.upload, 'review')}>{of.file}</a>, handed in by{' '}
        {of.by}, {of.isApproved ? 'is approved and not paid yet' : 'waits for approval'}. Until it is paid, declined or
        discarded, nothing of this batch is sent.
      </p>
    </div>
  );
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
