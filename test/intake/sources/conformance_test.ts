// Every source against the one suite. CONTRIBUTING.md says how to add one.

import { aider } from "../../../src/intake/sources/aider/aider.ts";
import { claudeCode } from "../../../src/intake/sources/claude_code/claude_code.ts";
import { cline } from "../../../src/intake/sources/cline/cline.ts";
import { codex } from "../../../src/intake/sources/codex/codex.ts";
import { copilot } from "../../../src/intake/sources/copilot/copilot.ts";
import { crush } from "../../../src/intake/sources/crush/crush.ts";
import { cursor } from "../../../src/intake/sources/cursor/cursor.ts";
import { gemini } from "../../../src/intake/sources/gemini/gemini.ts";
import { goose } from "../../../src/intake/sources/goose/goose.ts";
import { kiro } from "../../../src/intake/sources/kiro/kiro.ts";
import { ndjson } from "../../../src/intake/sources/ndjson/ndjson.ts";
import { kilo } from "../../../src/intake/sources/opencode/kilo.ts";
import { opencode } from "../../../src/intake/sources/opencode/opencode.ts";
import { qwen } from "../../../src/intake/sources/qwen/qwen.ts";
import { antigravity } from "../../../src/intake/sources/antigravity/antigravity.ts";
import { pi } from "../../../src/intake/sources/pi/pi.ts";
import { omp } from "../../../src/intake/sources/pi/omp.ts";
import { openclaw } from "../../../src/intake/sources/pi/openclaw.ts";
import { droid } from "../../../src/intake/sources/droid/droid.ts";
import { grok } from "../../../src/intake/sources/grok/grok.ts";
import { kimi } from "../../../src/intake/sources/kimi/kimi.ts";
import { continueDev } from "../../../src/intake/sources/continue/continue.ts";
import { openhands } from "../../../src/intake/sources/openhands/openhands.ts";
import { chatgpt } from "../../../src/intake/sources/web_export/chatgpt.ts";
import { beads } from "../../../src/intake/sources/memories/beads.ts";
import { claudeMem } from "../../../src/intake/sources/memories/claude_mem.ts";
import { mem0 } from "../../../src/intake/sources/memories/mem0.ts";
import { serverMemory } from "../../../src/intake/sources/memories/server_memory.ts";
import { growClaudeMemDatabase, makeClaudeMemDatabase } from "./database/claude_mem_database.ts";
import { claudeWeb } from "../../../src/intake/sources/web_export/claude_web.ts";
import { specstory } from "../../../src/intake/sources/specstory/specstory.ts";
import { zed } from "../../../src/intake/sources/zed/zed.ts";
import { listTree } from "../../support/stores/tree.ts";
import { conformance } from "./conformance.ts";
import {
  growCrushDatabase,
  growGooseDatabase,
  growKiroDatabase,
  growZedDatabase,
  makeCrushDatabase,
  makeGooseDatabase,
  makeKiroDatabase,
  makeZedDatabase,
} from "./database/agent_databases.ts";
import {
  growCursorDatabase,
  growOpencode2Tables,
  growOpencodeDatabase,
  makeCursorDatabases,
  makeOpencode2Tables,
  makeOpencodeDatabase,
} from "./database/databases.ts";
import { hasLinks } from "../../support/not_on_windows.ts";

const claudeFile = "/projects/-work-app/11111111-2222-4333-8444-555555555555.jsonl";
const codexFile =
  "/sessions/2026/04/02/rollout-2026-04-02T08-00-00-01990000-aaaa-7bbb-8ccc-ddddeeee0001.jsonl";

const opencode2Rows = [
  "user/turn",
  "system/patch",
  "assistant/thinking",
  "assistant/turn",
  "assistant/tool_call",
  "tool/tool_output",
  "assistant/tool_call",
  "tool/tool_output",
  "system/compaction",
  "system/summary",
  "assistant/tool_call",
];

const piRows = [
  "user/turn",
  "assistant/thinking",
  "assistant/turn",
  "assistant/tool_call",
  "tool/tool_output",
  "assistant/tool_call",
  "tool/tool_output",
  "system/compaction",
  "system/summary",
];

