// Cursor: four generations of storage in VS Code databases, and the agent's own transcripts under
// `~/.cursor`. The databases also hold sign-in tokens and encryption keys: only the keys named here
// are ever read.

import { listGlobal, readComposer } from "./cursor_composers.ts";
import { listStore, readStore } from "./cursor_store.ts";
import { listTranscript, readTranscript } from "./cursor_transcripts.ts";
import { listWorkspace, readPane, type WorkspaceComposers } from "./cursor_workspace.ts";
import type { ListOptions, Place, Source, SourceSession } from "../source.ts";
import { existing, walk } from "../walk.ts";

/** Cursor's conversations. */
export const cursor: Source = {
  name: "cursor",
  title: "Cursor",
  idScope: "conversation",
  locate: locateCursor,
  list: listCursor,
  async read(session, sink, options) {
    const kind = session.key?.split(":", 1)[0];
    if (kind === "transcript") return await readTranscript(session, sink, options);
    sink.tally.files++;
    if (kind === "composer") await readComposer(session, sink, options);
    else if (kind === "store") await readStore(session, sink, options);
    else await readPane(session, sink, options);
    return { signature: session.signature };
  },
};

function locateCursor({ env, home, os }: Place): string[] {
  const user = os === "darwin"
    ? `${home}/Library/Application Support/Cursor/User`
    : os === "windows"
    ? `${env("APPDATA") || `${home}/AppData/Roaming`}/Cursor/User`
    : `${env("XDG_CONFIG_HOME") || `${home}/.config`}/Cursor/User`;
  const agent = env("CURSOR_CONFIG_DIR") || `${home}/.cursor`;
  return existing([user, agent]);
}

async function* listCursor(root: string, options: ListOptions): AsyncGenerator<SourceSession> {
  const accept = (name: string) =>
    name === "state.vscdb" || /\.jsonl$/.test(name) || /store\.db$/.test(name);
  const enter = (name: string) => !/^(?:node_modules|extensions|History|logs)$/.test(name);
  const files = [...walk(root, { tally: options.tally, accept, enter })];
  const composers: WorkspaceComposers = new Map();
  const listed = new Set<string>();
  const sessions: SourceSession[] = [];
  for (const file of files.filter((file) => isWorkspace(file.path))) {
    for await (const session of listWorkspace(file.path, composers, options)) {
      sessions.push(session);
    }
  }
  for (
    const file of files.filter((file) => file.name === "state.vscdb" && !isWorkspace(file.path))
  ) {
    for await (const session of listGlobal(file.path, composers, options)) sessions.push(session);
  }
  for (const file of files.filter((file) => /store\.db$/.test(file.name))) {
    for await (const session of listStore(file, options)) sessions.push(session);
  }
  for (const file of files.filter((file) => file.name.endsWith(".jsonl"))) {
    const session = listTranscript(file, options);
    if (session) sessions.push(session);
  }
  for (const session of sessions) {
    // Databases come first: a transcript of the same conversation has less in it.
    if (listed.has(session.id)) {
      options.tally.skip("transcript_of_known_session");
      continue;
    }
    listed.add(session.id);
    yield session;
  }
}

function isWorkspace(path: string): boolean {
  return /\/workspaceStorage\/[^/]+\/state\.vscdb$/.test(path);
}
