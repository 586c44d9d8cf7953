/** Runs `payrun ledger copy TO`: copies the ledger to another database, where it continues. */
import type { Evidence } from '../../audit/evidence.ts';
import { collectFindings } from '../../audit/findings.ts';
import { auditLedger } from '../../audit/verify.ts';
import { systemClock } from '../../base/clock.ts';
import { PayrunError } from '../../base/errors.ts';
import { shellWord } from '../../base/words.ts';
import { type CopiedLedger, copyLedger } from '../../ledger/ledger.ts';
import { counted } from '../../messages/format/numbers.ts';
import type { Run } from '../args/command-table.ts';
import { ledgerPlace } from '../compose/assemble.ts';
import { reply } from '../compose/command-context.ts';
import { loadSettings } from '../compose/config.ts';
import { requireLedgerAt } from '../compose/ledger-only.ts';

export const copyLedgerTo: Run = async (args, world) => {
  const from = ledgerPlace(loadSettings(world, args, false));
  const to = ledgerPlace(loadSettings(world, { ledger: args.to }, false));
  requireLedgerAt(from.place);
  const copied = await copyLedger(from, to, world.clock ?? systemClock, requireWhole);
  return reply(args, world, copied, words(copied));
};

/** Throws for a damaged ledger, because its copy would look intact. */
function requireWhole(evidence: Evidence, path: string): void {
  const findings = collectFindings();
  auditLedger(evidence, findings);
  const [first] = findings.list;
  if (first === undefined) return;
  const why = { fault: 'audit-has-findings', ledger: path, findings: findings.total, first } as const;
  throw new PayrunError('LEDGER_DAMAGED', { why });
}

function words({ from, to, rows, entries, head }: CopiedLedger): string {
  return `Copied: ${counted(rows, 'row')} and ${counted(entries, 'entry of the trail', 'entries of the trail')}, last ${head}.
Both ledgers have the same contents, and the trail of the copy is complete.

Use the copy from now on: --ledger ${shellWord(to)}, or PAYRUN_LEDGER, for people and for cron.
${from} never sends again: keep it to look up what was paid until now. Back up the new one from now on.
`;
}
