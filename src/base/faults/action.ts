/** A next action, as refusals and faults pass it on. `domain/next-action.ts` has the type of each action. */

export interface Action {
  readonly action: string;
}
