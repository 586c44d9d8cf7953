/** A next action in a refusal or a fault. `domain/next-action.ts` has the type of each action. */

export interface Action {
  readonly action: string;
}
