/** The parts of the service that the handlers of all resources share. */
import type { Clock } from '../../base/clock.ts';
import type { Keys } from '../http/keys.ts';
import type { Lists } from '../http/lists.ts';
import type { Secrets } from '../http/secrets.ts';
import type { Store } from '../store/store.ts';

export interface ServiceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly keys: Keys;
  readonly lists: Lists;
}
