/** Shows a sheet's rows in a table. It fetches and draws only rows in view, so that 100,000 rows are fast. */
// biome-ignore-all lint/a11y/useSemanticElements: rows that are drawn where they are in view cannot be those of a <table>.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Mistake, Problem, Requests, RowFilter, SheetRows, ShownRow, Upload, Warnings } from '../api.ts';
import { Search } from './fields.tsx';
import { Act, Failure, GoesOn, Heading, say, useGoesOn } from './parts.tsx';
import { place, setQuery, showRowsOf } from './route.ts';
import { get, lost, may, sentence } from './server.ts';
import {
  cellAmount,
  count,
  counted,
  fieldName,
  filterCount,
  filterWords,
  headerName,
  joined,
  otherWarning,
  warningOf,
  warningWords,
  wholeSentence,
} from './words.ts';

export type Fix = (fix: Requests['correct']) => Promise<void>;
/** The fix for several rows is refused if the mistake no longer has the rows that the page showed. */
export const fixOf = ({ rows, firstRow, code, severity, suggestion, words, rowsAre }: Mistake) =>
  rows === 1 && firstRow !== null ? { row: firstRow } : { mistake: { code, severity, suggestion, words, rowsAre } };

const pageRows = 100;
const keptPages = 40;
/** The height of a row in pixels, as in page.css. It decides where each row is placed, and which rows are in view. */
const rowHeight = 56;
const headHeight = 48;
const around = 6;
/** More rows than the grid shows at once, with those around them. */
const drawnRows = 30;
const filters: readonly RowFilter[] = ['all', 'to_fix', 'warnings', 'new_payees', 'over_50000', 'corrected'];
const stateOf = ({ status, problems }: ShownRow) =>
  status === 'fix' ? 'to fix' : status === 'warn' ? warningOf(problems) : 'good';

interface Props {
  readonly upload: Upload;
  readonly address: string;
  readonly version: string;
  readonly canFix: boolean;
  readonly mistakes: readonly Mistake[];
  readonly warnings: readonly Warnings[];
  readonly onFix: Fix;
}

export const showRows = (rows: RowFilter, q: string | null = null, warning: string | null = null) =>
  showRowsOf({ rows, q, warning });

interface Edited {
  readonly row: ShownRow;
  readonly index: number;
  readonly header: string;
  readonly from: string;
  readonly text: string;
}

const whereOf = ({ row, header }: Edited) => `row ${row.number}, ${headerName(header)}`;
const youWrote = (edited: Edited) => `You wrote “${edited.text}” into ${whereOf(edited)}.`;

export function CheckTable(props: Props) {
  const { upload } = props;
  const { query } = place.value;
  const [edited, setEdited] = useState<Edited | null>(null);
  const wanted = query.get('rows');
  const newest: Filtered = {
    filter: filters.find((one) => one === wanted) ?? (upload.counts.toFix > 0 ? 'to_fix' : 'all'),
    warning: query.get('warning') ?? '',
    search: query.get('q') ?? '',
  };
  // The list must not change while a person edits a cell.
  const kept = useRef(newest);
  if (edited === null) kept.current = newest;
  const { filter, warning, search } = kept.current;
  const atEnd = useRef(edited);
  atEnd.current = edited;
  useEffect(
    () => () => {
      const { current } = atEnd;
      if (current !== null && current.text !== current.from)
        say(`The table is no longer shown, and nothing was changed. ${youWrote(current)}`);
    },
    [],
  );
  return (
    <section>
      <Heading id="rows-title">Rows</Heading>
      <div class="row filters">
        <div class="field">
          <label for="row-filter">Show</label>
          <select
            id="row-filter"
            value={warning === '' ? filter : `! ${warning}`}
            onChange={(event) => {
              const [rows = '', code = null] = event.currentTarget.value.split('! ');
              setQuery({ rows: rows === '' ? 'all' : rows, warning: code });
            }}
          >
            {filters.map((one) => {
              const number = filterCount(one, upload);
              return (
                <option key={one} value={one}>
                  {filterWords[one]}
                  {number !== null && ` (${count(number)})`}
                </option>
              );
            })}
            <optgroup label="Warnings">
              {props.warnings.map(({ code, rows }) => (
                <option key={code} value={`! ${code}`}>
                  {warningWords[code] ?? otherWarning} ({count(rows)})
                </option>
              ))}
            </optgroup>
          </select>
        </div>
        <Search label="Search in the rows" value={search} onText={(q) => setQuery({ q })} />
      </div>
      <Grid key={`${filter} ${warning} ${search}`} {...props} {...kept.current} edited={edited} onEdited={setEdited} />
    </section>
  );
}

