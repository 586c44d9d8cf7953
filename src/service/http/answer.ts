/** The HTTP answer to a call, made by a handler or by a fault (../faults.ts). */
import type { Readable } from 'node:stream';

export interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | Readable;
}

export function jsonAnswer(status: number, value: unknown, headers: Answer['headers'] = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}
