/** Shows the settings and their sources, and lets administrators set how many approvals are needed. */
import { useState } from 'preact/hooks';
import { sumWords } from '../../messages/format/numbers.ts';
import type { Requests, SettingsView } from '../api.ts';
import { Field, Select } from './fields.tsx';
import { Words } from './glossary.tsx';
import { Fact, Form, say, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { may, post } from './server.ts';
import { count, counted } from './words.ts';

type Policy = Requests['policy'];
type Step = Policy['currencies'][number]['row'][number];
const scopes = [
  { value: 'row', words: 'row', above: (money: string) => `A row above ${money}` },
  { value: 'batch', words: 'whole batch', above: (money: string) => `A batch above ${money}` },
  { value: 'day', words: 'whole day', above: (money: string) => `More than ${money} on one day` },
] as const;
const currencies = ['ZAR', 'NGN', 'KES', 'BTC', 'USDT'] as const;

export function Settings() {
  const settings = useLoaded<SettingsView>('/api/settings');
  const view = settings.data;
  return (
    <>
      <Title page="Settings">Settings</Title>
      <Waiting of={settings} />
      {view !== null && (
        <>
          <dl class="facts">
            <Fact name="Pays at">{view.service === 'sandbox' ? 'the sandbox: no real money' : view.service}</Fact>
            <Fact name="Ledger">
              <code>{view.ledger}</code>
            </Fact>
          </dl>
          <section>
            <h2>Approvals</h2>
            {view.policyFile !== null ? (
              <p>
                The policy is the file <code>{view.policyFile}</code>. It is changed only there, never on this page.
              </p>
            ) : (
              <>
                <PolicyWords policy={view.policy} />
                {may('administrator') && (
                  <PolicyForm
                    key={JSON.stringify(view.policy)}
                    policy={view.policy}
                    approvers={view.approvers.length}
                    onSaved={() => void settings.reload()}
                  />
                )}
              </>
            )}
            <h3>Who may approve</h3>
            <p class="hint">Each approver signs approvals with a key. This is the fingerprint of the key.</p>
            <Words of={['fingerprint', 'policy', 'ledger']} />
            {view.approvers.length === 0 ? (
              <p>
                Nobody yet.{' '}
                {may('administrator') ? (
                  <a href="/people">Invite an approver</a>
                ) : (
                  'An administrator invites approvers.'
                )}
              </p>
            ) : (
              <Table label="Approvers" heads={['Name', 'Key']}>
                {view.approvers.map(({ name, fingerprint }) => (
                  <tr key={fingerprint}>
                    <th scope="row">{name}</th>
                    <td>
                      <code>{fingerprint}</code>
                    </td>
                  </tr>
                ))}
              </Table>
            )}
          </section>
          <section>
            <h2>Settings in force</h2>
            <p>
              This page only shows them. The person who runs the machine sets them; the manual of Payrun explains each
              setting (<code>docs/reference/settings.md</code>).
            </p>
            <details>
              <summary>Show all {count(view.settings.length)}</summary>
              <Table label="Settings in force" heads={['Setting', 'Now', 'Said by']}>
                {view.settings.map(({ name, means, value, from }) => (
                  <tr key={name}>
                    <th scope="row">
                      {means}
                      <br />
                      <code>{name}</code>
                    </th>
                    <td>{value}</td>
                    <td>{from}</td>
                  </tr>
                ))}
              </Table>
            </details>
          </section>
        </>
      )}
    </>
  );
}

function PolicyWords({ policy }: { readonly policy: Policy | null }) {
  if (policy === null) return <p>No policy is set: one approval is needed for every plan.</p>;
  const lines = policy.currencies.flatMap((one) =>
    scopes.flatMap(({ value, above }) =>
      one[value].map((step) => `${above(sumWords(one.currency, step.above))}: ${counted(step.approvals, 'approval')}.`),
    ),
  );
  const rest = lines.length === 0 ? 'Every batch' : 'Every other batch, in any currency';
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      <li>
        {policy.otherwise === 0 ? (
          <strong>{rest}: no approval. A preparer pays it alone.</strong>
        ) : (
          `${rest}: ${counted(policy.otherwise, 'approval')}.`
        )}
      </li>
    </ul>
  );
}

interface Line extends Step {
  readonly currency: (typeof currencies)[number];
  readonly of: (typeof scopes)[number]['value'];
}

function PolicyForm(props: {
  readonly policy: Policy | null;
  readonly approvers: number;
  readonly onSaved: () => void;
}) {
  const { policy, approvers, onSaved } = props;
  const [otherwise, setOtherwise] = useState(String(policy?.otherwise ?? 1));
  const [lines, setLines] = useState<readonly Line[]>(() =>
    (policy?.currencies ?? []).flatMap(({ currency, ...steps }) =>
      scopes.flatMap(({ value }) => steps[value].map((step) => ({ currency, of: value, ...step }))),
    ),
  );
  const change = (at: number, to: Partial<Line>) =>
    setLines(lines.map((line, index) => (index === at ? { ...line, ...to } : line)));
  const save = async () => {
    const most = Math.max(Number(otherwise), ...lines.map(({ approvals }) => approvals));
    if (most > approvers)
      throw new Error(
        `${counted(most, 'approval')} would be needed, and ${counted(approvers, 'person', 'people')} can approve. Invite more approvers first (People). The list below shows who can approve.`,
      );
    const steps = (currency: string, of: Line['of']) =>
      lines
        .filter((line) => line.currency === currency && line.of === of)
        .map(({ above, approvals }) => ({ above: above.replaceAll(/[\s,.'’]/g, ''), approvals }));
    await post('/api/settings/policy', {
      was: policy,
      otherwise: Number(otherwise),
      currencies: currencies
        .filter((currency) => lines.some((line) => line.currency === currency))
        .map((currency) => ({
          currency,
          row: steps(currency, 'row'),
          batch: steps(currency, 'batch'),
          day: steps(currency, 'day'),
        })),
    });
    say('The approvals that are needed are saved.');
    onSaved();
  };
  return (
    <details>
      <summary>Change how many approvals are needed</summary>
      <Form
        label="How many approvals are needed"
        button="Save"
        action={save}
        extra={
          <button
            type="button"
            onClick={() => setLines([...lines, { currency: 'ZAR', of: 'row', above: '50000', approvals: 2 }])}
          >
            Add a threshold
          </button>
        }
      >
        {lines.map((line, at) => (
          <fieldset key={`${at}`}>
            <legend>Threshold {at + 1}</legend>
            <div class="row">
              <Select
                label="Of each"
                value={line.of}
                choices={scopes}
                onText={(of) => change(at, { of: of as Line['of'] })}
              />
              <Select
                label="Currency"
                value={line.currency}
                choices={currencies.map((value) => ({ value, words: value }))}
                onText={(currency) => change(at, { currency: currency as Line['currency'] })}
              />
              <Field
                label="Above"
                value={line.above}
                inputMode="numeric"
                required
                onText={(above) => change(at, { above })}
              />
              <Field
                label="Approvals"
                type="number"
                min={0}
                max={9}
                required
                value={String(line.approvals)}
                onText={(text) => change(at, { approvals: Number(text) })}
              />
              <button type="button" onClick={() => setLines(lines.filter((_, index) => index !== at))}>
                Remove threshold {at + 1}
              </button>
            </div>
          </fieldset>
        ))}
        <Field
          label="Approvals for every other batch"
          type="number"
          min={0}
          max={9}
          required
          value={otherwise}
          onText={setOtherwise}
        />
      </Form>
    </details>
  );
}
