/** Lets what comes in together share one statement: the database is waited for once, and each caller still waits for its own answer. */

/** `work` does all of its items or none; its answers stand in their order. */
export function gathering<T, R = void>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  most: number,
): (item: T) => Promise<R> {
  let waiting: { item: T; resolve: (answer: R) => void; reject: (error: unknown) => void }[] = [];

  async function flush(): Promise<void> {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += most) {
      const some = all.slice(start, start + most);
      try {
        const answers = await work(some.map(({ item }) => item));
        for (const [at, { resolve }] of some.entries()) resolve(answers[at] as R);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      // The first of a turn of the event loop waits for the others that the same turn brings.
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({ item, resolve, reject });
    });
}

/** For work that answers nothing but that it is done. */
export function gatheringWrites<T>(write: (items: readonly T[]) => Promise<void>, most: number) {
  return gathering<T>(async (items) => {
    await write(items);
    return [];
  }, most);
}
