// Cursor's workspace databases: the chat pane of 2024 and the first, inline composers. For later
// generations they only tell which folder a composer belongs to.

import { type Databases, databaseSignature } from "../database/databases.ts";
import { emitBubbles } from "./cursor_bubbles.ts";
import { findJson, type Json, toObject, toObjects, toText, toTime } from "../loose_json.ts";
import type { ListOptions, ReadOptions, Sink, SourceSession } from "../source.ts";
import { fromFolderUri } from "../vscode.ts";
import { findObject } from "../walk.ts";

/** What the workspace databases know of composers: their folder, name and branch. */
export type WorkspaceComposers = Map<string, { cwd?: string; title?: string; branch?: string }>;

const paneKey = "workbench.panel.aichat.view.aichat.chatdata";
const composerKey = "composer.composerData";

/** The conversations that a workspace database holds whole; notes the composers it only names. */
export async function listWorkspace(
  path: string,
  composers: WorkspaceComposers,
  { databases }: ListOptions,
): Promise<SourceSession[]> {
  const cwd = folderOf(path);
  const signature = databaseSignature(path);
  const found: SourceSession[] = [];
  const { tabs, all } = await readValues(path, databases);
  for (const tab of tabs) {
    const id = toText(tab.tabId);
    if (id === undefined || toObjects(tab.bubbles).length === 0) continue;
    const started = toTime(tab.lastSendTime);
    const title = toText(tab.chatTitle);
    found.push({ id, path, signature, key: `pane:${id}`, cwd, title, started, updated: started });
  }
  for (const composer of all) {
    const id = toText(composer.composerId);
    if (id === undefined) continue;
    const branch = toText(composer.createdOnBranch) ?? toText(composer.committedToBranch);
    const title = toText(composer.name);
    composers.set(id, { cwd, title, branch });
    if (toObjects(composer.conversation).length === 0) continue;
    const [started, updated] = [toTime(composer.createdAt), toTime(composer.lastUpdatedAt)];
    found.push({ id, path, signature, key: `inline:${id}`, cwd, title, branch, started, updated });
  }
  return found;
}

/** Reads one tab of the chat pane or one inline composer. */
export async function readPane(
  session: SourceSession,
  sink: Sink,
  { databases }: ReadOptions,
): Promise<void> {
  const { tabs, all } = await readValues(session.path, databases);
  const tab = tabs.find((tab) => tab.tabId === session.id);
  const composer = all.find((composer) => composer.composerId === session.id);
  const bubbles = toObjects(tab?.bubbles ?? composer?.conversation).map((bubble, i) => ({
    id: toText(bubble.bubbleId) ?? toText(bubble.id) ?? String(i),
    bubble: tab ? fromTab(bubble) : bubble,
  }));
  await emitBubbles(session, bubbles, { sink });
}

async function readValues(
  path: string,
  databases: Databases,
): Promise<{ tabs: Json[]; all: Json[] }> {
  const rows = await databases.read(path, async (database) => {
    if (!(await database.columns("ItemTable")).has("value")) return [];
    const sql = "SELECT key, value FROM ItemTable WHERE key IN (?, ?)";
    return await database.rows(sql, paneKey, composerKey);
  });
  const find = (key: string) => parseKeyValue(rows.find((row) => row.key === key)?.value);
  return {
    tabs: toObjects(find(paneKey)?.tabs),
    all: toObjects(find(composerKey)?.allComposers),
  };
}

/** Bubbles of the pane have other names for the same things. */
function fromTab(bubble: Json): Json {
  return {
    ...bubble,
    type: bubble.type === "user" ? 1 : 2,
    text: toText(bubble.text) ?? toText(bubble.rawText),
    modelInfo: { modelName: bubble.modelType },
  };
}

/** The folder of a workspace: `workspace.json` beside the database. */
function folderOf(path: string): string | undefined {
  const workspace = findObject(path.replace(/state\.vscdb$/, "workspace.json"));
  const folder = toText(workspace?.folder) ?? toText(workspace?.workspace);
  return folder && fromFolderUri(folder);
}

/** The object in a value of VS Code's key-value tables: text or bytes, JSON or nothing. */
export function parseKeyValue(value: unknown): Json | undefined {
  if (typeof value === "string") return toObject(findJson(value));
  return value instanceof Uint8Array
    ? toObject(findJson(new TextDecoder().decode(value)))
    : undefined;
}
