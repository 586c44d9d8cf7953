/**
 * Blocks what Node's permission model allows: the network, and signals to other processes. It restricts JavaScript only, and
 * cannot help against a fault in Node itself.
 */
import { registerHooks } from 'node:module';

const allowed = new Set(['node:buffer', 'node:fs', 'node:fs/promises', 'node:zlib']);

// Properties to remove: network calls, streams that are sockets, and ways to load modules past the hook below.
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
