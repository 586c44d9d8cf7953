/** Shows an approver what to read before signing: sums, payees, largest rows, and reasons against the plan. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Correction, Review, SettingsView, Upload } from '../api.ts';
import { DocumentList } from './documents.tsx';
import { LongField, PasswordField } from './fields.tsx';
import { Words } from './glossary.tsx';
import { Ask, Fact, Form, Heading, Moment, say, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { go, pathOf, watchPage } from './route.ts';
import { may, post, session } from './server.ts';
import { Corrections, DeclinedBy, JobLine, Lapsed, Paying, Replaced } from './sheet.tsx';
import {
  alikeWords,
  count,
  counted,
  countryName,
  differenceOf,
  ended,
  isPaying,
  isUnpaid,
  joined,
  money,
  named,
  oneOrMany,
  payingWords,
  rowsOf,
  rowsWords,
  sumsOf,
  wholeSentence,
} from './words.ts';

export function ReviewPage({ id }: { readonly id: string }) {
  const address = `/api/uploads/${encodeURIComponent(id)}`;
  const upload = useLoaded<Upload>(address, 3000);
  const state = upload.data?.state;
  // Reads the plan regularly, because an approval or a new plan may leave the sheet's state unchanged.
  const isOpen = state === 'planned' || state === 'approved';
  const plan = useLoaded<Review>(state === undefined ? null : `${address}/plan`, isOpen ? 3000 : null, state);
  const review = plan.data;
  const fixes = review === null ? null : `${address}/corrections`;
  const corrections = useLoaded<readonly Correction[]>(fixes, null, `${state} ${review?.digest}`);
  // The plan that the person has read. A decision is about this plan, and not about a newer one.
  const [read, setRead] = useState<Review | null>(null);
  useEffect(() => {
    if (read === null) setRead(review);
  }, [review]);
  // A sheet loses the batch's name with its plan, so the page keeps the name.
  const name = (review ?? read)?.batch ?? upload.data?.batch;
  const isAnother = review !== null && read !== null && read.digest !== review.digest;
  const act = async (path: string, body: object) => {
    const changed = await post<Upload>(`${address}/${path}`, body);
    upload.set(changed);
    await plan.reload();
    return changed;
  };
  return (
    <>
      <Title page={`Review ${name ?? ''}`}>Review{name !== undefined && ` of “${name}”`}</Title>
      <p>
        <a href={pathOf('sheets', id)}>The sheet{upload.data !== null && ` ${upload.data.file}`}</a>
        {upload.data?.replaces != null && (
          <>
            , which replaces <Replaced replaces={upload.data.replaces} />
          </>
        )}
      </p>
      {upload.data?.job?.kind === 'plan' && upload.data.job.state === 'running' ? null : plan.status === 404 ||
        plan.status === 409 ? (
        <p class="notice" role="status">
          {plan.failure} <a href={pathOf('sheets', id)}>Go to the sheet</a>
        </p>
      ) : (
        <Waiting of={upload.data === null ? upload : plan} />
      )}
      {upload.data?.job != null && <JobLine job={upload.data.job} />}
      {review !== null && upload.data !== null && (plan.failure === null || plan.status === 0) && (
        <>
          {isAnother && (
            <Another
              before={read}
              now={review}
              onRead={() => {
                setRead(review);
                window.scrollTo(0, 0);
                document.querySelector('h1')?.focus({ preventScroll: true });
              }}
            />
          )}
          {upload.data.lapsed && !isPaying(upload.data) && (
            <Lapsed>
              <a href={pathOf('sheets', id)}>Its sheet</a> shows what {may('preparer') ? 'you' : 'the preparer'} can do.
            </Lapsed>
          )}
          {upload.data.state === 'batch' && (
            <p class="notice">
              It was imported: <a href={pathOf('batches', review.batch)}>batch {review.batch}</a> shows the state of
              each row. Below is the approved plan.
            </p>
          )}
          {upload.data.state === 'planned' && !upload.data.lapsed && !isAnother && (
            <p class="noprint">
              <a href="#approvals">Go to the approvals</a>, at the end of this page.
            </p>
          )}
          <DeclinedBefore review={review} />
          <Again review={review} />
          <Repeats review={review} />
          <AlikeNow review={review} upload={upload.data} />
          {review.stops.map((stop) => (
            <p class="warning" key={stop}>
              {stop}
            </p>
          ))}
          {!isAnother && <Pay review={review} upload={upload.data} act={act} />}
          <Money review={review} isPast={upload.data.state === 'batch' || upload.data.lapsed} />
          <Warnings review={review} upload={upload.data} />
          <Payees review={review} />
          <Largest review={review} id={id} />
          <Corrections list={corrections.data ?? []} file={upload.data.file} onUndo={null} />
          {upload.data.documents.length > 0 && (
            <section>
              <h2>Documents</h2>
              <DocumentList upload={upload.data} address={address} />
            </section>
          )}
          <Facts review={review} />
          <Decision key={review.digest} review={review} upload={upload.data} isAnother={isAnother} act={act} />
        </>
      )}
    </>
  );
}

interface Deciding {
  readonly review: Review;
  readonly upload: Upload;
  readonly act: (path: string, body: object) => Promise<Upload>;
}

function Another(props: { readonly before: Review; readonly now: Review; readonly onRead: () => void }) {
  const { before, now, onRead } = props;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [now.digest]);
  return (
    <div class="failure" role="alert" tabIndex={-1} ref={box}>
      <p>
        <strong>The plan changed while you had it open.</strong> {now.maker} made another one,{' '}
        <Moment at={now.madeAt} />, and this page now shows it. {differenceOf(before, now)} The plan that you opened no
        longer counts, nor does the text that you typed here. Read the new plan before you approve, decline or pay.
      </p>
      <p class="buttons">
        <button type="button" onClick={onRead}>
          Read the new plan
        </button>
      </p>
    </div>
  );
}

/** Moves the focus to the heading above the decision, because the form that had the focus is gone. */
const toApprovals = () => setTimeout(() => document.getElementById('approvals')?.focus());

