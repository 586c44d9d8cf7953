/**
 * Blocks network calls and signals to other processes, because Node's permission model allows both. This limits
 * JavaScript code, but does not help against a fault in Node itself.
 */
import { registerHooks } from 'node:module';

const allowed = new Set(['node:buffer', 'node:fs', 'node:fs/promises', 'node:stream/promises', 'node:zlib']);

// `confine` deletes these names, which give access to the network, to sockets, to other processes and to modules.
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
