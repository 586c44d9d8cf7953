/** `payrun console`: the web console, on the same ledger and settings as the commands. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { PayrunError, wordsOf } from '../base/errors.ts';
import { openLedger } from '../ledger/ledger.ts';
import { sandboxFolders } from './assemble.ts';
import { loadSettings, type Settings } from './config.ts';
import { firstLine } from './screen.ts';
import { commandsAt } from './thread.ts';
import { readWhole } from './values.ts';
import { type Args, flag, text, type World } from './world.ts';

export async function openConsole(args: Args, world: World, version: string): Promise<number> {
  const { startConsole, isLoopback } = await import('../console/console.ts');
  const { env, cwd, streams, signals } = world;
  const settings = loadSettings({ env, cwd }, { ledger: text(args, 'ledger') ?? undefined });
  const host = text(args, 'listen') ?? '127.0.0.1';
  const behindProxy = proxyAddress(text(args, 'behind-proxy'));
  const tls = certificate(args, world);
  if (!isLoopback(host) && behindProxy === null && tls === null)
    throw new PayrunError('USAGE', {
      detail: `--listen ${host} lets other machines ask, and passwords would cross the network in the clear: name the proxy that speaks https with browsers (--behind-proxy https://NAME), or a certificate (--tls-cert FILE --tls-key FILE)`,
    });
  const { label, ledgerPath } = placeOf(args, world, settings);
  const ledger = openLedger(ledgerPath, systemClock);
  try {
    const console = await startConsole({
      ledger,
      clock: systemClock,
      command: commandsAt(world, placeFlags(args, world)),
      version,
      service: label,
      page: null,
      host,
      port: readWhole(text(args, 'port') ?? '7777', '--port', 0, 65_535),
      behindProxy,
      tls,
      log: (words) => streams.err.write(`${words}\n`),
    });
    streams.out.write(
      flag(args, 'json')
        ? `${JSON.stringify({ url: console.url, ledger: ledgerPath })}\n`
        : `${firstLine(label, ledgerPath, settings.configPath)}The console is at ${console.url}\n`,
    );
    try {
      await stopAsked(signals);
    } finally {
      await console.close();
    }
    return 0;
  } finally {
    await ledger.close();
  }
}

/** Nothing is asked of the service before somebody pays, but it must be known which one it is. */
function placeOf(
  args: Args,
  { env }: World,
  settings: Settings,
): { readonly label: string; readonly ledgerPath: string } {
  if (flag(args, 'sandbox')) return { label: 'sandbox', ledgerPath: sandboxFolders(settings, env).ledgerPath };
  const missing = [
    settings.baseUrl === null ? 'PAYRUN_BASE_URL' : null,
    settings.apiKey === null ? 'PAYRUN_API_KEY' : null,
    settings.apiSecret === null ? 'PAYRUN_API_SECRET' : null,
  ].filter((name) => name !== null);
  if (settings.baseUrl === null || missing.length > 0)
    throw new PayrunError('CREDENTIALS_MISSING', { missing: missing.join(', ') });
  return { label: settings.baseUrl, ledgerPath: settings.ledgerPath };
}

function placeFlags(args: Args, { cwd }: World): readonly string[] {
  const ledger = text(args, 'ledger');
  return [
    ...(ledger === null ? [] : ['--ledger', resolve(cwd, ledger)]),
    ...(flag(args, 'sandbox') ? ['--sandbox'] : []),
  ];
}

function proxyAddress(said: string | null): string | null {
  if (said === null) return null;
  const url = URL.canParse(said) ? new URL(said) : null;
  if (url === null || url.protocol !== 'https:' || `${url.origin}/` !== url.href)
    throw new PayrunError('USAGE', {
      detail: `--behind-proxy '${said}' is not the address that browsers use, such as https://pay.example.org: https, without user, path or query`,
    });
  return url.origin;
}

function certificate(args: Args, { cwd }: World): { readonly cert: Buffer; readonly key: Buffer } | null {
  const [cert, key] = [text(args, 'tls-cert'), text(args, 'tls-key')];
  if (cert === null && key === null) return null;
  if (cert === null || key === null) throw new PayrunError('USAGE', { detail: '--tls-cert and --tls-key go together' });
  const read = (path: string) => {
    try {
      return readFileSync(resolve(cwd, path));
    } catch (error) {
      throw new PayrunError('FILE_UNREADABLE', { path: resolve(cwd, path), detail: wordsOf(error) });
    }
  };
  return { cert: read(cert), key: read(key) };
}

/** Until a signal says that it is enough. */
async function stopAsked(signals: World['signals']): Promise<void> {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  signals.on('SIGINT', stop);
  signals.on('SIGTERM', stop);
  try {
    if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
  } finally {
    signals.off('SIGINT', stop);
    signals.off('SIGTERM', stop);
  }
}
