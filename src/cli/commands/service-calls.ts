/** Commands for the service's own endpoints. None makes a payment, because only a ledger prevents duplicates. */
import { openAsBlob, readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { systemClock } from '../../base/clock.ts';
import { PayrunError, refuseUnreadable } from '../../base/errors.ts';
import { given } from '../../base/words.ts';
import { CallFailure, type Client, type ReadPage, type UploadFile } from '../../client/client.ts';
import { type BankCountry, bankCountries, bankDirectory } from '../../domain/accounts/bank.ts';
import { payoutCountries, payoutCountryOf } from '../../domain/accounts/country.ts';
import { readLightning } from '../../domain/accounts/lightning.ts';
import { readPhone } from '../../domain/accounts/phone.ts';
import { type DocumentLimits, judgeDocument, kycLimits, mediaTypeOf } from '../../domain/rows/document.ts';
import type { End } from '../../domain/sending/end.ts';
import { wireWords } from '../../messages/field-words.ts';
import { counted } from '../../messages/format/numbers.ts';
import { documentFileWords } from '../../messages/problems/document-problems.ts';
import { wordsOf } from '../../messages/refusals.ts';
import { merchantCreate, merchantPatch } from '../../wire/merchant.ts';
import { clientAt, placeFor } from '../compose/assemble.ts';
import { type Args, type CommandContext, flag, text, usage } from '../compose/command-context.ts';
import { loadSettings, type Settings } from '../compose/config.ts';
import { table } from '../render/screen.ts';

type Shown =
  | { readonly record: unknown }
  | {
      readonly items: readonly unknown[];
      readonly columns: readonly string[];
      readonly more: boolean;
      /** The number of items whose id cannot be read. They are not shown. */
      readonly unreadable?: number;
    }
  | { readonly line: string; readonly record: unknown };

type Work = (client: Client, args: Args, world: CommandContext, settings: Settings) => Promise<Shown>;

/** A command makes one or two calls, one after the other. */
const concurrency = 4;

function verb(work: Work, whose: 'anyone' | 'user' = 'anyone') {
  return async (args: Args, world: CommandContext): Promise<End> => {
    const settings = loadSettings(world, args);
    if (whose === 'user' && settings.userId === null)
      throw usage("a profile is a user's: name the user with --as-user, or PAYRUN_USER_ID");
    await using place = await placeFor({ settings });
    using client = clientAt(place, settings, concurrency, world.clock ?? systemClock);
    try {
      print(await work(client, args, world, settings), args, world);
      return 'done';
    } catch (error) {
      throw toldRefusal(error);
    }
  };
}

const ofUser = (work: Work) => verb(work, 'user');

function toldRefusal(error: unknown): unknown {
  if (error instanceof z.ZodError) return usage(zodWords(error));
  if (!(error instanceof CallFailure)) return error;
  return new PayrunError(mayBeDone(error) ? 'CALL_IN_DOUBT' : 'SERVICE_REFUSED', { why: error.fault });
}

/** True if the service may have changed something: the outcome of a call other than GET is unknown. */
const mayBeDone = ({ outcome, fault }: CallFailure) =>
  outcome === 'unknown' && 'call' in fault && !fault.call.startsWith('GET ');

function zodWords({ issues }: z.ZodError): string {
  return issues
    .map((issue) => {
      const words =
        issue.code === 'invalid_value' ? `it must be one of ${issue.values.join(', ')}` : wireWords(issue.message);
      return `${issue.path.join('.') || 'the fields'}: ${words}`;
    })
    .join('; ');
}

function print(shown: Shown, args: Args, { streams: { out, err } }: CommandContext): void {
  if ('items' in shown) {
    const { items, columns, more, unreadable = 0 } = shown;
    if (flag(args, 'json')) out.write(`${JSON.stringify(items)}\n`);
    else if (items.length > 0)
      out.write(
        `${table([columns, ...items.map((item) => columns.map((name) => cell(item, name)))], 99).join('\n')}\n`,
      );
    else err.write('There are none.\n');
    if (unreadable > 0)
      err.write(`${counted(unreadable, 'more item')} of the list without a readable id, not shown.\n`);
    if (more) err.write('There are more: --all reads the list to its end.\n');
  } else if (flag(args, 'json')) out.write(`${JSON.stringify(shown.record)}\n`);
  else if ('line' in shown) out.write(`${shown.line}\n`);
  else out.write(`${table(fieldsOf(shown.record), 99).join('\n')}\n`);
}

function cell(item: unknown, name: string): string {
  const value = (item as Record<string, unknown> | null)?.[name];
  if (value === null || value === undefined) return '';
  return plain(typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value));
}

/** Control characters could move the cursor or hide the rest of the line. */
const plain = (value: string) => value.replaceAll(/\p{C}+/gu, ' ');

