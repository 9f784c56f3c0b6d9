// A home in which every agent has worked: the samples at the places where the agents keep their
// histories, as if they had been held in one workspace.

import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import {
  makeCrushDatabase,
  makeGooseDatabase,
  makeKiroDatabase,
  makeZedDatabase,
} from "../../intake/sources/database/agent_databases.ts";
import {
  makeCursorDatabases,
  makeOpencodeDatabase,
} from "../../intake/sources/database/databases.ts";
import { copyTree, listTree } from "../stores/tree.ts";
import { fromFileUrl } from "../../../src/core/platform_path.ts";

const samples = fromFileUrl(new URL("../../samples", import.meta.url));
/** Where the samples say that they were held. */
const heldIn = "/work/app";

/** How many rows each agent's samples give; some keep them in databases. */
export const rowsOfAgents: Record<string, number> = {
  "claude-code": 11,
  "codex": 7,
  "opencode": 7,
  "kilo": 2,
  "cursor": 10,
  "gemini": 7,
  "copilot": 7,
  "aider": 6,
  "cline": 4,
  "crush": 9,
  "goose": 6,
  "kiro": 29,
  "zed": 12,
  "qwen": 7,
  "openhands": 21,
  "claude-web": 5,
  "chatgpt": 4,
  "continue": 5,
  "kimi": 9,
  "grok": 6,
  "droid": 7,
  "openclaw": 9,
  "omp": 9,
  "pi": 9,
  "specstory": 6,
  "antigravity": 9,
  "claude-mem": 3,
  "server-memory": 3,
  "mem0": 2,
  "beads": 2,
  "contextfs": 3,
  "ndjson": 3,
};

/** Where the databases are. */
export interface AgentHome {
  opencode: string;
  crush: string;
  goose: string;
  kiro: string;
  zed: string;
  codexTitles: string;
  cursorGlobal: string;
}

/** Fills a home; the sessions belong to `workspace`. */
export function fillAgentHome(home: string, workspace: string): AgentHome {
  const { settings, share, goose, zed } = directoriesOf(home);
  const data = `${home}/.local/share/opencode`;
  const places = {
    "claude-code": `${home}/.claude`,
    "codex": `${home}/.codex`,
    "opencode": data,
    "cursor": `${home}/.cursor`,
    "gemini": home,
    "copilot/session-state": `${home}/.copilot/session-state`,
    "copilot/User": `${settings}/Code/User`,
    "cline": `${home}/.cline/data/sessions`,
    "aider": workspace,
    "specstory": workspace,
    "kiro": `${home}/.kiro`,
    "kiro-ide": `${settings}/Kiro/User/globalStorage/kiro.kiroagent`,
    "continue": `${home}/.continue`,
    "kimi": `${home}/.kimi-code/sessions`,
    "grok": `${home}/.grok/sessions`,
    "droid": `${home}/.factory/sessions`,
    "pi": `${home}/.pi/agent/sessions`,
    "antigravity": `${home}/.gemini`,
    "qwen": `${home}/.qwen`,
    "openhands": `${home}/.openhands`,
  };
  for (const [sample, place] of Object.entries(places)) copyTree(`${samples}/${sample}`, place);
  copyTree(`${samples}/pi`, `${home}/.omp/agent/sessions`);
  copyTree(`${samples}/pi`, `${home}/.openclaw/agents/main/sessions`);
  const opencode = `${data}/opencode.db`;
  const kilo = `${home}/.local/share/kilo/kilo.db`;
  makeOpencodeDatabase(opencode);
  makeOpencodeDatabase(kilo);
  makeCursorDatabases(`${settings}/Cursor`);
  const others = {
    crush: `${workspace}/.crush/crush.db`,
    goose: `${goose}/sessions/sessions.db`,
    kiro: `${share}/kiro-cli/data.sqlite3`,
    zed: `${zed}/threads/threads.db`,
  };
  makeCrushDatabase(workspace);
  makeGooseDatabase(others.goose, workspace);
  makeKiroDatabase(others.kiro, workspace);
  makeZedDatabase(others.zed, workspace);
  for (const path of listTree(home)) {
    if (!/\.(?:jsonl?|project_root)$/.test(path)) continue;
    const text = Deno.readTextFileSync(path);
    if (text.includes(heldIn)) Deno.writeTextFileSync(path, text.replaceAll(heldIn, workspace));
  }
  // Kimi CLI and Kiro's IDE name directories after a hash of the place.
  const [was, is] = [heldIn, workspace].map((path) =>
    `${home}/.kimi-code/sessions/${createHash("md5").update(path).digest("hex")}`
  );
  Deno.renameSync(was, is);
  const [before, now] = [heldIn, workspace].map((path) => {
    const hash = createHash("sha256").update(path).digest("hex").slice(0, 32);
    return `${settings}/Kiro/User/globalStorage/kiro.kiroagent/${hash}`;
  });
  Deno.renameSync(before, now);
  const codexTitles = `${home}/.codex/state_5.sqlite`;
  change(opencode, "UPDATE session SET directory = ?", workspace);
  change(kilo, "UPDATE session SET directory = ?", workspace);
  change(codexTitles, "CREATE TABLE threads (id TEXT, name TEXT)");
  const thread = "01990000-aaaa-7bbb-8ccc-ddddeeee0001";
  change(codexTitles, "INSERT INTO threads VALUES (?, 'Named in the database')", thread);
  return {
    ...others,
    opencode,
    codexTitles,
    cursorGlobal: `${settings}/Cursor/User/globalStorage/state.vscdb`,
  };
}

/** Where programs keep their settings and data. */
function directoriesOf(home: string): Record<"settings" | "share" | "goose" | "zed", string> {
  const local = `${home}/.local/share`;
  if (Deno.build.os === "darwin") {
    const settings = `${home}/Library/Application Support`;
    return { settings, share: settings, goose: `${local}/goose`, zed: `${settings}/Zed` };
  }
  if (Deno.build.os !== "windows") {
    return {
      settings: `${home}/.config`,
      share: local,
      goose: `${local}/goose`,
      zed: `${local}/zed`,
    };
  }
  const [settings, share] = [`${home}/AppData/Roaming`, `${home}/AppData/Local`];
  return { settings, share, goose: `${settings}/Block/goose/data`, zed: `${share}/Zed` };
}

function change(path: string, sql: string, ...values: string[]): void {
  const database = new DatabaseSync(path);
  database.prepare(sql).run(...values);
  database.close();
}
