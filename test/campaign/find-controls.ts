/**
 * `node test/campaign/find-controls.ts`: writes a short list of commands for each control whose list is missing, or no
 * longer breaks a promise. Run it, and then `npm run format`, after a change of the commands or of a rule.
 */
import { writeFileSync } from 'node:fs';
import { orderOf } from './campaign.ts';
import type { Command } from './commands.ts';
import { type Control, controls, listsFile, readLists, tellWithout } from './controls.ts';
import { shrink, type Told, tell } from './lists.ts';
import { scenarios } from './scenarios.ts';

const seedsMost = Number(process.argv[2] ?? 300);
const lists: Record<string, readonly Command[]> = { ...readLists() };

/** Returns the end of the list without the rule. It breaks nothing if the list also breaks something with the rule. */
async function tryList(control: Control, commands: readonly Command[] | number, seed = 1): Promise<Told> {
  const found = await tellWithout(control, { seed, commands });
  const isControl = found.broken.length > 0 && (await tell({ seed: 1, commands: found.commands })).broken.length === 0;
  return isControl ? found : { ...found, broken: [] };
}

async function find(control: Control): Promise<Told | null> {
  for (const { commands } of scenarios) {
    const found = await tryList(control, commands);
    if (found.broken.length > 0) return found;
  }
  for (let seed = 1; seed <= seedsMost; seed += 1) {
    const drawn = await tryList(control, orderOf(seed).commands, seed);
    // The list was drawn with its seed; the test gives it with the first seed.
    const found = drawn.broken.length > 0 ? await tryList(control, drawn.commands) : drawn;
    if (found.broken.length > 0) return found;
  }
  return null;
}

for (const control of controls) {
  if ((await tryList(control, lists[control.rule] ?? [])).broken.length > 0) continue;
  const found = await find(control);
  if (found === null) process.stdout.write(`NOT FOUND ${control.rule}\n`);
  else {
    const order = { seed: 1, commands: found.commands };
    const { commands, broken } = await shrink(order, found, async (fewer) => await tryList(control, fewer));
    lists[control.rule] = commands;
    process.stdout.write(`${control.rule}: ${commands.length} commands; ${broken[0]}\n`);
  }
}
const rules = controls.map(({ rule }) => rule);
const entries = Object.entries(lists).filter(([rule]) => rules.includes(rule));
writeFileSync(listsFile, `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);
