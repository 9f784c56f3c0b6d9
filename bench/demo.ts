// `deno task demo`: the main job on a copy of the example store, with true output. Each line after
// `$` is run in its form for people (a pipe gets rows with tabs); nothing is kept. On a fresh clone ctx's packages are fetched first, quietly.

const root = new URL("../", import.meta.url).pathname;
const workspace = await Deno.makeTempDir({ prefix: "ctx-demo-" });
try {
  await fetchPackages();
  await copyStore();
  await show(["search", "what happens when a refresh token leaks"]);
  await show(["timeline", "H-1m2ff20hgvzrprjcr", "--before", "1", "--after", "1"]);
  await show(["get", "H-1m2ff20hgvzrprjcr"]);
} finally {
  await Deno.remove(workspace, { recursive: true });
}

/** Says so on one line, which goes away again. */
async function fetchPackages(): Promise<void> {
  const terminal = Deno.stderr.isTerminal();
  const tell = (text: string): number => Deno.stderr.writeSync(new TextEncoder().encode(text));
  if (terminal) tell("getting ctx's packages …");
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["cache", "--quiet", "--frozen", `${root}mod.ts`],
    cwd: root,
  }).output();
  if (terminal) tell("\r\x1b[K");
  if (success) return;
  Deno.stderr.writeSync(stderr);
  Deno.exit(1);
}

async function show(args: string[]): Promise<void> {
  say(`$ ctx ${args.map((word) => /\s/.test(word) ? `"${word}"` : word).join(" ")}\n`);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--cached-only", `${root}mod.ts`],
      ...args,
      ...["--workspace", workspace, "--color", "always"],
    ],
    env: { XDG_CONFIG_HOME: workspace, CTX_SESSION: "" },
  }).output();
  Deno.stderr.writeSync(stderr);
  const shown = new TextDecoder().decode(stdout).replaceAll(workspace, "~/parcel-api").trimEnd();
  // deno-lint-ignore no-control-regex
  say((Deno.stdout.isTerminal() ? shown : shown.replace(/\x1b\[[\d;]*m/g, "")) + "\n\n");
  if (code !== 0) Deno.exit(code);
}

async function copyStore(): Promise<void> {
  await Deno.mkdir(`${workspace}/.contextfs`);
  for await (const file of Deno.readDir(`${root}.contextfs-example`)) {
    if (!file.isFile) continue;
    await Deno.copyFile(
      `${root}.contextfs-example/${file.name}`,
      `${workspace}/.contextfs/${file.name}`,
    );
  }
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
