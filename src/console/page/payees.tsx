/** Who was paid, and each payee's payments over all batches. */
import type { Payee } from '../api.ts';
import { Field, Heads, Moment, Scroll, Title, useLoaded, Waiting } from './parts.tsx';
import { pathOf, place, setQuery } from './route.ts';
import { money } from './words.ts';

export function Payees() {
  const search = place.value.query.get('q') ?? '';
  const payees = useLoaded<readonly Payee[]>(`/api/payees?${new URLSearchParams({ q: search }).toString()}`);
  return (
    <>
      <Title page="Payees">Payees</Title>
      <Field label="Name" type="search" value={search} onText={(q) => setQuery({ q })} />
      <Waiting of={payees} />
      {payees.data?.length === 0 && (
        <p role="status">{search === '' ? 'Nobody was paid yet.' : 'No payee has such a name.'}</p>
      )}
      {payees.data !== null && payees.data.length > 0 && (
        <section aria-label="Payees">
          <PayeeNames payees={payees.data} />
        </section>
      )}
    </>
  );
}

/** Each leads to what it was paid. */
export function PayeeNames({ payees }: { readonly payees: readonly Pick<Payee, 'key' | 'name'>[] }) {
  return (
    <ul>
      {payees.map(({ key, name }) => (
        <li key={key}>
          <a href={pathOf('payees', key)}>{name}</a>
        </li>
      ))}
    </ul>
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
        <Scroll label="Payments">
          <table>
            <caption>Payments, newest first</caption>
            <Heads of={['When', 'Row', 'Reference', 'Went to', { n: 'Amount' }, 'State']} />
            <tbody>
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
                  <td>{payment.reference}</td>
                  <td>{payment.destination}</td>
                  <td class="n">{money(payment.amount, payment.unit, payment.currency)}</td>
                  <td>{payment.status}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </>
  );
}
