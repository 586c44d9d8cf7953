/** Sends each request once, and limits the time to connect, the whole time and the size of the answer. */
import type http from 'node:http';
import type https from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { urlToHttpOptions } from 'node:url';
import type { ServiceFault } from '../base/faults/fault.ts';
import { nodeHttp } from '../base/http.ts';
import { isLoopback } from '../base/loopback.ts';
import { answerOf, connectionFault, type Http, type HttpRequest, type HttpSettings } from './exchange.ts';
import { CallFailure } from './failure.ts';

const mebibyte = 1024 * 1024;

interface Sending {
  readonly url: URL;
  readonly method: HttpRequest['method'];
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: string | Readable | null;
  readonly agent?: http.Agent | https.Agent;
  readonly limit: number;
  readonly call: string;
}

interface Received {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly bytes: Buffer;
}

const isSecure = ({ protocol }: URL) => protocol === 'https:';
const moduleFor = (url: URL) => (isSecure(url) ? process.getBuiltinModule('node:https') : nodeHttp());

/** Uses Node's http module, which never retries or redirects. */
export function openHttp(settings: HttpSettings): Http {
  const base = new URL(settings.baseUrl);
  const root = settings.baseUrl.replace(/\/+$/, '');
  const { Agent } = moduleFor(base);
  const payingAgent = new Agent({ keepAlive: true, maxSockets: settings.concurrency });
  const agent = new Agent({ keepAlive: true, maxSockets: settings.concurrency });

  return {
    async send({ method, path, query, json, form, token, paying, maxAnswerBytes, trace }) {
      const url = new URL(`${root}${path}`);
      if (query !== undefined) url.search = new URLSearchParams({ ...query }).toString();
      const { body, headers } = form === undefined ? encodedJson(json) : await encodedForm(form);
      const answer = await exchange(settings, {
        url,
        method,
        headers: {
          accept: 'application/json',
          ...headers,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(trace === undefined ? {} : { traceparent: trace }),
        },
        body,
        agent: paying ? payingAgent : agent,
        limit: maxAnswerBytes ?? mebibyte,
        call: `${method} ${path}`,
      });
      return answerOf(answer.status, answer.headers, answer.bytes);
    },
    async download(address, maxBytes) {
      const url = URL.parse(address);
      // Accepts a plain http address only on this machine, and only if the service itself uses http.
      if (url === null || (!isSecure(url) && (isSecure(base) || !isLoopback(address)))) return null;
      const found = await exchange(settings, {
        url,
        method: 'GET',
        headers: {},
        body: null,
        ...(isSecure(url) === isSecure(base) ? { agent } : {}),
        limit: maxBytes,
        call: 'GET',
      }).catch(() => null);
      return found?.status === 200 ? found.bytes : null;
    },
    close() {
      payingAgent.destroy();
      agent.destroy();
    },
  };
}

function encodedJson(json: unknown): Pick<Sending, 'body' | 'headers'> {
  if (json === undefined) return { body: null, headers: {} };
  // Node writes a text body together with the headers. With two separate writes, a call takes twice as long.
  const body = JSON.stringify(json);
  return { body, headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } };
}

/** Streams the form with a known length, so that a file of any size needs little memory. */
async function encodedForm(form: FormData): Promise<Pick<Sending, 'body' | 'headers'>> {
  const { FormDataEncoder } = await import('form-data-encoder');
  const encoder = new FormDataEncoder(form);
  return { body: Readable.from(encoder.encode()), headers: { ...encoder.headers } };
}

async function exchange(
  { timeoutMs, connectTimeoutMs, after }: HttpSettings,
  { url, method, headers, body, agent, limit, call }: Sending,
): Promise<Received> {
  const sent = startOf(call, () =>
    moduleFor(url).request({
      ...urlToHttpOptions(url),
      ...(agent === undefined ? {} : { agent }),
      method,
      headers: { 'user-agent': 'payrun', ...headers },
    }),
  );
  return await new Promise((done, failed) => {
    let connected = false;
    let answered = false;
    const fail = (fault: ServiceFault) => {
      if (answered) return;
      failed(new CallFailure(connected ? 'unknown' : 'not-sent', fault));
      sent.destroy();
    };
    const isLate = (phase: string) => fail({ fault: 'call-has-no-answer', call, phase });
    const deadlines = [after(timeoutMs, () => isLate('request'))];
    sent
      .once('socket', (socket) => {
        connected = !socket.connecting;
        if (connected) return;
        // Node writes no byte of the request before the connection, including TLS, is ready.
        socket.once(isSecure(url) ? 'secureConnect' : 'connect', () => (connected = true));
        deadlines.push(after(connectTimeoutMs, () => (connected ? undefined : isLate('connect'))));
      })
      .on('error', (error) => fail(connectionFault(call, error)))
      .once('close', () => {
        for (const forget of deadlines) forget();
        fail({ fault: 'call-was-cut', call });
      })
      .once('response', (response: http.IncomingMessage) => {
        const parts: Buffer[] = [];
        let length = 0;
        response.on('error', (error) => fail(connectionFault(call, error)));
        response.on('data', (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length > limit) fail({ fault: 'answer-is-too-large', call, mostBytes: limit });
        });
        response.once('end', () => {
          if (!response.complete) return fail({ fault: 'call-was-cut', call });
          answered = true;
          done({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(parts) });
        });
      });
    // The request itself reports an error of the stream.
    if (body instanceof Readable) pipeline(body, sent).catch(() => {});
    else sent.end(body);
  });
}

/** If `start` throws, Node sent nothing. For example, the token has a character that a header cannot have. */
function startOf<T>(call: string, start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw new CallFailure('not-sent', connectionFault(call, error));
  }
}
