/** Makes one call to a webhookUrl. Connects only to a checked address. Signs the body if there is a secret. */
import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { nodeHttp } from '../../base/http.ts';
import { signatureHeader, signatureOf } from '../../wire/webhook.ts';
import { type AddressRules, hostOf, mayReach, readWebhookUrl } from './address.ts';

interface Delivery {
  readonly url: string;
  readonly secret: string | null;
  readonly body: string;
  /** Unix time in seconds. The signature covers this time, so that a receiver can refuse an old call. */
  readonly at: number;
}

type Resolve = (host: string) => Promise<readonly string[]>;

export interface Delivered {
  readonly done: boolean;
  readonly status: number | null;
  readonly why: string;
}

const resolveByName: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/** Returns all addresses of the host. Throws if the host has no address, or if one address is forbidden. */
export async function judgedAddresses(url: URL, rules: AddressRules, resolve: Resolve): Promise<readonly string[]> {
  const host = hostOf(url);
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const wrong = addresses.find((address) => !mayReach(address, rules));
  if (addresses.length === 0 || wrong !== undefined)
    throw new Error(`${host} leads to ${wrong ?? 'no address'}, which is not called`);
  return addresses;
}

const deadlineMs = 5000;
const mostAnswerBytes = 64 * 1024;

/** Never throws, and follows no redirect. `done` is true only after a 2xx answer. */
export async function deliver(delivery: Delivery, rules: AddressRules, resolve = resolveByName): Promise<Delivered> {
  const read = readWebhookUrl(delivery.url, rules);
  if ('wrong' in read) return { done: false, status: null, why: `the address ${read.wrong}` };
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const addresses = await within(judgedAddresses(read.url, rules, resolve), deadline);
    const status = await call(read.url, addresses[0]!, delivery, deadline);
    const done = status >= 200 && status < 300;
    return { done, status, why: done ? 'taken' : `answered ${status}` };
  } catch (error) {
    return { done: false, status: null, why: deadline.aborted ? 'no answer in time' : (error as Error).message };
  }
}

/** Sets a time limit for `work`, because a name lookup has no time limit of its own. */
async function within<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  const late = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error('no answer in time')), { once: true });
  });
  return await Promise.race([work, late]);
}

function call(url: URL, address: string, delivery: Delivery, signal: AbortSignal): Promise<number> {
  const { body, secret, at } = delivery;
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (url.protocol === 'https:' ? https : nodeHttp()).request(
      url,
      {
        method: 'POST',
        agent: false,
        signal,
        // Returns the checked address, because a second lookup could give another address.
        lookup: (_host, options, answer) => {
          const family = isIP(address);
          if (options.all === true) answer(null, [{ address, family }]);
          else answer(null, address, family);
        },
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'payrun-service',
          ...(secret === null ? {} : { [signatureHeader]: signatureOf(secret, at, body) }),
        },
      },
      (answer: IncomingMessage) => {
        // Reads the rest of the answer, up to a limit, so that the connection can end cleanly.
        resolve(answer.statusCode ?? 0);
        let bytes = 0;
        answer.on('error', () => {});
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes > mostAnswerBytes) request.destroy();
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
