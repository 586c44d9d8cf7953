/** Reports status changes to webhookUrls (interface 6). Repeats each failed call with growing pauses. */
import type { Clock } from '../../base/clock.ts';
import { isoTime } from '../../base/clock.ts';
import type { PaymentCreate } from '../../wire/payment.ts';
import type { WebhookBody } from '../../wire/webhook.ts';
import type { Faults } from '../faults.ts';
import { HttpRefusal, uuidFrom } from '../http/call.ts';
import type { Metrics } from '../http/metrics.ts';
import type { Secrets } from '../http/secrets.ts';
import { historyOf } from '../resources/payment-life.ts';
import type { NewPayment, Store, WebhookCallRow } from '../store/store.ts';
import { type AddressRules, readWebhookUrl } from './address.ts';
import { type Delivered, deliver } from './delivery.ts';

interface WebhookDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly faults: () => Faults;
  readonly rules: () => AddressRules;
  readonly metrics: Metrics | null;
  readonly log: (line: object) => void;
}

export type Webhooks = ReturnType<typeof openWebhooks>;

const sealed = 'webhook secret';
/** The pause between checks for due calls, in real time. With a test's clock, the loop could run without a pause. */
const lookMs = 200;
const callsAtOnce = 64;
/** The maximum number of a tenant's calls under way. A slow receiver then delays only its own tenant. */
const ofOneTenant = 16;
/** How long a node may hold a claimed call: longer than any call takes. After that, any node may claim the call. */
const leaseMs = 60_000;
// The interface does not show when a call is repeated (interface 6). This service repeats a call until the receiver
// answers 2xx within five seconds. The pauses grow, and the last attempt comes after about 32 hours.
const backOffMs = [1, 5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 57_600].map((seconds) => seconds * 1000);

export function openWebhooks(deps: WebhookDeps) {
  const { store, clock, secrets, rules, log } = deps;
  let timer: NodeJS.Timeout | null = null;
  let look: Promise<void> | null = null;
  const underWay = new Map<WebhookCallRow, Promise<void>>();

  async function attempt(row: WebhookCallRow): Promise<void> {
    const secret = row.secret === null ? null : secrets.unseal(sealed, row.secret);
    const { copies, delayMs } = deps.faults().pushed();
    if (delayMs > 0 && row.attempts === 1) {
      // Moves the due time instead of waiting here, so that other calls can overtake this call.
      await store.webhooks.settle(row.seq, { taken: false, dueAt: clock.now() + delayMs });
      return;
    }
    let delivered: Delivered = { done: false, status: null, why: '' };
    for (let copy = 0; copy < copies; copy += 1) {
      const at = Math.floor(clock.now() / 1000);
      delivered = await deliver({ url: row.url, secret, body: row.body, at }, rules());
      deps.metrics?.pushed(delivered);
    }
    const pauseMs = backOffMs[row.attempts - 1];
    const dueAt = delivered.done || pauseMs === undefined ? null : clock.now() + pauseMs;
    await store.webhooks.settle(row.seq, { taken: delivered.done, dueAt });
    log({
      time: clock.now(),
      // Does not log the webhookUrl, because the URL can contain a secret.
      webhook: row.id,
      payment: row.payment_id,
      tenant: row.tenant_id,
      attempt: row.attempts,
      status: delivered.status,
      said: delivered.why,
    });
  }

  async function deliverDue(): Promise<void> {
    while (timer !== null) {
      const now = clock.now();
      const byTenant = Map.groupBy(underWay.keys(), ({ tenant_id }) => tenant_id);
      const counts = new Map(Array.from(byTenant, ([tenantId, rows]) => [tenantId, rows.length]));
      const room = { most: callsAtOnce - underWay.size, ofOneTenant, counts };
      const claimed = await store.webhooks.claim(now, now + leaseMs, room);
      if (claimed.length === 0) return;
      for (const row of claimed) begin(row);
    }
  }

  function begin(row: WebhookCallRow): void {
    const call = attempt(row)
      .catch(failed)
      .finally(() => {
        underWay.delete(row);
        tick();
      });
    underWay.set(row, call);
  }

  const failed = (error: unknown) => log({ time: clock.now(), level: 'error', error: String(error) });

  function tick(): void {
    if (timer === null) return;
    look ??= deliverDue()
      .catch(failed)
      .finally(() => {
        look = null;
      });
  }

  return {
    /** Returns the calls to store with a new payment; none without a webhookUrl. Throws a Refusal for a wrong address. */
    callsFor(row: NewPayment['row'], { webhookUrl, webhookSecret }: PaymentCreate): NewPayment['calls'] {
      if (webhookUrl === undefined) return [];
      const read = readWebhookUrl(webhookUrl, rules());
      if ('wrong' in read) throw new HttpRefusal(400, `webhookUrl ${read.wrong}`);
      // Makes no call for the first status, because the answer of POST /payments shows that status.
      return historyOf(row)
        .slice(1)
        .map(({ status, since }) => {
          const id = uuidFrom(clock.randomHex(16));
          return {
            id,
            tenant_id: row.tenant_id,
            payment_id: row.id,
            url: read.url.href,
            secret: webhookSecret === undefined ? null : secrets.seal(sealed, webhookSecret),
            body: JSON.stringify({
              eventId: id,
              id: row.id,
              status,
              ...(row.tag === null ? {} : { tag: row.tag }),
              time: isoTime(since),
            } satisfies WebhookBody),
            due_at: since,
            attempts: 0,
            taken: 0,
          };
        });
    },
    /** Begins to make due calls, including calls that were stored before a restart. */
    start(): void {
      timer ??= setInterval(tick, lookMs).unref();
    },
    /** Starts no further calls, and waits for the calls under way. Each call has a deadline (delivery.ts). */
    async close(): Promise<void> {
      if (timer !== null) clearInterval(timer);
      timer = null;
      await look;
      await Promise.all(underWay.values());
    },
  };
}
