/** Writes that share a commit, and questions that share a statement. */
import { describe, expect, it } from 'vitest';
import { gathering } from '../../src/service/http/gather.ts';

describe('gathering', () => {
  it('writes in one go what comes in one turn, in order and at most so many together', async () => {
    const writes: number[][] = [];
    const add = gathering<number>(async (items) => {
      writes.push([...items]);
      return [];
    }, 3);
    await Promise.all([1, 2, 3, 4, 5].map(add));
    await add(6);
    expect(writes).toEqual([[1, 2, 3], [4, 5], [6]]);
  });

  it('lets nobody go on before the write is done', async () => {
    const { promise: written, resolve: finish } = Promise.withResolvers<void>();
    const add = gathering<number>(async () => {
      await written;
      return [];
    }, 10);
    let done = false;
    const adding = add(1).then(() => {
      done = true;
    });
    // Whoever did not wait for the write would have gone on in the first of these turns.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBe(false);
    finish();
    await adding;
    expect(done).toBe(true);
  });

  it('tells each of a failed write, and goes on with the next', async () => {
    let broken = true;
    const add = gathering<number>(async () => {
      if (broken) throw new Error('disk full');
      return [];
    }, 10);
    const outcomes = await Promise.allSettled([add(1), add(2)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    broken = false;
    await expect(add(3)).resolves.toBeUndefined();
  });

  it('answers each question of one turn with its own answer', async () => {
    const asked: (readonly number[])[] = [];
    const double = gathering<number, number>(async (numbers) => {
      asked.push(numbers);
      return numbers.map((number) => 2 * number);
    }, 10);
    expect(await Promise.all([3, 1, 3].map(double))).toEqual([6, 2, 6]);
    expect(asked).toEqual([[3, 1, 3]]);
  });
});
