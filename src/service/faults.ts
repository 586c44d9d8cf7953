/** Makes chosen calls of the service fail on purpose, to test how a client handles failures. */
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { PayrunError } from '../base/errors.ts';
import { nodeHttp } from '../base/http.ts';
import { type Answer, jsonAnswer } from './http/call.ts';
import { chance } from './resources/rails.ts';

const { STATUS_CODES } = nodeHttp();

/** `before`: the fault happens before the call's handler runs. `after`: after the handler, before the answer. */
const at = z.enum(['before', 'after']);
const how = z.enum(['reset', 'close']).default('reset');
const ms = z.number().min(0);

export const faultAction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('delay'), at, ms }),
  z.strictObject({ kind: z.literal('drop'), at, how }),
  /** Closes the connection at once. The call's handler runs `ms` milliseconds later. */
  z.strictObject({ kind: z.literal('late'), ms, how }),
  z.strictObject({ kind: z.literal('hang'), at }),
  z.strictObject({
    kind: z.literal('answer'),
    at,
    status: z.number().int().min(200).max(599),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().optional(),
  }),
  /** Replaces the signing key, which makes all earlier tokens invalid (interface 5.5). This call gets 401. */
  z.strictObject({ kind: z.literal('rotate') }),
  /** Answers 500 and changes nothing, as if the identity provider had failed (interface 4.7). */
  z.strictObject({ kind: z.literal('identity') }),
  /** Sends half of the answer, then closes the connection. `framing`: how the headers announce the answer's length. */
  z.strictObject({ kind: z.literal('cut'), framing: z.enum(['length', 'chunked', 'close']) }),
  z.strictObject({ kind: z.literal('trickle'), msPerByte: ms }),
  /** Only for the route `webhook`. Sends each call `times` times, even if the receiver accepts the first copy. */
  z.strictObject({ kind: z.literal('repeat'), times: z.number().int().min(2).max(1000) }),
  /** Only for the route `webhook`. Delays the first attempt of a call, so that later calls arrive first. */
  z.strictObject({ kind: z.literal('postpone'), ms }),
]);

const pushing = 'webhook';
const pushedKinds: readonly string[] = ['repeat', 'postpone'];

