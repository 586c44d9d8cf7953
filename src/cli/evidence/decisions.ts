/** Lists what people decided about a batch, and their reasons, from the trail. */
import { z } from 'zod';
import { entriesOf, type TrailEntry } from '../../audit/chain.ts';
import type { TrailLine } from '../../audit/evidence.ts';
import { sheetsOf, text } from '../../audit/plans.ts';
import type { ShownDecision } from './page.ts';

const repeatWords = 'pays again what looks paid';

const correctedCells = z.array(
  z.object({ cell: z.string(), header: z.string().nullable(), from: z.string(), to: z.string(), by: z.string() }),
);

export function decisionsOf(lines: readonly TrailLine[], name: string): ShownDecision[] {
  const fixed = createFixes(name);
  const makers = new Map(sheetsOf(entriesOf(lines), name).map(({ sheet, made }) => [sheet, made.maker]));
  return Array.from(entriesOf(lines)).flatMap((entry): ShownDecision[] => {
    const { at, batch, row, what, data } = entry;
    const before = fixed(entry);
    if (batch !== name) return [];
    if (before.length > 0) return [...before];
    if (what === 'corrected')
      return (correctedCells.safeParse(data.cells).data ?? []).map(({ cell, header, from, to, by }) => ({
        at,
        row,
        what: `corrected cell ${cell} '${header ?? ''}'`,
        by,
        why: `The sheet says '${from}', and was read as '${to}'.`,
      }));
    const { said, by, why, reason, confirmed, repeat } = data;
    const [word, words] =
      what === 'person' && typeof data.declined === 'string'
        ? ['declined a plan', `${data.declined} (plan ${String(data.plan)})`]
        : what === 'variance'
          ? ['moved as far as it is meant to', confirmed]
          : what === 'sheet'
            ? [repeatWords, repeat]
            : [said ?? what, said === undefined && what !== 'rebind' ? null : (why ?? reason)];
    if (typeof words !== 'string' || typeof word !== 'string') return [];
    // `by` ran the sheet, but the plan's maker gave the reason.
    const who = what === 'sheet' ? makers.get(Number(data.sheet)) : by;
    return [{ at, row, what: word, by: text(who), why: words }];
  });
}

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

/**
 * Finds cells that people corrected in a sheet before a corrected file replaced the sheet. The returned function takes the
 * trail's entries in order. At the batch's plan it returns the corrections.
 */
function createFixes(batch: string): (entry: TrailEntry) => readonly ShownDecision[] {
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
