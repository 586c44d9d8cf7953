/**
 * What fast-check needs to think of commands: how small the world is that it believes in (which rows are wanted, and
 * what was told of each), and the real one beside it: a desk with a ledger, the pipeline, and a service on virtual time.
 */
import { writeFileSync } from 'node:fs';
import { type Desk, type Ending, type LedgerCopy, newDesk } from '../simulation/desk.ts';
import type { SheetRow } from '../simulation/parameters.ts';
import { sheetText } from '../simulation/sheet.ts';
import { newStory, type Story, type Tamper } from '../simulation/story.ts';
import { openWorld, type World } from '../simulation/world.ts';
import { machineless, type Setup } from './setup.ts';

export interface Model {
  /** Every row that any sheet ever had, and how it stands there now. */
  readonly rows: WantedRow[];
  /** What the last command said of each row of the batch, by the row's key; null before one said anything. */
  told: ReadonlyMap<string, string> | null;
  /** Rows that the ledger took in for certain. */
  readonly taken: Set<number>;
  copies: number;
}

export interface WantedRow {
  inSheet: boolean;
  corrections: number;
  /** It was corrected once, whether or not the old values were put back. */
  touched: boolean;
}

export const keyOf = (index: number): string => `k${index + 1}`;
export const indexOf = (key: string): number => Number(key.slice(1)) - 1;

export interface Real {
  readonly story: Story;
  readonly world: World;
  readonly desk: Desk;
  /** The same list as the story's parameters have. */
  readonly rows: SheetRow[];
  copy: LedgerCopy | null;
  /** What each process was given: what it may send follows from that. */
  readonly orders: Map<string, Order>;
  /** The rows of the sheet that the ledger took in last; null where a death leaves that open. */
  newest: ReadonlySet<number> | null;
  /** How many rows may be paid twice after all: a ledger was lost with its witness while requests were under way. */
  allowed: number;
  /** Each command, and how it ended: `run told`, `retry refused`. */
  readonly done: string[];
}

/** What a process may send: these rows, as the sheet had them. */
export interface Order {
  readonly rows: ReadonlySet<number> | null;
  /** The reference of each row as it was sent or may be. */
  readonly references: ReadonlyMap<number, string> | null;
}

export function begin(setup: Setup, folder: string, tamper: Tamper | null): { model: Model; real: Real } {
  const rows: SheetRow[] = setup.rows.map((row, index) => sheetRow(index, row));
  const story = newStory(machineless(setup, rows), tamper);
  const world = openWorld(story);
  const desk = newDesk(story, folder, 'ann');
  return {
    model: {
      rows: rows.map(() => ({ inSheet: true, corrections: 0, touched: false })),
      told: null,
      taken: new Set(),
      copies: 0,
    },
    real: { story, world, desk, rows, copy: null, orders: new Map(), newest: null, allowed: 0, done: [] },
  };
}

export const sheetRow = (index: number, { payee, amount, bad }: NewRow): SheetRow => ({
  index,
  country: 'Kenya',
  payee,
  amount,
  fromCountry: null,
  document: false,
  bad,
});

export interface NewRow {
  readonly payee: number;
  readonly amount: number;
  /** The service refuses it until it is corrected. */
  readonly bad: boolean;
}

/** The sheet as the person has it now. */
export function saveSheet({ rows }: Model, { story, desk, rows: all }: Real): void {
  const { corrections } = desk;
  for (const [index, row] of rows.entries()) corrections.set(index, row.corrections);
  const shown = all.filter(({ index }) => rows[index]?.inSheet);
  writeFileSync(desk.sheet, sheetText({ ...story.parameters, rows: shown }, corrections));
}

export const toldOf = (ending: Ending): ReadonlyMap<string, string> | null =>
  ending.kind === 'told' ? new Map(ending.lines.map(({ key, status }) => [key, status])) : null;
