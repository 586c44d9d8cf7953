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
  writerMs: 'time to commit, ms a row',
  memberMs: "a worker's processor time, ms a row",
  leaderMs: "the leader's time before and after the sending, ms a row",
  commits: 'commits of the ledger for a row',
  logBytes: 'write-ahead log, bytes for a row',
  ledgerBytes: 'ledger on the disk, bytes for a row',
};

const latencies = [20, 200, 500];
const limits = [null, 100];
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
    if (!(value > 0)) throw new Error(`docs/explanation/scale.md has no line '${words}'`);
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
  const limitWords = (limit: number | null) => (limit === null ? 'no limit' : `${limit} calls/s`);
  const rates = latencies.flatMap((latencyMs) =>
    limits.map((limit) => {
      const fleet: Fleet = { ...usual, latencyMs, limit };
      const { rowsPerSecond, first, busy } = taken(costs, fleet);
      const [waiting, writer, worker] = [busy.room, busy.writer, busy.member].map((part) => Math.round(part * 100));
      return [
        `${latencyMs} ms`,
        limitWords(limit),
        `${short(rowsPerSecond)} rows/s`,
        `limited by ${first}`,
        `${waiting} % wait`,
        `writer ${writer} %`,
        `worker ${worker} %`,
      ];
    }),
  );
  const plans = months.map((rows) => {
    const hours = latencies.map((latencyMs) => hoursFor(costs, { ...usual, latencyMs, limit: null }, rows));
    const even = rows / (30 * 86_400);
    return [
      `${count(rows)} rows`,
      ...hours.map((one, at) => `${short(one)} h at ${latencies[at]} ms`),
      `${short(even)} rows/s`,
      `writer ${short((even * costs.writerMs) / 10)} %`,
      `ledger ${short((rows * costs.ledgerBytes) / 1e9)} GB`,
      `log ${short((rows * costs.logBytes) / 1e9)} GB`,
      `${count(rows * costs.commits)} commits`,
    ];
  });
  const columns = [
    'latency',
    'limit of the service',
    'rate',
    'first limit',
    'rows that wait for the service',
    'writer busy',
    'each worker busy',
  ];
  return [
    ['rates', table(columns, rates)],
    [
      'months',
      table(
        [
          'rows a month',
          ...latencies.map((ms) => `time at ${ms} ms`),
          'rows/s if spread evenly',
          'writer busy',
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
