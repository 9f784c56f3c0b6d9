// Delivers one suggestion to a webhook on this machine: signed where there is a secret, with a time
// limit, redirects not followed. Trying again is the caller's; the delivery's id lets a receiver drop
// what it has seen.

import { CtxError } from "../../../core/errors.ts";
import type { Delivery } from "./deliveries.ts";

/** How to deliver. */
export interface WebhookOptions {
  secret: string;
  timeoutMs: number;
  now: () => number;
  send: (url: URL, request: WebhookRequest) => Promise<number>;
  signal?: AbortSignal;
}

/** What is sent. */
export interface WebhookRequest {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** Reads a webhook's URL; throws USAGE when it is none, DENIED when it leads to another machine. */
export function parseWebhookUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CtxError("USAGE", `Cannot use the webhook "${text}": it is no http or https URL`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new CtxError("USAGE", "Cannot use the webhook: its URL holds a password", {
      hint: "deliveries are signed; check the x-ctx-signature header instead",
    });
  }
  if (/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)) return url;
  throw new CtxError("DENIED", `Cannot deliver to "${url.host}": it is not on this machine`, {
    hint: "name a receiver on localhost that passes suggestions on, or read them with ctx poll",
  });
}

/** Posts a delivery; throws when it was not accepted. */
export async function postDelivery(
  target: string,
  delivery: Delivery,
  options: WebhookOptions,
): Promise<void> {
  const url = parseWebhookUrl(target);
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
  const status = await options.send(url, { headers, body, signal }).catch((error) => {
    options.signal?.throwIfAborted();
    if (!timeout.aborted) throw failed("the connection failed", error);
    const message = `Cannot deliver to "${url.host}": no answer within ${options.timeoutMs} ms`;
    throw new CtxError("PROVIDER_TIMEOUT", message, { cause: error });
  });
  if (status >= 200 && status < 300) return;
  const redirected = status >= 300 && status < 400;
  const what = redirected ? `a redirect (${status}), which is not followed` : `status ${status}`;
  throw failed(`it answered with ${what}`);

  function failed(why: string, cause?: unknown): CtxError {
    return new CtxError("PROVIDER_FAILED", `Cannot deliver to "${url.host}": ${why}`, { cause });
  }
}

/** Posts over a connection of its own; resolves with the status. `fetch` would ask proxies first. */
export async function sendToMachine(url: URL, request: WebhookRequest): Promise<number> {
  const { default: http } =
    await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const body = new TextEncoder().encode(request.body);
  const headers = { ...request.headers, "content-length": String(body.length) };
  const { signal } = request;
  return await new Promise((resolve, reject) => {
    const sent = http.request(url, { method: "POST", agent: false, headers, signal }, (answer) => {
      resolve(answer.statusCode ?? 0);
      answer.on("error", () => {});
      answer.destroy();
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** When it was signed, and the HMAC-SHA256 of that time and the body, in hexadecimal. */
async function toSignature(body: string, { secret, now }: WebhookOptions): Promise<string> {
  const time = Math.floor(now() / 1000);
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "sign",
  ]);
  const signed = await crypto.subtle.sign("HMAC", key, encoder.encode(`${time}.${body}`));
  return `t=${time},v1=${new Uint8Array(signed).toHex()}`;
}

/** How long to wait before the next attempt: doubled each time, at most ten minutes. */
export function backoffMs(attempts: number): number {
  return Math.min(600_000, 500 * 2 ** Math.min(attempts, 20));
}
