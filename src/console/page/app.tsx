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
import { type Address, addressOf, go, pathOf, place } from './route.ts';
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
        <p class="failure" role="alert">
          The server does not answer. Nothing is lost: the service continues with the payments that it has. This page
          connects again by itself.
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
      <p role="status" class="said">
        {said.value}
      </p>
      <footer>
        {known !== null && (
          <p class="quiet">
            {person !== null && <a href="/words">What the words mean</a>} Payrun {known.version}
          </p>
        )}
      </footer>
    </>
  );
}

const pages: { readonly [A in Address]: (...parts: readonly string[]) => JSX.Element } = {
  '/': () => <Home />,
  '/login': () => <Home />,
  '/join': () => <Home />,
  '/sheets/*': (id = '') => <SheetPage id={id} />,
  '/sheets/*/review': (id = '') => <ReviewPage key={id} id={id} />,
  '/batches': () => <History />,
  '/batches/*': (name = '') => <BatchPage name={name} />,
  '/batches/*/funding': (name = '') => <FundingPage name={name} />,
  '/batches/*/rows/*': (batch = '', row = '') => <RowPage key={`${batch} ${row}`} batch={batch} row={row} />,
  '/payees': () => <Payees />,
  '/payees/*': (payee = '') => <PayeePage payee={payee} />,
  '/trail': () => <Trail />,
  '/people': () => <People />,
  '/settings': () => <Settings />,
  '/health': () => <HealthPage />,
  '/account': () => <Account />,
  '/words': () => <Glossary />,
};

function pageAt(parts: readonly string[]): JSX.Element {
  const address = addressOf(parts);
  if (address === null) return <Nowhere />;
  const words = address.slice(1).split('/');
  return pages[address](...parts.filter((_, index) => words[index] === '*'));
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
      <p>There is no page at this address.</p>
      <Elsewhere />
    </>
  );
}

async function logout(): Promise<void> {
  await post('/api/logout').catch(() => null);
  await readSession().catch(() => null);
  go('/login');
}
