/** How the page is put together: one script and one style sheet, nothing inline and nothing from elsewhere. */
import { defineConfig } from 'vite';

export default defineConfig({
  // An absolute path works on every page.
  base: '/',
  publicDir: false,
  // The same form as published, also in tests.
  oxc: { jsx: { development: false } },
  build: {
    // The server's content policy refuses inline data and the polyfill's inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
