/** The words of every fault. */
import type { Fault, FaultFacts } from '../../base/faults/fault.ts';
import type { ActionNamed } from '../../domain/next-action.ts';
import { type Audience, type FaultWords, factsOnPage } from '../audience.ts';
import { noPlace, type Place } from '../next-actions.ts';
import { wordingText } from '../passage.ts';
import { approvalFaults } from './approval.ts';
import { fileFaults } from './file.ts';
import { ledgerFaults } from './ledger.ts';
import { mapFaults } from './map.ts';
import { optionFaults } from './option.ts';
import { planFaults } from './plan.ts';
import { answerWords, serviceFaults } from './service.ts';

const all: FaultWords<FaultFacts> = {
  ...approvalFaults,
  ...fileFaults,
  ...ledgerFaults,
  ...mapFaults,
  ...optionFaults,
  ...planFaults,
  ...serviceFaults,
};

export { answerWords };

export function faultWords(fault: Fault, place = noPlace, to: Audience = 'terminal'): string {
  const words = all[fault.fault];
  if (typeof words === 'string') return words;
  const { fault: _, ...facts } = fault;
  return (words as (facts: unknown, to: Audience) => string)(worded(facts, place, to), to);
}

export const faultOnPage = (fault: Fault): string => faultWords(fault, noPlace, 'page');

/** Replaces the next actions and faults in facts by their words. */
export function worded(fact: unknown, place: Place, to: Audience): unknown {
  if (typeof fact !== 'object' || fact === null) return to === 'page' ? factsOnPage(fact) : fact;
  if (Array.isArray(fact)) return fact.map((one) => worded(one, place, to));
  if ('fault' in fact) return faultWords(fact as Fault, place, to);
  if ('action' in fact) return wordingText(fact as ActionNamed, place);
  return Object.fromEntries(Object.entries(fact).map(([name, one]) => [name, worded(one, place, to)]));
}
