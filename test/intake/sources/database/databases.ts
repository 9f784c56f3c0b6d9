// Builds the SQLite samples: binary files do not belong into the repository.

import { DatabaseSync } from "node:sqlite";
import { forbidden, plantedSecret } from "../conformance.ts";

/** An OpenCode database of one session, with tables that must not be read. */
export function makeOpencodeDatabase(path: string): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  using database = open(path);
  database.exec(`
    CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, parent_id TEXT,
      time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
      time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
      time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE account (id TEXT, access_token TEXT);
    INSERT INTO account VALUES ('a', '${forbidden}');
    INSERT INTO session VALUES ('ses_db', '/work/app', 'Database', NULL, 1771000000000, 1771000003000);
    INSERT INTO message VALUES
      ('msg_1', 'ses_db', 1771000001000, 1771000001000, '{"role":"user","time":{"created":1771000001000}}'),
      ('msg_2', 'ses_db', 1771000002000, 1771000002000, '{"role":"assistant","time":{"created":1771000002000},"modelID":"m"}');
    INSERT INTO part VALUES
      ('prt_1', 'msg_1', 'ses_db', 1, 1, '{"type":"text","text":"List files, key ${plantedSecret}"}'),
      ('prt_2', 'msg_2', 'ses_db', 2, 2, '{"type":"tool","tool":"bash","callID":"c","state":{"status":"running","input":{"command":"ls"}}}');
  `);
}

/** The running tool completes: its output is new. */
export function growOpencodeDatabase(path: string): number {
  using database = open(path);
  database.exec(`UPDATE part SET time_updated = 3, data =
    '{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"a.ts"}}'
    WHERE id = 'prt_2'`);
  return 1;
}

/** Puts the tables of OpenCode 2 into a database, new or of 1.x, with one session of its own. */
export function makeOpencode2Tables(path: string): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  using database = open(path);
  database.exec(`
    CREATE TABLE session_v2 (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT,
      fork_session_id TEXT, slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT,
      version TEXT NOT NULL, share_url TEXT, revert TEXT, model TEXT, time_created INTEGER NOT NULL,
      time_updated INTEGER NOT NULL);
    CREATE TABLE session_message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, type TEXT NOT NULL,
      seq INTEGER NOT NULL, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL,
      data TEXT NOT NULL);
    CREATE TABLE credential (id TEXT, value TEXT);
    INSERT INTO credential VALUES ('a', '${forbidden}');
    INSERT INTO session_v2 VALUES ('ses_two', 'p', NULL, NULL, 's', '/work/app', 'Second', '2.0.12',
      '${forbidden}', NULL, NULL, 1790000000000, 1790000009000);
  `);
  const model = { id: "m", providerID: "p" };
  const at = (created: number, completed?: number) => ({ created, completed });
  const rows: [string, object][] = [
    ["system", { text: forbidden, time: at(1790000000000) }],
    ["user", {
      text: `Fix it, key ${plantedSecret}`,
      files: [{ uri: "file:///work/app/src/a.ts", mime: "text/plain", name: "a.ts" }, {
        uri: `data:image/png;base64,${"iVBORw0KGgo".repeat(60)}`,
        mime: "image/png",
        name: "shot.png",
      }],
      time: at(1790000001000),
    }],
    ["model-switched", { model, time: at(1790000002000) }],
    ["assistant", {
      agent: "build",
      model,
      time: at(1790000003000, 1790000006000),
      snapshot: { files: ["src/a.ts"] },
      tokens: { input: 10, output: 5, reasoning: 1, cache: { read: 2, write: 3 } },
      content: [
        { type: "reasoning", id: "0", text: "Look first." },
        { type: "text", id: "0", text: "Fixed." },
        toolContent({ status: "completed", content: [{ type: "text", text: "const a = 1;" }] }),
      ],
    }],
    ["shell", {
      callID: "c2",
      command: "ls",
      output: "a.ts",
      time: at(1790000007000, 1790000007500),
    }],
    ["synthetic", { text: "Reminder", time: at(1790000007600) }],
    ["compaction", {
      reason: "auto",
      summary: "It is fixed.",
      recent: "",
      time: at(1790000007700),
    }],
    ["assistant", {
      model,
      time: at(1790000008000),
      content: [toolContent({ status: "running", content: [] })],
    }],
  ];
  const put = database.prepare("INSERT INTO session_message VALUES (?, 'ses_two', ?, ?, ?, ?, ?)");
  for (const [seq, [type, data]] of rows.entries()) {
    const time = 1790000000000 + seq * 1000;
    put.run(`msg_two${seq}`, type, seq, time, time, JSON.stringify(data));
  }
}