conformance({
  name: "claude-code",
  holdsRows: true,
  source: claudeCode,
  directory: "claude-code",
  root: "/projects",
  locate: (directory) => ({ env: { CLAUDE_CONFIG_DIR: directory } }),
  expected: {
    "11111111-2222-4333-8444-555555555555": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "system/compaction",
      "system/summary",
    ],
    "agent-a1b2c3d": ["user/turn", "assistant/turn"],
  },
  grow(directory) {
    const line = {
      type: "user",
      uuid: "uuid-9",
      timestamp: "2026-03-01T10:01:00.000Z",
      cwd: "/work/app",
      message: { role: "user", content: "And a logout button." },
    };
    append(`${directory}${claudeFile}`, [line]);
    return 1;
  },
});

conformance({
  name: "codex",
  source: codex,
  directory: "codex",
  root: "",
  locate: (directory) => ({ env: { CODEX_HOME: directory } }),
  expected: {
    "01990000-aaaa-7bbb-8ccc-ddddeeee0001": [
      "user/turn",
      "assistant/thinking",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
    ],
  },
  grow(directory) {
    const at = "2026-04-02T08:02:00.000Z";
    const say = (role: string, text: string) => ({
      timestamp: at,
      type: "response_item",
      payload: { type: "message", role, content: [{ type: "input_text", text }] },
    });
    const event = {
      timestamp: at,
      type: "event_msg",
      payload: { type: "user_message", message: "Continue" },
    };
    append(`${directory}${codexFile}`, [say("user", "Continue"), event, say("assistant", "Done.")]);
    return 2;
  },
});

conformance({
  name: "opencode (JSON tree)",
  source: opencode,
  directory: "opencode",
  root: "",
  locate: (directory) => {
    // Where the history is, it would be read: only that it is found is tried.
    if (hasLinks) Deno.symlinkSync(directory, `${directory}/opencode`);
    else Deno.mkdirSync(`${directory}/opencode`);
    return { env: { XDG_DATA_HOME: directory } };
  },
  expected: {
    ses_sample0001: [
      "user/turn",
      "assistant/thinking",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
    ],
  },
  grow(directory) {
    const part = `${directory}/storage/part/msg_0002/prt_0005.json`;
    const value = JSON.parse(Deno.readTextFileSync(part));
    Deno.writeTextFileSync(part, JSON.stringify({ ...value, text: `${value.text} Or two.` }));
    return 1;
  },
});

conformance({
  name: "opencode (SQLite)",
  source: opencode,
  directory: "opencode",
  root: "/data",
  prepare: (directory) => makeOpencodeDatabase(`${directory}/data/opencode.db`),
  locate: (directory) => ({ env: { OPENCODE_DB: `${directory}/data/opencode.db` } }),
  expected: { ses_db: ["user/turn", "assistant/tool_call"] },
  grow: (directory) => growOpencodeDatabase(`${directory}/data/opencode.db`),
});

conformance({
  name: "opencode (2.x)",
  source: opencode,
  directory: "opencode",
  root: "/data",
  prepare: (directory) => makeOpencode2Tables(`${directory}/data/opencode.db`),
  locate: (directory) => ({ env: { OPENCODE_DB: `${directory}/data/opencode.db` } }),
  expected: { ses_two: opencode2Rows },
  grow: (directory) => growOpencode2Tables(`${directory}/data/opencode.db`),
});

conformance({
  name: "opencode (upgraded to 2.x)",
  source: opencode,
  directory: "opencode",
  root: "/data",
  prepare(directory) {
    makeOpencodeDatabase(`${directory}/data/opencode.db`);
    makeOpencode2Tables(`${directory}/data/opencode.db`);
  },
  locate: (directory) => ({ env: { OPENCODE_DB: `${directory}/data/opencode.db` } }),
  expected: { ses_db: ["user/turn", "assistant/tool_call"], ses_two: opencode2Rows },
  grow: (directory) => growOpencode2Tables(`${directory}/data/opencode.db`),
});

