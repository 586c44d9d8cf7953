/** The HTTP client of the two rivals: got, with the settings that Payrun sends with (src/client/http.ts) and nothing around it. */
import http from 'node:http';
import got, { type Got } from 'got';

/** One try, no redirects, a deadline, as many kept connections as payments under way. */
export function openGot(baseUrl: string, concurrency: number): { client: Got; close(): void } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
  const client = got.extend({
    prefixUrl: baseUrl,
    retry: { limit: 0 },
    followRedirect: false,
    decompress: false,
    headers: { 'user-agent': 'payrun-bench', accept: 'application/json' },
    timeout: { lookup: 5000, connect: 5000, secureConnect: 5000, request: 75_000 },
    agent: { http: agent },
  });
  return { client, close: () => agent.destroy() };
}
