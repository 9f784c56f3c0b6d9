// Decisions in the browser: what the code has moved away from, what they rest on, and what is done
// about it.

import assert from "node:assert/strict";
import { assertSound, openPage, pageTest } from "../support/servers/open_page.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

const old = "export function wait(tries) {\n  return tries * 1000;\n}";
const made = `export function wait(tries) {
  const capped = Math.min(tries, 6);
  const jitter = Math.random() * 250;
  return 2 ** capped * 1000 + jitter;
}`;

/** A decision of a session whose edit is no longer in the file, and a wish that rests on nothing. */
async function makeStore(): Promise<TempStore> {
  const common = { session_id: "S-1kf00000000000000" };
  const t = await tempStore({
    entries: [
      { ...common, role: "user", type: "turn", text: "Make the backoff exponential" },
      {
        ...common,
        role: "assistant",
        type: "tool_call",
        text: "Edit: src/wait.js",
        files: ["src/wait.js"],
        tool: {
          name: "Edit",
          effect: "edit",
          call_id: "c1",
          input: { file_path: "src/wait.js", old_string: old, new_string: made },
        },
      },
      {
        ...common,
        role: "tool",
        type: "tool_output",
        text: "done",
        tool: { name: "Edit", call_id: "c1" },
      },
      {
        ...common,
        role: "note",
        type: "decision",
        title: "Backoff with jitter",
        text: "Retries wait exponentially, with jitter",
        refs: ["H-H1"],
        files: ["src/wait.js"],
      },
      { role: "note", type: "preference", title: "Short answers", text: "Answers stay short" },
    ],
  });
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(`${t.workspace}/src/wait.js`, "export const wait = () => 42;\n");
  return t;
}

pageTest(
  "a decision whose code moved: what changed, its evidence, and the word that it holds",
  async () => {
    await using t = await makeStore();
    await using open = await openPage({ workspace: t.workspace, at: "#/decisions" });
    const { page } = open;
    const rows = page.locator(".rows [data-row]");
    const row = rows.filter({ hasText: "Backoff with jitter" });
    await row.getByText("code gone").first().waitFor();
    assert.equal(await rows.count(), 2);
    await page.getByRole("button", { name: "Code changed" }).click();
    await page.getByText("1 result").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const pane = page.getByRole("complementary", { name: "Entry" });
    await pane.getByRole("region", { name: "What changed" }).getByText("src/wait.js").waitFor();
    await pane.getByRole("link", { name: "Make the backoff exponential" }).click();
    await pane.getByRole("heading", { name: "You" }).waitFor();
    await page.goBack();
    await pane.getByRole("button", { name: "Still valid" }).waitFor();
    await page.keyboard.press("o");
    await page.getByText("No results.").waitFor();
    await pane.getByRole("region", { name: "What changed" }).waitFor({ state: "detached" });
    assertSound(open);
  },
);

pageTest("types, files and pins narrow the list; a correction takes the place", async () => {
  await using t = await makeStore();
  await using open = await openPage({ workspace: t.workspace, at: "#/decisions?type=preference" });
  const { page } = open;
  const rows = page.locator(".rows [data-row]");
  await rows.getByText("Short answers").click();
  await page.getByRole("button", { name: "Pin", exact: true }).waitFor();
  await page.keyboard.press("p");
  await page.getByRole("status").getByText("Pinned").waitFor();
  await page.getByRole("button", { name: "Unpin" }).waitFor();
  await page.getByRole("button", { name: "Correct", exact: true }).click();
  await page.getByRole("textbox", { name: "Text" }).fill("Answers are one sentence");
  await page.getByRole("button", { name: "Save" }).click();
  await rows.getByText("Answers are one sentence").waitFor();
  assert.equal(await rows.count(), 1);
  await page.getByRole("button", { name: "Include corrected" }).click();
  await page.getByText("2 results").waitFor();
  await page.getByRole("button", { name: "pinned", exact: true }).click();
  await rows.getByText("Short answers").waitFor();
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("wait.js");
  await page.getByText("1 result").waitFor();
  await rows.getByText("Backoff with jitter").waitFor();
  // Two letters swapped; the counts of types are of what was found.
  await page.getByRole("searchbox").fill("jitetr");
  await page.getByText("Nothing matches “jitetr” exactly. 1 result").waitFor();
  await rows.getByText("Backoff with jitter").waitFor();
  await page.getByRole("button", { name: "decision 1" }).waitFor();
  await page.getByRole("button", { name: "preference 0" }).click();
  await page.getByText("No results for “jitetr”.").waitFor();
  assertSound(open);
});

pageTest("another title keeps the text, files and session; undo takes it back", async () => {
  await using t = await makeStore();
  await using open = await openPage({ workspace: t.workspace, at: "#/decisions?id=H-H4" });
  const { page } = open;
  await page.getByRole("button", { name: "Correct", exact: true }).click();
  const title = page.getByRole("textbox", { name: "Title" });
  assert.equal(await title.inputValue(), "Backoff with jitter");
  await title.fill("Backoff of retries");
  await page.getByRole("button", { name: "Save" }).click();
  await page.locator(".rows [data-row]").getByText("Backoff of retries").waitFor();
  const list = async () =>
    JSON.parse((await t.ctx(["records", "--type", "decision", "--json"])).stdout).records;
  const [{ title: said, text, files, session_id: session }] = await list();
  assert.deepEqual({ said, text, files, session }, {
    said: "Backoff of retries",
    text: "Retries wait exponentially, with jitter",
    files: ["src/wait.js"],
    session: "S-1kf00000000000000",
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".rows [data-row]").getByText("Backoff with jitter").waitFor();
  assert.equal((await list()).length, 1);
  assertSound(open);
});

pageTest("a page that changes nothing offers no confirmation", async () => {
  await using t = await makeStore();
  const at = "#/decisions?id=H-H4";
  await using open = await openPage({ workspace: t.workspace, at, words: ["--read-only"] });
  const { page } = open;
  await page.getByRole("region", { name: "What changed" }).waitFor();
  await page.keyboard.press("o");
  assert.equal(await page.getByRole("button", { name: "Still valid" }).count(), 0);
  await page.locator("[data-row]").getByText("code gone").first().waitFor();
  assertSound(open);
});
