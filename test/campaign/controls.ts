/** Controls: the product without one of its rules. The campaign must then find a list that breaks a promise. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseAt } from '../simulation/memory-store.ts';
import type { Command } from './commands.ts';
import type { Mutant } from './desk.ts';
import { type ListOrder, type Told, tell } from './lists.ts';
import {
  blindTo,
  comparing,
  importing,
  isAllowed,
  isOwnPayment,
  overlooks,
  withEffect,
  withoutHold,
  withRepository,
} from './mutants.ts';
import { dayMs } from './parameters.ts';

export interface Control {
  readonly rule: string;
  readonly mutant: Mutant;
  /** Takes the rule out of a table of the product; returns what puts it back. */
  readonly without?: () => () => void;
}

/** For each rule the commands that break a promise without it. `find-controls.ts` writes them. */
export const listsFile = join(import.meta.dirname, 'controls.json');
export const readLists = (): Readonly<Record<string, readonly Command[]>> =>
  JSON.parse(readFileSync(listsFile, 'utf8'));

/** Gives the commands to the product without the rule. */
export async function tellWithout(
  { mutant, without }: Control,
  order: Pick<ListOrder, 'seed' | 'commands'>,
): Promise<Told> {
  const putBack = without?.();
  try {
    return await tell({ ...order, mutant });
  } finally {
    putBack?.();
  }
}

const product: Mutant = {};

