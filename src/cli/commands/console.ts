/** Runs `payrun console`: the web console, with the same ledger and settings as the commands. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import { version } from '../../base/build.ts';
import { systemClock } from '../../base/clock.ts';
import { readOrRefuse } from '../../base/errors.ts';
import type { Failure } from '../../base/refusal.ts';
import { given } from '../../base/words.ts';
import type { Console } from '../../console/console.ts';
import { openLedger } from '../../ledger/ledger.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { messageOfError, type PageMessage } from '../../messages/web/messages.ts';
import { policyInForce, refuseUnbound, rowRules } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { readWhole } from '../args/durations-and-numbers.ts';
import { clientAt, credentialsIn, doubtSettings, ledgerPlace, placeFor } from '../compose/assemble.ts';
import { everySignal, failureIn, isExpected, reply, stopOn, text, usage } from '../compose/command-context.ts';
import { loadSettings, type Settings } from '../compose/config.ts';
import { seeing } from '../observe/observe.ts';
import { performIn } from '../perform/thread.ts';
import { firstLine } from '../render/screen.ts';
import { settingsShown } from '../render/settings-shown.ts';

export const openConsole: Run = async (args, world) => {
  const { startConsole, isLoopback } = await import('../../console/console.ts');
  const { pageFolder } = await import('../../console/build-page.ts');
  const { cwd, streams, signals } = world;
  const settings = loadSettings(world, args);
  refuseUnbound({}, world, settings, [cwd]);
  const { sandbox, ledgerPath } = settings;
  const host = text(args, 'listen') ?? '127.0.0.1';
  const behindProxy = proxyAddress(text(args, 'behind-proxy'));
  const tls = certificate(text(args, 'tls-cert'), text(args, 'tls-key'), cwd);
  if (!isLoopback(host) && behindProxy === null && tls === null)
    throw usage(
      `--listen ${host} lets other machines ask, and passwords would cross the network in the clear: name the proxy that speaks https with browsers (--behind-proxy https://NAME), or a certificate (--tls-cert FILE --tls-key FILE)`,
    );
  const label = sandbox ? 'sandbox' : credentialsIn(settings).label;
  const page = await pageFolder(pageCache, () => streams.err.write('Building the page, once for these sources.\n'));
  using stop = stopOn(signals, everySignal);
  const place = ledgerPlace(settings);
  seeing()?.ledger(place);
  let port = readWhole(text(args, 'port') ?? '7777', '--port', 0, 65_535);
  let isTold = false;
  let last: Failure | null = null;
  const say = (words: string) => streams.err.write(`${words}\n`);

  async function serve(): Promise<void> {
    await using ledger = openLedger(ledgerPath, systemClock, { ...place.options, busyTimeoutMs: 20 });
    const console = await startConsole({
      ledger,
      clock: systemClock,
      perform: performIn(world, { ...given({ ledger: text(args, 'ledger') }), sandbox }),
      version,
      service: label,
      serviceFault: sandbox ? async () => null : asked(() => serviceFault(settings)),
      settings: () => settingsShown({ ...settings, doubt: doubtSettings(settings, sandbox) }, world),
      machinePolicy: policyInForce({}, world, settings),
      check: {
        rules: rowRules({}, settings),
        choices: settings.choices,
        documents: settings.documents,
        rails: settings.guards.rails,
        duplicatesWindow: settings.guards.duplicatesWindow,
      },
      doubt: doubtSettings(settings, sandbox),
      page,
      host,
      port,
      behindProxy,
      tls,
      log: (fault) => say(wordsOf(fault)),
      tell: (batch) =>
        say(
          `The console first finishes the payments in flight. To send the other rows${batch === null ? '' : ` of batch ${batch}`}, start the console again and continue the batch.`,
        ),
    });
    port = Number(new URL(console.local).port);
    if (isTold) streams.err.write('The console continues.\n');
    // Each start makes a new link for the first administrator. The previous link is no longer valid.
    if (!isTold || console.firstLink !== null) tell(console);
    isTold = true;
    last = null;
    await Promise.race([stop.asked, ledger.lost]);
    await console.close();
  }

  function tell({ url, firstLink }: Console): void {
    const start = `${firstLine(label, ledgerPath, settings.configPath)}The console is at ${url}\n`;
    const link =
      firstLink === null
        ? ''
        : `Nobody has an account yet. This link makes one person the first administrator. It works once, within a day:\n  ${firstLink}\n`;
    reply(args, world, { url, ledger: ledgerPath, first_link: firstLink }, start + link);
  }

  while (!stop.signal.aborted) {
    try {
      await serve();
      if (!stop.signal.aborted)
        streams.err.write('The console lost the connection to its database. It starts again.\n');
    } catch (error) {
      // An expected error before the first start is a mistake in the settings. After that, the console tries again.
      if (!isTold || !isExpected(error)) throw error;
      const failure = failureIn(error);
      if (!isDeepStrictEqual(failure, last)) streams.err.write(`${wordsOf(error)} It tries again.\n`);
      last = failure;
      await systemClock.sleep(restMs, stop.signal);
    }
  }
  return 'done';
};

const restMs = 1000;

const pageCache = join(import.meta.dirname, '../../../node_modules/.cache/payrun-page');

/** Requests a token. Returns the error; null if the service gave a token. */
async function serviceFault(settings: Settings): Promise<PageMessage | null> {
  try {
    await using place = await placeFor({ settings });
    using client = clientAt(place, settings, 1, systemClock);
    await client.ready();
    return null;
  } catch (error) {
    return messageOfError(error);
  }
}

const askedEveryMs = 30_000;

/** Keeps an answer for `askedEveryMs`, because the service limits the number of tokens. */
function asked<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let at = 0;
  return () => {
    if (answer === null || systemClock.monotonic() - at >= askedEveryMs) {
      at = systemClock.monotonic();
      answer = ask();
    }
    return answer;
  };
}

function proxyAddress(said: string | null): string | null {
  if (said === null) return null;
  const url = URL.canParse(said) ? new URL(said) : null;
  if (url === null || url.protocol !== 'https:' || `${url.origin}/` !== url.href)
    throw usage(
      `--behind-proxy '${said}' is not the address that browsers use, such as https://pay.example.org: https, without user, path or query`,
    );
  return url.origin;
}

function certificate(cert: string | null, key: string | null, cwd: string) {
  if (cert === null && key === null) return null;
  if (cert === null || key === null) throw usage('--tls-cert and --tls-key go together');
  const read = (path: string) => readOrRefuse(path, () => readFileSync(path));
  const pair = { cert: read(resolve(cwd, cert)), key: read(resolve(cwd, key)) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw usage(`${cert} and ${key} cannot be used as a certificate and its key, both as PEM: ${wordsOf(error)}`);
  }
  return pair;
}
