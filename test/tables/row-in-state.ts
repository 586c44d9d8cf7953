/** Batches for the table of versions. The second row of a batch is in the state that a test asks for. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { RowState } from '../../src/domain/rows/row-states.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import type { Call, Fault, Independent } from '../independent/service.ts';
import { command, csvOf, type Desk, deskFor, kenyanRows, newService, type Ran, type SheetRow } from '../support.ts';
import { document, documentName } from './at-console.ts';

const [first, second, third] = kenyanRows(3, 3) as [SheetRow, SheetRow, SheetRow];

/**
 * The columns of the table: what a sheet has in the place of the second row, or beside it. `name`: the same money for
 * another name. `document`: the same row with a document.
 */
export const sheets = {
  same: [first, second],
  other: [first, { ...second, amount: '999' }],
  name: [first, { ...second, name: 'Payee Two' }],
  mistake: [first, { ...second, amount: 'many' }],
  missing: [first],
  new: [first, second, third],
  document: [first, { ...second, documents: documentName }],
} as const;
export type Line = keyof typeof sheets;

const merchants = ({ route }: Call) => route === 'GET /merchants';
const secondPayment = ({ route, body }: Call) => route === 'POST /payments' && body.reference === 'Ref 2';
const lost: Way = { fault: { kind: 'drop' } };

/** How a batch reaches its start: the first fault of the service, then moves of the ledger or a command. */
interface Way {
  readonly fault?: Fault;
  readonly moves?: readonly RowState[];
  readonly next?: readonly string[];
  readonly sheet?: Line;
  /** The sheet of a newer version, which drops the row or changes it. */
  readonly newer?: Line;
}

const waits: Way = { fault: { kind: 'answer', status: 429, headers: { 'retry-after': '0' } } };
const settled = ['resume', 'nov', '--wait', '20s'];
const dropped = ['drop', 'nov', '--row', 'k2', '--reason', 'Paid by hand'];
const refused: Way = { fault: { kind: 'answer', status: 422, body: { message: 'no' } } };

const ways = {
  sending: { ...waits, moves: ['sending'] },
  'in doubt': lost,
  absent: { ...lost, moves: ['absent'] },
  'held after an intent': { ...lost, moves: ['held'] },
  accepted: {},
  succeeded: { next: settled },
  'two payments': { moves: ['duplicate'] },
  refused,
  expired: { next: settled },
  planned: {},
  ready: waits,
  held: {},
  invalid: { sheet: 'mistake' },
  closed: { ...waits, next: dropped },
  'closed after a refusal': { ...refused, next: dropped },
  'closed after a doubt': { ...lost, moves: ['absent'], next: dropped },
  'dropped by a sheet': { ...waits, newer: 'missing' },
  'changed by a sheet': { ...waits, newer: 'other' },
  'changed after a refusal': { ...refused, newer: 'other' },
} as const satisfies Record<string, Way>;
export type StartState = keyof typeof ways;

export interface Started {
  readonly desk: Desk;
  run(sheet: readonly SheetRow[], ...flags: string[]): Promise<Ran>;
  plan(sheet: readonly SheetRow[]): Promise<Ran>;
  /** Returns the words of the rows after the first one; 999 is the other amount. */
  words(): Promise<string>;
  /** True after a document went to the service. */
  hasUploads(): boolean;
  /** Puts the ledger and the service back to the start. */
  restore(): void;
}

/** `hasSent`: the first row was sent. */
export async function start(state: StartState, { hasSent }: { readonly hasSent: boolean }): Promise<Started> {
  const service = await newService({ expires: new Set(state === 'expired' ? ['Ref 2'] : []) });
  const desk = deskFor(service, sheets.same, { PAYRUN_DOUBT_HORIZON: '10m', PAYRUN_HTTP_TIMEOUT: '2500ms' });
  const way: Way = ways[state];
  const run = async (sheet: readonly SheetRow[], ...flags: string[]) => {
    writeFileSync(desk.sheet, csvOf(sheet));
    const batch = flags.includes('--batch') ? [] : ['--batch', 'nov'];
    const named = [...batch, '--wait', '0', '--concurrency', '1', '--skip-invalid', '--json'];
    return await command(desk, ['run', desk.sheet, ...named, ...flags]);
  };
  if (state === 'held') {
    writeFileSync(desk.sheet, csvOf([{ ...second, row_id: 'other' }]));
    await command(desk, ['run', desk.sheet, '--batch', 'oct', '--wait', '0']);
  }
  if (state === 'planned' && hasSent) await run(sheets.missing);
  const isUnsent = !hasSent || state === 'planned';
  const unsent: Fault = { kind: 'answer', status: 400 };
  service.fault = (call) => (isUnsent ? merchants(call) && unsent : secondPayment(call) && way.fault) || undefined;
  await run(sheets[way.sheet ?? 'same'], ...(state === 'planned' && hasSent ? ['--add'] : []));
  if (way.newer !== undefined) await run(sheets[way.newer], '--drop');
  service.fault = () => undefined;
  if (way.moves !== undefined) await move(desk, way.moves);
  if (way.next !== undefined) await command(desk, way.next);
  writeFileSync(join(desk.folder, documentName), document);
  const plan = async (sheet: readonly SheetRow[]) => {
    writeFileSync(desk.sheet, csvOf(sheet));
    return await command(desk, ['plan', desk.sheet, '--batch', 'nov', '--json']);
  };
  return {
    desk,
    run,
    plan,
    ...keeping(service, desk),
    words: async () => await wordsOf(desk),
    hasUploads: () => service.uploads.length > 0,
  };
}

async function move(desk: Desk, states: readonly RowState[]): Promise<void> {
  const ledger = openLedger(desk.ledger, systemClock);
  await ledger.hold();
  // A row is sent only while its batch is going.
  await ledger.leads.goOn('nov', ledger.leads.of('nov').turn);
  for (const to of states) {
    const row = (await ledger.rows.rowByKey('nov', 'k2'))!;
    const sent = to === 'sending' ? { attempted: 1 as const, submittedAt: Date.now() } : {};
    await ledger.rows.move({ row, from: row.state, to, ...sent });
  }
  await ledger.close();
}

export async function wordsOf(desk: Pick<Desk, 'env' | 'folder'>): Promise<string> {
  const { out } = await command(desk, ['list', 'nov', '--json']);
  const { rows } = JSON.parse(out) as { rows: { key: string; status: string; amount: number }[] };
  const shown = rows.map(({ status, amount }) => (amount === 999 ? `${status} 999` : status));
  return shown.slice(1).join(', ');
}

const folders = ['state', 'data'];

/** Keeps the ledger and the service as they are now. */
export function keeping(service: Independent, desk: Desk): Pick<Started, 'restore'> {
  const kept = join(desk.folder, 'kept');
  mkdirSync(join(desk.folder, 'data'), { recursive: true });
  for (const name of folders) cpSync(join(desk.folder, name), join(kept, name), { recursive: true });
  const payments = structuredClone(service.payments);
  const known = [...service.merchants];
  return {
    restore() {
      for (const name of folders) rmSync(join(desk.folder, name), { recursive: true });
      cpSync(kept, desk.folder, { recursive: true });
      service.payments.splice(0, service.payments.length, ...structuredClone(payments));
      service.merchants.clear();
      for (const [id, one] of known) service.merchants.set(id, one);
    },
  };
}
