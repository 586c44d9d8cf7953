/** Shows a person's own account: the password, and the one-time codes that the login may also ask for. */
import { useState } from 'preact/hooks';
import { CodeField, PasswordField } from './fields.tsx';
import { Copy, Form, say, Title } from './parts.tsx';
import { post, readSession, session } from './server.ts';
import { roleWords } from './words.ts';

export function Account() {
  const person = session.value?.person;
  return (
    <>
      <Title page="My account">My account</Title>
      <p>
        {person?.name}. {person != null && roleWords[person.role]}.
      </p>
      <Password />
      <Code />
    </>
  );
}

function Password() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const change = async () => {
    if (next !== again) throw new Error('The two new passwords are not the same. Type both again.');
    await post('/api/password', { current, next });
    await readSession();
    for (const set of [setCurrent, setNext, setAgain]) set('');
    say('Password changed.');
  };
  return (
    <section>
      <h2>Password</h2>
      <Form button="Change the password" action={change} class="narrow">
        <PasswordField label="Password now" use="now" value={current} onText={setCurrent} />
        <PasswordField label="New password" use="new" value={next} onText={setNext} />
        <PasswordField label="New password again" use="again" value={again} onText={setAgain} />
      </Form>
    </section>
  );
}

function Code() {
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const on = session.value?.person?.code === true;
  const turn = async (path: 'on' | 'off', body: object, done: string) => {
    await post(`/api/code/${path}`, body);
    await readSession();
    setSecret(null);
    setCode('');
    setPassword('');
    say(done);
  };
  const passwordField = <PasswordField label="Your password" use="now" value={password} onText={setPassword} />;
  return (
    <section>
      <h2>One-time code</h2>
      <p>
        {on
          ? 'Login asks you for a one-time code from your authenticator app.'
          : 'With a one-time code, nobody can log in as you with your password alone.'}
      </p>
      {on ? (
        <Form
          button="Stop asking for a code"
          class="narrow"
          action={() => turn('off', { password }, 'Login no longer asks for a one-time code.')}
        >
          {passwordField}
        </Form>
      ) : secret === null ? (
        <Form
          button="Set up a one-time code"
          action={async () => setSecret(await post<{ secret: string; uri: string }>('/api/code/begin'))}
        >
          {null}
        </Form>
      ) : (
        <Form
          button="Ask for it from now on"
          class="narrow"
          action={() => turn('on', { code, password }, 'Login asks for a one-time code from now on.')}
        >
          <p>
            In your authenticator app, add an account by key and type this: <code class="long">{secret.secret}</code>{' '}
            <Copy text={secret.secret} what="the key" /> On this device you can also{' '}
            <a href={secret.uri}>open the app</a>.
          </p>
          <CodeField label="The six digits that it shows now" value={code} onText={setCode} />
          {passwordField}
        </Form>
      )}
    </section>
  );
}
