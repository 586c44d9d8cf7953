/** Equal mistakes together, each with one fix for all of its rows. */
import { useState } from 'preact/hooks';
import type { Mistake } from '../api.ts';
import { Act, Pager, Scroll } from './parts.tsx';
import { setQuery } from './route.ts';
import { count, counted, fieldName } from './words.ts';

type Fix = (row: number | null, column: number, from: string, to: string) => Promise<void>;

const shown = 20;
/** The server tells so many kinds, the most frequent ones. */
const most = 500;

export function Mistakes(props: {
  readonly mistakes: readonly Mistake[];
  readonly header: readonly string[];
  readonly canFix: boolean;
  readonly onFix: Fix;
}) {
  const [page, setPage] = useState(0);
  const errors = props.mistakes.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return null;
  // Those on the last page may have been fixed.
  const from = Math.min(page, Math.floor((errors.length - 1) / shown) * shown);
  const some = errors.slice(from, from + shown);
  return (
    <section>
      <h2>
        To fix: {errors.length >= most && 'more than '}
        {counted(errors.length, 'kind of mistake', 'kinds of mistakes')}
      </h2>
      {errors.length >= most && (
        <p>
          The {count(errors.length)} kinds that most rows have stand here; others follow once these are fixed, and the
          table below has them all. Where so much is wrong, it may be quicker to fix the file and hand it in again.
        </p>
      )}
      <Scroll label="Mistakes">
        <table class="mistakes">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col">What is wrong</th>
              {props.canFix && <th scope="col">Fix</th>}
            </tr>
          </thead>
          <tbody>
            {some.map((mistake) => (
              <Line
                key={`${mistake.code} ${mistake.index} ${mistake.value} ${mistake.firstRow}`}
                {...props}
                mistake={mistake}
              />
            ))}
          </tbody>
        </table>
      </Scroll>
      <Pager from={from} limit={shown} total={errors.length} onFrom={setPage} />
    </section>
  );
}

function Line({
  mistake,
  header,
  canFix,
  onFix,
}: {
  readonly mistake: Mistake;
  readonly header: readonly string[];
  readonly canFix: boolean;
  readonly onFix: Fix;
}) {
  const { index, value, suggestion, rows, firstRow, message } = mistake;
  const where = rows === 1 && firstRow !== null ? `Row ${firstRow}` : counted(rows, 'row');
  const column = index !== null ? (header[index] ?? '') : mistake.column === null ? null : fieldName(mistake.column);
  const name = `${where}${column === null ? '' : `, ${column}`}`;
  const fix = (to: string) => onFix(rows === 1 ? firstRow : null, index ?? 0, value ?? '', to);
  return (
    <tr>
      <th scope="row">
        <button
          type="button"
          class="small"
          onClick={() => setQuery({ rows: 'to_fix', q: value ?? '' })}
          aria-label={`${name}: show in the table`}
        >
          {where}
        </button>{' '}
        {column}
      </th>
      <td>
        {value !== null && value !== '' && !message.includes(value) && <q>{value}</q>} {message}
        {mistake.column === 'documents' && ' Add it below, under Documents.'}
      </td>
      {canFix && (
        <td>
          {index === null ? (
            <span class="quiet">In the table, or in your file.</span>
          ) : (
            <>
              {suggestion !== null && (
                <p>
                  <Act action={() => fix(suggestion)}>
                    Use “{suggestion}”{rows > 1 && ` in all ${count(rows)} rows`}
                  </Act>
                </p>
              )}
              <Write name={name} rows={rows} value={value ?? ''} onWrite={fix} />
            </>
          )}
        </td>
      )}
    </tr>
  );
}

function Write(props: {
  readonly name: string;
  readonly rows: number;
  readonly value: string;
  readonly onWrite: (to: string) => Promise<void>;
}) {
  const [text, setText] = useState(props.value);
  const words = props.rows > 1 ? 'Fix all' : 'Fix';
  return (
    <span class="write">
      <input
        aria-label={`${props.name}: write`}
        value={text}
        maxLength={1000}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Act action={() => props.onWrite(text)} label={`${words} ${props.name}`}>
        {words}
      </Act>
    </span>
  );
}
