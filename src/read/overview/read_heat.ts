// Where in a folder work happened: its files and folders by the sessions that edited them, for the page.
// The edits are those of the line table; only what git tracks is shown.

import { placePath } from "../../code/fresh/place_path.ts";
import { findTracked } from "../../code/git/tracked_files.ts";
import type { Context } from "../../command/command.ts";
import { isWholePath } from "../../core/platform_path.ts";
import { compareText } from "../../core/text.ts";
import { isDirectory } from "../../disk/outside_files.ts";
import { findWorktrees } from "../../disk/worktree.ts";
import { type LineClaim, withLines } from "../../index/lines/line_table.ts";
import { readSessionCatalog, sessionTitle } from "../../store/session_catalog.ts";
import type { Store } from "../../store/store.ts";

/** A folder, and who worked where in it. */
export interface FolderHeat {
  /** From the workspace, with a slash at its end; "" is the workspace. */
  folder: string;
  /** Those that edited it last, the newest first. */
  sessions: { id: string; title: string; agent?: string; ts: string }[];
  /** Sessions that are left out. */
  more_sessions: number;
  /** Most edits first. */
  rows: HeatRow[];
  /** Files and folders that are left out. */
  more_rows: number;
}

/** A file or a folder of it. */
export interface HeatRow {
  name: string;
  is_folder: boolean;
  edits: number;
  /** By those that are named: which of them, how often, and the last time: its session and message. */
  cells: { by: number; edits: number; session_id: string; at?: string }[];
}

const [mostSessions, mostRows] = [12, 60];

type Edit = Omit<LineClaim, "kind" | "order">;

/** What is counted of one session in one row. */
interface Cell {
  edits: number;
  last: Edit;
}

export async function readHeat(folder: string, context: Context): Promise<FolderHeat> {
  const store = await context.openStore();
  const { workspace } = store.layout;
  const names = [...new Set(findTracked(workspace, folder).map((path) => nameIn(path, folder)))];
  const rows = new Map(names.map((name) => [name, new Map<string, Cell>()]));
  const catalog = readSessionCatalog(store);
  const place = { workspace, worktrees: findWorktrees(workspace), exists: isDirectory };
  const known = new Map<string, string | undefined>();
  const pathOf = ({ session, path }: Edit): string | undefined => {
    const project = catalog.get(session)?.project;
    const key = `${project}\n${path}`;
    if (!known.has(key)) {
      // A project that is not on this machine is this one elsewhere, if it has the same files.
      const isElsewhere = project !== undefined && !isWholePath(path) && !isDirectory(project);
      known.set(key, placePath(path, project, place) ?? (isElsewhere ? path : undefined));
    }
    return known.get(key);
  };
  const times = new Map<string, number>();
  await withLines(store, {
    signal: context.signal,
    work(table) {
      for (const edit of table.edits()) {
        const path = pathOf(edit);
        const row = path?.startsWith(folder) ? rows.get(nameIn(path, folder)) : undefined;
        if (row === undefined) continue;
        // A sub-agent's work belongs to who started it.
        const session = catalog.get(edit.session)?.parent ?? edit.session;
        const cell = row.get(session);
        row.set(session, {
          edits: (cell?.edits ?? 0) + 1,
          last: cell !== undefined && cell.last.time > edit.time ? cell.last : edit,
        });
        times.set(session, Math.max(times.get(session) ?? 0, edit.time));
      }
    },
  });
  const all = [...times].toSorted(([, a], [, b]) => b - a);
  const sessions = all.slice(0, mostSessions).map(([id, time]) => {
    const session = catalog.get(id);
    const agent = session?.source === undefined ? {} : { agent: session.source };
    const title = session === undefined ? "" : sessionTitle(session);
    return { id, title, ...agent, ts: new Date(time).toISOString() };
  });
  const sorted = [...rows].map(([name, cells]) => ({ name, cells, edits: countEdits(cells) }))
    .toSorted((a, b) => b.edits - a.edits || compareText(a.name, b.name));
  const shown = sorted.slice(0, mostRows);
  const ids = findIds(store, shown.flatMap(({ cells }) => [...cells.values()].map((c) => c.last)));
  return {
    folder,
    sessions,
    more_sessions: all.length - sessions.length,
    rows: shown.map(({ name, cells, edits }) => ({
      name,
      is_folder: name.endsWith("/"),
      edits,
      cells: sessions.flatMap(({ id }, by) => {
        const cell = cells.get(id);
        if (cell === undefined) return [];
        const { edits, last } = cell;
        return [{ by, edits, session_id: last.session, at: ids.get(last) }];
      }),
    })),
    more_rows: sorted.length - shown.length,
  };
}

/** The file or folder of a folder that a path is or is in; folders end with a slash. */
function nameIn(path: string, folder: string): string {
  const rest = path.slice(folder.length);
  const slash = rest.indexOf("/");
  return slash < 0 ? rest : rest.slice(0, slash + 1);
}

function countEdits(cells: ReadonlyMap<string, Cell>): number {
  return cells.values().reduce((sum, { edits }) => sum + edits, 0);
}

/** The messages that edits were made by. */
function findIds(store: Store, edits: readonly Edit[]): Map<Edit, string> {
  using snapshot = store.openSnapshot();
  const ids = new Map<Edit, string>();
  for (const [, own] of Map.groupBy(edits, ({ place }) => place.pool)) {
    const sorted = own.toSorted((a, b) => a.place.offset - b.place.offset);
    let at = 0;
    for (const [entry] of snapshot.readEach(sorted.map(({ place }) => place))) {
      const edit = sorted[at++];
      if (entry !== undefined) ids.set(edit, entry.id);
    }
  }
  return ids;
}
