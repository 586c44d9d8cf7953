/** The rules for the plan of an uploaded sheet, as tables. */
import { expect, it } from 'vitest';
import { isBatchChosen, whyNotKept, whyNotSkip } from '../../src/app/upload-plan.ts';
import { whyNotApprove } from '../../src/approval/approval.ts';
import { newProblem } from '../../src/base/problem.ts';
import type { Outcome } from '../../src/pipeline/outcome.ts';

const ofRow = newProblem('CELL_EMPTY', 'error', {}, { row: 3 });
const ofSheet = newProblem('HEADER_UNREAD', 'error', {});

it.each([
  ['some rows have mistakes', 5, 1, [ofRow], null],
  ['every row has one', 5, 5, [ofRow], { why: 'no-row-payable' }],
  ['the sheet has one', 5, 1, [ofRow, ofSheet], { why: 'sheet-fault', problem: ofSheet }],
])('rows are skipped if %s', (_, rows, toFix, problems, why) => {
  expect(whyNotSkip({ problems, counts: { rows, toFix } })).toEqual(why);
});

it.each([
  [{}, false, false],
  [{}, true, true],
  [{ isNew: true }, false, true],
  [{ add: true }, false, true],
  [{ confirmRepeat: 'Two invoices' }, false, true],
])('a person chose the batch with %j, of another service: %s', (request, isOfOtherService, is) => {
  expect(isBatchChosen({ ...request, isOfOtherService })).toBe(is);
});

it.each<[string, object, object, readonly string[], object | null]>([
  ['sends a row', { not_sent: 1 }, {}, [], null],
  ['closes a row', {}, {}, ['ROW_DROPPED'], null],
  ['adds a row that is held', { held: 2 }, { added: 1 }, [], null],
  ['changes a row that is held', { held: 2 }, { differing: 1 }, [], null],
  ['holds only rows of the batch', { held: 2 }, {}, [], { why: 'all-held', batch: 'nov', held: 2 }],
  ['does nothing', {}, {}, [], { why: 'nothing-to-send', batch: 'nov', sent: 3, of: 5 }],
])('a plan that %s is kept, or not', (_, rows, effect, codes, why) => {
  const all = {
    written: {},
    batch: null,
    rows: { total: 5, invalid: 1, closed: 1, not_sent: 0, held: 0, ...rows },
    findings: { problems: codes.map((code) => ({ code })) },
    notes: [{ note: 'rows-of-batch', added: 0, differing: 0, ...effect }],
  };
  expect(whyNotKept(all as unknown as Outcome, 'nov')).toEqual(why);
});

it.each([
  [[{ account: 1, name: 'Thabo M' }], [], 'OWN_SHEET'],
  [[{ account: 2, name: 'Nomsa' }], [{ name: 'Thabo' }], 'APPROVED_ALREADY'],
  [[{ account: 2, name: 'Nomsa' }], [{ name: 'Both' }], null],
])('a plan of %j with the approvals %j', (makers, approvals, why) => {
  expect(whyNotApprove({ account: 1, name: 'Thabo' }, makers, approvals)?.code ?? null).toBe(why);
});
