/** Changes the program that a shared worker loads. Node loads it for all tests of the worker: `setup.ts` imports none of it. */
import { enableCompileCache, registerHooks } from 'node:module';
import { asPublished } from './as-published.ts';

const sources = new URL('../src/', import.meta.url).href;
const reader = `${sources}sheet/xlsx/process/reader.ts`;
const readsHere = new URL('sheet/here.ts', import.meta.url).href;
const areSet = Symbol.for('payrun: hooks');

if (!(areSet in globalThis)) {
  Object.assign(globalThis, { [areSet]: true });
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  registerHooks({
    // Workbooks are read in the test's own process: the process that the program starts for it has tests of its own.
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return found.url === reader ? { ...found, url: readsHere } : found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      return url.startsWith(sources)
        ? { ...loaded, source: asPublished(Buffer.from(loaded.source as Uint8Array).toString()) }
        : loaded;
    },
  });
}
