/** What tests start in processes of their own. */
import { join } from 'node:path';

/** The program from its sources, as `npm start` starts it. */
export const sourceFile = join(import.meta.dirname, '../src/cli/main.ts');

/** As it is published, for a run of vitest (build-program.ts); else from its sources. */
export const mainFile = process.env.PAYRUN_TEST_PROGRAM ?? sourceFile;

/** What a process needs of this one's environment: programs to start, and modules that are compiled already. */
export const ownEnv = {
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
