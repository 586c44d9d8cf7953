/** Changes how a worker's Node loads the program. It comes before all modules of the program: `setup.ts` imports none. */
import { enableCompileCache, registerHooks } from 'node:module';

const sources = new URL('../src/', import.meta.url).href;
const reader = `${sources}sheet/xlsx/process/reader.ts`;
const here = new URL('sheet/here.ts', import.meta.url).href;
const areSet = Symbol.for('payrun: hooks');

if (!(areSet in globalThis)) {
  Object.assign(globalThis, { [areSet]: true });
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
  // The program starts its threads and processes as they are published (build-program.ts).
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith(sources)) return loaded;
      return { ...loaded, source: asPublished(Buffer.from(loaded.source as Uint8Array).toString()) };
    },
  });
  // Workbooks are read in the test's own process: the process that the program starts for it has tests of its own.
  if (process.env.PAYRUN_TEST_READER === 'here')
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        return found.url === reader ? { ...found, url: here } : found;
      },
    });
}

function asPublished(code: string): string {
  return code.replace(
    /join\(import\.meta\.dirname, `([a-z-]+)\$\{extname\(import\.meta\.filename\)\}`\)/,
    (_, name) => `join(process.env.PAYRUN_TEST_PROGRAM, '../${name}.mjs')`,
  );
}
