/** Converts a command's arguments into orders for the pipeline. */
import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { Options, SheetCommand } from '../../app/batch/command.ts';
import { type Policy, personName, whyNoMaker } from '../../approval/approval.ts';
import { offlineBanks } from '../../domain/accounts/bank.ts';
import { sourceCountries, sourceCountryOf } from '../../domain/accounts/country.ts';
import type { RepeatedOptions } from '../../domain/next-action.ts';
import type { Cells } from '../../domain/rows/cell.ts';
import type { RowRules } from '../../domain/rows/line.ts';
import type { Actor } from '../../domain/sending/actor.ts';
import { faultWords } from '../../messages/faults/fault-words.ts';
import type { VarianceOrder } from '../../pipeline/controls/variance.ts';
import type { Deps } from '../../pipeline/deps.ts';
import type { RunOrder } from '../../pipeline/order.ts';
import { type ApproveOrder, openPolicy } from '../../pipeline/plans/approved.ts';
import type { PlanMaking } from '../../pipeline/plans/plan-source.ts';
import { findPolicy, requireSamePolicy } from '../../pipeline/plans/policy-in-force.ts';
import {
  mapNamed,
  mergedChoices,
  readChoices,
  readCorrections,
  type SheetMap,
  type SheetOptions,
} from '../../sheet/sheet.ts';
import { type Args, badSetting, type CommandContext, text, usage } from '../compose/command-context.ts';
import { foldersOf, loadSettings, nearestPolicy, refuseUnread, type Settings } from '../compose/config.ts';
import { promptsOf } from '../compose/limits.ts';
import { placeText } from './durations-and-numbers.ts';
import { repeatedDefaults, repeatedNames } from './options.ts';

type Surroundings = Pick<CommandContext, 'env' | 'cwd' | 'actor'>;
type RunOptions = Partial<SheetCommand>;

export function runOrder(args: RunOptions, world: Surroundings, settings: Settings, sheet: SheetOptions): RunOrder {
  const { add = false, drop = false, closes, expect = [], maker = null } = args;
  const file = resolve(world.cwd, args.file ?? '');
  return {
    ...advanceOrder(args, world),
    file,
    batch: batchName(args.batch, '--batch'),
    batchIfNew: batchName(args.batchIfNew, '--batch-if-new'),
    add,
    drop,
    closes,
    confirmRepeat: confirmedRepeat(args),
    prompts: promptsOf(args, settings.guards),
    sheet,
    rules: rowRules(args, settings),
    documentsFolder: documentsFolder(args, world, file),
    controls: { expect, required: settings.requiresTotals },
    repeated: repeatedOptions(args, world),
    maker: maker === null ? null : readPerson(maker, '--maker'),
    variance: varianceOrder(args, settings),
  };
}

/** Printed next steps repeat these options. Paths are absolute, because a person may type a step in another folder. */
export function repeatedOptions({ concurrency, listen, ...args }: Options, { cwd }: Surroundings): RepeatedOptions {
  const texts: Args = { ...args, concurrency: concurrency?.toString(), listen: listen && placeText(listen) };
  const said = repeatedNames.flatMap((name) => {
    const given = texts[name];
    if (given === undefined || given === null || given === false || given === repeatedDefaults[name]) return [];
    const isPath = typeof given === 'string' && given !== '' && ['documents', 'out', 'corrections'].includes(name);
    return [[name, isPath ? resolve(cwd, given) : given]];
  });
  return Object.fromEntries(said) as RepeatedOptions;
}

/** If the settings let a change stop the run, a flag may only lower the limit. */
function varianceOrder(args: Options, { variance: { percent, stop } }: Settings): VarianceOrder {
  const { confirmVariance: confirm = null } = args;
  const asked = args.variance === undefined ? percent : readPercent(args.variance);
  const series = batchName(args.series, '--series')?.toLowerCase() ?? null;
  return { series, percent: stop ? Math.min(asked, percent) : asked, stop, confirm };
}

function readPercent(said: string): number {
  if (!/^\d{1,4}(?:\.\d{1,2})?\s?%?$/.test(said))
    throw usage(`--variance '${said}' is not a part of a hundred, such as 10%`);
  return Number.parseFloat(said);
}

