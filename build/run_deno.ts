// Runs the Deno that runs this, and fails with what it said.

/** Runs `deno ARGS` in a directory; throws with its standard error when it fails. */
export async function runDeno(
  args: string[],
  options: { cwd: string; env?: Record<string, string> },
): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), { args, ...options })
    .output();
  if (!success) {
    throw new Error(`Cannot run deno ${args[0]}: ${new TextDecoder().decode(stderr).trim()}`);
  }
}
