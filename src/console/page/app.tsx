/** Draws the frame around every page, and the page that the address names. */
import type { JSX } from 'preact';
import { Account } from './account.tsx';
import { BatchPage } from './batch.tsx';
import { Join, Login } from './entry.tsx';
import { FundingPage } from './funding.tsx';
import { Glossary } from './glossary.tsx';
import { HealthPage } from './health.tsx';
import { History } from './history.tsx';
import { Home } from './home.tsx';
import { Elsewhere, said, Title } from './parts.tsx';
import { PayeePage, Payees } from './payees.tsx';
import { People } from './people.tsx';
import { ReviewPage } from './review.tsx';
import { go, pathOf, place } from './route.ts';
import { RowPage } from './row-life.tsx';
import { lost, may, post, readSession, session } from './server.ts';
import { Settings } from './settings.tsx';
import { SheetPage } from './sheet.tsx';
import { Trail } from './trail.tsx';

export function App() {
  const { parts } = place.value;
  const known = session.value;
  const person = known?.person ?? null;
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header>
        <a class="name" href="/">
          Payrun
        </a>
        {person !== null && <Navigation />}
        {known !== null && (
          <span class="service">{known.service === 'sandbox' ? 'sandbox: no real money' : known.service}</span>
        )}
        {person !== null && (
          <span class="person">
            <a href="/account">{person.name}</a>, {person.role}{' '}
            <button type="button" onClick={() => void logout()}>
              Log out
            </button>
          </span>
        )}
      </header>
      {lost.value && (
        <p class="lost" role="alert">
          The server does not answer. What is being paid goes on where it can, and nothing is lost: this page connects
          again by itself.
        </p>
      )}
      <main id="main" key={parts.join('/')}>
        {known === null ? (
          <p class="quiet">Connecting …</p>
        ) : parts[0] === 'join' && person === null ? (
          <Join />
        ) : person === null ? (
          <Login />
        ) : (
          pageAt(parts)
        )}
      </main>
      <footer>
        <p role="status" class="said">
          {said.value}
        </p>
        {known !== null && (
          <p class="quiet">
            {person !== null && <a href="/words">What the words mean</a>} Payrun {known.version}
          </p>
        )}
      </footer>
    </>
  );
}

function pageAt(parts: readonly string[]): JSX.Element {
  const [first = '', second, third, fourth] = parts;
  if (first === '' || first === 'login' || first === 'join') return <Home />;
  if (first === 'sheets' && second !== undefined && third === undefined) return <SheetPage id={second} />;
  if (first === 'sheets' && second !== undefined && third === 'review') return <ReviewPage key={second} id={second} />;
  if (first === 'batches' && second === undefined) return <History />;
  if (first === 'batches' && second !== undefined && third === undefined) return <BatchPage name={second} />;
  if (first === 'batches' && second !== undefined && third === 'funding') return <FundingPage name={second} />;
  if (first === 'batches' && second !== undefined && third === 'rows' && fourth !== undefined)
    return <RowPage key={`${second} ${fourth}`} batch={second} row={fourth} />;
  if (first === 'payees') return second === undefined ? <Payees /> : <PayeePage payee={second} />;
  const pages: Readonly<Record<string, () => JSX.Element>> = {
    trail: Trail,
    people: People,
    settings: Settings,
    health: HealthPage,
    account: Account,
    words: Glossary,
  };
  const Page = second === undefined ? pages[first] : undefined;
  return Page === undefined ? <Nowhere /> : <Page />;
}

function Navigation() {
  const [first = ''] = place.value.parts;
  const pages = [
    ['', 'Home'],
    ['batches', 'Batches'],
    ['payees', 'Payees'],
    ['trail', 'Trail'],
    ...(may('administrator') ? [['people', 'People']] : []),
    ['settings', 'Settings'],
    ['health', 'Health'],
  ] as const;
  return (
    <nav aria-label="Pages">
      <ul>
        {pages.map(([path = '', words]) => (
          <li key={path}>
            <a href={path === '' ? '/' : pathOf(path)} aria-current={first === path ? 'page' : undefined}>
              {words}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Nowhere() {
  return (
    <>
      <Title page="No such page">No such page</Title>
      <p>Nothing stands at this address.</p>
      <Elsewhere />
    </>
  );
}

async function logout(): Promise<void> {
  await post('/api/logout').catch(() => null);
  await readSession().catch(() => null);
  go('/login');
}
