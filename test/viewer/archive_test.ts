// An exported archive in the browser, opened from disk without a network.

/// <reference lib="dom" />

import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { isLeft, secretCases } from "../../bench/redact_corpus.ts";
import type { Entry } from "../../src/core/entry.ts";
import { redactText } from "../../src/core/redact/redact.ts";
import { bundleScripts } from "../../build/viewer.ts";
import { unpack } from "../../src/read/share/archived_session.ts";
import { findBarriers } from "../support/servers/find_barriers.ts";
import { startBrowser } from "../support/servers/browser.ts";
import { pageTest } from "../support/servers/open_page.ts";
import { xssPayloads } from "../support/servers/xss_payloads.ts";
import { type TempStore, tempStore } from "../support/stores/temp_store.ts";

/** One secret of each kind that redaction knows alone, as an older ctx may have written it. */
const secrets = Map.groupBy(secretCases(), ({ kind }) => kind).values()
  .map(([first]) => first)
  .filter(({ secret, text }) => !isLeft(secret, redactText(text).value)).take(200).toArray();

/** A session of six messages around a text. */
function sessionOf(i: number, text: string): Partial<Entry>[] {
  const at = (minute: number): string =>
    new Date(Date.UTC(2026, 0, 1 + i % 28, 9, minute)).toISOString();
  const base = {
    session_id: `S-${i}`,
    project: "/work/app",
    branch: "main",
    source: { agent: i % 4 === 0 ? "codex" : "claude-code", conversation: `c${i}`, message: "" },
  };
  const input = { file_path: "/work/app/a.ts", old_string: "const a = 1;", new_string: text };
  const tool = { name: "Edit", call_id: `call-${i}`, effect: "edit", input };
  const rows: Partial<Entry>[] = [
    {
      role: "user",
      type: "turn",
      text: `Task ${i}: ${i === 77 ? "fix the idempotency of retries" : "go on"}`,
    },
    { role: "assistant", type: "turn", text: `I looked at it.\n\n${text}` },
    { role: "assistant", type: "thinking", text },
    { role: "assistant", type: "tool_call", text: "Edit: a.ts", tool, files: ["a.ts"] },
    { role: "tool", type: "tool_output", text, tool: { name: "Edit", call_id: `call-${i}` } },
    { role: "assistant", type: "turn", text: `Done with ${i}.` },
  ];
  return rows.map((row, n) => ({
    ...base,
    ...row,
    id: `H-${i}-${n}`,
    index: n + 1,
    ts: at(n),
    source: { ...base.source, message: `m${n}` },
  }));
}

interface Opened extends AsyncDisposable {
  page: Page;
  asked: string[];
  problems: string[];
}

async function openFile(path: string, { width = 1280, dark = false } = {}): Promise<Opened> {
  const browser = await startBrowser();
  const context: BrowserContext = await browser.newContext({
    offline: true,
    viewport: { width, height: 800 },
    colorScheme: dark ? "dark" : "light",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const [asked, problems]: string[][] = [[], []];
  page.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => problems.push("a dialog")));
  await page.goto(`file://${path}`);
  return { page, asked, problems, [Symbol.asyncDispose]: () => browser.close() };
}

/** Exports with the built file, as users do. */
async function exportFrom(t: TempStore, ...words: string[]): Promise<string> {
  if (Deno.env.get("CTX_TEST_FROM") === "source") await bundleScripts();
  const path = `${t.workspace}/archive.html`;
  const { code, stderr } = await t.ctx(["export", "--html", "--out", path, ...words]);
  assert.equal(code, 0, stderr);
  return path;
}

