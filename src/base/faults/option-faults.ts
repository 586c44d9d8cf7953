/** Why the value of an option or a setting cannot be used. */

export interface OptionFaults {
  'option-is-twice': { name: string };
  'expect-has-no-form': object;
  'cap-has-no-form': { moneys: readonly string[]; kinds: readonly string[] };
  'cap-is-raised': { configured: string };
  'cron-has-other-fields': object;
  'cron-field-is-invalid': { field: 'minute' | 'hour' | 'day' | 'month' | 'weekday'; value: string };
  'cron-never-comes': object;
  'zone-is-unknown': { zone: string };
  // Mistakes in the setting payments.statuses. The setting maps the status `word` to `end`.
  'status-is-empty': object;
  'status-has-own-meaning': { word: string; meaning: string };
  'status-is-twice': { word: string };
  'status-is-under-way': { word: string; end: 'success' | 'expired' };
  'status-is-opposite': { word: string; end: 'success' | 'expired' };
  'address-is-in-use': object;
  'address-is-not-allowed': object;
  'address-is-elsewhere': object;
}
