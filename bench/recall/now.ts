// Two agents in one repository: planned collisions and peaceful edits, told to the built file in the exact
// messages of Claude Code, Codex and Gemini, and what the check costs a hook in processor time.
// CTX_BENCH_FILE names a built file; without it one is built.

import { buildFile } from "../support/built_file.ts";
import { builtContender, type Contender, raceProcessor } from "../support/processes.ts";
import { seededRandom } from "../support/seeded_random.ts";
import { type BenchTable, round } from "../support/table.ts";

const count = 100;
const clients = ["claude-code", "codex", "gemini"] as const;
type Client = typeof clients[number];

/** Counts warnings, and measures. */
export async function run(): Promise<BenchTable[]> {
  const home = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const ctx = Deno.env.get("CTX_BENCH_FILE") ??
      (await buildFile(`${home}/dist`, { gzip: false })).path;
    const place = new Place(ctx, home);
    await place.open();
    return [await countWarnings(place), await measureCost(place)];
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** How the second edit stands to the first. */
const collisions = ["same lines", "some of the lines", "lines moved", "another worktree"] as const;
const peaceful = [
  "other lines",
  "another file",
  "same session",
  "ended session",
  "lines below",
] as const;

async function countWarnings(place: Place): Promise<BenchTable> {
  const rows: (string | number)[][] = [];
  for (const kinds of [collisions, peaceful]) {
    let all = 0;
    for (const kind of kinds) {
      const runs = count / kinds.length;
      let warned = 0;
      for (let i = 0; i < runs; i++) if (await place.play(kind)) warned++;
      rows.push([kinds === collisions ? "collision" : "peaceful", kind, runs, warned]);
      all += warned;
    }
    rows.push([kinds === collisions ? "collisions" : "peaceful edits", "all", count, all]);
  }
  return {
    title: "Warned before the write, two clients' hooks in turn",
    head: ["planned", "second edit", "runs", "warned"],
    rows,
  };
}

async function measureCost(place: Place): Promise<BenchTable> {
  const empty = `${place.home}/empty.ts`;
  await Deno.writeTextFile(empty, "");
  const built = (name: string, isOn: boolean): Contender => {
    const contender = builtContender({ ...place, workspace: place.main }, {
      name,
      args: ["hook", "pre-edit"],
    });
    const env = { ...contender.env, CTX_SUGGEST_COLLISIONS: String(isOn) };
    const input = (): string =>
      JSON.stringify(place.message("claude-code", "cost", { file: "cost.ts", from: 3, to: 5 }));
    return { ...contender, env, input };
  };
  const script = { name: "empty Deno script", command: Deno.execPath(), args: ["run", empty] };
  const contenders = [script, built("hook, check off", false), built("hook, check on", true)];
  const times = await raceProcessor(contenders, { rounds: 9, batch: 20 });
  return {
    title: "A hook before an edit, processor time (medians of 9 looks of 20 runs, interleaved)",
    head: ["process", "ms", "ratio to empty script"],
    rows: [
      ...contenders.map(({ name }, i) => [name, round(times[i]), round(times[i] / times[0])]),
      ["the check", round(times[2] - times[1]), round((times[2] - times[1]) / times[0])],
    ],
  };
}

interface Planned {
  file: string;
  from: number;
  to: number;
  tree?: string;
}

class Place {
  readonly main: string;
  readonly tree: string;
  readonly #random = seededRandom(41);
  #number = 0;

  constructor(readonly ctx: string, readonly home: string) {
    this.main = `${home}/main`;
    this.tree = `${home}/tree`;
  }

  async open(): Promise<void> {
    await Deno.mkdir(this.main);
    await this.#write(this.main, "cost.ts", lines());
    for (let i = 0; i < 4 * count; i++) await this.#write(this.main, `f${i}.ts`, lines());
    const author = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    for (const args of [["init", "-q"], ["add", "."], [...author, "commit", "-qm", "start"]]) {
      await this.#run("git", args);
    }
    await this.#run("git", ["worktree", "add", "-q", this.tree]);
    await this.#run(this.ctx, ["init"]);
  }

  /** Two edits of a new file by two clients; whether the second was held. */
  async play(kind: typeof collisions[number] | typeof peaceful[number]): Promise<boolean> {
    const i = this.#number++;
    const file = `f${i}.ts`;
    const [first, second] = [clients[i % 3], clients[(i + 1 + Math.floor(i / 3) % 2) % 3]];
    const from = 5 + Math.floor(this.#random() * 60);
    const to = from + 2 + Math.floor(this.#random() * 5);
    const own = { file, from, to };
    const answer = await this.#hook(first, `a${i}`, own);
    if (answer !== "" && isHeld(answer)) throw new Error(`the first edit was held: ${answer}`);
    await this.#make(own, first);
    if (kind === "lines moved") {
      const above = { file, from: 1, to: 2 };
      await this.#hook("claude-code", `c${i}`, above, 4);
      await this.#make(above, "c", 4);
    }
    if (kind === "ended session") {
      const end = { hook_event_name: "SessionEnd", session_id: `a${i}`, cwd: this.main };
      await this.#run(this.ctx, ["hook", first], JSON.stringify(end));
    }
    const next: Planned = {
      "same lines": own,
      "some of the lines": { file, from: to - 1, to: to + 2 },
      "lines moved": { file, from: from + 4, to: to + 4 },
      "another worktree": { ...own, tree: this.tree },
      "other lines": { file, from: from + 20, to: to + 20 },
      "another file": { ...own, file: `f${i + 2 * count}.ts` },
      "same session": own,
      "ended session": own,
      "lines below": { file, from: to, to: to + 2 },
    }[kind];
    const session = kind === "same session" ? `a${i}` : `b${i}`;
    return isHeld(await this.#hook(second, session, next));
  }

  message(client: Client, session: string, planned: Planned, added = 0): object {
    const { file, from, to, tree = this.main } = planned;
    const text = Deno.readTextFileSync(`${tree}/${file}`).split("\n");
    const before = text.slice(from, to);
    const after = [...Array(added).fill("new"), ...before.map((line) => `${line} by ${session}`)];
    const common = { session_id: session, cwd: tree };
    if (client === "codex") {
      const patch = [
        "*** Begin Patch",
        `*** Update File: ${file}`,
        "@@",
        ` ${text[from - 1]}`,
        ...before.map((line) => `-${line}`),
        ...after.map((line) => `+${line}`),
        ` ${text[to]}`,
        "*** End Patch",
      ];
      return {
        ...common,
        transcript_path: `/home/u/.codex/sessions/${session}.jsonl`,
        turn_id: "1",
        model: "m",
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name: "apply_patch",
        tool_use_id: "t",
        tool_input: { command: patch.join("\n") },
      };
    }
    const tool_input = {
      file_path: `${tree}/${file}`,
      old_string: before.join("\n"),
      new_string: after.join("\n"),
    };
    return client === "gemini"
      ? {
        ...common,
        transcript_path: `/home/u/.gemini/tmp/p/chats/${session}.json`,
        hook_event_name: "BeforeTool",
        timestamp: new Date().toISOString(),
        tool_name: "replace",
        tool_input,
      }
      : {
        ...common,
        transcript_path: `/home/u/.claude/projects/p/${session}.jsonl`,
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name: "Edit",
        tool_input: { ...tool_input, replace_all: false },
        tool_use_id: "t",
      };
  }

  async #hook(client: Client, session: string, planned: Planned, added = 0): Promise<string> {
    const message = this.message(client, session, planned, added);
    return await this.#run(this.ctx, ["hook", "pre-edit"], JSON.stringify(message));
  }

  /** What the client does when it may. */
  async #make({ file, from, to }: Planned, by: string, added = 0): Promise<void> {
    const text = (await Deno.readTextFile(`${this.main}/${file}`)).split("\n");
    const changed = text.slice(from, to).map((line) => `${line} by ${by}`);
    text.splice(from, to - from, ...Array(added).fill("new"), ...changed);
    await this.#write(this.main, file, text);
  }

  async #write(tree: string, file: string, text: readonly string[]): Promise<void> {
    await Deno.writeTextFile(`${tree}/${file}`, text.join("\n"));
  }

  async #run(command: string, args: string[], input = ""): Promise<string> {
    const env = {
      HOME: this.home,
      XDG_CONFIG_HOME: this.home,
      XDG_CACHE_HOME: `${this.home}/cache`,
    };
    const child = new Deno.Command(command, {
      args,
      env,
      cwd: this.main,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { success, stdout, stderr } = await child.output();
    if (!success) throw new Error(`${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  }
}

function lines(): string[] {
  return Array.from({ length: 100 }, (_, i) => `const value${i} = compute(${i});`);
}

function isHeld(answer: string): boolean {
  return /"(?:permissionDecision|decision)":"deny"/.test(answer);
}
