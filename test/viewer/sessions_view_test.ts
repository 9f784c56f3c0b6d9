/// <reference lib="dom" />
// Sessions in the browser: the list, and a session that is far longer than what is on the page.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Entry } from "../../src/core/entry.ts";
import { madeSession, type Step } from "../support/stores/made_session.ts";
import { assertSound, goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

/** 1,602 messages: a prompt, an answer and a call with its output in turn; an edit far down. */
function longSession(): Entry[] {
  const steps = Array.from({ length: 400 }, (_, i): Step[] => [
    { user: `Prompt ${i + 1} of many` },
    { agent: `Answer ${i + 1} goes **on**.\n\n${"More words. ".repeat(i % 40)}` },
    { run: `make step-${i + 1}`, output: `step ${i + 1} built${i === 299 ? ": a needle" : ""}` },
  ]).flat();
  const edit = {
    file_path: "/app/a.ts",
    old_string: "one\ntwo\n",
    new_string: "one\nconst three = 3;\n",
  };
  const files = ["/app/a.ts"];
  steps.splice(1000, 0, {
    row: {
      type: "tool_call",
      text: "Edit: a.ts",
      files,
      tool: { name: "Edit", effect: "edit", call_id: "e", input: edit },
    },
  }, {
    row: {
      type: "tool_call",
      text: "Task: look",
      tool: { name: "Task", effect: "agent", call_id: "t", input: { prompt: "Look around" } },
    },
  });
  return madeSession(steps, "S-long");
}

async function makeStore(): Promise<TempStore> {
  const started = { event: "imported", source: "claude-code", ts: "2026-05-01T09:00:00.000Z" };
  const events = [
    { ...started, session_id: "S-long", branch: "main" },
    { ...started, session_id: "S-helper", parent: "S-long" },
    { ...started, session_id: "S-small", source: "codex", branch: "fix" },
  ];
  return await tempStore({
    entries: [
      ...longSession(),
      ...madeSession([{ user: "Look around" }, { agent: "I looked around" }], "S-helper"),
      ...madeSession([{ user: "Small talk" }, { agent: "About little" }], "S-small"),
    ],
    files: { "sessions.ndjson": events.map((event) => JSON.stringify(event) + "\n").join("") },
  });
}

pageTest("sessions are listed, narrowed, and opened by keys", async () => {
  await using t = await makeStore();
  await using open = await openPage({ workspace: t.workspace, at: "#/sessions" });
  const { page } = open;
  await page.getByText("3 sessions, newest first").waitFor();
  await page.getByLabel("source").selectOption("codex");
  await page.getByText("1 session, newest first").waitFor();
  const line = page.locator(".shell-line code");
  assert.equal(await line.textContent(), "ctx sessions --source codex");
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByText("About little").waitFor();
  await page.goBack();
  await page.getByLabel("branch").selectOption("main");
  await page.getByText("0 sessions, newest first").waitFor();
  await goTo(page, "#/sessions");
  // What contains the letters anywhere; then, misspelt, what is nearly it. Filters have what was found.
  await page.keyboard.press("/");
  await page.keyboard.type("rompt 1");
  await page.getByText("1 result", { exact: true }).waitFor();
  await page.getByRole("searchbox").fill("smal tlk");
  await page.getByText("Nothing matches “smal tlk” exactly. 1 result").waitFor();
  const sources = await page.getByLabel("source").locator("option").allTextContents();
  assert.deepEqual(sources, ["any", "codex (1)"]);
  await page.getByRole("searchbox").press("Enter");
  await page.getByText("About little").waitFor();
  assertSound(open);
});

pageTest("enter that ends a composition of an input method opens and runs nothing", async () => {
  await using t = await makeStore();
  await using open = await openPage({ workspace: t.workspace, at: "#/sessions" });
  const { page } = open;
  /** Types, ends a composition and then presses enter; where each has led. */
  const compose = async (words: string): Promise<string[]> => {
    await page.keyboard.type(words);
    const places: string[] = [];
    for (const isComposing of [true, false]) {
      await page.waitForTimeout(300);
      await page.evaluate(
        (how) => document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", how)),
        { key: "Enter", bubbles: true, cancelable: true, isComposing },
      );
      await page.waitForTimeout(300);
      places.push(page.url().replace(/^[^#]*/, ""));
    }
    return places;
  };
  await page.getByText("Small talk").waitFor();
  await page.getByRole("searchbox").focus();
  const [during, after] = await compose("small");
  assert.doesNotMatch(during, /S-small/);
  assert.match(after, /S-small/);
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").waitFor();
  const [still, gone] = await compose("timeline");
  assert.equal(still, after);
  assert.match(gone, /^#\/timeline/);
});

pageTest(
  "a long session is read by prompts, messages, places and files beyond the page",
  async () => {
    await using t = await makeStore();
    await using open = await openPage({
      workspace: t.workspace,
      at: "#/sessions?session=S-long&at=S-long-804",
    });
    const { page } = open;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().replace(open.root, "")));
    // The address names an output: the call that it belongs to is there, and open.
    await inView(page, /^Bash: make step-201/);
    await page.getByText("step 201 built").waitFor();
    assert.ok(await page.locator(".message").count() < 60, "the others are not on the page");
    for (const prompt of [202, 203, 204]) {
      await page.keyboard.press("J");
      await inFocus(page, `You: Prompt ${prompt} of many`);
    }
    await page.keyboard.press("K");
    // A long session is folded: enter opens what a prompt led to, and folds it again.
    await page.getByText("1 command · 3 min").first().waitFor();
    await page.keyboard.press("j");
    await inFocus(page, "You: Prompt 204 of many");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await inFocus(page, "Agent: Answer 203 goes **on**.");
    await page.keyboard.press("k");
    await inFocus(page, "You: Prompt 203 of many");
    await page.keyboard.press("Enter");
    await page.keyboard.press("j");
    await inFocus(page, "You: Prompt 204 of many");
    await page.keyboard.press("/");
    await page.keyboard.type("A NEEDLE");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1 · 1 match").waitFor();
    await inView(page, /^Bash: make step-300/);
    await page.getByText("step 300 built: a needle").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("make step-30");
    await page.keyboard.press("Enter");
    const place = page.getByText(/^\d+ of 11 /);
    await place.waitFor();
    const [at] = /\d+/.exec(await place.textContent() ?? "") ?? [];
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await page.getByText(`${Number(at) + 1} of 11 `).waitFor();
    await page.keyboard.press("N");
    await page.getByText(`${at} of 11 `).waitFor();
    assert.ok(!asked.includes("highlighter.js"), "it is loaded when the first diff is shown");
    await page.keyboard.press("e");
    await inFocus(page, "Edit: a.ts");
    await page.keyboard.press("K");
    await page.getByRole("button", { name: "a.ts 1 edit" }).click();
    await inFocus(page, "Edit: a.ts");
    const diff = page.locator(".diff");
    await diff.locator(".added .code-keyword").getByText("const").waitFor();
    assert.deepEqual(await diff.locator("pre > span").allTextContents(), [
      " one\n",
      "-two\n",
      "+const three = 3;\n",
    ]);
    assert.equal(await diff.locator(".diff-count").textContent(), "+1 −1");
    await page.getByRole("button", { name: "Sub-agent Look around 2 messages" }).click();
    await page.getByText("I looked around").waitFor();
    await page.waitForURL(/at=S-long-/);
    assertSound(open);
  },
);

pageTest("keys are the reader's own also where a page begins with it", async () => {
  await using t = await makeStore();
  await using open = await openPage({ workspace: t.workspace, at: "#/sessions?session=S-long" });
  const { page } = open;
  await page.getByText("Answer 1 goes on.").waitFor();
  await page.reload();
  await page.getByText("Answer 1 goes on.").waitFor();
  await page.keyboard.press("J");
  await page.keyboard.press("J");
  await inFocus(page, "You: Prompt 2 of many");
  await page.keyboard.press("Escape");
  assert.match(page.url(), /session=S-long/);
  await page.keyboard.press("Escape");
  await page.getByText("sessions, newest first").waitFor();
  await page.goBack();
  await page.getByText("Prompt 2 of many").first().waitFor();
  assertSound(open);
});

pageTest("edits are replayed one by one by keys, with their files around them", async () => {
  const write = {
    type: "tool_call",
    text: "Write: a.ts",
    files: ["a.ts"],
    tool: {
      name: "Write",
      effect: "edit",
      call_id: "w",
      input: { file_path: "a.ts", content: "const a = 1;\nconst b = 2;\n" },
    },
  };
  const change = (id: string, path: string, from: string, to: string): Step => ({
    row: {
      type: "tool_call",
      text: `Edit: ${path}`,
      files: [path],
      tool: {
        name: "Edit",
        effect: "edit",
        call_id: id,
        input: { file_path: path, old_string: from, new_string: to },
      },
    },
  });
  await using t = await tempStore({
    entries: madeSession([
      { user: "Make **a**" },
      { row: write },
      { user: "Change it" },
      change("e1", "a.ts", "= 2", "= 3"),
      change("e2", "gone.ts", "x", "y"),
    ], "S-edits"),
  });
  await using open = await openPage({ workspace: t.workspace, at: "#/sessions?session=S-edits" });
  const { page } = open;
  await page.getByText("Change it").first().waitFor();
  await page.locator(".added").getByText("= 3").waitFor();
  await page.keyboard.press("r");
  await page.getByText("Edit 1 of 3").waitFor();
  const prompt = page.locator(".replay-prompt");
  assert.equal(await prompt.textContent(), "Make a");
  const file = page.getByRole("region", { name: "File", exact: true });
  await page.keyboard.press("ArrowRight");
  await page.getByText("Edit 2 of 3").waitFor();
  assert.equal(await prompt.textContent(), "Change it");
  await file.getByText("rebuilt from the session").waitFor();
  assert.deepEqual(await file.locator("pre > span").allTextContents(), [
    "1 const a = 1;\n",
    "-const b = 2;\n",
    "2+const b = 3;\n",
  ]);
  await page.keyboard.press("ArrowRight");
  await page.getByText("The edit alone is shown").waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Edit 2 of 3").waitFor();
  await page.keyboard.press("Escape");
  await inView(page, /^Edit: a.ts/);
  assertSound(open);
});

pageTest("a session is renamed and saved as a file; a message is forgotten from it", async () => {
  await using t = await makeStore();
  await using open = await openPage({ workspace: t.workspace, at: "#/sessions?session=S-small" });
  const { page } = open;
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Of no weight");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Of no weight" }).waitFor();
  for (const [title, ending] of [["Markdown", "md"], ["Web page", "html"]]) {
    await page.getByRole("button", { name: "Share" }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: `Save as ${title}` }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), `of-no-weight.${ending}`);
    assert.match(Deno.readTextFileSync(await download.path()), /About little/);
  }
  await page.getByRole("button", { name: "Hand off" }).click();
  await page.getByText("ctx handoff S-small --to codex", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Open message 2" }).click();
  await page.getByRole("button", { name: "Forget" }).click();
  await page.getByRole("button", { name: "Yes" }).click();
  await page.locator(".message").getByText("About little").waitFor({ state: "detached" });
  assert.equal(await page.locator(".message").count(), 1);
  assertSound(open);
});

