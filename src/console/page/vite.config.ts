/** Builds the page: one script and one style sheet, with nothing inline and nothing from other addresses. */
import { defineConfig } from 'vite';

export default defineConfig({
  // Uses an absolute path, which works on pages at any depth.
  base: '/',
  publicDir: false,
  // Builds the published form in tests too.
  oxc: { jsx: { development: false } },
  build: {
    // The server's content policy refuses inline data and the polyfill's inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
