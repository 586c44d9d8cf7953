/** Notifies people by mail, chat or command that a run needs a person. A failed notification never changes how a run ended. */
import { spawn } from 'node:child_process';
import type { BareCommand, FileCommand } from '../../app/batch/command.ts';
import { shellWord, visible } from '../../base/words.ts';
import { type Actor, rightsOf } from '../../domain/sending/actor.ts';
import type { End } from '../../domain/sending/end.ts';
import { rowCountWords } from '../../messages/format/numbers.ts';
import { type NoticeKind, noticeWords } from '../../messages/mail.ts';
import type { Place } from '../../messages/next-actions.ts';
import { type BatchStatus, type Ending, endOf, reachedIn, whyStopped } from '../../pipeline/outcome.ts';
import { fateOf } from '../../pipeline/refusal-kind.ts';
import type { Heard } from '../compose/command-context.ts';
import { loadSettings, type Settings } from '../compose/config.ts';
import { exitOf } from '../render/exit-code.ts';

/** Contains no secrets. */
export type Notification = NonNullable<ReturnType<typeof noticeOf>>;

export interface CommandResult {
  readonly end: End;
  /** The error's code (docs/reference/errors.md); null without an error that has a code. */
  readonly code: string | null;
  readonly outcome: Pick<BatchStatus, 'batch' | 'service' | 'rows'> | null;
  readonly batch: string | null;
  /** The sheet's name in the hot folder; null for a run outside the hot folder. */
  readonly sheet: string | null;
  /** True if a sheet in the hot folder waits, for example for its control totals or for a plan. */
  readonly waits?: boolean;
  /** True if a scheduled hour passed and rows are unsent: no worker ran, or the batch was paused. */
  readonly missed?: boolean;
}

const whatEnded = ({ end, code, outcome, waits, missed }: CommandResult): NoticeKind | null => {
  if (missed === true) return 'missed';
  if (end === 'alarm') return 'alarm';
  if (end === 'doubt') return (outcome?.rows.in_doubt ?? 0) > 0 ? 'in doubt' : 'held';
  if (fateOf(code) === 'approval' || waits === true) return 'waits';
  if (end === 'sheet' || end === 'rule') return 'refused';
  if (end === 'machine' || end === 'usage' || end === 'service') return 'stopped';
  return end === 'unpaid' ? 'unpaid' : null;
};

/** Returns null if the run needs no person. Omits the error's message, which may contain account numbers. */
export function noticeOf(ended: CommandResult, place: Place) {
  const what = whatEnded(ended);
  if (what === null) return null;
  const { end, code, outcome, sheet } = ended;
  const batch = outcome?.batch ?? ended.batch;
  return {
    what,
    exit: exitOf(end),
    code,
    batch,
    sheet,
    service: outcome?.service ?? null,
    rows: outcome?.rows ?? null,
    what_to_do: noticeWords[what](batch === null ? '' : ` ${shellWord(batch)}`, place),
  };
}

/** Returns the first line, also the mail's subject. A subject must be ASCII, so it has no batch name. */
const firstLineOf = ({ what, exit }: Notification): string => `payrun: ${what} (exit ${exit})`;

export function textOf(notice: Notification): string {
  const { rows, batch, sheet, service, code, what_to_do } = notice;
  return [
    firstLineOf(notice),
    ...(batch === null ? [] : [`Batch: ${batch}`]),
    ...(sheet === null ? [] : [`Sheet in the hot folder: ${sheet}`]),
    ...(service === null ? [] : [`Service: ${service}`]),
    ...(rows === null ? [] : [rowCountWords(rows)]),
    ...(code === null ? [] : [`Code: ${code}`]),
    what_to_do,
  ].join('\n');
}

/** The place of the command that ended, which the commands in a notification repeat. */
type Placed = Heard & { readonly place: Place };

/** Notifies people how a run ended. Other commands, and actors who report their runs themselves, notify nobody here. */
export async function notifyOfRun(command: BareCommand | FileCommand, ending: Ending, actor: Actor, world: Placed) {
  if (command.do !== 'run' && command.do !== 'resume' && command.do !== 'retry') return;
  if (rightsOf(actor).notifiesEnd)
    await notify({ ...endedBy(ending), batch: command.batch ?? null, sheet: null }, world);
}

