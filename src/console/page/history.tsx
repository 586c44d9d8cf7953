/** Lists every sheet and batch, with a search. */
import type { BatchLine, SearchResult, UploadLine } from '../api.ts';
import { Search } from './fields.tsx';
import { BatchList, SheetList } from './home.tsx';
import { Table, Title, useLoaded, Waiting } from './parts.tsx';
import { PayeeTable } from './payees.tsx';
import { pathOf, place, setQuery } from './route.ts';
import { money } from './words.ts';

export function History() {
  const search = place.value.query.get('q') ?? '';
  return (
    <>
      <Title page="Batches">Batches</Title>
      <Search
        label="Search"
        hint="A batch, a sheet, a payee, a reference, a payment's id or a tag."
        value={search}
        onText={(q) => setQuery({ q })}
      />
      {search === '' ? <Everything /> : <Results search={search} />}
    </>
  );
}

function Everything() {
  const batches = useLoaded<readonly BatchLine[]>('/api/batches');
  const uploads = useLoaded<readonly UploadLine[]>('/api/uploads');
  const waiting = (uploads.data ?? []).filter(({ state }) => state !== 'batch');
  return (
    <>
      <Waiting of={batches} />
      {batches.data?.length === 0 && <p>No batch was paid yet. To begin, a preparer uploads a sheet on Home.</p>}
      <BatchList title="All batches" batches={batches.data ?? []} />
      <SheetList title="Sheets that are not paid" sheets={waiting} />
    </>
  );
}

function Results({ search }: { readonly search: string }) {
  const found = useLoaded<SearchResult>(`/api/search?${new URLSearchParams({ q: search }).toString()}`);
  const data = found.data;
  return (
    <>
      <Waiting of={found} />
      {data !== null && data.batches.length + data.uploads.length + data.payees.length + data.rows.length === 0 && (
        <p role="status">Nothing was found.</p>
      )}
      <BatchList title="Batches" batches={data?.batches ?? []} />
      <SheetList title="Sheets" sheets={data?.uploads ?? []} />
      {data !== null && data.payees.length > 0 && (
        <section>
          <h2>Payees</h2>
          <PayeeTable payees={data.payees} />
        </section>
      )}
      {data !== null && data.rows.length > 0 && (
        <section>
          <h2>Rows</h2>
          <Table label="Rows" heads={['Batch', 'Payee', 'Reference', { n: 'Amount' }, 'State']}>
            {data.rows.map((row) => (
              <tr key={`${row.batch} ${row.key}`}>
                <td>
                  <a href={pathOf('batches', row.batch)}>{row.batch}</a>
                </td>
                <th scope="row">
                  <a href={pathOf('batches', row.batch, 'rows', row.key)}>{row.name}</a>
                </th>
                <td>{row.reference}</td>
                <td class="n">{money(row.amount, row.unit, row.currency)}</td>
                <td>{row.status}</td>
              </tr>
            ))}
          </Table>
        </section>
      )}
    </>
  );
}
