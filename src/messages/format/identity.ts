/** Words for the service, key and user that pay a batch. */
import type { ShownIdentity } from '../../base/words.ts';

export const identityWords = ({ service, key, user }: ShownIdentity): string =>
  `${service} (key ${key}…, ${user === null ? 'tenant' : `user ${user}`})`;
