/**
 * Removes what Node's permission model leaves to a process: the network, and signals to other processes. It stops
 * JavaScript, but not a fault in Node itself.
 */
import { registerHooks } from 'node:module';

/** The modules of Node that reading a workbook needs. */
const allowed = new Set(['node:buffer', 'node:fs', 'node:fs/promises', 'node:zlib']);

// Ways to the network: calls, streams that are sockets, and access to modules that bypasses the hook below.
const globals = ['fetch', 'WebSocket', 'EventSource', 'console'];
const ofProcess = ['stdin', 'stdout', 'stderr', 'getBuiltinModule', 'binding', '_linkedBinding', 'dlopen', 'execve'];
const signals = ['kill', '_kill', '_debugProcess'];

export function confine(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (found.url.startsWith('node:') && !allowed.has(found.url)) throw new Error(`${found.url} is not for reading`);
      return found;
    },
  });
  for (const name of globals) Reflect.deleteProperty(globalThis, name);
  for (const name of [...ofProcess, ...signals]) Reflect.deleteProperty(process, name);
}
