// Serves the webhook subscriptions: each by itself and in order, so that one that hangs holds up no
// other. The cursor moves when a delivery was accepted; until then it is tried again with backoff,
// for as long as the subscription lasts and over restarts. What the user has not approved of, in this
// workspace, is not served: the list of subscriptions comes with a clone.

import { toCtxError } from "../../../core/errors.ts";
import type { Store } from "../../../store/store.ts";
import { type Delivery, readDeliveries } from "./deliveries.ts";
import { listWebhooks, type Subscription, type SubscriptionEvent } from "./subscription.ts";
import { backoffMs, postDelivery, type WebhookOptions } from "./webhook.ts";

/** What serving needs. */
export interface WebhookLoopOptions extends Omit<WebhookOptions, "signal"> {
  store: Store;
  signal: AbortSignal;
  /** Reads which addresses the user approved of; asked before every attempt. */
  readConsent: () => Promise<(url: string) => boolean>;
  /** Waits; ends early when the signal does. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** How often the log is looked at. */
  pollMs: number;
  report: (message: string) => void;
  /** Told of what was delivered. */
  tell?: (message: string) => void;
}

type Webhook = ReturnType<typeof listWebhooks>[number];

/** Serves all webhook subscriptions until the signal ends it; new ones join. */
export async function runWebhookLoop(options: WebhookLoopOptions): Promise<void> {
  const { signal, sleep, pollMs } = options;
  const running = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    for (const subscription of await approvedWebhooks(options)) {
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
    (await approvedWebhooks(options)).map(async (subscription) => {
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
  subscription: Webhook,
  options: WebhookLoopOptions,
): Promise<void> {
  const { store, signal, sleep } = options;
  const { id } = subscription;
  while (!signal.aborted) {
    const current = (await approvedWebhooks(options)).find((item) => item.id === id);
    const next = current && pendingOf(store, current)[0];
    if (current === undefined || next === undefined) return;
    const accepted = await attempt(current, next, options);
    if (!accepted) await sleep(backoffMs(current.failed_attempts + 1), signal);
  }
}

/** One try; the outcome is in the log before it counts. */
async function attempt(
  subscription: Webhook,
  delivery: Delivery,
  options: WebhookLoopOptions,
): Promise<boolean> {
  const { store, signal, report } = options;
  const { id } = subscription;
  try {
    await postDelivery(subscription.url, delivery, options);
    await log(store, { event: "delivered", id, ts: stamp(options), cursor: delivery.cursor });
    options.tell?.(`delivered a suggestion to ${id}`);
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

async function approvedWebhooks(options: WebhookLoopOptions): Promise<Webhook[]> {
  const webhooks = listWebhooks(options.store.files, options.store.layout);
  if (webhooks.length === 0) return [];
  const isApproved = await options.readConsent();
  return webhooks.filter(({ url }) => isApproved(url));
}

async function log(store: Store, event: SubscriptionEvent): Promise<void> {
  await store.write("watch", (writer) => writer.appendRows(store.layout.subscriptions, [event]));
}

function stamp(options: WebhookLoopOptions): string {
  return new Date(options.now()).toISOString();
}
