// Five tasks of a new user, from Home and by keys alone: what is typed, and what is on the screen then.
// The seconds of each are what the test prints; docs/UI.md has them.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertSound, goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import { shownProject } from "../support/shown_project.ts";

pageTest("a new user does five tasks without a mouse", async (t) => {
  await using store = await shownProject();
  await store.ctx(["records", "--derive"]);
  await using open = await openPage({ workspace: store.workspace });
  const { page } = open;
  page.setDefaultTimeout(10_000);
  const main = page.getByRole("main");
  /** Does a task from Home; what is in quotes is typed, all else are keys. */
  const task = async (name: string, keys: string, see: () => Promise<void>): Promise<void> => {
    await page.keyboard.press("Escape");
    await goTo(page, "#/home");
    await page.getByRole("region", { name: "Where you left off" }).waitFor();
    await t.step(`${name}: ${keys}`, async () => {
      await press(page, keys);
      await see();
    });
  };

  await task("why a line is so", `g w / "rerty" Enter`, async () => {
    const story = page.getByRole("region", { name: "Story" });
    await story.getByText("Make the retry back off").waitFor();
    await story.getByText("capped at 60 s").waitFor();
  });
  await task("what was decided", `/ "how often is a delivery tried" Enter`, async () => {
    await main.getByText("tried 5 times with exponential backoff").first().waitFor();
  });
  await task("accept three rules", "g v a a a", async () => {
    await page.getByText("Nothing to review").waitFor();
    const { acts } = JSON.parse((await store.ctx(["undo", "--list", "--json"])).stdout);
    assert.equal(acts.filter(({ did }: { did: string }) => did.startsWith("save")).length, 3);
  });
  await task("share a session", `g s / "webhok" Enter s`, async () => {
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Enter")]);
    assert.equal(file.suggestedFilename(), "webhook-retries-overload-partners.html");
  });
  await task("what this week cost", "g a", async () => {
    const cost = page.getByRole("region", { name: "Cost", exact: true });
    await cost.getByText(/^\$\d+\.\d\d$/).first().waitFor();
    await cost.getByRole("button", { name: "7 days", pressed: true }).waitFor();
  });
  assertSound(open);
});

/** Presses keys one after the other, and types what is in quotes; each once the page has settled. */
async function press(page: Page, keys: string): Promise<void> {
  for (const [, text, key] of keys.matchAll(/"([^"]*)"|(\S+)/g)) {
    await page.waitForLoadState("networkidle");
    await page.locator("main [aria-busy=true]").first().waitFor({ state: "detached" });
    if (text === undefined) await page.keyboard.press(key);
    else await page.keyboard.type(text, { delay: 30 });
  }
}
