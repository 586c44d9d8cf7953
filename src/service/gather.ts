/** Lets writes that come in together share one commit: the disk is waited for once, and each writer still waits until it is safe. */

/** `write` takes all of its items or none. */
export function gathering<T>(write: (items: readonly T[]) => Promise<void>, most: number): (item: T) => Promise<void> {
  let waiting: { item: T; resolve: () => void; reject: (error: unknown) => void }[] = [];

  async function flush(): Promise<void> {
    const all = waiting;
    waiting = [];
    for (let start = 0; start < all.length; start += most) {
      const some = all.slice(start, start + most);
      try {
        await write(some.map(({ item }) => item));
        for (const { resolve } of some) resolve();
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
