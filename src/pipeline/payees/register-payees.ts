/** Finds or creates a merchant at the service for each payee of the batch, before the first payment. */
import pLimit from 'p-limit';
import { PayrunError } from '../../base/errors.ts';
import type { Problem } from '../../base/problem.ts';
import { CallFailure, nullIfFailed, type ReadMerchant, readMerchant } from '../../client/client.ts';
import { isUnclear, mayStillBe, merchantKeys } from '../../domain/accounts/merchant.ts';
import { batchProblem } from '../../domain/problems/batch-problems.ts';
import { rowOfContent } from '../../domain/rows/digest.ts';
import type { Row } from '../../domain/rows/row.ts';
import { because, type Reason, type StoredReasons } from '../../domain/sending/reason.ts';
import {
  type BatchFacts,
  type Ledger,
  type LedgerMerchant,
  type LedgerRow,
  type MerchantState,
  rowPages,
  type SeenMerchant,
  type Sighting,
  unclearDestination,
} from '../../ledger/ledger.ts';
import type { MerchantCreate } from '../../wire/merchant.ts';
import type { Deps } from '../deps.ts';
import { maxProblems } from '../intake/problem-report.ts';
import { withBackoff } from '../sending/backoff.ts';

/** Returns the merchants that the service refused or that are unclear. Payrun does not pay their rows. */
export async function registerPayees(
  deps: Deps,
  batch: BatchFacts,
  /** `read`: true if the run has just read the list of merchants. */
  options: { readonly updateNames: boolean; readonly read: boolean },
): Promise<readonly LedgerMerchant[]> {
  const { ledger, service } = deps;
  const wanted = await ledger.payees.wantMerchants(batch.name, batch.listedSince, service.identity);
  if (wanted === 0) return [];
  deps.progress({ stage: 'enrolling', done: 0, total: wanted });
  if (!options.read) await readMerchants(deps);
  await matchSeen(deps, batch, { updateNames: options.updateNames, decides: false });
  await createWanted(deps, batch, wanted);
  await repeatCreates(deps, batch, wanted);
  // Updates the ready rows, because the payee of a row may have another merchant now.
  await ledger.payees.readyRows(batch.name, batch.listedSince, service.identity);
  return [...pages(deps, batch, ['refused', 'held', 'in_doubt'])].flat();
}

export async function readMerchants({ client, ledger, service, say }: Deps): Promise<void> {
  ledger.payees.forgetSeen();
  let unreadable = 0;
  let unclear = 0;
  for await (const page of client.merchants()) {
    unreadable += page.unreadable.length;
    const merchants = [...page.items, ...page.unreadable.map(withoutId)];
    const seen: SeenMerchant[] = [];
    for (const merchant of merchants) {
      const isOne = isUnclear(merchant);
      unclear += Number(isOne && merchant.id !== unknownId);
      for (const destination of isOne ? [unclearDestination] : merchantKeys(merchant))
        seen.push({ id: merchant.id, destination, name: merchant.name ?? '' });
    }
    await ledger.payees.seeMerchants(service.identity, seen);
  }
  if (unreadable > 0) say({ note: 'merchants-unreadable', merchants: unreadable });
  if (unclear > 0) say({ note: 'merchants-incomplete', merchants: unclear });
}

/** Replaces an unreadable merchant id. The merchant stays in the list, so that Payrun creates no second merchant. */
const unknownId = '';

function withoutId(item: unknown): ReadMerchant {
  return { ...readMerchant({ ...(item as object | null), id: 'unread' }), id: unknownId };
}

