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
import type { PayrunError } from '../../src/base/errors.ts';
import type { Fault } from '../../src/base/faults/fault.ts';
import type { Refusal } from '../../src/base/refusal.ts';

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

const thrown = (work: () => unknown): Refusal | null => {
  try {
    work();
  } catch (error) {
    return (error as PayrunError).refusal;
  }
  return null;
};

describe('a policy that is misread would let money out', () => {
  const text = JSON.stringify(good);
  it.each<[string, string, Partial<Fault>]>([
    ['no JSON', '{', { fault: 'not-json' }],
    ['a list', '[]', { fault: 'wrong-shape', place: '' }],
    [
      'an approver by the line alone',
      JSON.stringify({ ...good, approvers: [line('Kofi Boateng', 'kofi')] }),
      { fault: 'wrong-shape', place: 'approvers[0]', detail: 'policy-approver' },
    ],
    [
      'an approver without a key',
      JSON.stringify({ ...good, approvers: [{ name: 'Kofi' }] }),
      { fault: 'wrong-shape', place: 'approvers[0].keys' },
    ],
    [
      'an unknown field',
      text.replace('"otherwise"', '"note":1,"otherwise"'),
      { fault: 'wrong-shape', place: '', detail: expect.stringContaining('note') },
    ],
    [
      'a misspelt field',
      text.replace('"row"', '"rows"'),
      { fault: 'wrong-shape', place: 'currencies[0]', detail: expect.stringContaining('rows') },
    ],
    [
      'a key twice',
      text.replace('"otherwise":2', '"otherwise":2,"otherwise":0'),
      { fault: 'key-is-twice', key: 'otherwise' },
    ],
    [
      'a key twice further in',
      text.replace('"above":"0"', '"above":"9","above":"0"'),
      { fault: 'key-is-twice', key: 'above' },
    ],
    [
      'a currency twice',
      text.replace('"BTC"', '"ZAR"'),
      { fault: 'policy-currency-is-twice', place: 'currencies[1]', currency: 'ZAR' },
    ],
    ['an unknown currency', text.replace('"BTC"', '"EUR"'), { fault: 'wrong-shape', place: 'currencies[1].currency' }],
    [
      'thresholds out of order',
      text.replace('"above":"0"', '"above":"60000"'),
      { fault: 'policy-steps-do-not-rise', place: 'currencies[0].row[1]' },
    ],
    [
      'a threshold twice',
      text.replace('"above":"50000"', '"above":"0"'),
      { fault: 'policy-steps-do-not-rise', place: 'currencies[0].row[1]' },
    ],
    [
      'fewer above more',
      text.replace('"above":"0","approvals":1', '"above":"0","approvals":2'),
      { fault: 'policy-steps-do-not-rise', place: 'currencies[0].row[1]' },
    ],
    [
      'an amount as a number',
      text.replace('"above":"0"', '"above":0'),
      { fault: 'wrong-shape', place: 'currencies[0].row[0].above' },
    ],
    [
      'an amount with a point',
      text.replace('"above":"50000"', '"above":"50000.00"'),
      { fault: 'wrong-shape', place: 'currencies[0].row[1].above', detail: 'policy-digits' },
    ],
    ['a negative count', text.replace('"otherwise":2', '"otherwise":-1'), { fault: 'wrong-shape', place: 'otherwise' }],
    ['no word on other currencies', text.replace(',"otherwise":2', ''), { fault: 'wrong-shape', place: 'otherwise' }],
    [
      'more than there are approvers',
      text.replace('"otherwise":2', '"otherwise":3'),
      { fault: 'policy-has-too-few-approvers', place: 'otherwise', needed: 3, approvers: 2 },
    ],
    [
      'nobody',
      text.replace(/"approvers":\[.*?\],"makers"/, '"approvers":[],"makers"'),
      { fault: 'wrong-shape', place: 'approvers' },
    ],
    ['no key', text.replace(/"keys":\[[^\]]*\]/, '"keys":[]'), { fault: 'wrong-shape', place: 'approvers[0].keys' }],
    [
      'a key of another',
      text.replace(line('Thandi Mokoena', 'thandi'), line('Thandi M', 'thandi')),
      { fault: 'policy-key-is-of-other', place: 'approvers[1].keys[0]', owner: 'Thandi M', name: 'Thandi Mokoena' },
    ],
    [
      'one key for two',
      text.replace(line('Thandi Mokoena', 'thandi'), line('Thandi Mokoena', 'kofi')),
      { fault: 'policy-key-is-twice', place: 'approvers[1].keys[0]', owner: 'Kofi Boateng' },
    ],
    [
      'one person twice, by case and accent',
      JSON.stringify({
        ...good,
        approvers: [good.approvers[0], { name: 'KOFI Boáteng', keys: [line('KOFI Boáteng', 'thandi')] }],
      }),
      { fault: 'policy-name-is-twice', place: 'approvers[1].name', name: 'KOFI Boáteng', before: 'Kofi Boateng' },
    ],
    [
      'a key that was changed',
      text.replace('payrun-ed25519 ', 'payrun-ed25519 x'),
      { fault: 'policy-key-is-invalid', place: 'approvers[0].keys[0]', why: { fault: 'key-has-other-fingerprint' } },
    ],
    [
      'a maker without a name',
      text.replace('"Ama Mensah"', '""'),
      { fault: 'policy-name-is-invalid', place: 'makers[0]', name: '', why: { fault: 'name-has-wrong-length' } },
    ],
    ['another version', text.replace('"version":1', '"version":2'), { fault: 'wrong-shape', place: 'version' }],
  ])('%s', (_, edited, why) => {
    expect(edited, 'the edit finds its place').not.toBe(text);
    expect(thrown(() => readPolicy('p', edited))).toMatchObject({
      code: 'POLICY_UNUSABLE',
      facts: { path: 'p', why: [why] },
    });
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
  signs: 'key' as const,
  signedFirst: 0,
  makers: [],
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
      expect(thrown(() => check(stakes, ...given.slice(1)))).toMatchObject({
        code: 'APPROVALS_TOO_FEW',
        facts: { needed, signed: given.slice(1).map(({ approver }) => approver) },
      });
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
  expect(mayStillSign([{ name: maker }], signed, policy)).toEqual(left);
});

it.each([
  [60_000n, 0],
  [60_001n, 2],
])('a day of %s needs %i', (day, needed) => {
  const ofDay = { ...policy, currencies: [{ currency: 'ZAR' as const, day: [{ above: '60000', approvals: 2 }] }] };
  expect(neededFor([stake({ day })], ofDay).needed).toBe(needed);
});

const notCounted = (why: Partial<Fault>) => ({
  code: 'APPROVALS_TOO_FEW',
  facts: { signed: [], notCounted: [{ file: '0.sig.json', why }] },
});

describe('a signature that does not count', () => {
  const other = `sha256:${'b'.repeat(64)}`;
  it.each<[string, Signature | null, Partial<Fault>]>([
    [
      'over another plan',
      signed('Kofi Boateng', 'kofi', { digest: other }),
      { fault: 'signed-other-plan', plan: other },
    ],
    [
      'for the release of a row',
      signed('Kofi Boateng', 'kofi', { purpose: 'release row' }),
      { fault: 'signed-for-other-purpose' },
    ],
    [
      'over another plan, its digest written over',
      { ...signed('Kofi Boateng', 'kofi', { digest: other }), digest },
      { fault: 'signature-does-not-fit', fingerprint: kofi.fingerprint },
    ],
    ['of somebody unknown', signed('Esi Owusu', 'stranger'), { fault: 'signer-is-no-approver', approver: 'Esi Owusu' }],
    [
      'of a known name by another key',
      signed('Kofi Boateng', 'stranger'),
      { fault: 'signer-has-other-key', approver: 'Kofi Boateng' },
    ],
    [
      'by the key of another approver',
      signed('Kofi Boateng', 'thandi'),
      { fault: 'signer-has-other-key', approver: 'Kofi Boateng' },
    ],
    [
      'its name written over',
      { ...kofi, approver: 'Thandi Mokoena' },
      { fault: 'signer-has-other-key', approver: 'Thandi Mokoena', fingerprint: kofi.fingerprint },
    ],
    [
      'its fingerprint written over',
      { ...kofi, fingerprint: thandi.fingerprint, approver: 'Thandi Mokoena' },
      { fault: 'signature-does-not-fit', fingerprint: thandi.fingerprint },
    ],
    [
      'its time written over',
      { ...kofi, at: '2026-11-21T09:30:00.000Z' },
      { fault: 'signature-does-not-fit', fingerprint: kofi.fingerprint },
    ],
    ['no bytes', { ...kofi, signature: '' }, { fault: 'signature-does-not-fit', fingerprint: kofi.fingerprint }],
    [
      'from the future',
      signed('Kofi Boateng', 'kofi', { at: '2026-11-21T10:05:01.000Z' }),
      { fault: 'signed-in-future', signedAt: Date.parse('2026-11-21T10:05:01.000Z'), now },
    ],
    [
      'made when the plan had expired',
      signed('Kofi Boateng', 'kofi', { at: '2026-11-22T08:00:00.000Z' }),
      { fault: 'signed-in-future', signedAt: Date.parse('2026-11-22T08:00:00.000Z'), now },
    ],
    ['no signature at all', null, { fault: 'is-no-signature' }],
  ])('%s', (_, signature, why) => {
    expect(thrown(() => check([stake()], signature))).toMatchObject(notCounted(why));
    expect(check([stake()], signature, thandi), 'and it takes nothing from the others').toEqual(['Thandi Mokoena']);
  });

  it('made when the plan had expired, by a clock that has come there too', () => {
    const late = signed('Kofi Boateng', 'kofi', { at: '2026-11-22T08:00:00.000Z' });
    const then = Date.parse('2026-11-23T08:00:00.000Z');
    expect(thrown(() => approvalsOf(plan(), files(late), policy, then))).toMatchObject(
      notCounted({ fault: 'signed-after-expiry', signedAt: Date.parse('2026-11-22T08:00:00.000Z') }),
    );
  });
});

describe('one approver counts once', () => {
  const large = [stake({ largest: 60_000n })];
  it.each<[string, Signature[]]>([
    ['by two keys', [kofi, signed('Kofi Boateng', 'kofi2')]],
    ['by two times', [kofi, signed('Kofi Boateng', 'kofi', { at: '2026-11-21T09:10:00.000Z' })]],
    ['by a file that was copied', [kofi, kofi, kofi]],
  ])('%s', (_, signatures) => {
    expect(thrown(() => check(large, ...signatures))).toMatchObject({
      code: 'APPROVALS_TOO_FEW',
      facts: {
        signed: ['Kofi Boateng'],
        needed: 2,
        because: { fault: 'payee-gets-more', amount: { amount: '60000' }, above: { amount: '50000' } },
        mayStillSign: ['Thandi Mokoena'],
      },
    });
    expect(check(large, ...signatures, thandi)).toEqual(['Kofi Boateng', 'Thandi Mokoena']);
  });
});

describe('the maker', () => {
  it.each(['Kofi Boateng', 'kofi boateng', 'KOFI  BOATENG', 'Kofí Boáteng', 'Kofi-Boateng'])(
    '%s does not approve',
    (maker) => {
      const alone = () => approvalsOf(plan([stake()], maker), files(kofi), policy, now);
      expect(thrown(alone)).toMatchObject(notCounted({ fault: 'signed-own-plan', approver: 'Kofi Boateng' }));
      expect(approvalsOf(plan([stake()], maker), files(kofi, thandi), policy, now).approvals).toHaveLength(1);
    },
  );

  it('of another sheet of the batch does not approve', () => {
    const later = { ...plan(), makers: [{ name: 'kofi boateng', account: 7 }] };
    expect(thrown(() => approvalsOf(later, files(kofi), policy, now))).toMatchObject({
      code: 'APPROVALS_TOO_FEW',
      facts: {
        notCounted: [{ why: { fault: 'signed-own-batch', approver: 'Kofi Boateng' } }],
        mayStillSign: ['Thandi Mokoena'],
      },
    });
    expect(approvalsOf(later, files(thandi), policy, now).approvals).toHaveLength(1);
  });

  it('is one of the makers, where the policy names them', () => {
    expect(thrown(() => approvalsOf(plan([stake()], 'Esi Owusu'), files(thandi), policy, now))).toMatchObject({
      code: 'MAKER_REFUSED',
      facts: { why: { fault: 'maker-is-not-listed', maker: 'Esi Owusu', policy: 'p' } },
    });
    expect(thrown(() => approvalsOf(plan([stake()], 'Аma Mensah'), files(thandi), policy, now))).toMatchObject({
      code: 'MAKER_REFUSED',
      facts: { why: { fault: 'maker-has-invalid-name', why: { fault: 'name-mixes-scripts' } } },
    });
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
