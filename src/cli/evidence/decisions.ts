/** Lists what people decided about a batch, and their reasons, as facts from the trail. */
import { z } from 'zod';
import { entriesOf, type TrailEntry } from '../../audit/chain.ts';
import type { TrailLine } from '../../audit/evidence.ts';
import { sheetsOf, text } from '../../audit/plans.ts';
import type { EntryKind } from '../../domain/trail.ts';

/** A decision, with the data of its trail entry. `by` is null if the command did not ask for a name. */
export interface Decision extends Omit<TrailEntry, 'batch'> {
  readonly by: string | null;
  readonly why: string | null;
}

const correctedCells = z.array(z.looseObject({ by: z.string() }));

const reasonFields: { readonly [K in EntryKind]?: readonly string[] } = {
  person: ['declined', 'reason'],
  sheet: ['repeat'],
  variance: ['confirmed'],
  rebind: ['reason'],
  paused: ['reason'],
  'pause ended': ['reason'],
  move: ['why'],
  note: ['why'],
};

export function decisionsOf(lines: readonly TrailLine[], name: string): Decision[] {
  const fixed = createFixes(name);
  const makers = new Map(sheetsOf(entriesOf(lines), name).map(({ sheet, made }) => [sheet, made.maker]));
  return Array.from(entriesOf(lines)).flatMap((entry): Decision[] => {
    const { batch, ...rest } = entry;
    const before = fixed(entry);
    if (batch !== name) return [];
    const { what, data } = entry;
    const cells = what === 'corrected' ? (correctedCells.safeParse(data.cells).data ?? []) : [];
    const corrected = cells.map((cell) => ({ ...rest, data: cell, by: cell.by, why: null }));
    const why = (reasonFields[what] ?? []).map((field) => data[field]).find((value) => typeof value === 'string');
    if (why === undefined) return [...before, ...corrected];
    // `by` ran the sheet, but the plan's maker gave the reason.
    const by = what === 'sheet' ? makers.get(Number(data.sheet)) : data.by;
    return [...before, { ...rest, by: text(by), why }];
  });
}

interface Fix extends Decision {
  readonly cell: string;
}

const change = z.object({ from: z.string(), to: z.string() });
const fixEntry = z
  .object({ plan: z.string(), replaces: z.string(), cell: z.string(), ...change.shape, undone: change })
  .partial()
  .extend({ upload: z.string(), by: z.string() });

/**
 * Finds cells that people corrected in a sheet before a corrected file replaced the sheet. The returned function takes the
 * trail's entries in order. At the batch's plan it returns the corrections.
 */
function createFixes(batch: string): (entry: TrailEntry) => readonly Decision[] {
  const own = new Map<string, readonly Fix[]>();
  /** For each upload, the corrections in the upload that it replaced, and in all uploads before that one. */
  const before = new Map<string, readonly Fix[]>();
  const planned = new Map<string, string>();

  function take({ batch: _batch, ...entry }: TrailEntry): void {
    const { success, data: one } = fixEntry.safeParse(entry.data);
    if (!success) return;
    const { upload, by, plan, replaces, cell, from, to, undone } = one;
    if (plan !== undefined) planned.set(plan, upload);
    if (replaces !== undefined) before.set(upload, [...(before.get(replaces) ?? []), ...(own.get(replaces) ?? [])]);
    const fixes = own.get(upload) ?? [];
    if (cell !== undefined && undone !== undefined) {
      const key = keyOf(cell, undone);
      const last = fixes.findLastIndex((fix) => fix.cell === key);
      own.set(upload, fixes.toSpliced(last, last < 0 ? 0 : 1));
    } else if (cell !== undefined && from !== undefined && to !== undefined) {
      own.set(upload, [...fixes, { ...entry, by, why: null, cell: keyOf(cell, { from, to }) }]);
    }
  }

  return (entry) => {
    if (entry.what === 'person') take(entry);
    if (entry.what !== 'plan' || entry.batch !== batch) return [];
    const upload = planned.get(`sha256:${String(entry.data.plan)}`);
    const fixes = upload === undefined ? [] : (before.get(upload) ?? []);
    return fixes.map(({ cell: _key, ...decision }) => decision);
  };
}

const keyOf = (cell: string, { from, to }: z.infer<typeof change>) => JSON.stringify([cell, from, to]);
