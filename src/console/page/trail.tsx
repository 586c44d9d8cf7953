/** Shows the trail, newest entry first. */
import type { TrailPage } from '../api.ts';
import { Search } from './fields.tsx';
import { Words } from './glossary.tsx';
import { Moment, Pager, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { pathOf, place, setQuery, turnTo } from './route.ts';
import { counted, timeZone } from './words.ts';

const limit = 100;

export function Trail() {
  const { query } = place.value;
  const batch = query.get('batch') ?? '';
  const from = Number(query.get('from') ?? 0);
  const asked = new URLSearchParams({ batch, from: String(from), limit: String(limit) });
  const trail = useLoaded<TrailPage>(`/api/trail?${asked.toString()}`);
  return (
    <>
      <Title page="Trail">Trail</Title>
      <p>
        Everything that people and Payrun did. A hash seals each line together with the line before it, so that no
        change stays hidden. Times are those of {timeZone === 'UTC' ? 'UTC.' : `${timeZone}, unless they say UTC.`}
      </p>
      <Search label="Of this batch alone" value={batch} onText={(text) => setQuery({ batch: text, from: null })} />
      <Waiting of={trail} />
      {trail.data !== null && (
        <>
          <p>
            {counted(trail.data.total, 'entry', 'entries')}. The newest hash:{' '}
            <code class="long">{trail.data.head}</code>
          </p>
          <Table label="Trail" class="trail" heads={[{ n: 'No.' }, 'When', 'Who', 'Batch', 'What', 'Hash']}>
            {trail.data.entries.map((entry) => (
              <tr key={entry.seq}>
                <td class="n">{entry.seq}</td>
                <td>
                  <Moment at={entry.at} exact />
                </td>
                <td class={entry.by === null ? 'none' : undefined}>{entry.by ?? '–'}</td>
                <td class={entry.batch === null ? 'none' : undefined}>
                  {entry.batch === null ? (
                    '–'
                  ) : (
                    <a class="batch" href={pathOf('batches', entry.batch)}>
                      {entry.batch}
                    </a>
                  )}
                </td>
                <td class="what">
                  {entry.batch !== null && entry.row !== null && (
                    <>
                      <a href={pathOf('batches', entry.batch, 'rows', entry.row)}>
                        {entry.named === null ? 'A row' : `Row ${entry.named.number}, ${entry.named.name}`}
                      </a>
                      :{' '}
                    </>
                  )}
                  {entry.words}
                </td>
                <td>
                  <code>{entry.hash.replace(/^sha256:/, '').slice(0, 12)}</code>
                </td>
              </tr>
            ))}
          </Table>
          <Words of={['hash', 'imported', 'ledger']} />
          <Pager newestFirst from={from} limit={limit} total={trail.data.total} onFrom={turnTo} />
        </>
      )}
    </>
  );
}
