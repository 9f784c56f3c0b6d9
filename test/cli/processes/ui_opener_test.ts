// `ctx ui` on a terminal opens its page in a browser, and leaves the terminal alone: a text browser that
// the desktop falls back on has no terminal to draw on.

import assert from "node:assert/strict";
import { hasTmux, Pty } from "../../support/processes/pty.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test({
  name: "what opens the page prints nothing on the terminal",
  ignore: !hasTmux() || Deno.build.os !== "linux",
  async fn() {
    await using t = await tempStore({ entries: ["one"] });
    const bin = `${t.home}/bin`;
    Deno.mkdirSync(bin, { recursive: true });
    const opener = `#!/bin/sh
echo "A page in text" > /dev/tty
echo "A page in text"
echo "A page in text" >&2
echo "$1" > ${t.home}/opened
`;
    Deno.writeTextFileSync(`${bin}/xdg-open`, opener, { mode: 0o755 });
    const env = {
      DISPLAY: ":9",
      CTX_OPENER: `${bin}/xdg-open`,
      PATH: `${bin}:${Deno.env.get("PATH")}`,
    };
    await using pty = await Pty.start(["ui"], { cwd: t.workspace, env });
    await pty.until(/the link works once/);
    while (!hasFile(`${t.home}/opened`)) await new Promise((done) => setTimeout(done, 50));
    const screen = await pty.until(/the link works once/);
    assert.match(Deno.readTextFileSync(`${t.home}/opened`), /^http:\/\/127\.0\.0\.1:/);
    assert.doesNotMatch(screen, /A page in text/);
    await pty.press("C-c");
    await pty.until(/exit \d+/);
  },
});

function hasFile(path: string): boolean {
  try {
    return Deno.statSync(path).size > 0;
  } catch {
    return false;
  }
}
