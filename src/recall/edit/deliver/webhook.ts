// Delivers one suggestion to a webhook: signed (on the loopback only if there is a secret), with a time limit, redirects not followed. Trying
// again is the caller's; the delivery's id lets a receiver drop what it has seen.

import { CtxError } from "../../../core/errors.ts";
import type { Delivery } from "../suggested_item.ts";
import type { AddressedRequest } from "./send_to_address.ts";
import {
  needSecret,
  parseWebhookUrl,
  type ResolveName,
  resolveWebhookHost,
} from "./webhook_address.ts";

export interface WebhookOptions {
  secret: string;
  allowPrivate: boolean;
  timeoutMs: number;
  now: () => number;
  resolve: ResolveName;
  send: (url: URL, request: AddressedRequest) => Promise<number>;
  signal?: AbortSignal;
}

/** Posts a delivery; throws when it was not accepted. */
export async function postDelivery(
  target: string,
  delivery: Delivery,
  options: WebhookOptions,
): Promise<void> {
  const url = parseWebhookUrl(target);
  const addresses = await resolveWebhookHost(url, options);
  if (addresses.length === 0) throw failed("its host name has no address");
  needSecret(url, { ...options, addresses });
  const body = JSON.stringify(delivery);
  const headers = {
    "content-type": "application/json",
    "user-agent": "ctx",
    "x-ctx-delivery": delivery.id,
    "x-ctx-subscription": delivery.subscription_id,
    ...(options.secret === "" ? {} : { "x-ctx-signature": await toSignature(body, options) }),
  };
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  const status = await options.send(url, { addresses, headers, body, signal }).catch((error) => {
    options.signal?.throwIfAborted();
    if (!timeout.aborted) throw failed("the connection failed", error);
    const message = `Cannot deliver to "${url.host}": no response within ${options.timeoutMs} ms`;
    throw new CtxError("PROVIDER_TIMEOUT", message, { cause: error });
  });
  if (status >= 200 && status < 300) return;
  const redirected = status >= 300 && status < 400;
  const what = redirected ? `a redirect (${status}), which is not followed` : `status ${status}`;
  throw failed(`it responded with ${what}`);

  function failed(why: string, cause?: unknown): CtxError {
    return new CtxError("PROVIDER_FAILED", `Cannot deliver to "${url.host}": ${why}`, { cause });
  }
}

/** When it was signed, and the signature. */
async function toSignature(body: string, { secret, now }: WebhookOptions): Promise<string> {
  const time = Math.floor(now() / 1000);
  return `t=${time},v1=${await signBody(secret, `${time}.${body}`)}`;
}

/** The HMAC-SHA256 of a text, in hexadecimal. */
async function signBody(secret: string, text: string): Promise<string> {
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
