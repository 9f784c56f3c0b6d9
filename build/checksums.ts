// SHA256SUMS beside the built files, in the form that `sha256sum -c` and install.sh read.

import { sha256 } from "./sha256.ts";

/** Writes DIR/SHA256SUMS over some files of the directory. */
export async function writeChecksums(directory: string, paths: readonly string[]): Promise<void> {
  const lines: string[] = [];
  for (const path of [...paths].sort()) {
    lines.push(`${await sha256(await Deno.readFile(path))}  ${path.replace(/^.*\//, "")}\n`);
  }
  await Deno.writeTextFile(`${directory}/SHA256SUMS`, lines.join(""));
}

if (import.meta.main) {
  const [directory] = Deno.args;
  const names = [...Deno.readDirSync(directory)].map((file) => file.name)
    .filter((name) => name !== "SHA256SUMS");
  await writeChecksums(directory, names.map((name) => `${directory}/${name}`));
}
