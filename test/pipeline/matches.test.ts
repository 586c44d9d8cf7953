/** Each rule of the matcher, by a case that another rule would decide in another way. */
import { expect, it } from 'vitest';
import type { Duplicate } from '../../src/pipeline/duplicates/duplicates.ts';
import { desk } from './matching-desk.ts';

type At = Awaited<ReturnType<typeof desk>>;

/** The line of each row, the decision about it, and the value that differs. */
const shown = (found: readonly Duplicate[]) =>
  found.map(({ number, decision, differs }) => `${number} ${decision} ${differs}`);

const ofDraft = async (at: At, ...asked: Parameters<At['ofDraft']>) => shown(await at.ofDraft(...asked));
const ofBatch = async (at: At) => shown(await at.ofBatch('nov'));
const nameOf = async (at: At, batch: string, key: string) => `row ${(await at.row(batch, key)).id}/0`;

async function paid(at: At, batch: string, ...keys: string[]) {
  await at.send(batch, ...keys);
  for (const key of keys) await at.move(batch, key, 'succeeded');
}

/** Row A of batch `oct` was sent, and its payment expired. */
async function expired(at: At) {
  await at.take('oct', 'A');
  await at.send('oct');
  await at.move('oct', 'A', 'expired');
}

/** `near` pays 150 and not 100; `low` pays 120. All three have the account and the reference of A. */
const near = 'C=A@A:150:A';
const low = 'B=A@A:120:A';
const copy = 'C=A@A:100:A';
const addition = { isAddition: true };

