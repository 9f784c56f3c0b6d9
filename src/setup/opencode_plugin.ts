// The plugin file that `ctx setup opencode` writes. OpenCode has no hooks of its own that start a
// program: the plugin sends `ctx hook opencode` the messages that other agents send, and puts what
// it answers into the model's context.

const firstLine =
  "// Written by `ctx setup opencode`; `ctx setup opencode --remove` takes it away.";

/** The tools by which OpenCode changes files. */
export const editTools = ["edit", "write", "patch", "multiedit", "apply_patch"];

/** The plugin's source for a command; some tools are asked about before they run. */
export function opencodePlugin(words: string[], { tools = [] as string[] } = {}): string {
  return `${firstLine}
// Tells ctx what happens in a session and the model what ctx knows. What fails is in OpenCode's log
// (service=ctx) and in \`ctx status\`; the session goes on.
import { spawn } from ${JSON.stringify("node:child_process")};

const [command, ...args] = ${JSON.stringify(words)};
/** How long the agent waits for an answer, and the program for its end. */
const answerMs = { SessionStart: 6000, UserPromptSubmit: 2500, BeforeTool: 3000 };
const endMs = 4000;

export const CtxPlugin = async ({ client, directory }) => {
  const running = new Set();
  const reported = new Set();
  const fresh = new Set();
  const parents = new Map();
  /** What each session was told at its start, once it is known. */
  const known = new Map();
  /** Sessions whose summary is being written. */
  const compacting = new Set();

  const report = (message) => {
    if (reported.has(message)) return;
    reported.add(message);
    Promise.resolve(client?.app?.log({ body: { service: "ctx", level: "error", message } }))
      .catch(() => {});
  };

  /** Sends one message; resolves with what ctx said, at the latest after the time for that event. */
  const tell = (sessionID, event, rest = {}) => {
    const end = new Promise((resolve) => {
      const said = { stdout: "", stderr: "" };
      let hasFailed = false;
      const fail = (error) => {
        hasFailed = true;
        // Without ctx on this machine there is nothing to do, and nothing to say.
        if (error.code !== "ENOENT") report(\`\${command}: \${error.message}\`);
        resolve("");
      };
      try {
        const child = spawn(command, args, { cwd: directory, stdio: "pipe" });
        child.on("error", fail);
        child.stdin.on("error", () => {});
        for (const name of ["stdout", "stderr"]) {
          child[name].setEncoding("utf8");
          child[name].on("data", (text) => said[name] += text);
        }
        child.on("close", (code) => {
          if (hasFailed) return;
          if (code !== 0) report(said.stderr.trim() || \`ctx hook ended with \${code}\`);
          resolve(code === 0 ? contextIn(said.stdout.trim()) : "");
        });
        child.stdin.end(JSON.stringify({
          hook_event_name: event,
          session_id: sessionID,
          cwd: directory,
          ...rest,
        }));
      } catch (error) {
        fail(error);
      }
    });
    running.add(end);
    end.then(() => running.delete(end));
    return atMost(answerMs[event] ?? 10000, end, () => report(\`ctx was too slow at \${event}\`));
  };

  const tellLost = (sessionID) => {
    if (!compacting.delete(sessionID)) return;
    known.set(sessionID, tell(sessionID, "SessionStart", { source: "compact" }));
  };

  return {
    event: async ({ event: { type, properties } }) => {
      if (type === "session.created") {
        const { id, parentID } = properties.info ?? {};
        if (parentID) parents.set(id, parents.get(parentID) ?? parentID);
        else fresh.add(id);
      } else if (type === "session.idle") tell(properties.sessionID, "Stop");
      else if (type === "session.compacted") tellLost(properties.sessionID);
      else if (type === "session.deleted") known.delete(properties.info?.id);
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      if (parents.has(sessionID)) return;
      if (!known.has(sessionID)) {
        const source = fresh.has(sessionID) ? "startup" : "resume";
        known.set(sessionID, tell(sessionID, "SessionStart", { source }));
      }
      await known.get(sessionID);
      const said = parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = said.map(({ text }) => text).join("\\n");
      const text = await tell(sessionID, "UserPromptSubmit", { prompt });
      if (text === "" || said.length === 0) return;
      const id = \`\${parts.at(-1).id}c\`;
      parts.push({ id, sessionID, messageID: message.id, type: "text", text, synthetic: true });
    },
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (/^You are a (?:title generator|context summarization)/.test(system[0])) return;
      // The next request may come before the event.
      tellLost(sessionID);
      const text = await known.get(sessionID);
      if (text) system.push(text);
    },
    "experimental.session.compacting": async ({ sessionID }) => {
      if (known.has(sessionID)) compacting.add(sessionID);
      await tell(sessionID, "PreCompact");
    },
${tools.length > 0 ? toolHook(tools) : ""}    dispose: async () => {
      await atMost(endMs, Promise.all(running));
      const ends = [...known.keys()].map((sessionID) => tell(sessionID, "SessionEnd"));
      await atMost(endMs, Promise.all(ends));
    },
  };
};

/** What ctx says comes in the form that other agents take. */
function contextIn(text) {
  if (!text.startsWith("{")) return text;
  const { hookSpecificOutput, reason } = JSON.parse(text);
  return (hookSpecificOutput?.additionalContext ?? reason ?? "").trim();
}

function atMost(ms, promise, onLate) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      onLate?.();
      resolve("");
    }, ms);
    promise.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
`;
}

/** Stops a tool that breaks a guard or meets another session; what ctx cannot answer in time goes on. */
const toolHook = (tools: string[]): string =>
  `    "tool.execute.before": async ({ tool, sessionID }, { args: input }) => {
      if (!${JSON.stringify(tools)}.includes(tool)) return;
      const said = await tell(parents.get(sessionID) ?? sessionID, "BeforeTool", { tool_name: tool, tool_input: input });
      if (said !== "") throw new Error(said);
    },
`;

/** Whether a text is such a plugin, for whatever command and of whatever version. */
export function isOpencodePlugin(text: string): boolean {
  return text.startsWith(firstLine) && /^const \[command, \.\.\.args\] = \[.*\];$/m.test(text) &&
    text.includes("export const CtxPlugin = ");
}