/** Omits empty fields. A field of an inner record has a dotted name. */
function fieldsOf(record: unknown, prefix = ''): string[][] {
  return Object.entries((record ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    if (Array.isArray(value) && value.some((inner) => typeof inner === 'object'))
      return value.flatMap((inner, index) => fieldsOf(inner, `${prefix}${name}.${index + 1}.`));
    if (typeof value === 'object' && !Array.isArray(value)) return fieldsOf(value, `${prefix}${name}.`);
    return [
      [`${prefix}${name}`, plain(Array.isArray(value) ? value.join(', ') : `${value as string | number | boolean}`)],
    ];
  });
}

async function listed(pages: AsyncIterable<ReadPage<unknown>>, args: Args, columns: readonly string[]): Promise<Shown> {
  const items: unknown[] = [];
  let unreadable = 0;
  let count = 0;
  for await (const page of pages) {
    count += 1;
    if (count > 1 && !flag(args, 'all')) return { items, columns, unreadable, more: page.items.length > 0 };
    items.push(...page.items);
    unreadable += page.unreadable.length;
  }
  return { items, columns, unreadable, more: false };
}

/** Yields the payments exactly as the service sent them, even without an id. */
async function* asTheyCame(pages: AsyncIterable<readonly unknown[]>): AsyncIterable<ReadPage<unknown>> {
  for await (const items of pages) yield { items, unreadable: [] };
}

const word = (args: Args, name: string): string => text(args, name) ?? '';

const people = async () => ({ ...(await import('../../wire/user.ts')), ...(await import('../../wire/profile.ts')) });

/** A typed `name=value` replaces the same field of the JSON file of --body. Throws for an unknown name. */
function fields<S extends z.ZodObject>(args: Args, world: CommandContext, { shape }: S): z.input<S> {
  const file = text(args, 'body');
  const body = file === null ? {} : readBody(resolve(world.cwd, file));
  const pairs = ((args.fields ?? []) as readonly unknown[]).map(String).map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw usage(`'${pair}' is not a field as name=value`);
    return [pair.slice(0, at), readValue(pair.slice(at + 1))] as const;
  });
  const all = { ...body, ...Object.fromEntries(pairs) };
  if (Object.keys(all).length === 0)
    throw usage('name the fields to set, as name=value, or a file of JSON with --body');
  for (const name of Object.keys(all))
    if (!Object.hasOwn(shape, name)) throw usage(`'${name}' is not a field of this call`);
  // The client checks the values by the same schema.
  return all as z.input<S>;
}

function readBody(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw usage(`--body ${path}: ${wordsOf(error)}`);
  }
  throw usage(`--body ${path}: holds no JSON object`);
}

