/** The words of reasons why a key, a signature, a policy or a plan does not count, and why approvals are needed. */
import type { FaultFacts } from '../../base/faults/fault.ts';
import { atTerminal, type FaultWords } from '../audience.ts';
import { counted, moneyOf } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';

export const approvalFaults = {
  'name-has-wrong-length': 'is not a name of 1 to 64 characters without outer spaces',
  'name-has-odd-letters': "may have letters, digits, spaces and . ' _ - only, and begins with a letter or digit",
  'name-has-unseen-letters': 'has a character that nobody sees',
  'name-mixes-scripts': 'mixes letters of two alphabets that look alike',
  'key-is-not-private': 'it is not a private key of Payrun',
  'key-is-not-public': 'it is not a public key of Payrun, which is one line: payrun-ed25519 KEY FINGERPRINT NAME',
  'key-has-invalid-half': 'its public half is not a key',
  'key-has-other-fingerprint': 'its fingerprint does not belong to its key',
  'maker-has-invalid-name': ({ maker, why }) => `'${maker}', which ${why}`,
  'maker-is-not-listed': ({ maker, policy }, to) =>
    `'${maker}', who is ${to === 'page' ? 'no longer a preparer' : `not one of the makers in ${policy}`}`,
  'is-no-signature': 'it is not a signature of Payrun',
  'signed-for-other-purpose': 'it was signed for another purpose or row',
  'signed-other-plan': ({ plan }) => `it is for another plan, ${plan}`,
  'signed-own-plan': ({ approver }) => `'${approver}' made the plan, and its maker may not approve it`,
  'signed-own-batch': ({ approver }) => `'${approver}' prepared or paid a sheet of this batch, and may not approve it`,
  'signed-in-future': ({ signedAt, now }) => `it was signed at ${timeWords(signedAt)}, and it is ${timeWords(now)}`,
  'signed-after-expiry': ({ signedAt }) => `it was signed at ${timeWords(signedAt)}, when the plan had expired`,
  'signer-is-no-approver': ({ approver }) => `'${approver}' is not an approver`,
  'signer-has-other-key': ({ approver, fingerprint }) => `key ${fingerprint} is not a key of '${approver}'`,
  'signature-does-not-fit': ({ fingerprint }) =>
    `the signature does not match key ${fingerprint}, or the signed text was changed`,
  'nothing-asks-for-approval': 'no amount in it needs an approval',
  'batch-began-with-approvals': ({ approvals }) => `this batch began with ${counted(approvals, 'approval')}`,
  'every-amount-needs-approval': ({ approvals, money }) =>
    `the policy asks for ${counted(approvals, 'approval')} for every amount${money === null ? '' : ` in ${money}`}`,
  'payee-gets-more': ({ amount, above }) => `a payee gets ${moneyOf(amount)}, above ${moneyOf(above)}`,
  'batch-pays-more': ({ amount, above }) => `the batch pays ${moneyOf(amount)}, above ${moneyOf(above)}`,
  'day-pays-more': ({ amount, above }) => `${moneyOf(amount)} would have been sent on one day, above ${moneyOf(above)}`,
  'policy-file': ({ why }, to) => `${why}${atTerminal(to, '; --policy or PAYRUN_POLICY name another')}`,
  'policy-name-is-invalid': ({ place, name, why }) => `${place}: '${name}' ${why}`,
  'policy-name-is-twice': ({ place, name, before }) =>
    `${place}: '${name}' repeats '${before}'; give one approver all keys`,
  'policy-key-is-invalid': ({ place, why }) => `${place}: ${why}`,
  'policy-key-is-of-other': ({ place, owner, name }) => `${place}: it is the key of '${owner}', not of '${name}'`,
  'policy-key-is-twice': ({ place, owner }) => `${place}: '${owner}' has this key already`,
  'policy-has-too-few-approvers': ({ place, needed, approvers }) =>
    `${place}: ${needed} are needed, and there are ${approvers} approvers`,
  'policy-currency-is-twice': ({ place, currency }) => `${place}: ${currency} is named twice`,
  'policy-currency-says-nothing': ({ place }) => `${place}: say what holds for a row, a batch or a day`,
  'policy-steps-do-not-rise': ({ place }) =>
    `${place}: a step has a larger amount and more approvals than the step before it`,
  'plan-is-no-plan': 'it is not a plan of Payrun',
  'plan-is-damaged': 'a part of it was changed, added or removed',
  'plan-row-differs': ({ row }) => `row ${row} was changed, added or removed`,
} satisfies Partial<FaultWords<FaultFacts>>;
