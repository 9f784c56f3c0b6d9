// The commit that is being built, for `ctx --version --json`.

/** The short commit of a repository, marked when files differ from it; undefined without git. */
export async function findCommit(directory: string): Promise<string | undefined> {
  const fromCi = Deno.env.get("GITHUB_SHA");
  if (fromCi) return fromCi.slice(0, 12);
  const commit = await git(directory, ["rev-parse", "--short=12", "HEAD"]);
  if (commit === undefined) return undefined;
  const changes = await git(directory, ["status", "--porcelain", "--untracked-files=no"]);
  return changes === "" ? commit : `${commit}+changes`;
}

async function git(directory: string, args: string[]): Promise<string | undefined> {
  try {
    const { success, stdout } = await new Deno.Command("git", {
      args: ["-C", directory, ...args],
      stderr: "null",
    }).output();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
