/** The table of duplicates, with a copy of its own: each cell is planned through a console's routes, and run at a terminal. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Upload } from '../../src/console/api.ts';
import { type Office, openOffice, planFileOf } from '../console/office.ts';
import type { Fault, Independent } from '../independent/service.ts';
import { daysAgo } from '../protocol/desk.ts';
import { command, csvOf, type Desk, deskFor, newService, type SheetRow, southAfrican } from '../support.ts';
import { planOf, uploaded, withdrawn } from './at-console.ts';
import { keeping } from './row-in-state.ts';

const row: SheetRow = { ...southAfrican, row_id: 'x' };
const base: SheetRow = { ...row, row_id: 'b', name: 'Ana Base', account_number: '10004291628', reference: 'Base' };
/** `same` writes the reference in another way. Each near payment differs in one value, and `two` in two. */
const likes = {
  equal: row,
  same: { ...row, reference: 'SALARYnov' },
  amount: { ...row, amount: '2600' },
  account: { ...row, account_number: '10004291644' },
  reference: { ...row, reference: 'INV 999' },
  two: { ...row, amount: '2600', account_number: '10004291644' },
} as const satisfies Record<string, SheetRow>;
type Like = keyof typeof likes;
const near = ['amount', 'account', 'reference'] as const;

interface At {
  readonly service: Independent;
  readonly desk: Desk;
}

const rejected: Fault = { kind: 'answer', status: 429, headers: { 'retry-after': '0' } };
const posts = (fault: Fault) => (call: { readonly route: string }) =>
  call.route === 'POST /payments' ? fault : undefined;

async function run({ desk }: At, batch: string, sheet: readonly SheetRow[], ...flags: string[]) {
  writeFileSync(desk.sheet, csvOf(sheet));
  return await command(desk, [
    'run',
    desk.sheet,
    '--batch',
    batch,
    '--json',
    ...(flags.includes('--wait') ? [] : ['--wait', '0']),
    ...flags,
  ]);
}

/** Until the payments have ended. */
const paid = async (at: At, batch: string, sheet: readonly SheetRow[]) => await run(at, batch, sheet, '--wait', '20s');

async function failing(at: At, fault: Fault, ...given: [batch: string, sheet: readonly SheetRow[]]) {
  at.service.fault = posts(fault);
  await run(at, ...given);
  at.service.fault = () => undefined;
}

/** The other payment: how it came to be, and the sheet and the options with which the like row then comes. */
interface Other {
  readonly made: (at: At) => Promise<unknown>;
  readonly sheet?: (like: SheetRow) => readonly SheetRow[];
  readonly add?: boolean;
  /** The console sees no list of the service before a batch is paid. */
  readonly isScanned?: boolean;
  /** The sheet has the rows of the newest version. A plan that only holds them opens no version. */
  readonly isHead?: boolean;
}

const inOctober = async (at: At) => await paid(at, 'oct', [row]);

/** The ledger knows the merchant that is paid by hand, because another row waits to pay this merchant. */
async function byHand(at: At) {
  await failing(at, rejected, 'oct', [{ ...row, amount: '70', reference: 'Other' }]);
  await paid(at, 'sep', [base]);
  const merchants = [...at.service.merchants.values()];
  const merchantId = merchants.find(({ accountNumber }) => accountNumber === row.account_number)!.id;
  const made = { ...at.service.payments.at(-1)!, merchantId, reference: 'Salary Nov' };
  at.service.payments.push({ ...made, id: randomUUID(), tag: 'by hand' });
}

function sentMeanwhile(like: SheetRow, send: (at: At) => Promise<unknown> = inOctober): Other {
  const waiting = [{ ...like, row_id: 'z' }];
  return {
    async made(at) {
      await failing(at, rejected, 'nov', waiting);
      await send(at);
    },
    sheet: () => waiting,
    isHead: true,
  };
}

