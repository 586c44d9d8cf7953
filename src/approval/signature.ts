/** Makes and checks signatures. A signature is valid for one digest and one purpose. */
import { type KeyObject, sign as signBytes, verify } from 'node:crypto';
import { z } from 'zod';
import { jsonThatFits } from '../base/json.ts';
import { type PublicKey, publicOf, verifyingKey } from './keys.ts';

const shape = z.strictObject({
  payrun: z.literal('signature'),
  version: z.literal(1),
  purpose: z.enum(['approve plan', 'release row']),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  approver: z.string(),
  fingerprint: z.string(),
  at: z.iso.datetime({ precision: 3 }),
  signature: z.base64(),
});

export type Signature = z.infer<typeof shape>;
type Signed = Omit<Signature, 'payrun' | 'version' | 'signature'>;

/** Signs JSON, because joined texts would be ambiguous: `ab` and `c` join to the same text as `a` and `bc`. */
const signedText = ({ purpose, digest, approver, fingerprint, at }: Signed): Buffer =>
  Buffer.from(`payrun signature 1\n${JSON.stringify([purpose, digest, approver, fingerprint, at])}`);

export function sign(key: KeyObject, { purpose, digest, approver, at }: Omit<Signed, 'fingerprint'>): Signature {
  const { fingerprint } = publicOf(approver, key);
  const signed = { purpose, digest, approver, fingerprint, at };
  const signature = signBytes(null, signedText(signed), key).toString('base64');
  return { payrun: 'signature', version: 1, ...signed, signature };
}

export const fits = (signature: Signature, key: PublicKey): boolean =>
  verify(null, signedText(signature), verifyingKey(key), Buffer.from(signature.signature, 'base64'));

export const signatureText = (signature: Signature): string => `${JSON.stringify(signature, null, 2)}\n`;

export const readSignature = (text: string): Signature | null => jsonThatFits(shape, text);
