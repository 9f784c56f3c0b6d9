// Suggestions on the page: they appear by themselves, and what came of them can be said.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

pageTest("suggestions are asked for, appear, are used and dismissed, and filtered", async () => {
  await using t = await tempStore({
    entries: [
      { id: "H-one", type: "decision", text: "src/limiter.ts keeps its window in memory" },
      { id: "H-two", type: "decision", text: "The window of src/limiter.ts is one minute" },
    ],
  });
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(`${t.workspace}/src/limiter.ts`, "export const limit = 1;\n");
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await page.getByText("No suggestions yet").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("src/limiter.ts");
  await page.keyboard.press("Enter");
  await page.getByText("1 suggestion", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("u");
  await page.locator("h2 .badge.used").waitFor();
  await page.locator('[data-verdict="used"][aria-pressed="true"]').waitFor();
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  await t.ctx(["suggest", "src/limiter.ts", "--repeat"]);
  await page.getByText("2 suggestions", { exact: true }).waitFor();
  await page.getByRole("button", { name: "used", exact: true }).click();
  await page.getByText("1 suggestion", { exact: true }).waitFor();
  await page.locator("[data-row]").nth(1).focus();
  await page.keyboard.press("d");
  await page.locator('[data-verdict="dismissed"][aria-pressed="true"]').waitFor();
  const { stdout } = await t.ctx(["suggestions", "--status", "used", "--json"]);
  const { suggestions: [{ suggestions: items }] } = JSON.parse(stdout);
  assert.deepEqual(
    items.map((one: { item: number; verdict: string }) => [one.item, one.verdict]),
    [[1, "used"], [2, "dismissed"]],
  );
  assertSound(open);
});
