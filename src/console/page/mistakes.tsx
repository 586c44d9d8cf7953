/** Equal mistakes together, each with one fix for all of its rows. */
import { useState } from 'preact/hooks';
import type { Mistake } from '../api.ts';
import { showRows } from './check-table.tsx';
import { Act, Heads, Pager, Scroll } from './parts.tsx';
import { count, counted, fieldName, isInFileAlone, wholeSentence } from './words.ts';

type Fix = (row: number | null, column: number, from: string, to: string) => Promise<void>;

const shown = 20;
/** The server tells so many kinds, the most frequent ones. */
const most = 500;

export function Mistakes(props: {
  readonly mistakes: readonly Mistake[];
  /** How many rows have one. */
  readonly rows: number;
  readonly header: readonly string[];
  readonly canFix: boolean;
  /** Rises when the sheet was checked again. */
  readonly version: number;
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
      <h2>To fix: {props.rows === 0 ? 'the file' : counted(props.rows, 'row')}</h2>
      {errors.length >= most && (
        <p>
          The {count(errors.length)} mistakes that most rows have stand here; others follow once these are fixed, and
          the table below has them all. Where so much is wrong, it may be quicker to fix the file and hand it in again.
        </p>
      )}
      <p class="hint">
        Equal mistakes stand on one line. “Use …” takes what is suggested; or write what is right, and choose Fix. You
        need not wait: each fix is checked while you go on.
      </p>
      <Scroll label="Mistakes">
        <table class="mistakes">
          <Heads of={['Where', 'What is wrong', ...(props.canFix ? ['Fix'] : [])]} />
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

function Line(props: {
  readonly mistake: Mistake;
  readonly header: readonly string[];
  readonly canFix: boolean;
  readonly version: number;
  readonly onFix: Fix;
}) {
  const { mistake, header, canFix, version, onFix } = props;
  const { index, value, suggestion, rows, firstRow, message } = mistake;
  // What was fixed is offered no more, also before the sheet is checked again.
  const [fixedAt, setFixedAt] = useState<number | null>(null);
  const where = rows === 1 && firstRow !== null ? `Row ${firstRow}` : counted(rows, 'row');
  const column = index !== null ? (header[index] ?? '') : mistake.column === null ? null : fieldName(mistake.column);
  const name = `${where}${column === null ? '' : `, ${column}`}`;
  const fix = async (to: string) => {
    await onFix(rows === 1 ? firstRow : null, index ?? 0, value ?? '', to);
    setFixedAt(version);
  };
  const show = () => showRows('to_fix', rows === 1 && firstRow !== null ? String(firstRow) : value);
  return (
    <tr>
      <th scope="row">
        <button type="button" class="small" onClick={show} aria-label={`${name}: show in the table`}>
          {where}
        </button>{' '}
        {column}
      </th>
      <td>
        {value !== null && value !== '' && !message.includes(value) && <q>{value}</q>} {wholeSentence(message)}
      </td>
      {canFix && (
        <td>
          {fixedAt === version ? (
            <span class="good">Fixed, and being checked.</span>
          ) : isInFileAlone(mistake) ? (
            <a href="#in-file">Only in the file: see what to do</a>
          ) : index === null ? (
            <span class="quiet">
              In the table below, or by <a href="#plan">leaving the row out of the plan</a>.
            </span>
          ) : (
            <>
              {mistake.column === 'documents' && (
                <p>
                  <a href="#documents">Add the document</a>
                  {value === '' ? ', and write its file name here:' : '; or if the name is wrong, write another:'}
                </p>
              )}
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
  // Equal cells are fixed together, and empty ones are equal too.
  const words = props.rows === 1 ? 'Fix' : props.value === '' ? 'Fill every empty cell' : 'Fix all';
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
