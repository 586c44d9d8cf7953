/** The exports of this folder: approvals of plans, keys of approvers, and the policy. */
export * from './approvals.ts';
export {
  findSame,
  type Person,
  type PlanEnding,
  requireOther,
  whyNotApprove,
  whyNotEnd,
  whyNotOther,
} from './duties.ts';
export {
  type KeyFile,
  lockKey,
  makeKey,
  publicLine,
  publicOf,
  readKeyFile,
  readPublicLine,
  type Stretch,
  scryptKey,
  unlockKey,
} from './keys.ts';
export { foldedName, isSamePerson, personName } from './person.ts';
export { type Policy, readPolicy } from './policy.ts';
export { readSignature, type Signature, sign, signatureText } from './signature.ts';
