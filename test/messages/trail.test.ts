/** The words of every entry of the trail, and of a row's story on its page, typed by hand. Only pages show them. */
import { expect, it } from 'vitest';
import type { RowState } from '../../src/domain/rows/row-states.ts';
import type { EntryKind } from '../../src/domain/trail.ts';
import { moveWords } from '../../src/messages/row-moves.ts';
import { correctedWords, decisionWords, rowStoryWords, storyLine, trailWords } from '../../src/messages/web/trail.ts';

const plan = `sha256:${'ab'.repeat(32)}`;
const at = '2026-11-27T10:20:30.400Z';
const refusal = { code: 'PLAN_MOVED', facts: {} };
const moved =
  'The plan changed after you opened it, or waits no longer. Nothing was done. Read the plan of this sheet again.';
const away = { host: 'm2', path: '/srv/away/nov.csv', why: null };
const lost = [{ kind: 'run-died' }];
const died = 'The run ended while this payment was being sent.';
const [destination, merchant] = ['Kenya|+254700000123', 'The payee with …0123'];

type Case = readonly [data: Readonly<Record<string, unknown>>, words: string];

const said: Readonly<Record<EntryKind, readonly Case[]>> = {
  person: [
    [{ did: 'stopped', batch: 'nov' }, 'stopped batch nov'],
    [{ did: 'whistled' }, 'whistled'],
  ],
  sheet: [
    [
      { name: 'nov.csv', rows: 3, added: 1, invalid: 0 },
      'A version was opened from the sheet nov.csv: 3 rows, 1 of them new.',
    ],
    [
      { name: 'nov.csv', rows: 3, added: 0, retried: 2, invalid: 0 },
      'A version was opened from the sheet nov.csv: 3 rows, 0 of them new, 2 that are sent again.',
    ],
    [
      { name: 'nov.csv', rows: 1, added: 0, invalid: 1 },
      'A version was opened from the sheet nov.csv: 1 row, 0 of them new, 1 that cannot be paid.',
    ],
  ],
  plan: [[{ plan, maker: 'Ama' }, 'It is paid under the plan abababababab. Its maker is Ama.']],
  approval: [
    [
      { approver: 'Kofi', fingerprint: 'K7Q2', at },
      'Payrun checked the approval that Kofi gave at 2026-11-27 10:20:30 UTC. It is good (key K7Q2).',
    ],
  ],
  denied: [[refusal, `It did not begin: ${moved}`]],
  move: [
    [{ from: 'planned', to: 'ready', rows: 2 }, '2 rows: ready to be sent (its merchant is known).'],
    [{ from: 'odd', to: 'ready' }, 'Ready to be sent.'],
    [{ from: 'ready', to: 'sending' }, 'Sent to the service.'],
    [{ from: 'sending', to: 'in_doubt', reason: lost }, `In doubt – ${died}`],
    [
      { from: 'sending', to: 'accepted', paymentId: 'p1' },
      'Accepted by the service, not paid out yet (the answer of the service names its payment). Payment p1.',
    ],
    [
      { from: 'sending', to: 'accepted', evidence: [{ kind: 'late-answer', worker: 'w2' }] },
      'Accepted by the service, not paid out yet (the answer of the service came late).',
    ],
    [
      { from: 'absent', to: 'ready', reason: [], policy: 'resend' },
      'Ready to be sent (no payment of it exists, and the settings say that it is sent again).',
    ],
    [{ from: 'withheld', to: 'ready', said: 'release' }, 'Released, so that it may be sent.'],
    [{ from: 'withheld', to: 'ready', said: 'not a repeat' }, 'No repeat, so that it may be sent.'],
    [{ from: 'held', to: 'accepted', said: 'paid' }, 'Accepted by the service, not paid out yet (as a person said).'],
    [{ from: 'refused', to: 'ready', change: 'retry' }, 'Ready to be sent (to be sent again).'],
    [{ from: 'planned', to: 'planned', change: 'corrected', changed: 'amount' }, 'The amount was corrected.'],
  ],
  note: [
    [{}, 'A note on the row.'],
    [
      { paymentStatus: 'pending', said: 'dropped', why: 'left', released: '1', reason: lost },
      `A note on the row: the service says pending; a person closed the row; left; released by a second person. ${died}`,
    ],
  ],
  merchant: [
    [{ destination, to: 'creating' }, `${merchant} is being made known to the service.`],
    [{ destination, to: 'known' }, `${merchant} is known to the service.`],
    [{ destination, to: 'refused', reason: lost }, `${merchant} was refused by the service. ${died}`],
    [{ destination, to: 'in_doubt' }, `${merchant} may or may not be known to the service.`],
    [{ destination, to: 'held' }, `${merchant} cannot be distinguished from others at the service.`],
    [{ destination: 'BTC|a@b.c', to: 'wanted' }, 'A payee is to be made known to the service.'],
  ],
  wanted: [[{ contents: { a: 1, b: 2 } }, 'Payrun has to make 2 payees known to the service.']],
  document: [
    [{ name: 'a.pdf', to: 'due' }, 'The document a.pdf is to be attached.'],
    [{ name: 'a.pdf', to: 'uploading' }, 'The document a.pdf is being attached.'],
    [{ name: 'a.pdf', to: 'attached' }, 'The document a.pdf is attached.'],
    [{ name: 'a.pdf', to: 'in_doubt', reason: lost }, `The document a.pdf may or may not be attached. ${died}`],
    [{ name: 'a.pdf', to: 'missing' }, 'The document a.pdf is missing.'],
  ],
  pass: [
    [{ payments: 2 }, 'The list of payments at the service was read: 2 payments.'],
    [
      { incomplete: { fault: 'list-lost-payment', payment: 'p1' } },
      'The list of payments at the service could not be read to its end: it no longer contains payment p1, which it contained a moment ago',
    ],
  ],
  run: [
    [{ sent: 2, stopped: null }, 'Sending ended: 2 payments sent.'],
    [{ sent: 1, stopped: 'STOPPED' }, 'Sending ended: 1 payment sent, and then a refusal stopped it.'],
  ],
  stop: [[refusal, `It stopped: ${moved}`]],
  result: [
    [{ away: null }, 'The result was written in its own place again.'],
    [
      { away },
      'A worker on m2 continued the batch, and cannot write to the folder of the sheet. The result is on that machine: /srv/away/nov.csv.',
    ],
  ],
  totals: [[{}, 'The control totals agree with the sheet.']],
  history: [[{}, 'Batches with the same rows or sums were paid before.']],
  variance: [
    [{}, 'Payrun compared it with the last batch of its series.'],
    [{ confirmed: 'bonus' }, 'It differs from the last batch of its series, and a person confirmed it: bonus'],
  ],
  bound: [[{ service: 'https://pay' }, 'The batch is paid at https://pay.']],
  rebind: [
    [
      {
        was: { service: 'https://a', key: '12ab', user: null },
        now: { service: 'https://b', key: '34cd', user: '7' },
        reason: 'moved',
      },
      'The batch moved from https://a (key 12ab…, tenant) to https://b (key 34cd…, user 7): moved',
    ],
  ],
  paused: [
    [{ by: 'Ada', reason: 'ask' }, 'Sending was paused by Ada: ask'],
    [{ reason: 'ask' }, 'Sending was paused: ask'],
  ],
  'pause ended': [
    [{ by: 'Ada', reason: 'asked' }, 'The pause was ended by Ada: asked'],
    [{}, 'The pause was ended.'],
  ],
  scheduled: [
    [
      { by: 'Ada', cron: '0 9 * * *', zone: 'Africa/Lagos' },
      "The fleet continues it at '0 9 * * *' (Africa/Lagos): scheduled by Ada.",
    ],
  ],
  'schedule ended': [[{ by: 'Ada' }, 'The schedule was ended by Ada.']],
  hour: [[{ hour: at }, 'Its scheduled time of 2026-11-27 10:20:30 UTC came, and a worker continues the batch.']],
  opened: [[{ epoch: 1, leader: 'w1', room: 4 }, 'It is open for workers. Its leader is w1.']],
  orphan: [[{ worker: 'w1', answer: {} }, 'An answer of the service arrived after the worker w1 lost the row.']],
  corrected: [
    [{ cells: [{}] }, '1 cell was corrected.'],
    [{ cells: [{}, {}] }, '2 cells were corrected.'],
  ],
  'hour missed': [
    [
      { hour: at, why: 'stopped' },
      'Its scheduled time of 2026-11-27 10:20:30 UTC came while the batch was stopped, so Payrun did not send its rows.',
    ],
    [
      { hour: at, why: 'expired' },
      'Its scheduled time of 2026-11-27 10:20:30 UTC passed, and no worker came in time. The batch waits for a person.',
    ],
  ],
  listed: [
    [{ at: null }, 'Payrun checks again whether the service lists the payments.'],
    [{ at: 1 }, 'The service lists payments of the batch.'],
  ],
  quiet: [[{ until: Date.parse(at) }, 'Nothing of the batch is sent before 2026-11-27 10:20:30 UTC.']],
  recovered: [[{}, 'An earlier run died. Its open payments are in doubt until Payrun searches for them.']],
  gone: [
    [{ paymentId: 'p1', reason: null }, 'Payment p1 was made elsewhere, so no scan has to show a tag of Payrun on it'],
    [{ paymentId: 'p1', reason: 'lost' }, 'Payment p1 is gone, as a person says: lost'],
  ],
  policy: [
    [{ path: 'policy.json' }, 'The policy policy.json now applies. Payrun sends nothing if it cannot find the policy.'],
  ],
  home: [
    [{ home: { at: 'pay.db' } }, 'The ledger lies at pay.db.'],
    [{ home: { copiedTo: 'new.db' } }, 'The ledger was copied to new.db.'],
    [{ home: { copyOf: 'old.db' } }, 'Copying of the ledger old.db to this place began.'],
    [{ home: { copiedFrom: 'old.db' } }, 'The ledger was copied here from old.db.'],
  ],
};

