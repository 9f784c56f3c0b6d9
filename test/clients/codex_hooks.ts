// The hooks as Codex itself lists them, and the trust that its user gives in `/hooks`: Codex's own
// fingerprints, written where Codex writes them.

import type { ClientHome } from "./client_home.ts";
import type { InstalledClient } from "./install_clients.ts";

/** A hook as Codex lists it. */
export interface CodexHook {
  key: string;
  currentHash: string;
  trustStatus: string;
}

/** Asks Codex's own server for the hooks of the project. */
export async function listCodexHooks(
  { words: [program] }: InstalledClient,
  home: ClientHome,
): Promise<CodexHook[]> {
  const child = new Deno.Command(program, {
    args: ["app-server"],
    cwd: home.project,
    clearEnv: true,
    env: { HOME: `${home.root}/home`, PATH: Deno.env.get("PATH") ?? "", SCRIPTED_KEY: "none" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const send = (message: object): Promise<void> =>
    writer.write(new TextEncoder().encode(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n"));
  const clientInfo = { name: "test", version: "1" };
  await send({ id: 1, method: "initialize", params: { clientInfo } });
  await send({ method: "initialized" });
  await send({ id: 2, method: "hooks/list", params: { cwds: [home.project] } });
  let text = "";
  try {
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      for (const line of text.split("\n").slice(0, -1)) {
        const { id, result } = JSON.parse(line);
        if (id === 2) return result.data.flatMap(({ hooks }: { hooks: CodexHook[] }) => hooks);
      }
    }
  } finally {
    await writer.close().catch(() => {});
    await child.status;
  }
  throw new Error("Codex lists no hooks");
}

/** Trusts hooks, as a person does once; of a plugin's, the fingerprint names its content too. */
export function trustCodexHooks(home: ClientHome, hooks: readonly CodexHook[]): void {
  const path = `${home.root}/home/.codex/config.toml`;
  const states = hooks.map(({ key, currentHash }) => {
    const [hash, content] = currentHash.split("/");
    return `\n[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(hash)}\n` +
      (content === undefined ? "" : `trusted_content_hash = ${JSON.stringify(content)}\n`);
  });
  Deno.writeTextFileSync(path, `${Deno.readTextFileSync(path)}\n${states.join("")}`);
}
