/** What a run shows of its progress: a line that is redrawn on a terminal, now and then a line elsewhere, nothing where quiet is asked for. */
import { expect, it } from 'vitest';
import { progressOf } from '../../src/cli/render/screen.ts';
import type { Progress, Stage } from '../../src/pipeline/deps.ts';

/** What is written while these steps are told, each at its second. */
function shown(isTTY: boolean, quiet: boolean, steps: readonly (readonly [second: number, Progress])[]): string {
  let text = '';
  let second = 0;
  const stream = { write: (more: string) => (text += more), isTTY };
  const progress = progressOf({ out: stream, err: stream, color: false }, quiet, () => second * 1000);
  for (const [at, step] of steps) {
    second = at;
    progress.show(step);
  }
  progress.end();
  return text;
}

const at = (stage: Stage, done: number, total: number | null = null): Progress => ({ stage, done, total });

const aMinute = Array.from({ length: 61 }, (_, second) => [second, at('paying', second, 60)] as const);

it('says nothing of a short run where nobody watches', () => {
  expect(
    shown(false, false, [
      [0, at('reading', 3)],
      [4, at('paying', 1, 3)],
      [9, at('settling', 3, 3)],
    ]),
  ).toBe('');
});

it('says a line for each stage of a long one, and one in half a minute within a stage', () => {
  const steps = [[0, at('reading', 9)], ...aMinute.map(([second, step]) => [second + 20, step] as const)] as const;
  expect(shown(false, false, [...steps, [130, at('settling', 59, 60)]]).split('\n')).toEqual([
    'Paying  0 of 60',
    'Paying  30 of 60',
    'Paying  60 of 60',
    expect.stringMatching(/^Following .* {2}59 of 60$/),
    '',
  ]);
});

it('says no more where stages take turns', () => {
  const turns = aMinute.map(([second]) => [second, at(second % 2 === 0 ? 'paying' : 'reconciling', second)] as const);
  expect(shown(false, false, turns).split('\n')).toHaveLength(1 + 5);
});

it('redraws one line on a terminal', () => {
  const text = shown(true, false, aMinute);
  expect(text.split('\n')).toHaveLength(2);
  expect(text).toMatch(/\r\x1b\[KPaying {2}\[#{20}\] 60 of 60\n$/);
});

it('says nothing where a quiet run or a document was asked for', () => {
  for (const isTTY of [true, false]) expect(shown(isTTY, true, aMinute)).toBe('');
});
