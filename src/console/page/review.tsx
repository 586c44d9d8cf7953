/** What an approver reads before signing, on one page: the money, new and changed payees first, the largest rows, and everything that stands against it. */
import { useEffect, useState } from 'preact/hooks';
import type { Review, SettingsView, Upload } from '../api.ts';
import { DocumentList } from './documents.tsx';
import { Act, Ask, Field, Form, Heads, LongField, Moment, Scroll, say, Title, useLoaded, Waiting } from './parts.tsx';
import { go, pathOf } from './route.ts';
import { may, post } from './server.ts';
import { JobLine, Paying } from './sheet.tsx';
import { count, counted, countryName, grouped, isPaying, money, wholeSentence } from './words.ts';

export function ReviewPage({ id }: { readonly id: string }) {
  const address = `/api/uploads/${encodeURIComponent(id)}`;
  const upload = useLoaded<Upload>(address, 3000);
  const plan = useLoaded<Review>(`${address}/plan`);
  const state = upload.data?.state;
  const review = plan.data;
  useEffect(() => void plan.reload(), [state]);
  const act = async (path: string, body: object) => {
    upload.set(await post<Upload>(`${address}/${path}`, body));
    await plan.reload();
  };
  return (
    <>
      <Title page={`Review ${upload.data?.batch ?? ''}`}>
        Review{upload.data !== null && ` of ${upload.data.batch}`}
      </Title>
      <p>
        <a href={pathOf('sheets', id)}>The sheet{upload.data !== null && ` ${upload.data.file}`}</a>
      </p>
      {upload.data?.job?.kind === 'plan' && upload.data.job.state === 'running' ? null : plan.status === 404 ||
        plan.status === 409 ? (
        <p class="notice" role="status">
          {plan.failure} <a href={pathOf('sheets', id)}>Go to the sheet</a>
        </p>
      ) : (
        <Waiting of={plan} />
      )}
      {upload.data?.job != null && <JobLine job={upload.data.job} />}
      {review !== null && upload.data !== null && plan.failure === null && (
        <>
          <p class="noprint">
            <a href="#approvals">
              {upload.data.state === 'approved' && may('preparer') ? 'Go to where it is paid' : 'Go to the approvals'}
            </a>
            , below what there is to read.
          </p>
          <Repeats review={review} />
          <Money review={review} />
          <Warnings review={review} />
          <Payees review={review} />
          <Largest review={review} />
          {upload.data.documents.length > 0 && (
            <section>
              <h2>Documents</h2>
              <DocumentList upload={upload.data} address={address} />
            </section>
          )}
          <Facts review={review} />
          <Decision review={review} upload={upload.data} act={act} />
        </>
      )}
    </>
  );
}

interface Deciding {
  readonly review: Review;
  readonly upload: Upload;
  readonly act: (path: string, body: object) => Promise<void>;
}

