// `deno task demo`: why a line is there, a search, and what a session starts with, on a small project
// with a copy of the example store. Each line after `$` is run in its form for people; the clock stands
// still, so that ages stay as they are. Nothing is kept. A fresh clone fetches ctx's packages first.

import { fromFileUrl } from "../src/core/platform_path.ts";

const root = fromFileUrl(new URL("../", import.meta.url));
const workspace = await Deno.makeTempDir({ prefix: "ctx-demo-" });
try {
  await fetchPackages();
  await copyStore();
  await commitCode();
  await show(["why", "src/queue/retry.ts:4"]);
  await show(["search", "what happens when a refresh token leaks", "-k", "2"]);
  await show(["context", "pack"]);
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
      ...["run", "-A", "--cached-only", `--preload=${root}bench/demo_clock.ts`, `${root}mod.ts`],
      ...args,
      ...["--workspace", workspace, "--color", "always"],
    ],
    env: { XDG_CONFIG_HOME: workspace, CTX_SESSION: "" },
  }).output();
  Deno.stderr.writeSync(stderr);
  const name = workspace.replace(/^.*\//, "");
  const shown = new TextDecoder().decode(stdout).replaceAll(workspace, "~/parcel-api")
    .replaceAll(name, "parcel-api").trimEnd();
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

/** The file that a session of the store wrote, and its commit. */
async function commitCode(): Promise<void> {
  const path = "src/queue/retry.ts";
  const content = `/** How long to wait before a delivery is tried again. */
export function retryDelay(attempt: number): number | undefined {
  if (attempt > 5) return undefined;
  return Math.min(1000 * 2 ** (attempt - 1), 60_000);
}
`;
  const session = { session_id: "S-1m3ycxcy0jb3j8fmv", project: "parcel-api", branch: "queue-fix" };
  const rows = [{
    id: "H-1m45n7f1ga2k8c3xv",
    ts: "2026-10-05T09:10:00.000Z",
    role: "user",
    type: "turn",
    text: "The fixed delay made last night's outage worse. Back off, and give up after five tries.",
    ...session,
  }, {
    id: "H-1m45nesg8d4p6r9tb",
    ts: "2026-10-05T09:14:00.000Z",
    role: "assistant",
    type: "tool_call",
    text: `Write: ${path}`,
    files: [path],
    tool: { name: "Write", input: { file_path: path, content }, effect: "edit" },
    ...session,
  }];
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  await Deno.writeTextFile(`${workspace}/.contextfs/history.ndjson`, lines, { append: true });
  await Deno.mkdir(`${workspace}/src/queue`, { recursive: true });
  await Deno.writeTextFile(`${workspace}/${path}`, content);
  const [at, name, mail] = ["2026-10-05T09:20:00Z", "Ada", "ada@example.com"];
  const git = async (...args: string[]): Promise<void> => {
    const { success, stderr } = await new Deno.Command("git", {
      args,
      cwd: workspace,
      env: {
        GIT_AUTHOR_DATE: at,
        GIT_COMMITTER_DATE: at,
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_SYSTEM: "/dev/null",
        ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: mail },
        ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: mail },
      },
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  await git("init", "-q", "-b", "main");
  await git("add", "src");
  await git("commit", "-q", "-m", "Retry deliveries with exponential backoff");
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