const cases: Readonly<Record<string, readonly [course: (at: At) => Promise<unknown>, found: readonly unknown[]]>> = {
  'a row that is corrected to an earlier row of its version is held': [
    async (at) => {
      await at.take('nov', 'A C');
      await paid(at, 'nov', 'A');
      return await ofDraft(at, 'nov', ['A', copy]);
    },
    ['3 hold nothing'],
  ],
  'rows that came in together are no duplicates': [
    async (at) => {
      await at.take('nov', ['A', copy]);
      await paid(at, 'nov', 'A');
      return [...(await ofDraft(at, 'nov', ['A', copy])), ...(await ofBatch(at))];
    },
    [],
  ],
  'a row whose mistake was corrected is compared': [
    async (at) => {
      await at.take('oct', 'A');
      await paid(at, 'oct', 'A');
      await at.take('nov', 'A');
      await at.move('nov', 'A', 'invalid');
      return await ofDraft(at, 'nov', ['A']);
    },
    ['2 hold nothing'],
  ],
  'an old payment that expired, and was paid late, counts from the day on which it was paid': [
    async (at) => {
      await expired(at);
      at.wait(36);
      await at.take('nov', 'A B');
      await at.move('oct', 'A', 'succeeded');
      const today = await ofBatch(at);
      at.wait(29);
      const later = await ofBatch(at);
      at.wait(7);
      return [today, later, await ofBatch(at)];
    },
    [['2 hold nothing'], ['2 warning nothing'], []],
  ],
  'of two payments, the one that was paid last counts, although it was sent first': [
    async (at) => {
      await expired(at);
      at.wait(10);
      await at.take('sep', 'A');
      await paid(at, 'sep', 'A');
      at.wait(29);
      await at.move('oct', 'A', 'succeeded');
      return [await ofDraft(at, 'nov', ['A', 'B']), await ofDraft(at, 'nov', ['C=A@A:150:A'])];
    },
    [['2 hold nothing'], ['2 warning amount']],
  ],
  'an unpaid row that goes again is compared, with other content and by a retry': [
    async (at) => {
      await at.take('nov', 'A B');
      for (const key of ['A', 'B']) await at.move('nov', key, 'refused');
      await at.take('oct', 'B D');
      await paid(at, 'oct', 'B', 'D');
      const corrected = await ofDraft(at, 'nov', ['A=D@D:100:D', 'B']);
      return [corrected, await ofDraft(at, 'nov', ['A', 'B'], { retry: ['B'] })];
    },
    [['2 hold nothing'], ['3 hold nothing']],
  ],
  'a row of the batch that the newest sheet lacks has no age': [
    async (at) => {
      await at.take('nov', 'A');
      await paid(at, 'nov', 'A');
      at.wait(6);
      await at.take('nov', [near], addition);
      const lacked = await ofBatch(at);
      await at.take('nov', ['A', near]);
      return [lacked, await ofBatch(at)];
    },
    [['2 hold amount'], []],
  ],
  'a row keeps the version in which its content came': [
    async (at) => {
      await at.take('nov', 'A');
      await at.take('nov', ['A', copy]);
      await at.send('nov', 'C');
      return await ofBatch(at);
    },
    ['2 hold nothing'],
  ],
  'a payment in doubt was sent with its request': [
    async (at) => {
      await at.take('nov', [near]);
      await at.take('oct', 'A');
      await at.move('oct', 'A', 'ready', 'sending', 'in_doubt');
      const inDoubt = await ofBatch(at);
      at.wait(6);
      await at.move('oct', 'A', 'accepted');
      await at.drop('nov', 'C');
      return [inDoubt, await ofDraft(at, 'dec', [near])];
    },
    [['2 hold amount'], []],
  ],
  'a payment to the same account is found under another name, and one to the same name at another account': [
    async (at) => {
      await at.take('oct', 'A');
      await paid(at, 'oct', 'A');
      const toAccount = await ofDraft(at, 'nov', ['C=Bo@A:100:A', 'D=Bo@D:100:A']);
      return [toAccount, await ofDraft(at, 'nov', ['D=A@D:100:A'])];
    },
    [['2 hold nothing'], ['2 warning account']],
  ],
  'money of another currency or unit is another amount': [
    async (at) => {
      await at.take('oct', 'A');
      await paid(at, 'oct', 'A');
      const moneys = ['USD', 'KES:hundredths'];
      const rows = ['A@A:100:A', 'A@C:100:A', 'A@A:100:C'].flatMap((row) => moneys.map((money) => `${row}:${money}`));
      return await ofDraft(
        at,
        'nov',
        rows.map((row, nth) => `k${nth}=${row}`),
      );
    },
    ['2 warning amount', '3 warning amount'],
  ],
  'a newer payment of another batch hides no lacked row of this batch': [
    async (at) => {
      await at.take('nov', 'A');
      await paid(at, 'nov', 'A');
      at.wait(6);
      await at.take('oct', [low]);
      await paid(at, 'oct', 'B');
      return await ofDraft(at, 'nov', [near]);
    },
    ['2 hold amount'],
  ],
  'a newer payment hides no row that a person closed': [
    async (at) => {
      await at.take('nov', ['A', low]);
      await at.drop('nov', 'A');
      await paid(at, 'nov', 'B');
      return await ofDraft(at, 'nov', ['A', low, near]);
    },
    ['4 hold amount'],
  ],
  'a newer row that the sheet has hides no row that it lacks': [
    async (at) => {
      await at.take('nov', ['A', low]);
      await paid(at, 'nov', 'A');
      await paid(at, 'nov', 'B');
      at.wait(6);
      return await ofDraft(at, 'nov', [low, near]);
    },
    ['3 hold amount'],
  ],
  'a newer payment of the row’s own version hides no payment of an older version': [
    async (at) => {
      await at.take('nov', 'A');
      await at.take('nov', ['A', low, near]);
      await paid(at, 'nov', 'A');
      await paid(at, 'nov', 'B');
      return await ofBatch(at);
    },
    ['4 hold amount'],
  ],
  'the newest of several payments decides': [
    async (at) => {
      await at.take('oct', ['A', 'B=A@A:100:A']);
      await paid(at, 'oct', 'A');
      at.wait(30);
      await paid(at, 'oct', 'B');
      return await ofDraft(at, 'nov', [copy, 'D=A@A:150:A']);
    },
    ['2 hold nothing', '3 warning amount'],
  ],
  'a word covers the payments that it names, and no older one': [
    async (at) => {
      await at.take('oct', ['A', 'B=A@A:100:A']);
      await paid(at, 'oct', 'A');
      await paid(at, 'oct', 'B');
      await at.take('nov', [copy]);
      const [older, newer] = [await nameOf(at, 'oct', 'A'), await nameOf(at, 'oct', 'B')];
      await at.allow('nov', 'C', [newer, `${older}0`]);
      const one = await ofBatch(at);
      await at.allow('nov', 'C', [newer, older]);
      return [one, await ofBatch(at), await ofDraft(at, 'nov', [copy]), await ofDraft(at, 'nov', [near])];
    },
    [['2 hold nothing'], [], [], ['2 warning amount']],
  ],
  'a word covers one payment of a row, and not the next': [
    async (at) => {
      await at.take('oct', 'A');
      await at.send('oct', 'A');
      await at.take('nov', [copy]);
      await at.allow('nov', 'C', [await nameOf(at, 'oct', 'A')]);
      await at.move('oct', 'A', 'expired');
      await at.retry('oct', 'A');
      await at.send('oct', 'A');
      return await ofBatch(at);
    },
    ['2 hold nothing'],
  ],
  'a word covers the rows that wait in its own batch, and all payments': [
    async (at) => {
      await at.take('oct', ['A', low, 'D=A@A:130:A']);
      await paid(at, 'oct', 'B');
      await paid(at, 'oct', 'D');
      await at.take('nov', 'A');
      await at.take('nov', [copy], addition);
      return await at.names('nov', 'C');
    },
    ['row 2/0', 'row 3/0', 'row 4/0'],
  ],
  'of two unsent rows of a batch the newer one is held, also while the older one is held': [
    async (at) => {
      await at.take('nov', 'A');
      const replaced = await ofDraft(at, 'nov', [copy]);
      const whole = await ofDraft(at, 'nov', ['A', copy]);
      const added = await ofDraft(at, 'nov', [copy], addition);
      const respelled = await ofDraft(at, 'nov', ['A=A@A:100:a'], addition);
      await at.take('nov', ['A', copy]);
      const both = [await ofDraft(at, 'nov', ['A', copy]), await ofBatch(at)];
      await at.move('nov', 'A', 'withheld');
      return [replaced, whole, added, respelled, ...both, await ofBatch(at)];
    },
    [[], ['3 hold nothing'], ['2 hold nothing'], [], ['3 hold nothing'], ['3 hold nothing'], ['3 hold nothing']],
  ],
  'rows of two sheets with the same number are held, also in the middle of a run, unless they are closed': [
    async (at) => {
      await at.take('oct', 'A B D');
      await paid(at, 'oct', 'A', 'B', 'D');
      for (const row of ['A', 'B', 'D']) await at.take('nov', [row], addition);
      await at.move('nov', 'A', 'ready');
      await at.drop('nov', 'D');
      return await ofBatch(at);
    },
    ['2 hold nothing', '2 hold nothing'],
  ],
  'payments at another address are none, and another key at the same address sees the same ones': [
    async (at) => {
      await at.take('oct', 'A', { payer: 'https://other|k|t' });
      await at.take('sep', 'B', { payer: 'https://pay|other|t' });
      await paid(at, 'oct', 'A');
      await paid(at, 'sep', 'B');
      return await ofDraft(at, 'nov', ['A', 'B']);
    },
    ['3 hold nothing'],
  ],
  'an unpaid row waits since its last attempt': [
    async (at) => {
      await at.take('nov', 'A');
      await at.take('oct', [low]);
      await paid(at, 'oct', 'B');
      await at.send('nov', 'A');
      await at.move('nov', 'A', 'expired');
      at.wait(6);
      const planned = await ofDraft(at, 'nov', ['A'], { retry: ['A'] });
      await at.retry('nov', 'A');
      return [planned, await ofBatch(at)];
    },
    [[], []],
  ],
  'an absent row that a person closed in another batch may still be paid': [
    async (at) => {
      await at.take('oct', 'A');
      await at.move('oct', 'A', 'ready', 'sending', 'in_doubt', 'absent');
      await at.drop('oct', 'A');
      at.wait(400);
      return await ofDraft(at, 'nov', ['A']);
    },
    ['2 hold nothing'],
  ],
  'a row that was paid twice is paid, and grows old': [
    async (at) => {
      await at.take('oct', 'A');
      await at.send('oct', 'A');
      await at.move('oct', 'A', 'duplicate_paid');
      const young = await ofDraft(at, 'nov', ['A']);
      at.wait(36);
      return [young, await ofDraft(at, 'nov', ['A'])];
    },
    [['2 hold nothing'], []],
  ],
};

it.each(Object.entries(cases))('%s', async (_, [course, found]) => {
  expect(await course(await desk('SQLite'))).toEqual(found);
});
