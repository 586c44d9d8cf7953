/** The table of versions, with a copy of its own: each cell is planned through a console's routes, and run at a terminal. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Review, Upload } from '../../src/console/api.ts';
import { type Office, openOffice } from '../console/office.ts';
import { type Ran, resultOf } from '../support.ts';
import { paid, planOf, uploaded, withdrawn } from './at-console.ts';
import { type Line, type StartState, sheets, start } from './row-in-state.ts';

/**
 * A cell: what the sheet has, the choices of the person, the end of the run, the end of the plan, and the end of the paid plan. A run
 * ends with a refusal, or with the words of the rows after the first one; `named` if a note names the row. A plan ends with a refusal,
 * or with what it shows of these rows. `=`: the plan is refused with the code of the run.
 */
type Cell = readonly [line: Line, choices: '' | 'add' | 'drop' | 'add drop', run: string, plan: string, paid?: string];

const nothing = 'NOTHING_TO_SEND';

interface Beside {
  /** The end of the row with a document. Only a row whose payment is known gets it. */
  readonly attached?: string;
  readonly documentPaid?: [string] | [];
  /** The end of another row. Two payments of one row are an alarm. */
  readonly added?: string;
  readonly held?: string;
}

const mayBePaid = (
  word: string,
  { attached = word, documentPaid = [], added = 'pending', held = '' }: Beside = {},
): readonly Cell[] => [
  ['same', '', word, nothing],
  ['document', '', attached, held === '' ? 'sends nothing' : 'holds', ...documentPaid],
  ['other', '', 'SENT_ROWS_CHANGED', '='],
  ['other', 'add drop', 'SENT_ROWS_CHANGED', '='],
  ['name', '', `${word} named`, nothing],
  ['name', 'add', `${word} named`, nothing],
  ['mistake', '', 'SENT_ROWS_CHANGED', '='],
  ['missing', '', `${word} named`, nothing],
  ['missing', 'drop', `${word} named`, nothing],
  ['new', '', 'ROWS_ADDED', '='],
  ['new', 'drop', 'ROWS_ADDED', '='],
  ['new', 'add', `${word}, ${added}`, `sends 102${held}`],
];

/** `same`: the end of the run of the unchanged row. `kept`: the plan if the row stays as it is. */
const open = (same: string, kept: string, other = 'sends 999, changes'): readonly Cell[] => [
  ['same', '', same, kept],
  ['other', '', 'pending 999', other],
  ['other', 'add', 'ADDITION_CHANGES_ROWS', '='],
  ['other', 'add drop', 'pending 999', other],
  ['missing', '', 'ROWS_DROPPED', '='],
  ['missing', 'drop', 'closed named', 'drops'],
  ['new', '', 'ROWS_ADDED', '='],
  ['new', 'drop', 'ROWS_ADDED', '='],
];
const renamed = (run = 'pending', plan = 'sends 101, changes'): readonly Cell[] => [
  ['name', '', run, plan],
  ['name', 'add', 'ADDITION_CHANGES_ROWS', '='],
];
const unpaid: readonly Cell[] = [
  ...open('unpaid', nothing),
  ...renamed(),
  ['mistake', '', 'unpaid', nothing],
  ['missing', 'add', 'unpaid', nothing],
  ['new', 'add drop', 'unpaid, pending', 'sends 102'],
  ['new', 'add', 'unpaid, pending', 'sends 102', 'unpaid, paid'],
];
/** `added`: what the plan shows with another row beside it. `left`: the plan of a list of additions without the row. */
const neverSent = (same: string, kept: string, added: string, left: string, ends: string): readonly Cell[] => [
  ...open(same, kept),
  ['mistake', '', 'invalid', 'skips'],
  ['mistake', 'add drop', 'invalid', 'skips'],
  ['mistake', 'add', 'ADDITION_CHANGES_ROWS', '='],
  ['missing', 'add', same, left],
  ['new', 'add drop', `${same}, pending`, added],
  ['new', 'add', `${same}, pending`, added, ends],
];
const waiting = [...neverSent('pending', 'sends 101', 'sends 203', 'sends nothing', 'paid, paid'), ...renamed()];

/** Only a plan shows a closed row, and so opens it again. `again`: the money that the plan then sends. */
const closed = (again: string, added: string, ends: string, refused = 'ROWS_CLOSED'): readonly Cell[] => [
  ['same', '', refused, again],
  ['missing', '', 'closed', nothing],
  ['missing', 'drop', 'closed', nothing],
  ['new', '', refused, 'ROWS_ADDED'],
  ['new', 'add', refused, added, ends],
];
const changesClosed = (other: string, mistake: string, refused = 'ROWS_CLOSED'): readonly Cell[] => [
  ['other', '', refused, other],
  ['other', 'add drop', refused, other],
  ['mistake', '', refused, mistake],
];
const closedByPerson = changesClosed('sends 999, changes, reopens', 'reopens, skips');

