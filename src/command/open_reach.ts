// How far a command looks: the store here, or that of every project. The list of them loads only then.

import type { Context } from "./command.ts";
import type { Reach } from "./project_list.ts";

/** Opens what is to be looked at. */
export async function openReach(context: Context, all: boolean): Promise<Reach> {
  if (!all) return { store: await context.openStore() };
  return await (await import("./project_list.ts")).openEveryProject(context);
}
