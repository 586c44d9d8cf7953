/** Reads durations and whole numbers that a person types. */
import { usage } from '../compose/command-context.ts';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Reads `500ms`, `20s`, `2m`, `1h` or `0`. Refuses other bare numbers, because they have no unit. */
export function readDuration(text: string, name: string): number {
  if (text.trim() === '0') return 0;
  const match = /^(\d{1,9})(ms|s|m|h)$/.exec(text.trim());
  const unit = unitMs[match?.[2] ?? ''];
  if (match === null || unit === undefined)
    throw usage(`${name} '${text}' is not a duration; write 500ms, 20s, 2m, 1h or 0`);
  return Number(match[1]) * unit;
}

export function readWhole(text: string, name: string, least: number, most: number): number {
  const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isNaN(value) || value < least || value > most)
    throw usage(`${name} '${text}' is not a whole number from ${least} to ${most}`);
  return value;
}

const usualHost = '127.0.0.1';

/** Reads `[HOST:]PORT`. The host of an IPv6 address stands in square brackets. */
export function readPlace(text: string, name: string): { readonly host: string; readonly port: number } {
  const [match, host = usualHost, port = ''] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  if (match === undefined) throw usage(`${name} '${text}' is not a port, nor HOST:PORT`);
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: readWhole(port, name, 0, 65_535) };
}

export const placeText = ({ host, port }: ReturnType<typeof readPlace>): string =>
  host === usualHost ? `${port}` : `${host.includes(':') ? `[${host}]` : host}:${port}`;
