// The page's door: a link that opens once, a cookie that only the page's own requests may use, and
// headers under which nothing else runs.

import assert from "node:assert/strict";
import { openContext } from "../../../src/app/app.ts";
import { findCommand, loadCommands } from "../../../src/commands/mod.ts";
import { makeWebHandler } from "../../../src/serve/web/web_handler.ts";
import { WebPage } from "../../../src/serve/web/web_page.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

const origin = "http://127.0.0.1:4000";
const token = "the-token-of-the-link";
const place = "a-place";

type Headers = Record<string, string>;

/** A server with a page, and a browser that came by the link. */
function openPage(workspace: string): {
  ask(path: string, headers?: Headers, init?: RequestInit): Promise<Response>;
  enter(): Promise<Headers>;
} {
  const context = openContext({ workspace, surface: "http" });
  const page = new WebPage({ workspace, read_only: false }, { place, token });
  const handler = makeWebHandler({ context, findCommand, loadCommands, page });
  const ask = (path: string, headers: Headers = {}, init: RequestInit = {}) => {
    const sent = { host: "127.0.0.1:4000", ...headers };
    return handler(new Request(`${origin}/${place}${path}`, { ...init, headers: sent }));
  };
  const enter = async (): Promise<Headers> => {
    const response = await ask(`/?token=${token}`);
    return { cookie: response.headers.get("set-cookie")?.split(";")[0] ?? "" };
  };
  return { ask, enter };
}

Deno.test("without the link there is nothing: no page, no script, no command, no events", async () => {
  await using t = await tempStore();
  const { ask } = openPage(t.workspace);
  const paths = [
    "/",
    "/viewer.js",
    "/highlighter.js",
    "/viewer.css",
    "/page.json",
    "/api",
    "/api/ls",
    "/events",
  ];
  for (const path of [...paths, "/mcp", "/?token=wrong", "/?token="]) {
    const response = await ask(path);
    assert.equal(response.status, 401, path);
    assert.equal(response.headers.get("set-cookie"), null, path);
    assert.doesNotMatch(await response.text(), /workspace|<script/, path);
  }
});

Deno.test("the link gives a cookie once, that scripts cannot read and other sites do not send", async () => {
  await using t = await tempStore();
  const { ask } = openPage(t.workspace);
  for (const method of ["HEAD", "OPTIONS", "POST"]) {
    const looked = await ask(`/?token=${token}`, {}, { method });
    assert.equal(looked.status, 401, `${method} does not use it up`);
  }
  const first = await ask(`/?token=${token}`);
  assert.equal(first.status, 200);
  const cookie = first.headers.get("set-cookie") ?? "";
  assert.match(cookie, /^ctx-4000=[\w-]{32}; Path=\/a-place\/; HttpOnly; SameSite=Strict$/);
  assert.equal(first.headers.get("refresh"), "0; url=./");
  const again = await ask(`/?token=${token}`);
  assert.equal(again.status, 401);
  assert.match(await again.text(), /already been used/);
  const own = { cookie: cookie.split(";")[0] };
  assert.equal((await ask(`/?token=${token}`, own)).status, 200, "the browser that has it goes on");
  assert.equal((await ask("/page.json", own)).status, 200);
  assert.equal((await ask("/page.json", { cookie: "ctx-4000=guess" })).status, 401);
});

Deno.test("the cookie serves the page's own requests and those of nobody else", async () => {
  await using t = await tempStore();
  const { ask, enter } = openPage(t.workspace);
  const own = await enter();
  const save = { method: "POST", body: JSON.stringify({ text: "by a stranger" }) };
  const strangers: Headers[] = [
    { origin: "http://localhost:3000" },
    { origin: "http://127.0.0.1:4001" },
    { origin: "https://127.0.0.1:4000" },
    { origin: "null" },
    { origin: "https://evil.example" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "cross-site" },
    { host: "evil.example" },
    { host: "127.0.0.1.evil.example:4000" },
  ];
  for (const foreign of strangers) {
    const said = JSON.stringify(foreign);
    const sent = { ...own, ...foreign };
    assert.ok([401, 403].includes((await ask("/api/save", sent, save)).status), said);
    assert.ok([401, 403].includes((await ask("/page.json", sent)).status), said);
  }
  const fine = { ...own, origin, "sec-fetch-site": "same-origin" };
  assert.equal((await ask("/api/save", fine, save)).status, 200);
});

Deno.test("beside the page's place there is nothing, with its cookie too", async () => {
  await using t = await tempStore();
  const { ask, enter } = openPage(t.workspace);
  const own = await enter();
  for (const path of ["/page.json", "/api", "/api/ls", "/events", "/viewer.js", "/", ""]) {
    for (const beside of ["/..", "/../a-plac", "/../a-place2", "/%2e%2e"]) {
      const response = await ask(beside + path, own);
      assert.equal(response.status, 404, beside + path);
      await response.body?.cancel();
    }
  }
});

Deno.test("every answer forbids scripts, styles, images and requests that are not the page's own", async () => {
  await using t = await tempStore();
  const { ask, enter } = openPage(t.workspace);
  const own = await enter();
  for (const path of ["/", "/api/ls", "/nothing", "/page.json"]) {
    for (const headers of [own, {}]) {
      const response = await ask(path, headers);
      const policy = response.headers.get("content-security-policy") ?? "";
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'self'(;|$)/);
      assert.match(policy, /img-src 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      assert.equal(response.headers.get("cache-control"), "no-store");
      await response.body?.cancel();
    }
  }
});