interface Cell {
  readonly row: number;
  readonly number: number | null;
  /** The column's number. 0 is the cell with the row's number and state. */
  readonly column: number;
}

interface Editing {
  readonly edited: Edited | null;
  readonly onEdited: (edited: Edited | null) => void;
}

interface Filtered {
  readonly filter: RowFilter;
  readonly warning: string;
  readonly search: string;
}

function Grid(props: Props & Filtered & Editing) {
  const { upload, canFix, onFix, edited, onEdited } = props;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [active, setActive] = useState<Cell>({ row: 0, number: null, column: 0 });
  const [failure, setFailure] = useState<string | null>(null);
  const takesFocus = useRef(false);
  const goesOn = useGoesOn(box);
  const { total, rowAt, placeOf, want, problem } = usePages(props);
  const editing = edited !== null;

  const first = Math.max(0, Math.floor(top / rowHeight) - around);
  const last = Math.min(total ?? 0, first + drawnRows);
  useEffect(() => want(first, last), [first, last, total, props.version, editing]);

  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    const cell = box.current?.querySelector<HTMLElement>('[data-active]');
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active, editing]);

  // If the rows move, the focus stays with its row, because the person may be about to type into that row.
  const there = rowAt(active.row)?.number ?? null;
  useLayoutEffect(() => {
    if (there === null || there === active.number) return;
    const to = active.number === null ? null : placeOf(active.number);
    takesFocus.current = to !== null && document.activeElement?.matches('.grid [data-active]') === true;
    setActive(to === null ? { ...active, number: there } : { ...active, row: to });
  }, [there, active]);

  // Compares texts, because each read returns equal headers in new arrays.
  const said = JSON.stringify([upload.header, upload.columns]);
  const columns = useMemo(() => columnsOf(upload), [said]);
  const template = `min(11rem, 29vw) ${columns.map(({ field }) => widthOf(field)).join(' ')}`;

  const moveTo = (row: number, column: number) => {
    const at = Math.min(Math.max(0, row), Math.max(0, (total ?? 1) - 1));
    const to = { row: at, number: rowAt(at)?.number ?? null, column: Math.min(Math.max(0, column), columns.length) };
    const view = box.current;
    if (view !== null) {
      const above = to.row * rowHeight;
      if (above < view.scrollTop) view.scrollTop = above;
      else if (above + rowHeight > view.scrollTop + view.clientHeight - headHeight)
        view.scrollTop = above + rowHeight - view.clientHeight + headHeight;
      setTop(view.scrollTop);
    }
    takesFocus.current = true;
    setActive(to);
  };
  const edit = () => {
    const row = rowAt(active.row);
    const column = columns[active.column - 1];
    if (!canFix || editing || row === null || column === undefined) return;
    const from = row.cells[column.index] ?? '';
    takesFocus.current = true;
    setFailure(null);
    onEdited({ row, index: column.index, header: column.name, from, text: from });
  };
  const onKey = (event: KeyboardEvent) => {
    if (editing) return;
    const { row, column } = active;
    const page = Math.max(1, Math.floor(((box.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1);
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: event.ctrlKey ? [0, 0] : [row, 0],
      End: event.ctrlKey ? [(total ?? 1) - 1, columns.length] : [row, columns.length],
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      moveTo(...move);
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault();
      edit();
    }
  };
  const save = async (one: Edited) => {
    const { row, index, from, text: to } = one;
    onEdited(null);
    if (to === from) return;
    try {
      await onFix({ row: row.number, column: index, from, to });
    } catch (error) {
      setFailure(`${sentence(error)} ${youWrote(one)}`);
    }
  };

  const deeds = useRef<Deeds>(null as unknown as Deeds);
  deeds.current = {
    activate: (row, column) => {
      if (edited !== null && active.row === row && active.column === column) return;
      // Saves the cell that was edited before, if neither a click nor a key has saved it.
      if (edited !== null) void save(edited);
      takesFocus.current = true;
      setActive({ row, number: rowAt(row)?.number ?? null, column });
    },
    edit,
    write: (text) => edited !== null && onEdited({ ...edited, text }),
    save: (isDone) => {
      if (edited === null) return;
      takesFocus.current = isDone;
      void save(edited);
    },
    cancel: () => {
      takesFocus.current = true;
      onEdited(null);
    },
  };

  if (problem !== null) return <Failure>{problem}</Failure>;
  const drawn = total === null || total === 0 ? [] : rowsToDraw(first, last, Math.min(active.row, total - 1));
  const activeRow = rowAt(active.row);
  return (
    <>
      <p role="status" class="quiet">
        {total === null ? 'Reading …' : total === 0 ? 'No rows here.' : `${counted(total, 'row')}.`}
      </p>
      {goesOn && <GoesOn />}
      {total !== null && total > 0 && (
        // The cells handle the keys, so the grid itself needs no key handler.
        <div
          class={goesOn ? 'grid on' : 'grid'}
          role="grid"
          tabIndex={-1}
          aria-labelledby="rows-title"
          aria-rowcount={total + 1}
          aria-colcount={columns.length + 1}
          aria-readonly={!canFix}
          ref={box}
          onScroll={(event) => setTop(event.currentTarget.scrollTop)}
          onKeyDown={onKey}
        >
          <div
            class="grid-row head"
            role="row"
            tabIndex={-1}
            aria-rowindex={1}
            style={{ gridTemplateColumns: template }}
          >
            <div role="columnheader" tabIndex={-1} aria-colindex={1}>
              Row
            </div>
            {columns.map(({ name, field, index }, at) => (
              <div
                role="columnheader"
                tabIndex={-1}
                aria-colindex={at + 2}
                key={`${index}`}
                class={field === null ? 'quiet' : undefined}
              >
                {name}
                <span class="told">{readAs(name, field)}</span>
              </div>
            ))}
          </div>
          <div class="grid-body" role="rowgroup" style={{ height: `${total * rowHeight}px` }}>
            {drawn.map((at) => (
              <Row
                key={at}
                at={at}
                row={rowAt(at)}
                columns={columns}
                template={template}
                active={active.row === at ? active.column : null}
                edited={edited !== null && edited.row.number === rowAt(at)?.number ? edited : null}
                deeds={deeds}
              />
            ))}
          </div>
        </div>
      )}
      {failure !== null && <Failure>{failure}</Failure>}
      {activeRow !== null && (
        <AtCell
          row={activeRow}
          column={active.column === 0 ? 0 : (columns[active.column - 1]?.index ?? 0) + 1}
          {...props}
        />
      )}
      {total !== null && total > 0 && (
        <p class="hint">
          {aheadOf(upload)} Arrow keys, Page Up and Page Down, Home and End move;{' '}
          {canFix
            ? 'Enter or a double click changes a cell; Escape keeps the old value.'
            : may('preparer')
              ? 'the cells of a paid sheet cannot be changed.'
              : 'only preparers change cells.'}
        </p>
      )}
    </>
  );
}

function rowsToDraw(first: number, last: number, active: number): readonly number[] {
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  if (active < first) return [active, ...rows];
  return active >= last ? [...rows, active] : rows;
}

function readAs(heading: string, field: string | null): string | null {
  if (field === null) return heading.startsWith('payrun_') ? null : 'not read';
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, '');
  return plain(heading) === plain(field) || plain(heading) === plain(fieldName(field)) ? null : fieldName(field);
}