const withId = (like: SheetRow): SheetRow => ({ ...like, row_id: 'y' });
const others = {
  'of another batch, paid': { made: inOctober },
  'of another batch, in doubt': { made: async (at) => await failing(at, { kind: 'drop' }, 'oct', [row]) },
  'of another batch, waiting': { made: async (at) => await failing(at, rejected, 'oct', [row]) },
  'of another batch, refused': {
    made: async (at) => await failing(at, { kind: 'answer', status: 422, body: { message: 'no' } }, 'oct', [row]),
  },
  'of another batch, closed by a person': {
    async made(at) {
      await failing(at, rejected, 'oct', [row]);
      await command(at.desk, ['drop', 'oct', '--row', 'x', '--reason', 'Paid by hand']);
    },
  },
  'of this batch, which the sheet lacks': {
    made: async (at) => await paid(at, 'nov', [base, row]),
    sheet: (like) => [base, withId(like)],
    add: true,
  },
  'of this batch, which the sheet has': {
    made: async (at) => await paid(at, 'nov', [base, row]),
    sheet: (like) => [base, row, withId(like)],
    add: true,
  },
  'of this batch, waiting, which the sheet has': {
    made: async (at) => await failing(at, rejected, 'nov', [base, row]),
    sheet: (like) => [base, row, withId(like)],
    add: true,
  },
  'of this batch, waiting, beside which the sheet adds': {
    made: async (at) => await failing(at, rejected, 'nov', [base, row]),
    sheet: (like) => [withId(like)],
    add: true,
  },
  'of this batch, waiting, which the sheet replaces': {
    made: async (at) => await failing(at, rejected, 'nov', [base, row]),
    sheet: (like) => [base, withId(like)],
  },
  'of this batch, closed by a person': {
    async made(at) {
      await failing(at, rejected, 'nov', [base, row]);
      await run(at, 'nov', [base], '--add');
      await command(at.desk, ['drop', 'nov', '--row', 'x', '--reason', 'Paid by hand']);
    },
    sheet: (like) => [base, withId(like)],
    add: true,
  },
  'that somebody made by hand': { made: byHand, isScanned: true },
  'made by hand to another account while the row waited': {
    ...sentMeanwhile(likes.account, byHand),
    isScanned: true,
  },
  'made by hand with another reference while the row waited': {
    ...sentMeanwhile(likes.reference, byHand),
    isScanned: true,
  },
  'sent while the row waited': sentMeanwhile(likes.same),
  'nearly the same, sent while the row waited': sentMeanwhile(likes.amount),
  'of the same version, with ids': { made: async () => {}, sheet: (like) => [row, withId(like)] },
  'of the same version, one of the two without an id': {
    made: async () => {},
    sheet: (like) => [row, { ...like, row_id: '' }],
  },
  'of the same version, without ids': {
    made: async () => {},
    sheet: (like) => [row, like].map((one) => ({ ...one, row_id: '' })),
  },
} as const satisfies Record<string, Other>;

type Cell = readonly [like: Like, days: number, decision: 'hold' | 'warning' | 'error' | 'none'];
const nearly = (days: number, decision: Cell[2]): Cell[] => near.map((like) => [like, days, decision]);

const table: Readonly<Record<keyof typeof others, readonly Cell[]>> = {
  'of another batch, paid': [
    ['two', 0, 'none'],
    ['same', 0, 'hold'],
    ['same', 34.9, 'hold'],
    ['same', 35.1, 'none'],
    ...nearly(4.9, 'warning'),
    ...nearly(5.1, 'none'),
  ],
  'of another batch, in doubt': [
    ['same', 0, 'hold'],
    ['same', 400, 'hold'],
    ['amount', 4.9, 'warning'],
    ['amount', 5.1, 'none'],
  ],
  'of another batch, waiting': [['same', 0, 'warning'], ['same', 400, 'warning'], ...nearly(400, 'warning')],
  'of another batch, refused': [
    ['same', 0, 'none'],
    ['amount', 0, 'none'],
  ],
  'of another batch, closed by a person': [
    ['same', 0, 'none'],
    ['amount', 0, 'none'],
  ],
  'of this batch, which the sheet lacks': [['same', 400, 'hold'], ...nearly(400, 'hold')],
  'of this batch, which the sheet has': [
    ['same', 400, 'hold'],
    ['amount', 4.9, 'warning'],
    ['amount', 5.1, 'none'],
  ],
  'of this batch, waiting, which the sheet has': [
    ['same', 0, 'hold'],
    ['reference', 0, 'warning'],
    ['amount', 0, 'none'],
    ['account', 0, 'none'],
  ],
  'of this batch, waiting, beside which the sheet adds': [['same', 0, 'hold'], ...nearly(0, 'none')],
  'of this batch, waiting, which the sheet replaces': [['same', 0, 'none']],
  'of this batch, closed by a person': [['same', 400, 'hold'], ...nearly(400, 'hold')],
  'that somebody made by hand': [
    ['two', 0, 'none'],
    ['same', 34.9, 'hold'],
    ['same', 35.1, 'none'],
    ...nearly(4.9, 'warning'),
    ...nearly(5.1, 'none'),
  ],
  'made by hand to another account while the row waited': [
    ['account', 34.9, 'hold'],
    ['account', 35.1, 'none'],
  ],
  'made by hand with another reference while the row waited': [
    ['reference', 34.9, 'hold'],
    ['reference', 35.1, 'none'],
  ],
  'sent while the row waited': [
    ['same', 34.9, 'hold'],
    ['same', 35.1, 'none'],
  ],
  'nearly the same, sent while the row waited': [
    ['amount', 34.9, 'hold'],
    ['amount', 35.1, 'none'],
  ],
  'of the same version, with ids': [
    ['equal', 0, 'warning'],
    ['same', 0, 'warning'],
    ['reference', 0, 'warning'],
    ['amount', 0, 'none'],
    ['account', 0, 'none'],
  ],
  'of the same version, one of the two without an id': [
    ['equal', 0, 'error'],
    ['same', 0, 'error'],
    ['reference', 0, 'warning'],
  ],
  'of the same version, without ids': [
    ['equal', 0, 'error'],
    ['same', 0, 'error'],
    ['reference', 0, 'warning'],
  ],
};

