/** Prints what the benches measured, and compares it with the targets of the speed table. */

let missed = 0;

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function target(what: string, value: number, most: number, unit: string): void {
  const held = value <= most;
  if (!held) missed += 1;
  const digits = unit === '' || unit === ' s' ? 3 : 0;
  say(`  ${what}: ${value.toFixed(digits)}${unit} (target ≤ ${most}${unit}) ${held ? 'held' : 'MISSED'}`);
}

export function sayMissed(): void {
  if (missed > 0) say(`\n${missed} missed. Other work on this machine moves these figures: run it again alone.`);
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