/** The row has the other content, which a newer sheet gave it: no version gives it the older one again, unless a plan shows it. */
const changed = (same: string, kept: string): readonly Cell[] => [
  ['same', '', 'OLDER_VERSION', 'sends 101, changes, gives back'],
  ['same', 'add drop', 'OLDER_VERSION', 'sends 101, changes, gives back'],
  ['same', 'add', 'OLDER_VERSION', 'ADDITION_CHANGES_ROWS'],
  ['new', 'add drop', 'OLDER_VERSION', 'sends 203, changes, gives back', 'paid, paid'],
  ['other', '', same, kept],
];

const afterSending: Readonly<Record<StartState, readonly Cell[]>> = {
  sending: mayBePaid('in doubt'),
  'in doubt': mayBePaid('in doubt'),
  absent: mayBePaid('in doubt'),
  'held after an intent': mayBePaid('held', { held: ', holds' }),
  accepted: mayBePaid('pending', { attached: 'pending with a document', documentPaid: ['paid with a document'] }),
  succeeded: mayBePaid('paid', { attached: 'paid with a document', documentPaid: ['paid with a document'] }),
  'two payments': mayBePaid('in doubt', { attached: 'in doubt with a document', added: 'not sent' }),
  refused: unpaid,
  expired: unpaid,
  planned: waiting,
  ready: waiting,
  held: [
    ...neverSent('held', nothing, 'sends 102, holds', nothing, 'held, paid'),
    ...renamed('held', 'holds, changes'),
  ],
  invalid: [
    ...open('pending', 'sends 101', 'sends 999'),
    ...renamed('pending', 'sends 101'),
    ['mistake', '', 'invalid', nothing],
    ['mistake', 'add', 'ADDITION_CHANGES_ROWS', '='],
    ['missing', 'add', 'invalid', nothing],
    ['new', 'add', 'ADDITION_CHANGES_ROWS', '='],
    ['new', 'add drop', 'pending, pending', 'sends 203', 'paid, paid'],
  ],
  closed: [...closed('sends 101, reopens', 'sends 203, reopens', 'paid, paid'), ...closedByPerson],
  'closed after a refusal': [...closed('reopens', 'sends 102, reopens', 'unpaid, paid'), ...closedByPerson],
  'dropped by a sheet': [
    ...closed('sends 101, reopens, gives back', 'sends 203, reopens, gives back', 'paid, paid', 'OLDER_VERSION'),
    ...changesClosed('sends 999, changes, reopens, gives back', 'gives back, skips', 'OLDER_VERSION'),
  ],
  // Opened again, the row may be paid, so its content stays.
  'closed after a doubt': [
    ...closed('reopens', 'sends 102, reopens', 'in doubt, paid'),
    ['other', '', 'SENT_ROWS_CHANGED', '='],
    ['other', 'add drop', 'SENT_ROWS_CHANGED', '='],
    ['name', '', 'ROWS_CLOSED', 'reopens'],
    ['mistake', '', 'SENT_ROWS_CHANGED', '='],
  ],
  'changed by a sheet': changed('pending 999', 'sends 999'),
  'changed after a refusal': changed('unpaid 999', nothing),
};

/** Before anything was sent, the newest sheet is the batch, and nobody asks for a choice. */
const asIs = (same: string, kept: string, added: string, other = 'sends 999, changes'): readonly Cell[] => [
  ['same', '', same, kept],
  ['other', '', 'pending 999', other],
  ['mistake', '', 'invalid', 'skips'],
  ['missing', '', 'closed named', 'drops', 'closed'],
  ['missing', 'add drop', 'closed named', 'drops'],
  ['new', '', `${same}, pending`, added],
  ['new', 'drop', `${same}, pending`, added],
  ['other', 'add', 'ADDITION_CHANGES_ROWS', '='],
];
const beforeSending: Partial<Record<StartState, readonly Cell[]>> = {
  planned: [...asIs('pending', 'sends 101', 'sends 203'), ['missing', 'add', 'pending', 'sends nothing']],
  held: [...asIs('held', 'holds', 'sends 102, holds'), ['missing', 'add', 'held', 'sends nothing']],
  invalid: [
    ...asIs('pending', 'sends 101', 'sends 203', 'sends 999'),
    ['missing', 'add', 'invalid', 'sends nothing'],
    ['new', 'add', 'ADDITION_CHANGES_ROWS', '='],
  ],
  closed: [
    ['same', '', 'ROWS_CLOSED', 'sends 101, reopens'],
    ['other', '', 'ROWS_CLOSED', 'sends 999, changes, reopens'],
    ['mistake', '', 'ROWS_CLOSED', 'reopens, skips'],
    ['missing', '', 'closed', 'sends nothing'],
    ['new', '', 'ROWS_CLOSED', 'sends 203, reopens', 'paid, paid'],
  ],
  'changed by a sheet': changed('pending 999', 'sends 999'),
};

