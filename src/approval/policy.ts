/** The policy: who may approve, and how many approvals an amount needs. A misread policy could let money out. */
import { z } from 'zod';
import { sha256 } from '../base/digest.ts';
import { PayrunError } from '../base/errors.ts';
import { repeatedKeys } from '../base/json.ts';
import type { AmountUnit } from '../domain/amounts/money.ts';
import { wordsOf } from '../messages/refusals.ts';
import { type PublicKey, readPublicLine } from './keys.ts';
import { foldedName, personName } from './person.ts';

/** The unit of each currency's amounts in plans and policies. */
export const unitOf = {
  ZAR: 'whole',
  NGN: 'whole',
  KES: 'whole',
  BTC: 'sat',
  USDT: 'hundredths',
} as const satisfies Record<string, AmountUnit>;

const approvals = z.int().min(0).max(9);
const threshold = z.strictObject({
  above: z.string().regex(/^(0|[1-9]\d{0,17})$/, 'write whole digits in quotes'),
  approvals,
});
const thresholds = z.array(threshold).min(1);

const approver = z.strictObject(
  { name: z.string(), keys: z.array(z.string()).min(1) },
  // People may write only the line of a key, since it contains the owner's name.
  { error: ({ code }) => (code === 'invalid_type' ? `write ${approverExample}` : undefined) },
);
const approverExample = '{"name": "…", "keys": ["the line of the .pub file"]}';

const shape = z.strictObject({
  version: z.literal(1),
  approvers: z.array(approver).min(1),
  makers: z.array(z.string()).min(1).exactOptional(),
  currencies: z.array(
    z.strictObject({
      currency: z.enum(['ZAR', 'NGN', 'KES', 'BTC', 'USDT']),
      row: thresholds.exactOptional(),
      batch: thresholds.exactOptional(),
      /** Thresholds for the sum of all batches on one day. */
      day: thresholds.exactOptional(),
    }),
  ),
  /** The approvals needed in a currency that `currencies` does not name. */
  otherwise: approvals,
});

export interface Policy extends Omit<z.infer<typeof shape>, 'approvers'> {
  readonly path: string;
  /** SHA-256 of the policy file, for the trail. */
  readonly digest: string;
  readonly approvers: readonly { readonly name: string; readonly keys: readonly PublicKey[] }[];
}

export function readPolicy(path: string, text: string): Policy {
  const unusable = (...faults: string[]) =>
    new PayrunError('POLICY_UNUSABLE', {
      path,
      detail: faults.length === 1 ? faults[0]! : `\n  ${faults.join('\n  ')}`,
    });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw unusable(`it is not JSON: ${wordsOf(error).replaceAll(/\s+/g, ' ')}`);
  }
  const repeated = repeatedKeys(text, json);
  if (repeated.length > 0) throw unusable(...repeated.map((key) => `'${key}' stands twice in one place`));
  const read = shape.safeParse(json);
  if (!read.success) throw unusable(...read.error.issues.map(({ path: at, message }) => `${placeOf(at)}: ${message}`));
  const faults: string[] = [];
  const approvers = read.data.approvers.map(({ name, keys }, at) => ({
    name,
    keys: keys.flatMap((line, nth) => {
      const key = readPublicLine(line);
      if (typeof key === 'string') faults.push(`approvers[${at}].keys[${nth}]: ${key}`);
      return typeof key === 'string' ? [] : [key];
    }),
  }));
  const policy: Policy = { ...read.data, path, digest: sha256(text), approvers };
  faults.push(...peopleFaults(policy), ...amountFaults(policy));
  if (faults.length > 0) throw unusable(...faults);
  return policy;
}

function placeOf(path: readonly PropertyKey[]): string {
  const place = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return place === '' ? 'the whole' : place.replace(/^\./, '');
}

function peopleFaults({ approvers, makers = [] }: Policy): string[] {
  const faults: string[] = [];
  const people = new Map<string, string>();
  const keys = new Map<string, string>();
  approvers.forEach(({ name, keys: own }, at) => {
    const place = `approvers[${at}]`;
    const wrong = personName(name);
    if (wrong !== null) faults.push(`${place}.name: '${name}' ${wrong}`);
    const before = people.get(foldedName(name));
    if (before !== undefined)
      faults.push(`${place}.name: '${name}' is '${before}' once more; give one approver all keys`);
    people.set(foldedName(name), name);
    own.forEach((key, nth) => {
      const keyPlace = `${place}.keys[${nth}]`;
      if (key.name !== name) faults.push(`${keyPlace}: it is the key of '${key.name}', not of '${name}'`);
      const owner = keys.get(key.key);
      if (owner !== undefined) faults.push(`${keyPlace}: this key stands at '${owner}' already`);
      keys.set(key.key, name);
    });
  });
  makers.forEach((name, at) => {
    const wrong = personName(name);
    if (wrong !== null) faults.push(`makers[${at}]: '${name}' ${wrong}`);
  });
  return faults;
}

function amountFaults({ currencies, otherwise, approvers }: Policy): string[] {
  const faults: string[] = [];
  const most = approvers.length;
  const enough = (place: string, needed: number) => {
    if (needed > most) faults.push(`${place}: ${needed} are needed, and there are ${most} approvers`);
  };
  enough('otherwise', otherwise);
  const seen = new Set<string>();
  currencies.forEach(({ currency, row, batch, day }, at) => {
    const place = `currencies[${at}]`;
    if (seen.has(currency)) faults.push(`${place}: ${currency} stands twice`);
    seen.add(currency);
    if (row === undefined && batch === undefined && day === undefined)
      faults.push(`${place}: say what holds for a row, a batch or a day`);
    for (const [name, list] of Object.entries({ row, batch, day }))
      (list ?? []).forEach(({ above, approvals: needed }, nth) => {
        const here = `${place}.${name}[${nth}]`;
        enough(here, needed);
        const before = list?.[nth - 1];
        if (before === undefined) return;
        if (BigInt(above) <= BigInt(before.above)) faults.push(`${here}: ${above} does not come after ${before.above}`);
        if (needed <= before.approvals)
          faults.push(`${here}: above ${above} more than ${before.approvals} must be needed`);
      });
  });
  return faults;
}
