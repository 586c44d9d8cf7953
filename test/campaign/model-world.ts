/** What the reference model knows: the ledgers, with their batches, versions and rows. */
import type { Place, SheetOrder } from './commands.ts';
import { refuse } from './refuse.ts';
import type { Content, Line } from './sheet.ts';
import type { Shown } from './shown.ts';
import { type RowFacts, type Standing, standingOf } from './tables.ts';

/** A row with two payments stops the sending of all batches of its ledger. */
export const isAlarm = ({ state, isKnown }: Pick<Row, 'state' | 'isKnown'>): boolean =>
  !isKnown && state.startsWith('duplicate');

/** The judge sets the facts, the attempts and the times after each command, because the service decides about them. */
export interface Row extends RowFacts {
  readonly key: string;
  content: Content;
  /** The contents that newer versions replaced. */
  readonly past: string[];
  closed: RowFacts['closed'];
  state: RowFacts['state'];
  revision: number;
  /** How many payments the reason of its hold names. */
  named: number;
  sentAt: number | null;
  /** When the service paid it, else when it was sent. */
  paidAt: number | null;
  submittedAt: number | null;
  /** The version that brought this content. */
  version: number;
  /** The payments that a person's word covers. */
  readonly cleared: string[];
  /** The payments for which it was held. Some may have expired since. */
  readonly heldBy: string[];
  /** True if a person said that the row is no repeat. */
  isAllowed: boolean;
  /** True if its line has a mistake. A payment that a scan finds for such a row does not show its content. */
  isMistaken: boolean;
  /** When a file last said that the row is paid; null after a later file that does not say so. */
  claimedAt: number | null;
  /** True if a person knows of its two payments. */
  isKnown: boolean;
  /** The payments of the row that expired. */
  readonly expired: string[];
  /** True if the service now says that one of them lives. */
  isAlive: boolean;
}

export interface Version {
  at: number;
  /** The lines of the file, and the rows that the version has: with `--add`, also those of the version before. */
  readonly lines: readonly Line[];
  readonly head: readonly string[];
  readonly plan: number | null;
  /** The people who approved its plan; null if no policy asked for approvals. */
  readonly approvers: readonly string[] | null;
}

export interface Batch {
  readonly name: string;
  readonly versions: Version[];
  readonly rows: Record<string, Row>;
  /** True if only a person may continue the batch. The judge sets it after each command. */
  isStopped: boolean;
  /** How many people approved the first version. No later version has fewer. */
  signedFirst: number;
}

export interface Plan {
  readonly order: SheetOrder & { readonly again: boolean };
  readonly base: number;
  readonly shown: Shown;
  readonly at: number;
  /** True after a person declined or withdrew it. */
  readonly isEnded: boolean;
  /** The people whose approvals count. */
  readonly approvers: readonly string[];
}

export interface LedgerWorld {
  readonly batches: Record<string, Batch>;
  /** The paused batches; an empty name for the pause of all. */
  readonly pauses: string[];
  /** The number of the plan that waits for each batch. */
  readonly proposals: Record<string, number>;
  /** True after a command found a policy. Without that policy, Payrun then sends nothing. */
  isPolicyKnown: boolean;
}

export interface World {
  now: number;
  readonly ledgers: readonly LedgerWorld[];
  readonly plans: Record<number, Plan>;
  /** How many approvals a plan needs; 0 without a policy. */
  needed: number;
}

const newLedger = (): LedgerWorld => ({ batches: {}, pauses: [], proposals: {}, isPolicyKnown: false });
export const newWorld = (): World => ({ now: 0, ledgers: [newLedger(), newLedger()], plans: {}, needed: 0 });

export const batchOf = (world: World, { ledger, batch }: Place): Batch =>
  world.ledgers[ledger]!.batches[batch] ?? refuse('BATCH_UNKNOWN');
export const headOf = ({ versions }: Batch): Version | null => versions.at(-1) ?? null;
export const isInHead = (batch: Batch, key: string): boolean => headOf(batch)?.head.includes(key) ?? false;
export const isHeld = ({ pauses, proposals }: LedgerWorld, batch: string): boolean =>
  pauses.includes(batch) || pauses.includes('') || proposals[batch] !== undefined;
export const standingIn = (batch: Batch, row: Row): Standing => standingOf(row, isInHead(batch, row.key));
