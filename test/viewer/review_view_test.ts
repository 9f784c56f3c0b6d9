// Reviewing in the browser: one key or button each, and what was said is in the log.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { madeSession } from "../support/stores/made_session.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const wishes = [
  "Always use pnpm for installs in this repository.",
  "Never commit generated files.",
  "Always write tests beside the sources they test.",
  "Never push to the main branch directly.",
];

async function makeStore(): Promise<TempStore> {
  const t = await tempStore({
    entries: wishes.flatMap((wish, i) =>
      madeSession([
        { user: `Add page number ${i} to the shop. ${wish}` },
        { agent: `Done: page ${i} is in src/page${i}.ts now, and its tests pass.` },
      ], `S-${i}`)
    ),
  });
  await t.run("distil");
  return t;
}

pageTest(
  "lines are accepted, edited, rejected and put off with one key each; undo brings one back",
  async () => {
    await using t = await makeStore();
    await using open = await openPage({ workspace: t.workspace, at: "#/review" });
    const { page } = open;
    const rows = page.locator(".rows > li");
    const row = (text: string) => rows.filter({ hasText: text });
    await page.getByText("4 lines").waitFor();
    await row("pnpm").locator("[data-row]").focus();
    // The words that it was found in are beside it.
    const evidence = page.getByRole("complementary", { name: "Evidence" });
    await evidence.getByText("Add page number 0 to the shop.").waitFor();
    await row("generated").locator("[data-row]").focus();
    await evidence.getByText("Add page number 1 to the shop.").waitFor();
    await row("pnpm").locator("[data-row]").focus();
    await page.keyboard.press("a");
    await page.getByText("3 lines").waitFor();
    assert.equal(await row("pnpm").count(), 0);
    await row("generated").getByRole("button", { name: "Reject" }).click();
    await page.getByText("2 lines").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row("generated").waitFor();
    await row("generated").locator("[data-row]").focus();
    await page.keyboard.press("r");
    await page.getByText("2 lines").waitFor();
    await row("main branch").locator("[data-row]").focus();
    await page.keyboard.press("l");
    await page.getByText("1 line").waitFor();
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text" }).fill("Tests live next to their sources");
    await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    await page.getByText("Nothing to review").waitFor();
    const { stdout } = await t.ctx(["context", "pack"]);
    assert.match(stdout, /Always use pnpm for installs/);
    assert.match(stdout, /Tests live next to their sources/);
    assert.doesNotMatch(stdout, /generated files/);
    assertSound(open);
  },
);

pageTest(
  "after an answer the next row has the focus, and the last row's answer moves it up",
  async () => {
    await using t = await makeStore();
    await using open = await openPage({ workspace: t.workspace, at: "#/review" });
    const { page } = open;
    const rows = page.locator(".rows > li");
    await page.getByText("4 lines").waitFor();
    const texts = await rows.locator(".title").allTextContents();
    const focused = page.locator(".rows > li a:focus .title");
    await rows.nth(1).locator("[data-row]").focus();
    await page.keyboard.press("l");
    await page.getByText("3 lines").waitFor();
    assert.equal(await focused.textContent(), texts[2]);
    await page.keyboard.press("e");
    await page.getByRole("textbox", { name: "Text" }).fill("In other words");
    await page.getByRole("dialog").getByRole("button", { name: "Accept" }).click();
    await page.getByText("2 lines").waitFor();
    await focused.filter({ hasText: texts[3].replace(/^preference/, "") }).waitFor();
    await page.keyboard.press("l");
    await page.getByText("1 line").waitFor();
    assert.equal(await focused.textContent(), texts[0]);
    assertSound(open);
  },
);

pageTest("a page that changes nothing shows the lines without buttons", async () => {
  await using t = await makeStore();
  await using open = await openPage({
    workspace: t.workspace,
    at: "#/review",
    words: ["--read-only"],
  });
  const { page } = open;
  await page.getByText("4 lines").waitFor();
  assert.equal(await page.getByRole("button", { name: "Accept" }).count(), 0);
  await page.keyboard.press("a");
  await page.getByText("4 lines").waitFor();
  assertSound(open);
});
