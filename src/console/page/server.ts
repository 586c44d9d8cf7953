/** Calls the server, and knows who is logged in and whether the server answers. */
import { signal } from '@preact/signals';
import type { ErrorAnswer, Role, Session } from '../api.ts';

export const session = signal<Session | null>(null);
export const lost = signal(false);
export const ended = signal(false);

export class RequestFailed extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, { message, code }: ErrorAnswer) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const documentCodes = [
  'DOCUMENT_MISSING',
  'DOCUMENT_OUTSIDE',
  'DOCUMENT_TYPE',
  'DOCUMENT_TOO_LARGE',
  'DOCUMENT_UNREADABLE',
];

/** Refusals of a plan that a person can answer with a reason. */
export const answeredCodes = ['SHEET_LOOKS_PAID', 'VARIANCE'];

/** Refusals of a fix because the cells or rows have changed. */
export const outdatedCodes = ['CELL_CHANGED', 'ROW_TO_FIX_MISSING', 'MISTAKE_MOVED'];

export const get = <T>(path: string): Promise<T> => call<T>(path, { method: 'GET' });

export const post = <T = unknown>(path: string, body: object = {}): Promise<T> =>
  call<T>(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

export function postFile<T>(path: string, file: File): Promise<T> {
  const body = new FormData();
  body.append('file', file, file.name);
  return call<T>(path, { method: 'POST', body });
}

export async function readSession(): Promise<void> {
  session.value = await get<Session>('/api/session');
}

const sayEveryMs = 60_000;
let saidAt = Number.NEGATIVE_INFINITY;

/** Reports clicks, keys and scrolling, which keep the session alive. The page's own reads do not. */
export function saySeen(): void {
  const now = performance.now();
  if (session.value?.person == null || now - saidAt < sayEveryMs) return;
  saidAt = now;
  // Ignores a refusal, because the person did not ask for this.
  void post('/api/session/seen').catch(() => null);
}

export function may(...wanted: readonly Role[]): boolean {
  const role = session.value?.person?.role;
  return role !== undefined && wanted.includes(role);
}

async function call<T>(path: string, init: RequestInit): Promise<T> {
  const csrf = session.value?.csrf;
  const headers = new Headers(init.headers);
  if (init.method !== 'GET') headers.set('x-payrun-once', newKey());
  if (init.method !== 'GET' && csrf != null) headers.set('x-payrun-csrf', csrf);
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers, credentials: 'same-origin' });
  } catch {
    waitForServer();
    throw new RequestFailed(0, {
      code: 'NO_ANSWER',
      message:
        init.method === 'GET'
          ? 'The server does not answer. The page tries again by itself.'
          : 'The server did not answer, so it is not known whether this was done. Wait until the page is connected again, and check it before you try again.',
    });
  }
  lost.value = false;
  const answer = await readAnswer(response);
  if (response.ok) return answer as T;
  const refusal = refusalOf(answer, response.status);
  if (response.status === 401 && session.value?.person != null && !path.startsWith('/api/session')) {
    ended.value = true;
    session.value = { ...session.value, person: null, csrf: null };
  }
  throw new RequestFailed(response.status, refusal);
}

/** The server recognises by this key a request that the browser sent twice. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === '' ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}

function refusalOf(answer: unknown, status: number): ErrorAnswer {
  if (typeof answer === 'object' && answer !== null && 'message' in answer) return answer as ErrorAnswer;
  return {
    code: 'UNEXPLAINED',
    message: `The server answered with status ${status} and no explanation. Reload the page.`,
  };
}

let waiting = false;

/** Asks every two seconds until the server answers. The open page is then read again. */
export function waitForServer(): void {
  lost.value = true;
  if (waiting) return;
  waiting = true;
  const again = async () => {
    try {
      const answer = await fetch('/api/session', { credentials: 'same-origin' });
      if (!answer.ok) throw new Error(String(answer.status));
      session.value = (await answer.json()) as Session;
      lost.value = false;
      waiting = false;
    } catch {
      setTimeout(() => void again(), 2000);
    }
  };
  setTimeout(() => void again(), 1000);
}

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