export const controls: readonly Control[] = [
  {
    rule: 'the intent is on the disk before the first byte leaves',
    mutant: { tamper: 'intent-after-send' },
  },
  {
    rule: 'what a death left under way is in doubt',
    mutant: withRepository('rows', (own, path) => ({
      async recover() {
        databaseAt(path).exec("UPDATE payout SET state = 'ready' WHERE state = 'sending'");
        return await own.recover();
      },
    })),
  },
  { rule: 'a scan reads the list before sending', mutant: { tamper: 'pass-sees-nothing' } },
  { rule: 'a sent row does not change', mutant: overlooks('other') },
  { rule: 'a mistake does not hide a sent row', mutant: overlooks('mistake') },
  {
    rule: 'a closed row comes back by a plan alone',
    mutant: product,
    without: withEffect('closed', 'same', 'stays'),
  },
  {
    rule: 'an unpaid row closes by --drop alone',
    mutant: product,
    without: withEffect('unpaid', 'missing', 'stays'),
  },
  {
    rule: 'an unsent row closes by --drop alone',
    mutant: product,
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
    rule: 'same, within 35 days, is a warning',
    mutant: blindTo(
      (one, batch, now) =>
        one.differs === 'nothing' && one.batch !== batch && one.sentAt !== null && now - one.sentAt > 20 * dayMs,
    ),
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
    rule: 'no scan takes back a word about a payment',
    mutant: withRepository('passes', (own, path) => ({
      sightings(identity) {
        databaseAt(path).exec(
          "UPDATE payout SET state = 'in_doubt' WHERE state = 'accepted' AND json_extract(reason, '$[0].kind') IN ('said-paid', 'said-paid-elsewhere')",
        );
        return own.sightings(identity);
      },
    })),
  },
  {
    rule: 'a payment of an earlier revision ends no doubt about a later one',
    mutant: withRepository('passes', (own) => ({
      sightings: (identity) =>
        own.sightings(identity).map(({ row, seen }) => ({
          row,
          seen: seen.map((one) => (row.state === 'in_doubt' ? { ...one, revision: row.revision } : one)),
        })),
    })),
  },
  {
    rule: 'no word repeats a payment in doubt',
    mutant: withRepository('rows', (own) => ({
      list: async (which) => (which.states?.includes('sending') === true ? [] : await own.list(which)),
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
    rule: 'under a plan, a new plan alone sends an unpaid row again',
    mutant: withRepository('batches', (own) => ({
      async batch(name) {
        const batch = await own.batch(name);
        return batch && { ...batch, sheet: { ...batch.sheet, options: { ...batch.sheet.options, plan: undefined } } };
      },
    })),
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
    rule: 'same, not ended, in another batch',
    mutant: blindTo((one, batch) => one.differs === 'nothing' && one.batch !== batch && one.standing === 'open'),
  },
  {
    rule: 'same, within the window',
    mutant: blindTo(
      (one, batch) => one.differs === 'nothing' && one.batch !== batch && one.standing === 'ended' && !one.wasMeanwhile,
    ),
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
    rule: 'without --confirm-repeat, rows that look paid are held',
    mutant: withRepository('versions', (own) => ({
      importDraft: async (order) => await own.importDraft({ ...order, repeatReason: 'it is meant' }),
    })),
  },
  { rule: 'while a plan waits, no other version is opened', mutant: importing('DELETE FROM hold') },
  {
    rule: 'while a hold stands, no intent is written',
    mutant: {
      deps: (deps) =>
        withoutHold.deps!(
          withRepository('rows', (own, path) => ({
            async move(move) {
              if (move.to === 'sending') databaseAt(path).exec('DELETE FROM hold');
              await own.move(move);
            },
          })).deps!(deps),
        ),
    },
  },
  {
    rule: 'under a policy, a version needs its approvals',
    mutant: { deps: ({ policy: _policy, ...deps }) => deps },
  },
  { rule: 'nobody approves their own plan', mutant: { maker: 'zoe' } },
  { rule: 'a plan ends after its time', mutant: { goodForMs: 28 * dayMs } },
  {
    rule: 'no version has fewer signers than the first',
    mutant: withRepository('batches', () => ({ sheetsOf: () => [] })),
  },
  {
    rule: 'nobody releases a row of their own batch',
    mutant: withRepository('uploads', () => ({ makersOf: () => [] })),
  },
  {
    rule: 'somebody comes back for a doubt',
    mutant: withRepository('leads', (own, path) => ({
      async finish(batch, end, why) {
        const isNews = await own.finish(batch, end, why);
        databaseAt(path).exec("UPDATE lead SET stands = 'idle', at = NULL WHERE stands = 'until'");
        return isNews;
      },
    })),
  },
  {
    rule: 'a refused sheet stops nothing',
    mutant: withRepository('versions', (own, path) => ({
      async compare(batch) {
        databaseAt(path).exec("UPDATE lead SET stands = 'stopped', turn = turn + 1");
        return await own.compare(batch);
      },
    })),
  },
  {
    rule: 'only a person continues a stopped batch',
    mutant: withRepository('leads', (own) => ({
      of: (batch) => ({ ...own.of(batch), stands: 'going', stop: null }),
      goOn: async (batch) => await own.goOn(batch, own.of(batch).turn),
    })),
  },
  {
    rule: 'after a stop by another process, no intent is written',
    mutant: withRepository('rows', (own, path) => ({
      async move(move) {
        if (move.to === 'sending') databaseAt(path).exec("UPDATE lead SET stands = 'going'");
        await own.move(move);
      },
    })),
  },
  {
    rule: 'a declined plan is not run',
    mutant: withRepository('trail', () => ({ declineOf: async () => null })),
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
    mutant: product,
    without: withEffect('never sent', 'other', 'stays'),
  },
  {
    rule: 'an addition does not hide an unsent row behind a mistake',
    mutant: product,
    without: withEffect('never sent', 'mistake', 'stays'),
  },
  {
    rule: 'an addition changes no unpaid row',
    mutant: product,
    without: withEffect('unpaid', 'other', 'stays'),
  },
  {
    rule: 'a closed row in doubt keeps its content',
    mutant: product,
    without: withEffect('closed in doubt', 'other', 'returns'),
  },
  {
    rule: 'a closed row in doubt has no mistake',
    mutant: product,
    without: withEffect('closed in doubt', 'mistake', 'returns'),
  },
  {
    rule: 'a closed row comes back changed by a plan alone',
    mutant: product,
    without: withEffect('closed', 'other', 'stays'),
  },
  {
    rule: 'a closed row comes back with a mistake by a plan alone',
    mutant: product,
    without: withEffect('closed', 'mistake', 'stays'),
  },
  {
    rule: 'an alarm in one batch stops the sending of all',
    mutant: withRepository('rows', (own) => ({
      unknownDoubles: async (batch) => (batch === null ? [] : await own.unknownDoubles(batch)),
    })),
  },
];
