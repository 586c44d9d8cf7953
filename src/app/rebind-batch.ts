/** `ledger rebind`: lets another key, user or address continue a batch. */
import { assert, PayrunError } from '../base/errors.ts';
import type { ShownIdentity } from '../base/words.ts';
import { readPayment } from '../client/client.ts';
import type { Note } from '../domain/note.ts';
import { foldTag } from '../domain/rows/tag.ts';
import type { LedgerRow } from '../ledger/ledger.ts';
import type { Deps } from '../pipeline/deps.ts';
import { viewOf } from '../pipeline/doubt-step.ts';
import type { BatchOrder } from '../pipeline/order.ts';
import { batchStatus, type Outcome, outcomeOf } from '../pipeline/outcome.ts';
import { shownIdentity } from '../pipeline/plans/plan.ts';
import { batchNamed, leadBatch } from './batch/find-batch.ts';

type Rebinding = Pick<BatchOrder, 'batch'> & { readonly reason: string };

export async function rebindBatch(deps: Deps, order: Rebinding): Promise<Outcome> {
  const note = await rebind(deps, order);
  const { ledger, limits, clock } = deps;
  const status = await batchStatus(ledger, await batchNamed(ledger, order.batch), viewOf(limits, clock.now()));
  return outcomeOf({ ...status, notes: [note, ...status.notes], end: 'done' });
}

/** How many known payments the new key or address must be able to see. */
const rebindProofs = 3;

async function rebind(deps: Deps, { batch: name, reason }: Rebinding): Promise<Note> {
  const { ledger, service } = deps;
  const batch = await leadBatch(ledger, name);
  if (batch.identity === service.identity) return { note: 'bound-already', batch: name };
  const identities = { was: shownIdentity(batch.identity), now: shownIdentity(service.identity) };
  const known = await ledger.rows.newestPaid(name, rebindProofs);
  await requireShown(deps, identities, known);
  await ledger.batches.bind(name, service.identity, service.label);
  const data = { ...identities, reason, proofs: known.length };
  await ledger.trail.record({ batch: name, row: null, what: 'rebind', data });
  return { note: 'bound', batch: name, service: service.label, payments: known.length };
}

/** The service must list each payment and return it by its id, both times with its tag. */
async function requireShown(
  { client }: Deps,
  identities: Readonly<Record<'was' | 'now', ShownIdentity>>,
  known: readonly LedgerRow[],
): Promise<void> {
  await client.ready();
  const listed = new Map<string, string | null>();
  for await (const items of client.payments())
    for (const item of items) {
      const payment = readPayment(item);
      if (payment !== null) listed.set(payment.id, foldTag(payment.tag));
    }
  for (const { paymentId, tag, key, batch } of known) {
    assert(paymentId !== null, 'a row that was paid has a payment');
    const byId = await client.payment(paymentId);
    if (listed.get(paymentId) !== tag || foldTag(byId?.tag) !== tag)
      throw new PayrunError('IDENTITY_UNPROVEN', { batch, ...identities, payment: paymentId, row: key });
  }
}
