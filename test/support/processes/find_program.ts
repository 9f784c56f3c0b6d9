// Programs that a test can use when they are there.

/** The path of a program on the PATH, or undefined. */
export function findProgram(name: string): string | undefined {
  for (const directory of (Deno.env.get("PATH") ?? "").split(":")) {
    try {
      if (Deno.statSync(`${directory}/${name}`).isFile) return `${directory}/${name}`;
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Tells a test to skip, with a message, when a program is not installed. */
export function isMissing(name: string): boolean {
  if (findProgram(name) !== undefined) return false;
  Deno.stderr.writeSync(new TextEncoder().encode(`skipped: ${name} is not installed\n`));
  return true;
}
