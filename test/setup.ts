/** Runs before each test file. */
import fc from 'fast-check';
import { setUpEndings } from './endings.ts';
import { expectSameFunctions } from './same-functions.ts';
import { stretchOnce } from './stretched-once.ts';

stretchOnce();
// Other files run after this one only in the workers that read workbooks in their own process.
if (process.env.PAYRUN_TEST_READER === 'here') expectSameFunctions();
setUpEndings();
// The same cases in each run: a new case must not fail an unrelated change.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_127 });
