// What keeps people from using a page, as axe-core finds it.

import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds that is serious: the rule and where. */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
    return (await axe.run()).violations;
  });
  return found.filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

interface AxeResults {
  violations: { id: string; impact?: string; nodes: { target: string[] }[] }[];
}
