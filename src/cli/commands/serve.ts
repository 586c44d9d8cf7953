/** Runs the payout service by itself: `service`, `service tenant add`, `service user verify`. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream';
import { z } from 'zod';
import { given } from '../../base/words.ts';
import { typed } from '../../messages/format/program.ts';
import { wordsOf } from '../../messages/refusals.ts';
import type { FaultRule, Service, StorePlace } from '../../service/service.ts';
import type { Run } from '../args/command-table.ts';
import { readWhole } from '../args/durations-and-numbers.ts';
import { type Args, type CommandContext, flag, reply, stopOn, text, usage } from '../compose/command-context.ts';
import { stateFolder } from '../compose/config.ts';
import { listOf, readDocuments } from '../compose/document-settings.ts';
import { seeing } from '../observe/observe.ts';

function servicePlace(args: Args, world: CommandContext): StorePlace {
  const data = text(args, 'data');
  const dataDir = data === null ? join(stateFolder(world.env), 'service') : resolve(world.cwd, data);
  const database = databaseUrl(args, world);
  return database === null ? { dataDir } : { dataDir, database };
}

/** Refuses a password on the command line, where other people could read it. */
function databaseUrl(args: Args, world: CommandContext): string | null {
  const given = text(args, 'database');
  const name = given === null ? 'PAYRUN_SERVICE_DATABASE' : '--database';
  const url = given ?? world.env.PAYRUN_SERVICE_DATABASE ?? '';
  if (url === '') return null;
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol))
    throw usage(`${name} is no address such as postgres://user@host/database`);
  if (given !== null && new URL(given).password !== '') {
    throw usage(
      '--database holds a password: put the address into PAYRUN_SERVICE_DATABASE, or the password into PGPASSWORD',
    );
  }
  return url;
}

export const serviceAlone: Run = async (args, world) => {
  const { holdData, startService } = await import('../../service/service.ts');
  const whole = (name: string, least: number, most: number) =>
    readWhole(text(args, name) ?? '', `--${name}`, least, most);
  const place = servicePlace(args, world);
  const { dataDir } = place;
  const deployment = text(args, 'deployment');
  const documents = readDocuments(listOf(text(args, 'documents-kinds')), text(args, 'documents-max-size'), {
    kinds: '--documents-kinds',
    size: '--documents-max-size',
  });
  if (deployment !== null && place.database === undefined)
    throw usage('--deployment needs --database: on SQLite each start is a deployment');
  const options = {
    ...place,
    port: whole('port', 0, 65_535),
    ...given({
      deployment,
      log: seeing()?.served,
      basePath: text(args, 'base-path'),
      publicUrl: text(args, 'public-url'),
    }),
    metrics: true,
    documents,
    host: text(args, 'host') ?? '127.0.0.1',
    ...(text(args, 'rail-limits') === 'off' ? { railLimits: null } : {}),
    requestsPerMinute: whole('requests-per-minute', 0, 1_000_000),
    tokensPerMinute: whole('tokens-per-minute', 0, 1_000_000),
    limits: {
      momoAccounts: whole('momo-accounts', 1, 1000),
      uploads: whole('uploads', 0, 1_000_000_000),
      uploadBytes: whole('upload-space', 0, 1_000_000_000) * 1024 * 1024,
    },
    faults: await faultRules(args, world),
  };
  // The nodes of a service on Postgres share the folder, so Payrun does not lock it.
  const lock = place.database === undefined ? holdData(dataDir) : null;
  try {
    await serve(await startService(options), dataDir, args, world);
  } finally {
    lock?.release();
  }
  return 'done';
};

async function serve(service: Service, dataDir: string, args: Args, world: CommandContext): Promise<void> {
  const { url, onLoopback } = service;
  const database = text(args, 'database');
  const where = `--data ${JSON.stringify(dataDir)}${database === null ? '' : ` --database ${JSON.stringify(database)}`}`;
  const lines = [
    `The payout service listens on ${url}`,
    `Its data: ${dataDir}`,
    `A key and secret: ${typed('service tenant add NAME')} ${where}`,
    `Its description: ${url}/reference`,
    `Webhooks go to public https addresses${onLoopback ? ' and, since only this machine reaches the service, to this machine' : ''}.`,
  ];
  reply(args, world, { url, data: dataDir }, `${lines.join('\n')}\n`);
  using listening = stopOn(world.signals);
  // Stops when stdin ends, as it does when the parent process is killed. A stdin from /dev/null ends at once.
  if (flag(args, 'until-eof')) finished(process.stdin.resume(), { writable: false }, listening.stop);
  await listening.asked;
  await service.close();
  if (flag(args, 'until-eof')) process.stdin.destroy();
  if (flag(args, 'json')) world.streams.out.write(`${JSON.stringify(service.stats())}\n`);
}

async function faultRules(args: Args, world: CommandContext): Promise<readonly FaultRule[]> {
  const file = text(args, 'faults');
  if (file === null) return [];
  const path = resolve(world.cwd, file);
  const { faultRule } = await import('../../service/service.ts');
  try {
    return z.array(faultRule).parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).replaceAll(/\s*\n\s*/g, ' ') : wordsOf(error);
    throw usage(`--faults ${path}: ${why}`);
  }
}

export const userVerify: Run = async (args, world) => {
  const { operate } = await import('../../service/service.ts');
  const userId = text(args, 'userid') ?? '';
  await operate(servicePlace(args, world), ({ users }) => users.verify(userId));
  return reply(args, world, { userId, isVerified: true }, `User ${userId} is verified.\n`);
};

export const tenantAdd: Run = async (args, world) => {
  const { operate } = await import('../../service/service.ts');
  const made = await operate(servicePlace(args, world), ({ tenants }) => tenants.add(text(args, 'name') ?? ''));
  return reply(
    args,
    world,
    made,
    `PAYRUN_API_KEY=${made.apiKey}\nPAYRUN_API_SECRET=${made.apiSecret}\nThe secret is shown once and cannot be read again.\n`,
  );
};
