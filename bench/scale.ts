/**
 * `npm run bench:scale`: writes the tables of docs/explanation/scale.md from its constants, which `npm run bench:fleet
 * -- --write` measures.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Costs, type Fleet, hoursFor, taken } from './queueing.ts';

const page = join(import.meta.dirname, '../docs/explanation/scale.md');

/** The words for each constant. Each is a line of the page. */
export const constants: Readonly<Record<keyof Costs, string>> = {
  writerMs: "the ledger's one writer, ms a row",
  memberMs: 'a member, processor time, ms a row',
  leaderMs: 'before the first payment and after the last, ms a row',
  commits: 'commits of the ledger, a row',
  logBytes: 'write-ahead log, bytes a row',
  ledgerBytes: 'the ledger on the disk, bytes a row',
};

const latencies = [20, 200, 500];
const limits = [null, 100, 10];
const usual = { room: 64, members: 4 };
const months = [1e5, 1e7, 1e9];
const count = (value: number) => Math.round(value).toLocaleString('en');
const short = (value: number) => (value >= 100 ? count(value) : value.toPrecision(2));
const table = (header: readonly string[], lines: readonly (readonly string[])[]) =>
  [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export function readCosts(text: string): Costs {
  const entries = Object.entries(constants).map(([name, words]) => {
    const line = text.split('\n').find((one) => one.startsWith(`| ${words} |`));
    const value = Number(line?.split('|')[2]?.trim().replaceAll(',', ''));
    if (!(value > 0)) throw new Error(`docs/explanation/scale.md does not tell '${words}'`);
    return [name, value];
  });
  return Object.fromEntries(entries) as unknown as Costs;
}

export function withBlock(text: string, name: string, block: string): string {
  const [begin, end] = [`<!-- ${name}: `, `<!-- end of ${name} -->`];
  const from = text.indexOf('\n', text.indexOf(begin)) + 1;
  const to = text.indexOf(end);
  if (from === 0 || to < from) throw new Error(`docs/explanation/scale.md has no block '${name}'`);
  return `${text.slice(0, from)}\n${block}\n\n${text.slice(to)}`;
}

/** Returns the page with new tables. */
export function scalePage(text: string): string {
  const costs = readCosts(text);
  const limitWords = (limit: number | null) => (limit === null ? 'none' : `${limit}/s`);
  const rates = latencies.flatMap((latencyMs) =>
    limits.map((limit) => {
      const fleet: Fleet = { ...usual, latencyMs, limit };
      const { rowsPerSecond, first, busy } = taken(costs, fleet);
      const percents = [busy.room, busy.writer, busy.member].map((part) => `${Math.round(part * 100)} %`);
      return [
        `${latencyMs} ms`,
        limitWords(limit),
        short(rowsPerSecond),
        count(rowsPerSecond * 3600),
        first,
        ...percents,
      ];
    }),
  );
  const widths = [8, 16, 32, 64].map((room) => [
    String(room),
    ...latencies.map((latencyMs) =>
      short(taken(costs, { room, members: usual.members, latencyMs, limit: null }).rowsPerSecond),
    ),
  ]);
  const plans = months.map((rows) => {
    const hours = latencies.map((latencyMs) => hoursFor(costs, { ...usual, latencyMs, limit: null }, rows));
    const even = rows / (30 * 86_400);
    return [
      count(rows),
      ...hours.map((one) => `${short(one)} h`),
      short(even),
      `${short((even * costs.writerMs) / 10)} %`,
      `${short((rows * costs.ledgerBytes) / 1e9)} GB`,
      `${short((rows * costs.logBytes) / 1e9)} GB`,
      count(rows * costs.commits),
    ];
  });
  const columns = [
    'latency',
    'limit of the service',
    'rows/s',
    'rows an hour',
    'full first',
    'room',
    'writer',
    'member',
  ];
  return [
    ['rates', table(columns, rates)],
    ['widths', table(['room', ...latencies.map((ms) => `rows/s at ${ms} ms`)], widths)],
    [
      'months',
      table(
        [
          'rows a month',
          ...latencies.map((ms) => `at ${ms} ms`),
          'rows/s if even',
          'of the writer',
          'ledger',
          'log',
          'commits',
        ],
        plans,
      ),
    ],
  ].reduce((page, [name, block]) => withBlock(page, name!, block!), text);
}

if (import.meta.main) writeFileSync(page, scalePage(readFileSync(page, 'utf8')));
