// A fresh home and project for one client: the built ctx installed on the PATH with its real
// permissions, an environment with nothing else in it, and nothing left when it is disposed of.

/** What a program left behind. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** How a program is run. */
export interface RunOptions {
  env?: Record<string, string>;
  stdin?: string;
  cwd?: string;
}

/** A client's first start under load takes minutes; one that hangs must still end the bench. */
const limitMs = 300_000;

/** The home; dispose of it. */
export class ClientHome implements AsyncDisposable {
  readonly root: string;
  readonly project: string;
  /** A project without a store. */
  readonly elsewhere: string;
  readonly #ctx: string;

  constructor(ctx: string) {
    this.root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "client-" }));
    this.project = `${this.root}/project`;
    this.elsewhere = `${this.root}/elsewhere`;
    this.#ctx = ctx;
    Deno.mkdirSync(`${this.root}/home/.local/bin`, { recursive: true });
    Deno.mkdirSync(this.project);
    Deno.mkdirSync(this.elsewhere);
    this.installCtx();
    this.write("project", { "README.md": "# Billing\n", "src/worker.ts": "export {};\n" });
  }

  get #installed(): string {
    return `${this.root}/home/.local/bin/ctx`;
  }

  installCtx(): void {
    Deno.copyFileSync(this.#ctx, this.#installed);
    Deno.chmodSync(this.#installed, 0o755);
  }

  removeCtx(): void {
    Deno.removeSync(this.#installed);
  }

  write(place: "home" | "project", files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      const file = `${this.root}/${place}/${path}`;
      Deno.mkdirSync(file.replace(/\/[^/]*$/, ""), { recursive: true });
      Deno.writeTextFileSync(file, text);
    }
  }

  /** Runs a program in the project to its end; ends it when it takes too long. */
  async run(
    [program, ...args]: string[],
    { env = {}, stdin = "", cwd = this.project }: RunOptions = {},
  ): Promise<Ran> {
    const home = `${this.root}/home`;
    const child = new Deno.Command(program, {
      args,
      cwd,
      clearEnv: true,
      env: {
        HOME: home,
        PATH: `${home}/.local/bin:${Deno.env.get("PATH")}`,
        TERM: "dumb",
        ...env,
      },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(stdin));
    await writer.close();
    const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
    const { code, stdout, stderr } = await child.output();
    clearTimeout(timer);
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  /** The result of `ctx WORDS… --json`. */
  // deno-lint-ignore no-explicit-any
  async ctx(...words: string[]): Promise<any> {
    const { code, stdout, stderr } = await this.run(["ctx", ...words, "--json"]);
    if (code !== 0) {
      throw new Error(`ctx ${words.join(" ")} ended with ${code}: ${stderr}${stdout}`);
    }
    return JSON.parse(stdout);
  }

  /** The rows of one of the store's logs. */
  // deno-lint-ignore no-explicit-any
  log(name: string): any[] {
    try {
      return Deno.readTextFileSync(`${this.project}/.contextfs/${name}`).split("\n")
        .filter((line) => line !== "").map((line) => JSON.parse(line));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  /** Every file of the home and the project that matches, with its text. */
  texts(matches: (path: string) => boolean): Record<string, string> {
    const found: Record<string, string> = {};
    for (const path of walk(this.root)) {
      const name = path.slice(this.root.length + 1);
      if (matches(name.replace(/\.ctx-backup$/, ""))) found[name] = Deno.readTextFileSync(path);
    }
    return found;
  }

  /** Processes that were started in this home, waited for a while: some clients leave hooks behind. */
  async waitForProcesses(): Promise<string[]> {
    const mark = `HOME=${this.root}/home`;
    for (let tries = 0;; tries++) {
      const left = processesWith(mark);
      if (left.length === 0 || tries === 100) return left;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (Deno.env.get("CTX_CLIENTS_KEEP")) return;
    await Deno.remove(this.root, { recursive: true });
  }
}

function* walk(directory: string): Generator<string> {
  for (const { name, isDirectory, isFile } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* walk(path);
    else if (isFile) yield path;
  }
}

function processesWith(mark: string): string[] {
  const found: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const variables = Deno.readTextFileSync(`/proc/${name}/environ`).split("\0");
      if (!variables.includes(mark)) continue;
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ").trim();
      // A process that has ended and was not yet waited for has no line.
      if (line !== "") found.push(`${name} ${line}`);
    } catch {
      continue;
    }
  }
  return found;
}
