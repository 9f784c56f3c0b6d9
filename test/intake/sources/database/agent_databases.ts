// Builds the databases of agents that keep nothing else, after the schemas of their sources: Crush,
// Goose, Zed and Kiro.

import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync } from "node:zlib";
import { forbidden, plantedSecret } from "../conformance.ts";

const image = `data:image/png;base64,${"iVBORw0KGgo1".repeat(60)}`;

/** A project with Crush's database: a session, a sub-agent's and one that only made a title. */
export function makeCrushDatabase(project: string): void {
  Deno.mkdirSync(`${project}/.crush`, { recursive: true });
  using database = open(`${project}/.crush/crush.db`);
  database.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, parent_session_id TEXT, title TEXT NOT NULL,
      message_count INTEGER NOT NULL DEFAULT 0, updated_at INTEGER NOT NULL,
      created_at INTEGER NOT NULL, todos TEXT);
    CREATE TABLE files (id TEXT PRIMARY KEY, session_id TEXT, path TEXT, content TEXT);
    CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, role TEXT NOT NULL,
      parts TEXT NOT NULL DEFAULT '[]', model TEXT, created_at INTEGER NOT NULL,
      updated_at INTEGER NOT NULL, finished_at INTEGER, provider TEXT,
      is_summary_message INTEGER DEFAULT 0 NOT NULL);
    INSERT INTO files VALUES ('f', 'crush-1', 'a.ts', '${forbidden}');
    INSERT INTO sessions VALUES ('crush-1', NULL, 'Lint the code', 5, 1780000009, 1780000000, NULL),
      ('m2$$call-1', 'crush-1', 'Agent', 1, 1780000004, 1780000003, NULL),
      ('title-crush-1', 'crush-1', 'Generate a title', 1, 1780000001, 1780000001, NULL);
  `);
  const part = (type: string, data: object) => ({ type, data });
  const text = (said: string) => part("text", { text: said });
  const put = database.prepare(
    "INSERT INTO messages VALUES (?, ?, ?, ?, 'm', ?, ?, NULL, 'p', ?)",
  );
  const add = (id: string, role: string, parts: object[], more: Partial<CrushRow> = {}) => {
    const { session = "crush-1", at = 1780000000 + Number(id.at(-1)), summary = 0 } = more;
    put.run(id, session, role, JSON.stringify(parts), at, at, summary);
  };
  add("m1", "user", [
    text(`Lint it, key ${plantedSecret}`),
    part("binary", { Path: `${project}/shot.png`, MIMEType: "image/png", Data: image }),
  ]);
  add("m2", "assistant", [
    part("reasoning", { thinking: "Run the linter.", signature: forbidden }),
    text("Linting."),
    part("tool_call", { id: "c1", name: "bash", input: '{"command":"lint"}', finished: true }),
    part("finish", { reason: "tool_use", time: 1780000002 }),
  ]);
  add("m3", "tool", [
    part("tool_result", { tool_call_id: "c1", name: "bash", content: "1 error", is_error: true }),
  ]);
  add("m4", "user", [part("shell_command", { command: "ls", output: "a.ts", exit_code: 0 })]);
  add("m5", "assistant", [text("All was linted.")], { summary: 1 });
  add("s3", "user", [text("Look for errors")], { session: "m2$$call-1" });
  add("t1", "user", [text(forbidden)], { session: "title-crush-1" });
}

interface CrushRow {
  session: string;
  at: number;
  summary: number;
}

/** An answer grows within its second. */
export function growCrushDatabase(project: string): number {
  using database = open(`${project}/.crush/crush.db`);
  database.exec("UPDATE messages SET parts = replace(parts, 'Linting.', 'Linting it.')");
  return 1;
}

/** Goose's database: a session that was compacted, and a hidden one. */
export function makeGooseDatabase(path: string, cwd = "/work/app"): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  using database = open(path);
  database.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT NOT NULL DEFAULT '',
      description TEXT NOT NULL DEFAULT '', user_set_name BOOLEAN DEFAULT FALSE,
      session_type TEXT NOT NULL DEFAULT 'user', working_dir TEXT NOT NULL,
      created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
      updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, extension_data TEXT DEFAULT '{}',
      recipe_json TEXT, provider_name TEXT, model_config_json TEXT, parent_session_id TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT,
      session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL,
      created_timestamp INTEGER NOT NULL, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
      tokens INTEGER, metadata_json TEXT);
  `);
  const session = database.prepare(
    `INSERT INTO sessions VALUES (?, ?, '', 0, ?, ?, '2026-05-28 20:26:40', '2026-05-28 20:27:00',
      '${forbidden}', '${forbidden}', 'p', '{"model_name":"m"}', NULL)`,
  );
  session.run("20260528_1", "Rename the thing", "user", cwd);
  session.run("20260528_2", "Hidden", "hidden", cwd);
  const put = gooseWriter(database);
  put("g1", "user", [{ type: "text", text: `Rename it, key ${plantedSecret}` }, {
    type: "image",
    data: image,
    mimeType: "image/png",
  }]);
  put("g2", "assistant", [
    { type: "thinking", thinking: "Use the editor.", signature: forbidden },
    { type: "text", text: "Renaming." },
    {
      type: "toolRequest",
      id: "c1",
      toolCall: {
        status: "success",
        value: { name: "developer__shell", arguments: { command: "mv a b" } },
      },
    },
  ], { inference: { provider: "q", requestedModel: "n" } });
  put("g3", "user", [{
    type: "toolResponse",
    id: "c1",
    toolResult: {
      status: "success",
      value: {
        content: [
          { type: "text", text: "moved", annotations: { audience: ["assistant"] } },
          { type: "text", text: "moved, for people", annotations: { audience: ["user"] } },
        ],
        isError: false,
      },
    },
  }]);
  put("g4", "user", [{ type: "text", text: "The thing was renamed." }], { userVisible: false });
  put("g5", "assistant", [{
    type: "systemNotification",
    notificationType: "inlineMessage",
    msg: "Compacted",
  }]);
  database.exec(`INSERT INTO messages (session_id, role, content_json, created_timestamp)
    VALUES ('20260528_2', 'user', '[{"type":"text","text":"${forbidden}"}]', 1780000000)`);
}

