/** Lists the tasks of the person who is logged in, and uploads a new sheet. */
import { useRef, useState } from 'preact/hooks';
import type { Batch, BatchLine, Upload, UploadLine, UploadState } from '../api.ts';
import { Failure, Moment, say, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { go, pathOf, watchPage } from './route.ts';
import { may, postFile, sentence, session } from './server.ts';
import { count, counted, isPaying, isSettling, money, moneyOfSome, rowWords, stateOf } from './words.ts';

const shownDone = 5;
const every = 5000;
type Proposal = NonNullable<Batch['proposal']>;

function listOf({ running, doing, rows }: BatchLine) {
  if (running) return isSettling(doing) ? 'Being checked: nothing is sent' : 'Being paid now';
  const isOpen = rows.in_doubt + rows.pending + rows.not_sent + rows.unpaid > 0;
  if (may('approver') && rows.paid_twice > 0) return 'To decide on: rows that were paid twice';
  if (may('approver') && rows.held > 0) return 'Held rows: to release, or to leave unpaid';
  if (may('preparer') && isOpen) return 'To continue, or to try again';
  return isOpen || rows.held + rows.paid_twice > 0 ? 'Not finished' : 'Finished last';
}

export function Home() {
  const uploads = useLoaded<readonly UploadLine[]>('/api/uploads', every);
  const batches = useLoaded<readonly BatchLine[]>('/api/batches', every);
  const proposals = useLoaded<readonly Proposal[]>('/api/proposals', every);
  const name = session.value?.person?.name;
  const sheets = (...states: readonly UploadState[]) =>
    (uploads.data ?? []).filter((one) => states.includes(one.state) && !one.lapsed);
  const batchLists = Map.groupBy(batches.data ?? [], listOf);
  const batchesIn = (title: ReturnType<typeof listOf>) => ({ title, batches: batchLists.get(title) ?? [] });
  const done = batchesIn('Finished last').batches.toSorted((a, b) => b.receivedAt.localeCompare(a.receivedAt));
  const lists = [
    { title: 'To approve', role: 'approver', sheets: sheets('planned'), review: true },
    { title: 'To pay', role: 'preparer', sheets: sheets('approved').filter((one) => !isPaying(one)), review: true },
    { title: 'To fix', role: 'preparer', sheets: sheets('columns', 'to_fix', 'unreadable') },
    { title: 'To plan', role: 'preparer', sheets: sheets('ready', 'reading') },
    {
      title: 'To plan again, or to discard',
      role: 'preparer',
      sheets: (uploads.data ?? []).filter((one) => one.lapsed && !isPaying(one)),
    },
  ] as const;
  const mine = lists.filter(({ role }) => may(role));
  const ownWaiting = may('preparer') ? sheets('planned').filter(({ by }) => by === name) : [];
  const theirs = lists
    .filter(({ role }) => !may(role))
    .map((list) => ({ ...list, sheets: list.sheets.filter((one) => !ownWaiting.includes(one)) }))
    .filter((list) => list.sheets.length > 0);
  const beginning = sheets('approved').filter(isPaying);
  const nothing =
    uploads.data !== null &&
    batches.data?.length === done.length &&
    beginning.length + ownWaiting.length + (proposals.data ?? []).length === 0 &&
    mine.every((list) => list.sheets.length === 0);
  return (
    <>
      <Title page="Home">Home</Title>
      {may('preparer') && <Drop />}
      <Waiting of={uploads} />
      {nothing && (
        <p>
          Nothing waits, {name}.{' '}
          {may('preparer')
            ? 'Drop a sheet above to begin.'
            : 'A preparer uploads sheets. Sheets that need you then appear here.'}{' '}
          {may('administrator') && uploads.data?.length === 0 && batches.data?.length === 0 && (
            <>
              Begin by <a href="/people">inviting people</a>: one who prepares, and one who approves.
            </>
          )}
        </p>
      )}
      <BatchList {...batchesIn('Being paid now')} />
      <BatchList {...batchesIn('Being checked: nothing is sent')} />
      <SheetList title="Paying begins" sheets={beginning} />
      <BatchList {...batchesIn('To decide on: rows that were paid twice')} />
      <BatchList {...batchesIn('Held rows: to release, or to leave unpaid')} left />
      {mine.map((list) => (
        <SheetList key={list.title} {...list} />
      ))}
      <SheetList title="Uploaded by you, waiting for approval" sheets={ownWaiting} review />
      <ProposalList proposals={proposals.data ?? []} />
      {theirs.length > 0 && (
        <details>
          <summary>
            With others:{' '}
            {counted(
              theirs.reduce((sum, { sheets: some }) => sum + some.length, 0),
              'sheet',
            )}
          </summary>
          {theirs.map((list) => (
            <SheetList key={list.title} {...list} />
          ))}
        </details>
      )}
      <BatchList {...batchesIn('To continue, or to try again')} />
      <BatchList {...batchesIn('Not finished')} left />
      <BatchList title="Finished last" batches={done.slice(0, shownDone)} results={!may('viewer')} />
    </>
  );
}

export function SheetList(props: {
  readonly title: string;
  readonly sheets: readonly UploadLine[];
  readonly review?: boolean;
}) {
  const { title, sheets, review = false } = props;
  if (sheets.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <Table label={title} heads={['Sheet', 'Money', 'State', 'Rows', 'Uploaded']}>
        {sheets.map((sheet) => (
          <tr key={sheet.id}>
            <th scope="row">
              <a href={review ? pathOf('sheets', sheet.id, 'review') : pathOf('sheets', sheet.id)}>{sheet.file}</a>
            </th>
            <td>
              {sheet.toSend === null && sheet.counts.toFix > 0 && sheet.totals.length > 0 && `${moneyOfSome(sheet)} `}
              {(sheet.toSend ?? sheet).totals
                .map((total) => money(total.amount, total.unit, total.currency))
                .join(', ')}
            </td>
            <td>
              {stateOf(sheet)}
              {sheet.declined !== null && (
                <>
                  {' '}
                  <a href={pathOf('sheets', sheet.id, 'review')}>Open its review</a>
                </>
              )}
            </td>
            <td>
              {sheet.toSend === null
                ? counted(sheet.counts.rows, 'row')
                : `${count(sheet.toSend.rows)} of ${counted(sheet.counts.rows, 'row')} would be sent`}
            </td>
            <td>
              by {sheet.by}, <Moment at={sheet.at} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** Lists plans without a review here. Their batches may have no version yet. */
function ProposalList({ proposals }: { readonly proposals: readonly Proposal[] }) {
  if (proposals.length === 0) return null;
  return (
    <section>
      <h2>Plans that wait at a terminal</h2>
      <p class="hint">A person approves, declines or withdraws them at a terminal. Until then, their batches wait.</p>
      <Table label="Plans that wait at a terminal" heads={['Batch', 'Sheet', 'Proposed by']}>
        {proposals.map(({ batch, file, by }) => (
          <tr key={batch}>
            <th scope="row">{batch}</th>
            <td>{file}</td>
            <td>{by}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

export function BatchList(props: {
  readonly title: string;
  readonly batches: readonly BatchLine[];
  readonly results?: boolean;
  readonly left?: boolean;
}) {
  const { title, batches, results = false, left = false } = props;
  if (batches.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      {left && batches.some(({ rows }) => rows.held > 0) && (
        <p class="hint">
          To leave a held row unpaid, close it on its page. A batch leaves this list when none of its rows waits.
        </p>
      )}
      <Table label={title} heads={['Batch', 'Planned', 'Paid', 'Rows', 'Imported', ...(results ? ['Result'] : [])]}>
        {batches.map((batch) => (
          <tr key={batch.batch}>
            <th scope="row">
              <a href={pathOf('batches', batch.batch)}>{batch.batch}</a>
            </th>
            <td>{batch.totals.map((total) => money(total.planned, total.unit, total.currency)).join(', ')}</td>
            <td>{batch.totals.map((total) => money(total.paid, total.unit, total.currency)).join(', ')}</td>
            <td>
              {rowWords
                .filter(({ key }) => batch.rows[key] > 0)
                .map(({ key, word }) => `${count(batch.rows[key])} ${word}`)
                .join(', ')}
            </td>
            <td>
              <Moment at={batch.receivedAt} />
            </td>
            {results && (
              <td>
                <a
                  href={`/api/batches/${encodeURIComponent(batch.batch)}/result?format=xlsx`}
                  aria-label={`Result of ${batch.batch}`}
                  download
                >
                  Result
                </a>
              </td>
            )}
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Drop() {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [sending, setSending] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const hand = async (files: FileList | null | undefined) => {
    const [file, more] = Array.from(files ?? []);
    if (file === undefined) return;
    setFailure(null);
    if (more !== undefined) {
      setFailure('Upload one sheet at a time. Its documents are added on the sheet’s own page.');
      return;
    }
    setSending(file.name);
    const isStillHere = watchPage();
    try {
      const { id } = await postFile<Upload>('/api/uploads', file);
      say(`${file.name} was uploaded.${isStillHere() ? '' : ' It is listed on Home.'}`);
      if (isStillHere()) go(pathOf('sheets', id));
    } catch (error) {
      if (isStillHere()) setFailure(sentence(error));
      else say(`${file.name} was not uploaded: ${sentence(error)}`);
    }
    setSending(null);
  };
  return (
    <section
      class={over ? 'drop over' : 'drop'}
      aria-labelledby="drop-title"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void hand(event.dataTransfer?.files);
      }}
    >
      <h2 id="drop-title">Upload a sheet</h2>
      <p>
        <label for="sheet-file">Drop a CSV or XLSX file here, or choose one:</label>{' '}
        <input
          id="sheet-file"
          type="file"
          accept=".csv,.xlsx,.txt,.tsv,.xml"
          ref={input}
          aria-disabled={sending !== null}
          onChange={(event) => void hand(event.currentTarget.files)}
        />
      </p>
      {sending !== null && (
        <p role="status">
          Sending {sending} … <progress aria-label={`Sending ${sending}`} />
        </p>
      )}
      {failure !== null && <Failure>{failure}</Failure>}
      <p class="hint">
        An upload pays nothing. Payrun checks the sheet, you make a plan of it, and somebody else approves the plan.
      </p>
    </section>
  );
}
