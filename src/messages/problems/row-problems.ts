/** The words of the problems of one row. */
import type { RowProblems } from '../../domain/problems/row-problems.ts';
import type { ProblemTable } from '../audience.ts';
import { accountProblems } from './account-problems.ts';
import { amountProblems } from './amount-problems.ts';
import { cellProblems } from './cell-problems.ts';
import { payeeProblems } from './payee-problems.ts';
import { paymentProblems } from './payment-problems.ts';

export const rowProblems: ProblemTable<RowProblems> = {
  ...cellProblems,
  ...payeeProblems,
  ...accountProblems,
  ...amountProblems,
  ...paymentProblems,
};
