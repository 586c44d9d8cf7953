/** The commands of a list, as data: a list that fails can be printed, shrunk and given again. */
import type { PaymentFate } from '../simulation/story.ts';
import { type Line, lineWords } from './sheet.ts';

/** The accident of a command's process. A number counts the steps before it. */
export interface Trouble {
  readonly dies?: number;
  readonly stops?: number;
  /** Another process stops the batch at this step. */
  readonly halts?: number;
  /** Ben declines the command's plan at this step, if it waits. */
  readonly declines?: number;
  /** The fates of the payments that the command asks for, in turn. */
  readonly fates?: readonly PaymentFate[];
  /** The service makes no new payee while the command runs. */
  readonly payees?: 'fail';
}

/** Several ledgers may send the same batch. */
export interface Place {
  readonly ledger: number;
  readonly batch: string;
}

export interface SheetOrder extends Place {
  readonly lines: readonly Line[];
  readonly add: boolean;
  readonly drop: boolean;
  /** True to leave out lines with mistakes. */
  readonly skips: boolean;
}

/** Ann makes the plans. */
export type Approver = 'ann' | 'cara' | 'dan';

export type Decision = 'drop' | 'reopen' | 'not-a-repeat' | 'not-paid' | 'paid' | 'known';

export type Command =
  /** `stale`: the hot folder took the sheet before the batch had a version. `key`: another API key than that of the batch. */
  | (SheetOrder &
      Trouble & { readonly do: 'run'; readonly confirms: boolean; readonly stale?: true; readonly key?: 'other' })
  /** `again`: the plan sends all unpaid rows of the sheet again. */
  | (SheetOrder & { readonly do: 'plan'; readonly again: boolean })
  /** `amid`: another process resumes the batch, and the plan is proposed at this step of it. The fates are for its payments. */
  | (SheetOrder & Pick<Trouble, 'fates'> & { readonly do: 'propose'; readonly again: boolean; readonly amid?: number })
  /** Ben declines what Ann proposed, and she withdraws it. */
  | (Place & { readonly do: 'decline' | 'withdraw' })
  /** `all`: the pause of all batches. */
  /** The button Stop, while nothing runs. `continue`: the hot folder resumes the batch. */
  | (Place & { readonly do: 'stop' })
  | (Place & Trouble & { readonly do: 'continue' })
  | (Place & { readonly do: 'pause' | 'end pause'; readonly all: boolean })
  /** `by`: an approver who pays. */
  | (Trouble & { readonly do: 'run plan'; readonly plan: number; readonly by?: Approver })
  /** `key`: another API key than that of the batch. */
  | (Place & Trouble & { readonly do: 'resume'; readonly by?: Approver; readonly key?: 'other' })
  | (Place & Trouble & { readonly do: 'retry' | 'reconcile' })
  /** `by`: who signs under a policy. Cara signs if it is not set. */
  | (Place & { readonly do: 'release-absent'; readonly by?: Approver })
  | (Place & { readonly do: Decision; readonly key: string; readonly by?: Approver })
  /** From now on, a policy asks so many approvals of each plan, on both ledgers. 0: nobody finds the policy any more. */
  | { readonly do: 'policy'; readonly needed: 0 | 1 | 2 }
  | { readonly do: 'approve'; readonly plan: number; readonly by: Approver }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'expire' | 'settle' }
  | { readonly do: 'revive'; readonly payment: number }
  | (Place & { readonly do: 'restart' });

const troubleWords = ({ dies, stops, halts, declines, fates = [], payees }: Trouble): readonly string[] => [
  ...(dies === undefined ? [] : [`dies at step ${dies}`]),
  ...(stops === undefined ? [] : [`Ctrl-C at step ${stops}`]),
  ...(halts === undefined ? [] : [`Stop at step ${halts}`]),
  ...(declines === undefined ? [] : [`decline at step ${declines}`]),
  ...(fates.length === 0 ? [] : [`payments: ${fates.join(', ')}`]),
  ...(payees === undefined ? [] : ['no payee is made']),
];

const signerWords = ({ by }: { readonly by?: Approver }) => (by === undefined ? [] : [`signed by ${by}`]);
const payerWords = ({ by }: { readonly by?: Approver }) => (by === undefined ? [] : [`by ${by}`]);
const flag = (isSet: boolean, word: string) => (isSet ? [word] : []);

const sheetWords = ({ lines, add, drop, skips }: SheetOrder) => [
  `{${lines.map(lineWords).join('; ')}}`,
  ...flag(add, '--add'),
  ...flag(drop, '--drop'),
  ...flag(skips, '--skip-invalid'),
];

export function commandWords(command: Command): string {
  const place = 'batch' in command ? [command.batch, ...flag(command.ledger > 0, '(ledger B)')] : [];
  switch (command.do) {
    case 'run':
      return [
        'run',
        ...place,
        ...sheetWords(command),
        ...flag(command.confirms, '--confirm-repeat'),
        ...flag(command.stale === true, 'taken long ago'),
        ...flag(command.key === 'other', 'with another key'),
        ...troubleWords(command),
      ].join(' ');
    case 'plan':
      return [command.do, ...place, ...sheetWords(command), ...flag(command.again, '--retry')].join(' ');
    case 'propose':
      return [
        command.do,
        ...place,
        ...sheetWords(command),
        ...flag(command.again, '--retry'),
        ...(command.amid === undefined ? [] : [`at step ${command.amid} of a resume`]),
        ...troubleWords(command),
      ].join(' ');
    case 'run plan':
      return [`run plan ${command.plan}`, ...payerWords(command), ...troubleWords(command)].join(' ');
    case 'policy':
      return `a policy asks for ${command.needed} approvals`;
    case 'approve':
      return `${command.by} approves plan ${command.plan}`;
    case 'wait':
      return `${command.minutes} minutes pass`;
    case 'expire':
      return 'payments expire from now on';
    case 'settle':
      return 'payments succeed from now on';
    case 'revive':
      return `expired payment ${command.payment} comes alive`;
    case 'resume':
      return [
        'resume',
        ...place,
        ...payerWords(command),
        ...flag(command.key === 'other', 'with another key'),
        ...troubleWords(command),
      ].join(' ');
    case 'continue':
    case 'retry':
    case 'reconcile':
      return [command.do, ...place, ...troubleWords(command)].join(' ');
    case 'release-absent':
      return [command.do, ...place, ...signerWords(command)].join(' ');
    case 'restart':
    case 'stop':
    case 'decline':
    case 'withdraw':
      return [command.do, ...place].join(' ');
    case 'pause':
    case 'end pause':
      return [command.do, ...(command.all ? ['of all'] : place)].join(' ');
    case 'drop':
    case 'reopen':
    case 'not-a-repeat':
    case 'not-paid':
    case 'paid':
    case 'known':
      return [command.do, ...place, command.key, ...signerWords(command)].join(' ');
  }
}
