// What build this is. The compiled binary stamps its own form and commit over these.

import manifest from "../deno.json" with { type: "json" };

/** Version and form of the running program. */
export interface VersionInfo {
  version: string;
  form: string;
  commit?: string;
}

/** The version of the running program, from deno.json. */
export function versionInfo(): VersionInfo {
  return { version: manifest.version, form: "source" };
}
