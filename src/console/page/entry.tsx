/** Shows the two entries: a link for a first or new password, or the login by name and password. */
import { useEffect, useState } from 'preact/hooks';
import type { Invitation, Session } from '../api.ts';
import { CodeField, Field, PasswordField } from './fields.tsx';
import { Failure, Form, Title } from './parts.tsx';
import { arrive, go, place } from './route.ts';
import { ended, post, RequestFailed, sentence, session } from './server.ts';
import { roleWords } from './words.ts';

export function Login() {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [wantsCode, setWantsCode] = useState(false);
  const login = async () => {
    try {
      session.value = await post<Session>('/api/login', { name, password, ...(code === '' ? {} : { code }) });
      ended.value = false;
      if (place.value.parts[0] === 'login') go('/', { replace: true });
      else arrive();
    } catch (error) {
      if (error instanceof RequestFailed && error.code === 'CODE_NEEDED') {
        setWantsCode(true);
        if (code === '') return;
      } else if (error instanceof RequestFailed && error.code === 'LOGIN_REFUSED' && !wantsCode)
        throw new Error('The name or the password is wrong. Check both, and try again.');
      throw error;
    }
  };
  return (
    <>
      <Title page="Log in">Log in</Title>
      {ended.value && <p role="status">Your session has ended. Log in again to continue where you were.</p>}
      {session.value?.empty === true && (
        <p>
          Nobody has an account yet. The console printed a link on the terminal when it started. Open that link to
          become the first administrator.
        </p>
      )}
      <Form label="Log in" button="Log in" action={login} class="narrow">
        <Field label="Name" value={name} onText={setName} autocomplete="username" required maxLength={64} focused />
        <PasswordField label="Password" use="now" value={password} onText={setPassword} />
        {wantsCode && (
          <CodeField
            label="One-time code"
            hint="The six digits that your authenticator app shows now."
            value={code}
            onText={setCode}
          />
        )}
      </Form>
      <p class="quiet">Password forgotten? Ask an administrator for a new link.</p>
    </>
  );
}

const isUsed = (error: unknown) => error instanceof RequestFailed && error.code === 'LINK_USED';

/** Links have the token after `#`, because browsers send that part to no server. A token after `?` works too. */
export function Join() {
  const [token] = useState(() => location.hash.slice(1) || (place.value.query.get('token') ?? ''));
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const first = session.value?.empty === true;
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (token !== '') post<Invitation>('/api/invitation', { token }).then(setInvitation, setFailure);
  }, [token]);
  const join = async () => {
    if (password !== again) throw new Error('The two passwords are not the same. Type both again.');
    try {
      session.value = await post<Session>('/api/join', { token, password, ...(first ? { name } : {}) });
    } catch (error) {
      if (isUsed(error)) setFailure(error);
      throw error;
    }
    go('/', { replace: true });
  };
  if (token === '')
    return (
      <>
        <Title page="Join">Join</Title>
        <p>
          The link is not complete. Copy all of it, with everything after the <code>#</code>, and open it again.
        </p>
      </>
    );
  if (isUsed(failure))
    return (
      <>
        <Title page="Join">This link no longer works</Title>
        <Failure>{sentence(failure)}</Failure>
        <p>
          If you set your password with this link, <a href="/login">log in</a> with your name and that password.
        </p>
      </>
    );
  // Shows no fields before the server has answered, because a link that is no longer valid needs none.
  if (invitation === null && failure === null) return <Title page="Join">Join</Title>;
  return (
    <>
      <Title page="Join">{first ? 'Make the first account' : 'Set your password'}</Title>
      <p>
        {first
          ? 'You become the first administrator. You invite the others, and set how many approvals are needed.'
          : 'This link is for one person, and works once.'}
      </p>
      {failure !== null && <Failure>{sentence(failure)}</Failure>}
      {invitation?.name != null && (
        <p class="notice">
          It is for <strong>{invitation.name}</strong>. Log in with that name, and with the password that you choose
          here. {roleWords[invitation.role]}.
          {invitation.role === 'approver' &&
            ' The password protects the key that signs your approvals. Nobody can reset it without your knowledge.'}
        </p>
      )}
      <Form button={first ? 'Make the account' : 'Set the password'} action={join} class="narrow">
        {first && (
          <Field
            label="Your name"
            hint="You log in with it, and others see it beside what you do."
            value={name}
            onText={setName}
            autocomplete="username"
            required
            maxLength={64}
          />
        )}
        <PasswordField label="Password" use="new" value={password} onText={setPassword} />
        <PasswordField label="The same password again" use="again" value={again} onText={setAgain} />
      </Form>
    </>
  );
}
