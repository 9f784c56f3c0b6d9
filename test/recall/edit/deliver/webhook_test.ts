// Webhooks: signed, limited in time, tried again, kept on this machine, never redirected.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { Delivery } from "../../../../src/recall/edit/deliver/deliveries.ts";
import {
  backoffMs,
  parseWebhookUrl,
  postDelivery,
  sendToMachine,
  type WebhookOptions,
} from "../../../../src/recall/edit/deliver/webhook.ts";

const delivery: Delivery = {
  id: "G-1",
  ts: "2026-01-01T00:00:00.000Z",
  created_at: "2026-01-01T00:00:00.000Z",
  subscription_id: "B-1",
  cursor: 10,
  trigger: { type: "file", source: "a.ts" },
  suggestions: [],
};

Deno.test("postDelivery() signs the body with HMAC-SHA256 and names the delivery", async () => {
  let seen: { headers: Headers; body: string } | undefined;
  await using server = serve(async (request) => {
    seen = { headers: request.headers, body: await request.text() };
    return new Response("ok");
  });
  await postDelivery(server.url, delivery, options());
  const { headers, body } = seen!;
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get("x-ctx-signature")!)!;
  const expected = createHmac("sha256", "s3cret").update(`${time}.${body}`).digest("hex");
  assert.equal(signature, expected);
  assert.equal(headers.get("x-ctx-delivery"), "G-1");
  assert.deepEqual(JSON.parse(body), delivery);
});

Deno.test("postDelivery() does not follow redirects", async () => {
  let followed = false;
  await using server = serve((request) => {
    if (new URL(request.url).pathname === "/next") followed = true;
    return new Response(null, { status: 307, headers: { location: "/next" } });
  });
  await assert.rejects(postDelivery(server.url, delivery, options()), /redirect \(307\)/);
  assert.equal(followed, false);
});

Deno.test("postDelivery() gives up on a webhook that hangs, with a clear outcome", async () => {
  const release = Promise.withResolvers<Response>();
  await using server = serve(() => release.promise);
  const failure = postDelivery(server.url, delivery, { ...options(), timeoutMs: 50 });
  await assert.rejects(failure, { code: "PROVIDER_TIMEOUT" });
  release.resolve(new Response("late"));
});

Deno.test("postDelivery() reaches localhost whichever loopback it listens on", async () => {
  await using server = serve(() => new Response("ok"));
  await postDelivery(`http://localhost:${new URL(server.url).port}/`, delivery, options());
});

Deno.test("parseWebhookUrl() takes addresses of this machine and no others", () => {
  const here = ["localhost", "127.0.0.1", "127.0.0.9", "127.1", "0x7f000001", "[::1]"];
  for (const host of here) parseWebhookUrl(`http://${host}:9/x`);
  const elsewhere = [
    "example.org",
    "localhost.example.org",
    "0.0.0.0",
    "10.0.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "[::]",
    "[fd00::1]",
    "[::ffff:10.0.0.1]",
    "127.0.0.1.example.org",
  ];
  for (const host of elsewhere) {
    assert.throws(() => parseWebhookUrl(`https://${host}/x`), { code: "DENIED" }, host);
  }
});

Deno.test("postDelivery() sends nothing to another machine, whatever a subscription says", async () => {
  const send: WebhookOptions["send"] = () => assert.fail("sent");
  await assert.rejects(
    postDelivery("https://hooks.example.org/", delivery, { ...options(), send }),
    { code: "DENIED" },
  );
});

Deno.test("parseWebhookUrl() refuses what is no http URL or holds a password", () => {
  for (const text of ["x", "ftp://a/", "file:///etc/passwd", "http://u:p@a/"]) {
    assert.throws(() => parseWebhookUrl(text), { code: "USAGE" }, text);
  }
});

Deno.test("backoffMs() doubles and has a ceiling", () => {
  assert.deepEqual([1, 2, 3, 4].map(backoffMs), [1000, 2000, 4000, 8000]);
  assert.equal(backoffMs(1000), 600_000);
});

function options(): WebhookOptions {
  return {
    secret: "s3cret",
    timeoutMs: 60_000,
    now: () => 1_700_000_000_000,
    send: sendToMachine,
  };
}

/** A server on a free port of this machine. */
function serve(
  handler: (request: Request) => Response | Promise<Response>,
): { url: string } & AsyncDisposable {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
    },
  };
}
