/** Opens connections to Postgres with synchronous answers. A thread holds the connections and signals each answer. */
import { extname, join } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { SqlValue } from '../sql.ts';
import { PostgresFault } from './fault.ts';

export interface Given {
  readonly address: string;
  readonly name: string;
  readonly port: MessagePort;
  readonly signal: Int32Array;
}

export const [rings, beats, endings] = [0, 1, 2] as const;

export interface LinkRequest {
  readonly number: number;
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly prepare: string | null;
}

export interface LinkAnswer {
  readonly number: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly changes: number;
  readonly fault?: Pick<PostgresFault, 'fault' | 'code'>;
}

export type Link = ReturnType<typeof openLink>;

const entry = join(import.meta.dirname, `postgres-thread${extname(import.meta.filename)}`);
/** A thread without a heartbeat for this long counts as ended, perhaps because memory ran out. */
const timeoutMs = 60_000;

const ended = { fault: { fault: 'connection-has-ended' }, code: '08006' } as const;
export const nothing = { columns: [], rows: [], changes: 0 };

/** One thread holds all connections, because its start takes longer than a connection. Null before the first one. */
let running: Worker | null = null;

function startThread(): Worker {
  // The thread gets none of this process's command-line options, because a thread rejects some of them.
  const thread = new Worker(entry, { execArgv: [] });
  // Ignores this error, because `next` returns a fault when the failed thread sends no answer.
  thread.on('error', () => {});
  thread.once('exit', () => {
    if (running === thread) running = null;
  });
  thread.unref();
  return thread;
}

/** Opens a connection, which the server lists under `name`. Throws a PostgresFault if it cannot connect. */
export function openLink(address: string, name: string) {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(12));
  running ??= startThread();
  running.postMessage({ address, name, port: port2, signal } satisfies Given, [port2]);
  // The thread closes its port when the connection ends.
  const lost = new Promise<void>((done) => port.once('close', done));
  let asked = 0;
  let answered = -1;

  /** Returns the next answer, which is a fault if the connection has ended or the thread is silent. */
  function next(): LinkAnswer {
    answered += 1;
    for (;;) {
      const rung = Atomics.load(signal, rings);
      const beat = Atomics.load(signal, beats);
      const isOver = Atomics.load(signal, endings) > 0;
      const got = receiveMessageOnPort(port) as { message: LinkAnswer } | undefined;
      if (got !== undefined) return got.message;
      if (isOver) return { number: answered, ...nothing, fault: ended };
      const waited = Atomics.wait(signal, rings, rung, timeoutMs);
      if (waited !== 'timed-out' || Atomics.load(signal, beats) !== beat) continue;
      Atomics.store(signal, endings, 1);
      port.close();
      running = null;
    }
  }

  const { fault } = next();
  if (fault !== undefined) throw new PostgresFault(fault);
  return {
    lost,
    /** Returns the number of the statement. Answers come in the order of the statements. */
    ask(text: string, values: readonly SqlValue[], prepare: string | null) {
      asked += 1;
      port.postMessage({ number: asked, text, values, prepare } satisfies LinkRequest);
      return asked;
    },
    next,
    async close() {
      // The port closes only after somebody has read its last answers.
      port.on('message', () => {});
      port.postMessage('end');
      await lost;
    },
  };
}
