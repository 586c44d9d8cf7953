/** Lists groups of equal mistakes, with one fix for all rows of a group. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { KnownWords, Mistake, Upload } from '../api.ts';
import { type Fix, fixOf, showRows } from './check-table.tsx';
import { Words } from './glossary.tsx';
import { Act, Pager, say, Table, useLoaded } from './parts.tsx';
import {
  cellAmount,
  count,
  counted,
  fieldName,
  fileName,
  headerName,
  isInFileAlone,
  oneOrMany,
  waysOf,
  wholeSentence,
} from './words.ts';

const shown = 20;
const most = 500;

interface Entry {
  readonly key: string;
  readonly mistake: Mistake;
  readonly isFixed: boolean;
  readonly isGone: boolean;
  readonly isNew: boolean;
}

/** The server groups errors by the same values. */
const keyOf = ({ code, column, value, suggestion, words }: Mistake) =>
  JSON.stringify([code, column, value, suggestion, words]);
/** Text with the rows for which a person typed it. If the line then has other rows, the page only quotes the text. */
interface Typed {
  readonly rowsAre: string;
  readonly text: string;
}
const isOfCell = (a: Mistake, b: Mistake) =>
  a.rows === 1 && b.rows === 1 && a.firstRow === b.firstRow && a.index === b.index;
const entryOf = (mistake: Mistake, isNew: boolean): Entry => ({
  key: keyOf(mistake),
  mistake,
  isFixed: false,
  isGone: false,
  isNew,
});

/** Updates lines in place, so that no line moves while a person points at it. New lines come last. */
function merged(before: readonly Entry[], found: readonly Mistake[], isBusy: boolean): readonly Entry[] {
  const now = new Map(found.map((mistake) => [keyOf(mistake), mistake]));
  const known = new Set(before.map(({ key }) => key));
  const fresh = found.filter((mistake) => !known.has(keyOf(mistake)));
  const kept = before.map((entry) => {
    const same = now.get(entry.key);
    // Keeps the mark of a fix while a check runs, because the list still shows the mistake until the check ends.
    if (same !== undefined) return { ...entry, mistake: same, isGone: false, isFixed: entry.isFixed && isBusy };
    const at = fresh.findIndex((mistake) => isOfCell(mistake, entry.mistake));
    const [otherwise] = at < 0 ? [] : fresh.splice(at, 1);
    return otherwise === undefined ? { ...entry, isGone: true } : entryOf(otherwise, false);
  });
  return [...kept, ...fresh.map((mistake) => entryOf(mistake, before.length > 0))];
}

interface Props {
  readonly upload: Upload;
  readonly mistakes: readonly Mistake[];
  readonly canFix: boolean;
  readonly isBusy: boolean;
  readonly isFixedHere: boolean;
  readonly onFix: Fix;
}

