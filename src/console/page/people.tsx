/** Lists the accounts, and lets an administrator invite people, change roles, make links and close accounts. */
import { useState } from 'preact/hooks';
import type { Person, Requests, Role } from '../api.ts';
import { Field, Select } from './fields.tsx';
import { Words } from './glossary.tsx';
import { Act, Ask, Copy, Form, Moment, say, Table, Title, useLoaded, Waiting } from './parts.tsx';
import { may, post, session } from './server.ts';
import { closingWords, roleWords } from './words.ts';

const choices = Object.keys(roleWords).map((role) => ({ value: role, words: role }));

interface Link {
  readonly name: string;
  readonly link: string;
}

export function People() {
  return (
    <>
      <Title page="People">People</Title>
      {may('administrator') ? (
        <Accounts />
      ) : (
        <p>
          Only an administrator invites people and changes their roles; you are {roleName()}. Your own account is under{' '}
          <a href="/account">your name</a>.
        </p>
      )}
    </>
  );
}

function roleName(): string {
  const role = session.value?.person?.role ?? 'viewer';
  return `${role === 'approver' ? 'an' : 'a'} ${role}`;
}

function Accounts() {
  const people = useLoaded<readonly Person[]>('/api/people', 5000);
  const [link, setLink] = useState<Link | null>(null);
  return (
    <>
      <Invite
        onLink={(made) => {
          setLink(made);
          void people.reload();
        }}
      />
      {link !== null && <Handed {...link} />}
      <Waiting of={people} />
      {people.data !== null && <Words of={['fingerprint']} />}
      {people.data !== null && (
        <Table
          label="Accounts"
          caption="Accounts"
          heads={['Name', 'Role', 'State', 'Last here', 'Fingerprint of the key that signs approvals', 'To do']}
        >
          {people.data.map((person) => (
            <Line
              key={person.id}
              person={person}
              people={people.data ?? []}
              onChange={() => void people.reload()}
              onLink={setLink}
            />
          ))}
        </Table>
      )}
    </>
  );
}

function Invite({ onLink }: { readonly onLink: (link: Link) => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('preparer');
  return (
    <section>
      <h2>Invite somebody</h2>
      <Form
        label="Invite somebody"
        button="Make the invitation"
        action={async () => {
          const { link } = await post<{ link: string }>('/api/people', { name, role });
          onLink({ name, link });
          setName('');
        }}
      >
        <Field
          label="Name"
          hint="They log in with it, and others see it beside what they do."
          value={name}
          onText={setName}
          required
          maxLength={64}
          autocomplete="off"
        />
        <RoleField role={role} onRole={setRole} />
      </Form>
    </section>
  );
}

function RoleField({ role, onRole }: { readonly role: Role; readonly onRole: (role: Role) => void }) {
  return (
    <>
      <Select label="Role" value={role} choices={choices} onText={(text) => onRole(text as Role)} />
      <p class="hint">{roleWords[role]}.</p>
    </>
  );
}

function Handed({ name, link }: Link) {
  return (
    <div class="notice" role="status">
      <p>
        Give this link to {name} yourself, in a way that you trust. It works once, within a day, and is not shown again.
        If it is lost or too old, choose New link beside the name. This link then ends.
      </p>
      <p>
        <code class="whole">{link}</code>
      </p>
      <p class="buttons">
        <Copy text={link} what="the link" />
      </p>
    </div>
  );
}

function Line(props: {
  readonly person: Person;
  readonly people: readonly Person[];
  readonly onChange: () => void;
  readonly onLink: (link: Link) => void;
}) {
  const { person, onChange, onLink } = props;
  const was = { role: person.role, active: person.active };
  const change = async (wanted: Partial<Requests['person']['is']>) =>
    await post(`/api/people/${person.id}`, { was, is: { ...was, ...wanted } });
  const setActive = async (active: boolean) => {
    await change({ active });
    say(`The account of ${person.name} is ${active ? 'open again' : 'closed'}.`);
    onChange();
  };
  const [role, setRole] = useState<Role>(person.role);
  const state = !person.active
    ? 'closed'
    : person.invited
      ? 'invited, link not used yet'
      : `active${person.code ? ', with one-time code' : ''}`;
  const self = session.value?.person?.name === person.name;
  return (
    <tr>
      <th scope="row">{person.name}</th>
      <td>{person.role}</td>
      <td>{state}</td>
      <td>
        <Moment at={person.lastSeenAt} />
      </td>
      <td>{person.fingerprint === null ? '–' : <code>{person.fingerprint}</code>}</td>
      <td>
        {self ? (
          <a href="/account">My account</a>
        ) : (
          <div class="buttons">
            <Ask
              button="Change role"
              title={`Another role for ${person.name}`}
              confirm="Change the role"
              action={async () => {
                await change({ role });
                say(`${person.name} is now ${role}.`);
                onChange();
              }}
            >
              <p>They are logged out, and log in again with the new role.</p>
              <RoleField role={role} onRole={setRole} />
            </Ask>
            <Ask
              button="New link"
              title={`A new link for ${person.name}`}
              confirm="Make the link"
              action={async () => {
                const { link } = await post<{ link: string }>(`/api/people/${person.id}/link`);
                onLink({ name: person.name, link });
                onChange();
              }}
            >
              <p>
                {person.invited
                  ? `The earlier link of ${person.name} then no longer works. The new one works once, within a day.`
                  : `For a forgotten password. The link works once, within a day. ${person.name} sets a new password with it, and is logged out everywhere. An approver also gets a new key, which the trail shows.`}
              </p>
            </Ask>
            {person.active ? (
              <Ask
                button="Close the account"
                label={`Close the account of ${person.name}`}
                title={`Close the account of ${person.name}?`}
                confirm="Close it"
                action={() => setActive(false)}
              >
                <ul>
                  {closingWords(person, props.people).map((words) => (
                    <li key={words}>{words}</li>
                  ))}
                </ul>
              </Ask>
            ) : (
              <Act action={() => setActive(true)} label={`Open the account of ${person.name}`}>
                Open it again
              </Act>
            )}
          </div>
        )}
      </td>
    </tr>
  );
}
