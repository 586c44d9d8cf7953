/** Reads the service's answers. Ignores unknown fields, and requires only the fields that Payrun needs. */
import { z } from 'zod';
import { eachOf } from '../base/words.ts';
import { payoutCountryOf } from '../domain/accounts/country.ts';
import { anyPage } from '../wire/page.ts';

export function messageOf(body: unknown): string | null {
  const words = wordsIn(body);
  return words === null ? null : harmless(words);
}

/** Removes tokens first, and then cuts the text, because the patterns do not match half a token. */
function harmless(text: string): string {
  return text
    .replaceAll(/\p{C}+/gu, ' ')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]')
    .replaceAll(/Bearer\s+\S+/gi, 'Bearer [token]')
    .slice(0, 500);
}

function wordsIn(body: unknown): string | null {
  if (typeof body === 'string') return body === '' ? null : body;
  if (typeof body !== 'object' || body === null) return null;
  for (const name of ['message', 'error', 'detail', 'errors'])
    if (name in body) {
      const value = (body as Record<string, unknown>)[name];
      if (typeof value === 'string') return value;
      if (Array.isArray(value)) return value.map((one) => wordsIn(one) ?? JSON.stringify(one)).join('; ');
      const inner = wordsIn(value);
      if (inner !== null) return inner;
    }
  return JSON.stringify(body);
}

const paymentIdPaths = ['id', 'paymentId', 'payment.id', 'data.id', 'data.paymentId'];

/**
 * The interface does not show the shape of the answer of POST /payments (interface 4.20). The client looks for the
 * payment's id at the configured path, then in the usual fields.
 */
export function paymentIdOf(body: unknown, configured?: string): string | null {
  const paths = configured === undefined ? paymentIdPaths : [configured, ...paymentIdPaths];
  for (const path of paths) {
    const found = path.split('.').reduce(property, body);
    if (typeof found === 'string' && found !== '') return found;
    if (typeof found === 'number' && Number.isSafeInteger(found)) return String(found);
  }
  return null;
}

export function property(at: unknown, name: string): unknown {
  return typeof at === 'object' && at !== null && Object.hasOwn(at, name)
    ? (at as Record<string, unknown>)[name]
    : undefined;
}

const tokenNames = ['token', 'accessToken', 'access_token', 'jwt'];

/**
 * The interface does not show the name of the token field (interface 4.1). The client takes the
 * configured field, else the only text that has two dots as tokens do, else a field with a usual name.
 */
export function tokenIn(body: unknown, configured?: string): string | null {
  const texts = [...leavesOf(body)].flatMap(({ name, value }) =>
    typeof value === 'string' && value !== '' ? [{ name, text: value }] : [],
  );
  const named = (name: string | undefined) => texts.find((one) => one.name === name)?.text;
  const configuredText = named(configured);
  if (configuredText !== undefined) return configuredText;
  const dotted = texts.filter(({ text }) => /^[^\s.]+\.[^\s.]+\.[^\s.]+$/.test(text));
  if (dotted.length === 1) return dotted[0]?.text ?? null;
  return tokenNames.map(named).find((text) => text !== undefined) ?? null;
}

/** `expiry` is Unix time in milliseconds (interface 4.1). */
export function expiryIn(body: unknown): number | null {
  const found = [...leavesOf(body)].flatMap(({ name, value }) =>
    name === 'expiry' && typeof value === 'number' ? [value] : [],
  );
  return found.at(-1) ?? null;
}

/** Returns the names of all fields, without the values, because a value may be a token. */
export const fieldNames = (body: unknown): string => Array.from(leavesOf(body), ({ name }) => name).join(', ');

function* leavesOf(
  value: unknown,
  name = '',
  depth = 0,
): Generator<{ readonly name: string; readonly value: unknown }> {
  if (typeof value !== 'object' || value === null) yield { name, value };
  else if (depth < 6) for (const [key, inner] of Object.entries(value)) yield* leavesOf(inner, key, depth + 1);
}

export const pageOf = (body: unknown): { items: readonly unknown[]; offsetMarker: string | null } | null =>
  anyPage.safeParse(body).data ?? null;

export const text = z.string().nullish().catch(null);
export const digits = z.union([z.string().min(1), z.number().int().transform(String)]);
/** An amount as a number, or as the text of a plain decimal. Other texts, such as `1,500`, are ambiguous. */
const amount = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,15}(?:\.\d+)?$/)
      .transform(Number),
  ])
  .nullish()
  .catch(null);

/** Only `id` is required; any other field that cannot be read becomes null. */
const looseMerchant = z.looseObject({
  id: digits,
  ...eachOf(text, 'name country bankName networkProvider lnurl'),
  ...eachOf(digits.nullish().catch(null), 'accountNumber bankCode contactNumber'),
});
export type ReadMerchant = z.infer<typeof looseMerchant>;

const loosePayment = z.looseObject({
  id: digits,
  merchantId: digits.nullish().catch(null),
  ...eachOf(amount, 'amount amountSettled otcFees'),
  ...eachOf(text, 'status statusLog fromCountry destinationCurrency reference tag date meta'),
});
export type ReadPayment = z.infer<typeof loosePayment>;

export const readMerchant = (body: unknown): ReadMerchant | null =>
  looseMerchant.safeParse(withLeadingZeros(body)).data ?? null;
export const readPayment = (body: unknown): ReadPayment | null => loosePayment.safeParse(unwrap(body)).data ?? null;

/** A Nigerian account number has ten digits. If the service sends a number, restores the leading zeros. */
function withLeadingZeros(body: unknown): unknown {
  const number = property(body, 'accountNumber');
  const isNigerian = payoutCountryOf(String(property(body, 'country'))) === 'Nigeria';
  if (!isNigerian || typeof number !== 'number' || !Number.isSafeInteger(number)) return body;
  return { ...(body as object), accountNumber: String(number).padStart(10, '0') };
}

/** Some services put the payment into a field `payment` or `data`. */
function unwrap(body: unknown): unknown {
  if (property(body, 'id') !== undefined) return body;
  const inner = property(body, 'payment') ?? property(body, 'data');
  return inner ?? body;
}
