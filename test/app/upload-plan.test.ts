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

it.each([
  ['sends a row', { not_sent: 1, held: 0 }, 0, null],
  ['holds rows that no batch has', { not_sent: 0, held: 2 }, 0, null],
  ['holds only rows of the batch', { not_sent: 0, held: 2 }, 2, { why: 'all-held', batch: 'nov', held: 2 }],
  ['sends nothing', { not_sent: 0, held: 0 }, 0, { why: 'nothing-to-send', batch: 'nov', sent: 3, of: 5 }],
  ['closes rows', { not_sent: 0, held: 0 }, 0, null, ['ROW_DROPPED']],
])('a plan that %s is kept, or not', (_, rows, held, why, codes: string[] = []) => {
  const counts = { total: 5, invalid: 1, closed: 1, ...rows };
  const all = { written: {}, batch: null, rows: counts, findings: { problems: codes.map((code) => ({ code })) } };
  expect(whyNotKept(all as unknown as Outcome, 'nov', () => held)).toEqual(why);
});

it.each([
  [[{ account: 1, name: 'Thabo M' }], [], 'OWN_SHEET'],
  [[{ account: 2, name: 'Nomsa' }], [{ name: 'Thabo' }], 'APPROVED_ALREADY'],
  [[{ account: 2, name: 'Nomsa' }], [{ name: 'Both' }], null],
])('a plan of %j with the approvals %j', (makers, approvals, why) => {
  expect(whyNotApprove({ account: 1, name: 'Thabo' }, makers, approvals)?.code ?? null).toBe(why);
});
