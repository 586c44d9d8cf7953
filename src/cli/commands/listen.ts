/** Runs `payrun listen`: receives webhooks, reads each named payment at the service, and shows its status. */
import { isoTime } from '../../base/clock.ts';
import { visible } from '../../base/words.ts';
import type { Note } from '../../domain/note.ts';
import { counted } from '../../messages/format/numbers.ts';
import { timeWords } from '../../messages/format/times.ts';
import { noteWords } from '../../messages/notes.ts';
import type { HintedPayment } from '../../pipeline/webhooks/handle-hint.ts';
import { actorOf } from '../args/build-orders.ts';
import type { Run } from '../args/command-table.ts';
import { readWhole } from '../args/durations-and-numbers.ts';
import { assemble, ledgerPlace } from '../compose/assemble.ts';
import { flag, placeFlags, reply, stopOn, text } from '../compose/command-context.ts';
import { loadSettings } from '../compose/config.ts';
import { seeing } from '../observe/observe.ts';

export const listen: Run = async (args, world) => {
  const { openHearing } = await import('../../pipeline/webhooks/handle-hint.ts');
  const { openReceiver } = await import('../../pipeline/webhooks/receiver.ts');
  const { streams, signals } = world;
  const settings = loadSettings(world, args);
  const json = flag(args, 'json');
  using stop = stopOn(signals);
  seeing()?.ledger(ledgerPlace(settings));
  const say = (note: Note) => streams.err.write(`${noteWords(note, placeFlags(args, world))}\n`);
  await using assembled = await assemble({ settings, concurrency: 4, stop: stop.signal, actor: actorOf(world), say });
  const { deps } = assembled;
  const hearing = openHearing(deps, (heard) =>
    reply(args, world, recordOf(heard, deps.clock.now()), lineOf(heard, deps.clock.now())),
  );
  const secret = settings.webhook.secret;
  const receiver = await openReceiver(
    {
      host: text(args, 'host') ?? '127.0.0.1',
      port: readWhole(text(args, 'port') ?? '9000', '--port', 0, 65_535),
      secret,
      unsigned: secret === null || flag(args, 'unsigned'),
    },
    deps.clock,
    hearing.take,
  );
  try {
    const { label } = deps.service;
    const words = greeting(receiver.url, label, secret !== null, flag(args, 'unsigned'));
    reply(args, world, { url: receiver.url, service: label }, words);
    await stop.asked;
  } finally {
    await receiver.close();
    await hearing.close();
  }
  if (hearing.ignored() > 0 && !json)
    streams.err.write(`${counted(hearing.ignored(), 'call')} led to no payment, or to one whose end was known.\n`);
  return 'done';
};

function greeting(url: string, service: string, withSecret: boolean, unsigned: boolean): string {
  const which = withSecret
    ? unsigned
      ? 'Calls signed with PAYRUN_WEBHOOK_SECRET, and unsigned calls about payments of this ledger, are accepted.'
      : 'Only calls signed with PAYRUN_WEBHOOK_SECRET are accepted.'
    : 'PAYRUN_WEBHOOK_SECRET is not set. Unsigned calls about payments of this ledger are accepted.';
  return `Payrun listens for webhooks of ${service} on ${url}\n${which}\nPayrun trusts no call. It reads each payment at the service, and shows that answer.\n`;
}

function lineOf({ payment, row, signed }: HintedPayment, at: number): string {
  const parts = [
    timeWords(at),
    payment.status ?? 'no status',
    [payment.amount, payment.destinationCurrency].filter((part) => part != null).join(' '),
    payment.reference ?? '',
    `payment ${payment.id}`,
    row === null ? 'not of this ledger' : `row ${row.key} of batch ${row.batch}`,
    ...(signed ? [] : ['unsigned']),
  ];
  return `${parts
    .filter((part) => part !== '')
    .map(visible)
    .join('  ')}\n`;
}

function recordOf({ payment, row, signed }: HintedPayment, at: number): object {
  const { id, status, amount, destinationCurrency, reference, tag } = payment;
  const ours = row === null ? { batch: null, row: null } : { batch: row.batch, row: row.key };
  return { time: isoTime(at), payment: id, status, amount, destinationCurrency, reference, tag, ...ours, signed };
}
