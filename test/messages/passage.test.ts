/** Sentences that name next actions: the shell says where a command is given. */
import { expect, it } from 'vitest';
import { resumeOf } from '../../src/domain/next-action.ts';
import { passage, wordingText } from '../../src/messages/passage.ts';

const going = passage`Row ${7} is released by ${'Ama'}: ${resumeOf('pay nov')}.`;

it('has the commands of its place', () => {
  expect(wordingText(going, ' --ledger a.db')).toBe("Row 7 is released by Ama: payrun resume 'pay nov' --ledger a.db.");
  expect(String(going)).toBe("Row 7 is released by Ama: payrun resume 'pay nov'.");
  expect(wordingText('A plain sentence.', ' --ledger a.db')).toBe('A plain sentence.');
});

it('is data, which a thread passes on', () => {
  expect(wordingText(structuredClone(going), ' --sandbox')).toBe(wordingText(going, ' --sandbox'));
  expect(going.parts).toContainEqual({ action: 'resume', batch: 'pay nov', why: null });
});

it('holds other passages', () => {
  expect(wordingText(passage`First: ${going}`, '')).toBe(`First: ${String(going)}`);
});
