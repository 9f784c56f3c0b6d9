// Traces in the browser: a search of the shell arrives, is explained, and compared with today.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const entries = [
  { text: "The queue drops retries after five", title: "Queue limit" },
  { text: "Retries of the queue wait a second", title: "Queue wait" },
];

pageTest(
  "a search leaves a trace; replayed later it tells what is new",
  async () => {
    await using t = await tempStore({ entries });
    await using open = await openPage({ workspace: t.workspace, at: "#/traces" });
    const { page } = open;
    await page.getByText("No traces").waitFor();
    await t.ctx(["search", "queue retries"]);
    await page.locator("[data-row]").getByText("queue retries").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const pane = page.getByRole("complementary", { name: "Trace" });
    await pane.getByRole("region", { name: "Results" }).getByText("drops").waitFor();
    await page.keyboard.press("r");
    await pane.getByText("Replayed: same ranking.").waitFor();
    await page.keyboard.press("e");
    await pane.locator(".score-steps").first().getByText("words").waitFor();
    assert.match(
      await page.locator(".shell-line code").textContent() ?? "",
      /^ctx traces T-\w+ --replay --explain$/,
    );
    await t.ctx(["save", "Retries of the queue are counted by the queue"]);
    const table = pane.getByRole("region", { name: "Replay" });
    await table.getByText("saved since").waitFor();
    await table.getByRole("link", { name: "are counted by the queue" }).click();
    await page.getByRole("complementary", { name: "Entry" }).getByText("are counted").waitFor();
    await page.keyboard.press("Escape");
    await pane.waitFor();
    await page.keyboard.press("Escape");
    await pane.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Hide requests from this page" }).click();
    await page.getByText("Newest 1 of").waitFor();
    assertSound(open);
  },
);
