/** The words of a plan's review for the people who approve it. */
import type { ShownIdentity } from '../../base/words.ts';

export const reviewWords = {
  account: ({ key, user }: ShownIdentity): string =>
    `API key ${key}…, for ${user === null ? 'the organisation itself' : `user ${user}`}`,
  accountChanged: 'account changed',
  looksPaid: 'looks like an earlier payment',
  waits: 'it waits for a person’s word',
  unknownToService: 'the service does not know the payee yet',
  renamed: (was: string | null, now: string) => `the service calls the payee ${was}, and would call it ${now}`,
  several: 'the service has several such payees: its rows would not be paid',
  neverPaid: 'the payee was never paid from this ledger',
  /** For a currency that the policy does not list: each amount in that currency needs the same approvals. */
  settingsAsk: 'this is what Settings ask for',
  sincePlan: (said: string) => `${said} (since the plan was made)`,
};
