/** The policy as it is read, how many it asks for, and which signatures count. */
import { describe, expect, it } from 'vitest';
import {
  approvalsOf,
  makeKey,
  mayStillSign,
  neededFor,
  neededForPlan,
  publicLine,
  publicOf,
  readPolicy,
  readSignature,
  type Signature,
  type Stake,
  sign,
  signatureText,
} from '../../src/approval/approval.ts';
import { PayrunError } from '../../src/base/errors.ts';
import { wordsOf } from '../../src/messages/refusals.ts';

const keys = { kofi: makeKey(), kofi2: makeKey(), thandi: makeKey(), stranger: makeKey() };
const line = (name: string, key: keyof typeof keys) => publicLine(publicOf(name, keys[key]));

const good = {
  version: 1,
  approvers: [
    { name: 'Kofi Boateng', keys: [line('Kofi Boateng', 'kofi'), line('Kofi Boateng', 'kofi2')] },
    { name: 'Thandi Mokoena', keys: [line('Thandi Mokoena', 'thandi')] },
  ],
  makers: ['Ama Mensah', 'Kofi Boateng'],
  currencies: [
    {
      currency: 'ZAR',
      row: [
        { above: '0', approvals: 1 },
        { above: '50000', approvals: 2 },
      ],
      batch: [{ above: '500000', approvals: 2 }],
    },
    { currency: 'BTC', batch: [{ above: '1000000', approvals: 1 }] },
  ],
  otherwise: 2,
};
const policy = readPolicy('p', JSON.stringify(good));

const thrown = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return wordsOf(error);
  }
  return '';
};

describe('a policy that is misread would let money out', () => {
  const text = JSON.stringify(good);
  it.each<[string, string, RegExp]>([
    ['no JSON', '{', /not JSON/],
    ['a list', '[]', /the whole/],
    [
      'an approver by the line alone',
      JSON.stringify({ ...good, approvers: [line('Kofi Boateng', 'kofi')] }),
      /approvers\[0\]: write \{"name": "…", "keys": \["the line of the \.pub file"\]\}/,
    ],
    ['an approver without a key', JSON.stringify({ ...good, approvers: [{ name: 'Kofi' }] }), /approvers\[0\]\.keys/],
    ['an unknown field', text.replace('"otherwise"', '"note":1,"otherwise"'), /note/],
    ['a misspelt field', text.replace('"row"', '"rows"'), /currencies\[0\].*rows/],
    ['a key twice', text.replace('"otherwise":2', '"otherwise":2,"otherwise":0'), /'otherwise' is written twice/],
    ['a key twice further in', text.replace('"above":"0"', '"above":"9","above":"0"'), /'above' is written twice/],
    ['a currency twice', text.replace('"BTC"', '"ZAR"'), /currencies\[1\]: ZAR is named twice/],
    ['an unknown currency', text.replace('"BTC"', '"EUR"'), /currencies\[1\]\.currency/],
    [
      'thresholds out of order',
      text.replace('"above":"0"', '"above":"60000"'),
      /row\[1\]: 50000 does not come after 60000/,
    ],
    ['a threshold twice', text.replace('"above":"50000"', '"above":"0"'), /row\[1\]: 0 does not come after 0/],
    [
      'fewer above more',
      text.replace('"above":"0","approvals":1', '"above":"0","approvals":2'),
      /more than 2 must be needed/,
    ],
    ['an amount as a number', text.replace('"above":"0"', '"above":0'), /row\[0\]\.above/],
    ['an amount with a point', text.replace('"above":"50000"', '"above":"50000.00"'), /whole digits in quotes/],
    ['a negative count', text.replace('"otherwise":2', '"otherwise":-1'), /otherwise/],
    ['no word on other currencies', text.replace(',"otherwise":2', ''), /otherwise/],
    ['more than there are approvers', text.replace('"otherwise":2', '"otherwise":3'), /3 are needed, and there are 2/],
    ['nobody', text.replace(/"approvers":\[.*?\],"makers"/, '"approvers":[],"makers"'), /approvers/],
    ['no key', text.replace(/"keys":\[[^\]]*\]/, '"keys":[]'), /approvers\[0\]\.keys/],
    [
      'a key of another',
      text.replace(line('Thandi Mokoena', 'thandi'), line('Thandi M', 'thandi')),
      /is the key of 'Thandi M'/,
    ],
    [
      'one key for two',
      text.replace(line('Thandi Mokoena', 'thandi'), line('Thandi Mokoena', 'kofi')),
      /stands at 'Kofi Boateng' already/,
    ],
    [
      'one person twice, by case and accent',
      JSON.stringify({
        ...good,
        approvers: [good.approvers[0], { name: 'KOFI Boáteng', keys: [line('KOFI Boáteng', 'thandi')] }],
      }),
      /'KOFI Boáteng' is 'Kofi Boateng' once more/,
    ],
    [
      'a key that was changed',
      text.replace('payrun-ed25519 ', 'payrun-ed25519 x'),
      /approvers\[0\]\.keys\[0\]: its fingerprint/,
    ],
    ['a maker without a name', text.replace('"Ama Mensah"', '""'), /makers\[0\]/],
    ['another version', text.replace('"version":1', '"version":2'), /version/],
  ])('%s', (_, edited, words) => {
    expect(edited, 'the edit finds its place').not.toBe(text);
    expect(thrown(() => readPolicy('p', edited))).toMatch(words);
    expect(() => readPolicy('p', edited)).toThrow(PayrunError);
  });

  it('is taken where nothing is wrong', () => {
    expect(policy.approvers.map(({ name, keys: own }) => [name, own.length])).toEqual([
      ['Kofi Boateng', 2],
      ['Thandi Mokoena', 1],
    ]);
  });
});

