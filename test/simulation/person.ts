/** What a person does with what a command told: which command comes next, and when; and what is mended in the sheet. */
import type { Refusal } from '../../src/base/refusal.ts';
import type { ActionKind } from '../../src/domain/next-action.ts';
import type { Chance } from './chance.ts';
import { epochMs } from './clock.ts';
import { type Command, type Desk, type Ending, type ResultLine, writeSheet } from './desk.ts';
import type { Story } from './story.ts';

const minuteMs = 60_000;

/** How long the person waits before the next command. */
export function pauseMs({ timeline, calm }: Story, desk: Desk, ending: Ending, chance: Chance): number {
  const steps = ending.kind === 'told' ? ending.outcome.next : [];
  const told = steps.flatMap(({ notBefore }) => (notBefore === null ? [] : [notBefore - wallOf(desk, timeline.now())]));
  const asTold = Math.max(0, ...told);
  if (calm) return asTold + minuteMs;
  // Some wait as told, some do not, and after a crash one looks at once.
  return chance.happens(0.4) ? asTold + minuteMs : minuteMs + chance.spread(1000, 8 * 60 * minuteMs);
}

const wallOf = (desk: Desk, now: number) => epochMs + now + desk.machine.wallOffsetMs;

const commandFor: { readonly [K in ActionKind]?: Command } = {
  reconcile: { kind: 'reconcile' },
  'release-absent': { kind: 'release' },
  resume: { kind: 'resume' },
  retry: { kind: 'retry' },
};

/** The same command again, or one that was printed, or a verdict on a row that stands still. */
export function nextCommand({ parameters, calm }: Story, desk: Desk, chance: Chance): Command {
  const again: Command = { kind: parameters.useResume && desk.last !== null ? 'resume' : 'run' };
  // A run of what was paid a day ago is refused before it looks: who wants to know where it stands asks for that.
  const allPaid = desk.last === null || desk.last.outcome.rows.paid === desk.last.outcome.rows.total;
  if (calm && desk.ended && allPaid) return { kind: 'reconcile' };
  if (desk.last === null || (!calm && chance.happens(0.5))) return again;
  const { outcome, lines } = desk.last;
  const steps = outcome.next.flatMap((step) => {
    if (step.action === 'resolve-known') return [{ kind: 'known', key: step.row } as const];
    const command = commandFor[step.action];
    // What ended unpaid is sent again while the story lasts, and not for ever.
    return command === undefined || (calm && command.kind === 'retry') ? [] : [command];
  });
  // In the end a person does what is printed, and says a word only where nothing is.
  if (calm && steps.length > 0) return steps[desk.commands % steps.length] ?? again;
  const still = lines.filter(({ status }) => status === 'in doubt' || status === 'held');
  if (still.length > 0 && chance.happens(calm ? 0.8 : 0.15))
    return verdictOn(chance.pick(still), desk.inVain, calm || chance.happens(0.7));
  return steps.length === 0 || chance.happens(0.2) ? again : chance.pick(steps);
}

/** What a person says of a row that stands still: by the reason that the result gives, or against it. */
function verdictOn({ key, reason }: ResultLine, inVain: string | null, asTold: boolean): Command {
  if (reason.startsWith('Looks like')) return { kind: 'not-a-repeat', key };
  const [, paymentId] = /^Payment (\S+) has this row's tag/.exec(reason) ?? [];
  const named = paymentId !== undefined && paymentId !== inVain && asTold;
  return named ? { kind: 'paid', key, paymentId } : { kind: 'not-paid', key };
}

/** Corrects rows that ended unpaid; takes a correction back where the command says that the row was paid before it. */
export function mendSheet(story: Story, desk: Desk, ending: Ending, chance: Chance): void {
  if (!story.parameters.corrects) return;
  if (ending.kind === 'refused') takeBack(story, desk, ending.refusal);
  if (ending.kind !== 'told' || story.calm) return;
  const corrected: number[] = [];
  for (const { row, status } of ending.lines)
    if (row !== null && status === 'unpaid' && chance.happens(0.7)) {
      desk.corrections.set(row, (desk.corrections.get(row) ?? 0) + 1);
      corrected.push(row + 1);
    }
  if (corrected.length === 0) return;
  writeSheet(story, desk);
  // What was corrected is told by the sheet, so the next command has to read it.
  desk.last = null;
  story.tell(desk.name, `corrects rows ${corrected.join(', ')}`);
}

function takeBack(story: Story, desk: Desk, refusal: Refusal): void {
  const said =
    refusal.code === 'PAYMENT_ALIVE'
      ? [refusal.facts.number]
      : refusal.code === 'SENT_ROWS_CHANGED'
        ? refusal.facts.rows.shown.map(({ row }) => row)
        : [];
  for (const number of said) {
    // The header is a row of the sheet too.
    const row = number - 2;
    const times = desk.corrections.get(row) ?? 0;
    if (times === 0) continue;
    desk.corrections.set(row, times - 1);
    writeSheet(story, desk);
    story.tell(desk.name, `puts back the old values of row ${row + 1}`);
  }
}
