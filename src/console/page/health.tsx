/** Shows whether everything works that paying needs. */
import type { Health } from '../api.ts';
import { Words } from './glossary.tsx';
import { Act, Fact, Title, useLoaded, Waiting } from './parts.tsx';
import { may } from './server.ts';

export function HealthPage() {
  const health = useLoaded<Health>('/api/health');
  return (
    <>
      <Title page="Health">Health</Title>
      <Waiting of={health} />
      {health.data !== null && (
        <>
          <p>
            {health.data.checks.every(({ ok }) => ok)
              ? 'Everything works.'
              : `Something needs attention. ${may('administrator') ? 'See below.' : 'Tell an administrator.'}`}
          </p>
          <dl class="facts">
            {health.data.checks.map(({ what, ok, words }) => (
              <Fact key={what} name={what} class={ok ? 'good' : 'bad'}>
                {ok ? 'good' : 'needs attention'}: {words}
              </Fact>
            ))}
          </dl>
          <Words of={['ledger', 'API key', 'policy']} />
        </>
      )}
      <Act action={health.reload}>Look again</Act>
    </>
  );
}
