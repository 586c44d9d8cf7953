/** Rights: what each driver of a run may do, as a table. */
import { expect, it } from 'vitest';
import { type Driver, type Rights, rightsOf } from '../../src/domain/sending/actor.ts';

const table: readonly (readonly [Driver, readonly (boolean | string)[]])[] = [
  // window, result, after a signal, continues stopped, rebinds unsent, tells its end
  ['terminal', [true, true, 'person', true, true, true]],
  ['console', [true, true, 'person', true, true, true]],
  ['hot folder', [true, true, 'watcher', false, true, true]],
  ['worker', [false, false, 'worker', false, false, false]],
];

it.each(table)('%s', (driver, expected) => {
  const named: readonly (keyof Rights)[] = [
    'waitsForWindow',
    'needsResult',
    'afterSignal',
    'continuesStopped',
    'rebindsUnsent',
    'notifiesEnd',
  ];
  const rights = rightsOf({ driver, name: null });
  expect(named.map((right) => rights[right])).toEqual(expected);
});
