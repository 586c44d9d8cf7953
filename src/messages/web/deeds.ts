/** The sentences about actions of the console's people in the trail, by the code of each action. */
import { counted } from '../format/numbers.ts';
import type { Texts } from '../passage.ts';
import { accessMessages } from './access-messages.ts';

type OfFile = Texts<'file'>;
type Instead = OfFile & { readonly fixes: number; readonly documents: readonly string[] };
type OfPlan = Texts<'file' | 'batch' | 'plan'>;
type InBatch = Texts<'batch'>;
type Because = Texts<'reason'>;
type Named = Texts<'name'>;
type Alone = Parameters<typeof accessMessages.PAID_ALONE>[0];

const short = (digest: string) => `${digest.slice(0, 'sha256:'.length + 12)}…`;

const words = {
  'first-link-printed': () => 'The console printed a link for the first administrator.',
  joined: ({ role }: Texts<'role'>) => `joined, as ${role}`,
  'password-renewed': ({ role }: Texts<'role'>) => `set a new password by a link, as ${role}`,
  'logged-in': () => 'logged in',
  'login-refused': () => 'A login was refused.',
  'logged-out': () => 'logged out',
  'password-changed': () => 'changed the password',
  'codes-on': () => 'turned one-time codes on',
  'codes-off': () => 'turned one-time codes off',
  invited: ({ name, role }: Texts<'name' | 'role'>) => `invited ${name}, as ${role}`,
  'role-changed': ({ name, role }: Texts<'name' | 'role'>) => `made ${name} ${role}`,
  'let-in': ({ name }: Named) => `opened the account of ${name} again`,
  'shut-out': ({ name }: Named) => `closed the account of ${name}`,
  'link-made': ({ name }: Named) => `made a link for ${name}, to set a password with`,
  'policy-changed': ({ alone }: { readonly alone: Alone | null }) =>
    `changed how many approvals are needed${alone === null ? '' : `. ${accessMessages.PAID_ALONE(alone)}`}`,

  /** `fixes` counts the corrections that people made at the console in the replaced sheet. */
  uploaded: ({ file, instead = null }: OfFile & { readonly instead?: Instead | null }) =>
    instead === null
      ? `uploaded ${file}`
      : `uploaded ${file} in place of ${instead.file}${instead.fixes === 0 ? '' : `, after ${counted(instead.fixes, 'fix', 'fixes')} here`}${instead.documents.length === 0 ? '' : `, and kept ${counted(instead.documents.length, 'document')}`}`,
  discarded: ({ file }: OfFile) => `discarded ${file}`,
  /** `row` is null if several rows were fixed. */
  fixed: (facts: OfFile & Readonly<{ rows: number; row: number | null; header: string; from: string; to: string }>) =>
    `fixed ${facts.row === null ? counted(facts.rows, 'row') : `row ${facts.row}`}, ${facts.header.trim()} from '${facts.from}' to '${facts.to}' in ${facts.file}`,
  /** `column` is null for a single cell; `cells` is null for all of the column. */
  unfixed: (facts: Texts<'file' | 'cell'> & Readonly<{ column: string | null; cells: number | null }>) =>
    `took back the fix of ${facts.column === null ? facts.cell : `${facts.cells === null ? '' : `${counted(facts.cells, 'cell')} of `}column ${facts.column}`} in ${facts.file}`,
  'sheet-chosen': ({ file, sheetName }: Texts<'file' | 'sheetName'>) => `chose the sheet '${sheetName}' of ${file}`,
  'columns-matched': ({ file }: OfFile) => `matched the columns of ${file}`,
  'map-chosen': ({ file, map }: Texts<'file' | 'map'>) => `chose the map ${map} for ${file}`,
  'rows-chosen': ({ file }: OfFile) => `decided which rows of ${file} are paid`,
  'document-uploaded': ({ file, document }: Texts<'file' | 'document'>) =>
    `uploaded the document ${document} for ${file}`,
  'document-removed': ({ file, document }: Texts<'file' | 'document'>) => `removed the document ${document} of ${file}`,
  'document-downloaded': ({ file, document }: Texts<'file' | 'document'>) =>
    `downloaded the document ${document} of ${file}`,
  'checked-downloaded': ({ file }: OfFile) => `downloaded the checked workbook of ${file}`,

  'plan-asked': (facts: OfFile & InBatch & { readonly isRetry: boolean; readonly confirmRepeat?: string }) =>
    `asked for a plan of ${facts.file} for batch ${facts.batch}${facts.isRetry ? ', to send unpaid rows again' : ''}${facts.confirmRepeat === undefined ? '' : `, though rows may look sent already: ${facts.confirmRepeat}`}`,
  'plan-made': ({ file, batch, plan }: OfPlan) => `made a plan of ${file} for batch ${batch}, ${short(plan)}`,
  'plan-approved': ({ file, batch, plan, fingerprint }: OfPlan & { readonly fingerprint: string }) =>
    `approved the plan of ${file} for batch ${batch}, ${short(plan)} (key ${fingerprint})`,
  'plan-declined': ({ file, batch, plan, declined }: OfPlan & { readonly declined: string }) =>
    `declined the plan of ${file} for batch ${batch}, ${short(plan)}: ${declined}`,
  'plan-proposed': ({ file, batch }: OfFile & InBatch) => `held batch ${batch} for a plan of ${file}`,
  'plan-withdrawn': ({ file, batch, plan, declined }: OfPlan & { readonly declined: string }) =>
    `withdrew the plan of ${file} for batch ${batch}, ${short(plan)}: ${declined}`,
  'payment-begun': ({ file, batch, plan }: OfPlan) => `began to pay batch ${batch} from ${file}, ${short(plan)}`,

  released: ({ batch, row, reason }: Texts<'batch' | 'row' | 'reason'>) =>
    `released row ${row} of batch ${batch}: ${reason}`,
  resolved: ({ batch, row, paid, reason }: Texts<'batch' | 'row' | 'reason'> & { readonly paid: string | null }) =>
    `said of row ${row} of batch ${batch} ${paid === null ? 'that no payment pays it' : `that payment ${paid} pays it`}: ${reason}`,
  dropped: ({ batch, row, reason }: Texts<'batch' | 'row' | 'reason'>) =>
    `closed row ${row} of batch ${batch}, which is not to be paid: ${reason}`,
  reopened: ({ batch, row, reason }: Texts<'batch' | 'row' | 'reason'>) =>
    `opened row ${row} of batch ${batch} again: ${reason}`,
  'retry-asked': ({ batch, rows, reason }: InBatch & Because & { readonly rows: readonly string[] | null }) =>
    `asked to send ${rows === null ? 'the unpaid rows' : `rows ${rows.join(', ')}`} of batch ${batch} again: ${reason}`,
  resumed: ({ batch }: InBatch) => `continued batch ${batch}`,
  stopped: ({ batch }: InBatch) => `stopped batch ${batch}`,
  reconciled: ({ batch }: InBatch) => `searched for the rows in doubt of batch ${batch}`,
  'result-downloaded': ({ batch }: InBatch) => `downloaded the result of batch ${batch}`,
  'report-downloaded': ({ batch }: InBatch) => `downloaded the report of batch ${batch}`,
  'evidence-downloaded': ({ batch, evidence }: Texts<'batch' | 'evidence'>) =>
    `downloaded the evidence of batch ${batch}, SHA-256 ${evidence}`,
};

type Words = typeof words;
export type DeedCode = keyof Words;
export type DeedFacts<C extends DeedCode> =
  Parameters<Words[C]> extends [infer F] ? F & Readonly<Record<string, unknown>> : Readonly<Record<string, unknown>>;

export interface Deed<C extends DeedCode = DeedCode> {
  readonly did: C;
  readonly data: Readonly<Record<string, unknown>>;
}

export const deedOf = <C extends DeedCode>(did: C, data: DeedFacts<C>): Deed<C> => ({ did, data });

export const deedWords = (did: DeedCode, data: Readonly<Record<string, unknown>>): string =>
  (words[did] as (facts: unknown) => string)(data);

export const isDeed = (did: unknown): did is DeedCode => typeof did === 'string' && did in words;
