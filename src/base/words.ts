/** Amounts with their units, texts without unusual characters, lists of words, and records. */

export const ended = (text: string) => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export interface ShownMoney {
  readonly amount: number | string | bigint;
  readonly unit: string;
  readonly currency: string;
}

export interface Money extends ShownMoney {
  readonly amount: string;
}

export type NotedMoney = ShownMoney & { readonly amount: number | string };

/** A row with its key and its number, because one row's key can be another row's number. `number` is null if the newest sheet lacks the row. */
export type NotedRow = Readonly<{ key: string; number: number | null; payee: string; money: NotedMoney }>;

/** The service, key and user that pay a batch, as people see them. `key` begins the hash of the API key; `user` is null for the tenant itself. */
export interface ShownIdentity {
  readonly service: string;
  readonly key: string;
  readonly user: string | null;
}

/** A next action in a refusal or a fault. `domain/next-action.ts` has the type of each action. */
export interface Action {
  readonly action: string;
}

export const unitOf = { ZAR: 'whole', NGN: 'whole', KES: 'whole', BTC: 'sat', USDT: 'hundredths' } as const;

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Writes invisible characters as codes such as `<U+200B>`. They could control a terminal or disguise a text. */
export const visible = (text: string): string => text.replace(hidden, (character) => `<${codePointName(character)}>`);

export const codePointName = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Quotes a text for a shell, because people paste printed commands. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9._/:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

export const quoted = (text: string): string => `'${visible(text.length > 60 ? `${text.slice(0, 57)}...` : text)}'`;

/** The words of a text with single spaces between them. */
export type Words<T extends string> = T extends `${infer First} ${infer Rest}` ? First | Words<Rest> : T;

export type Each<T extends string, Value> = Readonly<Record<Words<T>, Value>>;

/** Returns the words of all lists, in their order. The type knows each word. */
export const wordsIn = <T extends string>(...lists: readonly T[]): readonly Words<T>[] =>
  lists.flatMap((list) => list.split(' ')) as Words<T>[];

export const eachOf = <V, T extends string>(value: V, ...lists: readonly T[]): Record<Words<T>, V> =>
  Object.fromEntries(wordsIn(...lists).map((word) => [word, value])) as Record<Words<T>, V>;

export const byWord = <K extends string>(texts: Readonly<Partial<Record<K, string>>>): ReadonlyMap<string, K> =>
  new Map(
    Object.entries<string | undefined>(texts).flatMap(([key, text = '']) =>
      text.split(' ').map((word) => [word, key as K] as const),
    ),
  );

/** Returns the fields that have a value: neither null nor undefined. */
export const given = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };

/** Returns the name of the ledger's column for a fact: `merchant_id` for `merchantId`. */
export const columnOf = (fact: string): string => fact.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const quotedOrNothing = (text: string): string => (text === '' ? 'nothing' : quoted(text));

/** Why a row of a batch has no content: the newest sheet lacks the row, or has a mistake in it. */
export type Gone = 'removed' | 'mistake';

export const isGone = (now: string): now is Gone => now === 'removed' || now === 'mistake';

/** Reasons (domain/sending/reason.ts) as JSON, oldest first. Equal reasons have equal JSON. */
export type StoredReasons = string & { readonly stored: 'reasons' };
