/** Lists what people decided about a batch, and their reasons, from the trail. */
import { z } from 'zod';
import { entriesOf } from '../../audit/chain.ts';
import type { TrailLine } from '../../audit/evidence.ts';
import { sheetsOf } from '../../audit/plans.ts';
import { createFixes } from './fixes.ts';
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
    return [{ at, row, what: word, by: textOrNull(who), why: words }];
  });
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
