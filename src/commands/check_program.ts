// Whether the program's own files are what was shipped. A start of the self-extracting form only
// looks at times, because summing up 100 MB takes half a second; doctor has that half second.

import { createHash } from "node:crypto";
import type { Check } from "../store/inspect.ts";
import { versionInfo } from "../version.ts";

/** Compares every unpacked file with its checksum; undefined for forms that unpack nothing. */
export function checkProgram(): Check | undefined {
  if (versionInfo().form !== "self-extracting") return undefined;
  return checkUnpacked(Deno.execPath().replace(/\/[^/]*$/, ""));
}

/** The same for a directory that is named after its list of checksums, `sums`. */
export function checkUnpacked(directory: string): Check {
  const base = { name: "program", fixable: false };
  const bad = findChanged(directory);
  if (bad === undefined) {
    return { ...base, status: "ok", detail: "every file is as it was shipped" };
  }
  const detail = `"${directory}/${bad}" is not what was shipped; remove "${directory}": ` +
    "the next start unpacks anew";
  return { ...base, status: "warning", detail };
}

/** The first file that is not what the list says, or that it does not name. */
function findChanged(directory: string): string | undefined {
  const id = directory.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  if (id === "" || sumOf(`${directory}/sums`)?.startsWith(id) !== true) return "sums";
  const lines = Deno.readTextFileSync(`${directory}/sums`).split("\n").filter((line) =>
    line !== ""
  );
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
  const added = listFiles(directory).find((name) => name !== "sums" && !sums.has(name));
  return added ?? [...sums].find(([name, sum]) => sumOf(`${directory}/${name}`) !== sum)?.[0];
}

function listFiles(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory ? listFiles(`${directory}/${name}`).map((file) => `${name}/${file}`) : [name]
  );
}

function sumOf(path: string): string | undefined {
  try {
    using file = Deno.openSync(path);
    const hash = createHash("sha256");
    const buffer = new Uint8Array(1 << 20);
    for (let size = file.readSync(buffer); size !== null; size = file.readSync(buffer)) {
      hash.update(buffer.subarray(0, size));
    }
    return hash.digest("hex");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
