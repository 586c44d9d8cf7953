/** Shows one row: its history with reasons, its documents, and the decisions that a person may take. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Batch, Decides, Requests, RowLife } from '../api.ts';
import { Field, LongField, PasswordField } from './fields.tsx';
import { Words } from './glossary.tsx';
import { Act, Ask, Fact, Moment, say, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { go, pathOf, watchPage } from './route.ts';
import { may, post } from './server.ts';
import { fileName, meaningOf, money, wholeSentence } from './words.ts';

export function RowPage({ batch, row }: { readonly batch: string; readonly row: string }) {
  const address = `/api/batches/${encodeURIComponent(batch)}`;
  const loaded = useLoaded<RowLife>(`${address}/rows/${encodeURIComponent(row)}`, 5000);
  const life = loaded.data;
  return (
    <>
      <Title page={`Row ${life?.number ?? ''} of ${batch}`}>
        Row {life?.number} of <a href={pathOf('batches', batch)}>{batch}</a>
      </Title>
      <Waiting of={loaded} />
      {life !== null && (
        <>
          <p class={['paid twice', 'in doubt', 'held'].includes(life.status) ? 'warning' : 'notice'}>
            <strong>{life.status[0]?.toUpperCase() + life.status.slice(1)}.</strong> {meaningOf(life.status)}{' '}
            {[life.reason, life.next].map((one) => (one === null ? '' : `${wholeSentence(one)} `))}
          </p>
          {/* Another question gets an empty form, so that no click answers it with what was typed for this one. */}
          <Decide
            key={`${life.standing} ${life.decides}`}
            address={address}
            batchPage={pathOf('batches', batch)}
            life={life}
            onDone={loaded.reload}
          />
          <dl class="facts">
            <Fact name="Payee">
              <a href={pathOf('payees', life.payee)}>{life.name}</a>
            </Fact>
            <Fact name="Goes to">{life.destination}</Fact>
            <Fact name="Amount">{money(life.amount, life.unit, life.currency)}</Fact>
            <Fact name="Reference">{life.reference}</Fact>
            {life.paymentId !== null && (
              <Fact name="Payment">
                <code>{life.paymentId}</code>
                {life.paymentStatus !== null && `, which the service calls ${life.paymentStatus}`}
              </Fact>
            )}
            {life.tag !== null && (
              <Fact name="Tag">
                <code>{life.tag}</code>,{' '}
                {life.paymentId === null
                  ? 'by which its payment is to be found at the service, once there is one'
                  : 'by which the payment is found at the service'}
              </Fact>
            )}
            <Fact name="Row id">
              <code class="long">{life.key}</code>, by which the row is known in its batch; where the sheet gives none,
              it is made of what the row says
            </Fact>
          </dl>
          {life.documents.length > 0 && (
            <section>
              <h2>Documents</h2>
              <ul>
                {life.documents.map(({ name, state, sha256, upload }) => (
                  <li key={`${name}${sha256}`}>
                    {upload === null || may('viewer') ? (
                      name
                    ) : (
                      <a href={documentAt(upload, name, sha256)} download>
                        {name}
                      </a>
                    )}{' '}
                    {state}. SHA-256 <code class="long">{sha256}</code>
                  </li>
                ))}
              </ul>
            </section>
          )}
          <section>
            <h2>What happened</h2>
            <Table label="What happened" heads={['When', 'What', 'Who']}>
              {life.moves.map(({ at, words, by }) => (
                <tr key={`${at}${words}`}>
                  <td>
                    <Moment at={at} exact />
                  </td>
                  <td>{words}</td>
                  <td>{by ?? '–'}</td>
                </tr>
              ))}
            </Table>
            <Words of={['imported', 'merchant']} />
          </section>
        </>
      )}
    </>
  );
}

function documentAt(upload: string, name: string, sha256: string): string {
  return `/api/uploads/${upload}/documents/${encodeURIComponent(fileName(name))}?sha256=${sha256}`;
}

interface Decision {
  readonly path: 'release' | 'resolve' | 'reopen' | 'drop';
  /** The decision that the button sends to `resolve`. */
  readonly way?: Requests['resolve']['way'];
  readonly button: string;
  readonly title?: string;
  readonly confirm: string;
  readonly means: string | ((life: RowLife) => string);
  readonly done: string;
}

const release = {
  button: 'Release this row',
  confirm: 'Release it',
  done: 'Released. It is sent when a preparer continues the batch.',
};

