/** How the page is put together: one script and one style sheet, nothing inline and nothing from elsewhere. */
import { defineConfig } from 'vite';

export default defineConfig({
  // Where it is served, whatever the path of the page that asks.
  base: '/',
  publicDir: false,
  // As it is published, also where tests build it.
  oxc: { jsx: { development: false } },
  build: {
    // Inline data would be refused by the server's content policy, and so would the polyfill's inline script be.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