conformance({
  name: "kilo",
  source: kilo,
  directory: "opencode",
  root: "/kilo",
  prepare: (directory) => makeOpencodeDatabase(`${directory}/kilo/kilo.db`),
  locate: (directory) => ({ env: { XDG_DATA_HOME: directory } }),
  expected: { ses_db: ["user/turn", "assistant/tool_call"] },
  grow: (directory) => growOpencodeDatabase(`${directory}/kilo/kilo.db`),
});

conformance({
  name: "cursor",
  source: cursor,
  directory: "cursor",
  root: "",
  prepare: makeCursorDatabases,
  locate: (directory) => ({ env: { CURSOR_CONFIG_DIR: directory } }),
  expected: {
    "tab-1": ["user/turn", "assistant/turn"],
    "inline-1": ["user/turn"],
    "composer-1": ["user/turn", "assistant/thinking", "assistant/tool_call", "tool/tool_output"],
    "c0ffee00-0000-4000-8000-000000000001": [
      "user/turn",
      "assistant/turn",
      "assistant/tool_call",
    ],
  },
  grow: growCursorDatabase,
});

conformance({
  name: "gemini",
  source: gemini,
  directory: "gemini",
  root: "/.gemini/tmp",
  locate: (directory) => ({ env: { GEMINI_CLI_HOME: directory } }),
  expected: {
    "bbbb2222-0000-4000-8000-000000000002": ["user/turn", "assistant/turn"],
    "aaaa1111-0000-4000-8000-000000000001": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
    ],
  },
  grow(directory) {
    append(`${directory}/.gemini/tmp/app/chats/session-2026-04-23T09-00-aaaa1111.jsonl`, [
      { id: "m3", timestamp: "2026-04-23T09:01:00.000Z", type: "user", content: "Thanks" },
      { $rewindTo: "unknown" },
      { id: "m4", timestamp: "2026-04-23T09:02:00.000Z", type: "user", content: "Again" },
    ]);
    return 1;
  },
});

conformance({
  name: "copilot",
  source: copilot,
  directory: "copilot",
  root: "",
  locate: (directory) => ({ env: { COPILOT_HOME: directory } }),
  expected: {
    "dddd4444-0000-4000-8000-000000000004": ["user/turn", "assistant/turn"],
    "cccc3333-0000-4000-8000-000000000003": [
      "user/turn",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
    ],
  },
  grow(directory) {
    append(`${directory}/session-state/cccc3333-0000-4000-8000-000000000003/events.jsonl`, [
      {
        type: "user.message",
        id: "ev-7",
        timestamp: "2026-05-01T07:01:00.000Z",
        data: { content: "Thanks" },
      },
    ]);
    return 1;
  },
});

conformance({
  name: "aider",
  unseen: /\.md$/,
  source: aider,
  directory: "aider",
  root: "/.aider.chat.history.md",
  locate: (directory) => ({ workspace: directory }),
  expected: {
    "#1": ["tool/tool_output", "user/turn", "assistant/turn", "system/patch"],
    "#362": ["user/turn", "assistant/turn"],
  },
  grow(directory) {
    Deno.writeTextFileSync(`${directory}/.aider.chat.history.md`, "Really.\n\n#### thanks\n", {
      append: true,
    });
    return 2;
  },
});

conformance({
  name: "cline",
  source: cline,
  directory: "cline",
  root: "",
  locate: (directory) => ({ env: { CLINE_SESSION_DATA_DIR: directory } }),
  expected: {
    "1780000000000": ["user/turn", "assistant/turn", "assistant/tool_call", "tool/tool_output"],
  },
  grow(directory) {
    const file = `${directory}/tasks/1780000000000/api_conversation_history.json`;
    const messages = JSON.parse(Deno.readTextFileSync(file));
    const more = { role: "assistant", ts: 1780000003000, content: "Translated." };
    Deno.writeTextFileSync(file, JSON.stringify([...messages, more]));
    return 1;
  },
});

conformance({
  name: "crush",
  source: crush,
  root: "/.crush",
  prepare: makeCrushDatabase,
  locate: (directory) => ({ workspace: directory }),
  expected: {
    "crush-1": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "system/summary",
    ],
    "m2$$call-1": ["user/turn"],
  },
  grow: growCrushDatabase,
});

