/**
 * Sheets that go on with a batch, planned at the console and not paid yet. What such a plan has otherwise than what would be sent is not
 * sent before it: the payment would go where the correction takes it away from, and the correction come too late. Of two the newer one
 * counts. Plans that are made while something is sent are found by its next intent (ledger/turns.ts).
 */
import { PayrunError } from '../base/errors.ts';
import { counted } from '../base/words.ts';
import { rowDigest, rowOfContent } from '../domain/digest.ts';
import { destinationKey } from '../domain/merchant.ts';
import { type BatchFacts, type Ledger, type LedgerRow, type RowState, rowStates, wordOf } from '../ledger/ledger.ts';
import { planOf } from './outcome.ts';
import { digestWords, openPlan, type PlanFile } from './plan-file.ts';

export interface MendedRow {
  readonly key: string;
  readonly number: number;
  /** `missing`: the plan lacks it. */
  readonly how: 'account' | 'otherwise' | 'missing';
}

/** A sheet that goes on with the batch, and whose plan waits for approval, or to be paid. */
export interface MendedSheet {
  readonly upload: string;
  /** Of its plan: by which an approver declines it. */
  readonly digest: string;
  readonly file: string;
  readonly by: string;
  readonly approved: boolean;
  /** Null where its plan cannot be read here. */
  readonly rows: readonly MendedRow[] | null;
}

const waiting = rowStates.filter(
  (state) => wordOf[state] === 'held' || wordOf[state] === 'not sent' || state === 'absent',
);
const unsent: readonly RowState[] = ['planned', 'ready'];
/** With what is sent as soon as it is proven absent, where nobody is asked then. */
const sendable = (resends: boolean): readonly RowState[] => (resends ? [...unsent, 'in_doubt', 'absent'] : unsent);
/** Of more, nobody decides on each; so many are looked at together. */
const mostWaiting = 10_000;

/** What would be sent, or let go. */
interface Asked {
  readonly key: string;
  readonly number: number;
  readonly digest: string;
  readonly destination: string;
}

function askedOf({ key, number, content }: Pick<LedgerRow, 'key' | 'number' | 'content'>): Asked {
  const row = rowOfContent(content, number);
  return { key, number, digest: rowDigest(row), destination: destinationKey(row.destination) };
}

/** Whether those who ask have a row with that key, whatever became of it. */
type Knows = (key: string) => Promise<boolean>;

/** A plan of new rows alone says nothing of the others. */
async function mendedRows(rows: readonly Asked[], path: string, knows: Knows): Promise<readonly MendedRow[]> {
  const open = new Map(rows.map((row) => [row.key, row]));
  const how = new Map<string, MendedRow['how'] | null>();
  let shares = false;
  if (rows.length > 0)
    for await (const { kind, line } of (await openPlan(path)).lines()) {
      if (kind !== 'rows') continue;
      const row = open.get(line.key);
      shares ||= await knows(line.key);
      if (row === undefined) continue;
      const isMoved = row.destination !== destinationKey(line.destination);
      how.set(row.key, row.digest === line.digest ? null : isMoved ? 'account' : 'otherwise');
    }
  return rows.flatMap(({ key, number }) => {
    const found = how.has(key) ? how.get(key) : shares ? 'missing' : null;
    return found == null ? [] : [{ key, number, how: found }];
  });
}

type Plans = ReturnType<Ledger['uploads']['plansFor']>;

/** Made after a turn, or nobody knows when. */
const plansSince = ({ uploads }: Ledger, batch: string, now: number, since: number): Plans =>
  uploads
    .plansFor(batch)
    .filter(
      ({ expiresAt, turn }) => (expiresAt === null || now < Date.parse(expiresAt)) && (turn === null || turn > since),
    );

/** Whoever took the batch's newest sheet in had looked at the plans until then; its own one is no correction of it. */
function plansBeside(ledger: Ledger, batch: BatchFacts, now: number): Plans {
  const own = planOf(batch);
  return plansSince(ledger, batch.name, now, turnOf(batch.sheet)).filter(
    ({ digest }) => own === null || digest !== digestWords(own.digest),
  );
}

const turnOf = ({ options }: Pick<BatchFacts['sheet'], 'options'>) => Number(options.turn ?? 0);

const knownIn =
  (ledger: Ledger, batch: string): Knows =>
  async (key) =>
    (await ledger.rowByKey(batch, key)) !== null;

async function sheetsOf(plans: Plans, asked: readonly Asked[], knows: Knows): Promise<readonly MendedSheet[]> {
  const sheets = plans.map(async ({ path, upload, digest, file, by, approved }) => {
    const rows = await mendedRows(asked, path, knows).catch(() => null);
    return { upload, digest, file, by, approved, rows };
  });
  return (await Promise.all(sheets)).filter(({ rows }) => rows?.length !== 0);
}

