/** Opens a connection to Postgres with synchronous answers. A thread holds the connection and signals each answer. */
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

export const rings = 0;
export const beats = 1;

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

/** Opens a connection, which the server lists under `name`. Throws a PostgresFault if it cannot connect. */
export function openLink(address: string, name: string) {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new Int32Array(new SharedArrayBuffer(8));
  const given: Given = { address, name, port: port2, signal };
  // The thread gets none of this process's command-line options, because a thread rejects some of them.
  const thread = new Worker(entry, { workerData: given, transferList: [port2], execArgv: [] });
  const ended = new Promise<void>((done) => thread.once('exit', () => done()));
  // Ignores this error, because `next` throws when the failed thread sends no answer.
  thread.on('error', () => {});
  thread.unref();
  let asked = 0;
  let open = true;

  function next(): LinkAnswer {
    for (;;) {
      const rung = Atomics.load(signal, rings);
      const beat = Atomics.load(signal, beats);
      const got = receiveMessageOnPort(port) as { message: LinkAnswer } | undefined;
      if (got !== undefined) return got.message;
      const waited = Atomics.wait(signal, rings, rung, timeoutMs);
      if (waited === 'timed-out' && Atomics.load(signal, beats) === beat)
        throw new PostgresFault({ fault: { fault: 'connection-has-ended' }, code: '08006' });
    }
  }

  async function close(): Promise<void> {
    if (!open) return;
    open = false;
    thread.ref();
    port.postMessage('end');
    await ended;
    port.close();
  }

  const { fault } = next();
  if (fault !== undefined) {
    void close();
    throw new PostgresFault(fault);
  }
  return {
    lost: Promise.race([ended, new Promise<void>((done) => thread.once('message', () => done()))]),
    /** Returns the number of the statement. Answers come in the order of the statements. */
    ask(text: string, values: readonly SqlValue[], prepare: string | null) {
      if (!open) throw new PostgresFault({ fault: { fault: 'connection-has-ended' }, code: '08003' });
      asked += 1;
      port.postMessage({ number: asked, text, values, prepare } satisfies LinkRequest);
      return asked;
    },
    next,
    close,
  };
}