function Decision({ review, upload, isAnother, act }: Deciding & { readonly isAnother: boolean }) {
  const { digest, approvals, needed, declined, whyNot, mayEnd } = review;
  const [password, setPassword] = useState('');
  const [reason, setReason] = useState('');
  const open = upload.state === 'planned' && !upload.lapsed && !isAnother;
  const missing = Math.max(0, needed - approvals.length);
  const repeats = paidAlready(review);
  const payable = isPayable(upload) && !isAnother;
  const verb = mayEnd === 'plan-withdrawn' ? 'Withdraw' : 'Decline';
  return (
    <section>
      <Heading id="approvals">Approvals</Heading>
      {declined === null && (
        <p>
          {counted(needed, 'approval')} needed, {count(approvals.length)} given. {wholeSentence(review.because)}
        </p>
      )}
      {isAnother && <p class="warning">Another plan has replaced this one. See the top of this page.</p>}
      {approvals.length > 0 && (
        <ul>
          {approvals.map(({ name, fingerprint, at }) => (
            <li key={fingerprint}>
              {name}, <Moment at={at} />, fingerprint <code>{fingerprint}</code>
            </li>
          ))}
        </ul>
      )}
      {approvals.length > 0 && <Words of={['fingerprint']} />}
      {declined !== null && <DeclinedBy by={declined} />}
      {isPaying(upload) && (
        <p class="notice" role="status">
          <Paying upload={upload} />
        </p>
      )}
      {open && may('approver') && whyNot === null && (
        <div class="decide">
          <Form
            class="narrow"
            label="Approve"
            button={`Approve “${review.batch}”${repeats > 0 ? `, although ${alikeWords(repeats)}` : ''}`}
            action={async () => {
              const { state } = await act('approve', { digest, password });
              setPassword('');
              toApprovals();
              say(
                state === 'planned'
                  ? 'Approved. It can be paid once the other approvals are there.'
                  : 'Approved. It can be paid now.',
              );
            }}
          >
            <PasswordField
              label="Your password"
              use="now"
              hint="It unlocks your key, which signs this plan."
              value={password}
              onText={setPassword}
            />
          </Form>
        </div>
      )}
      {open && may('approver') && whyNot !== null && <p class="notice">{whyNot}</p>}
      {/* The same element before and after the approval, so that a half-written decline is not lost. */}
      {mayEnd !== null && !isAnother && !isPaying(upload) && (
        <>
          <p class="hint">
            {approvals.length > 0 && `You can still ${verb.toLowerCase()} it until it is paid. `}A plan that was
            declined or withdrawn is never paid, even if others approved it. A preparer makes a new plan, which needs
            new approvals.
          </p>
          <p class="buttons noprint">
            <Ask
              of={digest}
              button={verb}
              title={`${verb} “${review.batch}”`}
              confirm={`${verb} it`}
              action={async () => {
                await act(verb.toLowerCase(), { digest, reason });
                toApprovals();
                say('The plan ended. Its sheet shows your reason.');
              }}
            >
              <LongField label="Reason" hint="What should change." value={reason} onText={setReason} required />
            </Ask>
          </p>
        </>
      )}
      {open && missing > 0 && !may('approver') && <WhoApproves missing={missing} />}
      {payable && !may('preparer') && (
        <p class="notice noprint">All approvals are there. A preparer can pay or import it now.</p>
      )}
      <p class="buttons noprint">
        <button type="button" onClick={() => window.print()}>
          Print this page
        </button>
      </p>
    </section>
  );
}