/** Matches every destination in each run, because a merchant's id may lead to another account now (interface 4.19). */
async function matchSeen(
  deps: Deps,
  batch: BatchFacts,
  /** `decides`: true if the list is recent enough to prove that a missing merchant does not exist. */
  { updateNames, decides }: { updateNames: boolean; decides: boolean },
): Promise<void> {
  const { ledger, service, limits } = deps;
  const limit = pLimit(limits.concurrency);
  for (const merchants of pages(deps, batch, ['wanted', 'known', 'in_doubt', 'held'])) {
    const moves: Parameters<typeof ledger.payees.moveMerchants>[1][number][] = [];
    const listed = ledger.payees.seenFor(merchants.map(({ destination }) => destination));
    const found = await Promise.all(
      merchants.map((merchant) =>
        limit(async () => await findFor(deps, merchant, listed.get(merchant.destination) ?? [])),
      ),
    );
    for (const { merchant, seen } of found) {
      const row = rowOfContent(merchant.content, merchant.number);
      const match = chooseMerchant(seen, merchant.merchantId, row);
      if (match === null) {
        if (merchant.state !== 'wanted' && (merchant.state !== 'in_doubt' || decides))
          moves.push({ merchant, to: 'wanted' });
      } else if ('reason' in match) {
        if (merchant.state !== 'held') moves.push({ merchant, to: 'held', reason: because(match.reason) });
      } else {
        if (updateNames && match.name !== row.name) await deps.client.patchMerchant(match.id, { name: row.name });
        if (merchant.state !== 'known' || merchant.merchantId !== match.id)
          moves.push({ merchant, to: 'known', merchantId: match.id });
      }
    }
    if (moves.length > 0) await ledger.payees.moveMerchants(service.identity, moves);
  }
}

/** Finds the merchants for a destination. Reads the known merchant by its id if the list lacks this merchant. */
export async function findFor<M extends Pick<LedgerMerchant, 'destination' | 'merchantId'>>(
  { client }: Deps,
  merchant: M,
  seen: readonly SeenMerchant[],
): Promise<{ merchant: M; seen: readonly SeenMerchant[] }> {
  const { destination, merchantId: id } = merchant;
  if (id === null || seen.some((one) => one.id === id)) return { merchant, seen };
  const known = await client.merchant(id);
  if (known === null || !mayStillBe(known, destination)) return { merchant, seen };
  return { merchant, seen: [...seen, { id, destination, name: known.name ?? '' }] };
}

/** Chooses a merchant for the row. Returns null if one must be created, and a reason if a person must decide. */
export function chooseMerchant(
  seen: readonly SeenMerchant[],
  knownId: string | null,
  row: Pick<Row, 'name' | 'merchantId'>,
): SeenMerchant | { readonly reason: Reason } | null {
  if (row.merchantId !== null) {
    const named = seen.find(({ id }) => id === row.merchantId);
    return named ?? { reason: { kind: 'merchant-not-listed', merchantId: row.merchantId } };
  }
  if (seen.length === 0) return null;
  if (seen.length === 1 && seen[0]?.id !== unknownId) return seen[0] ?? null;
  const known = seen.find(({ id }) => id === knownId);
  if (known !== undefined) return known;
  // Merchants with the same name are one payee. The lowest id makes each run choose the same merchant.
  const sameName = seen
    .filter(({ id, name }) => id !== unknownId && name === row.name)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (sameName[0] !== undefined) return sameName[0];
  if (seen.some(({ id }) => id === unknownId)) return { reason: { kind: 'merchant-unreadable' } };
  return { reason: { kind: 'merchant-ambiguous', merchants: seen.map(({ id }) => id) } };
}

async function createWanted(deps: Deps, batch: BatchFacts, total: number): Promise<void> {
  const limit = pLimit(deps.limits.concurrency);
  let created = 0;
  for (const merchants of pages(deps, batch, ['wanted']))
    await Promise.all(
      merchants.map((merchant) =>
        limit(async () => {
          if (deps.stop.aborted) return;
          if (await createOne(deps, merchant)) created += 1;
          deps.progress({ stage: 'enrolling', done: created, total });
        }),
      ),
    );
}

/** Repeats a creation that got no answer, if a later list lacks the merchant (interface 1). */
async function repeatCreates(deps: Deps, batch: BatchFacts, total: number): Promise<void> {
  const { clock, limits, stop } = deps;
  if ([...pages(deps, batch, ['in_doubt'])].length === 0) return;
  await clock.sleep(limits.doubt.visibleMs, stop);
  if (stop.aborted) return;
  await readMerchants(deps);
  await matchSeen(deps, batch, { updateNames: false, decides: true });
  await createWanted(deps, batch, total);
}

/** Creates the merchant. Commits the intent first, so that a crash never leads to a second creation. */
async function createOne(deps: Deps, merchant: LedgerMerchant): Promise<boolean> {
  const { ledger, client, service } = deps;
  const move = (from: MerchantState, to: MerchantState, facts: { merchantId?: string; reason?: StoredReasons } = {}) =>
    ledger.payees.moveMerchants(service.identity, [{ merchant: { ...merchant, state: from }, to, ...facts }]);
  const body = merchantBody(rowOfContent(merchant.content, merchant.number));
  await move('wanted', 'creating');
  try {
    const made = await withBackoff(deps, () => client.createMerchant(body));
    await move('creating', 'known', { merchantId: made.id });
    return true;
  } catch (error) {
    if (!(error instanceof CallFailure) || stateAfter(error) === 'wanted') {
      await move('creating', 'wanted');
      throw error;
    }
    const reason = because({ kind: 'merchant-failed', failure: error.fault });
    await move('creating', stateAfter(error), { reason });
    return false;
  }
}

