/** Looking without paying: what is wrong with a sheet (`check`), and what paying it would do (`plan`). Nothing is written or sent. */

import type { RowRules } from '../domain/line.ts';
import { merchantKeys } from '../domain/merchant.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openSheet, type SheetOptions } from '../sheet/sheet.ts';
import { type Checked, checkSheet } from './check.ts';
import type { Deps, Progress } from './deps.ts';
import { requireSheetFile } from './intake.ts';
import { noRows, type Outcome, plannedTotals } from './outcome.ts';
import { stopOf } from './patience.ts';
import { planSheet, type RunOrder, readingNotes, refusal } from './run.ts';

const maxProblems = 10_000;

export interface CheckSheetOrder {
  readonly file: string;
  readonly sheet: SheetOptions;
  readonly rules: RowRules;
  readonly documentsFolder: string;
  readonly skipInvalid: boolean;
}

/** `payrun check FILE`: every problem of every row; needs no service and no credentials. */
export async function check(
  ledger: Ledger,
  order: CheckSheetOrder,
  progress: (step: Progress) => void,
): Promise<Outcome> {
  await requireSheetFile(order.file, order.file);
  const checked = await checkSheet(
    ledger.draft,
    { sheet: openSheet(order.file, order.sheet), rules: order.rules, documentsFolder: order.documentsFolder },
    progress,
  );
  const { rows, errors } = ledger.draft.counts();
  const service = { label: 'none', identity: '', embedded: false, asUser: true };
  if (rows === 0 || errors > 0) return refusal({ ledger, service }, null, checked);
  return looked(ledger, service.label, null, checked, []);
}

/** `payrun plan FILE`: the sheet against the service and the ledger; only reading calls are made. */
export async function plan(deps: Deps, order: RunOrder): Promise<Outcome> {
  const { ledger, service, client } = deps;
  await requireSheetFile(order.file, order.file);
  await client.ready().catch((error: unknown) => {
    throw stopOf(deps, error);
  });
  const { checked, plan: planned } = await planSheet(deps, order, order.file);
  if (planned.refused) return refusal(deps, planned, checked);
  const wanted = ledger.draft.destinations();
  const reused = await reusedMerchants(deps);
  const { comparison } = planned;
  return looked(ledger, service.label, planned.batch, checked, [
    `${wanted} payees: ${reused} are merchants of the service already, ${wanted - reused} would be created.`,
    `${comparison.added} rows are new to batch ${planned.batch}, ${comparison.same} are known, ${comparison.corrected.length} corrected.`,
    `${ledger.draft.documents()} documents would be attached.`,
  ]);
}

async function reusedMerchants({ client, ledger }: Deps): Promise<number> {
  const found = new Set<string>();
  for await (const merchants of client.merchants())
    for (const merchant of merchants)
      for (const key of merchantKeys(merchant)) if (ledger.draft.hasDestination(key)) found.add(key);
  return found.size;
}

function looked(ledger: Ledger, service: string, batch: string | null, checked: Checked, notes: string[]): Outcome {
  const counts = ledger.draft.counts();
  return {
    batch,
    service,
    ledger: ledger.path,
    digest: `sha256:${ledger.draft.digest()}`,
    sent: 0,
    rows: { ...noRows, total: counts.rows + counts.invalid, not_sent: counts.rows, invalid: counts.invalid },
    totals: plannedTotals(ledger.draft.totals()),
    problems: ledger.draft.problems(maxProblems),
    problems_total: counts.problems,
    documents: { attached: 0, open: ledger.draft.documents() },
    result: null,
    next: [],
    notes: [...readingNotes(checked), ...notes],
    stopped: null,
    exit: counts.invalid > 0 ? 21 : 0,
  };
}
