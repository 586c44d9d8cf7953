/** Rights: what each driver of a run may do, as a table. */
import { expect, it } from 'vitest';
import { type Driver, type Rights, rightsOf } from '../../src/domain/sending/actor.ts';

const table: readonly (readonly [Driver, readonly boolean[]])[] = [
  // window, result, continues stopped, rebinds unsent, tells its end
  ['terminal', [true, true, true, true, true]],
  ['console', [true, true, true, true, true]],
  ['hot folder', [true, true, false, true, true]],
  ['worker', [false, false, false, false, false]],
];

it.each(table)('%s', (driver, expected) => {
  const named: readonly (keyof Rights)[] = [
    'waitsForWindow',
    'needsResult',
    'continuesStopped',
    'rebindsUnsent',
    'notifiesEnd',
  ];
  const rights = rightsOf({ driver, name: null });
  expect(named.map((right) => rights[right])).toEqual(expected);
});
