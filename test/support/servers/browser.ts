// A real Chromium: Debian's, driven by playwright-core.

import { type Browser, chromium } from "playwright-core";
import { findProgram } from "../processes/find_program.ts";

/** The program, or undefined where it is not installed. */
export const browserPath: string | undefined = findProgram("chromium");

/** Starts it; whoever asked closes it. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}
