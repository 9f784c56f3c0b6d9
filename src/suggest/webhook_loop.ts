// Serves the webhook subscriptions: each by itself and in order, so that one that hangs holds up no
// other. The cursor moves when a delivery was accepted; until then it is tried again with backoff,
// for as long as the subscription lasts and over restarts.

import { toCtxError } from "../core/errors.ts";
import type { Store } from "../store/store.ts";
import { type Delivery, readDeliveries } from "./deliveries.ts";
import { readSubscriptions, type Subscription, type SubscriptionEvent } from "./subscription.ts";
import { backoffMs, postDelivery, type WebhookOptions } from "./webhook.ts";

/** What serving needs. */
export interface WebhookLoopOptions extends Omit<WebhookOptions, "signal"> {
  store: Store;
  signal: AbortSignal;
  /** Waits; ends early when the signal does. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How often the log is looked at. */
  pollMs: number;
  report: (message: string) => void;
}

/** Serves all webhook subscriptions until the signal ends it; new ones join. */
export async function runWebhookLoop(options: WebhookLoopOptions): Promise<void> {
  const { store, signal, sleep, pollMs } = options;
  const running = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    for (const subscription of activeWebhooks(store)) {
      if (running.has(subscription.id)) continue;
      const serving = serveSubscription(subscription, options)
        .finally(() => running.delete(subscription.id));
      running.set(subscription.id, serving);
    }
    await sleep(pollMs, signal);
  }
  await Promise.allSettled(running.values());
}

/** Delivers what is due now to each webhook, one attempt each; returns how many were accepted. */
export async function deliverDue(options: WebhookLoopOptions): Promise<number> {
  const counts = await Promise.all(
    activeWebhooks(options.store).map(async (subscription) => {
      let accepted = 0;
      for (const delivery of pendingOf(options.store, subscription)) {
        if (!await attempt(subscription, delivery, options)) break;
        accepted++;
      }
      return accepted;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function serveSubscription(
  subscription: Subscription,
  options: WebhookLoopOptions,
): Promise<void> {
  const { store, signal, sleep } = options;
  const { id } = subscription;
  while (!signal.aborted) {
    const current = activeWebhooks(store).find((item) => item.id === id);
    const next = current && pendingOf(store, current)[0];
    if (current === undefined || next === undefined) return;
    const accepted = await attempt(current, next, options);
    if (!accepted) await sleep(backoffMs(current.failed_attempts + 1), signal);
  }
}

/** One try; the outcome is in the log before it counts. */
async function attempt(
  subscription: Subscription,
  delivery: Delivery,
  options: WebhookLoopOptions,
): Promise<boolean> {
  const { store, signal, report } = options;
  const { id } = subscription;
  try {
    await postDelivery(subscription.url!, delivery, options);
    await log(store, { event: "delivered", id, ts: stamp(options), cursor: delivery.cursor });
    return true;
  } catch (thrown) {
    if (signal.aborted) return false;
    const error = toCtxError(thrown).message;
    const attempts = subscription.failed_attempts + 1;
    await log(store, {
      event: "failed",
      id,
      ts: stamp(options),
      cursor: delivery.cursor,
      attempts,
      error,
    });
    report(`${error} (attempt ${attempts}; next in ${backoffMs(attempts) / 1000} s)`);
    return false;
  }
}

function pendingOf(store: Store, subscription: Subscription): Delivery[] {
  return readDeliveries(store, subscription, { from: subscription.cursor, limit: 20 });
}

function activeWebhooks(store: Store): Subscription[] {
  return [...readSubscriptions(store.files, store.layout).values()]
    .filter((item) => item.enabled && item.via === "webhook" && item.url !== undefined);
}

async function log(store: Store, event: SubscriptionEvent): Promise<void> {
  await store.write("watch", (writer) => writer.appendRows(store.layout.subscriptions, [event]));
}

function stamp(options: WebhookLoopOptions): string {
  return new Date(options.now()).toISOString();
}
