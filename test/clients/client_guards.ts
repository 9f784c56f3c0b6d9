// A rule that binds: what breaks it does not happen, the model hears the rule, and the session goes on.

import { clientDrivers } from "./client_drivers.ts";
import { type ClientWorld, holdSession } from "./client_session.ts";

/** A session in which the model does what a guard denies. */
export async function checkGuard(world: ClientWorld): Promise<void> {
  const { client, home, run } = world;
  const driver = clientDrivers[client.name];
  const rule = "never edit files in `locked/`";
  const file = `${home.project}/locked/prices.txt`;
  // Codex writes files with its shell, where a rule about commands holds.
  const isShell = client.name === "codex";
  await home.ctx("guard", "add", isShell ? "never run `tee`" : rule, "--id", "prices");
  // Only in a terminal: this gives it one.
  const approve = "ctx guard set prices --mode deny";
  const { code } = await home.run(["script", "-qec", approve, "/dev/null"]);
  run.add("a guard is approved in a terminal", code === 0, `exit ${code}`);
  await home.ctx("setup", client.name, "--guard", "--allow-reads", "yes", "--ask-agent", "no");
  const broken = isShell
    ? { tool: "exec_command", input: { cmd: `mkdir -p locked && echo 9 | tee '${file}'` } }
    : driver.write(file, "9\n");
  const { requests } = await holdSession(world, {
    prompt: "Set the price to nine.",
    script: [broken, { text: "The rule forbids it." }],
  }, "a session that breaks a rule");
  run.add("what a guard denies does not happen", !isThere(file), file);
  const heard = requests.some(({ text }) => text.includes("The user's rule"));
  run.add("the model hears the rule", heard, `${requests.length} requests`);
  await home.run(["script", "-qec", "ctx guard set prices --remove", "/dev/null"]);
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