/** The running tool of OpenCode 2 fails, and the user says something: two rows. */
export function growOpencode2Tables(path: string): number {
  using database = open(path);
  const data = {
    model: { id: "m", providerID: "p" },
    time: { created: 1790000008000 },
    content: [
      toolContent({ status: "error", content: [], error: { type: "unknown", message: "Gone" } }),
    ],
  };
  database.prepare(
    "UPDATE session_message SET time_updated = 1790000010000, data = ? WHERE seq = 7",
  )
    .run(JSON.stringify(data));
  database.prepare("INSERT INTO session_message VALUES (?, 'ses_two', 'user', 8, ?, ?, ?)")
    .run("msg_two8", 1790000011000, 1790000011000, JSON.stringify({ text: "Go on." }));
  return 2;
}

function toolContent(state: object): object {
  return {
    type: "tool",
    id: "c1",
    name: "read",
    state: { input: { path: "/work/app/src/a.ts" }, structured: {}, ...state },
    time: { created: 1790000004000, completed: 1790000005000 },
  };
}

/** Cursor's workspace and global databases: three generations, and a key that must not be read. */
export function makeCursorDatabases(directory: string): void {
  const workspace = `${directory}/User/workspaceStorage/abc123`;
  Deno.mkdirSync(workspace, { recursive: true });
  Deno.mkdirSync(`${directory}/User/globalStorage`, { recursive: true });
  Deno.writeTextFileSync(`${workspace}/workspace.json`, '{"folder":"file:///work/app"}');
  const pane = {
    tabs: [{
      tabId: "tab-1",
      chatTitle: "A pane",
      lastSendTime: 1720000000000,
      bubbles: [{ type: "user", id: "b1", text: "Why?" }, {
        type: "ai",
        id: "b2",
        rawText: "Because.",
      }],
    }],
  };
  const composers = {
    allComposers: [
      {
        composerId: "inline-1",
        name: "Inline",
        createdAt: 1730000000000,
        conversation: [{ type: 1, bubbleId: "i1", text: "Inline question" }],
      },
      { composerId: "composer-1", name: "Global", createdOnBranch: "main" },
    ],
  };
  using local = open(`${workspace}/state.vscdb`);
  local.exec("CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  const put = local.prepare("INSERT INTO ItemTable VALUES (?, ?)");
  put.run("workbench.panel.aichat.view.aichat.chatdata", JSON.stringify(pane));
  put.run("composer.composerData", JSON.stringify(composers));
  put.run("cursorAuth/accessToken", forbidden);
  using global = open(`${directory}/User/globalStorage/state.vscdb`);
  global.exec("CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)");
  for (const [key, value] of globalRows()) {
    global.prepare("INSERT INTO cursorDiskKV VALUES (?, ?)").run(key, value);
  }
}

/** A bubble is edited in place: one row changes. */
export function growCursorDatabase(directory: string): number {
  using global = open(`${directory}/User/globalStorage/state.vscdb`);
  const value = JSON.stringify({
    type: 1,
    bubbleId: "u",
    createdAt: "2025-10-01T10:00:00.000Z",
    text: "Edited",
  });
  global.prepare("UPDATE cursorDiskKV SET value = ? WHERE key = 'bubbleId:composer-1:u'").run(
    value,
  );
  return 1;
}

function globalRows(): [string, string | null][] {
  const composer = {
    composerId: "composer-1",
    name: "Global",
    createdAt: 1759310000000,
    lastUpdatedAt: 1759310009000,
    speculativeSummarizationEncryptionKey: forbidden,
    fullConversationHeadersOnly: [{ bubbleId: "u" }, { bubbleId: "t" }, { bubbleId: "gone" }],
  };
  const user = {
    type: 1,
    bubbleId: "u",
    createdAt: "2025-10-01T10:00:00.000Z",
    text: `Find it, key ${plantedSecret}`,
  };
  const tool = {
    type: 2,
    bubbleId: "t",
    thinking: { text: "Search first.", signature: forbidden },
    toolFormerData: {
      name: "grep",
      rawArgs: '{"pattern":"x"}',
      result: "src/a.ts:1:x",
      status: "completed",
    },
  };
  return [
    ["composerData:composer-1", JSON.stringify(composer)],
    [
      "composerData:draft",
      JSON.stringify({ composerId: "draft", fullConversationHeadersOnly: [] }),
    ],
    ["bubbleId:composer-1:u", JSON.stringify(user)],
    ["bubbleId:composer-1:t", JSON.stringify(tool)],
    ["bubbleId:composer-1:null", null],
  ];
}

function open(path: string): DatabaseSync & Disposable {
  const database = new DatabaseSync(path);
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
