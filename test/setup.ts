/** Runs before each test file. */
import fc from 'fast-check';
import { setUpEndings } from './endings.ts';
import { stretchOnce } from './stretched-once.ts';

setUpEndings();
stretchOnce();
// The same cases in each run: a new case must not fail an unrelated change.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_127 });
