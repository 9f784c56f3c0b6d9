// Figures in the browser: a day of the calendar leads to what was on it.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

pageTest(
  "the calendar marks days with entries, by keys too, and the tables tell the rest",
  async () => {
    const yesterday = new Date();
    yesterday.setHours(-12, 0, 0, 0);
    const ts = yesterday.toISOString();
    await using t = await tempStore({
      entries: [1, 2, 3].map((i) => ({
        ts,
        role: "user" as const,
        text: `Said ${i}`,
        model: "claude-opus-4-5",
        usage: { id: `r${i}`, input_tokens: 100_000, output_tokens: 20_000 },
        session_id: "S-A",
        source: { agent: "codex", conversation: "A", message: `m${i}` },
      })),
    });
    await using open = await openPage({ workspace: t.workspace, at: "#/stats" });
    const { page } = open;
    await page.getByRole("heading", { name: "1 day with 3 entries" }).waitFor();
    assert.equal(await page.locator(".calendar rect").count(), 371);
    const row = page.getByRole("table", { name: "Sources" }).getByRole("row", { name: "codex" });
    assert.deepEqual(await row.getByRole("cell").allTextContents().then((all) => all.slice(0, 2)), [
      "3",
      "1",
    ]);
    await page.getByRole("table", { name: "Disk use" }).getByText("log").waitFor();
    const cost = page.getByRole("table", { name: "Cost by model" });
    await cost.getByRole("row", { name: "claude-opus-4-5" }).getByText("$3.00").waitFor();
    await page.getByRole("button", { name: "Session", exact: true }).click();
    await page.getByRole("table", { name: "Cost by session" }).getByRole("link").waitFor();
    await page.getByRole("button", { name: "Session", exact: true }).blur();
    await t.ctx(["save", "One more"]);
    await page.getByRole("heading", { name: "2 days with 4 entries" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const day = yesterday.toLocaleDateString("sv");
    await page.waitForFunction((hash) => location.hash === hash, `#/timeline?day=${day}`);
    await page.getByText("Said 1").first().waitFor();
    assertSound(open);
  },
);
