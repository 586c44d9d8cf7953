/** Controls: the product without one of its rules. The campaign must then find a list that breaks a promise. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './commands.ts';
import type { Mutant } from './desk.ts';
import { type ListOrder, type Told, tell } from './lists.ts';
import { processControls } from './process-controls.ts';
import { rowControls } from './row-controls.ts';

export interface Control {
  readonly rule: string;
  readonly mutant: Mutant;
  /** Takes the rule out of a table of the product; returns what puts it back. */
  readonly without?: () => () => void;
  /** True for a rule that the oracle has to hold without the reference. */
  readonly isOfOracle?: boolean;
}

/** For each rule the commands that break a promise without it. `find-controls.ts` writes them. */
export const listsFile = join(import.meta.dirname, 'controls.json');
export const readLists = (): Readonly<Record<string, readonly Command[]>> =>
  JSON.parse(readFileSync(listsFile, 'utf8'));

/** Gives the commands to the product without the rule. */
export async function tellWithout(
  { mutant, without, isOfOracle = false }: Control,
  order: Pick<ListOrder, 'seed' | 'commands'>,
): Promise<Told> {
  const putBack = without?.();
  try {
    return await tell({ ...order, mutant, compares: !isOfOracle });
  } finally {
    putBack?.();
  }
}

export const controls: readonly Control[] = [...rowControls, ...processControls];
