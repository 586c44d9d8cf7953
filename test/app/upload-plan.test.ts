/** The rules for the plan of an uploaded sheet, as tables. */
import { expect, it } from 'vitest';
import { whyNotSkip } from '../../src/app/upload-plan.ts';
import { whyNotApprove } from '../../src/approval/approval.ts';
import { newProblem } from '../../src/base/problem.ts';

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
  [[{ account: 1, name: 'Thabo M' }], [], 'OWN_SHEET'],
  [[{ account: 2, name: 'Nomsa' }], [{ name: 'Thabo' }], 'APPROVED_ALREADY'],
  [[{ account: 2, name: 'Nomsa' }], [{ name: 'Both' }], null],
])('a plan of %j with the approvals %j', (makers, approvals, why) => {
  expect(whyNotApprove({ account: 1, name: 'Thabo' }, makers, approvals)?.code ?? null).toBe(why);
});
