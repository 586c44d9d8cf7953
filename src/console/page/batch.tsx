/** Shows one batch: its counts and sums, its next steps, its rows and its downloads. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Action, Batch, BatchRows, Role, UploadLine } from '../api.ts';
import { LongField, Search, Select } from './fields.tsx';
import { Words } from './glossary.tsx';
import {
  Act,
  Ask,
  Copy,
  Fact,
  Heading,
  type Loaded,
  Moment,
  Pager,
  say,
  Table,
  Title,
  useLoaded,
  Waiting,
} from './parts.tsx';
import { go, pathOf, place, setQuery, showRowsOf, turnTo, watchPage } from './route.ts';
import { lost, may, post, readSession, waitForServer } from './server.ts';
import { JobLine, jobWords, stageOf } from './sheet.tsx';
import {
  count,
  counted,
  countryName,
  isFinished,
  isPaying,
  isSettling,
  joined,
  meaningOf,
  money,
  paidOf,
  pausedWords,
  rowWords,
  wholeSentence,
} from './words.ts';

const limit = 50;

export function BatchPage({ name }: { readonly name: string }) {
  const address = `/api/batches/${encodeURIComponent(name)}`;
  const loaded = useLoaded<Batch>(address);
  const batch = loaded.data;
  const away = lost.value;
  const isThere = batch !== null;
  useEffect(() => {
    if (away || !isThere) return;
    const events = new EventSource(`${address}/events`);
    events.addEventListener('batch', (event: MessageEvent<string>) => loaded.set(JSON.parse(event.data) as Batch));
    // The browser reconnects to the events by itself. A plain request shows if the server and the session still work.
    events.addEventListener('error', () => void readSession().catch(waitForServer));
    return () => events.close();
  }, [address, away, isThere]);
  const act = async (path: string, body: object = {}) => {
    await post(`${address}/${path}`, body);
    await loaded.reload();
  };
  return (
    <>
      <Title page={`Batch ${name}`}>Batch {name}</Title>
      {loaded.status === 404 ? <Coming name={name} of={loaded} /> : <Waiting of={loaded} />}
      {batch !== null && (
        <>
          {batch.job !== null && batch.job.state !== 'running' && <JobLine job={batch.job} />}
          <Now batch={batch} />
          <Next batch={batch} act={act} />
          <Counts batch={batch} />
          <MoneyTable batch={batch} />
          <Rows batch={batch} address={address} />
          <After batch={batch} address={address} />
        </>
      )}
    </>
  );
}

/** After Pay there is no batch to show until its first row is in the ledger, so the page reads the sheet until then. */
function Coming({ name, of }: { readonly name: string; readonly of: Loaded<Batch> }) {
  const uploads = useLoaded<readonly UploadLine[]>('/api/uploads', 1000);
  const upload = uploads.data?.find(
    ({ batch, state }) => batch === name && (state === 'approved' || state === 'batch'),
  );
  const isBatch = upload?.state === 'batch';
  useEffect(() => void (isBatch && of.reload()), [isBatch]);
  if (uploads.data === null) return <Waiting of={uploads} />;
  if (upload === undefined) return <Waiting of={of} />;
  if (upload.state === 'approved' && !isPaying(upload))
    return (
      <p class="notice" role="status">
        It has not begun. <a href={pathOf('sheets', upload.id, 'review')}>Its review</a> shows why.
      </p>
    );
  return (
    <p class="notice" role="status">
      It is about to begin{upload.job !== null && `: ${upload.job.by} started it`}. Payrun reads the sheet again, and
      then its rows appear here. You need not do anything.
    </p>
  );
}

const isStopping = (job: Batch['job']) => job?.state === 'stopping';

