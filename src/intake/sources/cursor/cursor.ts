// Cursor: four generations of storage in VS Code databases, and the agent's own transcripts under
// `~/.cursor`. The databases also hold sign-in tokens and encryption keys: only the keys named here
// are ever read.

import { findComposers, listGlobal, readComposer } from "./cursor_composers.ts";
import { agentDirectory, CursorProjects } from "./cursor_projects.ts";
import { listStore, listTranscript, readStore, readTranscript } from "./cursor_agent.ts";
import { listWorkspace, readPane, type WorkspaceComposers } from "./cursor_workspace.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { findFiles } from "../source_kinds.ts";
import { configDirectory } from "../vscode.ts";
import { existing } from "../walk.ts";

export const cursor: Source = {
  name: "cursor",
  title: "Cursor",
  locate(place) {
    return existing([userDirectory(place), agentDirectory(place)]);
  },
  async *list(root, options) {
    const { tally, place } = options;
    const skips = /^(?:node_modules|extensions|History|logs)$/;
    const files = [
      ...findFiles(root, options, { files: /^state\.vscdb$|\.jsonl$|store\.db$/, skips }),
    ];
    const composers: WorkspaceComposers = new Map();
    const projects = new CursorProjects(place);
    const sessions: SourceSession[] = [];
    const states = files.filter(({ name }) => name === "state.vscdb").map(({ path }) => path);
    const add = async (path: string, list: () => Promise<SourceSession[]>): Promise<void> => {
      sessions.push(...await tally.attempt(path, list) ?? []);
    };
    for (const path of states.filter(isWorkspace)) {
      await add(path, () => listWorkspace(path, composers, options));
    }
    for (const path of states.filter((path) => !isWorkspace(path))) {
      await add(path, () => listGlobal(path, { ...options, composers, projects }));
    }
    for (const file of files.filter((file) => /store\.db$/.test(file.name))) {
      await add(file.path, () => listStore(file, options));
    }
    for (const file of files.filter((file) => file.name.endsWith(".jsonl"))) {
      sessions.push(listTranscript(file, { ...options, projects }));
    }
    const listed = new Set(await findElsewhere(sessions, states, options));
    for (const session of sessions) {
      // Databases come first: a transcript of the same conversation has less in it.
      if (listed.has(session.id)) {
        tally.skip("transcript_of_known_session");
        continue;
      }
      listed.add(session.id);
      yield session;
    }
  },
  async read(session, sink, options) {
    const kind = session.key?.split(":", 1)[0];
    if (kind === "transcript") return await readTranscript(session, sink, options);
    sink.tally.files++;
    const readers: Record<string, typeof readPane> = { composer: readComposer, store: readStore };
    const read = readers[kind ?? ""] ?? readPane;
    await sink.tally.attempt(session.path, () => read(session, sink, options));
  },
};

/** Which transcripts tell conversations that Cursor's own database has, when that is not listed here. */
async function findElsewhere(
  sessions: SourceSession[],
  states: string[],
  { place, databases }: ListOptions,
): Promise<string[]> {
  const ids = sessions.filter(({ key }) => key === "transcript").map(({ id }) => id);
  const [path] = existing([`${userDirectory(place)}/globalStorage/state.vscdb`]);
  if (ids.length === 0 || path === undefined || states.includes(path)) return [];
  try {
    return await findComposers(path, { ids, databases });
  } catch {
    // Listing that database tells what is wrong with it.
    return [];
  }
}

function userDirectory(place: Place): string {
  return `${configDirectory(place)}/Cursor/User`;
}

function isWorkspace(path: string): boolean {
  return /\/workspaceStorage\/[^/]+\/state\.vscdb$/.test(path);
}