function stateAfter({ outcome, status }: CallFailure): MerchantState {
  if (outcome === 'unknown') return 'in_doubt';
  return outcome === 'refused' && status !== 403 ? 'refused' : 'wanted';
}

function merchantBody({ name, destination }: Row): MerchantCreate {
  const { bank: _, bankName, bankCode, ...account } = { bank: null, bankName: null, bankCode: null, ...destination };
  const named = bankName === null ? {} : { bankName };
  return { name, ...account, ...named, ...(bankCode === null ? {} : { bankCode }) };
}

/** Returns a function that sets a row's merchant to the payment's merchant, if that merchant fits the destination. */
export function payeeReader({ client }: Deps): (sighting: Sighting) => Promise<Sighting> {
  const read = new Map<string, Promise<ReadMerchant | null>>();
  return async ({ row, seen }) => {
    const named = seen.findLast(({ payment }) => payment.ending !== 'expired')?.payment.merchantId ?? null;
    if (named === null || named === row.merchantId) return { row, seen };
    if (!read.has(named)) read.set(named, nullIfFailed(client.merchant(named)));
    const merchant = (await read.get(named)) ?? null;
    const isOfRow = merchant !== null && mayStillBe(merchant, row.destination);
    return { row: isOfRow ? { ...row, merchantId: named } : row, seen };
  };
}

function* pages({ ledger, service }: Deps, batch: BatchFacts, states: readonly MerchantState[]) {
  for (const page of ledger.payees.merchants(batch.name, batch.listedSince, service.identity, states))
    if (page.length > 0) yield page;
}

const merchantCodes: Partial<Record<MerchantState, 'MERCHANT_AMBIGUOUS' | 'MERCHANT_UNCLEAR'>> = {
  held: 'MERCHANT_AMBIGUOUS',
  in_doubt: 'MERCHANT_UNCLEAR',
};

/** Stops the run if a payee was refused or is unclear. With `--skip-invalid`, only leaves out these payees' rows. */
export async function refuseMerchants(
  deps: Deps,
  batch: BatchFacts,
  said: { readonly refused: readonly LedgerMerchant[]; readonly skipInvalid: boolean; readonly problems: Problem[] },
): Promise<void> {
  const { refused, skipInvalid, problems } = said;
  if (refused.length === 0) return;
  const { ledger } = deps;
  const byDestination = new Map(refused.map((merchant) => [merchant.destination, merchant]));
  for await (const rows of rowPages(ledger, { batch: batch.name, since: batch.listedSince, states: ['planned'] })) {
    const hit = rows.flatMap((row) => {
      const merchant = byDestination.get(row.destination);
      return merchant === undefined ? [] : [{ row, merchant }];
    });
    const found = hit.map(({ row: { number: row }, merchant: { state, reason } }) =>
      batchProblem(merchantCodes[state] ?? 'MERCHANT_REFUSED', 'error', { reason }, { row }),
    );
    ledger.draft.addProblems(found);
    problems.push(...found.slice(0, Math.max(0, maxProblems - problems.length)));
    if (skipInvalid) await leaveOut(ledger, hit);
  }
  if (!skipInvalid) throw new PayrunError('PAYEES_REFUSED', { payees: refused.length });
}

async function leaveOut(
  ledger: Ledger,
  hit: readonly { readonly row: LedgerRow; readonly merchant: LedgerMerchant }[],
): Promise<void> {
  const moves = hit.filter(({ merchant }) => merchant.state === 'refused');
  if (moves.length > 0)
    await ledger.rows.moveAll(
      moves.map(({ row, merchant }) => ({ row, from: 'planned', to: 'refused', reason: merchant.reason })),
    );
  // A row of an unclear payee is not refused, so that a later run can send the row.
  for (const { row, merchant } of hit)
    if (merchant.state !== 'refused') await ledger.rows.note(row, { reason: merchant.reason });
}
