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
                  ? 'which Payrun uses to find a payment of it at the service'
                  : 'which Payrun uses to find the payment at the service'}
              </Fact>
            )}
            <Fact name="Row id">
              <code class="long">{life.key}</code>, which identifies the row in its batch. If the sheet has no id,
              Payrun makes one from the content of the row
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

const documentAt = (upload: string, name: string, sha256: string): string =>
  `/api/uploads/${upload}/documents/${encodeURIComponent(fileName(name))}?sha256=${sha256}`;

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
      `The account of the payee changed to ${destination}. Confirm that you asked the payee, by a telephone number or address that you already had, and that the new account is right. Releasing sends nothing: a preparer then continues the batch.`,
  },
  absent: {
    ...release,
    path: 'resolve',
    way: 'release-absent',
    means:
      'It is proven that the service has no payment with the tag of this row. If you release the row, it is sent when a preparer continues the batch. If it is not to be paid, leave it.',
  },
  repeat: {
    ...release,
    path: 'resolve',
    way: 'not-a-repeat',
    title: 'Release this row: it is no repeat',
    means:
      'Confirm that the row repeats no payment. If it does, the payee is paid twice. If it is not to be paid, leave it: it is not sent unless somebody releases it.',
  },
  twice: {
    path: 'resolve',
    way: 'known',
    button: 'It is dealt with',
    title: 'Its two payments are dealt with',
    confirm: 'Let the other rows continue',
    means:
      'Confirm that one of the two payments was stopped or returned, or that both are right. This row stays as it is. The other rows of the batch can continue.',
    done: 'Saved. The other rows continue when a preparer continues the batch.',
  },
  other: {
    path: 'resolve',
    way: 'not-paid',
    button: 'It was not paid',
    title: 'This row was not paid',
    confirm: 'Say that it was not paid',
    means: 'Confirm that nothing of this row was paid. If something was paid, the payee may be paid twice.',
    done: 'It counts as not paid, and may be released.',
  },
  reopen: {
    path: 'reopen',
    button: 'Open this row again',
    confirm: 'Open it again',
    means: 'A person closed the row, so that it is not paid. If you open it again, it has its earlier state.',
    done: 'The row is open again, in its earlier state.',
  },
  paid: {
    path: 'resolve',
    way: 'paid',
    button: 'It was paid',
    title: 'This row was paid',
    confirm: 'Say that it was paid',
    means: 'Confirm that you saw, at the service or on a statement, that this row was paid.',
    done: 'It counts as paid by that payment.',
  },
  drop: {
    path: 'drop',
    button: 'Close this row unpaid',
    confirm: 'Close it',
    means:
      'The row is not paid, and its batch can end without it. The trail and the result show who closed it, and why. Only an approver who did not prepare the row can open it again.',
    done: 'It is closed, and nothing is paid for it.',
  },
};

function Decide(props: {
  readonly address: string;
  readonly batchPage: string;
  readonly life: RowLife;
  readonly onDone: () => Promise<void>;
}) {
  const { address, batchPage, life, onDone } = props;
  const { standing } = life;
  const [reason, setReason] = useState('');
  const [password, setPassword] = useState('');
  const [payment, setPayment] = useState('');
  const why = (
    <LongField label="Reason" hint="The trail shows it with your name." value={reason} onText={setReason} required />
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
  const { action } = life;
  const isDecided = action === 'release' || action === 'resolve' || action === 'reopen';
  const inBatch = <a href={batchPage}>its batch</a>;
  const decide =
    isDecided &&
    may('approver') &&
    ask(
      decisions[action === 'reopen' ? 'reopen' : (life.decides ?? 'other')],
      { password },
      action !== 'reopen' &&
        life.alike.map((words) => (
          <p key={words} class="notice warning">
            {words}
          </p>
        )),
    );
  return (
    <>
      {['retry', 'reconcile'].includes(action!) && !may('preparer') && <p class="quiet">A preparer can do it here.</p>}
      {action === 'resume' && (
        <p class="quiet">
          {may('preparer') ? 'You continue' : 'A preparer continues'} it on the page of {inBatch}.
        </p>
      )}
      {isDecided && !may('approver') && <p class="quiet">An approver decides on it, on this page.</p>}
      <div class="buttons">
        {action === 'retry' && may('preparer') && (
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
            <p>Payrun makes a plan of this row alone. The plan needs its approvals before it is paid.</p>
            {why}
          </Ask>
        )}
        {action === 'reconcile' && may('preparer') && (
          <Act
            action={async () => {
              await post(`${address}/reconcile`);
              await onDone();
              say('Payrun searches for the payment at the service. Nothing is sent.');
            }}
          >
            Search at the service again
          </Act>
        )}
        {action === 'release' && decide}
        {life.mayDrop && !may('viewer') && ask(decisions.drop, {})}
        {life.status === 'in doubt' &&
          (action === 'reconcile' || isDecided) &&
          may('approver') &&
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
        {action !== 'release' && decide}
      </div>
    </>
  );
}
