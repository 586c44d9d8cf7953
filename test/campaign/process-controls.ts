/** Controls of the protocol: intents, scans, stops, holds, plans and approvals. */
import { databaseAt } from '../simulation/memory-store.ts';
import type { Control } from './controls.ts';
import { blindAfterSending, hasDraft, importing, withoutHold, withRepository } from './mutants.ts';
import { dayMs } from './parameters.ts';

/** The batches go on, whatever stopped them. */
const goOn = (path: string) => databaseAt(path).exec("UPDATE lead SET stands = 'going'");

async function goOnAfter<T>(path: string, call: Promise<T>): Promise<T> {
  const result = await call;
  goOn(path);
  return result;
}

export const processControls: readonly Control[] = [
  {
    rule: 'no early scan proves an absence',
    mutant: {
      deps: (deps) => ({ ...deps, limits: { ...deps.limits, doubt: { ...deps.limits.doubt, horizonMs: 0 } } }),
    },
  },
  {
    rule: 'one scan proves no absence',
    mutant: withRepository('rows', (own) => ({
      list: async (which) => (await own.list(which)).map((row) => ({ ...row, missed: row.missed ?? row.sentMoment })),
    })),
  },
  { rule: 'a run scans after it sent', mutant: blindAfterSending },
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
    rule: 'under a plan, a new plan alone sends an unpaid row again',
    mutant: withRepository('batches', (own) => ({
      async batch(name) {
        const batch = await own.batch(name);
        return batch && { ...batch, sheet: { ...batch.sheet, options: { ...batch.sheet.options, plan: undefined } } };
      },
    })),
  },
  { rule: 'while a plan waits, no other version is opened', mutant: importing('DELETE FROM hold') },
  {
    rule: 'while a plan waits, no other plan is proposed',
    mutant: withRepository('holds', (own, path) => ({
      proposalOf: () => null,
      async propose(...said) {
        databaseAt(path).exec("DELETE FROM hold WHERE kind = 'proposal'");
        return await own.propose(...said);
      },
    })),
  },
  {
    rule: 'a plan is made after its hold',
    mutant: withRepository('holds', (own) => {
      let said: Parameters<typeof own.propose>;
      return {
        async propose(...asked) {
          said = asked;
          return 0;
        },
        keepPlan: async (_id, ...kept) => await own.keepPlan(await own.propose(...said), ...kept),
      };
    }),
  },
  {
    rule: 'a plan is made after the requests under way',
    mutant: { deps: (deps) => ({ ...deps, ledger: { ...deps.ledger, isLedElsewhere: async () => false } }) },
  },
  {
    rule: 'without --skip-invalid, a payee that is missing stops a run',
    mutant: withRepository('payees', (own) => ({
      merchants: (batch, since, identity, states) =>
        own.merchants(batch, since, identity, states.includes('refused') ? [] : states),
    })),
  },
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
  {
    rule: 'a batch is not continued without its approvals',
    mutant: withRepository('batches', (own) => ({
      async batch(name) {
        const batch = await own.batch(name);
        const plan = { digest: '', identity: batch?.identity, update_names: false, policy: '', approvals: [] };
        return batch && { ...batch, sheet: { ...batch.sheet, options: { plan, ...batch.sheet.options } } };
      },
    })),
  },
  {
    rule: 'under a policy, a plan of late rows sends no row that no signed plan has',
    mutant: withRepository('versions', (own) => ({
      async compare(batch) {
        const { rows, ...change } = await own.compare(batch);
        return { ...change, rows: { ...rows, 'never sent': { ...rows['never sent'], missing: 0 } } };
      },
    })),
    isOfOracle: true,
  },
  { rule: 'the ledger remembers a policy', mutant: withRepository('trail', () => ({ entries: async () => [] })) },
  {
    rule: 'nobody pays what they approved',
    mutant: { deps: (deps) => ({ ...deps, actor: { ...deps.actor, name: null } }) },
  },
  {
    rule: 'no other API key continues a batch',
    mutant: withRepository('rows', () => ({ everSent: async () => false })),
  },
  {
    rule: 'no other API key opens a version',
    mutant: withRepository('rows', (own, path) => ({
      everSent: async (batch) => !hasDraft(path) && (await own.everSent(batch)),
    })),
  },
  { rule: 'nobody approves their own plan', mutant: { maker: 'zoe' } },
  {
    rule: 'a plan opens only while nobody declined it',
    mutant: withRepository('versions', (own) => ({
      importDraft: async (order) => await own.importDraft({ ...order, proposal: null }),
    })),
  },
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
    rule: 'a declined plan leaves its batch stopped',
    mutant: withRepository('holds', (own, path) => ({
      endProposal: async (...said) => await goOnAfter(path, own.endProposal(...said)),
    })),
  },
  {
    rule: 'the end of a pause leaves its batch stopped',
    mutant: withRepository('holds', (own, path) => ({
      endPause: async (...said) => await goOnAfter(path, own.endPause(...said)),
    })),
  },
  {
    rule: 'an alarm leaves its batch stopped',
    mutant: withRepository('leads', (own) => ({
      finish: async (batch, end, why) => await own.finish(batch, end && 'stop' in end ? { at: 0, why } : end, why),
    })),
  },
  {
    rule: 'after a stop by another process, no intent is written',
    mutant: withRepository('rows', (own, path) => ({
      async move(move) {
        if (move.to === 'sending') goOn(path);
        await own.move(move);
      },
    })),
  },
  {
    rule: 'no version ends a stop that came while its sheet was read',
    mutant: withRepository('versions', (own, path) => ({
      async importDraft(order) {
        const lead = databaseAt(path).prepare('SELECT turn FROM lead WHERE batch = ?').get(order.batch);
        return await own.importDraft({ ...order, turn: Number(lead?.turn ?? 0) });
      },
    })),
  },
  {
    rule: 'no retry ends a stop that came meanwhile',
    mutant: withRepository('versions', (own, path) => ({
      async retryRows(batch, rows, order) {
        const lead = databaseAt(path).prepare('SELECT turn FROM lead WHERE batch = ?').get(batch.name);
        return await own.retryRows(batch, rows, { ...order, turn: Number(lead?.turn) });
      },
    })),
  },
  {
    rule: 'somebody comes back for a retry that died',
    mutant: withRepository('versions', (own, path) => ({
      async retryRows(batch, ...order) {
        const opened = await own.retryRows(batch, ...order);
        databaseAt(path).exec("UPDATE lead SET stands = 'idle' WHERE stands = 'going'");
        return opened;
      },
    })),
  },
  {
    rule: 'while a plan waits, no retry is opened',
    mutant: withRepository('versions', (own, path) => ({
      async retryRows(...order) {
        databaseAt(path).exec("DELETE FROM hold WHERE kind = 'proposal'");
        return await own.retryRows(...order);
      },
    })),
  },
  {
    rule: 'a plan of a retry opens only while nobody declined it',
    mutant: withRepository('versions', (own) => ({
      retryRows: async (batch, rows, { under = null, ...order }) =>
        await own.retryRows(batch, rows, { ...order, under: under && { ...under, proposal: null } }),
    })),
  },
  {
    rule: 'a declined plan is not run',
    mutant: withRepository('trail', () => ({ declineOf: async () => null })),
  },
  {
    rule: 'an alarm in one batch stops the sending of all',
    mutant: withRepository('rows', (own) => ({
      unknownDoubles: async (batch) => (batch === null ? [] : await own.unknownDoubles(batch)),
    })),
  },
];
