/** Uploads and downloads files with got. Streams uploads, and limits the size of downloads. */
import type http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { FormDataEncoder } from 'form-data-encoder';
import got, { RequestError, TimeoutError } from 'got';
import {
  answerOf,
  connectionFault,
  type HttpAnswer,
  type HttpRequest,
  type HttpSettings,
  whenConnected,
} from './exchange.ts';
import { CallFailure } from './failure.ts';

interface Upload {
  readonly method: HttpRequest['method'];
  readonly url: URL;
  readonly form: FormData;
  readonly headers: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly call: string;
}

export interface Files {
  send(upload: Upload): Promise<HttpAnswer>;
  download(url: string, maxBytes: number): Promise<Uint8Array | null>;
}

export function openFiles({
  agent,
  timeoutMs,
  connectTimeoutMs,
}: HttpSettings & { readonly agent: http.Agent | https.Agent }): Files {
  const secure = agent instanceof https.Agent;
  const client = got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    decompress: false,
    headers: { 'user-agent': 'payrun', accept: 'application/json' },
    timeout: {
      lookup: connectTimeoutMs,
      connect: connectTimeoutMs,
      secureConnect: connectTimeoutMs,
      request: timeoutMs,
    },
    agent: secure ? { https: agent } : { http: agent },
    responseType: 'buffer',
  });

  return {
    async send({ method, url, form, headers, limit, call }) {
      const { body, headers: formHeaders } = encodedForm(form);
      const tooLarge = new AbortController();
      let connected = false;
      const sending = client(url, { method, body, headers: { ...formHeaders, ...headers }, signal: tooLarge.signal });
      void sending.on('request', (sent: http.ClientRequest) => {
        sent.once('socket', (socket) => whenConnected(socket, secure, () => (connected = true)));
      });
      void sending.on('downloadProgress', ({ transferred }) => {
        if (transferred > limit) tooLarge.abort();
      });
      try {
        const { statusCode, headers: answered, body: bytes } = await sending;
        return answerOf(statusCode, answered, bytes);
      } catch (error) {
        if (tooLarge.signal.aborted)
          throw new CallFailure('unknown', { fault: 'answer-is-too-large', call, mostBytes: limit });
        throw failureOf(error, connected, call);
      }
    },
    async download(url, maxBytes) {
      const tooLarge = new AbortController();
      const loading = client(url, { signal: tooLarge.signal });
      void loading.on('downloadProgress', ({ transferred }) => {
        if (transferred > maxBytes) tooLarge.abort();
      });
      const response = await loading.catch(() => null);
      return response?.statusCode === 200 ? response.body : null;
    },
  };
}

/** Streams the form with a known length, so that a file of any size needs little memory. */
function encodedForm(form: FormData): { body: Readable; headers: Record<string, string> } {
  const encoder = new FormDataEncoder(form);
  const body = Readable.from(encoder.encode());
  // Ignores the stream's error after a broken connection, because the call reports the error already.
  body.on('error', () => {});
  return { body, headers: { ...encoder.headers } };
}

/** Does not keep got's error as the cause, because got's error contains the token. */
function failureOf(error: unknown, connected: boolean, call: string): CallFailure {
  const outcome = connected || !(error instanceof RequestError) ? 'unknown' : 'not-sent';
  if (error instanceof TimeoutError)
    return new CallFailure(outcome, { fault: 'call-has-no-answer', call, phase: error.event });
  return new CallFailure(outcome, connectionFault(call, error));
}
