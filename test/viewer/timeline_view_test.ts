// The timeline in the browser: around an entry, and by day.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { tempStore } from "../support/stores/temp_store.ts";

const said = (ts: string, text: string, session_id: string) => ({
  ts: `2026-01-${ts}:00.000Z`,
  text,
  session_id,
  role: "user" as const,
});

const entries = [
  ...Array.from({ length: 30 }, (_, i) => said(`05T10:${10 + i}`, `Step number ${i}`, "S-A")),
  said("05T10:25", "Meanwhile elsewhere", "S-B"),
  {
    ts: "2026-01-05T12:00:00.000Z",
    role: "note" as const,
    type: "decision",
    title: "Retries stop after five",
    text: "Retries stop after five, because the queue drops later ones",
  },
  said("07T09:00", "A day later but one", "S-C"),
];

pageTest("around an entry: wider, across sessions, and entries opened beside it", async () => {
  await using t = await tempStore({ entries });
  await using open = await openPage({ workspace: t.workspace, at: "#/timeline?id=H-H16" });
  const { page } = open;
  const rows = page.locator(".rows [data-row]");
  const pane = page.getByRole("complementary", { name: "Entry" });
  await pane.getByText("Step number 15").waitFor();
  await page.getByText("21 of 30").waitFor();
  assert.match(await page.locator(".anchor").textContent() ?? "", /Step number 15/);
  await page.getByRole("button", { name: "Earlier" }).click();
  await page.getByText("26 of 30").waitFor();
  assert.match(await rows.first().textContent() ?? "", /Step number 0/);
  await page.getByRole("button", { name: "All sessions" }).click();
  await rows.getByText("Meanwhile elsewhere").click();
  await pane.getByText("Meanwhile elsewhere").waitFor();
  assert.match(await page.locator(".anchor").textContent() ?? "", /Step number 15/);
  await page.keyboard.press("Escape");
  await pane.waitFor({ state: "detached" });
  assert.equal(
    await page.locator(".shell-line code").textContent(),
    "ctx timeline H-H16 --before 30 --after 10 --session all",
  );
  assertSound(open);
});

pageTest("a day: the last one first, keys step, an empty one leads on, news arrive", async () => {
  await using t = await tempStore({ entries });
  await using open = await openPage({ workspace: t.workspace, at: "#/timeline" });
  const { page } = open;
  const heading = page.getByRole("heading", { level: 1 });
  await heading.getByText("Wednesday, 7 January 2026").waitFor();
  await page.getByText("A day later but one").first().waitFor();
  // Days without entries are passed over.
  await page.getByRole("button", { name: "Monday, 5 January 2026" }).waitFor();
  await page.keyboard.press("h");
  await heading.getByText("Monday, 5 January 2026").waitFor();
  await page.getByText("Retries stop after five").click();
  await page.getByRole("complementary", { name: "Entry" }).getByText("the queue drops").waitFor();
  await page.keyboard.press("l");
  await heading.getByText("Wednesday, 7 January 2026").waitFor();
  const today = new Date().toLocaleDateString("sv");
  await page.getByLabel("Day", { exact: true }).last().fill(today);
  await page.getByText("Nothing recorded on this day.").waitFor();
  assert.equal(await page.getByRole("button", { name: "No later day" }).isDisabled(), true);
  await t.ctx(["save", "Deploys wait for the queue", "--type", "decision"]);
  await page.locator("[data-row]").getByText("Deploys wait for the queue").waitFor();
  assertSound(open);
});
