// Where the parts of an installed npm package are: Deno, and the launcher for this machine.

const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");

/** The package that holds Deno for this machine. */
const part = `@deno/${process.platform}-${process.arch}${
  process.platform === "linux" ? "-glibc" : ""
}`;

/** The executable itself. */
exports.findDeno = () => {
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  try {
    return join(dirname(require.resolve(`${part}/package.json`)), name);
  } catch {
    process.stderr.write(
      `ctx: Cannot start: npm did not install ${part}\n` +
        "hint: install it again: npm i -g --include=optional @ctx/ctx\n",
    );
    process.exit(process.env.npm_lifecycle_event === "postinstall" ? 0 : 7);
  }
};

/** A launcher that needs no Node; Windows has none. */
exports.findLauncher = () => {
  const path = join(__dirname, "bin", process.platform, "ctx");
  return existsSync(path) ? path : undefined;
};

/** The `ctx.cmd` that npm made for this package on Windows: beside node_modules, or in its .bin. */
exports.findShim = (os = process.platform, root = __dirname) => {
  if (os !== "win32") return undefined;
  const modules = join(root, "..", "..");
  return [join(modules, "..", "ctx.cmd"), join(modules, ".bin", "ctx.cmd")].find(existsSync);
};