conformance({
  name: "goose",
  source: goose,
  root: "/data/sessions",
  prepare: (directory) => makeGooseDatabase(`${directory}/data/sessions/sessions.db`),
  locate: (directory) => ({ env: { GOOSE_PATH_ROOT: directory } }),
  expected: {
    "20260528_1": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "system/summary",
    ],
  },
  grow: (directory) => growGooseDatabase(`${directory}/data/sessions/sessions.db`),
});

conformance({
  name: "zed",
  source: zed,
  root: "/zed/threads",
  prepare: (directory) => makeZedDatabase(`${directory}/zed/threads/threads.db`),
  locate: (directory) => ({ env: { XDG_DATA_HOME: directory } }),
  expected: {
    "zed-1": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "system/summary",
    ],
    "zed-0": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
    ],
  },
  grow: (directory) => growZedDatabase(`${directory}/zed/threads/threads.db`),
});

conformance({
  name: "kiro",
  source: kiro,
  directory: "kiro",
  root: "/sessions",
  locate: (directory) => ({ env: { KIRO_HOME: directory } }),
  expected: {
    "sess_f1000000-0000-4000-8000-00000000000f": [
      "user/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
      "system/compaction",
    ],
    "sess_f1000000-0000-4000-8000-00000000000f/sub-1": ["assistant/turn"],
    "f0000000-0000-4000-8000-00000000000f": [
      "user/turn",
      "assistant/thinking",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
    ],
  },
  grow(directory) {
    append(`${directory}/sessions/cli/f0000000-0000-4000-8000-00000000000f.jsonl`, [{
      version: "v1",
      kind: "Prompt",
      data: { message_id: "a5", content: [{ kind: "text", data: "Thanks" }] },
    }]);
    return 1;
  },
});

conformance({
  name: "kiro (IDE before 1.0)",
  source: kiro,
  directory: "kiro-ide",
  root: "/Kiro/User/globalStorage/kiro.kiroagent/workspace-sessions",
  prepare(directory) {
    const store = `${directory}/Kiro/User/globalStorage/kiro.kiroagent`;
    Deno.mkdirSync(store, { recursive: true });
    for (const { name } of [...Deno.readDirSync(directory)]) {
      if (name !== "Kiro") Deno.renameSync(`${directory}/${name}`, `${store}/${name}`);
    }
  },
  locate: (directory) => ({ env: { XDG_CONFIG_HOME: directory } }),
  expected: {
    "f2000000-0000-4000-8000-00000000000f": [
      "user/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
      "user/turn",
      "assistant/turn",
    ],
  },
  grow(directory) {
    const [path] = listTree(directory).filter((path) => path.endsWith("-00000000000f.json"));
    const document = JSON.parse(Deno.readTextFileSync(path));
    document.history.push({ message: { role: "user", content: "Thanks", id: "h5" } });
    Deno.writeTextFileSync(path, JSON.stringify(document));
    return 1;
  },
});

conformance({
  name: "kiro (SQLite)",
  source: kiro,
  root: "/kiro-cli/data.sqlite3",
  prepare: (directory) => makeKiroDatabase(`${directory}/kiro-cli/data.sqlite3`),
  locate: (directory) => ({ env: { XDG_DATA_HOME: directory } }),
  expected: {
    "kiro-2": [
      "user/turn",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
      "system/summary",
    ],
    "kiro-1": ["user/turn", "assistant/turn"],
  },
  grow: (directory) => growKiroDatabase(`${directory}/kiro-cli/data.sqlite3`),
});

conformance({
  name: "qwen",
  source: qwen,
  directory: "qwen",
  root: "/projects",
  locate: (directory) => ({ env: { QWEN_RUNTIME_DIR: directory } }),
  expected: {
    "a1000000-0000-4000-8000-00000000000a": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "system/compaction",
      "system/summary",
    ],
  },
  grow(directory) {
    append(`${directory}/projects/-work-app/chats/a1000000-0000-4000-8000-00000000000a.jsonl`, [{
      uuid: "q8",
      timestamp: "2026-05-02T08:01:00.000Z",
      type: "user",
      cwd: "/work/app",
      message: { role: "user", parts: [{ text: "Thanks" }] },
    }]);
    return 1;
  },
});

