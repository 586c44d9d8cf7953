/** The words of reasons why the value of an option or a setting cannot be used. */
import type { FaultFacts } from '../../base/faults/fault.ts';
import type { FaultWords } from '../audience.ts';
import { grouped } from '../format/numbers.ts';

const cronFields = {
  minute: ['minute', '0 to 59'],
  hour: ['hour', '0 to 23'],
  day: ['day of the month', '1 to 31'],
  month: ['month', '1 to 12'],
  weekday: ['day of the week', '0 to 7, where 0 and 7 are Sunday'],
} as const;

export const optionFaults = {
  'option-is-twice': ({ name }) => `${name} is given twice`,
  'expect-has-no-form':
    "write it as 'rows=212', 'ZAR=1904300', 'BTC:sat=1290000', 'USDT:hundredths=151' or 'accounts=HASH', with digits alone",
  'cap-has-no-form': ({ moneys, kinds }) =>
    `write it as ZAR:batch=2000000, with a whole number of at most 18 digits; the currencies are ${moneys.join(', ')}, and each has a cap for ${kinds.join(', ')}`,
  'cap-is-raised': ({ configured }) =>
    `payrun.config.json has ${grouped(configured)}; a flag may lower a cap, and never raises one`,
  'cron-has-other-fields':
    'it needs five fields (minute, hour, day, month and day of the week), none of them random (H)',
  'cron-field-is-invalid': ({ field, value }) => {
    const [name, range] = cronFields[field];
    return `the ${name} is '${value}', and may be ${range}, or *`;
  },
  'cron-never-comes': 'this hour never comes',
  'zone-is-unknown': ({ zone }) => `there is no time zone '${zone}'; write it as Africa/Johannesburg`,
  'status-is-empty': 'an empty word has no meaning: a payment without a status is open',
  'status-has-own-meaning': ({ word, meaning }) => `'${word}' means ${meaning}, and nothing else (interface 2.8)`,
  'status-is-twice': ({ word }) => `'${word}' is there twice, with two meanings`,
  'status-is-under-way': ({ word, end }) =>
    `'${word}' sounds like a payment that is under way. As ${end}, ${end === 'success' ? 'nobody would follow the payment to its end' : 'its row could be paid twice'}`,
  'status-is-opposite': ({ word, end }) =>
    end === 'success'
      ? `'${word}' sounds like a payment that was not paid out. As success, nobody would pay its row`
      : `'${word}' sounds like a payment that was paid out. As expired, its row could be paid twice`,
  'address-is-in-use': 'the address is in use',
  'address-is-not-allowed': 'the address is not allowed',
  'address-is-elsewhere': 'the address is not on this machine',
} satisfies Partial<FaultWords<FaultFacts>>;
