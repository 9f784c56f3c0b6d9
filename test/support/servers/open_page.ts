// The page of `ctx ui` in a real Chromium (Debian's, driven by playwright-core): the built file serves
// it, a test looks at it as a person does. Where Chromium is missing these tests skip, with a message;
// `.ci/run` installs it.

/// <reference lib="dom" />

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { bundleScripts } from "../../../build/viewer.ts";
import { browserPath, startBrowser } from "./browser.ts";
import { startListening } from "../processes/listening_ctx.ts";

/** How to look at it. */
export interface PageOptions {
  workspace: string;
  /** Flags of `ctx ui`. */
  words?: string[];
  /** Where on the page, as in `#/search?q=token`. */
  at?: string;
  width?: number;
  dark?: boolean;
}

/** A page that is open. */
export interface OpenPage extends AsyncDisposable {
  page: Page;
  origin: string;
  /** The directory that it is below, without the link's token. */
  root: string;
  /** What went wrong in it so far: errors of scripts, and what its policy blocked. */
  problems: string[];
}

/** Longer than any machine needs; a test that waits this long has failed. */
const patienceMs = 60_000;

let browser: Promise<Browser> | undefined;

/** A test of the page; skipped where there is no browser. */
export function pageTest(name: string, fn: (t: Deno.TestContext) => Promise<void>): void {
  const ignore = browserPath === undefined;
  // The browser outlives a test and closes after all.
  Deno.test({
    name: ignore ? `${name} (skipped: chromium is missing)` : name,
    ignore,
    sanitizeOps: false,
    sanitizeResources: false,
    fn,
  });
}

Deno.test.afterAll(async () => await (await browser)?.close());

/** Serves a workspace's page, opens it by its link and goes to a place on it. */
export async function openPage(options: PageOptions): Promise<OpenPage> {
  if (Deno.env.get("CTX_TEST_FROM") === "source") {
    await bundleScripts();
  }
  const words = ["ui", "--no-open", ...options.words ?? []];
  const served = await startListening(words, { cwd: options.workspace });
  browser ??= startBrowser();
  const context = await (await browser).newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    colorScheme: options.dark ? "dark" : "light",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // That a command asks first, or finds nothing, is told by a status.
    if (message.type() !== "error" || /status of 40[49]/.test(message.text())) return;
    problems.push(message.text());
  });
  const { url } = served.said;
  await page.goto(url);
  await page.waitForSelector("nav");
  if (options.at) await goTo(page, options.at);
  return {
    page,
    origin: new URL(url).origin,
    root: new URL(".", url).href,
    problems,
    async [Symbol.asyncDispose]() {
      await context.close();
      await served[Symbol.asyncDispose]();
    },
  };
}

/** Goes to a place on the page, as a link would. */
export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => location.hash = to, hash);
}

/** Fails when anything went wrong in the page. */
export function assertSound({ problems }: OpenPage): void {
  assert.deepEqual(problems, []);
}
