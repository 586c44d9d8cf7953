/** Why a key, a signature, a policy or a plan does not count, and why approvals are needed. */
import type { Money } from '../words.ts';

export type NameFault =
  | 'name-has-wrong-length'
  | 'name-has-odd-letters'
  | 'name-has-unseen-letters'
  | 'name-mixes-scripts';

interface Placed {
  place: string;
}

interface Threshold {
  amount: Money;
  above: Money;
}

export type ApprovalFaults = { readonly [N in NameFault]: object } & {
  'key-is-not-private': object;
  'key-is-not-public': object;
  'key-has-invalid-half': object;
  'key-has-other-fingerprint': object;
  'maker-has-invalid-name': { maker: string; why: { readonly fault: NameFault } };
  'maker-is-not-listed': { maker: string; policy: string };
  'is-no-signature': object;
  'signed-for-other-purpose': object;
  'signed-other-plan': { plan: string };
  'signed-own-plan': { approver: string };
  'signed-own-batch': { approver: string };
  'signed-in-future': { signedAt: number; now: number };
  'signed-after-expiry': { signedAt: number };
  'signer-is-no-approver': { approver: string };
  'signer-has-other-key': { approver: string; fingerprint: string };
  'signature-does-not-fit': { fingerprint: string };
  'nothing-asks-for-approval': object;
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
  'plan-is-no-plan': object;
  'plan-is-damaged': object;
  'plan-row-differs': { row: number };
};