function Now({ batch }: { readonly batch: Batch }) {
  const { rows, running, job, goOn, proposal } = batch;
  const ended = rows.paid + rows.unpaid + rows.paid_twice;
  const sent = ended + rows.pending + rows.in_doubt;
  const total = rows.total - rows.invalid - rows.closed;
  const isAllSent = rows.not_sent + rows.being_sent === 0;
  const isSent = !isSettling(job?.kind ?? null);
  const isStopped = !running && job?.code === 'JOB_STOPPED';
  return (
    <>
      {rows.paid_twice > 0 && (
        <p class="failure" role="alert">
          {counted(rows.paid_twice, 'row')} paid twice. Nothing more is sent. Open the row for both payments, and ask
          the service to take one back.
        </p>
      )}
      {isStopped && (
        <p class="notice warning" role="status">
          <strong>{job.message ?? 'Stopped.'}</strong> The rows that were being sent have their answers.
          {goOn !== null && ' No other row is sent until a person continues the batch.'}
          {rows.pending > 0 && ' Pending payments continue at the service. Nothing that was sent is taken back.'}
        </p>
      )}
      {isStopping(job) ? null : running && !isSent && job !== null ? (
        <p>{jobWords[job.kind]} … This sends nothing.</p>
      ) : running && ended === total ? (
        <p>{counted(total, 'row')} ended. The result is being written …</p>
      ) : running ? (
        <p>
          Being paid now: {count(sent)} of {counted(total, 'row')} sent{isAllSent ? '' : ' '}
          {!isAllSent && <progress aria-label="Rows that were sent" value={sent} max={total} />}
          {rows.being_sent > 0 && `, ${count(rows.being_sent)} being sent`}; {count(ended)} of them ended{' '}
          {isAllSent && <progress aria-label="Rows that ended, of those sent" value={ended} max={sent} />}{' '}
          {job?.state === 'running' &&
            ended === 0 &&
            job.stage !== 'paying' &&
            job.stage !== 'settling' &&
            (stageOf(job) || 'Payrun first checks the rows that were sent before.')}
        </p>
      ) : (
        <p>
          {paidOf(rows)}
          {goOn !== null && proposal === null && !isStopped && ' Nothing is sent until a person continues the batch.'}
        </p>
      )}
    </>
  );
}

const doers = {
  resume: 'preparer',
  reconcile: 'preparer',
  retry: 'preparer',
  release: 'approver',
  resolve: 'approver',
  reopen: 'approver',
} as const satisfies Record<Action, Role>;

/** If only held rows are left, a person who does not release them needs a way to close the batch. */
const isLeftHeld = ({ rows }: Batch) =>
  rows.held > 0 && rows.not_sent + rows.pending + rows.in_doubt + rows.unpaid + rows.paid_twice === 0;

