/** Lists the payees, and for each the payments of all batches. */
import type { Payee, PayeeLine } from '../api.ts';
import { Search } from './fields.tsx';
import { Moment, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { pathOf, place, setQuery } from './route.ts';
import { counted, money, wholeSentence } from './words.ts';

export function Payees() {
  const search = place.value.query.get('q') ?? '';
  const payees = useLoaded<readonly PayeeLine[]>(`/api/payees?${new URLSearchParams({ q: search }).toString()}`);
  return (
    <>
      <Title page="Payees">Payees</Title>
      <Search label="Name" value={search} onText={(q) => setQuery({ q })} />
      <Waiting of={payees} />
      {payees.data?.length === 0 && (
        <p role="status">{search === '' ? 'Nobody was paid yet.' : 'No payee has such a name.'}</p>
      )}
      {payees.data !== null && payees.data.length > 0 && <PayeeTable payees={payees.data} />}
    </>
  );
}

export function PayeeTable({ payees }: { readonly payees: readonly PayeeLine[] }) {
  return (
    <Table label="Payees" heads={['Payee', 'Last paid', 'Rows', 'Goes to']}>
      {payees.map(({ key, name, paidAt, rows, destination }) => (
        <tr key={key}>
          <th scope="row">
            <a href={pathOf('payees', key)}>{name}</a>
          </th>
          <td>{paidAt === null ? 'never' : <Moment at={paidAt} />}</td>
          <td>{counted(rows, 'row')}</td>
          <td>{destination}</td>
        </tr>
      ))}
    </Table>
  );
}

export function PayeePage({ payee }: { readonly payee: string }) {
  const loaded = useLoaded<Payee>(`/api/payees/${encodeURIComponent(payee)}`);
  const name = loaded.data?.name ?? 'Payee';
  return (
    <>
      <Title page={name}>{name}</Title>
      <p>
        <a href="/payees">All payees</a>
      </p>
      <Waiting of={loaded} />
      {loaded.data !== null && (
        <Table
          label="Payments"
          caption="Payments, newest first"
          heads={['When', 'Row', { n: 'Amount' }, 'State', 'Reference', 'Went to']}
        >
          {loaded.data.payments.map((payment) => (
            <tr key={`${payment.batch} ${payment.row}`}>
              <td>
                <Moment at={payment.at} />
              </td>
              <th scope="row">
                <a href={pathOf('batches', payment.batch, 'rows', payment.row)}>
                  Row {payment.number} of {payment.batch}
                </a>
              </th>
              <td class="n">{money(payment.amount, payment.unit, payment.currency)}</td>
              <td>{payment.status}</td>
              <td>{payment.reference}</td>
              <td>
                {payment.destination}
                {payment.moved && (
                  <div>
                    <strong class="warn">Another account than before.</strong>{' '}
                    {payment.released !== null && (
                      <>
                        Released{payment.released.by !== null && ` by ${payment.released.by}`},{' '}
                        <Moment at={payment.released.at} />: {wholeSentence(payment.released.why)}
                      </>
                    )}
                  </div>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}