const all = Object.entries(said) as [EntryKind, readonly Case[]][];

it.each(all.flatMap(([what, cases]) => cases.map(([data, words]) => [what, data, words] as const)))(
  '%s: %j',
  (what, data, words) => expect(trailWords({ what, data })).toBe(words),
);

const stories: { readonly [S in RowState]: string } = {
  invalid: 'Imported with a mistake',
  planned: 'Imported',
  ready: 'Ready to be sent',
  sending: 'Sent to the service',
  in_doubt: 'In doubt',
  absent: 'Proven not to exist at the service',
  withheld: 'Held for a person',
  held: 'Held for a person',
  accepted: 'Accepted by the service, not paid out yet',
  succeeded: 'Paid',
  expired: 'Ended unpaid',
  refused: 'Refused by the service',
  duplicate: 'Two payments were found',
  duplicate_paid: 'Paid twice',
};

it.each([
  ...Object.entries(stories).map(([to, words]) => ['move', { from: null, to }, words] as const),
  ['move', { from: 'planned', to: 'ready' }, 'Ready to be sent (its merchant is known)'],
  ['move', { from: 'sending', to: 'in_doubt', reason: lost }, `In doubt – ${died}`],
  [
    'move',
    { from: 'withheld', to: 'ready', said: 'release', why: 'asked' },
    'Released, so that it may be sent – asked',
  ],
  ['move', { from: 'planned', to: 'planned', change: 'corrected' }, null],
  ['note', { said: 'paid' }, 'A person named the payment of the row'],
  ['note', { said: 'not paid' }, 'A person said that the row was not paid'],
  ['note', { said: 'release' }, 'A person released the row'],
  ['note', { said: 'not a repeat', why: 'a rise' }, 'A person said that the row repeats no payment – a rise'],
  ['note', { said: 'gone' }, 'A person said that the service lost the payment'],
  ['note', { said: 'known' }, 'A person knows of both payments'],
  ['note', { said: 'dropped', why: 'left' }, 'A person closed the row – left'],
  ['note', { said: 'closed' }, 'The newest sheet lacks the row, so Payrun closed it'],
  ['note', { said: 'reopened' }, 'The row was opened again'],
  ['note', { said: 'deposit changed' }, 'The service changed the deposit details of the payment'],
  ['note', { said: 'deposit known', why: 'called' }, 'A person checked the changed deposit details – called'],
  ['note', { paymentStatus: 'pending' }, null],
  ['document', { name: 'a.pdf', to: 'due' }, 'Document a.pdf is to be attached'],
  ['run', {}, null],
] as const)('the story of a row says of %s %j: %s', (what, data, words) => {
  expect(rowStoryWords(what, data)).toBe(words);
});

