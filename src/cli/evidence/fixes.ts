/** Finds cells that people corrected in a sheet before a corrected file replaced the sheet. */
import { z } from 'zod';
import type { TrailEntry } from '../../audit/chain.ts';
import type { ShownDecision } from './page.ts';

interface Fix extends ShownDecision {
  readonly cell: string;
}

const change = z.object({ from: z.string(), to: z.string() });
const fixEntry = z.object({
  upload: z.string(),
  by: z.string(),
  file: z.string().optional(),
  plan: z.string().optional(),
  replaces: z.string().optional(),
  cell: z.string().optional(),
  header: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  undone: change.optional(),
});

/** The returned function takes the trail's entries in order. At the batch's plan it returns the corrections. */
export function createFixes(batch: string): (entry: TrailEntry) => readonly ShownDecision[] {
  /** For each upload, the corrections that people made in it. */
  const own = new Map<string, readonly Fix[]>();
  /** For each upload, the corrections in the upload that it replaced, and in all uploads before that one. */
  const before = new Map<string, readonly Fix[]>();
  const planned = new Map<string, string>();

  function take({ at, data }: TrailEntry): void {
    const { success, data: one } = fixEntry.safeParse(data);
    if (!success) return;
    const { upload, by, file = '', plan, replaces, cell, header = '', from, to, undone } = one;
    if (plan !== undefined) planned.set(plan, upload);
    if (replaces !== undefined) before.set(upload, [...(before.get(replaces) ?? []), ...(own.get(replaces) ?? [])]);
    const fixes = own.get(upload) ?? [];
    if (cell !== undefined && undone !== undefined) {
      const key = keyOf(cell, undone);
      const last = fixes.findLastIndex((fix) => fix.cell === key);
      own.set(upload, fixes.toSpliced(last, last < 0 ? 0 : 1));
    } else if (cell !== undefined && from !== undefined && to !== undefined) {
      const why = `It said '${from}'. A person changed it to '${to}' before the corrected file was uploaded.`;
      const what = `fixed before, in ${file}: cell ${cell} '${header}'`;
      own.set(upload, [...fixes, { at, row: null, what, by, why, cell: keyOf(cell, { from, to }) }]);
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