/** Columns that come first, so that payee and amount stay in view in wide sheets. */
const ahead = ['name', 'amount', 'currency'];

function aheadOf({ columns }: Upload): string {
  const has = ahead.filter((field) => columns.includes(field)).map((field) => (field === 'name' ? 'payee' : field));
  return has.length === 0 ? '' : `The table begins with ${joined(has)}. The other columns stand as in the file.`;
}

/** A column of the table. `index` is its place in the file, and `field` is null for a column that is not read. */
interface Column {
  readonly index: number;
  readonly name: string;
  readonly field: string | null;
}

function columnsOf({ header, columns }: Upload): readonly Column[] {
  const first = ahead.map((field) => columns.indexOf(field)).filter((index) => index >= 0);
  const order = [...first, ...header.keys().filter((index) => !first.includes(index))];
  return order.map((index) => ({ index, name: header[index] ?? '', field: columns[index] ?? null }));
}

/** On a phone, the row's number, payee and amount fit side by side. */
function widthOf(field: string | null): string {
  if (field === 'name') return 'min(14rem, 34vw)';
  if (field === 'amount') return 'min(10rem, 26vw)';
  if (field === null || field === 'currency' || field === 'row_id') return '8rem';
  return ['country', 'amount_unit', 'branch_code'].includes(field) ? '10rem' : '14rem';
}