const naming = ['rows-missing', 'rows-dropped'];

interface Document {
  readonly error?: { readonly code: string };
  readonly notes?: readonly { readonly note: string }[];
  readonly totals: readonly { readonly planned: number }[];
  readonly documents: { readonly attached: number };
  readonly result: string;
}

/** Only the other amount brings the planned money above 900. */
function endOf(ran: Ran): string {
  const { out } = ran;
  const { error, notes, totals, documents, result } = JSON.parse(out) as Document;
  if (error !== undefined) {
    expect(ran.exit).toBe(26);
    return error.code;
  }
  const amount = totals.some(({ planned }) => planned > 900) ? ' 999' : '';
  const words = resultOf(result)
    .slice(1)
    .map(({ row_id: key, payrun_status: word }) => (key === 'k2' ? `${word}${amount}` : word));
  const named = notes?.some(({ note }) => naming.includes(note)) || out.includes('"column":"name"') ? ' named' : '';
  return `${words.join(', ')}${documents.attached > 0 ? ' with a document' : ''}${named}`;
}

/** The first row has an amount of 100. */
function shownIn({ totals, held, correctedRows, warnings, skipped }: Review, isFirstSent: boolean): string {
  const money = totals.reduce((sum, { amount }) => sum + Number(amount), isFirstSent ? 0 : -100);
  const has = (code: string) => warnings.some((one) => one.code === code);
  const shown = {
    [`sends ${money}`]: money > 0,
    holds: held.some(({ row }) => row === 3),
    changes: correctedRows > 0,
    reopens: has('ROW_CLOSED'),
    'gives back': has('TAKES_BACK'),
    drops: has('ROW_DROPPED'),
    skips: skipped > 0,
  };
  const words = Object.entries(shown).flatMap(([word, is]) => (is ? [word] : []));
  return words.join(', ') || 'sends nothing';
}

/** Keeps the sheets, each of them uploaded once. */
function planner(office: Office, isFirstSent: boolean) {
  const uploads = new Map<Line, Upload>();
  const plan = async (line: Line, choices: string) => {
    const sheet = uploads.get(line) ?? (await uploaded(office, sheets[line]));
    const { upload, code } = await planOf(office, sheet, choices);
    uploads.set(line, upload);
    return { id: upload.id, code };
  };
  return {
    plan,
    async end(line: Line, choices: string): Promise<string> {
      const { id, code } = await plan(line, choices);
      if (code !== 'plan') return code;
      const { review, upload } = await withdrawn(office, id);
      uploads.set(line, upload);
      return shownIn(review, isFirstSent);
    },
  };
}

function rowsIn(ledger: string): unknown[] {
  using db = new DatabaseSync(ledger, { readOnly: true });
  return db.prepare('SELECT * FROM payout JOIN payout_content ON payout = id').all();
}

const flagsOf = (choices: string) => (choices === '' ? [] : choices.split(' ').map((one) => `--${one}`));

/** Plans each cell at a console, pays one of the plans, and then runs each cell from the same start. */
async function walk(state: string, cells: readonly Cell[], hasSent: boolean): Promise<void> {
  const at = await start(state as StartState, { hasSent });
  const before = rowsIn(at.desk.ledger);
  const office = await openOffice(at.desk.folder, at.desk.env);
  const { plan, end: endOfPlan } = planner(office, hasSent);
  const plans: string[] = [];
  for (const [line, choices] of cells) plans.push(await endOfPlan(line, choices));
  expect(rowsIn(at.desk.ledger), 'a plan changes no row').toEqual(before);
  const ends: Cell[] = [];
  for (const [line, choices, , , end] of cells) {
    if (end === undefined) continue;
    await paid(office, (await plan(line, choices)).id);
    expect([line, choices, `${await at.words()}${at.hasUploads() ? ' with a document' : ''}`]).toEqual([
      line,
      choices,
      end,
    ]);
  }
  await office.close();
  for (const [index, [line, choices, , , ...end]] of cells.entries()) {
    at.restore();
    const ran = endOf(await at.run(sheets[line], ...flagsOf(choices)));
    ends.push([line, choices, ran, plans[index] === ran ? '=' : plans[index]!, ...end]);
  }
  expect(ends).toEqual(cells);
}

describe('after something of the batch was sent', () => {
  it.each(Object.entries(afterSending))(
    'judges a sheet by a row that is %s',
    async (state, cells) => await walk(state, cells, true),
  );
});

describe('before anything of the batch was sent', () => {
  it.each(Object.entries(beforeSending))(
    'judges a sheet by a row that is %s',
    async (state, cells) => await walk(state, cells, false),
  );
});