conformance({
  name: "antigravity",
  unseen: /transcript_full\.jsonl$/,
  source: antigravity,
  directory: "antigravity",
  root: "/.gemini/antigravity-cli/brain",
  prepare(directory) {
    Deno.mkdirSync(`${directory}/.gemini`);
    Deno.renameSync(`${directory}/antigravity-cli`, `${directory}/.gemini/antigravity-cli`);
  },
  locate: (directory) => ({ env: { GEMINI_CLI_HOME: directory } }),
  expected: {
    "b2000000-0000-4000-8000-00000000000b": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "assistant/tool_call",
      "tool/tool_output",
      "tool/tool_output",
      "system/summary",
      "assistant/turn",
    ],
  },
  grow(directory) {
    const logs = "b2000000-0000-4000-8000-00000000000b/.system_generated/logs";
    append(`${directory}/.gemini/antigravity-cli/brain/${logs}/transcript_full.jsonl`, [{
      step_index: 7,
      source: "USER_EXPLICIT",
      type: "USER_INPUT",
      status: "DONE",
      created_at: "2026-05-03T08:01:00Z",
      content: "<USER_REQUEST>\nThanks\n</USER_REQUEST>",
    }]);
    return 1;
  },
});

conformance({
  name: "pi",
  source: pi,
  directory: "pi",
  root: "",
  locate: (directory) => ({ env: { PI_CODING_AGENT_SESSION_DIR: directory } }),
  expected: { "c3000000-0000-4000-8000-00000000000c": piRows },
  grow: (directory) => growPi(`${directory}/--work-app--`),
});

conformance({
  name: "omp",
  source: omp,
  directory: "pi",
  root: "/sessions",
  prepare(directory) {
    Deno.mkdirSync(`${directory}/sessions`, { recursive: true });
    Deno.renameSync(`${directory}/--work-app--`, `${directory}/sessions/--work-app--`);
  },
  locate: (directory) => ({ env: { OMP_CODING_AGENT_DIR: directory } }),
  expected: { "c3000000-0000-4000-8000-00000000000c": piRows },
  grow: (directory) => growPi(`${directory}/sessions/--work-app--`),
});

conformance({
  name: "openclaw",
  source: openclaw,
  directory: "pi",
  root: "/agents",
  prepare(directory) {
    Deno.mkdirSync(`${directory}/agents`, { recursive: true });
    Deno.renameSync(`${directory}/--work-app--`, `${directory}/agents/--work-app--`);
  },
  locate: (directory) => ({ env: { OPENCLAW_STATE_DIR: directory } }),
  expected: { "c3000000-0000-4000-8000-00000000000c": piRows },
  grow: (directory) => growPi(`${directory}/agents/--work-app--`),
});

conformance({
  name: "specstory",
  unseen: /\.md$/,
  source: specstory,
  directory: "specstory",
  root: "/.specstory/history",
  locate: (directory) => ({ workspace: directory }),
  expected: {
    "5e000000-0000-4000-8000-00000000000e": [
      "user/turn",
      "assistant/thinking",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
      "user/turn",
    ],
  },
  grow(directory) {
    const path = `${directory}/.specstory/history/2026-05-01_07-00-00Z-rotate-the-key.md`;
    const text = "\n---\n\n_**Agent (m 2026-05-01 07:05:04Z)**_\n\nWelcome.\n";
    Deno.writeTextFileSync(path, text, { append: true });
    return 1;
  },
});

conformance({
  name: "droid",
  source: droid,
  directory: "droid",
  root: "",
  locate: (directory) => ({ env: { DROID_SESSIONS_DIR: directory } }),
  expected: {
    "d4000000-0000-4000-8000-00000000000d": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "system/compaction",
      "system/summary",
    ],
  },
  grow(directory) {
    append(`${directory}/-work-app/d4000000-0000-4000-8000-00000000000d.jsonl`, [{
      type: "message",
      id: "d7",
      timestamp: "2026-05-05T08:01:00.000Z",
      message: { role: "user", content: [{ type: "text", text: "Thanks" }] },
    }]);
    return 1;
  },
});