/** Those that have one of these rows of it otherwise, or perhaps have; of all that wait, where none is named. */
export async function mendedSheets(
  ledger: Ledger,
  name: string,
  now: number,
  rows: readonly LedgerRow[] | null = null,
): Promise<readonly MendedSheet[]> {
  const batch = await ledger.batch(name);
  const plans = batch === null ? [] : plansBeside(ledger, batch, now);
  if (plans.length === 0) return [];
  const asked = rows ?? (await ledger.rows({ batch: name, states: waiting, limit: mostWaiting }));
  return await sheetsOf(plans, asked.map(askedOf), knownIn(ledger, name));
}

const hows = {
  account: 'this row goes to another account in it',
  otherwise: 'this row is otherwise in it',
  missing: 'it lacks this row',
};

function mendedWords({ file, by, approved, rows }: MendedSheet, key: string): string | null {
  const row = rows?.find((one) => one.key === key);
  if (rows !== null && row === undefined) return null;
  const how = row === undefined ? 'what it says of this row cannot be read here' : hows[row.how];
  return `the sheet ${file}, handed in at the console by ${by}, goes on with this batch, and its plan ${approved ? 'is approved' : 'waits for approval'}: ${how}`;
}

/** Why none of these rows of one batch is let go. */
export async function whyMended(
  ledger: Ledger,
  rows: readonly LedgerRow[],
  now: number,
): Promise<{ readonly row: LedgerRow; readonly why: string } | null> {
  const [first] = rows;
  const sheets = first === undefined ? [] : await mendedSheets(ledger, first.batch, now, rows);
  for (const row of rows)
    for (const sheet of sheets) {
      const words = mendedWords(sheet, row.key);
      if (words !== null)
        return {
          row,
          why: `${words}. Nothing was released. If the row shall be paid as it is here, an approver declines that plan first; else leave the row, and let that sheet be paid`,
        };
    }
  return null;
}

