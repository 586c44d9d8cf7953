/** Cases of words, typed by hand: at a terminal, and on a page where they differ. */
import { expect } from 'vitest';
import type { Fault } from '../../src/base/faults/fault.ts';
import type { ErrorCode, Refusal, RefusalFacts } from '../../src/base/refusal.ts';
import type { Action } from '../../src/base/words.ts';
import type { ActionNamed } from '../../src/domain/next-action.ts';
import { refusalOnPage, refusalWords } from '../../src/messages/refusals.ts';
import { expectPlaced, place } from './placed.ts';

/** Facts with the types of the actions and faults that they name. */
type Whole<Fact> = Fact extends Action
  ? ActionNamed
  : Fact extends { readonly fault: string }
    ? Fault
    : Fact extends object
      ? { readonly [F in keyof Fact]: Whole<Fact[F]> }
      : Fact;

/** No page shows a refusal with the page words null: only a command that the console lacks is refused so. */
export type Case<Facts> = readonly [facts: Facts, terminal: string, page?: string | null];

type Cases<Facts> = Case<Facts> | readonly Case<Facts>[];

/** Only a code without facts has a text alone, or one case without facts. */
export type Said<Facts> = {
  readonly [K in keyof Facts]: keyof Facts[K] extends never
    ? string | Case<Record<string, never>>
    : Cases<Facts[K] | Whole<Facts[K]>>;
};

/** A text alone is the case without facts. */
export function casesOf(words: string | Cases<object>): readonly Case<object>[] {
  if (typeof words === 'string') return [[{}, words]];
  return (Array.isArray(words[0]) ? words : [words]) as readonly Case<object>[];
}

export const refusalCases = <C extends ErrorCode>(said: Said<Pick<RefusalFacts, C>>) =>
  Object.entries<string | Cases<object>>(said).flatMap(([code, words]) =>
    casesOf(words).map(([facts, terminal, page = terminal]) => [{ code, facts } as Refusal, [terminal, page]] as const),
  );

export function expectRefusalWords(refusal: Refusal, [terminal, page]: readonly (string | null)[]): void {
  expect(refusalWords(refusal)).toBe(terminal);
  expectPlaced(() => refusalWords(refusal, place));
  if (page === null) return;
  expect(refusalOnPage(refusal)).toBe(page);
  expect(page).not.toMatch(/(?:^|[\s(`])--[a-z]|payrun [a-z]/m);
}
