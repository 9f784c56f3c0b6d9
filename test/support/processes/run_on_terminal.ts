// Runs ctx on a pseudo-terminal with util-linux's `script`, as a person would see it.

import { ctxCommand, isolatedEnv } from "./run_ctx.ts";

/** Whether this machine can give a process a terminal. */
export function hasTerminal(): boolean {
  try {
    const { code } = new Deno.Command("script", { args: ["-qec", "true", "/dev/null"] })
      .outputSync();
    return code === 0;
  } catch {
    return false;
  }
}

/** What `ctx WORDS…` prints on a terminal, line ends as the program wrote them. */
export async function runOnTerminal(
  words: readonly string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<{ code: number; screen: string }> {
  const env = isolatedEnv(options.cwd);
  const line = ctxCommand(...words).map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(
    " ",
  );
  const { code, stdout } = await new Deno.Command("script", {
    args: ["-qec", line, "/dev/null"],
    cwd: options.cwd,
    clearEnv: true,
    env: { ...env, PAGER: "cat", TERM: "xterm-256color", ...options.env },
    stdin: "null",
  }).output();
  return { code, screen: new TextDecoder().decode(stdout).replaceAll("\r\n", "\n") };
}
