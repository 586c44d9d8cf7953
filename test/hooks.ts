/** Changes how a worker's Node loads the program. It comes before all modules of the program: `setup.ts` imports none. */
import { enableCompileCache, type ResolveHookSync, registerHooks } from 'node:module';

const sources = new URL('../src/', import.meta.url).href;
/** The modules of the program that start a process or a thread, and the modules that do the work in the test's process. */
const here = new Map(
  [
    ['sheet/xlsx/process/reader.ts', 'sheet/here.ts'],
    ['console/batches/reading.ts', 'console/reading-here.ts'],
  ].map(([source, own]) => [`${sources}${source}`, new URL(own!, import.meta.url).href]),
);
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
  if (process.env.PAYRUN_TEST_READER === 'here') {
    // Each command imports its modules again. Vitest reports each import to another process, and one report is enough.
    const known = new Map<string, ReturnType<ResolveHookSync>>();
    registerHooks({
      resolve(specifier, context, next) {
        if (!context.parentURL?.startsWith(sources)) return next(specifier, context);
        const key = `${specifier} ${context.parentURL}`;
        const found = known.get(key) ?? next(specifier, context);
        // The processes and threads that the program starts have tests of their own.
        const module = { ...found, url: here.get(found.url) ?? found.url, shortCircuit: true };
        known.set(key, module);
        return module;
      },
    });
  }
}

function asPublished(code: string): string {
  return code.replace(
    /join\(import\.meta\.dirname, `([a-z-]+)\$\{extname\(import\.meta\.filename\)\}`\)/,
    (_, name) => `join(process.env.PAYRUN_TEST_PROGRAM, '../${name}.mjs')`,
  );
}