type Warning = { readonly code: string; readonly facts?: { readonly effect?: string } };

function decisionOf(warnings: readonly Warning[]): Cell[2] {
  const alike = warnings.filter(({ code }) => ['LOOKS_PAID', 'LOOKS_WAITING', 'ROW_ALIKE'].includes(code));
  if (alike.some(({ facts }) => facts?.effect === 'holds')) return 'hold';
  return alike.length > 0 ? 'warning' : 'none';
}

/** True if a row is held for another reason than its payee's other account. */
async function holdsMatch({ desk }: At): Promise<boolean> {
  const { out } = await command(desk, ['list', 'nov', '--json']);
  const { rows } = JSON.parse(out) as { rows: { status: string; reasons: { kind: string }[] }[] };
  return rows.some(
    ({ status, reasons }) => status === 'held' && reasons.some(({ kind }) => kind !== 'account-changed'),
  );
}

async function atTerminal(at: At, sheet: readonly SheetRow[], flags: readonly string[]) {
  const ran = await run(at, 'nov', sheet, ...flags);
  const {
    rows,
    problems = [],
    notes,
  } = JSON.parse(ran.out) as {
    rows: { held: number };
    problems?: Warning[];
    notes?: { note: string }[];
  };
  if (ran.exit === 20) return 'error';
  if (rows.held > 0 && (await holdsMatch(at))) return 'hold';
  return notes?.some(({ note }) => note === 'near-payments-seen') === true ? 'warning' : decisionOf(problems);
}

async function planEnd(office: Office, sheet: Upload, choices: string) {
  if (sheet.state === 'to_fix') return { upload: sheet, end: 'error' };
  const { upload, code } = await planOf(office, sheet, choices);
  if (code !== 'plan') return { upload, end: code };
  const end = decisionOf(planFileOf(office, upload.id).warnings as Warning[]);
  return { ...(await withdrawn(office, upload.id)), end };
}

/** Plans the cells from the newest payment to the oldest: meanwhile the ledger grows older. */
async function inPlans({ service, desk }: At, other: Other, cells: readonly Cell[]): Promise<unknown[]> {
  const office = await openOffice(desk.folder, desk.env);
  const uploads = new Map<Like, Upload>();
  const ends = new Map<Cell, unknown>();
  let age = 0;
  for (const cell of cells.toSorted(([, a], [, b]) => a - b)) {
    const [like, days] = cell;
    if (days > age) await daysAgo(service, [desk], days - age);
    age = days;
    const sheet = uploads.get(like) ?? (await uploaded(office, sheetOf(other, like)));
    const { upload, end } = await planEnd(office, sheet, other.add === true ? 'add' : '');
    uploads.set(like, upload);
    ends.set(cell, end);
  }
  await office.close();
  return cells.map((cell) => ends.get(cell));
}

const sheetOf = (other: Other, like: Like) => (other.sheet ?? ((one: SheetRow) => [one]))(likes[like]);

it.each(Object.entries(others) as [keyof typeof others, Other][])('a payment %s', async (name, other) => {
  const service = await newService();
  const desk = deskFor(service, [], { PAYRUN_DOUBT_HORIZON: '10m', PAYRUN_HTTP_TIMEOUT: '2500ms' });
  const at = { service, desk };
  await other.made(at);
  const { restore } = keeping(service, desk);
  const cells: readonly Cell[] = table[name];
  const plans = await inPlans(at, other, cells);
  const ends: unknown[] = [];
  for (const [index, [like, days]] of cells.entries()) {
    restore();
    if (days > 0) await daysAgo(service, [desk], days);
    const end = await atTerminal(at, sheetOf(other, like), other.add === true ? ['--add'] : []);
    ends.push([like, days, end, plans[index]]);
  }
  const planned = (decision: Cell[2]) => {
    if (other.isScanned === true) return 'none';
    return other.isHead === true && decision === 'hold' ? 'NOTHING_TO_SEND' : decision;
  };
  expect(ends).toEqual(cells.map(([like, days, decision]) => [like, days, decision, planned(decision)]));
});
