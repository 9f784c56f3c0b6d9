// What build this is. The build writes its form and commit over the two marks below; from source
// they stay as they are.

import manifest from "../deno.json" with { type: "json" };

/** How the running program was packed. */
export type Form = "source" | "bundle" | "self-extracting" | "compiled";

/** Version and form of the running program. */
export interface VersionInfo {
  version: string;
  form: Form;
  commit?: string;
  deno: string;
  target: string;
}

const stamp = { form: "__CTX_FORM__", commit: "__CTX_COMMIT__" };

/** The version of the running program, from deno.json, and what the build said of it. */
export function versionInfo(): VersionInfo {
  const commit = stamp.commit.startsWith("__") ? "" : stamp.commit;
  return {
    version: manifest.version,
    form: stamp.form.startsWith("__") ? "source" : stamp.form as Form,
    ...(commit === "" ? {} : { commit }),
    deno: Deno.version.deno,
    target: Deno.build.target,
  };
}
