/** Collects items that come at the same time, so that one database statement handles several of them. */

/** `work` gets at most `most` items, handles all or none, and returns one answer for each item, in order. */
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
      // Waits for the end of this event-loop turn, so that `work` gets all items of the turn together.
      if (waiting.length === 0) setImmediate(() => void flush());
      waiting.push({ item, resolve, reject });
    });
}