conformance({
  name: "grok",
  source: grok,
  directory: "grok",
  root: "/sessions",
  prepare: (directory) => moveInto(directory, "sessions"),
  locate: (directory) => ({ env: { GROK_HOME: directory } }),
  expected: {
    "e5000000-0000-4000-8000-00000000000e": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "system/compaction",
    ],
  },
  grow(directory) {
    const session = "%2Fwork%2Fapp/e5000000-0000-4000-8000-00000000000e";
    append(`${directory}/sessions/${session}/updates.jsonl`, [{
      timestamp: 1778054500,
      method: "session/update",
      params: {
        update: {
          sessionUpdate: "user_message_chunk",
          content: { type: "text", text: "Thanks" },
        },
      },
    }]);
    return 1;
  },
});

conformance({
  name: "kimi",
  source: kimi,
  directory: "kimi",
  root: "/sessions",
  prepare: (directory) => moveInto(directory, "sessions"),
  locate: (directory) => ({ env: { KIMI_CODE_HOME: directory } }),
  expected: {
    "old-1": ["user/turn", "assistant/tool_call", "tool/tool_output", "assistant/turn"],
    "session_f6000000": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
    ],
  },
  grow(directory) {
    const session = "sessions/wd_app_0123456789ab/session_f6000000/agents/main";
    append(`${directory}/${session}/wire.jsonl`, [{
      type: "turn.prompt",
      time: 1778140900000,
      input: [{ type: "text", text: "Thanks" }],
    }]);
    return 1;
  },
});

conformance({
  name: "continue",
  source: continueDev,
  directory: "continue",
  root: "/sessions",
  locate: (directory) => ({ env: { CONTINUE_GLOBAL_DIR: directory } }),
  expected: {
    "a7000000-0000-4000-8000-00000000000a": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
    ],
  },
  grow(directory) {
    const path = `${directory}/sessions/a7000000-0000-4000-8000-00000000000a.json`;
    const document = JSON.parse(Deno.readTextFileSync(path));
    document.history.push({ message: { role: "user", content: "Thanks" }, contextItems: [] });
    Deno.writeTextFileSync(path, JSON.stringify(document));
    return 1;
  },
});

conformance({
  name: "openhands",
  source: openhands,
  directory: "openhands",
  root: "",
  locate: (directory) => ({ env: { OPENHANDS_PERSISTENCE_DIR: directory } }),
  expected: {
    "0c0ffee0aaaa4bbb8cccdddd00000001": [
      "user/turn",
      "assistant/thinking",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "system/compaction",
      "system/summary",
      "assistant/turn",
    ],
    "ab12cd34-1": [
      "user/turn",
      "assistant/turn",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
    ],
  },
  grow(directory) {
    const events = `${directory}/conversations/0c0ffee0aaaa4bbb8cccdddd00000001/events`;
    const id = "e0000000-0000-4000-8000-000000000015";
    append(`${events}/event-00015-${id}.json`, [{
      id,
      timestamp: "2026-06-01T09:01:00.000000Z",
      source: "user",
      llm_message: { role: "user", content: [{ type: "text", text: "And the other test?" }] },
      kind: "MessageEvent",
    }]);
    return 1;
  },
});

conformance({
  name: "chatgpt",
  source: chatgpt,
  directory: "chatgpt",
  root: "",
  expected: {
    "b8000000-0000-4000-8000-00000000000b": [
      "user/turn",
      "assistant/thinking",
      "tool/tool_output",
      "assistant/turn",
    ],
  },
  grow(directory) {
    const path = `${directory}/conversations.json`;
    const [conversation] = JSON.parse(Deno.readTextFileSync(path));
    conversation.mapping.n6 = {
      message: {
        id: "n6",
        author: { role: "user" },
        create_time: 1778313700,
        content: { content_type: "text", parts: ["Thanks"] },
      },
    };
    Deno.writeTextFileSync(path, JSON.stringify([conversation]));
    return 1;
  },
});