/** The user goes on; an error came back as a bare list, as Goose wrote it before 2026. */
export function growGooseDatabase(path: string): number {
  using database = open(path);
  const put = gooseWriter(database);
  put("g6", "user", [{
    type: "toolResponse",
    id: "c1",
    toolResult: { status: "success", value: [{ type: "text", text: "again" }] },
  }]);
  put("g7", "user", [{ type: "text", text: "Thanks." }]);
  return 2;
}

function gooseWriter(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO messages (message_id, session_id, role, content_json, created_timestamp,
      metadata_json) VALUES (?, '20260528_1', ?, ?, ?, ?)`,
  );
  return (id: string, role: string, content: object[], metadata: object = {}): void => {
    const at = 1780000000 + Number(id.at(-1));
    const visible = { userVisible: true, agentVisible: true, ...metadata };
    insert.run(id, role, JSON.stringify(content), at, JSON.stringify(visible));
  };
}

/** Zed's threads: a packed one of today, a plain one of 2025 that names its folder inside. */
export function makeZedDatabase(path: string, cwd = "/work/app"): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  using database = open(path);
  database.exec(`CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL,
    updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL, parent_id TEXT,
    folder_paths TEXT, folder_paths_order TEXT, created_at TEXT)`);
  const put = database.prepare("INSERT INTO threads VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?)");
  const created = "2026-06-01T10:00:00.123456789+00:00";
  put.run(
    "zed-1",
    "Sort the list",
    "2026-06-01T10:05:00+00:00",
    "zstd",
    zedThread([]),
    `/a\n${cwd}`,
    "1,0",
    created,
  );
  const old = {
    version: "0.2.0",
    summary: "Old",
    initial_project_snapshot: {
      worktree_snapshots: [{ worktree_path: cwd, git_state: { current_branch: "old" } }],
    },
    messages: [
      { id: 0, role: "user", segments: [{ type: "text", text: "Where is it?" }] },
      {
        id: 1,
        role: "assistant",
        segments: [{ type: "thinking", text: "Look." }, { type: "text", text: "Looking." }],
        tool_uses: [{ id: "t1", name: "find_path", input: { glob: "*.ts" } }],
        tool_results: [{ tool_use_id: "t1", is_error: false, content: "a.ts" }],
      },
      { id: 2, role: "user", segments: [{ type: "text", text: forbidden }], is_hidden: true },
    ],
  };
  put.run(
    "zed-0",
    "Old",
    "2025-06-01T10:00:00+00:00",
    "json",
    new TextEncoder().encode(JSON.stringify(old)),
    null,
    null,
    null,
  );
}

/** The thread goes on: it is written anew with one message more. */
export function growZedDatabase(path: string): number {
  using database = open(path);
  const thread = zedThread([{ User: { id: "z5", content: [{ Text: "Thanks." }] } }]);
  database.prepare("UPDATE threads SET updated_at = ?, data = ? WHERE id = 'zed-1'")
    .run("2026-06-01T10:09:00+00:00", thread);
  return 1;
}

function zedThread(more: object[]): Uint8Array {
  const thread = {
    version: "0.3.0",
    title: "Sort the list",
    model: { provider: "p", model: "m" },
    draft_prompt: forbidden,
    initial_project_snapshot: {
      worktree_snapshots: [{
        worktree_path: "/elsewhere",
        git_state: { current_branch: "main", diff: forbidden },
      }],
    },
    messages: [
      {
        User: {
          id: "z1",
          content: [
            { Text: `Sort it, key ${plantedSecret}, in ` },
            { Mention: { uri: { File: { abs_path: "/work/app/src/a.ts" } }, content: forbidden } },
            { Image: { source: image } },
          ],
        },
      },
      {
        Agent: {
          content: [
            { Thinking: { text: "Sort by name.", signature: forbidden } },
            { RedactedThinking: forbidden },
            { Text: "Sorting." },
            {
              ToolUse: {
                id: "t1",
                name: "terminal",
                raw_input: "{}",
                input: { type: "json", value: { command: "sort a" } },
              },
            },
            { ToolUse: { id: "t2", name: "read_file", input: { path: "a" } } },
          ],
          tool_results: {
            t1: {
              tool_use_id: "t1",
              tool_name: "terminal",
              is_error: true,
              content: [{ Text: "no " }, { Text: "file" }, { Image: { source: image } }],
            },
          },
        },
      },
      "Resume",
      { Compaction: { Summary: "The list was sorted." } },
      ...more,
    ],
  };
  return zstdCompressSync(new TextEncoder().encode(JSON.stringify(thread)));
}

/** Kiro's database: the tables of its first years, and one that must not be read. */
export function makeKiroDatabase(path: string, cwd = "/work/app"): void {
  Deno.mkdirSync(path.replace(/\/[^/]+$/, ""), { recursive: true });
  using database = open(path);
  database.exec(`
    CREATE TABLE auth_kv (key TEXT PRIMARY KEY, value TEXT);
    INSERT INTO auth_kv VALUES ('token', '${forbidden}');
    CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE conversations_v2 (key TEXT NOT NULL, conversation_id TEXT NOT NULL,
      value TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
      PRIMARY KEY (key, conversation_id));
  `);
  const conversation = kiroConversation([]);
  database.prepare("INSERT INTO conversations_v2 VALUES (?, 'kiro-2', ?, ?, ?)")
    .run(cwd, JSON.stringify(conversation), 1780000000000, 1780000009000);
  const old = {
    conversation_id: "kiro-1",
    history: [{
      user: {
        content: { Prompt: { prompt: "Say hello" } },
        timestamp: "2025-08-01T10:00:00.5-07:00",
      },
      assistant: { Response: { message_id: "o1", content: "Hello." } },
    }],
  };
  const put = database.prepare("INSERT INTO conversations VALUES (?, ?)");
  put.run(cwd, JSON.stringify(old));
  // What the old table has of a conversation of the new one is what it was then.
  put.run("/elsewhere", JSON.stringify({ ...old, conversation_id: "kiro-2" }));
}

/** The conversation goes on. */
export function growKiroDatabase(path: string): number {
  using database = open(path);
  const conversation = kiroConversation([{
    user: { content: { Prompt: { prompt: "Thanks" } }, timestamp: "2026-05-28T20:28:00Z" },
    assistant: { Response: { message_id: "k3", content: "Sure." } },
  }]);
  database.prepare("UPDATE conversations_v2 SET value = ?, updated_at = 1780000020000")
    .run(JSON.stringify(conversation));
  return 2;
}

function kiroConversation(more: object[]): object {
  return {
    conversation_id: "kiro-2",
    model_info: { model_id: "m" },
    latest_summary: ["It was tested.", {}],
    history: [
      {
        user: {
          additional_context: forbidden,
          content: { Prompt: { prompt: `Test it, key ${plantedSecret}` } },
          timestamp: "2026-05-28T20:26:41.123456789Z",
        },
        assistant: {
          ToolUse: {
            message_id: "k1",
            content: "Testing.",
            tool_uses: [{
              id: "t1",
              name: "execute_bash",
              args: {},
              orig_args: { command: "deno test" },
            }],
          },
        },
      },
      {
        user: {
          content: {
            ToolUseResults: {
              tool_use_results: [{
                tool_use_id: "t1",
                content: [{ Json: { exit_status: "1", stdout: "1 failed", stderr: "oh" } }],
                status: "Success",
              }],
            },
          },
          timestamp: null,
        },
        assistant: { Response: { message_id: "k2", content: "One failed." } },
      },
      ...more,
    ],
  };
}

function open(path: string): DatabaseSync & Disposable {
  const database = new DatabaseSync(path);
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