export function Mistakes(props: Props) {
  const { upload, mistakes, isBusy } = props;
  const { toFix } = upload.counts;
  const [page, setPage] = useState(0);
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  const known = useLoaded<KnownWords>('/api/known-words');
  /** By line: text that a person typed and has not used. The text stays when the person turns the page. */
  const typed = useRef(new Map<string, Typed>());
  useLayoutEffect(() => {
    const found = mistakes.filter(({ severity }) => severity === 'error');
    if (!isBusy && entries.some(({ isFixed, isGone }) => isFixed && !isGone))
      say(found.length === 0 ? 'Nothing is left to fix.' : `Checked: ${counted(toFix, 'row')} left to fix.`);
    setEntries(merged(entries, found, isBusy));
  }, [mistakes]);
  if (entries.length === 0) return null;
  const done = entries.filter(({ isGone }) => isGone).length;
  const isLeft = done < entries.length;
  const from = Math.min(page, Math.floor((entries.length - 1) / shown) * shown);
  const fixed = (one: Entry) => {
    typed.current.delete(one.key);
    setEntries((all) => all.map((entry) => (entry.key === one.key ? { ...entry, isFixed: true } : entry)));
  };
  const tidy = () => {
    setEntries(entries.filter(({ isGone }) => !isGone));
    heading.current?.focus();
  };
  return (
    <section>
      <h2 tabIndex={-1} ref={heading} id="to-fix">
        To fix: {!isLeft ? 'nothing is left' : toFix === 0 ? 'the file' : counted(toFix, 'row')}
      </h2>
      {!isLeft && props.isFixedHere && <p>“Fixed here” below lists the fixes.</p>}
      {isLeft && entries.length - done >= most && (
        <p>
          These are the {count(most)} most frequent mistakes. Others follow when these are fixed, and the table below
          has them all. With so many mistakes, it may be quicker to fix the file and upload it again.
        </p>
      )}
      {isLeft && (
        <>
          <p class="hint">
            Equal mistakes are on one line. “Use …” accepts the suggestion. Or write the right value, and choose Fix.
            You need not wait while Payrun checks a fix.
          </p>
          <Table label="Mistakes" class="mistakes" heads={['Where', 'What is wrong', ...(props.canFix ? ['Fix'] : [])]}>
            {from === 0 &&
              upload.problems.filter(isInFileAlone).map(({ message }) => (
                <tr key={message}>
                  <th scope="row">The file</th>
                  <td>{wholeSentence(message)}</td>
                  {props.canFix && (
                    <td>
                      <a href="#in-file">Only in the file: see what to do</a>
                    </td>
                  )}
                </tr>
              ))}
            {entries.slice(from, from + shown).map((entry) => (
              <Line
                key={entry.key}
                {...props}
                entry={entry}
                known={known.data ?? {}}
                typed={typed.current}
                onFixed={() => fixed(entry)}
                onLast={() => heading.current?.focus()}
              />
            ))}
          </Table>
          {done > 0 && (
            <p>
              <button type="button" class="small" onClick={tidy}>
                Take {counted(done, 'fixed line')} off the list
              </button>
            </p>
          )}
          <Words facts={mistakes.flatMap(({ code, column }) => [code, column])} />
          <Pager from={from} limit={shown} total={entries.length} onFrom={setPage} />
        </>
      )}
    </section>
  );
}

function areHere(cell: string, { documents }: Upload): boolean {
  const names = cell.split(';').map((name) => fileName(name.trim()));
  return cell !== '' && names.every((name) => documents.some((one) => one.name === name));
}

interface LineProps extends Props {
  readonly entry: Entry;
  readonly known: KnownWords;
  readonly typed: Map<string, Typed>;
  readonly onFixed: () => void;
  readonly onLast: () => void;
}

