/** Signatures: a name under a digest, for one purpose; a signature for one purpose is none for another. */
import { type KeyObject, sign as signBytes, verify } from 'node:crypto';
import { z } from 'zod';
import { type PublicKey, publicOf, verifyingKey } from './keys.ts';

/** One word for each thing that can be signed. */
export const purposes = ['approve plan', 'release row'] as const;

const shape = z.strictObject({
  payrun: z.literal('signature'),
  version: z.literal(1),
  purpose: z.enum(purposes),
  digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  approver: z.string(),
  fingerprint: z.string(),
  at: z.iso.datetime({ precision: 3 }),
  signature: z.base64(),
});

export type Signature = z.infer<typeof shape>;
type Signed = Omit<Signature, 'payrun' | 'version' | 'signature'>;

/** The signed text: the purpose first, and each part in quotes, so that no part can run into another. */
function signedText({ purpose, digest, approver, fingerprint, at }: Signed): Buffer {
  return Buffer.from(`payrun signature 1\n${JSON.stringify([purpose, digest, approver, fingerprint, at])}`);
}

export function sign(key: KeyObject, { purpose, digest, approver, at }: Omit<Signed, 'fingerprint'>): Signature {
  const { fingerprint } = publicOf(approver, key);
  const signed = { purpose, digest, approver, fingerprint, at };
  const signature = signBytes(null, signedText(signed), key).toString('base64');
  return { payrun: 'signature', version: 1, ...signed, signature };
}

export function fits(signature: Signature, key: PublicKey): boolean {
  return verify(null, signedText(signature), verifyingKey(key), Buffer.from(signature.signature, 'base64'));
}

/** The text of its file. */
export function signatureText(signature: Signature): string {
  return `${JSON.stringify(signature, null, 2)}\n`;
}

/** null where the text is no signature. */
export function readSignature(text: string): Signature | null {
  try {
    return shape.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
