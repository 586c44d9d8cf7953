/** The words of refusals of a plan, and of refusals because an approval is missing. */
import { shellWord } from '../../base/words.ts';
import { type Audience, atTerminal, fileName, lines, listed } from '../audience.ts';
import { counted, grouped } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import type { RefusalWords } from '../passage.ts';

const planCommand = (batch: string | null) => `payrun plan FILE${batch === null ? '' : ` --batch ${shellWord(batch)}`}`;
const planAndApprove = 'Make a plan of this sheet, and have it approved.';
const newOne = (to: Audience, more = '') => `Make a new plan${atTerminal(to, `: payrun plan FILE${more}`)}`;
/** At a terminal, a command replaces the full stop, so that people can copy the command. */
const withCommand = (to: Audience, words: string, command: string) => `${words}${to === 'page' ? '.' : `: ${command}`}`;

export const planRefusals = {
  PLAN_NOT_FOUND: ({ plan, isNamed, others }, to) =>
    to === 'page'
      ? `Payrun found no plan ${plan}. The plan was made elsewhere, or was changed later. Nothing was sent. Make a new plan.`
      : lines(
          to,
          `Payrun found no plan ${plan} ${isNamed ? 'in the file of --plan' : 'beside the sheet or in the folder of --out'}. The plan was made elsewhere, or was changed later. Nothing was sent.`,
          others.map((other) => `${other.path} is plan ${other.plan}`),
          isNamed ? '' : 'Name the file of the plan with --plan, or make a new plan: payrun plan FILE',
        ),
  PLAN_UNREADABLE: ({ path, why }) => `The plan ${path} cannot be read: ${why}. Nothing was sent.`,
  PLAN_CHANGED: ({ path, line, why }, to) =>
    `The plan ${path} is not as Payrun wrote it: ${why}${line === null ? '' : ` (line ${line})`}. Nothing was sent. ${newOne(to)}${to === 'page' ? '.' : ''}`,
  PLAN_PAGE_DIFFERS: ({ page }, to) =>
    lines(
      to,
      `The page ${page} does not match this plan. The text of the page differs, or another version of Payrun made the page. Nothing was signed.`,
      'Ask the person who made the plan for its page, or remove this page: the terminal also shows what you sign.',
    ),
  PLAN_EXPIRED: ({ path, expiredAt }, to) =>
    `The plan ${atTerminal(to, `${path} `)}expired on ${timeWords(expiredAt)}. Nothing was signed. ${newOne(to)}${to === 'page' ? '.' : ''}`,
  PLAN_DECLINED: ({ plan, by, at, reason, batch }, to) =>
    lines(
      to,
      `${by} declined plan ${plan} on ${timeWords(at)}: ${reason}. Nothing was sent.`,
      withCommand(to, 'Make a new plan, and have it approved', planCommand(batch)),
    ),
  PLAN_DIFFERS: ({ plan, path, differences, batch }, to) =>
    lines(
      to,
      `Plan ${plan}${atTerminal(to, ` (${path})`)} differs from the payments of this run. Nothing was sent.`,
      listed(differences, (one) => one, 'difference'),
      `Undo the differences${atTerminal(to, ' and run the sheet again')}. ${withCommand(to, 'Or make a new plan, and have it approved', planCommand(batch))}`,
    ),
  BATCH_LEAVES_PLAN: ({ batch, plan, difference, command }, to) =>
    lines(
      to,
      `Batch ${batch} runs under plan ${plan}, and this run differs from the plan: ${difference}. Nothing was sent.`,
      `Continue as the plan says, or make a new plan of the sheet${to === 'page' ? '.' : `, and run the new plan: ${command}`}`,
    ),
  RETRY_UNPLANNED: ({ batch, command }, to) =>
    lines(
      to,
      `Batch ${batch} runs under a plan, and the plan does not contain the new payments of a retry. Nothing was sent.`,
      `Make a new plan that sends the unpaid rows again${to === 'page' ? '.' : `, and run that plan: ${command}`}`,
    ),
  APPROVALS_TOO_FEW: ({ plan, file, signed, needed, because, notCounted, mayStillSign }, to) =>
    lines(
      to,
      `Plan ${plan} has ${signed.length} of ${counted(needed, 'approval')}${signed.length === 0 ? '' : ` (${signed.join(', ')})`}. The plan needs ${grouped(needed)} because ${because}. Nothing was sent.`,
      notCounted.map(
        (one) => `${to === 'page' ? fileName(one.file) : one.file} does not count: ${one.why}${atTerminal(to, '.')}`,
      ),
      stillSignWords(mayStillSign),
      atTerminal(to, `Have the plan approved, and run the sheet again: payrun approve ${shellWord(file)} --key FILE`),
    ),
  MAKER_REFUSED: ({ plan, why }, to) =>
    lines(
      to,
      `The maker of plan ${plan} is ${why}. Nothing was sent.`,
      to === 'page' ? 'A preparer makes a new plan of the sheet.' : newOne(to, ' --maker NAME'),
    ),
  OWN_TO_DISCARD: () => 'You prepared this sheet yourself: change it, or discard it.',
  MAKER_UNSIGNABLE: ({ path, why }, to) =>
    lines(
      to,
      `The maker of the plan ${path} is ${why}, so no signature counts. Nothing was signed.`,
      withCommand(to, 'Ask for a new plan', 'payrun plan FILE --maker NAME'),
    ),
  SIGNATURE_USELESS: ({ approver, policy, why }) =>
    `The signature of ${approver} would not count under ${policy}: ${why}. No signature was written.`,
  SIGNED_PLAN_MISSING: (_, to) =>
    lines(
      to,
      'The policy asks for approvals, and no valid signed plan is beside the sheet. Nothing was sent.',
      to === 'page'
        ? planAndApprove
        : 'Make a plan with the same options: payrun plan FILE. This command shows the next step.',
    ),
  SIGNED_PLANS_SEVERAL: ({ paths }, to) =>
    lines(
      to,
      `The policy asks for approvals, and several signed plans are beside the sheet: ${paths.join(', ')}. Nothing was sent.`,
      to === 'page' ? planAndApprove : 'Choose one with --approve DIGEST.',
    ),
  BATCH_UNAPPROVED: ({ batch, sheet, command }, to) =>
    lines(
      to,
      `The policy asks for approvals, and batch ${batch} ${sheet === null ? 'runs under a plan that needed no approval' : `got its newest sheet (${to === 'page' ? fileName(sheet) : sheet}) without a plan`}. Nothing was sent.`,
      to === 'page' ? planAndApprove : `Make a plan of this sheet, have it approved, and run the plan: ${command}`,
    ),
  SHEET_UNAPPROVED: ({ batch }, to) =>
    lines(
      to,
      `Batch ${batch} was approved under a policy, and the new and changed rows of this sheet have no approval. Nothing was sent.`,
      'Have the sheet approved where the batch was approved, at the console or under its policy. Or pay the sheet as its own batch.',
    ),
  RELEASE_UNAPPROVED: ({ row, batch, why }) =>
    `The decision about row ${row} of batch ${batch} does not count, and the row stays as it is: ${why}. Nothing was sent.`,
} satisfies Partial<RefusalWords>;

export const stillSignWords = (people: readonly string[]) =>
  people.length === 0
    ? 'No other approver of the policy may sign the plan. A person who is not an approver has to make a new plan.'
    : `These approvers may still sign the plan: ${people.join(', ')}.`;
