// Runs after npm installed the package: puts the launcher for this machine, with the places of the
// package and of Deno written into it, where npm links `ctx` to. Where this does not run
// (--ignore-scripts) or fails, bin/ctx stays as it is and starts the same launcher through Node.

const { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { findDeno, findLauncher } = require("./npm_parts.cjs");

const launcher = findLauncher();
const deno = findDeno();
if (launcher !== undefined && existsSync(deno)) {
  const quote = (path) => `'${path.replaceAll("'", "'\\''")}'`;
  const text = readFileSync(launcher, "utf8")
    .replace(/^root='' deno=''$/m, () => `root=${quote(__dirname)} deno=${quote(deno)}`);
  // A new file: other installs may share the one that is there.
  const made = join(__dirname, "bin", "ctx.new");
  writeFileSync(made, text);
  chmodSync(made, 0o755);
  renameSync(made, join(__dirname, "bin", "ctx"));
}
