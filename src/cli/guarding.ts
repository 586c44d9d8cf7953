/** What holds a run back, from the settings and the flags that may tighten them: docs/caps.md. */
import type { Argv } from 'yargs';
import { z } from 'zod';
import { type Caps, capAmount, capKinds, cappedMoneys, loweredCaps } from '../domain/cap.ts';
import { type Deps, defaultBreaker } from '../pipeline/deps.ts';
import type { Args } from './world.ts';

/** A number that JavaScript would round is written as text. */
const amount = z.union([
  z.string().regex(capAmount, 'a whole number of at most 18 digits, in digits alone'),
  z.int().nonnegative().transform(String),
]);
const kinds = z.strictObject(Object.fromEntries(capKinds.map((kind) => [kind, amount.exactOptional()])));

/** A currency or a cap that nobody knows is refused: it would hold nothing back. */
export const capsSchema: z.ZodType<Caps> = z.strictObject(
  Object.fromEntries(cappedMoneys.map((money) => [money, kinds.exactOptional()])),
);

const count = (least: number, most: number) => z.int().min(least).max(most).exactOptional();

/** Wider than this a breaker would never open. */
export const breakerSchema = z.strictObject({
  refusals: count(1, 1000),
  doubts: z.strictObject({ rows: count(0, 1000), percent: z.number().min(0).max(50).exactOptional() }).exactOptional(),
});

export type Guards = Pick<Deps['limits'], 'caps' | 'breaker'>;

interface GuardsInFile {
  readonly caps?: Caps;
  readonly breaker?: z.infer<typeof breakerSchema>;
}

export type GuardSettings = Required<Guards>;

export function guardSettings({ caps = {}, breaker = {} }: GuardsInFile): GuardSettings {
  const { refusals, doubts } = defaultBreaker;
  return {
    caps,
    breaker: { refusals: breaker.refusals ?? refusals, doubts: { ...doubts, ...breaker.doubts } },
  };
}

export function withGuards<T>(yargs: Argv<T>) {
  return yargs.option('cap', {
    type: 'string',
    array: true,
    nargs: 1,
    describe: 'Lower the most that may be sent: ZAR:batch=2000000; of a row, payee, batch or day',
  });
}

export function guardsOf(args: Args, { guards }: { readonly guards: GuardSettings }): GuardSettings {
  const said = (args.cap as readonly string[] | undefined) ?? [];
  return { ...guards, caps: loweredCaps(guards.caps, said) };
}
