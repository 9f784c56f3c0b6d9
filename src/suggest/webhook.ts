// Delivers one suggestion to a webhook: signed, with a time limit, redirects not followed. Trying
// again is the caller's; the delivery's id lets a receiver drop what it has seen.

import { CtxError } from "../core/errors.ts";
import type { Delivery } from "./deliveries.ts";
import { checkWebhookHost, parseWebhookUrl, type ResolveName } from "./webhook_address.ts";

/** How to deliver. */
export interface WebhookOptions {
  secret: string;
  allowPrivate: boolean;
  timeoutMs: number;
  now: () => number;
  fetch: typeof fetch;
  resolve: ResolveName;
  signal?: AbortSignal;
}

/** Posts a delivery; throws when it was not accepted. */
export async function postDelivery(
  target: string,
  delivery: Delivery,
  options: WebhookOptions,
): Promise<void> {
  const url = parseWebhookUrl(target);
  await checkWebhookHost(url, options);
  const body = JSON.stringify(delivery);
  const time = Math.floor(options.now() / 1000);
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const response = await post();
  await response.body?.cancel();
  if (response.ok) return;
  const redirected = response.status >= 300 && response.status < 400;
  const what = redirected
    ? `a redirect (${response.status}), which is not followed`
    : `status ${response.status}`;
  throw new CtxError(
    "PROVIDER_FAILED",
    `Cannot deliver to "${url.host}": it answered with ${what}`,
  );

  async function post(): Promise<Response> {
    try {
      return await options.fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "user-agent": "ctx",
          "x-ctx-delivery": delivery.id,
          "x-ctx-subscription": delivery.subscription_id,
          "x-ctx-signature": `t=${time},v1=${await signBody(options.secret, `${time}.${body}`)}`,
        },
        body,
        signal,
      });
    } catch (error) {
      options.signal?.throwIfAborted();
      const late = timeout.aborted;
      const message = late ? `no answer within ${options.timeoutMs} ms` : "the connection failed";
      throw new CtxError(
        late ? "PROVIDER_TIMEOUT" : "PROVIDER_FAILED",
        `Cannot deliver to "${url.host}": ${message}`,
        { cause: error },
      );
    }
  }
}

/** The HMAC-SHA256 of a text, in hexadecimal. */
export async function signBody(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "sign",
  ]);
  const signature = await crypto.subtle.sign("HMAC", key, encoder.encode(text));
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How long to wait before the next attempt: doubled each time, at most ten minutes. */
export function backoffMs(attempts: number): number {
  return Math.min(600_000, 500 * 2 ** Math.min(attempts, 20));
}