const change = { name: 'Wan B', was: 'FNB …1', now: 'FNB …2', row: 'k1', batch: 'oct', paidAt: 0 };

it.each([
  [
    'move',
    { from: 'sending', to: 'accepted', paymentId: 'p1', by: 'Ama' },
    'Accepted by the service, not paid out yet (the answer of the service names its payment). Payment p1. By Ama.',
  ],
  ['move', { from: 'sending', to: 'in_doubt', reason: lost, by: 'Ama' }, `In doubt – ${died} By Ama.`],
  ['note', { said: 'dropped', why: 'Is it owed?', by: 'Ama' }, 'A person closed the row – Is it owed? By Ama.'],
  [
    'move',
    { from: 'expired', to: 'planned', change: 'retry', earlier: { tag: 't1', paymentId: 'p1' } },
    'To be sent again. Earlier tag t1. Earlier payment p1.',
  ],
  [
    'move',
    { from: 'refused', to: 'planned', change: 'retry', earlier: { tag: 't1', paymentId: null } },
    'To be sent again. Earlier tag t1.',
  ],
  [
    'move',
    {
      from: 'held',
      to: 'ready',
      said: 'release',
      by: 'Esi',
      why: 'she called',
      evidence: [{ kind: 'released-by', by: 'Esi (key f1)', why: 'she called', change }],
    },
    'Released, so that it may be sent. Account changed: Wan B was last paid to FNB …1 (row k1 of batch oct, on 1970-01-01 00:00:00 UTC), and this row pays FNB …2. Released by Esi (key f1): she called. By Esi.',
  ],
] as const)('explain says of %s %j: %s', (what, data, words) => {
  expect(storyLine({ what, data })).toBe(words);
});

