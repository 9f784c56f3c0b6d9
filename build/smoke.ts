// `deno task smoke DIR|PROGRAM`: starts the file that was built for this machine, or an installed one,
// and uses it: version, save and
// search, a session over MCP with its sandbox, and an import from SQLite. What every file of a release
// must pass, in the form in which it is published, before it is.

import { DatabaseSync } from "node:sqlite";
import { fileNameOf, hostTarget } from "./target.ts";

/** Runs the built file in an empty home and workspace; throws at the first thing that is wrong. */
export async function smokeTest(executable: string): Promise<string> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "ctx-smoke-" }));
  const smoke = new Smoke(executable, root);
  try {
    const { form, version }: { form: string; version: string } = JSON.parse(
      await smoke.ctx(["--version", "--json"], root),
    );
    await smoke.makeWorkspace();
    await smoke.saveAndFind();
    await smoke.serveConfined();
    await smoke.importDatabase();
    return `${version} (${form})`;
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** The built file at work in one directory. */
class Smoke {
  readonly #executable: string;
  readonly #root: string;
  readonly #workspace: string;
  readonly #env: Record<string, string>;
  #id = "";

  constructor(executable: string, root: string) {
    this.#executable = executable;
    this.#root = root;
    this.#workspace = `${root}/workspace`;
    const home = `${root}/home`;
    this.#env = {
      HOME: home,
      USERPROFILE: home,
      XDG_CACHE_HOME: `${root}/cache`,
      XDG_CONFIG_HOME: `${home}/.config`,
    };
  }

  /** Runs ctx to its end and gives what it printed. */
  async ctx(args: string[], cwd = this.#workspace, input = ""): Promise<string> {
    return await this.#run(this.#executable, args, { cwd, input });
  }

  /** A work tree whose repository lies outside the workspace. */
  async makeWorkspace(): Promise<void> {
    const repository = `${this.#root}/repository`;
    for (const name of ["home", "repository"]) await Deno.mkdir(`${this.#root}/${name}`);
    await Deno.writeTextFile(`${repository}/token.ts`, "export const lifetime = 15;\n");
    const author = ["-c", "user.name=smoke", "-c", "user.email=smoke@localhost"];
    for (
      const words of [
        ["init", "-q"],
        ["add", "token.ts"],
        [...author, "commit", "-q", "-m", "kept outside the fence"],
        ["worktree", "add", "-q", this.#workspace],
      ]
    ) await this.#run("git", words, { cwd: repository });
    await this.ctx(["init"]);
  }

  async saveAndFind(): Promise<void> {
    this.#id = (await this.ctx(["save", "refresh tokens rotate on every use"])).trim();
    expect("search", await this.ctx(["search", "token rotation"]), { has: this.#id });
    expect("get", await this.ctx(["get", this.#id]), { has: "rotate on every use" });
  }

  /** An agent's session: it is answered, and the runtime keeps the server inside the workspace. */
  async serveConfined(): Promise<void> {
    const question = { target: "token.ts:1" };
    expect("why", await this.ctx(["why", question.target]), { has: "kept outside the fence" });
    const [hello, tools, found, why] = await this.#callServer([
      {
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "smoke", version: "1" },
        },
      },
      { method: "tools/list" },
      { method: "tools/call", params: { name: "search", arguments: { query: "token rotation" } } },
      { method: "tools/call", params: { name: "why", arguments: question } },
    ]);
    expect("mcp: initialize", hello, { has: '"serverInfo":{"name":"ctx"' });
    expect("mcp: tools/list", tools, { has: '"name":"search"' });
    expect("mcp: search", found, { has: this.#id });
    // The command line has just read that repository; the server may not.
    expect("mcp: why", why, {
      has: "does not lead to a git directory",
      not: "kept outside the fence",
    });
  }

  /** A history in SQLite, as OpenCode keeps it. */
  async importDatabase(): Promise<void> {
    const directory = `${this.#root}/opencode`;
    await Deno.mkdir(directory);
    using database = new DatabaseSync(`${directory}/opencode.db`);
    database.exec(`
      CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, parent_id TEXT,
        time_created INTEGER, time_updated INTEGER);
      CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER,
        time_updated INTEGER, data TEXT);
      CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT,
        time_created INTEGER, time_updated INTEGER, data TEXT);
      INSERT INTO session VALUES ('ses_1', '/work/app', 'Smoke', NULL, 1771000000000, 1771000003000);
      INSERT INTO message VALUES ('msg_1', 'ses_1', 1771000001000, 1771000001000,
        '{"role":"user","time":{"created":1771000001000}}');
      INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, 1,
        '{"type":"text","text":"The lighthouse keeps its lamp in a database"}');
    `);
    database.close();
    const words = ["import", "opencode", "--root", directory, "--all-projects", "--json"];
    expect("import", await this.ctx(words), { has: '"entries":1' });
    expect("search", await this.ctx(["search", "lighthouse lamp"]), { has: "in a database" });
  }

  /** Sends requests to `ctx mcp` and gives its answers as lines, in the order of the requests. */
  async #callServer(requests: { method: string; params?: unknown }[]): Promise<string[]> {
    const messages: object[] = requests.map((request, id) => ({ jsonrpc: "2.0", id, ...request }));
    messages.splice(1, 0, { jsonrpc: "2.0", method: "notifications/initialized" });
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    const answers = await this.ctx(["mcp", "--tools", "all"], this.#workspace, input);
    const lines = answers.split("\n").filter((line) => line !== "");
    const byId = new Map(lines.map((line) => [JSON.parse(line).id, line]));
    return requests.map((_, id) => byId.get(id) ?? "");
  }

  async #run(
    program: string,
    args: string[],
    { cwd, input = "" }: { cwd: string; input?: string },
  ): Promise<string> {
    const child = new Deno.Command(program, {
      args,
      cwd,
      env: this.#env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    // A program that does not read it ends before it is written.
    const writing = new Blob([input]).stream().pipeTo(child.stdin).catch(() => {});
    const { success, stdout, stderr } = await child.output();
    await writing;
    const [text, errors] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    if (!success) throw new Error(`${program} ${args.join(" ")} failed: ${text}${errors}`);
    return text;
  }
}

function expect(what: string, text: string, { has, not }: { has: string; not?: string }): void {
  if (!text.includes(has)) throw new Error(`${what} should say "${has}": ${text}`);
  if (not !== undefined && text.includes(not)) {
    throw new Error(`${what} should not say "${not}": ${text}`);
  }
}

if (import.meta.main) {
  const [named] = Deno.args;
  const isDirectory = await Deno.stat(named).then((found) => found.isDirectory, () => false);
  const path = isDirectory ? await Deno.realPath(`${named}/${fileNameOf(hostTarget())}`) : named;
  const line = `${path}: ctx ${await smokeTest(path)} works\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(line));
}