export const endedBy = (ending: Ending): Pick<CommandResult, 'end' | 'code' | 'outcome'> => ({
  end: endOf(ending),
  code: whyStopped(ending)?.code ?? null,
  outcome: reachedIn(ending),
});

/** Returns a function that notifies if the end, error or row counts of a batch changed. Its flag skips this check. */
export function notifyingOnce(world: Placed): (ended: CommandResult) => Promise<void> {
  const notices = new Map<string | null, string>();
  return async (ended) => {
    const { in_doubt, held, unpaid, paid_twice } = ended.outcome?.rows ?? {};
    const matter = JSON.stringify([ended.end, ended.code, in_doubt, held, unpaid, paid_twice]);
    if (notices.get(ended.batch) === matter) return;
    notices.set(ended.batch, matter);
    await notify(ended, world);
  };
}

export async function notify(ended: CommandResult, world: Placed): Promise<void> {
  const notice = noticeOf(ended, world.place);
  if (notice === null) return;
  const settings = settingsIn(world);
  if (settings === null) return;
  const { mail, command, webhook } = settings;
  const deliver = async (way: string, delivery: Promise<void>) =>
    await delivery.then(
      () => '',
      (error: unknown) =>
        `payrun: the notification by ${way} was not sent: ${visible(wordsFor(error))}. The run is what it is.\n`,
    );
  const undelivered = await Promise.all([
    ...(mail.length === 0 ? [] : [deliver('mail', byMail(notice, settings, world))]),
    ...(webhook === null ? [] : [deliver('chat webhook', byWebhook(notice, webhook.reveal()))]),
    ...(command === null ? [] : [deliver('command', given(command, [], `${JSON.stringify(notice)}\n`, world))]),
  ]);
  world.streams.err.write(undelivered.join(''));
}

/** Returns null for settings that cannot be read. The run itself reports that mistake. */
function settingsIn(world: Heard): Settings['notify'] | null {
  try {
    return loadSettings(world, {}, false).notify;
  } catch {
    return null;
  }
}

/** Omits the message of a system error, which may contain the webhook's address. That address is secret. */
function wordsFor(error: unknown): string {
  if (error instanceof DeliveryFailure) return error.message;
  const { code, cause, name } = error as { code?: string; cause?: { code?: string }; name?: string };
  return cause?.code ?? code ?? name ?? 'it failed';
}

class DeliveryFailure extends Error {}

const timeoutMs = 15_000;

async function byMail(notice: Notification, { mail, sendmail }: Settings['notify'], world: Heard) {
  const head = [
    `To: ${mail.join(', ')}`,
    `Subject: ${firstLineOf(notice)}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ];
  const body = Buffer.from(`${textOf(notice)}\n`)
    .toString('base64')
    .replaceAll(/.{76}/g, '$&\n');
  await given(sendmail, ['-i', '--', ...mail], `${head.join('\n')}\n\n${body}\n`, world);
}

/** Sends JSON with `text`, which Slack, Mattermost, Teams and Google Chat read. */
async function byWebhook(notice: Notification, url: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: textOf(notice) }),
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new DeliveryFailure(`it answered ${answer.status}`);
}

/** Passes the program only four variables of the environment, so it gets no key and no secret. */
function given(program: string, words: readonly string[], input: string, { env }: Heard): Promise<void> {
  const own = Object.fromEntries(['PATH', 'HOME', 'LANG', 'TZ'].map((name) => [name, env[name]]));
  return new Promise((done, failed) => {
    // The program leads its own process group, so a timeout also ends the processes that it started.
    const child = spawn(program, words, { env: own, stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    child.once('error', failed);
    child.once('spawn', () => {
      const timer = setTimeout(() => {
        const left = endGroup(child.pid!) ? '' : ', and could not be ended';
        failed(new DeliveryFailure(`${program} took too long${left}`));
        // Payrun can exit even if the program still runs.
        child.stdin.destroy();
        child.unref();
      }, timeoutMs);
      child.once('exit', () => clearTimeout(timer));
    });
    child.once('close', (exit, signal) => {
      if (exit === 0) done();
      else failed(new DeliveryFailure(`${program} ended with ${exit ?? signal}`));
    });
    // Ignores the error, because a program may end without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** Returns false on failure: a mail program may have changed its user, and Payrun may not end it then. */
function endGroup(leader: number): boolean {
  try {
    return process.kill(-leader, 'SIGKILL');
  } catch {
    return false;
  }
}
