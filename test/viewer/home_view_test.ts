// Home in the browser: what is open and what happened, and a question with its sources.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { shownProject } from "../support/shown_project.ts";

pageTest("home says where you left off, what is open, and what the week was", async () => {
  await using t = await shownProject();
  const heard = { event: "live", ts: new Date().toISOString(), agent: "codex", hook: "Stop" };
  t.write("captures.ndjson", `${JSON.stringify({ ...heard, conversation: "c1" })}\n`);
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  const left = page.getByRole("region", { name: "Where you left off" });
  const first = left.locator("[data-row]").first();
  await first.getByText("Print labels as PDF").waitFor();
  await first.getByText("Not committed: src/labels/label.ts").waitFor();
  const days = page.getByRole("region", { name: "This week" }).getByRole("link");
  await days.first().waitFor();
  // Seven days, and the way to all figures.
  assert.equal(await days.count(), 8);
  const agents = page.getByRole("region", { name: "Agents" }).getByRole("listitem");
  // A hook of it was called; of others there are only sessions.
  await agents.filter({ hasText: "codex" }).getByText(/^connected, heard just now$/).waitFor();
  await agents.filter({ hasText: "gemini" }).getByText(/^imported, \d+ \w+$/).waitFor();
  await page.getByRole("region", { name: "Still open" }).getByText("Who rotates the key").waitFor();
  await first.click();
  await page.getByRole("heading", { name: "Print labels as PDF" }).waitFor();
  assertSound(open);
});

pageTest("enter asks: the answer has quotes, and each opens its entry in place", async () => {
  await using t = await shownProject();
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  await page.keyboard.press("/");
  await page.keyboard.type("why do webhook retries back off?");
  await page.keyboard.press("Enter");
  const answer = page.getByRole("region", { name: "Answer" });
  await answer.locator("[data-row]").first().waitFor();
  await answer.getByText("capped at 60 s").first().waitFor();
  await answer.locator("[data-row]").first().click();
  await page.getByRole("complementary", { name: "Entry" }).waitFor();
  await answer.waitFor();
  // Another question begins as a search.
  await page.getByRole("searchbox").fill("labels");
  await answer.waitFor({ state: "detached" });
  assertSound(open);
});

pageTest("a page of one session is not told what others left", async () => {
  await using t = await shownProject();
  const words = ["--session", "S-1m2few700s4d0k3nb"];
  await using open = await openPage({ workspace: t.workspace, words });
  const status = await open.page.evaluate(async () =>
    (await fetch("api/resume", { method: "POST", body: "{}" })).status
  );
  assert.equal(status, 404);
  assert.equal(await open.page.getByText("Print labels as PDF").count(), 0);
});
