/** Shows the deposits that a batch needs, with every detail unchanged. */
import type { FundingLine } from '../api.ts';
import { Copy, Fact, Title, useLoaded, Waiting } from './parts.tsx';
import { pathOf } from './route.ts';
import { session } from './server.ts';
import { amountOf, counted, countryName, detailName } from './words.ts';

export function FundingPage({ name }: { readonly name: string }) {
  const funding = useLoaded<readonly FundingLine[]>(`/api/batches/${encodeURIComponent(name)}/funding`);
  const waiting = funding.data ?? [];
  const due = waiting.filter(({ details }) => details.length > 0);
  const untold = waiting.reduce((sum, { rows, details }) => sum + (details.length === 0 ? rows : 0), 0);
  return (
    <>
      <Title page={`Funding of ${name}`}>
        Funding of <a href={pathOf('batches', name)}>{name}</a>
      </Title>
      <p>
        Some rows are paid from money that you send to the service first. This page shows how much to send, and where
        to.
      </p>
      {session.value?.service === 'sandbox' && (
        <p class="notice">
          This is practice: deposit nothing. The sandbox invents these accounts. After a while, it continues as if the
          money had arrived.
        </p>
      )}
      <Waiting of={funding} />
      {due.length === 0 && funding.data !== null && (
        <p class="notice">
          Nothing is to be deposited{untold === 0 ? ': no payment of this batch waits for money.' : ' yet.'}
        </p>
      )}
      {untold > 0 && (
        <p class="notice">
          {counted(untold, 'row waits', 'rows wait')} for money. The service has not named an account for it yet.
        </p>
      )}
      {due.length > 0 && (
        <p>
          Copy each line exactly. The service cannot match a deposit with another reference or amount to its payments.
        </p>
      )}
      {due.map((line, at) => (
        <section key={`${at}`} class="whole">
          <h2>
            {amountOf(line.amount)} {line.currency}
            {line.source !== null && ` from ${countryName(line.source)}`}
          </h2>
          <p>{counted(line.rows, 'row waits', 'rows wait')} for it.</p>
          <dl class="facts">
            {line.details.map(({ label, value }) => (
              <Fact key={label} name={detailName(label)}>
                <code class="long">{value}</code> <Copy text={value} what={detailName(label)} />
              </Fact>
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
