/** The table of versions, with a copy of its own: each cell is planned and run, and each kind of cell at a console. */

import { describe, expect, it } from 'vitest';
import type { Review } from '../../src/console/api.ts';
import { whyStopped } from '../../src/pipeline/outcome.ts';
import { openOffice } from '../console/office.ts';
import type { Ran } from '../support.ts';
import { chosen, paid, planHere, planned } from './at-console.ts';
import { type Line, type Started, type StartState, sheets, start, wordsOf } from './row-in-state.ts';

/**
 * A cell: what the sheet has, the choices of the person, the end of the run, and the end of the plan. An end is a refusal, or the
 * words of the rows after the first one; `named` if a note names the row. `=`: the plan is refused with the same code. `paid: WORDS`:
 * a console makes the plan, and people approve and pay it.
 */
type Cell = readonly [line: Line, choices: '' | 'add' | 'drop' | 'add drop', terminal: string, console: string];

const nothing = 'NOTHING_TO_SEND';
const plan = 'plan';

/** `added`: the end of a row beside it. Two payments of one row are an alarm. */
const mayBePaid = (word: string, added = 'pending'): readonly Cell[] => [
  ['same', '', word, nothing],
  ['other', '', 'SENT_ROWS_CHANGED', '='],
  ['other', 'add drop', 'SENT_ROWS_CHANGED', '='],
  ['mistake', '', 'SENT_ROWS_INVALID', '='],
  ['missing', '', `${word} named`, nothing],
  ['missing', 'drop', `${word} named`, nothing],
  ['new', '', 'ROWS_ADDED', '='],
  ['new', 'drop', 'ROWS_ADDED', '='],
  ['new', 'add', `${word}, ${added}`, plan],
];

/** `same`: the end of the run of the unchanged row. `kept`: the plan if the row stays as it is. */
const open = (same: string, kept: string): readonly Cell[] => [
  ['same', '', same, kept],
  ['other', '', 'pending 999', plan],
  ['other', 'add', 'ADDITION_CHANGES_ROWS', '='],
  ['other', 'add drop', 'pending 999', plan],
  ['missing', '', 'ROWS_DROPPED', '='],
  ['missing', 'drop', 'closed named', plan],
  ['new', '', 'ROWS_ADDED', '='],
  ['new', 'drop', 'ROWS_ADDED', '='],
];
const unpaid: readonly Cell[] = [
  ...open('unpaid', nothing),
  ['mistake', '', 'unpaid', nothing],
  ['missing', 'add', 'unpaid', nothing],
  ['new', 'add drop', 'unpaid, pending', plan],
  ['new', 'add', 'unpaid, pending', 'paid: unpaid, paid'],
];
const neverSent = (same: string, kept: string, ends: string): readonly Cell[] => [
  ...open(same, kept),
  ['mistake', '', 'invalid', plan],
  ['mistake', 'add drop', 'invalid', plan],
  ['mistake', 'add', 'ADDITION_CHANGES_ROWS', '='],
  ['missing', 'add', same, kept],
  ['new', 'add drop', `${same}, pending`, plan],
  ['new', 'add', `${same}, pending`, `paid: ${ends}, paid`],
];

/** Only a plan shows a closed row, and so opens it again. */
const closed = (ends: string, refused = 'ROWS_CLOSED'): readonly Cell[] => [
  ['same', '', refused, plan],
  ['missing', '', 'closed', nothing],
  ['missing', 'drop', 'closed', nothing],
  ['new', '', refused, 'ROWS_ADDED'],
  ['new', 'add', refused, `paid: ${ends}, paid`],
];
const changesClosed = (refused = 'ROWS_CLOSED'): readonly Cell[] => [
  ['other', '', refused, plan],
  ['other', 'add drop', refused, plan],
  ['mistake', '', refused, plan],
];

const afterSending: Readonly<Record<StartState, readonly Cell[]>> = {
  sending: mayBePaid('in doubt'),
  'in doubt': mayBePaid('in doubt'),
  absent: mayBePaid('in doubt'),
  'held after an intent': mayBePaid('held'),
  accepted: mayBePaid('pending'),
  succeeded: mayBePaid('paid'),
  'two payments': mayBePaid('in doubt', 'not sent'),
  refused: unpaid,
  expired: unpaid,
  planned: neverSent('pending', plan, 'paid'),
  ready: neverSent('pending', plan, 'paid'),
  held: neverSent('held', nothing, 'held'),
  invalid: [
    ...open('pending', plan),
    ['mistake', '', 'invalid', nothing],
    ['mistake', 'add', 'ADDITION_CHANGES_ROWS', '='],
    ['missing', 'add', 'invalid', nothing],
    ['new', 'add', 'ADDITION_CHANGES_ROWS', '='],
    ['new', 'add drop', 'pending, pending', 'paid: paid, paid'],
  ],
  closed: [...closed('paid'), ...changesClosed()],
  'closed after a refusal': [...closed('unpaid'), ...changesClosed()],
  'dropped by a sheet': [...closed('paid', 'OLDER_VERSION'), ...changesClosed('OLDER_VERSION')],
  // Opened again, the row may be paid, so its content stays.
  'closed after a doubt': [
    ...closed('in doubt'),
    ['other', '', 'SENT_ROWS_CHANGED', '='],
    ['other', 'add drop', 'SENT_ROWS_CHANGED', '='],
    ['mistake', '', 'SENT_ROWS_INVALID', '='],
  ],
};

