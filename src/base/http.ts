/** Has the parts that both HTTP servers share, and Node's HTTP module. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from './clock.ts';

/** Returns Node's HTTP module. An import of `node:http` would also load WebSocket code, and take twice the time. */
export const nodeHttp = () => process.getBuiltinModule('node:http');

interface App {
  readonly server: Server;
  close(): PromiseLike<unknown>;
}

/**
 * Returns a function that closes the server. It waits for the calls under way, at most `graceMs`. Then it closes every
 * connection, because Node waits for one that never sent a request.
 */
export function closerOf(app: App, graceMs: number, after: Clock['after']): () => Promise<void> {
  const underWay = new Set<ServerResponse>();
  let closing = false;
  const endIfQuiet = () => {
    if (closing && underWay.size === 0) app.server.closeAllConnections();
  };
  app.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      endIfQuiet();
    });
  });
  return async () => {
    closing = true;
    const forget = after(graceMs, () => app.server.closeAllConnections());
    const closed = app.close();
    endIfQuiet();
    await closed;
    forget();
  };
}

/** Refuses input that is not HTTP or arrives too slowly. */
export function refuseRaw(error: Error & { code?: string }, socket: Socket, headers: Record<string, string>): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
  const body = JSON.stringify({ message: status.slice(4) });
  const all = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
}
