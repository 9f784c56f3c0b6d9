// A program with a SQLite database open, as an agent has: runs statements, says "ready", and ends in
// order when its standard input does. Killed, it leaves behind what SQLite leaves.

import { DatabaseSync } from "node:sqlite";

/** An owner of a database; disposing of it ends it in order. */
export interface DatabaseOwner extends AsyncDisposable {
  /** Ends it as a crash would. */
  kill(): Promise<void>;
}

/** Starts a process that opens a database, runs statements and keeps it open. */
export async function startDatabaseOwner(
  path: string,
  statements: string[],
): Promise<DatabaseOwner> {
  const directory = path.replace(/\/[^/]*$/, "");
  // The child runs this file without a configuration, which what this loads needs.
  const { denoEnv } = await import("./run_ctx.ts");
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", import.meta.filename!, path, JSON.stringify(statements)],
    clearEnv: true,
    env: denoEnv(directory),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  if (new TextDecoder().decode(value) !== "ready") throw new Error("the owner did not start");
  const end = async (): Promise<void> => {
    await reader.cancel();
    await child.status;
  };
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (!isOpen) return;
    isOpen = false;
    await child.stdin.close();
    await end();
  };
  return {
    async kill() {
      isOpen = false;
      child.kill("SIGKILL");
      await child.stdin.close().catch(() => {});
      await end();
    },
    [Symbol.asyncDispose]: close,
  };
}

if (import.meta.main) {
  const [path, statements] = Deno.args;
  const database = new DatabaseSync(path);
  for (const sql of JSON.parse(statements)) database.exec(sql);
  Deno.stdout.writeSync(new TextEncoder().encode("ready"));
  Deno.stdin.readSync(new Uint8Array(1));
  database.close();
}
