// A real Chromium for tests of the page: Debian's, driven by playwright-core. Where it is missing the
// tests skip, with a message; `.ci/run` installs it.

import { type Browser, chromium } from "playwright-core";
import { findProgram } from "./find_program.ts";

/** The browser's program, or undefined. */
export const browserPath: string | undefined = findProgram("chromium");

/** Starts it; whoever asked closes it. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}