/** Why a batch that goes on sends nothing; `again`: what would be sent once more, too. */
export async function mendedStop(
  ledger: Ledger,
  batch: BatchFacts,
  now: number,
  { again = [], resends = false }: { readonly again?: readonly LedgerRow[]; readonly resends?: boolean } = {},
): Promise<PayrunError | null> {
  await ledger.heedPlans(batch.name);
  const plans = plansBeside(ledger, batch, now);
  if (plans.length === 0) return null;
  const knows = knownIn(ledger, batch.name);
  const stop = await stopOf(batch.name, plans, again.map(askedOf), knows);
  if (stop !== null) return stop;
  for await (const rows of pagesOf(ledger, batch, sendable(resends))) {
    const found = await stopOf(batch.name, plans, rows.map(askedOf), knows);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The same of a sheet that is handed in, as it has the rows. Without a plan of its own it knows of none that waits; who approved one was
 * told of those before it. Returns the turn of the newest that was looked at.
 */
export async function refuseMended(
  ledger: Ledger,
  name: string,
  now: number,
  own: PlanFile | null,
  resends: boolean,
): Promise<number> {
  const turn = await ledger.heedPlans(name);
  const batch = await ledger.batch(name);
  const digest = own === null ? null : digestWords(own.digest);
  // A plan of a terminal has none.
  const made = digest === null ? null : ledger.uploads.turnOf(name, digest);
  const plans = plansSince(ledger, name, now, made ?? 0).filter((plan) => plan.digest !== digest);
  const outdated = own !== null && batch !== null && isOutdated(ledger, batch, own, made);
  if (plans.length === 0 && !outdated) return turn;
  const knows: Knows = batch === null ? async (key) => ledger.plannedRow(name, key) !== null : knownIn(ledger, name);
  const states = sendable(resends);
  const waits = new Set<string>();
  if (own === null && batch !== null)
    for await (const page of pagesOf(ledger, batch, states, 'of any sheet')) for (const { key } of page) waits.add(key);
  let rows: Asked[] = [];
  // Without a plan a row that nobody had before is missing in each of them.
  const check = async () => {
    const stop = await stopOf(
      name,
      plans,
      rows,
      knows,
      ({ key, how }) => how !== 'missing' || own !== null || waits.has(key),
    );
    if (stop !== null) throw stop;
    rows = [];
  };
  for (const { state, ...row } of ledger.plannedRows(name)) {
    if (!states.includes(state)) continue;
    rows.push(askedOf(row));
    if (outdated) await refuseOutdated(ledger, batch, row);
    if (rows.length === mostWaiting) await check();
  }
  await check();
  return turn;
}

/** Whether the batch has another sheet since this plan was made, which whoever approved it was not told of. */
function isOutdated(
  ledger: Ledger,
  { name, sheet, ...batch }: BatchFacts,
  own: PlanFile,
  made: number | null,
): boolean {
  if (planOf({ ...batch, sheet })?.digest === own.digest) return false;
  const since = (one: Pick<BatchFacts['sheet'], 'options' | 'receivedAt'>) =>
    made === null ? one.receivedAt > Date.parse(own.head.made_at) : turnOf(one) >= made;
  return since(sheet) && !ledger.sheetsOf(name).some((one) => one.digest === sheet.digest && !since(one));
}

async function refuseOutdated(
  ledger: Ledger,
  { name, sheet }: BatchFacts,
  { key, number, digest }: Pick<Asked, 'key' | 'number' | 'digest'>,
): Promise<void> {
  const row = await ledger.rowByKey(name, key);
  if (row !== null && row.sheet === sheet.id && askedOf(row).digest === digest) return;
  const how = row === null || row.sheet !== sheet.id ? 'lacks row' : 'has another content in row';
  throw new PayrunError('BATCH_CHANGED', {
    detail: `Nothing of this sheet is sent: since its plan was made, another sheet came into batch ${name}, ${sheet.name}, which ${how} ${number} of this one. Make its plan again, and have it approved; or leave it.`,
  });
}

async function* pagesOf(
  ledger: Ledger,
  { name, sheet }: BatchFacts,
  states: readonly RowState[],
  of: 'of the newest sheet' | 'of any sheet' = 'of the newest sheet',
): AsyncIterable<readonly LedgerRow[]> {
  const which = { batch: name, states, ...(of === 'of any sheet' ? {} : { sheet: sheet.id }) };
  let afterId: number | undefined = 0;
  while (afterId !== undefined) {
    const rows: readonly LedgerRow[] = await ledger.rows({ ...which, afterId, limit: mostWaiting });
    yield rows;
    afterId = rows.at(-1)?.id;
  }
}

async function stopOf(
  batch: string,
  plans: Plans,
  rows: readonly Asked[],
  knows: Knows,
  counts: (row: MendedRow) => boolean = () => true,
): Promise<PayrunError | null> {
  if (rows.length === 0) return null;
  for (const mended of await sheetsOf(plans, rows, knows)) {
    const key = (mended.rows?.filter(counts) ?? rows)[0]?.key;
    if (key === undefined) continue;
    return new PayrunError('BATCH_CHANGED', {
      detail: `Nothing of batch ${batch} is sent. Of row ${key}: ${mendedWords(mended, key)}. Pay that sheet, which goes on with all of the batch; or, if the rows shall be paid as they are here, an approver declines its plan first, or whoever handed it in discards it.`,
    });
  }
  return null;
}

const overtakenHows = {
  account: 'goes to another account in this sheet',
  otherwise: 'is otherwise in this sheet',
  missing: 'is missing in this sheet',
};

/** What of the batch is not sent yet, and this plan, which goes on with it, has otherwise. */
export async function overtaken(ledger: Ledger, batch: BatchFacts, path: string): Promise<string | null> {
  const { name } = batch;
  for await (const rows of pagesOf(ledger, batch, unsent)) {
    const [row] = (await mendedRows(rows.map(askedOf), path, knownIn(ledger, name))).toSorted(
      (a, b) => Number(a.how === 'missing') - Number(b.how === 'missing'),
    );
    if (row !== undefined) return `Row ${row.number} of batch ${name} is not sent yet, and ${overtakenHows[row.how]}`;
  }
  return null;
}

const besideHows = { account: 'goes to another account', otherwise: 'is otherwise', missing: 'is missing' };

/** What another plan of the batch has otherwise than this one would pay, for whoever decides on this one. */
export async function otherwiseIn(ledger: Ledger, path: string, other: string): Promise<string | null> {
  const rows: Asked[] = [];
  const keys = new Set<string>();
  const plan = await openPlan(path);
  for await (const { kind, line } of plan.lines()) {
    if (kind !== 'rows') continue;
    keys.add(line.key);
    const { key, row: number, digest, standing } = line;
    if (standing === 'not sent') rows.push({ key, number, digest, destination: destinationKey(line.destination) });
  }
  const { batch } = plan.head;
  const knows: Knows = (await ledger.batch(batch)) === null ? async (key) => keys.has(key) : knownIn(ledger, batch);
  const mended = await mendedRows(rows, other, knows);
  const first = mended.find(({ how }) => how === 'account') ?? mended[0];
  if (first === undefined) return null;
  const others = mended.length === 1 ? '' : `, and ${counted(mended.length - 1, 'other row')} not as here`;
  return `row ${first.number} of this sheet ${besideHows[first.how]}${others}`;
}
