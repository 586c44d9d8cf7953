/** A batch of small rows, ready to be sent, and claims of them: what tests of a fleet begin with. */
import type { DraftRow, Fleet, Ledger, LedgerRow } from '../../src/ledger/ledger.ts';

export const identity = 'https://pay.example|key:1|tenant';
export const terms = {
  sourceWords: [],
  holdsRails: false,
  isUnderPolicy: false,
  refusals: 3,
  doubtsInARow: 3,
  doubts: 5,
};

const rowOf = (number: number): DraftRow => ({
  number,
  key: `k${number}`,
  rowId: `k${number}`,
  digest: `d${number}`,
  likeness: `l${number}`,
  // What a payment is made of.
  content: JSON.stringify({ amount: number, reference: `Ref ${number}`, type: null, fromCountry: null, ownTag: null }),
  amount: number,
  unit: 'whole',
  currency: 'ZAR',
  fromCountry: null,
  country: 'SouthAfrica',
  destination: `a${number}`,
  collection: null,
  payee: { id: null, name: 'n', account: 'a' },
  documents: [],
});

export async function take(ledger: Ledger, batch: string, count: number, documents: DraftRow['documents'] = []) {
  ledger.draft.clear();
  ledger.draft.add(Array.from({ length: count }, (_, at) => ({ ...rowOf(at + 1), documents })));
  const sheet = { name: 'n', origin: 'o', copy: 'c', options: {} };
  await ledger.versions.importDraft({
    base: Number.MAX_SAFE_INTEGER,
    isAddition: false,
    mayRepeat: false,
    plan: null,
    batch,
    identity,
    service: 's',
    repeatReason: null,
    sheet,
  });
  const rows = await ledger.rows.list({ batch, states: ['planned'], limit: 100 });
  await ledger.rows.moveAll(rows.map((row) => ({ row, from: 'planned', to: 'ready', merchantId: `m${row.number}` })));
}

export async function openBatch(ledger: Ledger, batch = 'nov', room = 8) {
  const { listedSince: since } = (await ledger.batches.batch(batch))!;
  return { batch, since, epoch: await ledger.fleet!.open({ batch, since, leader: 'L', room, terms }) };
}

export async function claim(
  by: Fleet,
  member: string,
  most: number,
  { leaseMs = 60_000, isUnderPolicy = false } = {},
): Promise<readonly LedgerRow[]> {
  const claimed = await by.claim({
    member,
    identity,
    most,
    leaseMs,
    spans: () => [],
    submittedAt: Date.now(),
    sentMoment: JSON.stringify([Date.now(), null, 'b', 1]),
    isUnderPolicy,
    intentOf: ({ tag, merchantId, amount }) => ({ tag, merchantId, amount }),
  });
  return claimed === null ? [] : claimed.rows;
}
