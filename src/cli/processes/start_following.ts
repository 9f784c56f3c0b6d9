// Starts `ctx hook follow` as a separate process, for work that nothing should wait for: after a hook
// has answered, and after an import. No process is started if ctx runs from source, has no permission
// to start one, or CTX_HOOK_WAIT asks for everything in the foreground.

import type { StartFollowing } from "../../command/command.ts";
import { followCaller, type LeftWork } from "../../recall/hook/hook_call.ts";

/** The function that starts the process after an import; undefined if none can be started. */
export function findFollower(): StartFollowing | undefined {
  const program = findProgram();
  if (program === undefined) return undefined;
  const { state } = Deno.permissions.querySync({ name: "run", command: program });
  if (state !== "granted") return undefined;
  return (workspace, { distils }) =>
    startFollowing({ workspace, agent: "", moment: "import", distils }) === undefined;
}

/** Lets another process do the remaining work. Returns the reason if that fails; then do it here. */
export function startFollowing(left: LeftWork): string | undefined {
  const program = findProgram();
  if (program === undefined) return "no process can be started here";
  try {
    const args = ["hook", followCaller, JSON.stringify(left)];
    const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
    const env = neededOf(Deno.env.toObject());
    const options = { args, cwd: "/", clearEnv: true, env, detached: true, ...streams };
    new Deno.Command(program, options).spawn().unref();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function findProgram(): string | undefined {
  return Deno.env.get("CTX_HOOK_WAIT") ? undefined : Deno.env.get("CTX_EXECUTABLE") || undefined;
}

/**
 * The environment variables that this process needs. Deno refuses to start one with variables of the
 * dynamic linker, and the process uses no network, so it needs no keys.
 */
function neededOf(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => neededNames.test(name)));
}

const neededNames =
  /^(HOME|PATH|TMPDIR|TZ|LANG|USER|(XDG|CTX)_\w+|USERPROFILE|(LOCAL)?APPDATA|SYSTEMROOT|TE?MP)$/i;
