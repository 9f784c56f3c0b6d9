// Serves the webhook subscriptions: each by itself and in order, so that one that hangs holds up no
// other. The cursor moves when a delivery was accepted; until then it is tried again with backoff,
// for as long as the subscription lasts and over restarts. What the user has not approved of, in this
// workspace, is not served: the list of subscriptions comes with a clone.

import { toCtxError } from "../../../core/errors.ts";
import type { Store } from "../../../store/store.ts";
import { readDeliveries } from "./deliveries.ts";
import type { Delivery } from "../suggested_item.ts";
import { listWebhooks, type SubscriptionEvent } from "./subscription.ts";
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
    for (const webhook of await approvedWebhooks(options)) {
      const { id } = webhook;
      if (running.has(id)) continue;
      const serving = deliverTo(webhook, options).then(async ({ failed }) => {
        if (failed > 0) await sleep(backoffMs(failed), signal);
      }).finally(() => running.delete(id));
      running.set(id, serving);
    }
    await sleep(pollMs, signal);
  }
  await Promise.allSettled(running.values());
}

/** Delivers what is due now to each webhook, one attempt each; returns how many were accepted. */
export async function deliverDue(options: WebhookLoopOptions): Promise<number> {
  const webhooks = await approvedWebhooks(options);
  const done = await Promise.all(webhooks.map((webhook) => deliverTo(webhook, options)));
  return done.reduce((sum, { accepted }) => sum + accepted, 0);
}

/** Delivers what is pending until one attempt fails; `failed` counts the attempts in a row that did. */
async function deliverTo(
  webhook: Webhook,
  options: WebhookLoopOptions,
): Promise<{ accepted: number; failed: number }> {
  const { store, signal } = options;
  let accepted = 0;
  for (const delivery of readDeliveries(store, webhook, { from: webhook.cursor, limit: 20 })) {
    // Between two deliveries it may have been paused, ended or no longer allowed.
    const current = (await approvedWebhooks(options)).find(({ id }) => id === webhook.id);
    if (current === undefined || signal.aborted) break;
    if (!await attempt(current, delivery, options)) {
      return { accepted, failed: current.failed_attempts + 1 };
    }
    accepted++;
  }
  return { accepted, failed: 0 };
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
