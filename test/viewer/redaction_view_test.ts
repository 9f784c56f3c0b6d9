// What redaction replaced, on the page.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

pageTest("redactions are counted by rule, filtered, opened and forgotten", async () => {
  await using t = await tempStore();
  const token = `ghp_${"a1B2".repeat(9)}`;
  await t.ctx(["save", `The build used ${token} on Monday`]);
  await t.ctx(["save", "The database is postgres://admin:hunter2secret@db.example/app"]);
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  await page.keyboard.press("g");
  await page.keyboard.press("x");
  await page.getByText("2 secrets replaced before being written, by 2 rules").waitFor();
  const rows = page.locator("[data-row]");
  assert.equal(await rows.count(), 2);
  await page.getByRole("button", { name: "github-token 1" }).click();
  await page.getByText("The database is").waitFor({ state: "detached" });
  assert.equal(await page.locator("mark").textContent(), "[REDACTED:github-token]");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Entry" }).getByText("on Monday").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Forget: The build used" }).click();
  await page.getByRole("dialog", { name: "Confirm" }).getByRole("button", { name: "Yes" }).click();
  await page.getByText("1 secret replaced").waitFor();
  assert.equal(await rows.count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("2 secrets replaced").waitFor();
  assert.equal(await rows.count(), 1);
  assert.doesNotMatch(await page.content(), new RegExp(token));
  await t.ctx(["save", `Another one: ${token}`]);
  await page.getByText("3 secrets replaced").waitFor();
  assertSound(open);
});
