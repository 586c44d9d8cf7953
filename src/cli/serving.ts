/** The payout service by itself: service, service tenant add. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream';
import { z } from 'zod';
import { PayrunError, wordsOf } from '../base/errors.ts';
import type { FaultRule, Service } from '../service/service.ts';
import { stateFolder } from './config.ts';
import { readWhole } from './values.ts';
import { type Args, flag, text, type World } from './world.ts';

function serviceData(args: Args, world: World): string {
  const data = text(args, 'data');
  return data === null ? join(stateFolder(world.env), 'service') : resolve(world.cwd, data);
}

export async function serviceAlone(args: Args, world: World): Promise<number> {
  const { holdData, startService } = await import('../service/service.ts');
  const port = readWhole(text(args, 'port') ?? '8080', '--port', 0, 65_535);
  const dataDir = serviceData(args, world);
  const basePath = text(args, 'base-path');
  const tokens = text(args, 'tokens-per-minute');
  const options = {
    dataDir,
    port,
    ...(basePath === null ? {} : { basePath }),
    ...(tokens === null ? {} : { tokensPerMinute: readWhole(tokens, '--tokens-per-minute', 0, 1_000_000) }),
    faults: await faultRules(args, world),
  };
  const lock = holdData(dataDir);
  try {
    await serve(await startService(options), dataDir, args, world);
  } finally {
    lock.release();
  }
  return 0;
}

/** Until a signal, or the end of stdin, says that it is enough. */
async function serve(service: Service, dataDir: string, args: Args, world: World): Promise<void> {
  const { out } = world.streams;
  const json = flag(args, 'json');
  if (json) out.write(`${JSON.stringify({ url: service.url, data: dataDir })}\n`);
  else {
    out.write(`The payout service listens on ${service.url}\n`);
    out.write(`Its data: ${dataDir}\n`);
    out.write(`A key and secret: payrun service tenant add NAME --data ${JSON.stringify(dataDir)}\n`);
  }
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  world.signals.on('SIGINT', stop);
  world.signals.on('SIGTERM', stop);
  // Whoever holds the other end may die by kill -9, and then nobody else would end this process. A file, /dev/null too, only ends.
  if (flag(args, 'until-eof')) finished(process.stdin.resume(), { writable: false }, stop);
  if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
  await service.close();
  if (flag(args, 'until-eof')) process.stdin.destroy();
  if (json) out.write(`${JSON.stringify(service.stats())}\n`);
}

/** A list of rules in a file of JSON: faults come on purpose, or not at all. */
async function faultRules(args: Args, world: World): Promise<readonly FaultRule[]> {
  const file = text(args, 'faults');
  if (file === null) return [];
  const path = resolve(world.cwd, file);
  const { faultRule } = await import('../service/service.ts');
  try {
    return z.array(faultRule).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).replaceAll(/\s*\n\s*/g, ' ') : wordsOf(error);
    throw new PayrunError('USAGE', { detail: `--faults ${path}: ${why}` });
  }
}

export async function tenantAdd(args: Args, world: World): Promise<number> {
  const { addTenant } = await import('../service/service.ts');
  const made = await addTenant(serviceData(args, world), text(args, 'name') ?? '');
  const { out } = world.streams;
  if (flag(args, 'json')) out.write(`${JSON.stringify(made)}\n`);
  else
    out.write(
      `PAYRUN_API_KEY=${made.apiKey}\nPAYRUN_API_SECRET=${made.apiSecret}\nThe secret is shown once and cannot be read again.\n`,
    );
  return 0;
}
