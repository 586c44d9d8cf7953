/** The console's messages: one map from codes and facts to words. */
import { faultOf, PayrunError } from '../../base/errors.ts';
import type { ErrorCode, Refusal } from '../../base/refusal.ts';
import { refusalOnPage } from '../refusals.ts';
import { accessMessages } from './access-messages.ts';
import { batchMessages } from './batch-messages.ts';
import { sheetMessages } from './sheet-messages.ts';

const own = { ...accessMessages, ...sheetMessages, ...batchMessages } satisfies Words & {
  readonly [C in ErrorCode]?: never;
};

type Words = Readonly<Record<string, (facts: never) => string>>;
type Own = typeof own;

export type OwnCode = keyof Own;
export type OwnFacts<C extends OwnCode> = Parameters<Own[C]>;

export type OwnMessage<C extends OwnCode = OwnCode> = {
  readonly [K in C]: { readonly code: K; readonly facts?: OwnFacts<K>[0] };
}[C];

export type PageMessage = OwnMessage | Refusal;

export const messageOf = <C extends OwnCode>(code: C, ...[facts]: OwnFacts<C>): OwnMessage =>
  ({ code, ...(facts === undefined ? {} : { facts }) }) as OwnMessage;

export const messageOfError = (error: unknown): PageMessage =>
  error instanceof PayrunError ? error.refusal : messageOf('PROGRAM_FAULT', { why: faultOf(error) });

export const isOwn = (message: PageMessage): message is OwnMessage => message.code in own;

/** A message about a sheet's problem has the code of that problem. */
export const codeOf = (message: PageMessage): string =>
  message.code === 'SHEET_PROBLEM' ? (message.facts?.problem.code ?? message.code) : message.code;

export function pageWords(message: PageMessage): string {
  return isOwn(message)
    ? (own[message.code] as (facts: unknown) => string)(message.facts)
    : refusalOnPage(message as Refusal);
}
