/** The words of refusals of a plan, and of refusals because an approval is missing. */
import type { DecidedRows, Signing } from '../../base/refusal.ts';
import { type Audience, atTerminal, fileName, listed } from '../audience.ts';
import { counted, grouped } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';
import type { RefusalWords } from '../passage.ts';

const planAndApprove = 'Make a plan of this sheet, and have it approved';
/** At a terminal, a command replaces the full stop, so that people can copy the command. */
const withCommand = (to: Audience, words: string, command: string) => `${words}${to === 'page' ? '.' : `: ${command}`}`;

export const planRefusals = {
  PLAN_NOT_FOUND: ({ plan, others, command }, to) =>
    to === 'page'
      ? `Payrun found no plan ${plan}. The plan was made elsewhere, or was changed later. Nothing was sent. Make a new plan.`
      : [
          `Payrun found no plan ${plan} in the named file, beside the sheet or in the folder of --out. The plan was made elsewhere, or was changed later. Nothing was sent.`,
          others.map((other) => `${other.path} is plan ${other.plan}`),
          `Run the file of the plan, or make a new plan: ${command}`,
        ],
  PLAN_UNREADABLE: ({ path, why }) => `The plan ${path} cannot be read: ${why}. Nothing was sent.`,
  PLAN_CHANGED: ({ path, line, why }) =>
    `The plan ${path} is not as Payrun wrote it: ${why}${line === null ? '' : ` (line ${line})`}. Nothing was sent. Make a new plan.`,
  PLAN_EXPIRED: ({ path, expiredAt }, to) =>
    `The plan ${atTerminal(to, `${path} `)}expired on ${timeWords(expiredAt)}. Nothing was signed. Ask for a new plan.`,
  PLAN_DECLINED: ({ plan, by, did, at, reason, command }, to) => [
    `${by} ${did === 'plan-declined' ? 'declined' : 'withdrew'} plan ${plan} on ${timeWords(at)}: ${reason}. Nothing was sent.`,
    withCommand(to, 'Make a new plan, and have it approved', command),
  ],
  PLAN_DIFFERS: ({ plan, path, differences, command }, to) => [
    `Plan ${plan}${atTerminal(to, ` (${path})`)} differs from the payments of this run. Nothing was sent.`,
    listed(differences, (one) => one, 'difference'),
    `Undo the differences${atTerminal(to, ' and run the sheet again')}. ${withCommand(to, 'Or make a new plan, and have it approved', command)}`,
  ],
  BATCH_LEAVES_PLAN: ({ batch, plan, difference, command }, to) => [
    `Batch ${batch} runs under plan ${plan}, and this run differs from the plan: ${difference}. Nothing was sent.`,
    withCommand(to, 'Continue as the plan says, or make a new plan of the sheet', command),
  ],
  RETRY_UNPLANNED: ({ batch, command }, to) => [
    `Batch ${batch} runs under a plan, and the plan does not contain the new payments of a retry. Nothing was sent.`,
    withCommand(to, 'Make a new plan that sends the unpaid rows again', command),
  ],
  APPROVALS_TOO_FEW: ({ plan, command, signed, needed, because, notCounted, mayStillSign }, to) => [
    `Plan ${plan} has ${signed.length} of ${counted(needed, 'approval')}${signed.length === 0 ? '' : ` (${signed.join(', ')})`}. The plan needs ${grouped(needed)} because ${because}. Nothing was sent.`,
    notCounted.map(
      (one) => `${to === 'page' ? fileName(one.file) : one.file} does not count: ${one.why}${atTerminal(to, '.')}`,
    ),
    stillSignWords(mayStillSign),
    to === 'page' || mayStillSign.length === 0 ? '' : `Have the plan approved, and run the sheet again: ${command}`,
  ],
  MAKER_REFUSED: ({ plan, why }, to) => [
    `The maker of plan ${plan} is ${why}. Nothing was sent.`,
    `A ${to === 'page' ? 'preparer' : 'maker in the policy'} makes a new plan of the sheet.`,
  ],
  OWN_SHEET: () => 'You prepared or paid a sheet of this batch. Another approver signs the plan.',
  APPROVED_ALREADY: () => 'You approved this plan already. Nothing more was signed.',
  OWN_TO_DISCARD: () =>
    'You made this plan or its batch yourself, so another person declines it. You can withdraw it, or change its sheet.',
  NOT_OWN_PLAN: () =>
    'You made neither this plan nor its batch, so it still waits. An approver declines it, or its maker withdraws it.',
  OWN_APPROVAL: () => 'You approved this plan, so nothing was sent. Another person pays it.',
  MAKER_UNSIGNABLE: ({ path, why }) =>
    `The maker of the plan ${path} is ${why}, so no signature counts. Nothing was signed. Ask for a new plan.`,
  SIGNATURE_USELESS: ({ approver, policy, why }) =>
    `The signature of ${approver} would not count under ${policy}: ${why}. No signature was written.`,
  SIGNED_PLAN_MISSING: ({ command, isTrial }, to) => [
    'A policy is in force, so Payrun pays a sheet only under a plan. No valid plan is beside this sheet. Nothing was sent.',
    withCommand(to, 'Make a plan of this sheet', command),
    isTrial
      ? atTerminal(to, 'To try the sheet without approvals, name another ledger of the sandbox: --ledger FILE')
      : '',
  ],
  SIGNED_PLANS_SEVERAL: ({ paths }, to) => [
    `The policy asks for approvals, and several signed plans are beside the sheet: ${paths.join(', ')}. Nothing was sent.`,
    to === 'page' ? `${planAndApprove}.` : 'Run the file of one plan instead of the sheet.',
  ],
  BATCH_UNAPPROVED: ({ batch, sheet, command }, to) => [
    `The policy asks for approvals, and batch ${batch} ${sheet === null ? 'runs under a plan that needed no approval' : `got its newest sheet (${to === 'page' ? fileName(sheet) : sheet}) without a plan`}. Nothing was sent.`,
    withCommand(to, planAndApprove, command),
  ],
  REASON_PLACEHOLDER: ({ said }) =>
    `The reason '${said}' is only the placeholder of a printed command. Nothing was sent or changed. Say why in your own words, which the trail keeps.`,
  RELEASE_NEEDS_KEY: ({ signs, ...of }, to) =>
    `${undecided(of)} The batch runs under a policy, so one of its approvers must decide${atTerminal(to, bySecondPerson[signs])}.`,
  RELEASE_BY_MAKER: ({ person, signs, ...of }, to) =>
    `${undecided(of)} '${person}' prepared or paid this batch, or another batch with the same row, so a second person must decide${atTerminal(to, bySecondPerson[signs])}.`,
  RELEASE_MAKER_UNKNOWN: (of) =>
    `${undecided(of)} Payrun does not know who ran the batch, so it cannot check for a second person. Run the sheet again first.`,
  RELEASE_SIGNATURE_USELESS: ({ approver, why, ...of }) =>
    `${undecided(of)} The signature of '${approver}' does not count: ${why}.`,
} satisfies Partial<RefusalWords>;

const bySecondPerson: { readonly [S in Signing]: string } = {
  no: ': --by NAME names that person',
  key: ', with their own key: --key FILE',
  console: ', on a page of the console',
};

const undecided = ({ rows, batch }: DecidedRows): string =>
  `The decision about ${rows === null ? 'all absent rows' : `${rows.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}`} of batch ${batch} does not count, and nothing was sent or changed.`;

export const stillSignWords = (people: readonly string[]) =>
  people.length === 0
    ? 'No other approver of the policy may sign the plan. A person who is not an approver has to make a new plan.'
    : `These approvers may still sign the plan: ${people.join(', ')}.`;
