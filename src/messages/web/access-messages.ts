/** The console's messages about requests, logins, people and settings. */
import { counted, grouped } from '../format/numbers.ts';
import type { Texts } from '../passage.ts';

const minuteMs = 60_000;
/** Replaces the library's warning about a password that contains a name of this console. */
export const knownNamesWords = 'Names that are known here are easy to guess.';
const advice = 'Use several words that do not belong together.';

const withArticle = (role: string) => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;

export interface Waits {
  readonly retryAfterMs: number;
}

export const accessMessages = {
  OTHER_HOST: () => 'This console does not answer under that name.',
  FORGED: () => 'This did not come from a page of this console. Reload the page and try again.',
  LOGIN_NEEDED: () => 'Log in first.',
  NOT_ALLOWED: ({ roles, role }: { readonly roles: readonly string[]; readonly role: string }) =>
    `This is for ${roles.map((one) => `${one}s`).join(' and ')}; you are ${withArticle(role)}.`,
  JSON_NEEDED: () => 'Send JSON (application/json).',
  FORM_NEEDED: () => 'Send a form with one file.',
  FIELD_UNREADABLE: ({ field, detail }: { readonly field: string; readonly detail: string | null }) =>
    `${field || 'the request'}: ${detail ?? 'it cannot be read'}`,
  PAGE_NOT_BUILT: () => 'The page of the console is not built. Ask the person who installed Payrun.',
  NOTHING_HERE: () => 'There is nothing here.',
  REQUEST_TOO_LARGE: () => 'That is too large.',
  REQUEST_UNREADABLE: ({ detail }: Texts<'detail'>) => `The request cannot be read: ${detail}`,
  FAULT: () => 'Something failed inside. The output of the console has the details.',
  KEY_USED: () => 'This was not done: it had the key of another request. Try it again.',
  REQUEST_CUT: () => 'The request broke off. Check the page before you try again.',
  FILE_TOO_LARGE: ({ mostBytes }: { readonly mostBytes: number }) =>
    `The file is larger than ${Math.floor(mostBytes / 1024 ** 2)} MiB. Split the sheet, or make the file smaller.`,
  FILE_EMPTY: () => 'The file is empty.',
  UPLOAD_UNDER_WAY: () => 'You are uploading another file. Wait until that upload has ended.',
  MANY_FILES: (() => 'Payrun is making many files now. Try again in a minute.') as (facts: Waits) => string,

  MANY_LOGINS: (() => 'Many people log in at this moment. Try again in a few seconds.') as (facts: Waits) => string,
  TOO_MANY_TRIES: ({ retryAfterMs }: Waits) => {
    const minutes = Math.max(1, Math.ceil(retryAfterMs / minuteMs));
    return `Too many tries. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
  },
  PASSWORD_SHORT: ({ fewest }: { readonly fewest: number }) =>
    `A password has at least ${fewest} characters. ${advice}`,
  PASSWORD_IS_NAME: () => `That password is little more than the name. ${advice}`,
  /** `warning` is a text of the library that estimates how easily a password can be guessed. */
  PASSWORD_GUESSABLE: ({ warning }: { readonly warning: string | null }) =>
    ['That password is too easy to guess.', warning ?? '', advice].filter(Boolean).join(' '),
  PASSWORD_WRONG: () => 'That is not your password.',
  LOGIN_REFUSED: () => 'The name, the password or the code is wrong.',
  CODE_NEEDED: () => 'Now enter the code that your authenticator app shows.',
  CODE_WRONG: () => 'That is not the current code. Is the time of the phone right?',
  CODE_NOT_BEGUN: () => 'Begin again: the key for the app is no longer valid.',
  LINK_USED: () =>
    'This link was used already, or is older than a day. Ask an administrator for a new one. The console prints the first link when it starts.',
  NAME_UNFIT: ({ fault }: Texts<'fault'>) => `The name ${fault}.`,
  NAME_TAKEN: ({ name }: Texts<'name'>) => `The name ${name} is used already. Choose a clearly different name.`,
  PERSON_SHUT_OUT: ({ name }: Texts<'name'>) => `The account of ${name} is closed. Open it again first.`,
  PERSON_MOVED: ({ name }: Texts<'name'>) =>
    `Another administrator changed the account of ${name} first. Nothing was done. Load the page again, then decide.`,
  OWN_RIGHTS: () => 'You cannot change that for yourself. Ask another administrator.',
  OWN_LINK: () => 'Change your own password on the page of your account.',
  KEY_MISSING: () => 'You have no key yet: log out, and in again.',

  NOBODY_APPROVES: () => 'Nobody can approve yet: an administrator invites an approver, who then logs in once.',
  POLICY_MOVED: () =>
    'Another administrator changed the policy first, so it was not saved. Load the page again, then make your change.',
  POLICY_OF_MACHINE: ({ path }: Texts<'path'>) => `The policy is the file ${path}, which is changed on the machine.`,
  /** `currencies` need no approval up to a threshold. `usually` is true if other amounts need none either. */
  PAID_ALONE: ({ usually, currencies }: { readonly usually: boolean; readonly currencies: readonly string[] }) => {
    const what = [
      ...(usually ? ['amounts without a threshold'] : []),
      ...currencies.map((currency) => `${currency} up to its first threshold`),
    ];
    return `No approval is needed for ${what.join(', ')}: a preparer pays alone.`;
  },
  LEDGER_OPEN: ({ path, entries }: { readonly path: string; readonly entries: number }) =>
    `${path}, ${counted(entries, 'entry', 'entries')} in its trail`,
  DISK_HAS_ROOM: () => 'There is room for the next batch.',
  SERVICE_ANSWERS: ({ service }: Texts<'service'>) => `${service} answers, and accepts the API key and its secret.`,
  /** `usually` is null if the policy is the machine's file, which is too long for one line. */
  APPROVALS_BY_POLICY: (facts: {
    readonly path: string;
    readonly usually: number | null;
    readonly hasThresholds: boolean;
  }) => {
    const asks =
      facts.usually === null
        ? ''
        : `: ${counted(facts.usually, 'approval')} ${facts.hasThresholds ? 'where nothing else is set for the amount' : 'for every plan'}`;
    return `The file ${facts.path} says how many approvals a plan needs${asks}.`;
  },
  ADMINISTRATORS: ({ count }: { readonly count: number }) =>
    count > 1
      ? `${grouped(count)} can log in.`
      : 'Only one administrator can log in. Invite a second one, who can help if the first one cannot log in.',
};