conformance({
  name: "claude-web",
  source: claudeWeb,
  directory: "claude-web",
  root: "",
  expected: {
    "c9000000-0000-4000-8000-00000000000c": [
      "user/turn",
      "assistant/thinking",
      "assistant/tool_call",
      "tool/tool_output",
      "assistant/turn",
    ],
  },
  grow(directory) {
    const path = `${directory}/conversations.json`;
    const [conversation] = JSON.parse(Deno.readTextFileSync(path));
    conversation.chat_messages.push({ uuid: "w3", sender: "human", text: "Thanks" });
    Deno.writeTextFileSync(path, JSON.stringify([conversation]));
    return 1;
  },
});

conformance({
  name: "claude-mem",
  source: claudeMem,
  root: "/data",
  prepare: (directory) => makeClaudeMemDatabase(`${directory}/data/claude-mem.db`),
  expected: { "c-1": ["user/turn", "note/note", "note/note"], "c-2": ["note/note"] },
  grow: (directory) => growClaudeMemDatabase(`${directory}/data/claude-mem.db`),
});

conformance({
  name: "server-memory",
  source: serverMemory,
  directory: "server-memory",
  root: "",
  expected: { "graph/memory": ["note/note", "note/note", "note/note"] },
  grow(directory) {
    const path = `${directory}/graph/memory.jsonl`;
    const [first, ...rest] = Deno.readTextFileSync(path).split("\n");
    const entity = JSON.parse(first);
    entity.observations.push("Has two replicas");
    Deno.writeTextFileSync(path, [JSON.stringify(entity), ...rest].join("\n"));
    return 1;
  },
});

conformance({
  name: "mem0",
  source: mem0,
  directory: "mem0",
  root: "",
  expected: { "export/memories": ["note/note", "note/note"] },
  grow(directory) {
    const path = `${directory}/export/memories.json`;
    const { results } = JSON.parse(Deno.readTextFileSync(path));
    // OpenMemory's form: a list under another name, the text under another one too.
    const memories = results.map(({ id, memory }: Record<string, string>) => ({
      id,
      content: memory,
      created_at: 1_780_000_000,
    }));
    memories.push({ id: "3", content: "Uses tabs", created_at: 1_780_000_000 });
    Deno.writeTextFileSync(path, JSON.stringify({ user: { id: "me" }, memories }));
    return 1;
  },
});

conformance({
  name: "beads",
  source: beads,
  directory: "beads",
  root: "",
  expected: { "app/.beads/issues": ["note/note", "note/note"] },
  grow(directory) {
    append(`${directory}/app/.beads/issues.jsonl`, [{ id: "app-e3f", title: "Add a font" }]);
    return 1;
  },
});

conformance({
  name: "ndjson",
  source: ndjson,
  directory: "ndjson",
  root: "",
  expected: { "talk-1": ["user/turn", "assistant/turn"], "talk-2": ["user/turn"] },
  grow(directory) {
    append(`${directory}/export.ndjson`, [{
      session: "talk-2",
      id: "b",
      role: "assistant",
      text: "Sans.",
    }]);
    return 1;
  },
});

/** Moves all of a sample one directory down. */
function moveInto(directory: string, name: string): void {
  const items = [...Deno.readDirSync(directory)];
  Deno.mkdirSync(`${directory}/${name}`);
  for (const item of items) {
    Deno.renameSync(`${directory}/${item.name}`, `${directory}/${name}/${item.name}`);
  }
}

function growPi(directory: string): number {
  append(`${directory}/2026-05-04T08-00-00-000Z_c3000000-0000-4000-8000-00000000000c.jsonl`, [{
    type: "message",
    id: "p8",
    parentId: "p6",
    timestamp: "2026-05-04T08:01:00.000Z",
    message: { role: "user", content: [{ type: "text", text: "Thanks" }] },
  }]);
  return 1;
}

function append(path: string, rows: object[]): void {
  const lines = rows.map((row) => JSON.stringify(row) + "\n").join("");
  Deno.writeTextFileSync(path, lines, { append: true });
}
