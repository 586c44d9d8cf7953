/** Which page is open, without a browser: what was begun on a page, and ends when another one is open, leads nobody away. */
import { beforeEach, expect, it, vi } from 'vitest';

let route: typeof import('../../../src/console/page/route.ts');
beforeEach(async () => {
  const location = { pathname: '/', search: '', hash: '', origin: 'http://console.test' };
  const open = (_state: null, _unused: string, to: string) => {
    const { pathname, search } = new URL(to, location.origin);
    Object.assign(location, { pathname, search });
  };
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { pushState: open, replaceState: open });
  vi.stubGlobal('window', { scrollTo: () => {} });
  vi.resetModules();
  route = await import('../../../src/console/page/route.ts');
  return () => vi.unstubAllGlobals();
});

it.each<readonly [string, isStillHere: boolean, steps: () => void]>([
  ['stays', true, () => {}],
  ['filters what the page shows', true, () => route.setQuery({ q: 'Thandi' })],
  ['opens another page', false, () => route.go('/batches')],
  [
    'comes back to the page',
    false,
    () => {
      route.go('/batches');
      route.go('/');
    },
  ],
  ['goes back in the browser', false, () => route.arrive()],
])('of a person who %s it is known whether they are still there: %s', (_what, isStillHere, steps) => {
  const watched = route.watchPage();
  steps();
  expect(watched()).toBe(isStillHere);
});
