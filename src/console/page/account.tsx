/** Shows a person's own account: the password, and the one-time codes that the login may also ask for. */
import { useState } from 'preact/hooks';
import { passwordHint } from './entry.tsx';
import { Copy, Field, Form, say, Title } from './parts.tsx';
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
        <Field
          label="Password now"
          type="password"
          value={current}
          onText={setCurrent}
          autocomplete="current-password"
          required
        />
        <Field
          label="New password"
          hint={passwordHint}
          type="password"
          value={next}
          onText={setNext}
          autocomplete="new-password"
          required
          minLength={12}
        />
        <Field
          label="New password again"
          type="password"
          value={again}
          onText={setAgain}
          autocomplete="new-password"
          required
        />
      </Form>
    </section>
  );
}

function Code() {
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const on = session.value?.person?.code === true;
  const forget = () => {
    setSecret(null);
    setCode('');
    setPassword('');
  };
  const passwordField = (
    <Field
      label="Your password"
      type="password"
      value={password}
      onText={setPassword}
      autocomplete="current-password"
      required
    />
  );
  if (on)
    return (
      <section>
        <h2>One-time code</h2>
        <p>Login asks you for a one-time code from your authenticator app.</p>
        <Form
          button="Ask for no code any more"
          class="narrow"
          action={async () => {
            await post('/api/code/off', { password });
            await readSession();
            forget();
            say('Login asks for no one-time code any more.');
          }}
        >
          {passwordField}
        </Form>
      </section>
    );
  return (
    <section>
      <h2>One-time code</h2>
      <p>With a one-time code, a password that somebody else has learnt is not enough to log in as you.</p>
      {secret === null ? (
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
          action={async () => {
            await post('/api/code/on', { code, password });
            await readSession();
            forget();
            say('Login asks for a one-time code from now on.');
          }}
        >
          <p>
            In your authenticator app, add an account by key and type this: <code class="long">{secret.secret}</code>{' '}
            <Copy text={secret.secret} what="the key" /> On this device you can also{' '}
            <a href={secret.uri}>open the app</a>.
          </p>
          <Field
            label="The six digits that it shows now"
            value={code}
            onText={setCode}
            inputMode="numeric"
            autocomplete="one-time-code"
            pattern="[0-9]{6}"
            required
          />
          {passwordField}
        </Form>
      )}
    </section>
  );
}
