/** Writes a plan as its canonical text. */
import type { z } from 'zod';
import { type Output, writeTextBehind } from '../../sheet/sheet.ts';
import {
  headShape,
  openPlan,
  type PlanFile,
  type PlanLine,
  type PlanSource,
  type Section,
  sections,
  shapes,
  tally,
} from './plan-file.ts';

/** Reads the lines once, because a batch that is paid meanwhile may change them. */
export async function writePlan(output: Output, { head, lines }: PlanSource): Promise<PlanFile> {
  const counted = tally();
  const first = () => `{"plan":${canonical(headShape, { ...head, ...counted.end() })}`;
  return await openPlan(await writeTextBehind(output, first, linesText(lines(), counted.add)));
}

/** Yields the canonical text after the head: JSON with one line for each merchant, warning and row. */
async function* linesText(lines: AsyncIterable<PlanLine>, see: (line: PlanLine) => void): AsyncIterable<string> {
  let open = -1;
  let first = true;
  function* upTo(section: Section): Iterable<string> {
    for (; sections[open] !== section; open += 1) {
      yield `${open < 0 ? '' : '\n]'},\n"${sections[open + 1]}":[`;
      first = true;
    }
  }
  for await (const line of lines) {
    see(line);
    yield* upTo(line.kind);
    yield `${first ? '' : ','}\n${canonical(shapes[line.kind], line.line)}`;
    first = false;
  }
  yield* upTo('rows');
  yield '\n]}\n';
}

/** Returns the only valid text of a value: keys in the shape's order, and no other keys. */
const canonical = (shape: z.ZodType, value: unknown): string => JSON.stringify(shape.parse(value));
