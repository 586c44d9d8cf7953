/** What to deposit where, to the letter, so that a batch's payments can be paid out. */
import type { FundingLine } from '../api.ts';
import { Copy, Title, useLoaded, Waiting } from './parts.tsx';
import { pathOf } from './route.ts';
import { amountOf, counted, countryName } from './words.ts';

export function FundingPage({ name }: { readonly name: string }) {
  const funding = useLoaded<readonly FundingLine[]>(`/api/batches/${encodeURIComponent(name)}/funding`);
  return (
    <>
      <Title page={`Funding of ${name}`}>
        Funding of <a href={pathOf('batches', name)}>{name}</a>
      </Title>
      <p>
        Rows that say where their money comes from are paid once you have sent that money to the service: here stands
        how much, and where to.
      </p>
      <Waiting of={funding} />
      {funding.data?.length === 0 && (
        <p class="notice">Nothing is to be deposited: no payment of this batch waits for money.</p>
      )}
      {funding.data !== null && funding.data.length > 0 && (
        <p>Copy each line as it stands: a deposit with another reference or amount is not matched to its payments.</p>
      )}
      {funding.data?.map((line, at) => (
        <section key={`${at}`} class="whole">
          <h2>
            {amountOf(line.amount)} {line.currency}
            {line.source !== null && ` from ${countryName(line.source)}`}
          </h2>
          <p>
            {counted(line.rows, 'row')}, {line.state}.
          </p>
          <dl class="facts">
            {line.details.map(({ label, value }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  <code class="long">{value}</code> <Copy text={value} what={label} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p class="buttons noprint">
        <button type="button" onClick={() => window.print()}>
          Print this page
        </button>
      </p>
    </>
  );
}
