/** Why the value of an option or a setting cannot be used. */
import type { Each } from '../words.ts';

export interface OptionFaults
  extends Each<
    | 'expect-has-no-form cron-has-other-fields cron-never-comes status-is-empty address-is-in-use'
    | 'address-is-not-allowed address-is-elsewhere',
    object
  > {
  'option-is-twice': { name: string };
  'cap-has-no-form': { moneys: readonly string[]; kinds: readonly string[] };
  'cap-is-raised': { configured: string };
  'cron-field-is-invalid': { field: 'minute' | 'hour' | 'day' | 'month' | 'weekday'; value: string };
  'zone-is-unknown': { zone: string };
  // Mistakes in the setting payments.statuses. The setting maps the status `word` to `end`.
  'status-has-own-meaning': { word: string; meaning: string };
  'status-is-twice': { word: string };
  'status-is-under-way': { word: string; end: 'success' | 'expired' };
  'status-is-opposite': { word: string; end: 'success' | 'expired' };
}
