// Guards and their log, on the page.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

pageTest("guards are listed with their log; a mode is set in the terminal only", async () => {
  await using t = await tempStore();
  await t.ctx(["guard", "add", "use pnpm, not npm"]);
  const hook = JSON.stringify({
    hook_event_name: "PreToolUse",
    cwd: t.workspace,
    tool_name: "Bash",
    tool_input: { command: "npm install <b>x</b>" },
  });
  await t.ctx(["hook", "pre-edit"], { stdin: hook });
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  await page.keyboard.press("g");
  await page.keyboard.press("k");
  await page.getByText("use pnpm, not npm").waitFor();
  await page.getByText("1 caught, 0 passed").waitFor();
  await page.getByRole("list", { name: "Log" }).getByText("npm install").waitFor();
  await page.keyboard.press("d");
  await page.getByText("ctx guard set pnpm-npm --mode deny").waitFor();
  const set = await page.request.post(`${open.root}api/guard/set`, {
    data: { id: "pnpm-npm", mode: "deny" },
  });
  assert.equal(set.ok(), false, "the page itself cannot change a guard");
  assert.match(await Deno.readTextFile(`${t.workspace}/.contextfs/guards.jsonc`), /"shadow"/);
  assertSound(open);
});
