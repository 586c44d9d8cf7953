/** Shows one uploaded sheet: its findings, columns, mistakes, documents and plan. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Correction, Job, Mistake, Requests, Upload, Warnings } from '../api.ts';
import { CheckTable, showRows } from './check-table.tsx';
import { Documents } from './documents.tsx';
import { InFile, UploadAgain } from './in-file.tsx';
import { ChooseSheet, MatchColumns } from './match.tsx';
import { Mistakes } from './mistakes.tsx';
import { Act, Ask, Fact, Failure, Heading, Moment, say, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { Lapsed, PlanForm, PlanRefused } from './plan-form.tsx';
import { go, pathOf, watchPage } from './route.ts';
import { RowQuestions } from './row-questions.tsx';
import { may, outdatedCodes, post, RequestFailed } from './server.ts';
import {
  count,
  counted,
  countryName,
  endedBy,
  headerName,
  isInFileAlone,
  isPaying,
  isPlaceInFile,
  isUnplanned,
  moment,
  money,
  moneyOfSome,
  named,
  nextOf,
  otherWarning,
  rowsWords,
  size,
  uploadWord,
  warningWords,
  wholeSentence,
} from './words.ts';

export { Lapsed };

export function SheetPage({ id }: { readonly id: string }) {
  const address = `/api/uploads/${encodeURIComponent(id)}`;
  const [every, setEvery] = useState(5000);
  const loaded = useLoaded<Upload>(address, every);
  const upload = loaded.data;
  const busy = upload !== null && isBusy(upload);
  useEffect(() => setEvery(busy ? 700 : 5000), [busy]);
  // The rows stay in view while the sheet is checked again.
  const version = useRef('');
  if (upload !== null && !busy) version.current = `${upload.lookedAt} ${upload.standing}`;
  const checked = version.current;
  const act = async (path: string, body: object) => loaded.set(await post<Upload>(`${address}/${path}`, body));
  const decide = async (path: string, body: object) => await act(path, { standing: upload?.standing, ...body });
  const ofRows = (what: string) => (upload !== null && hasRows(upload) ? `${address}/${what}` : null);
  const mistakes = useLoaded<readonly Mistake[]>(ofRows('mistakes'), null, checked);
  const wrongs = mistakes.data ?? noMistakes;
  const warnings = useLoaded<readonly Warnings[]>(ofRows('warnings'), null, checked);
  const ofSheet = upload === null ? null : `${address}/corrections`;
  const corrections = useLoaded<readonly Correction[]>(ofSheet, null, checked);
  const mayChange = may('preparer') && upload !== null && !isPaying(upload);
  const canFix = mayChange && upload.state !== 'batch' && upload.state !== 'unreadable';
  const plannable =
    mayChange &&
    // Keeps the form with its typed text while the sheet is checked again.
    (['ready', 'to_fix', 'planned', 'approved'].includes(upload.state) || isAgain(upload));
  const fix = async (wanted: Requests['correct']) => {
    try {
      await act('corrections', wanted);
    } catch (error) {
      if (error instanceof RequestFailed && outdatedCodes.includes(error.code)) void loaded.reload();
      throw error;
    }
    say(`${'row' in wanted ? `Row ${wanted.row} is fixed` : 'Fixed in all these rows'}, and being checked again.`);
  };
  return (
    <>
      <Title page={upload?.file ?? 'Sheet'}>{upload?.file ?? 'Sheet'}</Title>
      <Waiting of={loaded} />
      {upload !== null && (
        <>
          <State upload={upload} mistakes={wrongs} />
          {upload.planLost !== null && <PlanLost by={upload.planLost} />}
          {upload.job !== null &&
            !isPlanning(upload) &&
            !isAgain(upload) &&
            !isUnplanned(upload) &&
            !(plannable && upload.job.kind === 'plan') && <JobLine job={upload.job} />}
          <Found upload={upload} />
          {may('preparer') && !busy && (
            <ChooseSheet
              key={upload.id}
              upload={upload}
              onSheet={(sheetName) => decide('columns', { columns: {}, values: {}, numberFormat: null, sheetName })}
            />
          )}
          {canFix && !busy && <RowQuestions upload={upload} onRows={(choices) => decide('rows', { choices })} />}
          {upload.advice !== null && upload.header.length > 0 && canFix && (
            <MatchColumns
              key={JSON.stringify([upload.id, upload.header, upload.columns, upload.advice])}
              upload={upload}
              advice={upload.advice}
              onMatch={(columns) => decide('columns', columns)}
            />
          )}
          {hasRows(upload) && (
            <>
              <Mistakes
                key={upload.id}
                upload={upload}
                mistakes={wrongs}
                canFix={canFix}
                isBusy={busy}
                isFixedHere={(corrections.data ?? []).some(({ before }) => before === null)}
                onFix={fix}
              />
              <ToLookAt warnings={warnings.data ?? []} />
              <CheckTable
                key={`${upload.id} rows`}
                upload={upload}
                address={address}
                version={checked}
                canFix={canFix}
                mistakes={wrongs}
                warnings={warnings.data ?? []}
                onFix={fix}
              />
            </>
          )}
          <Corrections
            list={corrections.data ?? []}
            file={upload.file}
            onUndo={canFix ? (one) => act(`corrections/${one}/undo`, {}) : null}
          />
          <InFile upload={upload} mistakes={wrongs} canFix={canFix} />
          {upload.state !== 'unreadable' && <Documents upload={upload} address={address} onChange={loaded.set} />}
          {plannable && <PlanForm key={upload.id} upload={upload} onPlan={(plan) => decide('plan', plan)} />}
          <section>
            <Heading id="file">The file</Heading>
            {hasRows(upload) && (
              <p>
                The checked workbook is your sheet with the fixes of this page, and with each problem beside its row. To
                fix it in Excel instead, download it, correct it there, and upload it again.
              </p>
            )}
            <p class="buttons">
              {hasRows(upload) && !may('viewer') && (
                <a class="button" href={`${address}/checked`} download>
                  Checked workbook
                </a>
              )}
              {canFix && hasRows(upload) && <UploadAgain upload={upload} />}
              {canFix && upload.state !== 'planned' && upload.state !== 'approved' && (
                <Ask
                  button="Discard this sheet"
                  title={`Discard ${upload.file}?`}
                  confirm="Discard it"
                  action={async () => {
                    const isStillHere = watchPage();
                    await post(`${address}/discard`, { standing: upload.standing });
                    say(`${upload.file} is discarded.`);
                    if (isStillHere()) go('/');
                  }}
                >
                  <p>
                    Payrun deletes its files, and removes it from the lists. The trail keeps the fixes, and the names of
                    the people who worked on it. Nothing was paid from it.
                  </p>
                </Ask>
              )}
            </p>
          </section>
        </>
      )}
    </>
  );
}

const isBusy = ({ state, job }: Upload): boolean =>
  state === 'reading' || (job !== null && ['running', 'stopping'].includes(job.state));

const isPlanning = (upload: Upload) => upload.job?.kind === 'plan' && isBusy(upload);

const hasRows = ({ state, header, counts }: Upload): boolean =>
  state !== 'columns' && state !== 'unreadable' && header.length > 0 && counts.rows > 0;

const noMistakes: readonly Mistake[] = [];

const isAgain = (upload: Upload) => upload.state === 'reading' && hasRows(upload);

function State({ upload, mistakes }: { readonly upload: Upload; readonly mistakes: readonly Mistake[] }) {
  const word = uploadWord(upload);
  const { looksPaid } = upload;
  if (isAgain(upload))
    return (
      <p class="notice" role="status">
        <strong>Being checked again.</strong> You need not wait. This page shows the last check, and updates by itself.
      </p>
    );
  const inFile = [...upload.problems, ...mistakes].filter(isPlaceInFile).length;
  if (isPaying(upload))
    return (
      <p class="notice" role="status">
        <Paying upload={upload} />
      </p>
    );
  if (upload.job !== null && isPlanning(upload))
    return (
      <div class="notice" role="status">
        <JobLine job={upload.job} />
      </div>
    );
  if (upload.lapsed)
    return (
      <Lapsed>
        {may('preparer') ? <a href="#plan">Make a new plan</a> : 'The preparer discards it, or plans it again.'}
      </Lapsed>
    );
  if (isUnplanned(upload)) return <PlanRefused upload={upload} />;
  return (
    <>
      <p class="notice" role="status">
        <strong>{wholeSentence(word)}</strong> {nextOf(upload, { isPreparer: may('preparer') })}{' '}
        {inFile > 0 && <a href="#in-file">{counted(inFile, 'place')} can be fixed only in the file: see what to do.</a>}{' '}
        {upload.state === 'ready' && looksPaid > 0 && (
          <>
            <button type="button" class="small" onClick={() => showRows('all', null, 'LOOKS_PAID')}>
              Show {named(looksPaid).it}
            </button>{' '}
          </>
        )}
        {upload.state === 'ready' && upload.counts.warnings > 0 && (
          <>
            <a href="#to-look-at">See the warnings</a>{' '}
          </>
        )}
        {(upload.state === 'planned' || upload.state === 'approved') && (
          <a href={pathOf('sheets', upload.id, 'review')}>
            {upload.state === 'approved' && may('preparer') ? 'Review and pay' : 'Review the plan'}
          </a>
        )}
        {upload.state === 'batch' && <a href={pathOf('batches', upload.batch)}>Batch {upload.batch}</a>}
        {upload.state === 'ready' && may('preparer') && <a href="#plan">Make the plan</a>}
      </p>
      {upload.declined !== null ? (
        <DeclinedBy by={upload.declined}>
          {' '}
          <a href={pathOf('sheets', upload.id, 'review')}>Review that plan</a>
        </DeclinedBy>
      ) : (
        upload.message !== null &&
        upload.code !== upload.job?.code && (
          <p class={upload.state === 'unreadable' ? 'failure' : 'warning'}>{upload.message}</p>
        )
      )}
    </>
  );
}

const PlanLost = ({ by: { by, at } }: { readonly by: NonNullable<Upload['planLost']> }) => (
  <p class="notice warning" role="status">
    {by} changed the sheet after its plan was made, <Moment at={at} />. The plan and its approvals no longer count.
  </p>
);

export const DeclinedBy = (props: {
  readonly by: NonNullable<Upload['declined']>;
  readonly children?: ComponentChildren;
}) => (
  <p class="failure">
    {wholeSentence(`${endedBy(props.by)}, ${moment(props.by.at)}: ${props.by.reason}`)}
    {props.children}
  </p>
);

export function Paying({ upload }: { readonly upload: Upload }) {
  return (
    <>
      <strong>Being paid</strong> since <Moment at={upload.job?.startedAt ?? null} /> by {upload.job?.by}:{' '}
      <a href={pathOf('batches', upload.batch)}>open batch {upload.batch}</a>.
    </>
  );
}

export const jobWords: { readonly [K in Job['kind']]: string } = {
  check: 'Checking the sheet',
  plan: 'Making the plan',
  pay: 'Paying',
  resume: 'Continuing the batch',
  reconcile: 'Searching at the service',
  release: 'Releasing the row',
  resolve: 'Settling the row',
};

const stageWords: Readonly<Record<string, string>> = {
  reading: 'rows read',
  reconciling: 'payments at the service read',
  enrolling: 'payees made known to the service',
  paying: 'rows sent',
  attaching: 'documents attached',
  settling: 'rows that ended',
  reporting: 'the result is written',
};

export function JobLine({ job }: { readonly job: Job }) {
  if (job.state === 'failed')
    return <Failure>{job.message ?? 'It failed, and did not say why. Try it again.'}</Failure>;
  if (job.state === 'done') return null;
  if (job.state === 'stopping')
    return (
      <p class="notice" role="status">
        <strong>{job.message ?? 'Being stopped.'}</strong> Payrun waits for the answers to the rows that it is sending,
        and sends no other row.
      </p>
    );
  return (
    <p>
      {jobWords[job.kind]} …{' '}
      <progress aria-label={jobWords[job.kind]} {...(job.total === null ? {} : { value: job.done, max: job.total })} />{' '}
      {stageOf(job)}
    </p>
  );
}

export function stageOf({ stage, done, total }: Job): string {
  return [
    ...(stage === null ? [] : [stageWords[stage] ?? stage]),
    ...(total === null ? (done > 0 ? [count(done)] : []) : [`${count(done)} of ${count(total)}`]),
  ].join(': ');
}

function Found({ upload }: { readonly upload: Upload }) {
  const problems = upload.problems.filter((problem) => !isInFileAlone(problem));
  return (
    <section>
      <h2>What was found</h2>
      <dl class="facts">
        <Fact name="Uploaded">
          by {upload.by}, <Moment at={upload.at} />, {size(upload.bytes)}
        </Fact>
        {upload.replaces !== null && (
          <Fact name="Replaces">
            <Replaced replaces={upload.replaces} />
          </Fact>
        )}
        {upload.found.length > 0 && <Fact name="In the file">{upload.found.map(wholeSentence).join(' ')}</Fact>}
        {upload.totals.length > 0 && (
          <Fact name="Money">
            {upload.counts.toFix > 0 && <div>{moneyOfSome(upload)}</div>}
            {upload.totals.map((total) => (
              <div key={`${total.currency}${total.unit}${total.from}${total.country}`}>
                {money(total.amount, total.unit, total.currency)} in {counted(total.rows, 'row')}
                {total.country !== null && ` to ${countryName(total.country)}`}
                {total.from !== null && `, from ${countryName(total.from)}`}
              </div>
            ))}
          </Fact>
        )}
      </dl>
      {upload.seen.map(({ batch, words }) => (
        <p class="warning" key={`${batch}${words}`}>
          {wholeSentence(words)}
          {batch !== '' && (
            <>
              {' '}
              <a href={pathOf('batches', batch)}>Batch {batch}</a>
            </>
          )}
        </p>
      ))}
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.code}${problem.message}`} class={problem.severity === 'error' ? 'bad' : undefined}>
              {wholeSentence(problem.message)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function Replaced({ replaces }: { readonly replaces: NonNullable<Upload['replaces']> }) {
  const { id, file } = replaces;
  return <>{id === null ? `${file}, which was discarded here` : <a href={pathOf('sheets', id)}>{file}</a>}</>;
}

function ToLookAt({ warnings }: { readonly warnings: readonly Warnings[] }) {
  if (warnings.length === 0) return null;
  return (
    <section>
      <Heading id="to-look-at">To look at</Heading>
      <p class="hint">Check that they are intended. The most important come first.</p>
      <ul class="lines">
        {warnings.map(({ code, message, rows, firstRow }) => (
          <li key={code}>
            <button type="button" class="small" onClick={() => showRows('all', null, code)}>
              {counted(rows, 'row')}
            </button>
            : <strong>{warningWords[code] ?? otherWarning}</strong>; see row {firstRow}: {message}
          </li>
        ))}
      </ul>
    </section>
  );
}

const cellText = (text: string) => (text === '' ? '(empty)' : text);

const correctedRows = ({ rows, count: told }: Correction): string =>
  rows.length === told ? rowsWords(rows) : `${counted(told, 'row')}, from row ${rows[0]} on`;

export function Corrections(props: {
  readonly list: readonly Correction[];
  readonly file: string;
  readonly onUndo: ((id: number) => Promise<void>) | null;
}) {
  const { list, file, onUndo } = props;
  return (
    <>
      <Fixes title="Fixed here" list={list.filter(({ before }) => before === null)} onUndo={onUndo}>
        The file is unchanged. Payrun keeps these fixes beside it, and the trail and the plan show them.
      </Fixes>
      <Fixes title="Fixed before" list={list.filter(({ before }) => before !== null)} onUndo={null}>
        People fixed these cells of earlier files on this page. Check whether {file} has the same values.
      </Fixes>
    </>
  );
}

function Fixes(props: {
  readonly title: string;
  readonly list: readonly Correction[];
  readonly onUndo: ((id: number) => Promise<void>) | null;
  readonly children: ComponentChildren;
}) {
  const { title, list, onUndo } = props;
  if (list.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <p>{props.children}</p>
      <Table label={title} heads={['Where', 'Was', 'Became', 'By', ...(onUndo === null ? [] : ['Undo'])]}>
        {list.map((one) => {
          const where = `${correctedRows(one)}, ${headerName(one.header)}`;
          return (
            <tr key={one.id}>
              <th scope="row">
                {where}
                {one.before !== null && `, of ${one.before}`}
              </th>
              <td>{cellText(one.from)}</td>
              <td>{cellText(one.to)}</td>
              <td>
                {one.by}, <Moment at={one.at} />
              </td>
              {onUndo !== null && (
                <td>
                  <Act action={() => onUndo(one.id)} label={`Undo ${where}: ${one.to} back to ${one.from}`}>
                    Undo
                  </Act>
                </td>
              )}
            </tr>
          );
        })}
      </Table>
    </section>
  );
}