function Decision({ review, upload, act }: Deciding) {
  const { digest, approvals, needed, declined, whyNot } = review;
  const [password, setPassword] = useState('');
  const [reason, setReason] = useState('');
  const open = upload.state === 'planned';
  const missing = Math.max(0, needed - approvals.length);
  const repeats = review.repeatsTotal;
  const nothing = review.rowsToSend === 0;
  return (
    <section>
      <h2 id="approvals" tabIndex={-1}>
        Approvals
      </h2>
      <p>
        {counted(needed, 'approval')} needed, {count(approvals.length)} given. {wholeSentence(review.because)}
      </p>
      {approvals.length > 0 && (
        <ul>
          {approvals.map(({ name, fingerprint, at }) => (
            <li key={fingerprint}>
              {name}, <Moment at={at} />, key <code>{fingerprint}</code>
            </li>
          ))}
        </ul>
      )}
      {declined !== null && (
        <p class="failure">
          Declined by {declined.by}, <Moment at={declined.at} />: {declined.reason}
        </p>
      )}
      {review.expired && <p class="warning">The plan is too old to be paid. The preparer makes a new one.</p>}
      {review.stops.map((stop) => (
        <p class="warning" key={stop}>
          {stop}
        </p>
      ))}
      {upload.state === 'batch' && (
        <p class="notice">
          It was taken in: <a href={pathOf('batches', review.batch)}>batch {review.batch}</a> says what became of each
          row.
        </p>
      )}
      {isPaying(upload) && (
        <p class="notice" role="status">
          <Paying upload={upload} />
        </p>
      )}
      {nothing && (open || upload.state === 'approved') && (
        <p class="notice">Nothing is left to send: there is nothing to approve or to pay.</p>
      )}
      {open && !nothing && may('approver') && whyNot === null && (
        <div class="decide">
          <Form
            class="narrow"
            label="Approve or decline"
            button={`Approve ${review.batch}${repeats > 0 ? `, although ${counted(repeats, 'row looks', 'rows look')} paid already` : ''}`}
            action={async () => {
              await act('approve', { digest, password });
              setPassword('');
              say('Approved. It can be paid once all approvals are there.');
            }}
            extra={
              <Ask
                button="Decline"
                title={`Decline ${review.batch}`}
                confirm="Decline it"
                action={async () => {
                  await act('decline', { digest, reason });
                  say('Declined. The preparer sees your reason.');
                }}
              >
                <LongField
                  label="Reason"
                  hint="What the preparer should change."
                  value={reason}
                  onText={setReason}
                  required
                />
              </Ask>
            }
          >
            <Field
              label="Your password"
              hint="It unlocks your key, which signs this very plan."
              type="password"
              autocomplete="current-password"
              value={password}
              onText={setPassword}
              required
            />
          </Form>
        </div>
      )}
      {open && !nothing && may('approver') && whyNot !== null && <p class="notice">{whyNot}</p>}
      {open && !nothing && missing > 0 && !may('approver') && <WhoApproves missing={missing} />}
      {upload.state === 'approved' && !isPaying(upload) && !nothing && (
        <div class="notice noprint">
          <p>
            All approvals are there.{' '}
            {may('preparer')
              ? `Paying sends ${counted(review.rowsToSend, 'payment')}.`
              : 'The preparer can pay it now.'}
          </p>
          {may('preparer') && (
            <Act
              main
              action={async () => {
                await act('pay', { digest });
                say('Paying has begun.');
                go(pathOf('batches', review.batch));
              }}
            >
              Pay {counted(review.rowsToSend, 'row')} now
            </Act>
          )}
        </div>
      )}
      <p class="buttons noprint">
        <button type="button" onClick={() => window.print()}>
          Print this page
        </button>
      </p>
    </section>
  );
}

/** Who made the plan knows whom to ask. */
function WhoApproves({ missing }: { readonly missing: number }) {
  const settings = useLoaded<SettingsView>('/api/settings');
  if (settings.data === null) return <Waiting of={settings} />;
  const names = settings.data.approvers.map(({ name }) => name);
  return (
    <p class="notice">
      {names.length < missing ? (
        <>
          It waits for {counted(missing, 'approval')}, and{' '}
          {names.length === 0 ? 'nobody can approve yet' : `only ${names.join(', ')} can approve`}.{' '}
          {may('administrator') ? (
            <a href="/people">Invite an approver</a>
          ) : (
            'An administrator invites approvers on the page People.'
          )}
        </>
      ) : (
        <>
          It waits for {counted(missing, 'approval')}. Ask{' '}
          {new Intl.ListFormat('en', { type: 'disjunction' }).format(names)} to log in and to open it under To approve;
          who handed in or changed the sheet cannot. Nothing is sent before.
        </>
      )}
    </p>
  );
}

