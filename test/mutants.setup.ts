/** Under mutants every property has the same cases and little time, so that a run is the same each time, and soon over. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1, interruptAfterTimeLimit: 1000 });
