/** Sends each request once, and limits the time to connect, the whole time and the size of the answer. */
import type http from 'node:http';
import { urlToHttpOptions } from 'node:url';
import type { ServiceFault } from '../base/faults/fault.ts';
import { nodeHttp } from '../base/http.ts';
import { isLoopback } from '../base/loopback.ts';
import {
  answerOf,
  connectionFault,
  type Http,
  type HttpAnswer,
  type HttpRequest,
  type HttpSettings,
  whenConnected,
} from './exchange.ts';
import { CallFailure } from './failure.ts';
import type { Files } from './files.ts';

const mebibyte = 1024 * 1024;

/** JSON goes through Node's http module, which never retries or redirects, and is three times as fast as got. */
export function openHttp(settings: HttpSettings): Http {
  const { baseUrl, concurrency, timeoutMs, connectTimeoutMs } = settings;
  const base = baseUrl.replace(/\/+$/, '');
  const secure = base.startsWith('https:');
  const { Agent, request: newRequest } = secure ? process.getBuiltinModule('node:https') : nodeHttp();
  const payingAgent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let files: Promise<Files> | null = null;
  const loadFiles = () => (files ??= import('./files.ts').then(({ openFiles }) => openFiles({ ...settings, agent })));

  async function send(request: HttpRequest): Promise<HttpAnswer> {
    const url = new URL(`${base}${request.path}`);
    if (request.query !== undefined) url.search = new URLSearchParams({ ...request.query }).toString();
    const call = `${request.method} ${request.path}`;
    const headers = {
      ...(request.token === undefined ? {} : { authorization: `Bearer ${request.token}` }),
      ...(request.trace === undefined ? {} : { traceparent: request.trace }),
    };
    const limit = request.maxAnswerBytes ?? mebibyte;
    if (request.form !== undefined)
      return await (await loadFiles()).send({
        method: request.method,
        url,
        form: request.form,
        headers,
        limit,
        call,
      });
    // Node writes a text body together with the headers. With two separate writes, a call takes twice as long.
    const body = request.json === undefined ? null : JSON.stringify(request.json);
    const sent = startOf(call, () =>
      newRequest({
        ...urlToHttpOptions(url),
        agent: request.paying ? payingAgent : agent,
        method: request.method,
        headers: {
          accept: 'application/json',
          'user-agent': 'payrun',
          ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
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
      const deadlines = [
        settings.after(timeoutMs, () => fail({ fault: 'call-has-no-answer', call, phase: 'request' })),
      ];
      sent
        .once('socket', (socket) => {
          if (socket.connecting) deadlines.push(settings.after(connectTimeoutMs, connecting));
          whenConnected(socket, secure, () => (connected = true));
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
            done(answerOf(response.statusCode ?? 0, response.headers, Buffer.concat(parts)));
          });
        });
      sent.end(body);

      function connecting() {
        if (!connected) fail({ fault: 'call-has-no-answer', call, phase: 'connect' });
      }
    });
  }

  return {
    send,
    async download(url, maxBytes) {
      // Accepts a plain http address only on this machine, and only if the service itself uses http.
      if (!url.startsWith('https://') && (secure || !isLoopback(url))) return null;
      return await (await loadFiles()).download(url, maxBytes);
    },
    close() {
      payingAgent.destroy();
      agent.destroy();
    },
  };
}

/** If `start` throws, Node sent nothing. For example, the token has a character that a header cannot have. */
function startOf<T>(call: string, start: () => T): T {
  try {
    return start();
  } catch (error) {
    throw new CallFailure('not-sent', connectionFault(call, error));
  }
}