function readValue(written: string): unknown {
  if (!/^(?:[[{]|null$|true$|false$)/.test(written)) return written;
  try {
    return JSON.parse(written);
  } catch {
    return written;
  }
}

/** Throws if the service would refuse the file. Null `limits` means the limits for KYC documents. */
async function uploadOf(args: Args, world: CommandContext, limits: DocumentLimits | null): Promise<UploadFile> {
  const path = resolve(world.cwd, word(args, 'file'));
  const content = await blobOf(path).catch(refuseUnreadable(path));
  const head = new Uint8Array(await content.slice(0, 8).arrayBuffer());
  const judged = judgeDocument({ sizeBytes: content.size, head }, limits ?? kycLimits, limits !== null);
  if ('fault' in judged) throw usage(`${path} ${documentFileWords(judged.fault)}`);
  return { name: basename(path), type: mediaTypeOf(judged.kind), content };
}

async function blobOf(path: string): Promise<Blob> {
  if (!statSync(path).isFile()) throw new Error('it is no file');
  return await openAsBlob(path);
}

function there<T>(found: T | null, what: string): T {
  if (found === null) throw new PayrunError('SERVICE_LACKS', { what });
  return found;
}

const merchantColumns = ['id', 'name', 'country', 'bankName', 'accountNumber', 'contactNumber', 'lnurl'];
const paymentColumns = ['id', 'status', 'amount', 'destinationCurrency', 'reference', 'tag', 'date'];

const shown = (name: string, read: (client: Client, id: string) => Promise<unknown>, what = name) =>
  verb(async (client, args) => ({
    record: there(await read(client, word(args, name)), `${what} ${word(args, name)}`),
  }));

const uploaded = (done: string, documentId: string | null): Shown => ({
  line: `${done}${documentId === null ? '' : ` as ${documentId}`}.`,
  record: { documentId },
});

export type Verb = keyof typeof verbs;

export const verbs = {
  tokenMint: verb(async (client, args) => {
    const user = text(args, 'user');
    const minted = user === null ? await client.mintToken() : await client.mintUserToken(user);
    return { line: minted.token, record: minted };
  }),
  usersList: verb(async (client, args) => {
    const status = flag(args, 'inactive') ? 'inactive' : 'active';
    return await listed(client.users({ status }), args, ['userId', 'email', 'name', 'status', 'createdAt']);
  }),
  usersShow: shown('user', (client, id) => client.user(id), 'active user'),
  usersAdd: verb(async (client, args) => {
    const { user, existed } = await client.createUser({ email: word(args, 'email'), name: word(args, 'name') });
    return { record: { ...user, existed } };
  }),
  usersSet: verb(async (client, args, world) => ({
    record: await client.patchUser(word(args, 'user'), fields(args, world, (await people()).userPatch)),
  })),
  usersDisable: verb(async (client, args) => {
    const userId = word(args, 'user');
    const record = (await client.disableUser(userId)) ?? { userId, status: 'Inactive' };
    return { line: `User ${userId} is disabled.`, record };
  }),
  kycAdd: verb(async (client, args, world) => {
    const file = await uploadOf(args, world, null);
    return uploaded('Uploaded', await client.uploadKycDocument(word(args, 'user'), word(args, 'type'), file));
  }),
  profileShow: ofUser(async (client) => ({ record: await client.profile() })),
  profileSet: ofUser(async (client, args, world) => ({
    record: await client.patchProfile(fields(args, world, (await people()).profilePatch)),
  })),
  momoAdd: ofUser(async (client, args) => {
    const kenyan = { phoneNumber: word(args, 'phone'), mobileNetwork: 'MOMO', countryCode: 'KE' } as const;
    return { record: await client.addMomoAccount({ ...kenyan, ...given({ label: text(args, 'label') }) }) };
  }),
  momoDefault: ofUser(async (client, args) => ({
    record: await client.patchMomoAccount(word(args, 'account'), { isDefault: true }),
  })),
  momoSet: ofUser(async (client, args, world) => ({
    record: await client.patchMomoAccount(word(args, 'account'), fields(args, world, (await people()).momoPatch)),
  })),
  momoRemove: ofUser(async (client, args) => ({ record: await client.removeMomoAccount(word(args, 'account')) })),
  merchantsList: verb(async (client, args) => await listed(client.merchants(), args, merchantColumns)),
  merchantsShow: shown('merchant', (client, id) => client.merchant(id)),
  merchantsAdd: verb(async (client, args, world) => {
    const typed = fields(args, world, merchantCreate);
    if (typed.country === undefined)
      throw usage(`country is missing; write country= and one of ${payoutCountries.join(', ')}`);
    return { record: await client.createMerchant(await merchantWords(typed, null, client)) };
  }),
  merchantsSet: verb(async (client, args, world) => {
    const id = word(args, 'merchant');
    const before = there(await client.merchant(id), `merchant ${id}`);
    const changes = await merchantWords(fields(args, world, merchantPatch), before.country ?? null, client);
    const changed = await client.patchMerchant(id, changes);
    return { record: changed ?? there(await client.merchant(id), `merchant ${id}`) };
  }),
  paymentsList: verb(async (client, args) => await listed(asTheyCame(client.payments()), args, paymentColumns)),
  paymentsShow: shown('payment', (client, id) => client.payment(id)),
  documentsList: verb(async (client, args) => {
    const payment = word(args, 'payment');
    const items = await client.documents(payment);
    if (items === null) {
      there(await client.payment(payment), `payment ${payment}`);
      throw new PayrunError('DOCUMENTS_NOT_LISTED', { payment });
    }
    return { items, columns: ['documentId', 'createdAt', 'presignedUrl'], more: false };
  }),
  documentsAdd: verb(async (client, args, world, { documents }) => {
    const file = await uploadOf(args, world, documents);
    return uploaded('Attached', await client.attachDocument(word(args, 'payment'), file));
  }),
};

/** Converts typed fields into the service's words, as for a sheet. Leaves unknown words. `known` is the country of an existing merchant. */
async function merchantWords<T extends Record<string, unknown>>(typed: T, known: string | null, client: Client) {
  const fields: Record<string, unknown> = { ...typed };
  const put = (name: string, read: (text: string) => string | null | undefined) => {
    const value = fields[name];
    if (typeof value === 'string') fields[name] = read(value.trim()) ?? value;
  };
  put('country', payoutCountryOf);
  put('contactNumber', (text) => readPhone(text).value);
  put('lnurl', (text) => readLightning(text).value);
  put('accountNumber', (text) => (/^\d[\d -]*$/.test(text) ? text.replaceAll(/[ -]/g, '') : null));
  const country = bankCountries.find((one) => one === (fields.country ?? known));
  if (country !== undefined && typeof fields.bankName === 'string')
    fields.bankName = await bankWord(country, fields.bankName, client);
  return fields as T;
}

async function bankWord(country: BankCountry, name: string, client: Client): Promise<string> {
  const found = bankDirectory({ [country]: await client.banks(country) }).find(country, name.trim(), undefined);
  return found.id === null ? name : (found.name ?? name);
}
