// The stdio server of the test build: the real one with the suite's fixtures added.

import { openServed } from "../../../../src/cli/processes/served.ts";
import { writeBytes } from "../../../../src/cli/line/terminal.ts";
import { serveOverPipes } from "../../../../src/serve/mcp/stdio.ts";
import { makeFixtures } from "./fixture_tools.ts";

const { factory } = await openServed({
  workspace: Deno.args[0],
  surface: "mcp",
  session: "all",
  read_only: false,
  tools: "all",
  extension: makeFixtures(),
});
await serveOverPipes(factory, {
  input: Deno.stdin.readable,
  write: (bytes) => writeBytes("stdout", bytes),
}, new AbortController().signal);
