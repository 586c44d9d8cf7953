/** Why a key, a signature, a policy or a plan does not count, and why approvals are needed. */
import type { Each, Money, Words } from '../words.ts';

export type NameFault = Words<'name-has-wrong-length name-has-odd-letters name-has-unseen-letters name-mixes-scripts'>;

interface Placed {
  place: string;
}

interface Threshold {
  amount: Money;
  above: Money;
}

export type ApprovalFaults = Each<
  | NameFault
  | 'key-is-not-private key-is-not-public key-has-invalid-half key-has-other-fingerprint is-no-signature'
  | 'signed-for-other-purpose nothing-asks-for-approval plan-is-no-plan plan-is-damaged',
  object
> & {
  'maker-has-invalid-name': { maker: string; why: { readonly fault: NameFault } };
  'maker-is-not-listed': { maker: string; policy: string };
  'signed-other-plan': { plan: string };
  'signed-own-plan': { approver: string };
  'signed-own-batch': { approver: string };
  'signed-in-future': { signedAt: number; now: number };
  'signed-after-expiry': { signedAt: number };
  'signer-is-no-approver': { approver: string };
  'signer-has-other-key': { approver: string; fingerprint: string };
  'signature-does-not-fit': { fingerprint: string };
  'batch-began-with-approvals': { approvals: number };
  /** No rule covers the currency `money`, so every amount needs approval. `money` is null if there are no rules. */
  'every-amount-needs-approval': { approvals: number; money: string | null };
  'payee-gets-more': Threshold;
  'batch-pays-more': Threshold;
  'day-pays-more': Threshold;
  'policy-file': { why: { readonly fault: string } };
  'policy-name-is-invalid': Placed & { name: string; why: { readonly fault: NameFault } };
  'policy-name-is-twice': Placed & { name: string; before: string };
  'policy-key-is-invalid': Placed & { why: { readonly fault: string } };
  'policy-key-is-of-other': Placed & { owner: string; name: string };
  'policy-key-is-twice': Placed & { owner: string };
  'policy-has-too-few-approvers': Placed & { needed: number; approvers: number };
  'policy-currency-is-twice': Placed & { currency: string };
  'policy-currency-says-nothing': Placed;
  'policy-steps-do-not-rise': Placed;
  'plan-row-differs': { row: number };
};