pageTest("where nothing may be changed nothing offers it, and a scope holds", async () => {
  await using t = await makeStore();
  const words = ["--read-only", "--session", "S-small"];
  await using open = await openPage({ workspace: t.workspace, words, at: "#/sessions" });
  const { page } = open;
  await page.getByText("1 session, newest first").waitFor();
  await goTo(page, "#/sessions?session=S-small");
  await page.getByText("About little").waitFor();
  await page.getByRole("button", { name: "Share" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Rename" }).count(), 0);
  await goTo(page, "#/sessions?session=S-long");
  await page.getByRole("alert").first().waitFor();
  assert.doesNotMatch(await page.content(), /of many/);
});

/** Waits until the row of a label has the focus and is in view. */
async function inFocus(page: Page, label: string): Promise<void> {
  await page.waitForFunction((label) => {
    const row = document.activeElement;
    if (row?.getAttribute("aria-label") !== label) return false;
    const { top, bottom } = row.getBoundingClientRect();
    return top < innerHeight && bottom > 0;
  }, label);
}

/** Waits until the row that is being read has a label and is in view. */
async function inView(page: Page, label: RegExp): Promise<void> {
  await page.waitForFunction((source) => {
    const row = document.querySelector(".message[aria-current]");
    if (!new RegExp(source).test(row?.getAttribute("aria-label") ?? "")) return false;
    const { top = -1, bottom = -1 } = row?.getBoundingClientRect() ?? {};
    return top < innerHeight && bottom > 0;
  }, label.source);
}
