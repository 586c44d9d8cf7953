/** Sentences that name next actions: the shell says where a command is given. */
import { expect, it } from 'vitest';
import { resumeOf } from '../../src/domain/next-action.ts';
import { noPlace } from '../../src/messages/next-actions.ts';
import { passage, wordingText } from '../../src/messages/passage.ts';

const place = { user: '', ledger: ' --ledger a.db' };
const going = passage`Row ${7} is released by ${'Ama'}: ${resumeOf('pay nov')}.`;

it('has the commands of its place', () => {
  expect(wordingText(going, place)).toBe("Row 7 is released by Ama: payrun resume 'pay nov' --ledger a.db.");
  expect(wordingText(going, noPlace)).toBe("Row 7 is released by Ama: payrun resume 'pay nov'.");
  expect(wordingText('A plain sentence.', place)).toBe('A plain sentence.');
});

it('is data, which a thread passes on', () => {
  expect(wordingText(structuredClone(going), place)).toBe(wordingText(going, place));
  expect(going.parts).toContainEqual({ action: 'resume', batch: 'pay nov', why: null });
});

it('holds other passages', () => {
  expect(wordingText(passage`First: ${going}`, noPlace)).toBe(`First: ${wordingText(going, noPlace)}`);
});