const rowProblems = (row: ShownRow, columns: readonly Column[]): readonly Problem[] =>
  row.problems.filter(({ column }) => column === null || !columns.some(({ field }) => field === column));

interface Deeds {
  readonly activate: (row: number, column: number) => void;
  readonly edit: () => void;
  readonly write: (text: string) => void;
  /** `isDone`: a key ended the editing, so the cell gets the focus back. */
  readonly save: (isDone: boolean) => void;
  readonly cancel: () => void;
}

interface RowProps {
  readonly at: number;
  readonly row: ShownRow | null;
  readonly columns: readonly Column[];
  readonly template: string;
  readonly active: number | null;
  readonly edited: Edited | null;
  /** The object stays the same when its functions change, so that rows are not drawn again. */
  readonly deeds: { readonly current: Deeds };
}

/** Draws the row again only if a value has changed, so that scrolling is fast. */
function Row(props: RowProps) {
  const { at, row, columns, template, active, edited, deeds } = props;
  return useMemo(() => drawnRow(props), [at, row, columns, template, active, edited, deeds]);
}

function drawnRow(props: RowProps) {
  const { at, row, columns, active, edited, deeds } = props;
  const cell = (column: number) => ({
    'data-active': active === column && edited === null ? '' : undefined,
    'aria-colindex': column + 1,
    onClick: () => deeds.current.activate(at, column),
    onDblClick: () => deeds.current.edit(),
  });
  // The Tab key reaches one cell of the table. The arrow keys reach the others.
  const tabIndex = (column: number) => (active === column ? 0 : -1);
  const ofRow = row === null ? [] : rowProblems(row, columns);
  return (
    <div
      class={`grid-row ${row?.status ?? ''}`}
      role="row"
      tabIndex={-1}
      aria-rowindex={at + 2}
      style={{ gridTemplateColumns: props.template, top: `${at * rowHeight}px` }}
    >
      <div role="rowheader" tabIndex={tabIndex(0)} class={wrong(ofRow)} {...cell(0)}>
        <span class="value">{row === null ? '…' : `${row.number}: ${stateOf(row)}`}</span>
        {ofRow.length > 0 ? (
          <Told problems={ofRow} />
        ) : (
          <span class="told">
            {row?.newPayee === true && 'new payee '}
            {row !== null && wrongColumns(row, columns)}
          </span>
        )}
      </div>
      {columns.map(({ index, name, field }, place) => {
        const column = place + 1;
        const problems = row?.problems.filter((one) => field !== null && one.column === field) ?? [];
        const value = row?.cells[index] ?? '';
        const fixed = row?.corrections.some((one) => one.column === index) === true;
        if (edited !== null && edited.index === index)
          return (
            <div role="gridcell" tabIndex={-1} key={`${index}`} aria-colindex={column + 1}>
              <Editor
                key={`${edited.row.number} ${index}`}
                name={`${name} of row ${edited.row.number}`}
                value={edited.text}
                deeds={deeds}
              />
            </div>
          );
        return (
          <div
            role="gridcell"
            tabIndex={tabIndex(column)}
            key={`${index}`}
            class={wrong(problems)}
            aria-invalid={problems.some(({ severity }) => severity === 'error') || undefined}
            {...cell(column)}
          >
            <span class="value">
              {row === null ? '…' : shownCell(field, value, row.money)}
              {fixed && <span class="good"> (fixed here)</span>}
            </span>
            <Told problems={problems} />
          </div>
        );
      })}
    </div>
  );
}

