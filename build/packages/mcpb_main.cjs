// Starts ctx's server for the chosen folder: the `ctx` on this machine, or the one that npx brings. The
// folder is the working directory, so that no command line has to quote it.

const { spawn } = require("node:child_process");

const [, , folder] = process.argv;
// On Windows both are scripts of cmd.
const options = { cwd: folder, stdio: "inherit", shell: process.platform === "win32" };
start(["ctx", "mcp"], () => start(["npx", "-y", "@PACKAGE@", "mcp"], fail));

function start([program, ...words], onMissing) {
  const child = spawn(program, words, options);
  let isMissing = false;
  child.on("error", () => {
    isMissing = true;
    onMissing();
  });
  child.on("exit", (code) => {
    // What cmd says of a program that it cannot find.
    if (options.shell && code === 9009) return onMissing();
    if (!isMissing) process.exit(code ?? 1);
  });
}

function fail() {
  process.stderr.write("ctx: Cannot start: neither ctx nor npx is on the PATH\n");
  process.exit(7);
}