export function advanceOrder(args: Options, world: Surroundings) {
  const { updateNames = false, skipInvalid = false, out, format = null } = args;
  return { updateNames, skipInvalid, outDir: out === undefined ? null : resolve(world.cwd, out), format };
}

/** Every tag is made from the batch's name, so a name that people could not type again is refused. */
function batchName(name: string | undefined, said: string): string | null {
  if (name === undefined) return null;
  if (name.trim() !== name || name === '' || name.length > 64 || /[\p{C}]/u.test(name))
    throw usage(`${said} '${name}' is not a name of 1 to 64 visible characters`);
  return name;
}

export function planMaking(args: Options, world: Surroundings, policy: Policy | null): PlanMaking {
  const { expiresMs: goodForMs = 86_400_000, rows = [] } = args;
  const maker = readPerson(args.maker ?? loggedIn(world), '--maker');
  const noMaker = whyNoMaker(maker, policy);
  if (noMaker !== null)
    throw usage(`the maker of the plan would be ${faultWords(noMaker)}; name the maker with --maker NAME`);
  const retries = rows === 'all' ? 'all' : rows.map((name) => ('row' in name ? name.row : name.list));
  return { maker, goodForMs, policy, retries };
}

/** Throws for a name that cannot become part of a file's name. */
export function readPerson(name: string, what: string): string {
  const fault = personName(name);
  if (fault !== null) throw usage(`${what} '${name}' ${faultWords({ fault })}`);
  return name;
}

function loggedIn(world: Surroundings): string {
  const { name } = actorOf(world);
  if (name === null) throw usage('nobody is logged in by a name here; say who makes the plan with --maker');
  return name;
}

/** The actor's name is null for a user who has only a number, as in a container. */
export function actorOf({ actor }: Pick<CommandContext, 'actor'>): Actor {
  if (actor !== undefined) return actor;
  try {
    return { driver: 'terminal', name: userInfo().username };
  } catch {
    return { driver: 'terminal', name: null };
  }
}

/** Returns null if there is no policy. Throws if two policies differ, so that nobody can choose the weaker one. */
export function policyInForce(
  args: Args,
  world: Pick<CommandContext, 'env' | 'cwd'>,
  { policies }: Pick<Settings, 'policies'> = loadSettings(world, {}, false),
): string | null {
  const said = text(args, 'policy');
  const [first, ...others] = new Set([...(said === null ? [] : [resolve(world.cwd, said)]), ...policies]);
  if (first === undefined) return null;
  const other = others.find((path) => openPolicy(path).digest !== openPolicy(first).digest);
  if (other === undefined) return first;
  throw badSetting(
    `two policies are named or found, and they differ: ${first} and ${other}. Nothing was sent. Keep the one that holds, and name no other.`,
  );
}

/** Loads the settings of a command. Throws if they or the policy do not bind the folder of its sheet. */
export function settingsFor(args: Args, world: Surroundings): Settings {
  const { cwd } = world;
  const settings = loadSettings(world, args);
  const file = text(args, 'file');
  refuseUnbound(args, world, settings, file === null ? [cwd] : foldersOf(cwd, resolve(cwd, file)));
  return settings;
}

/** Throws if a folder, or a folder above it, has settings or a policy that this command would not obey. */
export function refuseUnbound(args: Args, world: Surroundings, settings: Settings, folders: readonly string[]) {
  refuseUnread(settings, folders);
  // Reconciling sends nothing, so it needs no policy.
  if (args.do === 'reconcile') return;
  const policy = policyOfRun(args, world, settings);
  for (const path of folders.map(nearestPolicy))
    if (path !== null && path !== policy?.path)
      requireSamePolicy(findPolicy(policy), { path, digest: openPolicy(path).digest });
}

/** Returns null if no policy file is named or found. The console's own policy then applies. */
export function policyOfRun(args: Args, world: Surroundings, settings: Settings): NonNullable<Deps['policy']> | null {
  const path = policyInForce(args, world, settings);
  return path === null
    ? null
    : { path, ofConsole: actorOf(world).driver === 'console' && settings.policies.length === 0 };
}