function Next(props: { readonly batch: Batch; readonly act: (path: string, body?: object) => Promise<void> }) {
  const { batch, act } = props;
  const [reason, setReason] = useState('');
  const has = (action: string) => batch.next.some((step) => step.action === action);
  const { running: moving, goOn } = batch;
  const own = batch.paused.find((pause) => pause.batch !== null);
  const isShort = batch.job !== null && ['release', 'resolve'].includes(batch.job.kind);
  const { rows } = batch;
  const isOnlyFollowed = rows.not_sent + rows.being_sent === 0;
  // A run that is still reading may add rows, so the batch is not over before the stage of settling.
  const isOver =
    isOnlyFollowed &&
    rows.pending + rows.in_doubt + batch.documents.open === 0 &&
    ['settling', 'reporting'].includes(batch.job?.stage ?? 'reporting');
  const canStop =
    (moving || (batch.stopped === null && batch.proposal === null && batch.paused.length === 0 && !isOnlyFollowed)) &&
    !isShort &&
    !isOver &&
    !isStopping(batch.job) &&
    may('preparer', 'approver', 'administrator');
  return (
    <section>
      <h2>What happens next</h2>
      {batch.paused.map((one) => (
        <p key={one.id}>
          <strong>Paused:</strong> {pausedWords(one)}
        </p>
      ))}
      {(moving || isFinished(batch)) && (
        <p>
          {moving ? (
            isStopping(batch.job) ? (
              'It is being stopped. After that, a preparer can continue it here.'
            ) : isShort ? (
              'This ends in a moment.'
            ) : (
              'It continues by itself. You need not do anything.'
            )
          ) : (
            <>
              Nothing: it is finished.{' '}
              {!may('viewer') && (
                <>
                  <a href="#download">Download the result</a>: your sheet, with the state of each row.
                </>
              )}
            </>
          )}
        </p>
      )}
      <ul>
        {!moving &&
          batch.next.map(({ words, action, after, at }) => (
            <li key={words}>
              {words}{' '}
              {after !== null && (
                <>
                  Not before <Moment at={after} />.
                </>
              )}
              {action !== null &&
                !may(doers[action]) &&
                ` ${doers[action] === 'approver' ? 'An' : 'A'} ${doers[action]} does this.`}
              {at !== null && (
                <>
                  {' '}
                  <a class="button small" href={pathOf('batches', batch.batch, 'rows', at.key)}>
                    Open row {at.number}, {at.name}
                  </a>
                </>
              )}
            </li>
          ))}
        {batch.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <WaitingPlan of={batch.proposal} />
      {!moving && <Released batch={batch} />}
      {!moving && isLeftHeld(batch) && (
        <p>
          Only held rows are left. An approver who did not prepare this batch can release a row on its page: then{' '}
          {may('preparer') ? 'continue' : 'a preparer continues'} the batch here. A preparer or an approver can close a
          row that is not to be paid. If it has a mistake, a preparer fixes the file, uploads it on Home, and plans it
          as the next version of batch {batch.batch}.
        </p>
      )}
      {canStop && (
        <p class="hint">
          {isOnlyFollowed
            ? 'No row is left to send. Stop only ends the wait for pending payments. They continue at the service, and Continue asks for their status.'
            : 'Payrun waits for the answers to the rows that it is sending, and sends no other row until a person continues the batch. Pending payments continue at the service.'}{' '}
          Nothing that was sent is taken back.
        </p>
      )}
      {!moving && [batch.stopped ?? [], goOn?.waits ?? []].flat().map((words) => <p key={words}>{words}</p>)}
      <p class="buttons">
        {canStop && (
          <Act
            action={async () => {
              await act('stop');
              say('Being stopped. No other row is sent until a person continues the batch.');
            }}
          >
            Stop
          </Act>
        )}
        {!moving && may('approver', 'administrator') && own !== undefined && (
          <Ask
            of={JSON.stringify(batch.paused)}
            button="End the pause"
            confirm="End the pause"
            action={async () => {
              await act('end-pause', { pause: own.id, reason });
              setReason('');
              say('The pause is ended. Nothing is sent until a preparer continues the batch.');
            }}
          >
            <LongField label="Reason" hint="The trail shows it." value={reason} onText={setReason} required />
          </Ask>
        )}
        {!moving && may('preparer') && (
          <>
            {has('resume') && batch.paused.length === 0 && (
              <GoOn batch={batch} action={() => act('resume', { standing: batch.standing, turn: batch.turn })} />
            )}
            {(has('reconcile') || batch.rows.in_doubt > 0) && (
              <Act
                action={async () => {
                  await act('reconcile');
                  say('Payrun searches for the payments at the service. The result appears here. Nothing is sent.');
                }}
              >
                Search at the service again
              </Act>
            )}
            {has('retry') && (
              <Ask
                of={batch.standing}
                button="Try unpaid rows again"
                confirm="Make the plan"
                action={async () => {
                  const isStillHere = watchPage();
                  const ask = { rows: null, reason, standing: batch.standing };
                  const { upload } = await post<Batch>(`/api/batches/${encodeURIComponent(batch.batch)}/retry`, ask);
                  if (upload !== null && isStillHere()) go(pathOf('sheets', upload, 'review'));
                }}
              >
                <p>
                  Payrun makes a plan of the {counted(batch.rows.unpaid, 'row')} that the service refused, or whose
                  payment expired. The plan needs its approvals before it is paid. It has no row that is paid, pending
                  or in doubt.
                </p>
                <LongField label="Reason" hint="The trail shows it." value={reason} onText={setReason} required />
              </Ask>
            )}
          </>
        )}
      </p>
    </section>
  );
}

function WaitingPlan({ of }: { readonly of: Batch['proposal'] }) {
  if (of === null) return null;
  return (
    <p class="notice warning">
      <strong>A plan waits:</strong>{' '}
      {of.upload === null ? of.file : <a href={pathOf('sheets', of.upload, 'review')}>{of.file}</a>}, by {of.by}. Until
      it is paid, declined or withdrawn, nothing of this batch is sent.
    </p>
  );
}

function Released({ batch: { batch, released } }: { readonly batch: Batch }) {
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
          with the batch.
        </li>
      ))}
      {more > 0 && <li>And {counted(more, 'more row')} that were held and are released.</li>}
    </ul>
  );
}