pageTest(
  "an archive of 200 sessions finds a misspelt word, holds no secret and asks for nothing",
  async () => {
    assert.equal(secrets.length, 200);
    const entries = secrets.flatMap(({ text }, i) => sessionOf(i, text));
    await using t = await tempStore({ entries });
    const log = await Deno.readTextFile(`${t.workspace}/.contextfs/history.ndjson`);
    assert.ok(
      secrets.filter(({ secret }) => log.includes(JSON.stringify(secret).slice(1, -1))).length >
        190,
    );
    const path = await exportFrom(t);
    const html = await Deno.readTextFile(path);
    const packed = [...html.matchAll(/octet-stream"[^>]*>([^<]*)</g)].map(([, text]) => text);
    assert.equal(packed.length, 201);
    const texts = await Promise.all(
      packed.map(async (one) => collectText(await unpack<unknown>(one))),
    );
    const all = [html, ...texts].join("\n");
    assert.ok(all.includes("fix the idempotency of retries"), "the check sees what is packed");
    assert.deepEqual(
      secrets.filter(({ secret }) => isLeft(secret, all)).map(({ kind }) => kind),
      [],
    );

    await using open = await openFile(path);
    const { page } = open;
    await page.getByText("200 sessions", { exact: true }).waitFor();
    const find = page.getByRole("searchbox", { name: "Search all sessions" });
    await find.fill("idempotncy");
    await page.getByText("1 result for similar words").waitFor();
    assert.equal(await page.locator(".archive-rows mark").textContent(), "idempotency");
    await page.locator(".archive-rows a").click();
    await page.locator("article.shown").getByText("Task 77").waitFor();
    await page.locator(".archive-session .diff del").getByText("const a = 1;").waitFor({
      state: "attached",
    });
    assert.equal(await page.locator(".archive-session nav li").count(), 1);
    // Narrowed, with counts.
    await find.fill("");
    await page.getByRole("combobox", { name: "Agent", exact: true }).selectOption("codex");
    await page.getByText("300 results, the best 100 shown").waitFor();
    await page.getByRole("combobox", { name: "Role", exact: true }).selectOption({
      label: "You (50)",
    });
    await page.getByText("50 results").waitFor();
    await page.getByRole("combobox", { name: "Day", exact: true }).selectOption("2026-01-01");
    await page.getByText(/^\d+ results?$/).waitFor();
    assert.ok(
      (await page.getByRole("combobox", { name: "Type", exact: true }).locator("option")
        .allTextContents()).length >= 2,
    );
    assert.deepEqual(open.asked, [`file://${path}`]);
    assert.deepEqual(open.problems, []);
  },
);

pageTest("hostile texts are text in an archive, wherever they stand", async () => {
  const payloads = [
    ...Object.values(xssPayloads),
    "</script><script>window.xss=1</script>",
    "turned \u202ebackwards\u202c and \x1b[31mred\x07",
  ];
  const entries = payloads.flatMap((text, i) =>
    sessionOf(i, text).map((row) => ({
      ...row,
      project: text,
      branch: text,
      title: text,
      source: { agent: text, conversation: text, message: text },
      ...(row.tool ? { tool: { ...row.tool, name: text } } : {}),
    }))
  );
  await using t = await tempStore({ entries });
  const path = await exportFrom(t);
  await using open = await openFile(path);
  const { page } = open;
  await page.getByText(`${payloads.length} sessions`, { exact: true }).waitFor();
  await page.getByRole("searchbox").fill("looked");
  await page.getByText(/\d+ results/).waitFor();
  for (const i of payloads.keys()) {
    await page.evaluate((at) => location.hash = `#s${at}`, i);
    await page.locator(".archive-session[aria-busy=false]").waitFor();
    const shown = await page.evaluate(() => ({
      built: [...document.querySelectorAll(
        "#page :is(script, style, iframe, object, embed, img, image, video, audio, base, form, link, " +
          "meta, math), a[href^='javascript:' i], a[href^='data:' i]",
      )].map((element) => element.outerHTML),
      handlers: [...document.querySelectorAll("*")].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith("on"))
      ),
      ran: Object.keys(globalThis).filter((name) => /^(xss|pwned|hacked)/i.test(name)),
      // deno-lint-ignore no-control-regex
      unseen: /[\u202a-\u202e\x1b\x07]/.test(document.body.innerText),
    }));
    assert.deepEqual(shown, { built: [], handlers: [], ran: [], unseen: false });
  }
  // They can be read as they were written.
  await page.getByRole("searchbox").fill("window xss");
  await page.locator(".archive-rows").getByText("window.xss=1").first().waitFor();
  assert.deepEqual(open.asked, [`file://${path}`]);
  assert.deepEqual(open.problems, []);
});

for (const [width, dark] of [[1280, false], [390, true]] as const) {
  pageTest(`an archive can be used ${width} px wide, ${dark ? "dark" : "light"}`, async () => {
    await using t = await tempStore({
      entries: [0, 1, 2].flatMap((i) => sessionOf(i, "x".repeat(300))),
    });
    await using open = await openFile(await exportFrom(t), { width, dark });
    const { page } = open;
    await page.getByText("3 sessions", { exact: true }).waitFor();
    const check = async (): Promise<void> => {
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= width);
      assert.deepEqual(await findBarriers(page), []);
    };
    await check();
    await page.locator(".archive-rows a").first().click();
    await page.getByText("I looked at it.").waitFor();
    await check();
    if (width < 900) {
      await page.getByRole("link", { name: "All sessions" }).click();
      await page.locator(".archive-rows").first().waitFor();
    }
    assert.deepEqual(open.problems, []);
  });
}

/** All texts in a value, as they are: in JSON a secret of two lines would look like another. */
function collectText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value).flat().map(collectText).join("\n");
}
