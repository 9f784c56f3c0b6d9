// Whether the unpacked files of the program are what was shipped. A start of the self-extracting form
// only looks at times, because summing up 100 MB takes half a second; doctor has that half second.

import type { Check } from "./inspect.ts";

/** Compares every file of a directory that is named after its list of checksums, `sums`. */
export async function checkUnpacked(directory: string): Promise<Check> {
  const base = { name: "program", fixable: false };
  const around = directory.replace(/\/[^/]*$/, "");
  // The launcher made it private, and sees no modes at later starts.
  if (((Deno.statSync(around).mode ?? 0) & 0o022) !== 0) {
    const detail = `others can write to "${around}", where ctx runs from: chmod 700 "${around}"`;
    return { ...base, status: "warning", detail };
  }
  const bad = await findChanged(directory);
  if (bad === undefined) {
    return { ...base, status: "ok", detail: "every file is unchanged since installation" };
  }
  const detail = `"${directory}/${bad}" was changed after installation; remove "${directory}": ` +
    "the next run unpacks it again";
  return { ...base, status: "warning", detail };
}

/** The first file that is not what the list says, or that it does not name. */
async function findChanged(directory: string): Promise<string | undefined> {
  const id = directory.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  if (id === "" || (await sumOf(`${directory}/sums`))?.startsWith(id) !== true) return "sums";
  const lines = Deno.readTextFileSync(`${directory}/sums`).split("\n").filter((line) =>
    line !== ""
  );
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const added = listFiles(directory).find((name) => name !== "sums" && !sums.has(name));
  if (added !== undefined) return added;
  for (const [name, sum] of sums) if (await sumOf(`${directory}/${name}`) !== sum) return name;
  return undefined;
}

function listFiles(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory ? listFiles(`${directory}/${name}`).map((file) => `${name}/${file}`) : [name]
  );
}

async function sumOf(path: string): Promise<string | undefined> {
  try {
    const digest = await crypto.subtle.digest("SHA-256", Deno.readFileSync(path));
    return new Uint8Array(digest).toHex();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
