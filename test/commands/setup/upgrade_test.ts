// `ctx upgrade`: asks only when told to, and nothing else in ctx can make it ask.

import assert from "node:assert/strict";
import { commandNames } from "../../../src/commands/mod.ts";
import { compareVersions } from "../../../src/commands/setup/upgrade.ts";
import { repository } from "../../support/repository.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

async function withReleases(
  answer: (path: string) => Response,
  use: (url: string, asked: string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    asked.push(new URL(request.url).pathname);
    return answer(new URL(request.url).pathname);
  });
  await use(`http://127.0.0.1:${server.addr.port}/releases`, asked);
}

Deno.test("upgrade --check compares with the release page", async () => {
  await using t = await tempStore({ init: false });
  await withReleases(() => new Response("999.0.0\n"), async (url, asked) => {
    const env = { CTX_RELEASES_URL: url };
    const { code, stdout } = await t.ctx(["upgrade", "--check", "--json"], { env });
    assert.equal(code, 0);
    const { latest, newer } = JSON.parse(stdout);
    assert.deepEqual([latest, newer], ["999.0.0", true]);
    assert.deepEqual(asked, ["/releases/latest/download/VERSION"]);
  });
});

Deno.test("upgrade without --check asks nobody", async () => {
  await using t = await tempStore({ init: false });
  await withReleases(() => new Response("999.0.0\n"), async (url, asked) => {
    const { code, stdout } = await t.ctx(["upgrade"], { env: { CTX_RELEASES_URL: url } });
    assert.equal(code, 0);
    assert.match(stdout, /not checked/);
    assert.match(
      stdout,
      /^Upgrade with: curl --proto '=https' --tlsv1\.2 -fsSL .*\/install\.sh \| sh$/m,
    );
    assert.deepEqual(asked, []);
  });
});

Deno.test("upgrade --check says what it could not read", async () => {
  await using t = await tempStore({ init: false });
  await withReleases(() => new Response("no", { status: 404 }), async (url) => {
    const env = { CTX_RELEASES_URL: url };
    const { code, stderr } = await t.ctx(["upgrade", "--check"], { env });
    assert.equal(code, 6);
    assert.match(stderr, /^ctx: Cannot read ".*VERSION": the server answered 404\n/);
  });
});

Deno.test("no module but the command table can reach upgrade", async () => {
  assert.ok(commandNames.includes("upgrade"));
  const users: string[] = [];
  const visit = async (directory: string): Promise<void> => {
    for await (const item of Deno.readDir(directory)) {
      const path = `${directory}/${item.name}`;
      if (item.isDirectory) await visit(path);
      else if (
        /from "[^"]*upgrade\.ts"|import\("[^"]*upgrade\.ts"\)/.test(await Deno.readTextFile(path))
      ) {
        users.push(path.slice(repository.length + 1));
      }
    }
  };
  await visit(`${repository}/src`);
  assert.deepEqual(users, ["src/commands/mod.ts"]);
});

Deno.test("compareVersions() orders by number, pre-releases first", () => {
  const ordered = ["0.9.9", "0.10.0-rc.1", "0.10.0", "0.10.1", "1.0.0"];
  for (const [i, a] of ordered.entries()) {
    for (const [j, b] of ordered.entries()) {
      assert.equal(compareVersions(a, b), Math.sign(i - j), `${a} ${b}`);
    }
  }
});
