// The page of `ctx ui` in a real browser, over 100,000 entries of which one session has 20,000: from
// the address to the first rows, from the last key to the rows of what was typed, and the longest time
// that scrolling through the session, with all chapters open, holds the page up; and a source file of
// 5,000 lines with the sessions behind them. The built file serves it.

/// <reference lib="dom" />

import type { Browser, Page } from "playwright-core";
import { browserPath, startBrowser } from "../test/support/servers/browser.ts";
import { buildFile } from "./support/built_file.ts";
import { generateSessions } from "./support/generate_sessions.ts";
import { madeSessions } from "./why/made_sessions.ts";
import { type BenchTable, medianOf, percentileOf, round } from "./support/table.ts";

const rows = 100_000;
const longRows = 20_000;
const longSession = "S-1m2few700s4d0k3nc";
const rounds = 15;
const questions = [
  "token rotation",
  "which server request fails",
  "kubernetes secret",
  "why does the migration lock",
  "retry backoff",
];
const scrolls = 150;
const sourcePath = "src/long.ts";
const sourceLines = 5_000;
const sourceCommits = 25;
const sourceRounds = 7;

/** Builds, fills a store, serves it and measures. */
export async function run(): Promise<BenchTable[]> {
  if (browserPath === undefined) throw new Error("Cannot measure the page: chromium is missing");
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  const env = { HOME: work, XDG_CACHE_HOME: `${work}/cache`, PATH: Deno.env.get("PATH") ?? "" };
  const { path } = await buildFile(`${work}/built`, { gzip: true });
  const workspace = `${work}/store`;
  await makeStore(workspace);
  const source = `${work}/source`;
  await makeSource(source);
  for (const one of [workspace, source]) {
    const args = ["reindex", "--full", "--workspace", one];
    const { success } = await new Deno.Command(path, { args, env, clearEnv: true }).output();
    if (!success) throw new Error("Cannot index");
  }
  const browser = await startBrowser();
  const serve = async <T>(one: string, use: (url: string) => Promise<T>): Promise<T> => {
    const server = new Deno.Command(path, {
      args: ["ui", "--no-open", "--workspace", one],
      env,
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    try {
      return await use(JSON.parse(await readLine(server.stdout)).url);
    } finally {
      server.kill("SIGTERM");
      await server.status;
    }
  };
  try {
    const times = await serve(source, (url) => timeSource(browser, url));
    const table = await serve(workspace, (url) => measure(browser, url));
    table.rows.push(
      toRow(
        `address to a source of ${sourceLines.toLocaleString("en")} lines with why, first time`,
        times.slice(0, 1),
        "< 1500",
      ),
      toRow("the same, again", times.slice(1), "median < 1500"),
    );
    return [table];
  } finally {
    await browser.close();
    await Deno.remove(work, { recursive: true });
  }
}

async function measure(browser: Browser, url: string): Promise<BenchTable> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(120_000);
  await page.addInitScript(() => {
    new MutationObserver((_changes, watch) => {
      if (document.querySelector("[data-row]") === null) return;
      watch.disconnect();
      requestAnimationFrame(() => performance.mark("rows"));
    }).observe(document, { subtree: true, childList: true });
  });
  await page.goto(url);
  await page.waitForSelector("[data-row]");
  const first: number[] = [];
  const typed: number[] = [];
  for (let i = 0; i < rounds; i++) first.push(await timeFirstView(page, new URL(".", url).href));
  for (let i = 0; i < rounds; i++) typed.push(await timeTyping(page, questions[i % 5], i));
  const tasks = await timeScrolling(page);
  return {
    title: `The page over ${rows.toLocaleString("en")} entries, in Chromium (${rounds} rounds)`,
    head: ["what", "median ms", "90 % ms", "longest ms", "goal"],
    rows: [
      toRow("address to first rows", first, "median < 1000"),
      toRow("last key to its rows", typed, "median < 100"),
      toRow(
        `tasks over 50 ms in ${scrolls} scrolls through ${longRows.toLocaleString("en")} messages`,
        tasks.length > 0 ? tasks : [0],
        "longest < 100",
      ),
    ],
  };
}

function toRow(what: string, times: number[], goal: string): BenchTable["rows"][number] {
  return [
    what,
    round(medianOf(times), 1),
    round(percentileOf(times, 90), 1),
    round(Math.max(...times), 1),
    goal,
  ];
}

/** From the navigation to the lines of a long file, and the session behind those in its middle. */
async function timeSource(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  await page.waitForSelector("nav");
  const times: number[] = [];
  for (let i = 0; i < sourceRounds; i++) {
    await page.goto("about:blank");
    await page.goto(`${new URL(".", url).href}#/source?path=${sourcePath}&line=${sourceLines / 2}`);
    const seen = await page.waitForFunction(() =>
      document.querySelector(".source-line.known.current") !== null && performance.now()
    );
    times.push(Number(await seen.jsonValue()));
  }
  await page.close();
  return times;
}

/** From the navigation to the first row on the screen. */
async function timeFirstView(page: Page, root: string): Promise<number> {
  await page.goto("about:blank");
  await page.goto(`${root}#/home`);
  await page.waitForFunction(() => performance.getEntriesByName("rows").length > 0);
  return await page.evaluate(() => performance.getEntriesByName("rows")[0].startTime);
}

/** From the last key of a question to the moment that its rows are there. */
async function timeTyping(page: Page, question: string, round: number): Promise<number> {
  const words = `${question} ${round}`;
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.press("Control+a");
  const timing = page.evaluate((wanted) =>
    new Promise<number>((resolve) => {
      let last = 0;
      addEventListener("keydown", () => last = performance.now(), { capture: true });
      const look = (): void => {
        const list = document.querySelector("ol.rows[data-for]");
        if (list?.getAttribute("data-for") !== wanted) return;
        watch.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - last));
      };
      const watch = new MutationObserver(look);
      watch.observe(document.body, { subtree: true, childList: true, attributes: true });
    }), words);
  await page.keyboard.type(words, { delay: 60 });
  return await timing;
}