function Money({ review }: { readonly review: Review }) {
  return (
    <section>
      <h2>Money</h2>
      <Scroll label="Totals">
        <table>
          <Heads of={['To', 'From', { n: 'Rows' }, { n: 'Amount' }]} />
          <tbody>
            {review.totals.map((total) => (
              <tr key={`${total.country}${total.from}${total.currency}${total.unit}`}>
                <th scope="row">{total.country === null ? 'several countries' : countryName(total.country)}</th>
                <td>{total.from === null ? 'the balance at the service' : countryName(total.from)}</td>
                <td class="n">{count(total.rows)}</td>
                <td class="n">{money(total.amount, total.unit, total.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p>
        {counted(review.rows, 'row')} in the sheet, {count(review.rowsToSend)} would be sent.
      </p>
    </section>
  );
}

/** What may pay somebody twice stands before everything else. */
function Repeats({ review }: { readonly review: Review }) {
  const { repeats, repeatsTotal, repeatReason } = review;
  if (repeatsTotal === 0) return null;
  return (
    <section>
      <h2>Looks paid already</h2>
      <p class="failure" role="alert">
        {counted(repeatsTotal, 'row looks', 'rows look')} paid already. Look at each before anything else: paying this
        plan may pay them a second time.
      </p>
      {repeatReason !== null && <p>The preparer says why they are to be paid again: {repeatReason}</p>}
      <ul>
        {repeats.map(({ row, words }) => (
          <li key={`${row} ${words}`} class="bad">
            Row {row}: {words}
          </li>
        ))}
      </ul>
      {repeatsTotal > repeats.length && <p>And {counted(repeatsTotal - repeats.length, 'more row')} like these.</p>}
    </section>
  );
}

function Warnings({ review }: { readonly review: Review }) {
  const { warnings, warningsTotal, notes } = review;
  return (
    <section>
      <h2>To read before approving</h2>
      {warnings.length + notes.length + review.repeatsTotal === 0 && (
        <p>Nothing stands out: no missing document, no repeat, nothing far from the last batch.</p>
      )}
      <ul>
        {notes.map((note) => (
          <li key={note}>{wholeSentence(note)}</li>
        ))}
        {warnings.map(({ row, code, message }) => (
          <li key={`${row} ${code} ${message}`} class="warn">
            {row === null ? wholeSentence(message) : `Row ${row}: ${message}`}
          </li>
        ))}
      </ul>
      {warningsTotal > warnings.length && (
        <p>And {counted(warningsTotal - warnings.length, 'more warning')}: the sheet's table shows them all.</p>
      )}
    </section>
  );
}

const kindWords = {
  changed: 'account changed',
  new: 'new payee',
  elsewhere: 'account used by another payee before',
  shared: 'account shared with another payee',
} as const;

function Payees({ review }: { readonly review: Review }) {
  const { payees, payeesTotal } = review;
  return (
    <section>
      <h2>New and changed payees</h2>
      {payees.length === 0 ? (
        <p>
          {review.repeatsTotal > 0
            ? 'No account is new or changed. That says nothing of the rows above that look paid already.'
            : 'None: every payee was paid before, at the same account.'}
        </p>
      ) : (
        <Scroll label="New and changed payees">
          <table>
            <Heads of={[{ n: 'Row' }, 'Payee', 'Goes to', 'Why it stands here']} />
            <tbody>
              {payees.map((payee) => (
                <tr key={`${payee.row} ${payee.kind}`}>
                  <td class="n">{payee.row}</td>
                  <th scope="row">{payee.name}</th>
                  <td>{payee.destination}</td>
                  <td>
                    <span class={payee.kind === 'new' ? undefined : 'warn'}>
                      {wholeSentence(kindWords[payee.kind])}
                    </span>{' '}
                    {wholeSentence(payee.words)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
      {payeesTotal > payees.length && (
        <p>And {count(payeesTotal - payees.length)} more: the sheet's table shows them all.</p>
      )}
    </section>
  );
}

function Largest({ review }: { readonly review: Review }) {
  return (
    <section>
      <h2>Largest payments</h2>
      <Scroll label="Largest payments">
        <table>
          <Heads of={[{ n: 'Row' }, 'Payee', 'Goes to', 'Reference', { n: 'Amount' }]} />
          <tbody>
            {review.largest.map((row) => (
              <tr key={row.row}>
                <td class="n">{row.row}</td>
                <th scope="row">{row.name}</th>
                <td>{row.destination}</td>
                <td>{row.reference}</td>
                <td class="n">{grouped(row.money)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** Where it is paid, and the account there. */
function serviceOf({ service }: Review): readonly [string, string | null] {
  const at = service.indexOf(' (');
  return at < 0 ? [service, null] : [service.slice(0, at), service.slice(at + 2).replace(/\)$/, '')];
}

function Facts({ review }: { readonly review: Review }) {
  return (
    <section>
      <h2>The plan</h2>
      <dl class="facts">
        <div>
          <dt>Made by</dt>
          <dd>
            {review.maker}, <Moment at={review.madeAt} />
          </dd>
        </div>
        <div>
          <dt>Can be paid until</dt>
          <dd>
            <Moment at={review.expiresAt} />
          </dd>
        </div>
        {review.series !== null && (
          <div>
            <dt>Series</dt>
            <dd>{review.series}</dd>
          </div>
        )}
        <div>
          <dt>Pays at</dt>
          <dd>
            {serviceOf(review)[0]}
            {serviceOf(review)[1] !== null && (
              <p class="hint">The account that pays there: {serviceOf(review)[1]}. It is part of what is approved.</p>
            )}
          </dd>
        </div>
        {review.reading.length > 0 && (
          <div>
            <dt>How it was read</dt>
            <dd>
              {review.reading.map((note) => (
                <div key={note}>{note}</div>
              ))}
            </dd>
          </div>
        )}
        <div>
          <dt>Digest</dt>
          <dd>
            <code class="long">{review.digest}</code>
          </dd>
        </div>
      </dl>
      <p class="hint">
        The digest stands for the whole plan, as a fingerprint does: whoever compares it, on paper or by telephone,
        knows that it is the same plan. Every approval is a signature over it, and any change of the sheet makes another
        one.
      </p>
    </section>
  );
}
