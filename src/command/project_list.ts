// The projects of this user: which workspaces have a store, as lines in `projects.ndjson` beside the
// user's own configuration. Kept by `init`, `import` and `setup`; a workspace that sets `registry` to
// false is not in it. Only the command line and programs look there: servers know one workspace.

import { configFiles, loadConfig } from "../config/load_config.ts";
import { CtxError } from "../core/errors.ts";
import { findJson, isObject } from "../core/json.ts";
import { isWholePath } from "../core/platform_path.ts";
import { holdsStore, layoutOf } from "../disk/layout.ts";
import type { Store } from "../store/store.ts";
import type { Context } from "./command.ts";

/** The file; undefined where there is no home. */
export function projectsFile(env: Context["env"]): string | undefined {
  const [own] = configFiles(undefined, env);
  return own?.path.replace(/[^/]*$/, "projects.ndjson");
}

/** Puts a workspace on the list, quietly: what the command did is done without it. */
export async function keepProject(context: Context, workspace: string): Promise<void> {
  const path = projectsFile(context.env);
  if (path === undefined || context.openProject === undefined) return;
  try {
    if (!(await context.readConfig()).get("registry")) return;
    if (readList(context, path).has(workspace)) return;
    context.files.makeDirectory(path.replace(/\/[^/]*$/, ""));
    note(context, path, { workspace });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.warn(`this project could not be added for --all-projects (${reason})`);
  }
}

/** The stores on the list but for one, which is open already, and what is to be said of the others. */
export async function openProjects(
  context: Context,
  { but }: { but?: string } = {},
): Promise<{ stores: Store[]; notes: string[] }> {
  const { openProject } = context;
  if (openProject === undefined) {
    throw new CtxError(
      "DENIED",
      "Cannot search other projects here: this server is limited to one",
      {
        hint: "use the command line: ctx search QUERY --all-projects",
      },
    );
  }
  const path = projectsFile(context.env);
  const stores: Store[] = [];
  const notes: string[] = [];
  const listed = path === undefined ? [] : [...readList(context, path)].sort();
  for (const workspace of listed) {
    if (workspace === but) continue;
    try {
      if (!holdsStore(workspace)) {
        notes.push(`${workspace} no longer has a store: removed from your projects`);
        if (path !== undefined) note(context, path, { workspace, removed: true });
      } else if (await isListed(workspace)) stores.push(await openProject(workspace));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notes.push(`${workspace} was skipped: ${reason}`);
    }
  }
  return { stores, notes };
}

/** A workspace may have said no since. */
async function isListed(workspace: string): Promise<boolean> {
  const { config } = layoutOf(workspace);
  const settings = await loadConfig([{ origin: "workspace", path: config }], () => {});
  return settings.get("registry") === true;
}

/** The last line of a workspace counts. */
function readList({ files }: Context, path: string): Set<string> {
  const listed = new Set<string>();
  for (const line of new TextDecoder().decode(files.findBytes(path)).split("\n")) {
    const item = findJson(line);
    if (!isObject(item) || typeof item.workspace !== "string") continue;
    if (item.removed === true) listed.delete(item.workspace);
    else if (isWholePath(item.workspace)) listed.add(item.workspace);
  }
  return listed;
}

function note(
  { files, now }: Context,
  path: string,
  item: { workspace: string; removed?: true },
): void {
  const line = JSON.stringify({ ...item, ts: new Date(now()).toISOString() });
  files.append(path, new TextEncoder().encode(`${line}\n`), { sync: false });
}

/** A store, and the others where every project is asked for; what is to be said of those left out. */
export interface Reach {
  store: Store;
  projects?: Store[];
  notes?: string[];
}

/** Every project, one of which may be here. */
export async function openEveryProject(context: Context): Promise<Reach> {
  const own = await context.openStore().catch((error) => {
    if (error instanceof CtxError && error.code === "STORE_MISSING") return error;
    throw error;
  });
  const isHere = !(own instanceof CtxError);
  const here = isHere ? own.layout.workspace : undefined;
  const { stores, notes } = await openProjects(context, { but: here });
  if (isHere) {
    await keepProject(context, own.layout.workspace);
    return { store: own, projects: stores, notes };
  }
  const [store, ...projects] = stores;
  if (store === undefined) throw own;
  return { store, projects, notes };
}
