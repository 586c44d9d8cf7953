/** Builds the page: one script and one style sheet, with nothing inline and nothing from other addresses. */
import { defineConfig } from 'vite';

export default defineConfig({
  // An absolute path works on pages at any depth.
  base: '/',
  publicDir: false,
  // Builds the same code in tests as for a release.
  oxc: { jsx: { development: false } },
  build: {
    // The server's content policy refuses inline data and the polyfill's inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2023',
  },
});
