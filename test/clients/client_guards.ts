// A rule that binds: what breaks it does not happen, the model hears the rule, and the agent goes on.
// Without ctx, the same settings stop nothing.

import { clientDrivers } from "./client_drivers.ts";
import { type ClientWorld, holdSession } from "./client_session.ts";
import type { ModelStep } from "./model_step.ts";

/** Two rules that deny: one of what is run, one of what is written. */
const rules = { command: "never run `chmod`", edit: "never edit files in `locked/`" };

/** A session in which the model does what guards deny, and then what they allow. */
export async function checkGuard(world: ClientWorld): Promise<void> {
  const { client, home, run } = world;
  for (const [id, rule] of Object.entries(rules)) {
    await home.ctx("guard", "add", rule, "--id", id);
    // Only in a terminal: this gives it one.
    const { code } = await inTerminal(world, `ctx guard set ${id} --mode deny`);
    run.add(`a guard of ${id}s is approved in a terminal`, code === 0, `exit ${code}`);
  }
  await home.ctx("setup", client.name, "--guard", "--allow-reads", "yes", "--ask-agent", "no");
  const { requests, files } = await breakRules(world, "denied", "a session that breaks rules");
  const state = (file: string): string => isThere(file) ? "written" : "not written";
  run.add("a denied command does not run", !isThere(files.ran), state(files.ran));
  run.add("a denied edit does not happen", !isThere(files.edited), state(files.edited));
  run.add("what no rule forbids still happens", isThere(files.allowed), state(files.allowed));
  const results = requests.at(-1)?.request.results ?? [];
  for (const [i, [id, rule]] of Object.entries(rules).entries()) {
    const isHeard = results[i]?.includes("The user's rule") && results[i].includes(id) &&
      results[i].replaceAll("\\", "").includes(rule);
    run.add(`the model hears the rule of ${id}s`, isHeard === true, results[i] ?? "no result");
  }
}

/** The same without ctx: all of it happens. */
export async function checkGuardRemoved(world: ClientWorld): Promise<void> {
  const { home, run } = world;
  home.removeCtx();
  const { files } = await breakRules(world, "free", "a session with guards and ctx removed");
  home.installCtx();
  const missing = Object.values(files).filter((file) => !isThere(file));
  run.add("without ctx nothing is denied", missing.length === 0, missing.join() || "all happened");
  for (const id of Object.keys(rules)) await inTerminal(world, `ctx guard set ${id} --remove`);
}

async function breakRules(
  world: ClientWorld,
  name: string,
  title: string,
): Promise<
  Pick<Awaited<ReturnType<typeof holdSession>>, "requests"> & {
    files: Record<"ran" | "edited" | "allowed", string>;
  }
> {
  const { client, home } = world;
  const driver = clientDrivers[client.name];
  const files = {
    ran: `${home.project}/${name}-ran.txt`,
    edited: `${home.project}/locked/${name}.txt`,
    allowed: `${home.project}/${name}-allowed.txt`,
  };
  const script: ModelStep[] = [
    driver.run(`echo 9 > '${files.ran}' && chmod 600 '${files.ran}'`),
    driver.write(files.edited, "9\n"),
    driver.run(`echo 9 > '${files.allowed}'`),
    { text: "Two of three were forbidden." },
  ];
  const prompt = "Set the price to nine.";
  const { requests } = await holdSession(world, { prompt, script, words: driver.running }, title);
  return { requests, files };
}

async function inTerminal({ home }: ClientWorld, command: string): Promise<{ code: number }> {
  return await home.run(["script", "-qec", command, "/dev/null"]);
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
