/** A next action within facts. */

/** `domain/next-action.ts` has its facts. */
export interface Action {
  readonly action: string;
}
