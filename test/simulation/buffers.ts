/**
 * To read a file of any size takes buffers of up to a megabyte; thousands of tiny sheets a minute keep the collector
 * busy half of the time. Here the large ones go round: what is read from one is used long before its turn comes again.
 */
const largeBytes = 64 * 1024;
const eachSize = 24;

export function reuseLargeBuffers(): void {
  const allocate = Buffer.allocUnsafe.bind(Buffer);
  const rounds = new Map<number, { next: number; readonly buffers: Buffer<ArrayBuffer>[] }>();
  Buffer.allocUnsafe = (size) => {
    if (size < largeBytes) return allocate(size);
    let round = rounds.get(size);
    if (round === undefined) {
      round = { next: 0, buffers: [] };
      rounds.set(size, round);
    }
    const at = round.next;
    round.next = (at + 1) % eachSize;
    round.buffers[at] ??= allocate(size);
    return round.buffers[at];
  };
}