export const faultRule = z.strictObject({
  route: z.string(),
  /** The numbers of the calls that fail (1: the route's first call); undefined for all calls. */
  nth: z.union([z.number().int().min(1), z.array(z.number().int().min(1))]).optional(),
  from: z.number().int().min(1).optional(),
  /** The chance that a call fails, from 0 to 1. The same seed makes the same calls fail. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.union([z.string(), z.number()]).optional(),
  times: z.number().int().min(1).optional(),
  action: faultAction,
});

export type FaultRule = z.input<typeof faultRule>;
type Action = z.output<typeof faultAction>;
type Work = () => Promise<Answer>;

function sideOf(action: Action): z.output<typeof at> {
  if ('at' in action) return action.at;
  return action.kind === 'cut' || action.kind === 'trickle' ? 'after' : 'before';
}

interface FaultDeps {
  readonly rules: readonly FaultRule[];
  readonly routes: readonly string[];
  readonly clock: Clock;
  readonly rotate: () => Promise<void>;
}

export type Faults = ReturnType<typeof openFaults>;

export function openFaults({ rules, routes, clock, rotate }: FaultDeps) {
  const strikers = rules.map((rule) => {
    const read = faultRule.parse(rule);
    if (read.route !== '*' && read.route !== pushing && !routes.includes(read.route))
      throw new PayrunError('FAULT_ROUTE_UNKNOWN', { route: read.route, routes: [...routes, pushing] });
    if ((read.route === pushing) !== pushedKinds.includes(read.action.kind)) {
      const { kind } = read.action;
      throw new PayrunError('FAULT_KIND_MISPLACED', { kind, route: read.route, kinds: pushedKinds, pushing });
    }
    return striker(read);
  });
  const hanging = new Set<Socket>();
  const closing = new AbortController();
  const struck: Record<string, number> = {};

  const taken = (reply: FastifyReply): Socket => {
    reply.hijack();
    return reply.raw.socket!;
  };

  function hang(reply: FastifyReply): null {
    const socket = taken(reply);
    hanging.add(socket);
    socket.once('close', () => hanging.delete(socket));
    if (closing.signal.aborted) socket.destroy();
    return null;
  }

  /** Returns the answer in place of the call's; null if the fault took over the connection; `go on` to continue. */
  async function strike(action: Action, reply: FastifyReply, work: Work): Promise<Answer | null | 'go on'> {
    switch (action.kind) {
      case 'delay':
        await clock.sleep(action.ms, closing.signal);
        return 'go on';
      case 'drop':
        drop(taken(reply), action.how);
        return null;
      case 'late':
        drop(taken(reply), action.how);
        await clock.sleep(action.ms, closing.signal);
        if (!closing.signal.aborted) await work();
        return null;
      case 'hang':
        return hang(reply);
      case 'answer': {
        const body = action.body ?? JSON.stringify({ message: STATUS_CODES[action.status] ?? 'Fault' });
        const headers = { 'content-type': 'application/json; charset=utf-8', ...action.headers };
        return { status: action.status, headers, body };
      }
      case 'rotate':
        await rotate();
        return jsonAnswer(401, { message: 'Invalid token' });
      case 'identity': {
        const message = 'The identity provider failed; nothing was changed, and the same call may be sent again';
        return jsonAnswer(500, { message });
      }
      case 'cut':
        cut(taken(reply), await work(), action.framing);
        return null;
      case 'trickle':
        await trickle(taken(reply), await work(), action.msPerByte);
        return null;
      case 'repeat':
      case 'postpone':
        return 'go on';
    }
  }

  async function trickle(socket: Socket, answer: Answer, msPerByte: number): Promise<void> {
    const whole = bytesOf(answer);
    socket.write(headText(answer, `connection: close\r\ncontent-length: ${whole.length}`));
    for (const byte of whole) {
      await clock.sleep(msPerByte, closing.signal);
      if (closing.signal.aborted || socket.destroyed) break;
      socket.write(Buffer.from([byte]));
    }
    socket.end();
  }

  function striking(route: string): readonly Action[] {
    const actions = strikers.flatMap((strike) => strike(route) ?? []);
    for (const { kind } of actions) struck[kind] = (struck[kind] ?? 0) + 1;
    return actions;
  }

  return {
    /** Returns null if a fault took over the connection. The server then sends no answer. */
    async play(route: string, reply: FastifyReply, work: Work): Promise<Answer | null> {
      const { before = [], after = [] } = Object.groupBy(striking(route), sideOf);
      for (const action of before) {
        const outcome = await strike(action, reply, work);
        if (outcome !== 'go on') return outcome;
      }
      const answer = await work();
      for (const action of after) {
        const outcome = await strike(action, reply, async () => answer);
        if (outcome !== 'go on') return outcome;
      }
      return answer;
    },
    pushed() {
      let copies = 1;
      let delayMs = 0;
      for (const action of striking(pushing)) {
        if (action.kind === 'repeat') copies = Math.max(copies, action.times);
        if (action.kind === 'postpone') delayMs += action.ms;
      }
      return { copies, delayMs };
    },
    struck: (): { readonly [kind: string]: number } => ({ ...struck }),
    close() {
      closing.abort();
      for (const socket of hanging) socket.destroy();
    },
  };
}

function striker(rule: z.output<typeof faultRule>): (route: string) => Action | null {
  const { nth, from = 1, probability = 1, seed = 'payrun', times = Number.POSITIVE_INFINITY, action } = rule;
  const wanted = nth === undefined ? null : new Set([nth].flat());
  let calls = 0;
  let strikes = 0;
  return (route) => {
    // `*` does not match webhook calls, because webhook calls have their own kinds of faults.
    if (rule.route !== route && (rule.route !== '*' || route === pushing)) return null;
    calls += 1;
    if (calls < from || strikes >= times || (wanted !== null && !wanted.has(calls))) return null;
    if (chance(`${seed}|${rule.route}|${calls}`) >= probability) return null;
    strikes += 1;
    return action;
  };
}

function drop(socket: Socket, manner: 'reset' | 'close'): void {
  if (manner === 'reset') socket.resetAndDestroy();
  else socket.destroy();
}

const bytesOf = ({ body }: Answer) => Buffer.from(typeof body === 'string' ? body : '');

function headText({ status, headers }: Answer, framing: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${framing}\r\n\r\n`;
}

/** Writes to the socket directly, because Node's HTTP server never sends half an answer. */
function cut(socket: Socket, answer: Answer, framing: 'length' | 'chunked' | 'close'): void {
  const whole = bytesOf(answer);
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  const chunk = `${whole.length.toString(16)}\r\n`;
  const heads = {
    length: headText(answer, `content-length: ${whole.length}`),
    chunked: headText(answer, 'transfer-encoding: chunked') + chunk,
    close: headText(answer, 'connection: close'),
  };
  socket.end(Buffer.concat([Buffer.from(heads[framing]), half]));
}
