// Why on source, in the browser: the tree, the story of a line, and the way to its exchange.

import assert from "node:assert/strict";
import { assertSound, goTo, openPage, pageTest } from "../support/servers/open_page.ts";
import { xssPayloads } from "../support/servers/xss_payloads.ts";
import { shownProject } from "../support/shown_project.ts";
import { tempStore } from "../support/stores/temp_store.ts";

pageTest("a file is found, its lines say who asked for them, and the exchange opens", async () => {
  await using t = await shownProject();
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await page.getByRole("button", { name: "src" }).click();
  await page.keyboard.press("/");
  await page.keyboard.type("rerty");
  await page.getByText("Nothing matches “rerty” exactly. 1 result for similar words.").waitFor();
  await page.keyboard.press("Enter");
  const lines = page.locator(".source-line");
  await lines.first().waitFor();
  const known = lines.filter({ hasText: "mostMs = 60_000" });
  assert.match(await known.getAttribute("class") ?? "", /\bknown\b/);
  const old = lines.filter({ hasText: "export interface Delivery" });
  assert.match(await old.getAttribute("class") ?? "", /\bunknown\b/);
  const story = page.getByRole("region", { name: "Story" });
  await old.hover();
  await story.getByText("No known session").waitFor();
  await known.hover();
  await story.getByRole("heading", { name: "Webhook retries overload partners" }).waitFor();
  await story.getByText("Make the retry back off").waitFor();
  await story.getByText("capped at 60 s").waitFor();
  await story.getByText("Back off webhook retries, with jitter").waitFor();
  await story.getByRole("link", { name: "Open the exchange" }).click();
  await page.locator(".message").getByText("Make the retry back off").waitFor();
  await page.goBack();
  // By keys: from story to story, and into the first that is known.
  await lines.first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/sessions\?session=S-1m2few700s4d0k3nb/);
  assertSound(open);
});

pageTest("only text that git tracks in the workspace is shown", async () => {
  await using t = await shownProject();
  Deno.writeTextFileSync(`${t.workspace}/.env`, "SECRET=1\n");
  Deno.writeTextFileSync(`${t.workspace}/.gitignore`, ".contextfs/\n.env\n");
  Deno.symlinkSync("/etc/passwd", `${t.workspace}/outside`);
  Deno.symlinkSync(".env", `${t.workspace}/settings`);
  Deno.symlinkSync(".git/config", `${t.workspace}/remotes`);
  const { code } = await new Deno.Command("git", {
    args: ["-C", t.workspace, "add", "outside", "settings", "remotes"],
  }).output();
  assert.equal(code, 0);
  await using open = await openPage({ workspace: t.workspace });
  const { page } = open;
  for (
    const path of [
      ".env",
      "outside",
      "settings",
      "remotes",
      "../../etc/passwd",
      "/etc/passwd",
      ".contextfs/history.ndjson",
    ]
  ) {
    const [status, text] = await page.evaluate(async (path) => {
      const response = await fetch(`source?path=${encodeURIComponent(path)}`);
      return [response.status, await response.text()] as const;
    }, path);
    assert.equal(status, 404, path);
    assert.match(text, /is not a text file that git tracks/);
  }
  await goTo(page, "#/source?path=.env");
  await page.getByRole("alert").getByText("not a text file that git tracks").waitFor();
});

pageTest("a page of one session shows no source", async () => {
  await using t = await shownProject();
  const words = ["--session", "S-1m2few700s4d0k3nb"];
  await using open = await openPage({ workspace: t.workspace, words, at: "#/source" });
  await open.page.getByText("this page is limited to one").waitFor();
  const status = await open.page.evaluate(async () => (await fetch("source")).status);
  assert.equal(status, 403);
});

