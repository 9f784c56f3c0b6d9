// The smoke test of a release, on the built file; and that it notices a file in which something that
// it looks at is broken.

import assert from "node:assert/strict";
import manifest from "../../deno.json" with { type: "json" };
import { smokeTest } from "../../build/smoke.ts";
import { findBuilt } from "../support/processes/built_ctx.ts";

const built = await findBuilt();
/** The files are spoilt by a script for a shell. */
const ignore = Deno.build.os === "windows";

Deno.test({
  name: "the built file passes the smoke test: memory, MCP, sandbox and SQLite",
  ignore: built === undefined,
  async fn() {
    assert.equal(await smokeTest(built!.path), `${manifest.version} (${built!.form})`);
  },
});

for (
  const [what, command, spoil, said] of [
    ["answers no handshake", "mcp", "cat > /dev/null", 'mcp: initialize should say "'],
    [
      "has a server outside the sandbox",
      "mcp",
      `"$ctx" "$@" | sed 's/does not lead to a git directory/& kept outside the fence/'`,
      'mcp: why should not say "kept outside the fence"',
    ],
    [
      "cannot read SQLite",
      "import",
      `echo '{"entries":0}'`,
      'import should say ""entries":1"',
    ],
  ]
) {
  Deno.test({
    name: `a file that ${what} does not pass it`,
    ignore,
    async fn() {
      const path = await Deno.makeTempFile({ prefix: "ctx-spoilt-" });
      try {
        const script =
          `#!/bin/sh\nctx='${built!.path}'\nexport XDG_CACHE_HOME='${built!.cache}'\n` +
          `if [ "$1" = ${command} ]; then ${spoil}; else exec "$ctx" "$@"; fi\n`;
        await Deno.writeTextFile(path, script);
        await Deno.chmod(path, 0o755);
        await assert.rejects(smokeTest(path), (error: Error) => error.message.startsWith(said));
      } finally {
        await Deno.remove(path);
      }
    },
  });
}
