/** Separates duties: nobody approves or declines their own work, and nobody pays what they approved. */
import { PayrunError } from '../base/errors.ts';
import type { ErrorCode } from '../base/refusal.ts';
import { isSamePerson } from './person.ts';

/** A person who did or wants to do a part of the work. `account` is null for a person at a terminal. */
export interface Person {
  readonly name: string | null;
  readonly account?: number | null;
}

/** The refusal of each duty, for people who did another part of the work. */
const duties = {
  /** People who prepared, planned or paid a sheet of the batch. */
  approve: 'OWN_SHEET',
  /** People who approved the plan. */
  pay: 'OWN_APPROVAL',
} as const satisfies Readonly<Record<string, ErrorCode>>;

/** The same account is the same person, also after a change of the name. */
export const findSame = <P extends Person>(one: Person, others: readonly P[]): P | undefined =>
  others.find(
    ({ name, account }) =>
      (account != null && account === one.account) ||
      (name !== null && one.name !== null && isSamePerson(name, one.name)),
  );

type Duty = keyof typeof duties;

export const whyNotOther = (duty: Duty, one: Person, others: readonly Person[]): PayrunError | null =>
  findSame(one, others) === undefined ? null : new PayrunError(duties[duty], {});

export function requireOther(duty: Duty, one: Person, others: readonly Person[]): void {
  const why = whyNotOther(duty, one, others);
  if (why !== null) throw why;
}

/** Returns the refusal of a person who prepared the plan or approved it already; null if the person may approve it. */
export const whyNotApprove = (
  person: Person,
  makers: readonly Person[],
  approvals: readonly { readonly name: string }[],
): PayrunError | null =>
  whyNotOther('approve', person, makers) ??
  (approvals.some(({ name }) => name === person.name) ? new PayrunError('APPROVED_ALREADY', {}) : null);

export type PlanEnding = 'plan-declined' | 'plan-withdrawn';

/** A maker of a plan withdraws it, and any other person declines it. Returns the refusal of the person; null if they may. */
export function whyNotEnd(ending: PlanEnding, person: Person, makers: readonly Person[]): PayrunError | null {
  const isMaker = findSame(person, makers) !== undefined;
  if (isMaker === (ending === 'plan-withdrawn')) return null;
  return new PayrunError(isMaker ? 'OWN_TO_DISCARD' : 'NOT_OWN_PLAN', {});
}
