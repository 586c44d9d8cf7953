/** Runs before each test file. */
import { setUpEndings } from './endings.ts';

setUpEndings();