function Line({ entry, upload, canFix, isBusy, known, typed, onFix, onFixed, onLast }: LineProps) {
  const { mistake, isFixed, isGone, isNew } = entry;
  const { code, index, value, suggestion, rows, rowsAre, firstRow, message, payee, amount } = mistake;
  const isHere = mistake.column === 'documents' && isBusy && areHere(value ?? '', upload);
  const wrote = typed.get(entry.key);
  const isOfOthers = wrote !== undefined && wrote.text !== value && (isGone || wrote.rowsAre !== rowsAre);
  const line = useRef<HTMLTableRowElement>(null);
  const where = rows === 1 && firstRow !== null ? `Row ${firstRow}` : counted(rows, 'row');
  const column = index === null ? mistake.column && fieldName(mistake.column) : headerName(upload.header[index] ?? '');
  const name = `${where}${column === null ? '' : `, ${column}`}`;
  const fix = async (to: string) => {
    await onFix({ column: index ?? 0, from: value ?? '', to, ...fixOf(mistake) });
    goOn(line.current, onLast);
    onFixed();
  };
  const show = () => showRows('to_fix', rows === 1 && firstRow !== null ? String(firstRow) : value);
  const who = [payee, cellAmount(amount, mistake.money)].filter((text) => text !== '').join(', ');
  return (
    <tr ref={line}>
      <th scope="row">
        <button type="button" class="small" onClick={show} aria-label={`${name}: show in the table`}>
          {where}
        </button>{' '}
        {column}
        {firstRow !== null && who !== '' && (
          <div class="quiet">
            {rows > 1 && `the first is row ${firstRow}: `}
            {who}
          </div>
        )}
      </th>
      <td>
        {wholeSentence(message)}
        {code === 'DOCUMENT_MISSING_TOGETHER' && (
          <p class="hint">The sum leaves out rows with mistakes, so it grows as you fix rows.</p>
        )}
        {isOfOthers && <p class="hint">You wrote “{wrote.text}” here before this line changed. It was not saved.</p>}
        {isNew && !isGone && <p class="hint">This mistake appeared after other cells were fixed.</p>}
      </td>
      {canFix && (
        <td class="fix">
          {isGone ? (
            <span class="good">{isFixed ? 'Fixed.' : 'No longer wrong.'}</span>
          ) : isHere ? (
            <span class="good">Added, and being checked.</span>
          ) : isFixed ? (
            <span class="good">Fixed, and being checked.</span>
          ) : isInFileAlone(mistake) ? (
            <a href="#in-file">Only in the file: see what to do</a>
          ) : index === null ? (
            <Ways {...waysOf(mistake, upload)} />
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
              <Write
                key={`${rowsAre} ${entry.key}`}
                name={name}
                rows={rows}
                value={value ?? ''}
                text={wrote?.rowsAre === rowsAre ? wrote.text : (value ?? '')}
                words={mistake.words === null ? null : (known[mistake.words] ?? null)}
                onText={(text) => typed.set(entry.key, { rowsAre, text })}
                onWrite={fix}
              />
            </>
          )}
        </td>
      )}
    </tr>
  );
}

function Ways({ addColumn, leaveOut }: ReturnType<typeof waysOf>) {
  const out = <a href="#plan">leave the row out of the plan</a>;
  return (
    <span class="quiet">
      {addColumn === null ? (
        'Fix it in the table below'
      ) : (
        <>
          The file has no such column. Add the column <code>{addColumn}</code> to the file, and{' '}
          <a href="#file">upload it again</a>
        </>
      )}
      {leaveOut && <>; or {out}</>}.
    </span>
  );
}

function goOn(line: HTMLElement | null, onLast: () => void): void {
  const at = document.activeElement;
  if (line === null || (at !== document.body && !line.contains(at))) return;
  const isWritten = at?.closest('.write') != null;
  const next = [...(line.parentElement?.querySelectorAll<HTMLElement>('.fix') ?? [])]
    .filter((cell) => line.compareDocumentPosition(cell) === Node.DOCUMENT_POSITION_FOLLOWING)
    .map((cell) => cell.querySelector<HTMLElement>(isWritten ? '.write input, .write select' : 'button, input, select'))
    .find((control) => control !== null);
  if (next === undefined) onLast();
  else next?.focus();
}

function Write(props: {
  readonly name: string;
  readonly rows: number;
  readonly value: string;
  readonly text: string;
  readonly words: readonly string[] | null;
  readonly onText: (text: string) => void;
  readonly onWrite: (to: string) => Promise<void>;
}) {
  const { name, rows, value, words, onWrite } = props;
  const [text, setText] = useState(props.text);
  const button = useRef<HTMLSpanElement>(null);
  const verb = oneOrMany(rows, 'Fix', value === '' ? `Fill ${count(rows)} empty cells` : `Fix all ${count(rows)} rows`);
  const change = (to: string) => {
    props.onText(to);
    setText(to);
  };
  const label = `${name}: ${words === null ? 'write' : 'choose'}`;
  return (
    <span class="write" ref={button}>
      {words === null ? (
        <input
          aria-label={label}
          value={text}
          maxLength={1000}
          onInput={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') button.current?.querySelector('button')?.click();
          }}
        />
      ) : (
        <select aria-label={label} value={text} onChange={(event) => change(event.currentTarget.value)}>
          {!words.includes(value) && <option value={value}>{value === '' ? 'Choose …' : value}</option>}
          {words.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      <Act action={() => onWrite(text)} label={`${verb} ${name}`}>
        {verb}
      </Act>
    </span>
  );
}
