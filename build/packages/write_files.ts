// Writes the files of a package: a text as it is, everything else as JSON.

import { dirname } from "node:path";

/** Writes files below a directory, by their paths in it. */
export async function writeFiles(into: string, files: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(files)) {
    const text = typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`;
    await Deno.mkdir(dirname(`${into}/${name}`), { recursive: true });
    await Deno.writeTextFile(`${into}/${name}`, text);
  }
}
