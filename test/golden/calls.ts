/** What reached the service, for an auditor: how often each route was called, which payees were made, which payments were asked for. */
import { type Call, commandIn, type Step } from './runner.ts';
import { id, type Words, worded } from './words.ts';

/** In the order in which a run makes them. */
const routes = [
  'POST /token',
  'POST /tokens/user',
  'GET /utils/banks/:country',
  'GET /utils/countries',
  'GET /merchants',
  'POST /merchants',
  'PATCH /merchants/:id',
  'POST /payments',
  'GET /payments',
  'GET /payments/:id',
  'GET /payments/:id/documents',
  'POST /payments/:id/document',
] as const;

/** How often a payment is looked at depends on how fast the machine is. */
const uncounted: readonly string[] = ['GET /payments/:id'];

export function callsText(steps: readonly Step[], words: Words): string {
  return steps
    .filter(({ line }) => commandIn(line).command.startsWith('payrun '))
    .map(({ line, calls }) => [`$ ${line}`, ...countLines(calls), ...bodyLines(calls, words)].join('\n'))
    .join('\n\n')
    .concat('\n');
}

function routeOf({ method, path }: Call): string {
  const route = path
    .replaceAll(id, ':id')
    .replace(/^(\/utils\/banks)\/[^/]+/, '$1/:country')
    .replace(/^(\/(?:merchants|payments))\/[^/]+/, '$1/:id');
  return `${method} ${route}`;
}

function countLines(calls: readonly Call[]): string[] {
  if (calls.length === 0) return ['nothing reached a service'];
  const counts = new Map<string, number>();
  for (const call of calls) counts.set(routeOf(call), (counts.get(routeOf(call)) ?? 0) + 1);
  const unknown = [...counts.keys()].filter((route) => !(routes as readonly string[]).includes(route)).sort();
  return [...routes, ...unknown]
    .filter((route) => counts.has(route))
    .map((route) => `${route.padEnd(28)}  ${uncounted.includes(route) ? 'some' : counts.get(route)}`);
}

function bodyLines(calls: readonly Call[], words: Words): string[] {
  const bodies = (route: string) => calls.filter((call) => routeOf(call) === route).map((call) => call.body());
  const payees = bodies('POST /merchants').sort();
  const payments = bodies('POST /payments')
    .map((body) => ({ row: rowOf(body, words), body }))
    .sort((one, other) => one.row - other.row);
  return [
    ...payees.map((body) => `payee: ${worded(body, words)}`),
    ...payments.map(({ row, body }) => `payment of row ${row}: ${worded(body, words)}`),
  ];
}

function rowOf(body: string, { rowOfTag }: Words): number {
  const { tag } = JSON.parse(body) as { tag: string };
  const row = rowOfTag.get(tag);
  if (row === undefined) throw new Error(`a payment was asked for under the tag ${tag}, which no row has`);
  return row;
}
