// The configuration for a program that lives long: what is set meanwhile holds from the next look on.

import type { Config } from "./merged_config.ts";

/** Loads once, and again whenever one of the files is another than before. */
export function keepFresh(
  paths: readonly string[],
  load: () => Promise<Config>,
): () => Promise<Config> {
  let known = "";
  let config: Promise<Config> | undefined;
  return () => {
    const stamp = paths.map(stampOf).join("\n");
    if (config === undefined || stamp !== known) {
      known = stamp;
      config = load();
    }
    return config;
  };
}

/** What differs when a file was written anew; the same for one that is not there. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtime } = Deno.statSync(path);
    return `${ino} ${size} ${mtime?.getTime()}`;
  } catch {
    return "";
  }
}