/** A shortened digest needs at least 32 digits, because another plan could share a shorter one. */
export function approveOrder(args: Options, world: Surroundings, policy: string | null): ApproveOrder | null {
  const { approve: said, plan: path, maker } = args;
  if (said === undefined && policy === null) return null;
  if (maker !== undefined) throw usage('--maker: under a plan the plan says who made it');
  const digest = said?.replace(/^sha256:/i, '').toLowerCase() ?? null;
  if (digest !== null && !/^[0-9a-f]{32,64}$/.test(digest))
    throw usage(`--approve '${said}' is not the digest of a plan, nor its first 32 digits or more`);
  return { digest, path: path === undefined ? null : resolve(world.cwd, path) };
}

/** The reason goes with a `--batch` name, because rows without a new batch name continue their old batch. */
function confirmedRepeat({ batch, confirmRepeat: reason }: Options): string | null {
  if (reason !== undefined && batch === undefined)
    throw usage('--confirm-repeat takes the reason, and goes with a new --batch NAME');
  return reason ?? null;
}

export function sheetOptions(args: Options, world: Surroundings): SheetOptions {
  const { sheet: sheetName, map, corrections, includeHidden = false } = args;
  const choices = mergedChoices(choicesIn(args), loadSettings(world, {}, false).choices);
  return {
    ...(sheetName === undefined ? {} : { sheetName }),
    ...(includeHidden ? { includeHidden } : {}),
    ...(corrections === undefined ? {} : { corrections: readCorrections(resolve(world.cwd, corrections)) }),
    ...(map === undefined ? {} : { map: withoutContradiction(mapNamed(map, resolve(world.cwd, map)), args) }),
    ...(choices === undefined ? {} : { choices }),
  };
}

function choicesIn({ only = [], ignoreColumn = [] }: Options) {
  const choices = readChoices(only, ignoreColumn);
  if (choices === null) throw usage(`--only takes COLUMN=VALUE, such as "status=FAILED", not '${only.join("', '")}'`);
  return choices;
}

/** Throws if a flag and the map differ, because Payrun would have to ignore one of them. */
function withoutContradiction(map: SheetMap, { fromCountry, numberFormat }: Options): SheetMap {
  const pairs = [
    ['--from-country', fromCountry, map.values.from_country],
    ['--number-format', numberFormat, map.numberFormat],
  ] as const;
  for (const [name, said, value] of pairs)
    if (value != null && said !== undefined && said !== value)
      throw usage(`${name} says '${said}' and the map ${map.name} says '${value}'; leave one of them out`);
  return map;
}

const documentsFolder = ({ documents }: Options, world: Surroundings, file: string): string =>
  documents === undefined ? dirname(file) : resolve(world.cwd, documents);

/** A mistake in the flag is reported once, here, and not for every row. */
function fromCountryCell({ fromCountry: given }: Options): Cells {
  if (given === undefined) return {};
  if (sourceCountryOf(given) === undefined)
    throw usage(`--from-country '${given}' is not one of ${sourceCountries.join(', ')}`);
  return { from_country: given };
}

/** Returns what a check without a service needs to know about a sheet. */
export const checkOrder = (args: Args, world: Surroundings, settings: Settings, path: string) => ({
  path,
  options: sheetOptions(args, world),
  rules: { ...rowRules(args, settings), banks: offlineBanks() },
  documentsFolder: documentsFolder(args, world, path),
  documentLimits: settings.documents,
  skipInvalid: args.skipInvalid === true,
});

export function rowRules(
  args: Options,
  { btcUnit, networkProvider, paymentTypes = [] }: Pick<RowRules, 'btcUnit' | 'networkProvider' | 'paymentTypes'>,
): Omit<RowRules, 'banks'> {
  const { numberFormat = null, accountChecks = 'by-rule', documentsPolicy: documents = 'require' } = args;
  const defaults = fromCountryCell(args);
  return { btcUnit, networkProvider, paymentTypes, numberFormat, accountChecks, documents, defaults };
}
