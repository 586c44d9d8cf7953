/** Controls of versions, rows and duplicates. */
import { databaseAt } from '../simulation/memory-store.ts';
import type { Control } from './controls.ts';
import {
  blindTo,
  comparing,
  hasDraft,
  importing,
  isAllowed,
  isOwnPayment,
  overlooks,
  withEffect,
  withRepository,
} from './mutants.ts';

export const rowControls: readonly Control[] = [
  {
    rule: 'near to a payment that a list scan shows',
    mutant: withRepository('passes', (own) => ({
      matches: (batch, sheet, lead) => own.matches(batch, sheet, lead).filter(({ differs }) => differs === 'nothing'),
    })),
  },
  {
    rule: 'a payment that comes alive after a copy was sent is an alarm',
    mutant: withRepository('duplicates', () => ({ livingCopies: async () => [] })),
  },
  {
    rule: 'a row without an id stands once in a sheet',
    mutant: withRepository('draft', (own) => ({
      *alike() {
        for (const one of own.alike()) yield { ...one, lacksId: 0 as const };
      },
    })),
  },
  ...([1, 0] as const).map((isSame) => ({
    rule: `${isSame ? 'same' : 'near'}, in one sheet, is a warning`,
    mutant: withRepository('draft', (own) => ({
      *alike() {
        for (const one of own.alike())
          if (one.lacksId || Number(one.reference === one.otherReference) !== isSame) yield one;
      },
    })),
  })),
  { rule: 'no two batches have names alike', mutant: withRepository('batches', () => ({ requireOwnName: () => {} })) },
  {
    rule: 'a sheet keeps its base',
    mutant: withRepository('versions', (own) => ({
      importDraft: async (order) => await own.importDraft({ ...order, base: Number.MAX_SAFE_INTEGER }),
    })),
  },
  { rule: 'a sent row does not change', mutant: overlooks('other') },
  { rule: 'a mistake does not hide a sent row', mutant: overlooks('mistake') },
  {
    rule: 'a closed row comes back by a plan alone',
    mutant: {},
    without: withEffect('closed', 'same', 'stays'),
  },
  {
    rule: 'an unpaid row closes by --drop alone',
    mutant: {},
    without: withEffect('unpaid', 'missing', 'stays'),
  },
  {
    rule: 'an unsent row closes by --drop alone',
    mutant: {},
    without: withEffect('never sent', 'missing', 'stays'),
  },
  {
    rule: 'same, a row of this batch from another version',
    mutant: blindTo((one, batch) => one.differs === 'nothing' && one.batch === batch),
  },
  {
    rule: 'same, in another batch',
    mutant: blindTo((one, batch) => one.differs === 'nothing' && one.batch !== batch),
  },
  { rule: 'sent while this row waited', mutant: blindTo((one) => one.wasMeanwhile) },
  {
    rule: 'near, a row of this batch that the file lacks',
    mutant: blindTo((one, batch) => one.differs !== 'nothing' && one.batch === batch && !one.isListed),
  },
  {
    rule: 'a row of this batch that a person closed',
    mutant: blindTo((one) => one.standing === 'closed'),
  },
  {
    rule: 'near, in another batch, is a warning',
    mutant: blindTo((one, batch) => one.differs !== 'nothing' && one.batch !== batch && !one.wasMeanwhile),
  },
  {
    rule: 'a row that waits in another batch is a warning',
    mutant: blindTo((one, batch) => one.standing === 'waits' && one.batch !== batch),
  },
  {
    rule: 'a row counts with the content that was sent',
    mutant: withRepository('passes', (own, path) => ({
      matches: (batch, sheet, lead) =>
        own.matches(batch, sheet, lead).filter(({ paymentId }) => !isOwnPayment(path, paymentId)),
    })),
  },
  {
    rule: 'no word repeats a payment in doubt',
    mutant: withRepository('duplicates', (own) => ({
      matchesOfDraft: async (...asked) =>
        (await own.matchesOfDraft(...asked)).map((one) =>
          one.standing === 'doubt' ? { ...one, standing: 'open' as const } : one,
        ),
    })),
  },
  {
    rule: 'a released row is not held again for the same payment',
    mutant: withRepository('rows', (own) => ({
      move: async ({ allowed: _allowed, ...move }) => {
        await own.move(move);
      },
    })),
  },
  {
    rule: 'a sent row that a version lacks stays',
    mutant: importing(
      '',
      `UPDATE payout SET closed = '{"why":{"sheet":"x"}}' WHERE attempts > 0 AND sheet < (SELECT max(id) FROM sheet)`,
    ),
  },
  {
    rule: 'an unpaid row goes again by a plan alone',
    mutant: importing('', "UPDATE payout SET state = 'ready' WHERE state IN ('refused', 'expired')"),
  },
  {
    rule: 'an unpaid row with other content goes again',
    mutant: importing(
      `UPDATE temp.draft AS d SET content = c.content FROM payout p JOIN payout_content c ON c.payout = p.id
       WHERE p.key = d.key AND c.digest = d.digest AND p.state IN ('refused', 'expired')`,
    ),
  },
  {
    rule: 'a mistake leaves an unpaid row as it was',
    mutant: importing(
      '',
      "UPDATE payout SET state = 'invalid' WHERE state IN ('refused', 'expired') AND key IN (SELECT key FROM temp.draft_invalid)",
    ),
  },
  {
    rule: 'an unsent row with a mistake is not sent',
    mutant: importing('', "UPDATE payout SET state = 'planned' WHERE state = 'invalid'"),
  },
  {
    rule: 'a retry is a version',
    mutant: withRepository('versions', (own, path) => ({
      async retryRows(batch, rows, by) {
        const opened = await own.retryRows(batch, rows, by);
        databaseAt(path).exec(`DELETE FROM sheet WHERE id = ${batch.sheet.id}`);
        return opened;
      },
    })),
  },
  {
    rule: 'a payment of another ledger holds its row',
    mutant: withRepository('passes', () => ({ matches: () => [] })),
  },
  {
    rule: 'a version is opened on its base alone',
    mutant: withRepository('batches', () => ({ newestSheet: () => Number.MAX_SAFE_INTEGER })),
  },
  {
    rule: 'no version gives back what a newer one changed',
    mutant: withRepository('versions', (own) => ({
      compare: async (batch) => ({ ...(await own.compare(batch)), returning: [], older: 0 }),
    })),
  },
  {
    rule: 'an expired payment is asked live',
    mutant: withRepository('versions', (own) => ({
      compare: async (batch) => ({ ...(await own.compare(batch)), expired: [] }),
    })),
  },
  {
    rule: 'an expired payment is asked live before its row closes or goes again',
    mutant: withRepository('rows', () => ({ expiredPayments: async () => [] })),
  },
  {
    rule: 'a scan that finds a payment of another batch holds the same row',
    mutant: withRepository('duplicates', (own) => {
      let isFirst = true;
      return {
        async matchesOfRows(...asked) {
          const found = isFirst ? await own.matchesOfRows(...asked) : [];
          isFirst = false;
          return found;
        },
      };
    }),
  },
  {
    rule: 'an expired payment is asked live before a plan sends its row again',
    mutant: withRepository('versions', (own) => ({
      async compare(batch) {
        const change = await own.compare(batch);
        const isChanged = (key: string) => change.corrected.some((one) => one.key === key);
        return { ...change, expired: change.expired.filter(({ key, isMissing }) => isMissing || isChanged(key)) };
      },
    })),
  },
  {
    rule: 'an expired payment of an earlier revision is asked live',
    mutant: withRepository('rows', (own) => ({
      expiredPayments: async (row) => ((await own.row(row))?.state === 'expired' ? await own.expiredPayments(row) : []),
    })),
  },
  {
    rule: 'an expired payment is asked live before a list closes its row',
    mutant: withRepository('versions', (own) => ({
      async compare(batch) {
        const change = await own.compare(batch);
        return { ...change, expired: change.expired.filter(({ isMissing }) => !isMissing) };
      },
    })),
  },
  {
    rule: 'an expired payment is asked live before a person closes its row',
    mutant: withRepository('rows', (own, path) => {
      let retries = false;
      return {
        async mistaken(batch) {
          retries = true;
          return await own.mistaken(batch);
        },
        expiredPayments: async (row) => (retries || hasDraft(path) ? await own.expiredPayments(row) : []),
      };
    }),
  },
  {
    rule: 'a plan opens only if it closes the rows that it showed',
    mutant: withRepository('versions', () => ({ droppedByDraft: async () => [] })),
  },
  {
    rule: 'a result file that says paid sends nothing if nobody knows the payment',
    mutant: withRepository('versions', () => ({ claims: async () => 0 })),
  },
  {
    rule: 'same, not ended, in another batch',
    mutant: blindTo(
      (one, batch) => one.differs === 'nothing' && one.batch !== batch && ['open', 'doubt'].includes(one.standing),
    ),
  },
  {
    rule: 'same, within the window',
    mutant: blindTo(
      (one, batch) => one.differs === 'nothing' && one.batch !== batch && one.standing === 'ended' && !one.wasMeanwhile,
    ),
  },
  {
    rule: 'a late payment of a corrected row holds the same row',
    mutant: withRepository('passes', (own) => ({
      matches: (batch, sheet, times) =>
        own.matches(batch, sheet, times).filter(({ standing, at }) => standing !== 'open' || (at ?? 0) >= times.since),
    })),
  },
  {
    rule: 'a payment counts from the day on which it was paid',
    mutant: withRepository('duplicates', (own) => ({
      matchesOfRows: async (batch, times) =>
        (await own.matchesOfRows(batch, times)).map((one) => ({ ...one, at: one.sentAt })),
    })),
  },
  {
    rule: 'a sheet that looks paid is refused as a whole',
    mutant: withRepository('duplicates', () => ({ matchesOfDraft: async () => [] })),
  },
  {
    rule: 'a word covers the payments of its moment',
    mutant: withRepository('duplicates', (own, path) => ({
      matchesOfRows: async (batch, times) =>
        (await own.matchesOfRows(batch, times)).filter(({ payout }) => !isAllowed(path, payout)),
    })),
  },
  {
    rule: 'a word about a row ends with its money',
    mutant: importing(
      'DROP TABLE IF EXISTS temp.word; CREATE TEMP TABLE word AS SELECT id, allowed FROM payout',
      'UPDATE payout SET allowed = (SELECT allowed FROM temp.word WHERE word.id = payout.id); DROP TABLE temp.word',
    ),
  },
  {
    rule: 'without --confirm-repeat, rows that look paid are held',
    mutant: withRepository('versions', (own) => ({
      importDraft: async (order) => await own.importDraft({ ...order, repeatReason: 'it is meant' }),
    })),
  },
  {
    rule: 'a plan opens only if its rows stand as it showed',
    mutant: withRepository('versions', (own) => ({
      plannedRow(batch, key) {
        const row = own.plannedRow(batch, key);
        return row === null ? null : { ...row, state: 'planned' };
      },
      *plannedRows(batch) {
        for (const row of own.plannedRows(batch)) yield { ...row, state: 'planned' };
      },
    })),
  },
  {
    rule: 'a row that the head lacks closes',
    mutant: importing('', 'UPDATE payout SET closed = NULL'),
  },
  { rule: 'new rows need --add', mutant: comparing({ added: 0 }) },
  { rule: 'after something was sent, --add and --drop are asked for', mutant: comparing({ hasSent: false }) },
  {
    rule: 'the rows of the head again are no version',
    mutant: withRepository('versions', (own) => ({
      importDraft: async (order) => await own.importDraft({ ...order, mayRepeat: false }),
    })),
  },
  {
    rule: 'a batch that was paid long ago has ended',
    mutant: withRepository('rows', () => ({ lastSent: async () => null })),
  },
  {
    rule: 'an addition changes no unsent row',
    mutant: {},
    without: withEffect('never sent', 'other', 'stays'),
  },
  {
    rule: 'an addition does not hide an unsent row behind a mistake',
    mutant: {},
    without: withEffect('never sent', 'mistake', 'stays'),
  },
  {
    rule: 'an addition changes no unpaid row',
    mutant: {},
    without: withEffect('unpaid', 'other', 'stays'),
  },
  {
    rule: 'a closed row in doubt keeps its content',
    mutant: {},
    without: withEffect('closed in doubt', 'other', 'returns'),
  },
  {
    rule: 'a closed row in doubt has no mistake',
    mutant: {},
    without: withEffect('closed in doubt', 'mistake', 'returns'),
  },
  {
    rule: 'a closed row comes back changed by a plan alone',
    mutant: {},
    without: withEffect('closed', 'other', 'stays'),
  },
  {
    rule: 'a closed row comes back with a mistake by a plan alone',
    mutant: {},
    without: withEffect('closed', 'mistake', 'stays'),
  },
];
