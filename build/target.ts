// The machines ctx is built for, with the names that Deno and npm have for them.

/** One kind of machine. */
export interface Target {
  /** How we name it: `ctx-linux-x64`. */
  name: string;
  os: "linux" | "darwin" | "windows";
  /** How Deno names it: `deno compile --target`. */
  triple: string;
  /** The npm package that holds Deno for it. */
  npm: string;
}

/** Every target of a release. */
export const targets: readonly Target[] = [
  {
    name: "linux-x64",
    os: "linux",
    triple: "x86_64-unknown-linux-gnu",
    npm: "@deno/linux-x64-glibc",
  },
  {
    name: "linux-arm64",
    os: "linux",
    triple: "aarch64-unknown-linux-gnu",
    npm: "@deno/linux-arm64-glibc",
  },
  { name: "macos-x64", os: "darwin", triple: "x86_64-apple-darwin", npm: "@deno/darwin-x64" },
  { name: "macos-arm64", os: "darwin", triple: "aarch64-apple-darwin", npm: "@deno/darwin-arm64" },
  { name: "windows-x64", os: "windows", triple: "x86_64-pc-windows-msvc", npm: "@deno/win32-x64" },
];

/** The machine this runs on. */
export function hostTarget(): Target {
  return getTarget(Deno.build.target);
}

/** A target by our name or by Deno's. */
export function getTarget(name: string): Target {
  const found = targets.find((target) => target.name === name || target.triple === name);
  if (found) return found;
  const known = targets.map((target) => target.name).join(", ");
  throw new Error(`Cannot build for "${name}": the targets are ${known}`);
}

/** The file that is built for a target. */
export function fileNameOf(target: Target): string {
  return `ctx-${target.name}${target.os === "windows" ? ".exe" : ""}`;
}

/** The short name of the file built for this machine. */
export function plainName(target: Target): string {
  return target.os === "windows" ? "ctx.exe" : "ctx";
}
