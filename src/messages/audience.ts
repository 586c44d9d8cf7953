/** A reader at a terminal gets flags and commands; a reader of a page gets what can be done there. */
export type Audience = 'terminal' | 'page';
