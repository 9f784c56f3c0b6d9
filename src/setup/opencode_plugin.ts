// The plugin file that `ctx setup opencode` writes: tells `ctx hook` when a session goes idle.

/** The plugin's source for a command. */
export function opencodePlugin(words: string[]): string {
  return `// Written by \`ctx setup opencode\`; \`ctx setup opencode --remove\` takes it away.
// Hands finished turns to ctx and never disturbs the session.
import { spawn } from ${JSON.stringify("node:child_process")};

const [command, ...args] = ${JSON.stringify(words)};

export const CtxPlugin = async ({ directory }) => ({
  event: async ({ event }) => {
    if (event.type !== "session.idle") return;
    try {
      const child = spawn(command, args, { stdio: ["pipe", "ignore", "ignore"] });
      child.on("error", () => {});
      child.stdin.on("error", () => {});
      const { sessionID } = event.properties;
      child.stdin.end(JSON.stringify({ session_id: sessionID, cwd: directory }));
    } catch {
      // the agent comes first
    }
  },
});
`;
}

/** Whether a text is such a plugin, for whatever command. */
export function isOpencodePlugin(text: string): boolean {
  const words = /^const \[command, \.\.\.args\] = (\[.*\]);$/m.exec(text)?.[1];
  const withoutWords = (plugin: string): string => plugin.replace(/^const \[command, .*$/m, "");
  return words !== undefined && withoutWords(text) === withoutWords(opencodePlugin([]));
}
