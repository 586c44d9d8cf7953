/** Finds the plan under which each row was sent: the plan of the row's sheet. */
import type { Each } from '../base/words.ts';
import type { TrailEntry } from './chain.ts';

export interface TrailPlan {
  readonly digest: string | null;
  readonly approvals: readonly Each<'approver fingerprint at', string | null>[];
}

export interface AcceptedSheet {
  readonly sheet: number;
  readonly name: string;
  readonly digest: string | null;
  readonly sha256: string | null;
  plan: TrailPlan | null;
  made: TrailEntry['data'];
  /** How many rows were sent while this sheet was the newest, whether or not the service accepted them. */
  sent: number;
}

export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the plan after a trail entry: a new plan, or the plan `before`, perhaps with one more approval. */
function nextPlan(before: TrailPlan | null, what: string, data: TrailEntry['data']): TrailPlan | null {
  if (what === 'plan') return { digest: text(data.plan), approvals: [] };
  if (before === null || before.digest !== data.plan) return before;
  return { ...before, approvals: [...before.approvals, approvalIn(data)] };
}

const approvalIn = ({ approver, fingerprint, at }: TrailEntry['data']) => ({
  approver: text(approver),
  fingerprint: text(fingerprint),
  at: text(at),
});

interface BatchPlans {
  readonly sheets: AcceptedSheet[];
  /** The keys of rows that were sent and are planned or ready again. `sent` does not count them a second time. */
  readonly back: Set<string>;
}

export function createPlans() {
  const batches = new Map<string, BatchPlans>();
  return {
    take(entry: TrailEntry): void {
      const { batch, what } = entry;
      if (typeof batch !== 'string') return;
      const plans = batches.get(batch) ?? { sheets: [], back: new Set() };
      if (what === 'sheet') batches.set(batch, plans);
      takeInto(plans, entry);
    },
    of: (batch: string): readonly AcceptedSheet[] => batches.get(batch)?.sheets ?? [],
  };
}

export function sheetsOf(entries: Iterable<TrailEntry>, batch: string): readonly AcceptedSheet[] {
  const plans = createPlans();
  for (const entry of entries) if (entry.batch === batch) plans.take(entry);
  return plans.of(batch);
}

function takeInto({ sheets, back }: BatchPlans, { row, what, data }: TrailEntry): void {
  if (what === 'sheet') {
    const [name, digest, sha256] = [text(data.name) ?? '', text(data.digest), text(data.sha256)];
    sheets.push({ sheet: Number(data.sheet), name, digest, sha256, plan: null, made: {}, sent: 0 });
    back.clear();
  }
  const last = sheets.at(-1);
  if (last === undefined) return;
  if (what === 'plan' || what === 'approval') last.plan = nextPlan(last.plan, what, data);
  if (what === 'plan') last.made = data;
  if (what !== 'move') return;
  if (row != null && data.to === 'ready' && ['sending', 'in_doubt'].includes(String(data.from))) back.add(row);
  if (data.to !== 'sending') return;
  if (row == null) last.sent += Number(data.rows ?? 1);
  else if (!back.delete(row)) last.sent += 1;
}
