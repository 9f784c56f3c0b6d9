// What the shipped program may do, by sub-command. The compiled form gets one set for all (its
// flags are baked in, and `mcp` confines itself in a Worker); the self-extracting form and the npm
// package start Deno with the set of the sub-command. Nothing ever gets ffi.

/**
 * Compiled code is kept between starts, but only what V8 compiles at once: without the first flag a
 * quarter of it. The next two keep it from collecting garbage in commands of some milliseconds; the
 * fourth keeps long ones small: reindex of a million entries takes 269 MB instead of 402. The last
 * has WebAssembly that runs for more than a moment compiled well at once, beside it: 3 ms of a search
 * with vectors.
 */
export const v8Flags = "--v8-flags=" + [
  "--no-lazy",
  "--min-semi-space-size=2",
  "--max-semi-space-size=2",
  "--heap-growing-percent=20",
  "--wasm-tiering-budget=500000",
].join(",");

/** Flags for every start: nothing is asked, looked up or downloaded. */
export const startFlags: readonly string[] = [
  v8Flags,
  "--quiet",
  "--no-prompt",
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
  "--no-check",
];

/** Unstable features that the program uses: permissions of the sandbox's Worker, and what it serves. */
export const unstableFlags: readonly string[] = [
  "--unstable-worker-options",
  "--unstable-no-legacy-abort",
];

/** Files, environment and machine facts: all that a local command needs. */
export const localFlags: readonly string[] = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-sys",
];

/** What the other commands add: model providers, HTTP, git, agents' own tools. */
export const openFlags: readonly string[] = [...localFlags, "--allow-net", "--allow-run"];

/** Commands that never use the network or another program. A command that is not here is open. */
export const localCommands: readonly string[] = [
  "init",
  "save",
  "get",
  "timeline",
  "pin",
  "unpin",
  "pins",
  "forget",
  "purge",
  "sessions",
  "list",
  "index",
  "session",
  "scan",
  "batch",
  "read",
  "show",
  "ls",
  "stats",
  "export",
  "restore",
  "doctor",
  "setup",
  "feedback",
  "subscribe",
  "unsubscribe",
  "subscriptions",
  "config",
  "trust",
  "traces",
  "trace",
  "completions",
];

/** Commands that end in a moment, for which memory is not given back meanwhile. */
export const quickCommands: readonly string[] = ["get", "search", "timeline", "save", "hook"];

/** Commands that run until they are stopped. */
export const lastingCommands: readonly string[] = ["mcp", "serve", "watch", "chat"];

/** Words after `mcp` that need more than a workspace: such a server confines itself. */
export const widerServers: readonly string[] = ["agent", "--http", "--port", "--host"];

/** The environment that a confined server may read; the same as in src/mcp/sandbox.ts. */
export const mcpVariables: readonly string[] = [
  "HOME",
  "XDG_CONFIG_HOME",
  "CTX_SESSION",
  "CTX_DEBUG",
  "CTX_TOKEN",
];