const isPayable = (upload: Upload): boolean => upload.state === 'approved' && !isPaying(upload) && !upload.lapsed;

function Pay({ review, upload, act }: Deciding) {
  if (!may('preparer') || !isPayable(upload)) return null;
  const held = rowsOf(review.heldTotals);
  return (
    <div class="notice noprint" id="pay" tabIndex={-1}>
      <p>
        {isUnpaid(upload)
          ? 'All approvals are there, but the last try to pay it failed. The reason is above.'
          : 'All approvals are there.'}{' '}
        {review.rowsToSend > 0 && `Paying sends ${counted(review.rowsToSend, 'payment')}: ${sumsOf(review.totals)}.`}
        {held > 0 &&
          ` ${counted(held, 'row is', 'rows are')} held, and not sent before somebody releases ${named(held).it}: ${sumsOf(review.heldTotals)}.`}
      </p>
      <Ask
        main
        of={review.digest}
        button={
          review.rowsToSend > 0 ? `Pay ${counted(review.rowsToSend, 'row')} now` : 'Import it: nothing is sent now'
        }
        title={review.rowsToSend > 0 ? `Pay “${review.batch}”?` : `Import “${review.batch}”?`}
        confirm={review.rowsToSend > 0 ? `Pay ${counted(review.rowsToSend, 'row')}` : 'Import it'}
        action={async () => {
          const isStillHere = watchPage();
          await act('pay', { digest: review.digest });
          say('You began to pay it.');
          if (isStillHere()) go(pathOf('batches', review.batch));
        }}
      >
        <ul>
          {payingWords(review, session.value?.service ?? '').map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </Ask>
    </div>
  );
}

function WhoApproves({ missing }: { readonly missing: number }) {
  const settings = useLoaded<SettingsView>('/api/settings');
  if (settings.data === null) return <Waiting of={settings} />;
  const names = settings.data.approvers.map(({ name }) => name);
  return (
    <p class="notice">
      {names.length < missing ? (
        <>
          It waits for {counted(missing, 'approval')}, and{' '}
          {names.length === 0 ? 'nobody can approve yet' : `only ${joined(names)} can approve`}.{' '}
          {may('administrator') ? (
            <a href="/people">Invite an approver</a>
          ) : (
            'An administrator invites approvers on the page People.'
          )}
        </>
      ) : (
        <>
          It waits for {counted(missing, 'approval')}. Ask {joined(names, 'or')} to log in and to open it under To
          approve; a person who uploaded or changed the sheet cannot approve it. Nothing is sent before.
        </>
      )}
    </p>
  );
}

function Total({ total }: { readonly total: Review['totals'][number] }) {
  return (
    <tr>
      <th scope="row">{total.country === null ? 'several countries' : countryName(total.country)}</th>
      <td class="n">{money(total.amount, total.unit, total.currency)}</td>
      <td class="n">{count(total.rows)}</td>
      <td>{total.from === null ? 'the balance at the service' : countryName(total.from)}</td>
    </tr>
  );
}

const standingWords: { readonly [W in Review['standings'][number]['word']]?: string } = {
  paid: 'paid already, and not sent again',
  pending: 'sent already, and not sent again',
  'in doubt': 'in doubt, and not sent again',
  'paid twice': 'paid twice already, and not sent again',
  unpaid: 'unpaid, and not sent again by this plan',
  held: 'held, and not sent by this plan',
  'not sent': 'not sent by this plan',
};

function Money({ review, isPast }: { readonly review: Review; readonly isPast: boolean }) {
  const held = rowsOf(review.heldTotals);
  return (
    <section>
      <h2>Money</h2>
      <Table label="Totals" heads={['To', { n: 'Amount' }, { n: 'Rows' }, 'From']}>
        {review.totals.map((total) => (
          <Total key={`${total.country}${total.from}${total.currency}${total.unit}`} total={total} />
        ))}
        {held > 0 && (
          <tr>
            <th scope="rowgroup" colSpan={4} class="warn">
              Held: not sent by this plan. A row that somebody releases after this payment needs no other approval. If
              somebody releases a row before it, make a new plan.
            </th>
          </tr>
        )}
        {review.heldTotals.map((total) => (
          <Total key={`held ${total.country}${total.from}${total.currency}${total.unit}`} total={total} />
        ))}
      </Table>
      <Words facts={[...review.totals, ...review.heldTotals].map(({ unit }) => unit)} />
      <p>
        {review.rowsToSend + held === 0 &&
          `This plan sends nothing. It makes this sheet the newest list of batch ${review.batch}. `}
        {counted(review.rows + review.skipped, 'row')} in the sheet:{' '}
        {[
          `${count(review.rowsToSend)} ${isPast ? 'to be sent by this plan' : 'would be sent'}`,
          ...(held > 0 ? [`${count(held)} held until somebody releases ${named(held).it}`] : []),
          ...(review.skipped > 0
            ? [`${count(review.skipped)} left out for ${named(review.skipped).its} mistakes`]
            : []),
          ...review.standings.map(({ word, rows }) => `${count(rows)} ${standingWords[word] ?? word}`),
        ].join(', ')}
        .
      </p>
    </section>
  );
}

const paidAlready = ({ repeatReason, repeatsTotal }: Review): number => (repeatReason === null ? 0 : repeatsTotal);

function DeclinedBefore({ review: { declinedBefore } }: { readonly review: Review }) {
  if (declinedBefore === null) return null;
  const { by, at, reason, file } = declinedBefore;
  return (
    <p class="failure">
      <strong>The plan of {file} was declined</strong> by {by}, <Moment at={at} />: {wholeSentence(reason)}
    </p>
  );
}

function Again({ review: { again, maker, rowsToSend } }: { readonly review: Review }) {
  if (again === null) return null;
  const { is, it, was } = named(rowsToSend);
  return (
    <section>
      <h2>Sent again</h2>
      <p class="notice warning" role="status">
        <strong>
          {counted(rowsToSend, 'row')} {was} sent before, and {is} unpaid.
        </strong>{' '}
        {again.reason === null
          ? 'The trail of the batch says why a preparer sends them again.'
          : `${maker} says why this plan sends ${it} again: ${wholeSentence(again.reason)}`}
      </p>
      <ul>
        {again.rows.map(({ row, payee, money, at, words }) => (
          <li key={row} class="warn">
            Row {row}, {payee}, {money}
            {at !== null && (
              <>
                , sent <Moment at={at} />
              </>
            )}
            : {wholeSentence(words)}
          </li>
        ))}
      </ul>
      {rowsToSend > again.rows.length && <p>And {counted(rowsToSend - again.rows.length, 'more row')} like these.</p>}
    </section>
  );
}

function Repeats({ review }: { readonly review: Review }) {
  const { repeats, repeatsTotal, repeatReason } = review;
  const paid = paidAlready(review);
  const { it } = named(paid);
  if (repeatsTotal === 0) return null;
  return (
    <section>
      <h2>{paid > 0 ? 'Looks paid already' : 'Looks like payments made lately'}</h2>
      {paid > 0 ? (
        <div class="failure" role="alert">
          <p>
            <strong>{alikeWords(paid)}.</strong> Check {it} first: this plan may pay {it} a second time.
          </p>
          <p>
            {review.maker} gave this reason to pay {it} again: {wholeSentence(repeatReason ?? '')}
          </p>
        </div>
      ) : (
        <p class="notice warning" role="status">
          <strong>{alikeWords(repeatsTotal)}.</strong> {owed}
        </p>
      )}
      <ul>
        {repeats.map(({ row, payee, money, words }) => (
          <li key={`${row} ${words}`} class={paid > 0 ? 'bad' : 'warn'}>
            Row {row}, {payee}, {money}: {wholeSentence(words)}
          </li>
        ))}
      </ul>
      {repeatsTotal > repeats.length && <p>And {counted(repeatsTotal - repeats.length, 'more row')} like these.</p>}
    </section>
  );
}

const owed = 'Check whether this money is owed as well, or was paid already.';

/** The sheet is checked again after other batches sent rows, so the check may find more than the plan has. */
function AlikeNow({ review, upload }: { readonly review: Review; readonly upload: Upload }) {
  const { id, state, looksPaid } = upload;
  if (looksPaid <= review.repeatsTotal || (state !== 'planned' && state !== 'approved')) return null;
  return (
    <p class="notice warning" role="status">
      In the newest check of the sheet, <strong>{alikeWords(looksPaid)}</strong>.{' '}
      <a href={`${pathOf('sheets', id)}?rows=all&warning=LOOKS_PAID`}>See {named(looksPaid).it} in the sheet’s table</a>
      . {owed}
    </p>
  );
}

const isOfPayees = ({ row, code }: Review['warnings'][number]): boolean => row === null && code === 'PAYEE_NEW';

const kindOf = ({ row, code, message }: Review['warnings'][number]) => (row === null ? message : code);

const isNotRepeat = ({ note }: Review['notes'][number]) => note !== 'pays-again';

function Warnings({ review, upload }: { readonly review: Review; readonly upload: Upload }) {
  const notes = review.notes.filter((note) => paidAlready(review) === 0 || isNotRepeat(note));
  const { id, counts } = upload;
  const large = counts.over50000;
  const odd = review.payeeRows;
  const oddShown = rowsShown(review);
  const warnings = review.warnings.filter((warning) => !isOfPayees(warning));
  const more = review.warningsTotal - review.warnings.length;
  const found = [warnings, notes, review.repeats, review.held, review.corrected, review.again?.rows ?? []];
  return (
    <section>
      <h2>To read before approving</h2>
      {odd + large === 0 && found.every((list) => list.length === 0) && (
        <p>Nothing unusual: no missing document, and no large difference from the last batch.</p>
      )}
      <ul>
        {review.corrected.map(({ row, payee, money, why, changes }) => (
          <li key={`corrected ${row}`} class="warn">
            Row {row}, {payee}, {money}: {changes !== '' && `${ended(changes)} `}
            {why !== null &&
              `It was held in batch ${review.batch}, and this plan sends it. Why it was held: ${wholeSentence(why)}`}
          </li>
        ))}
        {review.correctedRows > review.corrected.length && (
          <li>And {counted(review.correctedRows - review.corrected.length, 'more row')} corrected like these.</li>
        )}
        {review.notCompared > 0 && (
          <li class="warn">Payrun did not compare the last {counted(review.notCompared, 'row')} with the batch.</li>
        )}
        {review.held.map(({ row, payee, money, why, words }) => (
          <li key={`held ${row}`} class="warn">
            Row {row}, {payee}, {money}, is held: {words === '' ? `${why}.` : ended(words)}
          </li>
        ))}
        {rowsOf(review.heldTotals) > review.held.length && (
          <li>And {counted(rowsOf(review.heldTotals) - review.held.length, 'more row')} held like these.</li>
        )}
        {odd > 0 && (
          <li class="warn">
            {count(odd)} of {counted(review.rows, 'row')} {oneOrMany(odd, 'pays', 'pay')} a payee who was not paid
            before, or not to this account. “New and changed payees” below lists{' '}
            {oddShown < odd ? `the first ${count(oddShown)}` : named(odd).it}.
          </li>
        )}
        {large > 0 && (
          <li class="warn">
            {counted(large, 'row of the sheet is', 'rows of the sheet are')} above 50,000 ZAR:{' '}
            <a href={`${pathOf('sheets', id)}?rows=over_50000`}>see {named(large).it} in the sheet’s table</a>.
          </li>
        )}
        {notes.map(({ message }) => (
          <li key={message}>{wholeSentence(message)}</li>
        ))}
        {[...Map.groupBy(warnings, kindOf)].map(([kind, alike]) => (
          <li key={kind} class="warn">
            <Alike warnings={alike} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p>
          These are the first {count(review.warnings.length)} warnings. The sheet’s table has {count(more)} more.
        </p>
      )}
    </section>
  );
}

function Alike({ warnings }: { readonly warnings: Review['warnings'] }) {
  const [first] = warnings;
  if (first === undefined) return null;
  const { row, message } = first;
  if (row === null) return <>{wholeSentence(message)}</>;
  if (warnings.length === 1) return <>{`Row ${row}: ${wholeSentence(message)}`}</>;
  const rows = warnings.flatMap((one) => one.row ?? []);
  return (
    <>
      {rowsWords(rows)}, such as row {row}: {message}.
      <details>
        <summary>Each of them ({count(warnings.length)})</summary>
        <ul>
          {warnings.map((one) => (
            <li key={`${one.row} ${one.message}`}>
              Row {one.row}: {wholeSentence(one.message)}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Payees({ review }: { readonly review: Review }) {
  const { payees, payeeRows } = review;
  const shown = rowsShown(review);
  return (
    <section>
      <h2>New and changed payees</h2>
      {review.warnings.filter(isOfPayees).map(({ message }) => (
        <p class="warn" key={message}>
          {wholeSentence(message)} Payrun compares names for this. Accounts that were paid under another name are listed
          below. The service may know a payee that was never paid from here.
        </p>
      ))}
      {payees.length === 0 ? (
        <p>
          {review.repeatsTotal > 0
            ? 'No account is new or changed. The rows above can repeat payments even so.'
            : 'None: every payee has had a payment before, at the same account.'}
        </p>
      ) : (
        <Table label="New and changed payees" isGrouped heads={['Rows', 'Payee', 'Goes to']}>
          {[...Map.groupBy(payees, ({ kind, words }) => `${kind} ${words}`)].map(([key, alike]) => (
            <PayeesAlike key={key} payees={alike} />
          ))}
        </Table>
      )}
      <Words
        facts={[
          ...payees.map(({ kind }) => kind),
          ...review.warnings.map(({ code }) => code),
          ...review.totals.map(({ country }) => country),
        ]}
      />
      {payeeRows > shown && (
        <p>
          These are the first {count(shown)} of {counted(payeeRows, 'row')}: the sheet’s table shows them all.
        </p>
      )}
    </section>
  );
}

const rowsShown = ({ payees }: Review) => new Set(payees.map(({ row }) => row)).size;

function PayeesAlike({ payees }: { readonly payees: Review['payees'] }) {
  const [first] = payees;
  if (first === undefined) return null;
  const perPayee = [...Map.groupBy(payees, ({ name, destination }) => `${name} ${destination}`)];
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={3} class="why">
          <strong class={first.kind === 'new' ? undefined : 'warn'}>{wholeSentence(first.words)}</strong>{' '}
          {payees.length > 1 && `(${counted(perPayee.length, 'payee')}, ${counted(payees.length, 'row')})`}
        </th>
      </tr>
      {perPayee.map(([key, same]) => (
        <tr key={key}>
          <td>{rowsWords(same.map(({ row }) => row))}</td>
          <th scope="row">{same[0]?.name}</th>
          <td>{same[0]?.destination}</td>
        </tr>
      ))}
    </tbody>
  );
}

function Largest({ review, id }: { readonly review: Review; readonly id: string }) {
  const all = review.rowsToSend + rowsOf(review.heldTotals);
  return (
    <section>
      <h2>{review.largest.length < all ? 'Largest payments' : 'All payments, the largest of each currency first'}</h2>
      {review.largest.length < all && (
        <p>
          The {count(review.largest.length)} largest of the {counted(all, 'row')} that would be sent
          {all > review.rowsToSend && ', held rows included'}; <a href={`${pathOf('sheets', id)}?rows=all`}>all rows</a>{' '}
          are in the sheet’s table.
        </p>
      )}
      <Table label="Largest payments" heads={[{ n: 'Row' }, 'Payee', { n: 'Amount' }, 'Goes to', 'Reference']}>
        {review.largest.map((row) => (
          <tr key={row.row}>
            <td class="n">{row.row}</td>
            <th scope="row">
              {row.name}
              {row.held !== null && <strong class="warn"> held: {row.held}</strong>}
            </th>
            <td class="n">{row.money}</td>
            <td>{row.destination}</td>
            <td>{row.reference}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Facts({ review }: { readonly review: Review }) {
  return (
    <section>
      <h2>The plan</h2>
      <dl class="facts">
        <Fact name="Made by">
          {review.maker}, <Moment at={review.madeAt} />
        </Fact>
        <Fact name="Can be paid until">
          <Moment at={review.expiresAt} />
        </Fact>
        {review.series !== null && <Fact name="Series">{review.series}</Fact>}
        <Fact name="Pays at">
          {review.service.address}
          <p class="hint">The account that pays there: {review.service.account}. It is part of what is approved.</p>
        </Fact>
        {review.reading.length > 0 && (
          <Fact name="How it was read">
            {review.reading.map((note) => (
              <div key={note}>{note}</div>
            ))}
          </Fact>
        )}
        <Fact name="Digest">
          <code class="long">{review.digest}</code>
        </Fact>
      </dl>
      <p class="hint">
        The digest identifies the whole plan. Two people who compare it, on paper or by telephone, know that they have
        the same plan. Every approval is a signature over it, and any change of the sheet changes it.
      </p>
      <Words of={['API key']} />
    </section>
  );
}
