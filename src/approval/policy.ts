/** Reads the policy: who may approve plans, and how many approvals an amount needs. */
import { z } from 'zod';
import { sha256 } from '../base/digest.ts';
import { fileFault, PayrunError } from '../base/errors.ts';
import type { ApprovalFault, FileFault } from '../base/faults/fault.ts';
import { strictJson } from '../base/json.ts';
import { type PublicKey, readPublicLine } from './keys.ts';
import { foldedName, personName } from './person.ts';

const approvals = z.int().min(0).max(9);
const threshold = z.strictObject({ above: z.string().regex(/^(0|[1-9]\d{0,17})$/, 'policy-digits'), approvals });
const thresholds = z.array(threshold).min(1);

const approver = z.strictObject(
  { name: z.string(), keys: z.array(z.string()).min(1) },
  // Some people write only the line of a key here. The error then shows the required form.
  { error: ({ code }) => (code === 'invalid_type' ? 'policy-approver' : undefined) },
);

const shape = z.strictObject({
  version: z.literal(1),
  approvers: z.array(approver).min(1),
  makers: z.array(z.string()).min(1).exactOptional(),
  currencies: z.array(
    z.strictObject({
      currency: z.enum(['ZAR', 'NGN', 'KES', 'BTC', 'USDT']),
      row: thresholds.exactOptional(),
      batch: thresholds.exactOptional(),
      /** How many approvals the sum of all batches of a day needs. */
      day: thresholds.exactOptional(),
    }),
  ),
  /** How many approvals an amount needs if `currencies` does not name its currency. */
  otherwise: approvals,
});

export interface Policy extends Omit<z.infer<typeof shape>, 'approvers'> {
  readonly path: string;
  readonly digest: string;
  readonly approvers: readonly { readonly name: string; readonly keys: readonly PublicKey[] }[];
}

export function readPolicy(path: string, text: string): Policy {
  const unusable = (why: readonly (ApprovalFault | FileFault)[]) => new PayrunError('POLICY_UNUSABLE', { path, why });
  let read: z.infer<typeof shape>;
  try {
    read = strictJson(shape, text);
  } catch (error) {
    throw unusable([fileFault(error)]);
  }
  const faults: ApprovalFault[] = [];
  const approvers = read.approvers.map(({ name, keys }, at) => ({
    name,
    keys: keys.flatMap((line, nth) => {
      const key = readPublicLine(line);
      if (!('fault' in key)) return [key];
      faults.push({ fault: 'policy-key-is-invalid', place: `approvers[${at}].keys[${nth}]`, why: key });
      return [];
    }),
  }));
  const policy: Policy = { ...read, path, digest: sha256(text), approvers };
  faults.push(...peopleFaults(policy), ...amountFaults(policy));
  if (faults.length > 0) throw unusable(faults);
  return policy;
}

function peopleFaults({ approvers, makers = [] }: Policy): ApprovalFault[] {
  const faults: ApprovalFault[] = [];
  const people = new Map<string, string>();
  const keys = new Map<string, string>();
  approvers.forEach(({ name, keys: own }, at) => {
    const place = `approvers[${at}]`;
    const named = { place: `${place}.name`, name };
    const fault = personName(name);
    if (fault !== null) faults.push({ fault: 'policy-name-is-invalid', ...named, why: { fault } });
    const before = people.get(foldedName(name));
    if (before !== undefined) faults.push({ fault: 'policy-name-is-twice', ...named, before });
    people.set(foldedName(name), name);
    own.forEach((key, nth) => {
      const keyPlace = `${place}.keys[${nth}]`;
      if (key.name !== name) faults.push({ fault: 'policy-key-is-of-other', place: keyPlace, owner: key.name, name });
      const owner = keys.get(key.key);
      if (owner !== undefined) faults.push({ fault: 'policy-key-is-twice', place: keyPlace, owner });
      keys.set(key.key, name);
    });
  });
  makers.forEach((name, at) => {
    const fault = personName(name);
    if (fault !== null) faults.push({ fault: 'policy-name-is-invalid', place: `makers[${at}]`, name, why: { fault } });
  });
  return faults;
}

function amountFaults({ currencies, otherwise, approvers }: Policy): ApprovalFault[] {
  const faults: ApprovalFault[] = [];
  const most = approvers.length;
  const enough = (place: string, needed: number) => {
    if (needed > most) faults.push({ fault: 'policy-has-too-few-approvers', place, needed, approvers: most });
  };
  enough('otherwise', otherwise);
  const seen = new Set<string>();
  currencies.forEach(({ currency, row, batch, day }, at) => {
    const place = `currencies[${at}]`;
    if (seen.has(currency)) faults.push({ fault: 'policy-currency-is-twice', place, currency });
    seen.add(currency);
    if (row === undefined && batch === undefined && day === undefined)
      faults.push({ fault: 'policy-currency-says-nothing', place });
    for (const [name, list] of Object.entries({ row, batch, day }))
      (list ?? []).forEach(({ above, approvals: needed }, nth) => {
        const here = `${place}.${name}[${nth}]`;
        enough(here, needed);
        const before = list?.[nth - 1];
        if (before === undefined) return;
        if (BigInt(above) <= BigInt(before.above) || needed <= before.approvals)
          faults.push({ fault: 'policy-steps-do-not-rise', place: here });
      });
  });
  return faults;
}