const decisions: { readonly [D in Decides | 'reopen' | 'paid' | 'drop']: Decision } = {
  account: {
    ...release,
    path: 'release',
    means: ({ destination }) =>
      `Its payee’s account changed. You have asked the payee, by a telephone number or address that you already had, and the new account is right: ${destination}. Nothing is sent by releasing it: a preparer then continues the batch.`,
  },
  absent: {
    ...release,
    path: 'resolve',
    way: 'release-absent',
    means:
      'It was proven that no payment at the service bears its tag. Once it is released, it is sent when a preparer continues the batch. If it shall not be paid, leave it.',
  },
  repeat: {
    ...release,
    path: 'resolve',
    way: 'not-a-repeat',
    title: 'Release this row: it is no repeat',
    means:
      'You have made sure that it repeats nothing, however alike: if that is wrong, the payee is paid twice. If it shall not be paid, leave it: it is not sent unless somebody releases it.',
  },
  twice: {
    path: 'resolve',
    way: 'known',
    button: 'It is dealt with',
    title: 'Its two payments are dealt with',
    confirm: 'Let the other rows go on',
    means:
      'You have seen to it that one of the two payments is stopped or returned, or both are right. The row stays as it is; the other rows of the batch go on.',
    done: 'Noted: the other rows go on when a preparer continues the batch.',
  },
  other: {
    path: 'resolve',
    way: 'not-paid',
    button: 'It was not paid',
    title: 'This row was not paid',
    confirm: 'Say that it was not paid',
    means: 'You have made sure that nothing of it was paid: if that is wrong, the payee may be paid twice.',
    done: 'It counts as not paid, and may be released.',
  },
  reopen: {
    path: 'reopen',
    button: 'Open this row again',
    confirm: 'Open it again',
    means: 'A person closed the row: it was not to be paid. Opened again, it is what it was before.',
    done: 'It is open again, and is what it was before.',
  },
  paid: {
    path: 'resolve',
    way: 'paid',
    button: 'It was paid',
    title: 'This row was paid',
    confirm: 'Say that it was paid',
    means: 'You have seen, at the service or on a statement, that this row was paid.',
    done: 'It counts as paid by that payment.',
  },
  drop: {
    path: 'drop',
    button: 'Do not pay this row',
    confirm: 'It is not to be paid',
    means:
      'Nothing is paid for it: the row is closed, and its batch can end without it. Who closed it, and why, stands in the trail and the result. It is paid after all only if an approver who did not prepare it opens it again.',
    done: 'It is closed, and nothing is paid for it.',
  },
};

function Decide({
  address,
  batchPage,
  life,
  onDone,
}: {
  readonly address: string;
  readonly batchPage: string;
  readonly life: RowLife;
  readonly onDone: () => Promise<void>;
}) {
  const [reason, setReason] = useState('');
  const [password, setPassword] = useState('');
  const [payment, setPayment] = useState('');
  const { standing } = life;
  const why = (
    <LongField
      label="Reason"
      hint="It stands in the trail, under your name."
      value={reason}
      onText={setReason}
      required
    />
  );
  const ask = ({ path, way, means, done, ...words }: Decision, body: object, fields: ComponentChildren = null) => (
    <Ask
      {...words}
      action={async () => {
        await post(`${address}/${path}`, { ...body, way, row: life.key, reason, standing });
        setPassword('');
        setReason('');
        await onDone();
        say(done);
      }}
    >
      <p>{typeof means === 'string' ? means : means(life)}</p>
      {fields}
      {why}
      {path !== 'drop' && <PasswordField label="Your password" use="now" value={password} onText={setPassword} />}
    </Ask>
  );
  const drop = life.mayDrop && !may('viewer') && ask(decisions.drop, {});
  if (life.action === 'retry')
    return (
      <p class="buttons">
        {may('preparer') ? (
          <Ask
            button="Try this row again"
            confirm="Try it again"
            action={async () => {
              const isStillHere = watchPage();
              const { upload } = await post<Batch>(`${address}/retry`, { rows: [life.key], reason, standing });
              say('A plan is made of it.');
              if (upload !== null && isStillHere()) go(pathOf('sheets', upload, 'review'));
            }}
          >
            <p>A plan is made of this row alone; it is approved like the first one, and then paid.</p>
            {why}
          </Ask>
        ) : (
          <span class="quiet">A preparer can try it again.</span>
        )}
        {drop}
      </p>
    );
  const look = may('preparer') ? (
    <p class="buttons">
      <Act
        action={async () => {
          await post(`${address}/reconcile`);
          await onDone();
          say('The service is asked for its payments. Nothing is sent by looking.');
        }}
      >
        Look at the service again
      </Act>
    </p>
  ) : (
    <p class="quiet">
      A preparer looks at the service again, here or on the page of <a href={batchPage}>its batch</a>.
    </p>
  );
  if (life.action === null || life.action === 'resume')
    return (
      <>
        {life.action === 'resume' && (
          <p class="quiet">
            {may('preparer') ? 'You go' : 'A preparer goes'} on with it on the page of <a href={batchPage}>its batch</a>
            .
          </p>
        )}
        {drop && <p class="buttons">{drop}</p>}
      </>
    );
  if (!may('approver'))
    return life.action === 'reconcile' ? (
      look
    ) : (
      <>
        <p class="quiet">An approver decides on it, on this page.</p>
        {drop}
      </>
    );
  const decision = decisions[life.action === 'reopen' ? 'reopen' : (life.decides ?? 'other')];
  const decide = ask(
    decision,
    { password },
    decision.path !== 'reopen' &&
      life.alike.map((words) => (
        <p key={words} class="notice warning">
          {words}
        </p>
      )),
  );
  return (
    <>
      {life.action === 'reconcile' && look}
      <p class="buttons">
        {life.action === 'release' && decide}
        {drop}
        {life.status === 'in doubt' &&
          ask(
            decisions.paid,
            { payment, password },
            <Field
              label="Payment"
              hint="Its id at the service."
              value={payment}
              onText={setPayment}
              required
              maxLength={200}
            />,
          )}
        {(life.action === 'resolve' || life.action === 'reopen') && decide}
      </p>
    </>
  );
}