it.each([
  [undefined, 'it was corrected'],
  ['amount', 'the amount was corrected'],
  ['type name', 'the name and the type of payment were corrected'],
  [
    'name destination amount unit currency reference fromCountry',
    'the name, the account, the amount, the unit of the amount, the currency, the reference and the funding country were corrected',
  ],
])('of the corrected fields %s: %s', (changed, words) => expect(correctedWords(changed)).toBe(words));

const found = 'a list scan finds its payment';
const foundOther = 'a list scan finds its payment with other content';
const twice = { duplicate: 'it has two payments, not both paid out', duplicate_paid: 'both its payments are paid out' };
const single = {
  succeeded: 'only one of its payments is paid',
  expired: 'all its payments expired',
  held: 'the one payment that is paid has other content',
};
const corrected = 'the sheet is corrected before anything is sent';
const invalid = 'its line in the newest sheet has a mistake';

it('each move of a row has its reason', () => {
  expect(moveWords).toEqual({
    planned: {
      ready: 'its merchant is known',
      accepted: found,
      withheld: "its payee's account changed, or it looks paid",
      held: foundOther,
      refused: 'the service refuses its merchant',
      planned: corrected,
      invalid,
    },
    ready: {
      sending: 'the intent is written',
      accepted: found,
      withheld: "it looks paid, or its payee's account changed",
      held: foundOther,
      planned: 'the sheet is corrected, or its merchant changes',
      invalid,
    },
    withheld: {
      ready: 'a person releases it',
      planned: 'a person releases it before its merchant is known, or the sheet is corrected',
      accepted: 'a person says that it is paid, or a list scan finds its payment',
      held: foundOther,
      invalid,
    },
    sending: {
      accepted: 'the answer of the service names its payment',
      refused: 'the service refuses its payment',
      ready: 'its request did not leave, or the service answered 401, 403 or 429',
      in_doubt: 'its request left, and the outcome is unknown',
    },
    in_doubt: { accepted: found, absent: 'list scans prove that it has no payment', held: foundOther },
    absent: { ready: 'a person or the setting doubt.policy releases it', accepted: found, held: foundOther },
    held: {
      accepted: 'a person says that it is paid, or a list scan finds its payment',
      absent: 'a person says that it is not paid',
    },
    accepted: {
      succeeded: 'the service reports success',
      expired: 'the service reports expired',
      held: 'its payment belongs to another row, or a person says that the service forgot the payment',
      ...twice,
    },
    succeeded: { held: 'the service no longer reports it as paid, or its payment belongs to another row', ...twice },
    expired: {
      accepted: 'a list scan finds a later payment that is pending',
      succeeded: 'its payment is paid after all',
      held: 'a scan finds a payment with other content, or its payment belongs to another row',
      ready: 'a retry prepares it for a new payment, as a new revision',
      planned: 'the sheet is corrected, and the row gets a new revision and perhaps another merchant',
      ...twice,
    },
    refused: {
      ready: 'a retry prepares it for a new payment, under the same tag',
      planned: 'the sheet is corrected, and the row keeps its tag and perhaps gets another merchant',
      accepted: found,
      held: foundOther,
      ...twice,
    },
    duplicate: { duplicate_paid: twice.duplicate_paid, ...single },
    duplicate_paid: single,
    invalid: { planned: corrected, invalid, accepted: found, held: foundOther },
  });
});

it.each<[Parameters<typeof decisionWords>[0], string]>([
  [
    { what: 'corrected', data: { cell: 'C2', header: 'amount', from: '12.50', to: '12' } },
    "The cell C2 'amount' says '12.50', and was read as '12'.",
  ],
  [{ what: 'sheet', data: { repeat: 'Rent is due' } }, 'Pays rows that look paid already. Reason: Rent is due'],
  [{ what: 'paused', data: { by: 'Ama', reason: 'Ask the bank' } }, 'Sending was paused by Ama: Ask the bank'],
])('the words of a decision: %j', (entry, words) => expect(decisionWords(entry)).toBe(words));
