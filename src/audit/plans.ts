/** Finds the plan under which each row was sent: the plan of the row's sheet, or of a retry. */
import type { TrailEntry } from './chain.ts';

export interface TrailPlan {
  readonly digest: string | null;
  readonly approvals: readonly {
    readonly approver: string | null;
    readonly fingerprint: string | null;
    readonly at: string | null;
  }[];
}

export interface Retry {
  readonly plan: TrailPlan;
  readonly made: TrailEntry['data'];
  readonly sent: Set<string>;
}

export interface AcceptedSheet {
  readonly sheet: number;
  readonly name: string;
  /** The digest of the sheet's rows. */
  readonly digest: string | null;
  /** The digest of the sheet's file. */
  readonly sha256: string | null;
  plan: TrailPlan | null;
  made: TrailEntry['data'];
  /** How many rows were sent for the first time, whether or not the service accepted them. Rows of a retry do not count. */
  sent: number;
  readonly retries: Retry[];
}

export const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Returns the plan in force after a trail entry. A new plan replaces `before`, and an approval of `before` is added to it. */
export function nextPlan(before: TrailPlan | null, what: string, data: TrailEntry['data']): TrailPlan | null {
  if (what === 'plan') return { digest: text(data.plan), approvals: [] };
  if (before === null || before.digest !== data.plan) return before;
  return { ...before, approvals: [...before.approvals, approvalIn(data)] };
}

export function planOfRetry({ plan, approvals }: TrailEntry['data']): TrailPlan {
  const all: readonly unknown[] = Array.isArray(approvals) ? approvals : [];
  const given = all.filter((one) => typeof one === 'object' && one !== null) as TrailEntry['data'][];
  return { digest: text(plan), approvals: given.map(approvalIn) };
}

const approvalIn = ({ approver, fingerprint, at }: TrailEntry['data']) => ({
  approver: text(approver),
  fingerprint: text(fingerprint),
  at: text(at),
});

interface BatchPlans {
  readonly sheets: AcceptedSheet[];
  /** For each row's key, the retry whose plan covers the row. A new sheet empties the map. */
  readonly under: Map<string, Retry>;
  /** The keys of sent rows that are planned or ready again. `sent` does not count their next attempt. */
  readonly back: Set<string>;
  retry: Retry | null;
}

export function createPlans() {
  const batches = new Map<string, BatchPlans>();
  return {
    take(entry: TrailEntry): void {
      const { batch, what } = entry;
      if (typeof batch !== 'string') return;
      const plans = batches.get(batch) ?? { sheets: [], under: new Map(), back: new Set(), retry: null };
      if (what === 'sheet') batches.set(batch, plans);
      takeInto(plans, entry);
    },
    of: (batch: string): readonly AcceptedSheet[] => batches.get(batch)?.sheets ?? [],
  };
}

function takeInto(plans: BatchPlans, { row, what, data }: TrailEntry): void {
  const { sheets, under, back } = plans;
  if (what === 'sheet') {
    const [name, digest, sha256] = [text(data.name) ?? '', text(data.digest), text(data.sha256)];
    sheets.push({ sheet: Number(data.sheet), name, digest, sha256, plan: null, made: {}, sent: 0, retries: [] });
    under.clear();
    back.clear();
    plans.retry = null;
  }
  const last = sheets.at(-1);
  if (last === undefined) return;
  if (what === 'retry') {
    plans.retry = { plan: planOfRetry(data), made: data, sent: new Set() };
    last.retries.push(plans.retry);
  }
  if (what === 'move') takeMove(plans, last, row ?? null, data);
  if (what === 'plan' || what === 'approval') last.plan = nextPlan(last.plan, what, data);
  if (what === 'plan') last.made = data;
}

function takeMove(plans: BatchPlans, last: AcceptedSheet, row: string | null, data: TrailEntry['data']): void {
  const { under, back, retry } = plans;
  if (row !== null && data.to === 'planned' && data.why === 'retry') {
    if (retry === null) under.delete(row);
    else under.set(row, retry);
    back.add(row);
  }
  if (row !== null && data.to === 'ready' && (data.from === 'sending' || data.from === 'in_doubt')) back.add(row);
  if (data.to !== 'sending') return;
  const again = under.get(row ?? '');
  if (again !== undefined) again.sent.add(row ?? '');
  else if (row === null) last.sent += Number(data.rows ?? 1);
  else if (!back.delete(row)) last.sent += 1;
  // If the sheet has no plan, forgets the retry when sending begins. A later retry without a plan can lack its own trail entry,
  // and its rows would count as rows of the earlier retry.
  if (last.plan === null) plans.retry = null;
}
