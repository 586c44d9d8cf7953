/** The words of refusals of a plan, and of refusals because an approval is missing. */
import { timeWords } from '../../base/clock.ts';
import { counted, shellWord } from '../../base/words.ts';
import { type Audience, atTerminal, fileName, lines, listed } from '../audience.ts';
import type { RefusalWords } from '../passage.ts';

const planCommand = (batch: string | null) => `payrun plan FILE${batch === null ? '' : ` --batch ${shellWord(batch)}`}`;
const newOne = (to: Audience, more = '') => `Make a new one${atTerminal(to, `: payrun plan FILE${more}`)}`;
/** At a terminal, a command replaces the full stop, so that people can copy the command. */
const withCommand = (to: Audience, words: string, command: string) => `${words}${to === 'page' ? '.' : `: ${command}`}`;

export const planRefusals = {
  PLAN_NOT_FOUND: ({ plan, isNamed, others }, to) =>
    to === 'page'
      ? `There is no plan ${plan}: it was never made here, or was changed since. Nothing was sent. Make a new one.`
      : lines(
          to,
          `There is no plan ${plan} ${isNamed ? 'in the file of --plan' : 'beside the sheet, nor in --out'}: it was never made here, or was changed since. Nothing was sent.`,
          others.map((other) => `${other.path} is plan ${other.plan}`),
          isNamed ? '' : 'Name its file with --plan, or make a new plan: payrun plan FILE',
        ),
  PLAN_UNREADABLE: ({ path, why }) => `The plan ${path} cannot be read: ${why}. Nothing was sent.`,
  PLAN_CHANGED: ({ path, line, why }, to) =>
    `The plan ${path} is not as it was written: ${line === null ? '' : `line ${line}: `}${why}. Nothing was sent. ${newOne(to)}${to === 'page' ? '.' : ''}`,
  PLAN_PAGE_DIFFERS: ({ page }, to) =>
    lines(
      to,
      `${page} is not the page of this plan: it says something else, or another version of Payrun made it. Nothing was signed.`,
      'Ask who made the plan for its page again, or take this one away: what is signed is shown here too.',
    ),
  PLAN_EXPIRED: ({ path, expiredAt }, to) =>
    `The plan ${atTerminal(to, `${path} `)}was good until ${timeWords(expiredAt)}: it is not signed any more. ${newOne(to)}${to === 'page' ? '.' : ''}`,
  PLAN_DECLINED: ({ plan, by, at, reason, batch }, to) =>
    lines(
      to,
      `Plan ${plan} was declined by ${by}, ${timeWords(at)}: ${reason}. Nothing was sent.`,
      withCommand(to, 'Make a new plan, and have it approved', planCommand(batch)),
    ),
  PLAN_DIFFERS: ({ plan, path, differences, batch }, to) =>
    lines(
      to,
      `Plan ${plan}${atTerminal(to, ` (${path})`)} is not what would be paid now. Nothing was sent.`,
      listed(differences, (one) => one, 'difference'),
      `Put back what differs${atTerminal(to, ' and run it again')}; ${withCommand(to, 'or make a new plan, and have it approved', planCommand(batch))}`,
    ),
  BATCH_LEAVES_PLAN: ({ batch, plan, difference, command }, to) =>
    lines(
      to,
      `Batch ${batch} runs under plan ${plan}, and would not be paid as that says: ${difference}. Nothing was sent.`,
      `Go on as the plan says, or make a new plan of the sheet${to === 'page' ? '.' : `, and run that: ${command}`}`,
    ),
  RETRY_UNPLANNED: ({ batch, command }, to) =>
    lines(
      to,
      `Batch ${batch} runs under a plan, and to send its unpaid rows again makes new payments, of which that plan says nothing. Nothing was sent.`,
      `Make a plan of how it stands now${to === 'page' ? '.' : `, and retry with its digest: ${command}`}`,
    ),
  APPROVALS_TOO_FEW: ({ plan, file, signed, needed, because, notCounted, mayStillSign }, to) =>
    lines(
      to,
      `Plan ${plan} has ${signed.length} of ${counted(needed, 'approval')}${signed.length === 0 ? '' : ` (${signed.join(', ')})`}: ${because}.`,
      notCounted.map(
        (one) => `${to === 'page' ? fileName(one.file) : one.file} does not count: ${one.why}${atTerminal(to, '.')}`,
      ),
      stillSignWords(mayStillSign),
      atTerminal(to, `Have it approved, and run it again: payrun approve ${shellWord(file)} --key FILE`),
      'Nothing was sent.',
    ),
  MAKER_REFUSED: ({ plan, why }, to) =>
    lines(
      to,
      `Plan ${plan} was made by ${why}.`,
      to === 'page' ? 'A preparer makes a new plan of the sheet.' : newOne(to, ' --maker NAME'),
      'Nothing was sent.',
    ),
  MAKER_UNSIGNABLE: ({ path, why }, to) =>
    lines(
      to,
      `The plan ${path} was made by ${why}: no signature lets it be paid. Nothing was signed.`,
      withCommand(to, 'Ask for a new one', 'payrun plan FILE --maker NAME'),
    ),
  SIGNATURE_USELESS: ({ approver, policy, why }) =>
    `The signature of ${approver} would not count by ${policy}: ${why}. Nothing was written.`,
  SIGNED_PLAN_MISSING: (_, to) =>
    lines(
      to,
      'The policy asks for approvals, and no signed plan that is still good lies beside the sheet. Nothing was sent.',
      atTerminal(to, 'Make one with the same options: payrun plan FILE. It names the next step.'),
    ),
  SIGNED_PLANS_SEVERAL: ({ paths }, to) =>
    lines(
      to,
      `The policy asks for approvals, and several signed plans lie beside the sheet: ${paths.join(', ')}. Nothing was sent.`,
      atTerminal(to, 'Say which one with --approve DIGEST.'),
    ),
  BATCH_UNAPPROVED: ({ batch, sheet, command }, to) =>
    lines(
      to,
      `The policy asks for approvals, and batch ${batch} ${sheet === null ? 'runs under a plan whose approvals were not asked for' : `has ${to === 'page' ? fileName(sheet) : sheet} as its newest sheet, which came without a plan`}. Nothing was sent.`,
      to === 'page'
        ? 'Make a plan of its sheet, and have it approved.'
        : `Make a plan of its sheet, have it approved, and run that: ${command}`,
    ),
  SHEET_UNAPPROVED: ({ batch }, to) =>
    lines(
      to,
      `Batch ${batch} was approved under a policy, and this sheet has no approval for what it adds or changes. Nothing was sent.`,
      'Have it approved where the batch was, at the console or under its policy; or pay it as a batch of its own.',
    ),
  RETRY_UNAPPROVED: ({ batch }, to) =>
    lines(
      to,
      `Batch ${batch} was approved under a policy, and to send its unpaid rows again needs a new approval. Nothing was sent.`,
      'Retry it where it was approved, at the console or under its policy.',
    ),
  RELEASE_UNAPPROVED: ({ row, batch, why }) => `Row ${row} of batch ${batch} stays held: ${why}. Nothing was sent.`,
} satisfies Partial<RefusalWords>;

export const stillSignWords = (people: readonly string[]) =>
  people.length === 0
    ? 'Nobody else of the policy may sign it: somebody who is no approver has to make the plan.'
    : `These may still sign it: ${people.join(', ')}.`;