/** Before anything was sent, the newest sheet is the batch, and nobody asks for a choice. */
const asIs = (same: string): readonly Cell[] => [
  ['same', '', same, plan],
  ['other', '', 'pending 999', plan],
  ['mistake', '', 'invalid', plan],
  ['missing', '', 'closed named', 'paid: closed'],
  ['missing', 'add drop', 'closed named', plan],
  ['new', '', `${same}, pending`, plan],
  ['new', 'drop', `${same}, pending`, plan],
  ['other', 'add', 'ADDITION_CHANGES_ROWS', '='],
];
const beforeSending: Partial<Record<StartState, readonly Cell[]>> = {
  planned: [...asIs('pending'), ['missing', 'add', 'pending', plan]],
  held: [...asIs('held'), ['missing', 'add', 'held', plan]],
  invalid: [...asIs('pending'), ['missing', 'add', 'invalid', plan], ['new', 'add', 'ADDITION_CHANGES_ROWS', '=']],
  closed: [
    ['same', '', 'ROWS_CLOSED', plan],
    ['other', '', 'ROWS_CLOSED', plan],
    ['mistake', '', 'ROWS_CLOSED', plan],
    ['missing', '', 'closed', plan],
    ['new', '', 'ROWS_CLOSED', 'paid: paid, paid'],
  ],
};

const naming = ['rows-missing', 'rows-dropped'];

async function endOf(at: Started, ran: Ran): Promise<string> {
  const { error, notes } = JSON.parse(ran.out) as { error?: { code: string }; notes?: { note: string }[] };
  if (error !== undefined) {
    expect(ran.exit).toBe(26);
    return error.code;
  }
  const words = await at.words();
  return notes?.some(({ note }) => naming.includes(note)) ? `${words} named` : words;
}

async function endOfPlan({ desk }: Started, line: Line, choices: string): Promise<string> {
  const ending = await planHere(desk, sheets[line], { skipInvalid: true, ...chosen(choices) });
  return whyStopped(ending)?.code ?? plan;
}

const flagsOf = (choices: string) => (choices === '' ? [] : choices.split(' ').map((one) => `--${one}`));
const isPlan = (end: string) => end === plan || end.startsWith('paid');

const atConsole = new Set<string>();

/** Plans each cell as a console does, and runs it. Plans the first cell of each sheet, choices and end through a console's routes. */
async function walk(state: string, cells: readonly Cell[], hasSent: boolean): Promise<void> {
  const at = await start(state as StartState, { hasSent });
  const before = await at.words();
  const ends: Cell[] = [];
  for (const [line, choices] of cells) {
    const shown = await endOfPlan(at, line, choices);
    const end = await endOf(at, await at.run(sheets[line], ...flagsOf(choices)));
    at.restore();
    ends.push([line, choices, end, shown === end ? '=' : shown]);
  }
  expect(ends).toEqual(cells.map(([line, choices, here, end]) => [line, choices, here, isPlan(end) ? plan : end]));
  const office = await openOffice(at.desk.folder, at.desk.env);
  for (const [line, choices, here, end] of ends) {
    const cell = [line, choices, end === '=' ? here : end];
    if (atConsole.has(cell.join())) continue;
    atConsole.add(cell.join());
    const { id, code } = await planned(office, sheets[line], choices);
    expect([line, choices, code]).toEqual(cell);
    const { digest } = (await office.get<Review>('Nomsa', `/api/uploads/${id}/plan`)).body;
    await office.post('Nomsa', `/api/uploads/${id}/withdraw`, { digest, reason: 'The next cell' });
  }
  expect(await wordsOf(office), 'a plan changes no row').toBe(before);
  for (const [line, choices, , end] of cells.filter(([, , , one]) => one.startsWith('paid'))) {
    await paid(office, (await planned(office, sheets[line], choices)).id);
    expect(`paid: ${await wordsOf(office)}`).toBe(end);
  }
  await office.close();
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