const digest = `sha256:${'a'.repeat(64)}`;
const now = Date.parse('2026-11-21T10:00:00.000Z');
const stake = (changes: Partial<Stake> = {}): Stake => ({
  currency: 'ZAR',
  unit: 'whole',
  largest: 100n,
  total: 1000n,
  day: 1000n,
  ...changes,
});
const plan = (stakes: readonly Stake[] = [stake()], maker = 'Ama Mensah') => ({
  digest,
  file: '/sheets/nov 1.plan.json',
  maker,
  expiresAt: Date.parse('2026-11-22T08:00:00.000Z'),
  stakes,
  signedFirst: 0,
});

function signed(
  approver: string,
  key: keyof typeof keys,
  changes: Partial<Parameters<typeof sign>[1]> = {},
): Signature {
  return sign(keys[key], {
    purpose: 'approve plan',
    digest,
    approver,
    at: '2026-11-21T09:00:00.000Z',
    ...changes,
  });
}
const kofi = signed('Kofi Boateng', 'kofi');
const thandi = signed('Thandi Mokoena', 'thandi');
const files = (...signatures: (Signature | null)[]) =>
  signatures.map((signature, at) => ({ file: `${at}.sig.json`, signature }));
const check = (stakes: readonly Stake[], ...signatures: (Signature | null)[]) =>
  approvalsOf(plan(stakes), files(...signatures), policy, now).approvals.map(({ approver }) => approver);

describe('how many are needed', () => {
  it.each<[string, Stake[], number]>([
    ['a small row', [stake()], 1],
    ['a row at the threshold', [stake({ largest: 50_000n })], 1],
    ['a row above it by one', [stake({ largest: 50_001n })], 2],
    ['a batch at its threshold, of small rows', [stake({ total: 500_000n })], 1],
    ['a batch above it by one', [stake({ total: 500_001n })], 2],
    ['a small batch of satoshi', [stake({ currency: 'BTC', unit: 'sat', total: 1_000_000n })], 0],
    ['a larger one', [stake({ currency: 'BTC', unit: 'sat', total: 1_000_001n })], 1],
    ['a currency that the policy does not name', [stake({ currency: 'NGN' })], 2],
    ['a unit that the policy does not count in', [stake({ currency: 'BTC', unit: 'whole' })], 2],
    ['two currencies: whichever asks for more', [stake(), stake({ currency: 'NGN' })], 2],
    ['more than a number holds', [stake({ total: 2n ** 60n })], 2],
  ])('%s', (_, stakes, needed) => {
    const given = [kofi, thandi].slice(0, needed);
    expect(check(stakes, ...given)).toHaveLength(needed);
    if (needed > 0)
      expect(thrown(() => check(stakes, ...given.slice(1)))).toMatch(
        new RegExp(`has ${needed - 1} of ${needed} approvals?`),
      );
  });
});

it.each([
  ['every amount', null, []],
  ['every amount in NGN', 'NGN', policy.currencies],
])('what no threshold names needs what the policy asks for of %s', (_, money, currencies) => {
  const { because } = neededFor([stake({ currency: 'NGN' })], { ...policy, currencies });
  expect(because).toEqual({ fault: 'every-amount-needs-approval', approvals: 2, money });
});

it.each([
  [0, 1, 'payee-gets-more'],
  [1, 1, 'payee-gets-more'],
  [2, 2, 'batch-began-with-approvals'],
])('a plan of a batch that %i people approved first needs %i', (signedFirst, needed, fault) => {
  const asked = neededForPlan({ stakes: [stake()], signedFirst }, policy);
  expect(asked).toMatchObject({ needed, because: { fault } });
});

it.each([
  ['Ama Mensah', [], ['Kofi Boateng', 'Thandi Mokoena']],
  ['Ama Mensah', ['Kofi Boateng'], ['Thandi Mokoena']],
  ['THANDI mokoena', ['Kofi Boateng'], []],
])('of a plan that %s made and %j signed it is said who may still sign', (maker, signed, left) => {
  expect(mayStillSign(maker, signed, policy)).toEqual(left);
});

it.each([
  [60_000n, 0],
  [60_001n, 2],
])('a day of %s needs %i', (day, needed) => {
  const ofDay = { ...policy, currencies: [{ currency: 'ZAR' as const, day: [{ above: '60000', approvals: 2 }] }] };
  expect(neededFor([stake({ day })], ofDay).needed).toBe(needed);
});

