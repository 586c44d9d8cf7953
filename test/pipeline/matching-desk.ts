/** A ledger by itself for the tests of duplicates: sheets as short texts, and moves of rows without a service. */
import { systemClock } from '../../src/base/clock.ts';
import { type DraftRow, matchTimes, openLedger, type RowState } from '../../src/ledger/ledger.ts';
import { duplicatesOfBatch, duplicatesOfDraft, firstOf } from '../../src/pipeline/duplicates/duplicates.ts';
import { previewResume } from '../../src/pipeline/duplicates/resume-preview.ts';
import { atEnd } from '../endings.ts';
import { newPlace, type StoreName } from '../ledger/stores.ts';

export const day = 24 * 60 * 60 * 1000;
const identity = 'https://pay|k|t';
export const windowDays = 28;
const newest = 99;

/**
 * `k=NAME@ACCOUNT:AMOUNT:REFERENCE`, with the key k; `A` is short for `A=A@A:100:A`, and `A/7` for `7=A@A:100:A`. The
 * currency and the unit may follow the reference.
 */
export function rowOf(text: string, number: number): DraftRow {
  const [, id, name = '', account = '', amount = '', reference = '', currency = 'KES', unit = 'whole'] =
    /^(\w+)=(\w+)@(\w+):(\d+):([\w.]+)(?::(\w+))?(?::(\w+))?$/.exec(text) ?? short(text);
  const said = reference.replaceAll('.', ' ');
  const folded = said.replaceAll(' ', '').toLowerCase();
  const money = [
    account,
    Number(amount),
    ...(currency === 'KES' ? [] : [currency]),
    ...(unit === 'whole' ? [] : [unit]),
  ];
  return {
    number,
    key: id ?? name,
    rowId: id ?? name,
    digest: JSON.stringify([...money, said]),
    likeness: JSON.stringify([...money, folded]),
    content: JSON.stringify({ reference: said, name, account, amount }),
    amount: Number(amount),
    unit: unit as DraftRow['unit'],
    currency,
    fromCountry: null,
    country: 'Kenya',
    destination: account,
    collection: null,
    payee: { id: null, name, account },
    documents: [],
  };
}

function short(text: string): string[] {
  const [name = '', id = name] = text.split('/');
  return ['', id, name, name, '100', name];
}

export async function desk(store: StoreName) {
  const time = { now: Date.parse('2026-01-05T09:00:00Z') };
  const clock = { ...systemClock, now: () => time.now };
  const ledger = openLedger(await newPlace(store), clock);
  atEnd(() => ledger.close());
  await ledger.hold();
  const draft = (rows: readonly string[]) => {
    ledger.draft.clear();
    ledger.draft.add(rows.map((text, at) => rowOf(text, at + 2)));
  };
  const tick = () => {
    time.now += 1000;
  };
  const row = async (batch: string, key: string) => (await ledger.rows.rowByKey(batch, key))!;
  const move = async (batch: string, key: string, ...states: readonly RowState[]) => {
    for (const to of states) {
      const moved = await row(batch, key);
      const facts =
        to === 'sending'
          ? { attempted: 1 as const, submittedAt: time.now }
          : to === 'accepted'
            ? { paymentId: `p${moved.id}-${moved.revision}` }
            : to === 'succeeded' || to === 'expired'
              ? { settledAt: time.now }
              : {};
      await ledger.rows.move({ row: moved, from: moved.state, to, ...facts });
    }
  };
  const window = () => ({ now: time.now, windowDays });
  const self = {
    ledger,
    tick,
    now: () => time.now,
    wait: (days: number) => {
      time.now += days * day;
    },
    async take(batch: string, rows: string | readonly string[], { isAddition = false, payer = identity } = {}) {
      tick();
      draft(typeof rows === 'string' ? rows.split(' ') : rows);
      const sheet = { name: 'f.csv', origin: 'f.csv', copy: 'f.csv', options: {} };
      await ledger.versions.importDraft({
        base: Number.MAX_SAFE_INTEGER,
        isAddition,
        mayRepeat: false,
        plan: null,
        batch,
        identity: payer,
        service: 's',
        repeatReason: null,
        sheet,
      });
    },
    async send(batch: string, ...keys: string[]) {
      tick();
      const rows = await ledger.rows.list({ batch, states: ['planned'], limit: newest });
      for (const { key } of rows.filter((row) => keys.length === 0 || keys.includes(row.key)))
        await move(batch, key, 'ready', 'sending', 'accepted');
    },
    move,
    /** `retry`: the keys of the rows that a plan sends again. */
    async ofDraft(batch: string, rows: readonly string[], { isAddition = false, retry = [] as string[] } = {}) {
      tick();
      draft(rows);
      if (retry.length > 0) ledger.draft.retry(retry, retry);
      return (await duplicatesOfDraft(ledger, { batch, identity, isAddition }, window())).duplicates;
    },
    async ofBatch(batch: string) {
      const found = await duplicatesOfBatch(ledger, (await ledger.batches.batch(batch))!, window());
      return firstOf(found, ({ payout }) => payout);
    },
    row,
    /** A person releases the row, and the word covers these payments. */
    async allow(batch: string, key: string, names: readonly string[]) {
      await move(batch, key, 'withheld');
      const held = await row(batch, key);
      await ledger.rows.move({ row: held, from: 'withheld', to: 'planned', allowed: JSON.stringify(names) });
    },
    async drop(batch: string, key: string) {
      await ledger.rows.closeRows([await row(batch, key)], { by: 'Ada', why: 'Paid by hand' });
    },
    async retry(batch: string, key: string) {
      const facts = (await ledger.batches.batch(batch))!;
      await ledger.versions.retryRows(facts, [await row(batch, key)], { by: 'Ada', turn: null });
    },
    async names(batch: string, key: string) {
      const times = matchTimes(identity, time.now);
      return await ledger.duplicates.matchNames(batch, (await row(batch, key)).id, times);
    },
    preview: async (batch: string) => await previewResume(ledger, (await ledger.batches.batch(batch))!, window()),
  };
  return self;
}
