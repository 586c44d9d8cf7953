/** Follows the address. It alone decides which page is open, so links, reloading and the back button work. */
import { signal } from '@preact/signals';

/** The addresses that have a page. A star stands for any part. */
export const addresses = [
  '/',
  '/login',
  '/join',
  '/sheets/*',
  '/sheets/*/review',
  '/batches',
  '/batches/*',
  '/batches/*/funding',
  '/batches/*/rows/*',
  '/payees',
  '/payees/*',
  '/trail',
  '/people',
  '/settings',
  '/health',
  '/account',
  '/words',
] as const;
export type Address = (typeof addresses)[number];

export interface Place {
  /** The decoded parts of the path: `/batches/2026-11/funding` has three. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export const place = signal(here());
let arrivals = 0;

/** False until the first navigation, because the first page takes no focus. */
export const hasMoved = (): boolean => arrivals > 0;

/** Returns a function that is true while the page stays open. A late result must not change to another page. */
export function watchPage(): () => boolean {
  const here = arrivals;
  return () => arrivals === here;
}

export function go(to: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', to);
  else history.pushState(null, '', to);
  arrive();
  window.scrollTo(0, 0);
}

export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  const text = query.toString();
  history.replaceState(null, '', `${location.pathname}${text === '' ? '' : `?${text}`}`);
  place.value = here();
}

/** Shows the rows that the query names, and moves the focus to their heading. */
export function showRowsOf(query: Parameters<typeof setQuery>[0]): void {
  setQuery(query);
  const title = document.getElementById('rows-title');
  title?.scrollIntoView();
  title?.focus({ preventScroll: true });
}

export function addressOf(parts: readonly string[]): Address | null {
  const fits = (words: readonly string[]) =>
    words.length === parts.length && words.every((word, index) => word === '*' || word === parts[index]);
  return addresses.find((address) => fits(address === '/' ? [] : address.slice(1).split('/'))) ?? null;
}

export const turnTo = (from: number) => setQuery({ from: from === 0 ? null : String(from) });

export const pathOf = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

export function followLinks(): void {
  addEventListener('popstate', arrive);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || link.hasAttribute('download') || link.target !== '' || link.origin !== location.origin) return;
    if (link.hash !== '' || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}

/** Shows the page of the address. Call it if the address stays the same, as after a login. */
export function arrive(): void {
  arrivals += 1;
  place.value = here();
}

function here(): Place {
  const parts = location.pathname.split('/').filter((part) => part !== '');
  return { parts: parts.map(decoded), query: new URLSearchParams(location.search) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
