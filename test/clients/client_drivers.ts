// How each client is started against the scripted model: the settings that its user has before ctx
// comes, the words of one session without a person, and the tool with which it writes a file.

import type { ClientName, InstalledClient } from "./install_clients.ts";
import type { ModelStep } from "./model_step.ts";

/** What is known of a client beside what `ctx setup` writes. */
export interface ClientDriver {
  /** Files in the home, by path, as a user has them before setup. */
  files(modelUrl: string): Record<string, string>;
  env(modelUrl: string): Record<string, string>;
  /** The words after the program; the prompt comes on standard input where it is not among them. */
  session(prompt: string): string[];
  readsPrompt?: boolean;
  /** The steps that read a file and write one. */
  read(path: string): ModelStep;
  write(path: string, text: string): ModelStep;
  /** The step that runs a command, and the words that let it without a person. */
  run(command: string): ModelStep;
  running?: string[];
  /** The step that gives a task to a sub-agent, where hooks tell of those. */
  delegate?(task: string): ModelStep;
  /** Its name in `ctx import`. */
  source: string;
  /** It shows tools of servers only to a model that searches for them. */
  searchesTools?: true;
  /** Further words for a session with a model to which it shows them like that. */
  searching?: string[];
}

/** The drivers by name. */
export const clientDrivers: Record<ClientName, ClientDriver> = {
  "claude-code": {
    files: () => ({
      ".claude.json": '{"numStartups":3,"theme":"dark"}',
      ".claude/settings.json": '{\n\t"model": "opus",\n\t"permissions": {"deny": []}\n}',
    }),
    env: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
    }),
    session: (prompt) => ["-p", prompt, "--model", "scripted", "--allowedTools", "Write"],
    read: (file_path) => ({ tool: "Read", input: { file_path } }),
    write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
    run: (command) => ({ tool: "Bash", input: { command } }),
    running: ["--allowedTools", "Write,Bash"],
    delegate: (prompt) => ({
      tool: "Agent",
      input: {
        subagent_type: "general-purpose",
        description: "A task",
        prompt,
        run_in_background: false,
      },
    }),
    source: "claude-code",
  },
  "codex": {
    files: (url) => ({
      ".codex/config.toml": `# mine
model = "scripted"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"`,
    }),
    env: () => ({ SCRIPTED_KEY: "none" }),
    session: (prompt) => ["exec", "--skip-git-repo-check", prompt],
    searching: ["-c", 'model="gpt-5.5"'],
    read: (path) => ({ tool: "exec_command", input: { cmd: `sed -n '1,200p' ${path}` } }),
    write: (path, text) => ({
      tool: "exec_command",
      input: {
        cmd: `mkdir -p '${path.replace(/\/[^/]*$/, "")}' && printf '%s' '${text}' > '${path}'`,
      },
    }),
    run: (cmd) => ({ tool: "exec_command", input: { cmd } }),
    delegate: (message) => ({ tool: "multi_agent_v1__spawn_agent", input: { message } }),
    source: "codex",
  },
  "opencode": {
    files: (url) => ({
      ".config/opencode/opencode.json": JSON.stringify({
        $schema: "https://opencode.ai/config.json",
        model: "scripted/scripted",
        provider: {
          scripted: {
            npm: "@ai-sdk/openai-compatible",
            options: { baseURL: `${url}/v1`, apiKey: "none" },
            models: { scripted: { tool_call: true } },
          },
        },
      }),
      // It installs a package for plugins at every start, and without a network tries for a minute.
      ".npmrc": "registry=http://127.0.0.1:9/\nfetch-retries=0\n",
    }),
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" }),
    session: () => ["run"],
    readsPrompt: true,
    read: (filePath) => ({ tool: "read", input: { filePath } }),
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    run: (command) => ({ tool: "bash", input: { command, description: "Runs it" } }),
    source: "opencode",
  },
  "gemini": {
    files: () => ({
      ".gemini/settings.json":
        '{\r\n  // mine\r\n  "security": { "auth": { "selectedType": "gemini-api-key" } }\r\n}\r\n',
    }),
    env: (url) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url }),
    session: (prompt) => [
      "-p",
      prompt,
      "-m",
      "gemini-2.5-flash",
      "--approval-mode",
      "auto_edit",
      "--skip-trust",
    ],
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    run: (command) => ({
      tool: "run_shell_command",
      input: { command },
    }),
    running: ["--allowed-tools", "run_shell_command"],
    source: "gemini",
  },
  "qwen": {
    files: () => ({
      ".qwen/settings.json":
        '{\n  // mine\n  "security": { "auth": { "selectedType": "openai" } }\n}\n',
    }),
    env: (url) => ({
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: "scripted",
    }),
    session: (prompt) => ["-p", prompt, "--approval-mode", "auto-edit"],
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    run: (command) => ({
      tool: "run_shell_command",
      input: { command, is_background: false },
    }),
    running: ["--allowed-tools", "run_shell_command"],
    source: "qwen",
    searchesTools: true,
    searching: [],
  },
};

/** A session of a client, ready to be started. */
export function sessionWords({ name, words }: InstalledClient, prompt: string): string[] {
  return [...words, ...clientDrivers[name].session(prompt)];
}
