/** The words of refusals of a plan, or for want of an approval. */
import { timeWords } from '../../base/clock.ts';
import type { RefusalFacts } from '../../base/refusal.ts';
import { counted, shellWord } from '../../base/words.ts';
import type { Worded } from '../passage.ts';

const lines = (...all: readonly string[]) => all.join('\n  ');

const planCommand = (batch: string | null) => `payrun plan FILE${batch === null ? '' : ` --batch ${shellWord(batch)}`}`;

type PlanCode =
  | 'PLAN_NOT_FOUND'
  | 'PLAN_UNREADABLE'
  | 'PLAN_CHANGED'
  | 'PLAN_PAGE_DIFFERS'
  | 'PLAN_EXPIRED'
  | 'PLAN_DECLINED'
  | 'PLAN_DIFFERS'
  | 'BATCH_LEAVES_PLAN'
  | 'RETRY_UNPLANNED'
  | 'APPROVALS_TOO_FEW'
  | 'MAKER_REFUSED'
  | 'MAKER_UNSIGNABLE'
  | 'SIGNATURE_USELESS'
  | 'SIGNED_PLAN_MISSING'
  | 'SIGNED_PLANS_SEVERAL'
  | 'BATCH_UNAPPROVED'
  | 'SHEET_UNAPPROVED'
  | 'RETRY_UNAPPROVED'
  | 'RELEASE_UNAPPROVED';

export const planRefusals: { readonly [C in PlanCode]: (facts: Worded<RefusalFacts[C]>) => string } = {
  PLAN_NOT_FOUND: ({ plan, isNamed, others }) =>
    lines(
      `There is no plan ${plan} ${isNamed ? 'in the file of --plan' : 'beside the sheet, nor in --out'}: it was never made here, or was changed since. Nothing was sent.`,
      ...others.map((other) => `${other.path} is plan ${other.plan}`),
      ...(isNamed ? [] : ['Name its file with --plan, or make a new plan: payrun plan FILE']),
    ),
  PLAN_UNREADABLE: ({ path, why }) => `The plan ${path} cannot be read: ${why}. Nothing was sent.`,
  PLAN_CHANGED: ({ path, line, why }) =>
    `The plan ${path} is not as it was written: ${line === null ? '' : `line ${line}: `}${why}. Nothing was sent. Make a new one: payrun plan FILE`,
  PLAN_PAGE_DIFFERS: ({ page }) =>
    lines(
      `${page} is not the page of this plan: it says something else, or another version of Payrun made it. Nothing was signed.`,
      'Ask who made the plan for its page again, or take this one away: what is signed is shown here too.',
    ),
  PLAN_EXPIRED: ({ path, expiredAt }) =>
    `The plan ${path} was good until ${timeWords(expiredAt)}: it is not signed any more. Make a new one: payrun plan FILE`,
  PLAN_DECLINED: ({ plan, by, at, reason, batch }) =>
    lines(
      `Plan ${plan} was declined by ${by}, ${timeWords(at)}: ${reason}. Nothing was sent.`,
      `Make a new plan, and have it approved: ${planCommand(batch)}`,
    ),
  PLAN_DIFFERS: ({ plan, path, differences, batch }) =>
    lines(
      `Plan ${plan} (${path}) is not what would be paid now. Nothing was sent.`,
      ...differences,
      `Put back what differs and run it again; or make a new plan, and have it approved: ${planCommand(batch)}`,
    ),
  BATCH_LEAVES_PLAN: ({ batch, plan, difference, command }) =>
    lines(
      `Batch ${batch} runs under plan ${plan}, and would not be paid as that says: ${difference}. Nothing was sent.`,
      `Go on as the plan says, or make a new plan of the sheet, and run that: ${command}`,
    ),
  RETRY_UNPLANNED: ({ batch, command }) =>
    lines(
      `Batch ${batch} runs under a plan, and to send its unpaid rows again makes new payments, of which that plan says nothing. Nothing was sent.`,
      `Make a plan of how it stands now, and retry with its digest: ${command}`,
    ),
  APPROVALS_TOO_FEW: ({ plan, file, signed, needed, because, notCounted, mayStillSign }) =>
    lines(
      `Plan ${plan} has ${signed.length} of ${counted(needed, 'approval')}${signed.length === 0 ? '' : ` (${signed.join(', ')})`}: ${because}.`,
      ...notCounted.map((one) => `${one.file} does not count: ${one.why}.`),
      stillSignWords(mayStillSign),
      `Have it approved, and run it again: payrun approve ${shellWord(file)} --key FILE`,
      'Nothing was sent.',
    ),
  MAKER_REFUSED: ({ plan, why }) =>
    lines(`Plan ${plan} was made by ${why}.`, 'Make a new one: payrun plan FILE --maker NAME', 'Nothing was sent.'),
  MAKER_UNSIGNABLE: ({ path, why }) =>
    lines(
      `The plan ${path} was made by ${why}: no signature lets it be paid. Nothing was signed.`,
      'Ask for a new one: payrun plan FILE --maker NAME',
    ),
  SIGNATURE_USELESS: ({ approver, policy, why }) =>
    `The signature of ${approver} would not count by ${policy}: ${why}. Nothing was written.`,
  SIGNED_PLAN_MISSING: () =>
    lines(
      'The policy asks for approvals, and no signed plan that is still good lies beside the sheet. Nothing was sent.',
      'Make one with the same options: payrun plan FILE. It names the next step.',
    ),
  SIGNED_PLANS_SEVERAL: ({ paths }) =>
    lines(
      `The policy asks for approvals, and several signed plans lie beside the sheet: ${paths.join(', ')}. Nothing was sent.`,
      'Say which one with --approve DIGEST.',
    ),
  BATCH_UNAPPROVED: ({ batch, sheet, command }) =>
    lines(
      `The policy asks for approvals, and batch ${batch} ${sheet === null ? 'runs under a plan whose approvals were not asked for' : `has ${sheet} as its newest sheet, which came without a plan`}. Nothing was sent.`,
      `Make a plan of its sheet, have it approved, and run that: ${command}`,
    ),
  SHEET_UNAPPROVED: ({ batch }) =>
    lines(
      `Batch ${batch} was approved under a policy, and this sheet has no approval for what it adds or changes. Nothing was sent.`,
      'Have it approved where the batch was, at the console or under its policy; or pay it as a batch of its own.',
    ),
  RETRY_UNAPPROVED: ({ batch }) =>
    lines(
      `Batch ${batch} was approved under a policy, and to send its unpaid rows again needs a new approval. Nothing was sent.`,
      'Retry it where it was approved, at the console or under its policy.',
    ),
  RELEASE_UNAPPROVED: ({ row, batch, why }) => `Row ${row} of batch ${batch} stays held: ${why}. Nothing was sent.`,
};

export const stillSignWords = (people: readonly string[]) =>
  people.length === 0
    ? 'Nobody else of the policy may sign it: somebody who is no approver has to make the plan.'
    : `These may still sign it: ${people.join(', ')}.`;