/** How long single tasks held the page up while the session was scrolled from end to end. */
async function timeScrolling(page: Page): Promise<number[]> {
  await page.evaluate((to) => location.hash = to, `#/sessions?session=${longSession}`);
  const list = page.locator(".virtual:has([role=feed])");
  await list.waitFor();
  await page.getByRole("button", { name: "Open all" }).click();
  await page.getByRole("button", { name: "Fold all" }).waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((seen) => tasks.push(...seen.getEntries().map((task) => task.duration)))
      .observe({ type: "longtask" });
  });
  await list.hover();
  for (let i = 0; i < scrolls; i++) {
    await page.mouse.wheel(0, i % 10 === 9 ? 60_000 : 1500);
    await page.waitForTimeout(30);
  }
  return await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
}

async function makeStore(workspace: string): Promise<void> {
  await Deno.mkdir(`${workspace}/.contextfs`, { recursive: true });
  using file = await Deno.open(`${workspace}/.contextfs/history.ndjson`, {
    write: true,
    create: true,
  });
  const encoder = new TextEncoder();
  let made = 0;
  let batch = "";
  for (const line of generateSessions({ rows })) {
    const isLong = made++ >= rows - longRows;
    batch += isLong ? line.replace(/"session_id":"[^"]*"/, `"session_id":"${longSession}"`) : line;
    if (batch.length < 1_000_000 && made < rows) continue;
    await file.write(encoder.encode(batch));
    batch = "";
  }
}

/** A repository with a long file, written by commits of sessions; the first is nobody's. */
async function makeSource(root: string): Promise<void> {
  await Deno.mkdir(`${root}/src`, { recursive: true });
  await Deno.mkdir(`${root}/.contextfs`);
  const git = async (commit: number, ...words: string[]): Promise<void> => {
    const date = new Date(Date.UTC(2026, 0, 1 + commit)).toISOString();
    const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
    const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
    const args = ["-C", root, ...who, ...words];
    const { success, stderr } = await new Deno.Command("git", { args, env }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  await git(0, "init", "-q", "-b", "main");
  await Deno.writeTextFile(`${root}/.gitignore`, ".contextfs/\n");
  const each = sourceLines / sourceCommits;
  for (let commit = 0; commit < sourceCommits; commit++) {
    const lines = Array.from({ length: each }, (_, i) => {
      const line = commit * each + i;
      return `export const value${line} = "part ${line % 97}" + String(${
        line * 7
      } * 2); // ${line}\n`;
    });
    await Deno.writeTextFile(`${root}/${sourcePath}`, lines.join(""), { append: true });
    await git(commit, "add", "-A");
    await git(commit, "commit", "-q", "-m", `Part ${commit}`);
  }
  await Deno.writeTextFile(`${root}/.contextfs/history.ndjson`, await madeSessions(root));
}

async function readLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const part of stream) {
    text += decoder.decode(part, { stream: true });
    if (text.includes("\n")) return text;
  }
  throw new Error("ctx ui ended");
}
