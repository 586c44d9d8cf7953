/** The part of a next action that refusals and faults need. `domain/next-action.ts` has its other facts. */

export interface Action {
  readonly action: string;
}
