/** Sends calls from one process over kept connections. Measures calls per second and the slowest call, and checks every answer. */
import http from 'node:http';

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly calls: number;
  readonly errors: number;
}

export interface LoadOrder {
  readonly url: string;
  readonly token: string;
  readonly concurrency: number;
  /** Returns the next call; null when there is none. */
  readonly next: () => Request | null;
}

export async function load({ url, token, concurrency, next }: LoadOrder): Promise<Load> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
  const took: number[] = [];
  let errors = 0;
  const inTurn = async () => {
    for (let request = next(); request !== null; request = next()) {
      const began = performance.now();
      const status = await send(agent, url, token, request).catch(() => 0);
      took.push(performance.now() - began);
      if (status < 200 || status > 299) errors += 1;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: concurrency }, inTurn));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  took.sort((one, other) => one - other);
  return {
    perSecond: took.length / seconds,
    p99Ms: took[Math.floor(took.length * 0.99)] ?? 0,
    calls: took.length,
    errors,
  };
}

/** Returns `count` calls, one after the other. */
export function times(count: number, request: (at: number) => Request): () => Request | null {
  let at = 0;
  return () => {
    at += 1;
    return at > count ? null : request(at);
  };
}

function send(agent: http.Agent, url: string, token: string, { method, path, body }: Request): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise((done, failed) => {
    const request = http.request(`${url}${path}`, { agent, method, headers }, (answer) => {
      answer.on('error', failed);
      answer.on('end', () => done(answer.statusCode ?? 0));
      answer.resume();
    });
    request.on('error', failed);
    request.end(body);
  });
}