describe('a signature that does not count', () => {
  const other = `sha256:${'b'.repeat(64)}`;
  it.each<[string, Signature | null, RegExp]>([
    ['over another plan', signed('Kofi Boateng', 'kofi', { digest: other }), /over another plan, sha256:bbbb/],
    ['for the release of a row', signed('Kofi Boateng', 'kofi', { purpose: 'release row' }), /for another purpose/],
    [
      'over another plan, its digest written over',
      { ...signed('Kofi Boateng', 'kofi', { digest: other }), digest },
      /is not that of key/,
    ],
    ['of somebody unknown', signed('Esi Owusu', 'stranger'), /'Esi Owusu' is not an approver/],
    ['of a known name by another key', signed('Kofi Boateng', 'stranger'), /is none of those of 'Kofi Boateng'/],
    ['by the key of another approver', signed('Kofi Boateng', 'thandi'), /is none of those of 'Kofi Boateng'/],
    ['its name written over', { ...kofi, approver: 'Thandi Mokoena' }, /is none of those of 'Thandi Mokoena'/],
    [
      'its fingerprint written over',
      { ...kofi, fingerprint: thandi.fingerprint, approver: 'Thandi Mokoena' },
      /is not that of key/,
    ],
    ['its time written over', { ...kofi, at: '2026-11-21T09:30:00.000Z' }, /is not that of key/],
    ['no bytes', { ...kofi, signature: '' }, /is not that of key/],
    [
      'from the future',
      signed('Kofi Boateng', 'kofi', { at: '2026-11-21T10:05:01.000Z' }),
      /and it is 2026-11-21 10:00:00/,
    ],
    ['made when the plan had expired', signed('Kofi Boateng', 'kofi', { at: '2026-11-22T08:00:00.000Z' }), /signed at/],
    ['no signature at all', null, /no signature of Payrun/],
  ])('%s', (_, signature, words) => {
    expect(thrown(() => check([stake()], signature))).toMatch(words);
    expect(thrown(() => check([stake()], signature))).toMatch(/Nothing was sent/);
    expect(check([stake()], signature, thandi), 'and it takes nothing from the others').toEqual(['Thandi Mokoena']);
  });

  it('made when the plan had expired, by a clock that has come there too', () => {
    const late = signed('Kofi Boateng', 'kofi', { at: '2026-11-22T08:00:00.000Z' });
    const then = Date.parse('2026-11-23T08:00:00.000Z');
    expect(thrown(() => approvalsOf(plan(), files(late), policy, then))).toMatch(/when the plan had expired/);
  });
});

describe('one approver counts once', () => {
  const large = [stake({ largest: 60_000n })];
  it.each<[string, Signature[]]>([
    ['by two keys', [kofi, signed('Kofi Boateng', 'kofi2')]],
    ['by two times', [kofi, signed('Kofi Boateng', 'kofi', { at: '2026-11-21T09:10:00.000Z' })]],
    ['by a file that was copied', [kofi, kofi, kofi]],
  ])('%s', (_, signatures) => {
    expect(thrown(() => check(large, ...signatures))).toMatch(
      /has 1 of 2 approvals \(Kofi Boateng\)\. It needs 2 because a payee gets 60,000 ZAR, above 50,000 ZAR\. Nothing was sent\.\n {2}These approvers may still sign the plan: Thandi Mokoena\./,
    );
    expect(check(large, ...signatures, thandi)).toEqual(['Kofi Boateng', 'Thandi Mokoena']);
  });
});

describe('the maker', () => {
  it.each(['Kofi Boateng', 'kofi boateng', 'KOFI  BOATENG', 'Kofí Boáteng', 'Kofi-Boateng'])(
    '%s does not approve',
    (maker) => {
      const alone = () => approvalsOf(plan([stake()], maker), files(kofi), policy, now);
      expect(thrown(alone)).toMatch(/made the plan.*payrun approve '\/sheets\/nov 1\.plan\.json' --key FILE/s);
      expect(approvalsOf(plan([stake()], maker), files(kofi, thandi), policy, now).approvals).toHaveLength(1);
    },
  );

  it('is one of the makers, where the policy names them', () => {
    expect(thrown(() => approvalsOf(plan([stake()], 'Esi Owusu'), files(thandi), policy, now))).toMatch(
      /not one of the makers in p/,
    );
    expect(thrown(() => approvalsOf(plan([stake()], 'Аma Mensah'), files(thandi), policy, now))).toMatch(
      /two alphabets/,
    );
  });
});

it('a signature file is read back as it was written, and nothing else is one', () => {
  expect(readSignature(signatureText(kofi))).toEqual(kofi);
  for (const text of [
    '',
    '{}',
    signatureText(kofi).replace('"version": 1', '"version": 2'),
    signatureText(kofi).replace('approve plan', 'approve all'),
  ])
    expect(readSignature(text)).toBeNull();
});
