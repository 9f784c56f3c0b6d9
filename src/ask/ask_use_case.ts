// Asks whoever is at the terminal what the answer is for, where a question does not say.

import type { Context } from "../table/command.ts";

/** The use case, or undefined when nobody can be asked or nothing is said. */
export async function askUseCase(
  { askText, env, isPiped }: Pick<Context, "askText" | "env" | "isPiped">,
): Promise<string | undefined> {
  if (askText === undefined || isPiped || env("CI")) return undefined;
  const said = await askText(
    "What is your use case? It tells when enough was found (Enter skips):",
  );
  return said === "" ? undefined : said;
}