/** Only the table shows thousands. The edit field shows the cell's own text. */
const shownCell = (column: string | null, value: string, money: ShownRow['money']) =>
  column === 'amount' ? cellAmount(value, money) : value;

function wrongColumns(row: ShownRow, columns: readonly Column[]): string | null {
  const wrongs = row.problems.filter(({ severity }) => severity === (row.status === 'fix' ? 'error' : 'warning'));
  if (row.status === 'ok' || wrongs.length === 0) return null;
  const names = wrongs.map(({ column }) =>
    headerName(columns.find(({ field }) => field === column)?.name ?? fieldName(column ?? 'row')),
  );
  return `in ${[...new Set(names)].join(', ')}`;
}

function wrong(problems: readonly Problem[]): string | undefined {
  if (problems.some(({ severity }) => severity === 'error')) return 'wrong';
  return problems.some(({ severity }) => severity === 'warning') ? 'doubtful' : undefined;
}

function Told({ problems }: { readonly problems: readonly Problem[] }) {
  return problems.length === 0 ? null : <span class="told">{problems.map(({ message }) => message).join(' ')}</span>;
}

/** Saves on Enter, Tab or a click elsewhere. If the focus leaves for another reason, the editor stays open. */
function Editor(props: { readonly name: string; readonly value: string; readonly deeds: RowProps['deeds'] }) {
  const { name, value, deeds } = props;
  const input = useRef<HTMLInputElement>(null);
  const goesOn = useRef(false);
  // Selects the text before the next key, so that text typed at once is not overwritten.
  useLayoutEffect(() => input.current?.select(), []);
  useEffect(() => {
    const begin = () => {
      goesOn.current = true;
      // A click or Tab moves the focus at once. The focus may leave later for another reason, which does not save.
      setTimeout(() => {
        goesOn.current = false;
      });
    };
    const onKey = ({ key }: KeyboardEvent) => key === 'Tab' && begin();
    addEventListener('mousedown', begin, true);
    addEventListener('keydown', onKey, true);
    return () => {
      removeEventListener('mousedown', begin, true);
      removeEventListener('keydown', onKey, true);
    };
  }, []);
  return (
    <input
      data-active=""
      aria-label={name}
      ref={input}
      value={value}
      maxLength={1000}
      onInput={(event) => deeds.current.write(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') deeds.current.save(true);
        else if (event.key === 'Escape') deeds.current.cancel();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onBlur={() => goesOn.current && deeds.current.save(false)}
    />
  );
}

function AtCell(props: Props & { readonly row: ShownRow; readonly column: number }) {
  const [taken, setTaken] = useState<string | null>(null);
  const { row, column, upload, canFix, mistakes, onFix } = props;
  const shown = row.problems
    .filter((problem) => column === 0 || problem.column === upload.columns[column - 1])
    .map((problem) => {
      const index = problem.column === null ? -1 : upload.columns.indexOf(problem.column);
      // A suggestion for a value from two columns fits no single column, so a person has to fix it.
      return { problem, index: upload.columns.includes(problem.column, index + 1) ? -1 : index };
    });
  const value = row.cells[column - 1] ?? '';
  const fixed = row.corrections.filter((one) => one.column === column - 1);
  const take = async (index: number, from: string, to: string, same: Mistake | null) => {
    await onFix({ column: index, from, to, ...(same === null ? { row: row.number } : fixOf(same)) });
    setTaken(cellKey(props.version, row, index, to));
  };
  return (
    <div class="notice">
      <p>
        <strong>
          Row {row.number}
          {column > 0 && `, ${headerName(upload.header[column - 1] ?? '')}`}
        </strong>
        {column > 0 && (
          <> {value === '' ? '(empty)' : shownCell(upload.columns[column - 1] ?? null, value, row.money)}</>
        )}
        {column === 0 && shown.length === 0 && ': no mistakes and no warnings.'}
      </p>
      {shown.map(({ problem, index }) => {
        const from = row.cells[index] ?? '';
        const [same, ...others] = mistakes.filter(
          (one) =>
            one.code === problem.code &&
            one.index === index &&
            one.value === from &&
            one.suggestion === problem.suggestion,
        );
        const to = problem.suggestion;
        const isOffered = canFix && index >= 0 && to !== null && to !== from;
        return (
          <div key={`${row.number} ${problem.code}${problem.message}`}>
            <p class={problem.severity === 'error' ? 'bad' : problem.severity === 'warning' ? 'warn' : undefined}>
              {wholeSentence(problem.message)}
            </p>
            {isOffered && taken !== cellKey(props.version, row, index, to) && (
              <p class="buttons">
                <Act action={() => take(index, from, to, null)}>Use “{to}”</Act>
                {same !== undefined && same.rows > 1 && others.length === 0 && (
                  <Act action={() => take(index, from, to, same)}>Use it in all {count(same.rows)} rows</Act>
                )}
              </p>
            )}
          </div>
        );
      })}
      {fixed.map((one) => (
        <p key={one.id} class="quiet">
          Fixed by {one.by}; the file says {one.was === '' ? 'nothing' : one.was}.
        </p>
      ))}
    </div>
  );
}

const cellKey = (version: string, { number }: ShownRow, index: number, to: string) =>
  JSON.stringify([version, number, index, to]);

function usePages({ address, filter, warning, search, version, edited }: Props & Filtered & Editing) {
  const pages = useRef(new Map<number, { readonly version: string; readonly rows: readonly ShownRow[] | null }>());
  const [total, setTotal] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [, drawAgain] = useState(0);
  const isStill = useRef(false);
  isStill.current = edited !== null;

  const fetchPage = async (page: number) => {
    const kept = pages.current.get(page);
    pages.current.set(page, { version, rows: kept?.rows ?? null });
    const from = String(page * pageRows);
    const query = new URLSearchParams({ filter, warning, q: search, from, limit: String(pageRows) });
    try {
      const answer = await get<SheetRows>(`${address}/rows?${query.toString()}`);
      pages.current.delete(page);
      if (isStill.current) {
        if (kept !== undefined) pages.current.set(page, kept);
        return;
      }
      pages.current.set(page, { version, rows: answer.rows });
      for (const old of pages.current.keys()) if (pages.current.size > keptPages) pages.current.delete(old);
      setTotal(answer.total);
      setProblem(null);
      drawAgain((was) => was + 1);
    } catch (error) {
      if (isStill.current && kept !== undefined) pages.current.set(page, kept);
      else pages.current.delete(page);
      if (!isStill.current && !lost.value) setProblem(sentence(error));
    }
  };
  const want = (first: number, last: number) => {
    const fetchWanted = () => {
      for (let page = Math.floor(first / pageRows); page <= Math.floor(Math.max(first, last - 1) / pageRows); page += 1)
        if (pages.current.get(page)?.version !== version) void fetchPage(page);
    };
    // Waits a moment, so that the page does not fetch rows which a person only scrolls past.
    const timer = isStill.current ? undefined : setTimeout(fetchWanted, total === null ? 0 : 40);
    return () => clearTimeout(timer);
  };
  const rowAt = (at: number): ShownRow | null =>
    pages.current.get(Math.floor(at / pageRows))?.rows?.[at % pageRows] ?? null;
  const placeOf = (number: number): number | null => {
    for (const [page, { rows }] of pages.current) {
      const at = rows?.findIndex((row) => row.number === number) ?? -1;
      if (at >= 0) return page * pageRows + at;
    }
    return null;
  };
  return { total, rowAt, placeOf, want, problem };
}
