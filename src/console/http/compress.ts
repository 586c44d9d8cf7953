/** Chooses the compression of answers, and compresses data for the page. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const codings = { br: '.br', gzip: '.gz' } as const;
export type Coding = keyof typeof codings;

export function codingFor(accepts: string | undefined): Coding | null {
  const named = new Map(
    (accepts ?? '').split(',').map((part) => {
      const [coding = '', weight = ''] = part.split(';');
      return [coding.trim().toLowerCase(), !/^\s*q=0(?:\.0{0,3})?\s*$/.test(weight)] as const;
    }),
  );
  return (Object.keys(codings) as Coding[]).find((coding) => named.get(coding) === true) ?? null;
}

/** The shortest body to compress, in characters. Compressing a shorter one takes longer than it saves. */
const worthwhile = 1024;
/** A fast level, because each answer is compressed when it is sent. */
const brotliQuality = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const [brotli, gzipped] = [promisify(brotliCompress), promisify(gzip)];

/** The path whose answer has the token against forged requests. */
const withToken = '/api/session';

/** The token and answers to other sites stay uncompressed, because their size could reveal the text (BREACH). */
export async function compressed(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown> {
  if (request.method !== 'GET' || typeof body !== 'string' || body.length < worthwhile) return body;
  if (request.routeOptions.url === withToken) return body;
  reply.header('vary', 'accept-encoding, sec-fetch-site');
  const { 'sec-fetch-site': site = 'none', 'accept-encoding': accepts } = request.headers;
  const coding = site === 'same-origin' || site === 'none' ? codingFor(accepts) : null;
  if (coding === null) return body;
  reply.header('content-encoding', coding);
  return coding === 'br' ? await brotli(body, brotliQuality) : await gzipped(body);
}
