/** A TCP proxy in this process: what lies below HTTP goes wrong here, at a chosen request for a payment. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** `after`: the request still reached the service, and only its answer is lost. */
export type Toxic =
  /** The peer is gone, with an RST. */
  | { readonly kind: 'reset'; readonly after?: boolean }
  /** The connection ends in good order (FIN), without an answer. */
  | { readonly kind: 'fin'; readonly after?: boolean }
  /** Nothing comes back, and the connection stays. */
  | { readonly kind: 'hang'; readonly after?: boolean }
  /** The answer ends after so many of its bytes. */
  | { readonly kind: 'limit_data'; readonly bytes: number }
  /** The answer comes so slowly. */
  | { readonly kind: 'bandwidth'; readonly bytesPerSecond: number }
  /** The answer comes whole, in pieces of one byte. */
  | { readonly kind: 'slicer' }
  /** The service carries the request out, and the client gets these bytes; then FIN, or blanks without end. */
  | { readonly kind: 'instead'; readonly bytes: string; readonly endless?: boolean };

export interface TcpProxy {
  readonly url: string;
  /** Asked for each POST /payments, counted from 1. */
  toxic: (nth: number) => Toxic | undefined;
  /** How many requests for a payment came here, let through or not. */
  readonly asked: number;
  /** New connections are refused from now on; those that stand go on. */
  refuse(): Promise<void>;
  /** Listens again, at the same address. */
  accept(): Promise<void>;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let asked = 0;

  function pass(client: Socket): void {
    const service = connect(Number(port), hostname);
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      // Cut connections are what this file is for.
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    }
    let toxic: Toxic | undefined;
    client.on('data', (bytes) => {
      if (bytes.toString('latin1', 0, 15) === 'POST /payments ') {
        asked += 1;
        toxic = proxy.toxic(asked);
      }
      const lost = toxic !== undefined && 'after' in toxic ? toxic.after !== true : isRequestLost(toxic);
      if (!lost) service.write(bytes);
      else if (toxic?.kind === 'reset') client.resetAndDestroy();
      else if (toxic?.kind === 'fin') client.end();
    });
    service.on('data', (bytes) => void answer(client, bytes, toxic));
    service.once('end', () => toxic === undefined && client.end());
    client.once('close', () => service.destroy());
  }

  const server = createServer(pass);
  const listen = async (at: number) => await new Promise<void>((done) => server.listen(at, '127.0.0.1', done));
  await listen(0);
  const here = (server.address() as AddressInfo).port;
  const proxy: TcpProxy = {
    url: `http://127.0.0.1:${here}`,
    toxic: () => undefined,
    get asked() {
      return asked;
    },
    refuse: async () => {
      server.close();
    },
    accept: async () => await listen(here),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return proxy;
}

/** Without a word on it, these three lose the request itself. */
function isRequestLost(toxic: Toxic | undefined): boolean {
  return toxic?.kind === 'reset' || toxic?.kind === 'fin' || toxic?.kind === 'hang';
}

async function answer(client: Socket, bytes: Buffer, toxic: Toxic | undefined): Promise<void> {
  switch (toxic?.kind) {
    case undefined:
      client.write(bytes);
      return;
    case 'reset':
      client.resetAndDestroy();
      return;
    case 'fin':
      client.end();
      return;
    case 'hang':
      return;
    case 'limit_data':
      client.end(bytes.subarray(0, toxic.bytes));
      return;
    case 'bandwidth':
      await drip(client, bytes, 1000 / toxic.bytesPerSecond);
      return;
    case 'slicer':
      await drip(client, bytes, 0);
      return;
    case 'instead': {
      client.write(toxic.bytes);
      if (!toxic.endless) client.end();
      const more = Buffer.alloc(65_536, ' ');
      while (toxic.endless && client.writable) {
        client.write(more);
        await sleep(1);
      }
    }
  }
}

async function drip(client: Socket, bytes: Buffer, pauseMs: number): Promise<void> {
  for (const byte of bytes) {
    if (!client.writable) return;
    client.write(Uint8Array.of(byte));
    await sleep(pauseMs);
  }
}