function GoOn({ batch, action }: { readonly batch: Batch; readonly action: () => Promise<void> }) {
  const { goOn, rows } = batch;
  const sends = goOn?.rows ?? 0;
  const sums = (goOn?.totals ?? []).map(({ amount, unit, currency }) => money(amount, unit, currency));
  return sends === 0 ? (
    <Act main action={action}>
      {rows.pending > 0 ? 'Continue: only follow pending payments' : 'Continue'}
    </Act>
  ) : (
    <Ask
      main
      of={JSON.stringify(goOn)}
      button={`Continue: send up to ${counted(sends, 'row')}`}
      title={`Continue “${batch.batch}”?`}
      confirm="Send them"
      action={action}
    >
      <p>
        This sends at most {counted(sends, 'payment')}: {sums.join(', ')}.
        {rows.in_doubt > 0 && ' Payrun first searches for the rows in doubt.'}
      </p>
    </Ask>
  );
}

function Counts({ batch }: { readonly batch: Batch }) {
  const some = rowWords.filter(({ key }) => batch.rows[key] > 0);
  return (
    <section>
      <h2>Rows by state</h2>
      <Table label="Rows by state" heads={['State', { n: 'Rows' }, 'What it means']}>
        {some.map(({ word, key, means }) => (
          <tr key={key}>
            <th scope="row">
              <button
                type="button"
                class="small"
                onClick={() => showRows(word)}
                aria-label={`${word}: show these rows`}
              >
                {word}
              </button>
            </th>
            <td class="n">{count(batch.rows[key])}</td>
            <td>
              {means}
              {key === 'pending' &&
                (batch.running ? ' Payrun follows it until it ends.' : ' Continue asks the service for its status.')}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

const showRows = (status: string) => showRowsOf({ status, from: null });

const moneyWords = {
  planned: 'Planned',
  paid: 'Paid',
  pending: 'Pending',
  being_sent: 'Being sent',
  not_sent: 'Not sent',
  unpaid: 'Unpaid',
  in_doubt: 'In doubt',
  held: 'Held',
} as const;
const moneyColumns = Object.keys(moneyWords) as (keyof typeof moneyWords)[];

function MoneyTable({ batch }: { readonly batch: Batch }) {
  const shown = moneyColumns.filter(
    (part) => part === 'planned' || part === 'paid' || batch.totals.some((total) => total[part] !== 0),
  );
  return (
    <section>
      <h2>Money</h2>
      <Table label="Money" heads={['Currency', ...shown.map((part) => ({ n: moneyWords[part] }))]}>
        {batch.totals.map((total) => (
          <tr key={`${total.currency}${total.unit}${total.from}`}>
            <th scope="row">
              {total.currency}
              {total.from !== null && `, from ${countryName(total.from)}`}
            </th>
            {shown.map((part) => (
              <td class="n" key={part}>
                {money(total[part], total.unit, total.currency)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
      <Words facts={batch.totals.map(({ unit }) => unit)} />
    </section>
  );
}

function Rows({ batch, address }: { readonly batch: Batch; readonly address: string }) {
  const { query } = place.value;
  const status = query.get('status') ?? '';
  const search = query.get('q') ?? '';
  const from = Number(query.get('from') ?? 0);
  const asked = new URLSearchParams({ status, q: search, from: String(from), limit: String(limit) });
  const rows = useLoaded<BatchRows>(`${address}/rows?${asked.toString()}`, null, JSON.stringify(batch.rows));
  return (
    <section>
      <Heading id="rows-title">Rows</Heading>
      <div class="row filters">
        <Select
          label="Show"
          value={status}
          choices={[
            { value: '', words: 'all rows' },
            ...rowWords.map(({ word, key }) => ({ value: word, words: `${word} (${count(batch.rows[key])})` })),
          ]}
          onText={(word) => setQuery({ status: word, from: null })}
        />
        <Search label="Search in the rows" value={search} onText={(q) => setQuery({ q, from: null })} />
      </div>
      {status !== '' && <p>{meaningOf(status)}</p>}
      <Waiting of={rows} />
      {rows.data !== null && rows.data.total === 0 && <p>No rows here.</p>}
      {rows.data !== null && rows.data.total > 0 && (
        <>
          <Table label="Rows" heads={[{ n: 'Row' }, 'Payee', { n: 'Amount' }, 'State', 'Goes to', 'Reference']}>
            {rows.data.rows.map((row) => (
              <tr key={`${row.key} ${row.number}`}>
                <td class="n">{row.number}</td>
                <th scope="row">
                  {row.key === '' ? (
                    row.name || '–'
                  ) : (
                    <a href={pathOf('batches', batch.batch, 'rows', row.key)}>{row.name}</a>
                  )}
                </th>
                <td class="n">{row.amount === '' ? '–' : money(row.amount, row.unit, row.currency)}</td>
                <td>
                  {row.key === '' ? `${row.status}, nothing is paid for it` : row.status}
                  {row.reason !== null && `: ${row.reason}`}
                  {row.key !== '' && (row.status === 'held' || row.status === 'paid twice') && (
                    <>
                      {' '}
                      <a class="button small" href={pathOf('batches', batch.batch, 'rows', row.key)}>
                        Open row {row.number}
                      </a>
                    </>
                  )}
                </td>
                <td>{row.destination}</td>
                <td>{row.reference}</td>
              </tr>
            ))}
          </Table>
          <Pager from={from} limit={limit} total={rows.data.total} onFrom={turnTo} />
        </>
      )}
    </section>
  );
}

function Download(props: { readonly name: string; readonly means: string; readonly children: ComponentChildren }) {
  return (
    <Fact name={props.name}>
      {props.means}
      <p class="buttons">{props.children}</p>
    </Fact>
  );
}

function After({ batch, address }: { readonly batch: Batch; readonly address: string }) {
  return (
    <section>
      <Heading id="download">Download and look up</Heading>
      {may('viewer') ? (
        <p class="quiet">Files with whole account numbers are for preparers, approvers and administrators.</p>
      ) : (
        <dl class="facts">
          <Download name="Result" means="Your sheet as it was uploaded, with the state of each row beside it.">
            <a class="button" href={`${address}/result?format=xlsx`} download>
              Result (XLSX)
            </a>
            <a class="button" href={`${address}/result?format=csv`} download>
              Result (CSV)
            </a>
          </Download>
          <Download name="Report" means="The same as a page, to read and to print.">
            <a class="button" href={`${address}/report`} download>
              Report
            </a>
          </Download>
          <Download
            name="Evidence pack"
            means="For an auditor: each sheet that sent payments, its signed plan, the result, the trail, and how to verify them. The trail covers the whole ledger, other batches included. The pack has the digests of documents. Download the documents themselves from the page of the sheet."
          >
            <a class="button" href={`${address}/evidence`} download>
              Evidence pack
            </a>
            {batch.evidence !== null && (
              <span>
                Digest (SHA-256) of the pack that {batch.evidence.by} downloaded last,{' '}
                <Moment at={batch.evidence.at} exact />: <code class="long">{batch.evidence.sha256}</code>{' '}
                <Copy text={batch.evidence.sha256} what="the digest" /> Send the digest to the auditor by another way
                than the pack, so that the auditor can check the file.
              </span>
            )}
          </Download>
        </dl>
      )}
      <ul>
        <li>
          <a href={pathOf('batches', batch.batch, 'funding')}>Funding: what to deposit where</a>, for rows that are paid
          from money that you send first
        </li>
        <li>
          <a href={`/trail?batch=${encodeURIComponent(batch.batch)}`}>Trail of this batch</a>: who did what, and when
        </li>
        {batch.upload !== null && (
          <li>
            <a href={pathOf('sheets', batch.upload)}>The sheet as it was uploaded</a>
          </li>
        )}
      </ul>
      <dl class="facts">
        <Fact name="Newest sheet">{batch.sheet}</Fact>
        <Fact name="Imported">
          <Moment at={batch.receivedAt} />
        </Fact>
        <Fact name="Paid at">{batch.service}</Fact>
        {batch.plan !== null && (
          <Fact name="Plan of it">
            made by {batch.plan.maker}
            {batch.approvals.length > 0 && `, approved by ${joined(batch.approvals.map((one) => one.name))}`};{' '}
            <code class="long">{batch.plan.digest}</code>
          </Fact>
        )}
        {batch.documents.attached + batch.documents.open > 0 && (
          <Fact name="Documents">
            {count(batch.documents.attached)} attached, {count(batch.documents.open)} not yet
          </Fact>
        )}
      </dl>
    </section>
  );
}
