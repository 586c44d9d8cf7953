/** Reads which people and programs Payrun notifies when a run needs somebody. */
import { z } from 'zod';
import { isSafeUrl } from '../../base/loopback.ts';
import type { Secret } from '../../base/secret.ts';
import { badSetting } from './command-context.ts';

/** Allows no leading hyphen, because the mail program would read the address as an option. */
const address = /^[\w.+!#$%&'*/=?^`{|}~][\w.+!#$%&'*/=?^`{|}~-]*@[a-z0-9.-]+$/i;

export const notifySchema = z.strictObject({
  mail: z.array(z.string()).exactOptional(),
  sendmail: z.string().min(1).exactOptional(),
  command: z.string().min(1).exactOptional(),
});

export type NotifySettings = ReturnType<typeof readNotify>;

interface Said {
  readonly mail: readonly string[] | null;
  readonly sendmail: string | undefined;
  /** A program that gets the notification as JSON on its standard input. */
  readonly command: string | undefined;
  /** A secret, because everybody who knows the address can write in the chat. */
  readonly webhook: Secret | null;
}

export function readNotify({ mail, sendmail = '/usr/sbin/sendmail', command, webhook }: Said) {
  const to = (mail ?? []).map((one) => one.trim());
  const wrong = to.find((one) => !address.test(one));
  if (wrong !== undefined) throw badSetting(`PAYRUN_NOTIFY_MAIL (notify.mail) '${wrong}' is not a mail address`);
  if (webhook !== null && !isSafeUrl(webhook.reveal()))
    throw badSetting(
      'PAYRUN_NOTIFY_WEBHOOK must be a URL that begins with https:// (http:// is for this machine only)',
    );
  return { mail: to, sendmail, command: command ?? null, webhook };
}