pageTest(
  "a change tells what led to it: by keys to its exchange, as Markdown and as a file",
  async () => {
    await using t = await shownProject();
    await using open = await openPage({ workspace: t.workspace, at: "#/source?tab=changes" });
    const { page } = open;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByRole("link", { name: /label-codes.*QR codes for labels/ }).waitFor();
    await changes.getByRole("link", { name: /Deliver each event once \(#14\)/ }).waitFor();
    // The first commit has nothing before it, and nobody is known to have written it.
    const first = changes.locator("li", { hasText: "Start of the parcel API" });
    await first.getByText("No known session").waitFor();
    assert.equal(await first.getByRole("link").count(), 0);
    await page.keyboard.press("/");
    await page.keyboard.type("idempotency back off");
    await changes.getByText("No results for “idempotency back off”.").waitFor();
    await page.getByRole("searchbox").fill("jiter");
    await changes.getByText("Nothing matches “jiter” exactly").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const story = page.getByRole("region", { name: "Source" });
    await story.getByRole("heading", { name: "Back off webhook retries, with jitter" }).waitFor();
    await story.getByRole("region", { name: "Asked" }).getByText("with some jitter").waitFor();
    await story.getByRole("region", { name: "Decided" }).getByText("capped at 60 s").waitFor();
    await story.getByRole("button", { name: "Copy Markdown" }).click();
    await page.getByRole("status").getByText("Markdown copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^### Asked\n\n- Partners say our webhook retries/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      story.getByRole("button", { name: "Save as HTML" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "back-off-webhook-retries-with-jitter.html");
    const saved = await Deno.readTextFile(await download.path());
    assert.match(saved, /default-src 'none'/);
    assert.match(saved, /capped at 60 s/);
    assert.doesNotMatch(saved, /<script|<link|<img|src=|url\(/);
    await story.getByRole("region", { name: "Decided" }).getByRole("link").click();
    await page.waitForURL(/#\/sessions\?session=S-1m2few700s4d0k3nb&at=H-/);
    await page.locator(".message[aria-current]").getByText("capped at 60 s").waitFor();
    assertSound(open);
  },
);

pageTest("a folder shows which sessions worked where, and a cell opens that edit", async () => {
  await using t = await shownProject();
  await using open = await openPage({ workspace: t.workspace, at: "#/source" });
  const { page } = open;
  const rows = page.locator(".heat tbody tr");
  await rows.first().waitFor();
  // Most edits first; what no session edited comes last.
  assert.deepEqual(await rows.locator("th").allInnerTexts(), ["src/", ".gitignore", "README.md"]);
  assert.equal(await rows.last().getByRole("link").count(), 1);
  await page.getByRole("button", { name: "src" }).click();
  await rows.getByText("queue/").waitFor();
  await page.getByRole("button", { name: "queue" }).click();
  await rows.getByText("retry.ts").waitFor();
  assert.deepEqual(await rows.locator("th").allInnerTexts(), ["deliver.ts", "retry.ts"]);
  assert.deepEqual(await rows.locator("td:last-child").allInnerTexts(), ["2", "1"]);
  const heads = page.locator(".heat thead a span");
  assert.deepEqual(await heads.allInnerTexts(), [
    "Webhook retries overload partners",
    "Time out slow partners",
    "Deliver each event once",
  ]);
  await rows.getByRole("link", { name: "1 edit of deliver.ts in Deliver each event once" }).click();
  await page.waitForURL(/#\/sessions\?session=S-1m2few700s4d0k3ne&at=H-/);
  await page.locator(".message[aria-current]").getByText("src/queue/deliver.ts").first().waitFor();
  await page.goBack();
  await rows.getByText("retry.ts").waitFor();
  await rows.getByRole("link", { name: "retry.ts", exact: true }).click();
  await page.locator(".source-line").first().waitFor();
  assertSound(open);
});

pageTest("from the story of a line to its commit, and from there to the session", async () => {
  await using t = await shownProject();
  const at = "#/source?path=src/queue/deliver.ts";
  await using open = await openPage({ workspace: t.workspace, at });
  const { page } = open;
  await page.locator(".source-line").filter({ hasText: "slowestMs = 8_000" }).hover();
  const story = page.getByRole("region", { name: "Story" });
  await story.getByRole("link", { name: "Give up on slow partners" }).click();
  await page.getByRole("region", { name: "Sessions" }).getByRole("link", {
    name: "Time out slow partners",
  }).click();
  await page.waitForURL(/#\/sessions\?session=S-1m2few700s4d0k3ng/);
  assertSound(open);
});

pageTest("source and prompts that want to run are text", async () => {
  const payloads = Object.values(xssPayloads).map((payload) =>
    payload.replaceAll(/[\0\r\n]/g, " ")
  );
  const path = "src/<b>hostile.html";
  const text = `${payloads.join("\n")}\n`;
  const common = { session_id: "S-1m2few700s4d0k3nd", files: [path] };
  const input = { file_path: path, content: text };
  const tool = { name: "Write", effect: "edit" as const, call_id: "c1", input };
  await using t = await tempStore({
    entries: [
      { ...common, role: "user", type: "turn", text: payloads.slice(0, 12).join("\n\n") },
      { ...common, role: "assistant", type: "tool_call", text: "Write", tool },
      {
        ...common,
        role: "tool",
        type: "tool_output",
        text: "done",
        tool: { name: "Write", call_id: "c1" },
      },
      { ...common, role: "note", type: "decision", text: payloads.slice(12).join("\n\n") },
    ],
  });
  Deno.mkdirSync(`${t.workspace}/src`);
  Deno.writeTextFileSync(`${t.workspace}/${path}`, text);
  for (const args of [["init", "-q"], ["add", "-A"], ["commit", "-qm", "One"]]) {
    await new Deno.Command("git", {
      args: ["-C", t.workspace, "-c", "user.name=A", "-c", "user.email=a@example.org", ...args],
    }).output();
  }
  const at = `#/source?path=${encodeURIComponent(path)}`;
  await using open = await openPage({ workspace: t.workspace, at });
  const { page, problems } = open;
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.locator(".source-line").first().waitFor();
  // A file with a NUL is not text. What is text can be read as it was written.
  await page.locator(".source-line code").getByText(payloads[0], { exact: true }).first().waitFor();
  const built = await page.evaluate(() =>
    [...document.querySelectorAll(
      "main :is(script, iframe, object, embed, img, video, audio, style, math, form[action], " +
        "a[href^='javascript:' i], a[href^='data:' i])",
    )].map((element) => element.outerHTML)
  );
  assert.deepEqual(built, []);
  assert.deepEqual(asked.filter((url) => !url.startsWith(open.origin)), []);
  assert.deepEqual(problems, []);
});
