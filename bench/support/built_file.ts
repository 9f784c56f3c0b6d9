// The built file, as users have it.

import { compile } from "../../build/compile.ts";
import { hostTarget } from "../../build/target.ts";

/** What was built. */
export type BuiltFile = Awaited<ReturnType<typeof compile>>[number];

/** Builds ctx for this machine. */
export async function buildFile(out: string, options: { gzip: boolean }): Promise<BuiltFile> {
  const target = hostTarget();
  const [built] = await compile({
    targets: [target],
    form: "auto",
    gzip: options.gzip,
    out,
    say: () => {},
  });
  return built;
}
