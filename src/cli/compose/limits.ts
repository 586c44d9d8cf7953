/** Reads the limits of a run from the settings, and from flags that make them stricter (docs/reference/caps.md). */
import { z } from 'zod';
import type { PayWindow } from '../../base/faults/limits.ts';
import { type Caps, capAmount, capKinds, cappedMoneys, loweredCaps } from '../../domain/amounts/cap.ts';
import { opensAt, readPayWindow, windowDays } from '../../domain/calendar/pay-window.ts';
import { matchedDays } from '../../domain/sending/match.ts';
import { windowWords } from '../../messages/format/limits.ts';
import { usualLimits } from '../../pipeline/deps.ts';
import { readWhole } from '../args/durations-and-numbers.ts';
import { type Args, text, texts, usage } from './command-context.ts';

/** A number that JavaScript would round is refused; a text may have 18 digits. */
const amount = z.union([
  z.string().regex(capAmount, 'a whole number of at most 18 digits, in digits alone'),
  z.int().nonnegative().transform(String),
]);
const kinds = z.strictObject(Object.fromEntries(capKinds.map((kind) => [kind, amount.exactOptional()])));

/** Refuses unknown currencies and caps, because they would limit nothing. */
const capsSchema: z.ZodType<Caps> = z.strictObject(
  Object.fromEntries(cappedMoneys.map((money) => [money, kinds.exactOptional()])),
);

const count = (least: number, most: number) => z.int().min(least).max(most).exactOptional();

/** A part of the settings that may be absent. Unknown keys are refused, because a misspelt limit would limit nothing. */
export const section = <S extends z.ZodRawShape>(shape: S) => z.strictObject(shape).exactOptional();

export const guardSchemas = {
  caps: capsSchema.exactOptional(),
  /** The breaker would hardly ever open at higher limits. */
  breaker: section({
    refusals: count(1, 1000),
    doubts: section({ rows: count(0, 1000), percent: z.number().min(0).max(50).exactOptional() }),
  }),
  kenya: section({ networkProvider: z.string().min(1).exactOptional(), prompts: count(0, 1_000_000) }),
  payWindow: section({
    open: z.string().refine((text) => readPayWindow(text) !== undefined, 'write it as 08:00-16:00,business'),
    closed: z.array(z.iso.date()).exactOptional(),
    outside: z.enum(['wait', 'stop']).exactOptional(),
  }),
  rails: z.enum(['hold', 'warn', 'off']).exactOptional(),
  duplicates: section({ window: count(0, matchedDays) }),
};

type GuardSettings = ReturnType<typeof guardSettings>;

export function guardSettings({
  caps = usualLimits.caps,
  breaker = {},
  kenya = {},
  payWindow,
  rails = usualLimits.rails,
  duplicates = {},
}: z.infer<z.ZodObject<typeof guardSchemas>>) {
  const { refusals, doubts } = usualLimits.breaker;
  return {
    caps,
    breaker: { refusals: breaker.refusals ?? refusals, doubts: { ...doubts, ...breaker.doubts } },
    rails,
    duplicatesWindow: duplicates.window ?? usualLimits.duplicatesWindow,
    /** The most phones that a run may ask for money, whatever a flag says; null for no limit. */
    prompts: kenya.prompts ?? null,
    windows: payWindow === undefined ? [] : [readPayWindow(payWindow.open, payWindow.closed)!],
    outside: payWindow?.outside ?? usualLimits.payWindow.outside,
  };
}

export type Guards = ReturnType<typeof guardsOf>;

export function guardsOf(args: Args, { guards }: { readonly guards: GuardSettings }) {
  const said = texts(args, 'cap');
  const { breaker, rails, duplicatesWindow } = guards;
  const canary = text(args, 'canary');
  const windows = [...guards.windows, ...windowOf(args)];
  if (opensAt(windows, 0) === undefined)
    throw usage(`--pay-window ${text(args, 'payWindow')} never meets the configured one: ${windowWords(windows[0]!)}`);
  const outside = (text(args, 'outside') as 'wait' | 'stop' | null) ?? guards.outside;
  return {
    breaker,
    rails,
    duplicatesWindow,
    caps: loweredCaps(guards.caps, said),
    said: { caps: loweredCaps({}, said), payWindow: text(args, 'payWindow') },
    payWindow: windows.length === 0 ? usualLimits.payWindow : { windows, outside },
    ...(canary === null ? {} : { canary: readWhole(canary, '--canary', 0, 10_000) }),
  };
}

/** Returns the window of `--pay-window`, which applies in addition to the configured windows. */
function windowOf(args: Args): readonly PayWindow[] {
  const said = text(args, 'payWindow');
  if (said === null) return [];
  const window = readPayWindow(said);
  if (window === undefined)
    throw usage(
      `--pay-window '${said}' is not a window; write 08:00-16:00, or with days: 08:00-16:00,${windowDays[1]} or 08:00-16:00,${windowDays[2]}`,
    );
  return [window];
}

const usualPrompts = 5;

/** Returns how many phones the run may ask for money; null for no limit. Throws for more than the setting allows. */
export function promptsOf(args: Args, { prompts }: Pick<GuardSettings, 'prompts'>): number | null {
  const said = text(args, 'allowMomoPush');
  if (said === null) return Math.min(usualPrompts, prompts ?? usualPrompts);
  if (said === '') return prompts;
  const asked = readWhole(said, '--allow-momo-push', 0, 1_000_000);
  if (prompts !== null && asked > prompts)
    throw usage(
      `--allow-momo-push ${asked}: payrun.config.json lets at most ${prompts} phones be asked (kenya.prompts)`,
    );
  return asked;
}
