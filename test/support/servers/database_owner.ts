// Starts a program that keeps a SQLite database open, as an agent does.

import { denoEnv } from "../processes/run_ctx.ts";

const program = `${import.meta.dirname}/own_database.ts`;

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
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", program, path, JSON.stringify(statements)],
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
