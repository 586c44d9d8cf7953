/** Masks facts for viewers, before the facts become words. */
import type { Problem } from '../../base/problem.ts';
import { wordsIn } from '../../base/words.ts';
import { isMasked, masked, maskedWords } from '../accounts/masked.ts';
import type { RowProblems } from './row-problems.ts';
import type { SheetProblems } from './sheet-problems.ts';

/** `masked`: the person sees only the last four digits of account numbers. */
export interface Eyes {
  readonly masked: boolean;
}

type NameIn<T> = T extends object ? (string extends keyof T ? never : keyof T) : never;
type NameOf<Table> = { readonly [C in keyof Table]: NameIn<Table[C]> }[keyof Table];
type ProblemFact = keyof Problem | NameOf<RowProblems> | NameOf<SheetProblems>;

/** Facts that are a destination, also where no column is named. */
const destinations: readonly string[] = wordsIn('account accountNumber contactNumber lnurl padded phone');

/** The only texts of a destination's column that are no destination. */
const harmless: readonly string[] = wordsIn(
  'at bank by cell code column country field header hiddenBy name severity verdict why',
) satisfies readonly ProblemFact[];

/** Names of things, which stay whole, and the facts below them. A row's key is a text of people, so it is none of them. */
const names: readonly string[] = wordsIn(
  'alike batch caps document evidence file fingerprint leader merchantId merchants name path payment paymentId',
  'payments plan series sha256 sheet sheets tag totals worker',
);

/** Amounts of a fact that names their currency. */
const sums: readonly string[] = wordsIn('above amount before cap day expected found now was');

/** Masks destinations in full, and numbers in texts of people and of the service. */
export const factsFor = <T>({ masked: isViewer }: Eyes, facts: T): T =>
  isViewer ? (maskedIn(facts, '', false) as T) : facts;

function maskedIn(fact: unknown, name: string, ofDestination: boolean): unknown {
  if (typeof fact === 'string') return maskedFact(fact, name, ofDestination);
  if (typeof fact !== 'object' || fact === null) return fact;
  if (Array.isArray(fact)) return fact.map((one) => maskedIn(one, name, ofDestination));
  const { column = null, field = null } = fact as { readonly column?: string | null; readonly field?: string | null };
  const isOfDestination = ofDestination || isMasked(column) || isMasked(field);
  const isMoney = 'currency' in fact || 'money' in fact;
  const isOpen = (key: string) => !isOfDestination && (names.includes(key) || (isMoney && sums.includes(key)));
  return Object.fromEntries(
    Object.entries(fact).map(([key, one]) => [key, isOpen(key) ? one : maskedIn(one, key, isOfDestination)]),
  );
}

function maskedFact(text: string, name: string, ofDestination: boolean): string {
  if (destinations.includes(name) || (ofDestination && !harmless.includes(name))) return masked(text);
  const stored = storedIn(name, text);
  return stored === null ? maskedWords(text) : JSON.stringify(maskedIn(stored, name, false));
}

/** Returns the reasons or the closing of a row, which the ledger stores as JSON; null for another text. */
function storedIn(name: string, text: string): object | null {
  try {
    return name === 'closed' || text.startsWith('[{"kind":') ? (JSON.parse(text) as object) : null;
  } catch {
    return null;
  }
}
