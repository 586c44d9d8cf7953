/** Runs before each test file. */
import { setUpEndings } from './endings.ts';
import { stretchOnce } from './stretched-once.ts';

setUpEndings();
stretchOnce();
