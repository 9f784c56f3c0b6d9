// Webhooks: signed, limited in time, tried again, kept out of private networks, never redirected.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import type { Delivery } from "../../../../src/recall/edit/suggested_item.ts";
import { sendToAddress } from "../../../../src/recall/edit/deliver/send_to_address.ts";
import {
  backoffMs,
  postDelivery,
  type WebhookOptions,
} from "../../../../src/recall/edit/deliver/webhook.ts";
import {
  addressKind,
  parseWebhookUrl,
  resolveWebhookHost,
} from "../../../../src/recall/edit/deliver/webhook_address.ts";

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

Deno.test("postDelivery() looks a name up once and goes to the address that was checked", async () => {
  let host: string | null = null;
  await using server = serve((request) => {
    host = request.headers.get("host");
    return new Response("ok");
  });
  const { port } = new URL(server.url);
  // A name that nobody else knows: only the address that the look-up gave leads to the server.
  const asked: string[] = [];
  const resolve = (name: string): Promise<string[]> => {
    asked.push(name);
    return Promise.resolve(["127.0.0.1"]);
  };
  await postDelivery(`http://hooks.invalid:${port}/`, delivery, { ...options(), resolve });
  assert.deepEqual(asked, ["hooks.invalid"]);
  assert.equal(host, `hooks.invalid:${port}`);
});

Deno.test("postDelivery() refuses a name with any private address, at every attempt", async () => {
  const answers = [["8.8.8.8"], ["8.8.8.8", "10.0.0.7"], ["not an address"]];
  const sent: (readonly string[])[] = [];
  const rebinding: WebhookOptions = {
    ...options(),
    resolve: () => Promise.resolve(answers.shift()!),
    send: (_url, { addresses }) => {
      sent.push(addresses);
      return Promise.resolve(200);
    },
  };
  await postDelivery("https://hooks.example.org/", delivery, rebinding);
  for (const _ of [1, 2]) {
    await assert.rejects(postDelivery("https://hooks.example.org/", delivery, rebinding), {
      code: "DENIED",
    });
  }
  assert.deepEqual(sent, [["8.8.8.8"]]);
});

Deno.test("postDelivery() fails for a name without an address, and sends nothing", async () => {
  const send: WebhookOptions["send"] = () => assert.fail("sent");
  await assert.rejects(
    postDelivery("http://hooks.invalid/", delivery, { ...options(), send }),
    /no address/,
  );
});

Deno.test("postDelivery() reaches localhost whichever loopback it listens on", async () => {
  await using server = serve(() => new Response("ok"));
  await postDelivery(`http://localhost:${new URL(server.url).port}/`, delivery, options());
});

const kinds: [string, string | undefined][] = [
  ["127.0.0.1", "loopback"],
  ["::1", "loopback"],
  ["10.1.2.3", "private"],
  ["172.16.0.1", "private"],
  ["172.32.0.1", "public"],
  ["192.168.1.1", "private"],
  ["169.254.169.254", "private"],
  ["100.64.0.1", "private"],
  ["0.0.0.0", "private"],
  ["224.0.0.1", "private"],
  ["fd00::1", "private"],
  ["fe80::1", "private"],
  ["::ffff:10.0.0.1", "private"],
  ["::ffff:a00:1", "private"],
  ["::ffff:127.0.0.1", "loopback"],
  ["::10.0.0.1", "private"],
  ["::7f00:1", "private"],
  ["64:ff9b::a00:1", "private"],
  ["2002:a00:1::", "private"],
  ["198.18.0.1", "private"],
  ["255.255.255.255", "private"],
  ["8.8.8.8", "public"],
  ["2606:4700::1", "public"],
  ["example.org", undefined],
];

Deno.test("addressKind() knows loopback, private and public ranges", () => {
  for (const [address, kind] of kinds) assert.equal(addressKind(address), kind, address);
});

Deno.test("resolveWebhookHost() lets private addresses pass only when the user allows them", async () => {
  const resolve = (): Promise<string[]> => Promise.resolve([]);
  for (const target of ["http://192.168.0.1/", "http://[fd00::1]/", "http://2130706433.0.0.1/"]) {
    const url = URL.canParse(target) ? new URL(target) : undefined;
    if (url === undefined) continue;
    await assert.rejects(resolveWebhookHost(url, { allowPrivate: false, resolve }), {
      code: "DENIED",
    });
    await resolveWebhookHost(url, { allowPrivate: true, resolve });
  }
  await resolveWebhookHost(new URL("http://localhost:9/"), { allowPrivate: false, resolve });
  await assert.rejects(
    resolveWebhookHost(new URL("http://0x0a000001/"), { allowPrivate: false, resolve }),
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
    allowPrivate: false,
    timeoutMs: 60_000,
    now: () => 1_700_000_000_000,
    resolve: () => Promise.resolve([]),
    send: sendToAddress,
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
