// Puts rot into rule files of checkouts, for `deno task bench audit`: a copy of the checkouts in which
// half of the rule files say something wrong, and the list of what was put where. Written before the
// checks were, from what people complain of; it shares nothing with them and must not be tuned to them.

/** Something wrong that was put into a file. */
export interface Rot {
  repository: string;
  file: string;
  kind: RotKind;
  /** The line, from 1, in the file as it is then; of a contradiction and a duplicate both lines. */
  lines: number[];
  text: string;
}

/** What can be wrong. */
export type RotKind =
  | ("duplicate" | "contradiction" | "path" | "script" | "secret")
  | ("cut" | "project");

/** A rule file of a checkout. */
export interface RuleFile {
  repository: string;
  file: string;
}

const kinds: RotKind[] = [
  ...["duplicate", "contradiction", "path", "script", "secret", "cut", "project"] as const,
];
/** So many kinds are put into one file. */
const perFile = 3;

/** Puts rot into every second file below a directory; the list of what was put. */
export function seedRot(root: string, files: readonly RuleFile[]): Rot[] {
  const rots: Rot[] = [];
  const names = [...new Set(files.map(({ repository }) => repository))];
  let turn = 0;
  for (const [at, file] of files.entries()) {
    if (at % 2 === 1) continue;
    const work = new Seeder({ root, file, names, files });
    let put = 0;
    for (let i = 0; i < kinds.length && put < perFile; i++) {
      const rot = work.put(kinds[turn++ % kinds.length]);
      if (rot) put++;
    }
    work.save();
    rots.push(...work.rots());
  }
  return rots;
}

/** Opposite rules that stand in no file, for files whose own lines cannot be turned round. */
const opposites: [string, string][] = [
  ["Use pnpm to install packages, never npm.", "Install packages with npm."],
  ["Never commit directly to main.", "Commit directly to main for small fixes."],
  ["Write unit tests with Vitest.", "Do not use Vitest; unit tests are written with Jest."],
  ["Use single quotes in TypeScript.", "Always use double quotes in TypeScript."],
  ["Indent with tabs.", "Indent with two spaces, do not use tabs."],
  ["Run the formatter before every commit.", "Don't run the formatter before a commit."],
  ["Prefer default exports.", "Avoid default exports."],
  ["Always squash commits before merging.", "Never squash commits before merging."],
];

const synonyms: [RegExp, string][] = [
  [/\bmust\b/i, "should"],
  [/\bshould\b/i, "must"],
  [/\bdon't\b/i, "do not"],
  [/\bdo not\b/i, "don't"],
  [/\ball\b/i, "every"],
  [/\bensure\b/i, "make sure"],
  [/\bwhen\b/i, "whenever"],
  [/\bavoid\b/i, "stay away from"],
  [/\bprefer\b/i, "favour"],
  [/\bfor\b/i, "in case of"],
];

class Seeder {
  readonly #path: string;
  readonly #base: string;
  readonly #lines: string[];
  readonly #put: { rot: Omit<Rot, "lines">; marks: string[] }[] = [];
  readonly #random: () => number;

  constructor(
    readonly world: {
      root: string;
      file: RuleFile;
      names: string[];
      files: readonly RuleFile[];
    },
  ) {
    const { root, file } = world;
    this.#base = `${root}/${file.repository}`;
    this.#path = `${this.#base}/${file.file}`;
    this.#lines = Deno.readTextFileSync(this.#path).split("\n");
    this.#random = randomOf(`${file.repository}/${file.file}`);
  }

  put(kind: RotKind): boolean {
    return {
      duplicate: () => this.#duplicate(),
      contradiction: () => this.#contradict(),
      path: () => this.#movePath(),
      script: () => this.#removeScript(),
      secret: () => this.#secret(),
      cut: () => this.#cut(),
      project: () => this.#project(),
    }[kind]();
  }

  save(): void {
    Deno.writeTextFileSync(this.#path, this.#lines.join("\n"));
  }

  rots(): Rot[] {
    return this.#put.map(({ rot, marks }) => ({
      ...rot,
      lines: marks.map((text) => this.#lines.lastIndexOf(text) + 1),
    }));
  }

  #note(kind: RotKind, text: string, marks: string[]): boolean {
    const { repository, file } = this.world.file;
    this.#put.push({ rot: { repository, file, kind, text }, marks });
    return true;
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)];
  }

  /** Places between list items outside code, where another item can stand. */
  #slots(): number[] {
    const inCode = codeLines(this.#lines);
    return this.#lines.flatMap((line, at) =>
      /^\s*[-*] \S/.test(line) && !inCode.has(at) &&
        !/^\s+\S/.test(this.#lines[at + 1] ?? "") && (this.#lines[at + 1] ?? "").trim() === ""
        ? [at + 1]
        : []
    );
  }

  #insert(text: string, far?: number): string {
    const slots = this.#slots().filter((at) => far === undefined || Math.abs(at - far) > 4);
    const line = `- ${text}`;
    if (slots.length === 0) this.#lines.push("", line, "");
    else this.#lines.splice(this.#pick(slots), 0, line);
    return line;
  }

  /** Items of a list with enough words, outside code. */
  #items(): number[] {
    const inCode = codeLines(this.#lines);
    return this.#lines.flatMap((line, at) =>
      /^[-*] /.test(line) && !inCode.has(at) && line.split(/\s+/).length >= 8 &&
        line.length < 220 && /[a-z.`]$/i.test(line) &&
        this.#lines.indexOf(line) === this.#lines.lastIndexOf(line) &&
        !/^\s+[^-*\s]/.test(this.#lines[at + 1] ?? "")
        ? [at]
        : []
    );
  }

  #duplicate(): boolean {
    const items = this.#items();
    if (items.length === 0) return false;
    const at = this.#pick(items);
    const original = this.#lines[at];
    let text = original.slice(2);
    const form = Math.floor(this.#random() * 3);
    if (form > 0) text = /\.$/.test(text) ? text.slice(0, -1) : `${text}.`;
    if (form === 1) text = `Please note: ${text}`;
    if (form === 2) {
      for (const [from, to] of synonyms) {
        if (!from.test(text)) continue;
        text = text.replace(from, to);
        break;
      }
    }
    const line = this.#insert(text, at);
    return this.#note("duplicate", text, [original, line]);
  }

  #contradict(): boolean {
    const turned = this.#items().flatMap((at) => {
      const text = this.#lines[at].slice(2);
      const other = turnRound(text);
      return other === undefined ? [] : [{ at, other }];
    });
    if (turned.length > 0 && this.#random() < 0.6) {
      const { at, other } = this.#pick(turned);
      const original = this.#lines[at];
      return this.#note("contradiction", other, [original, this.#insert(other, at)]);
    }
    const [one, other] = this.#pick(opposites);
    const first = this.#insert(one);
    const second = this.#insert(other, this.#lines.indexOf(first));
    return this.#note("contradiction", other, [first, second]);
  }

  #movePath(): boolean {
    const text = this.#lines.join("\n");
    const known = [...filesBelow(this.#base)].filter((path) =>
      path.includes("/") && /\.\w+$/.test(path) && text.includes(`\`${path}\``)
    );
    if (known.length > 0) {
      const path = this.#pick(known);
      const moved = path.replace(/(\.\w+)$/, "_moved$1");
      Deno.renameSync(`${this.#base}/${path}`, `${this.#base}/${moved}`);
      const line = this.#lines.find((one) => one.includes(`\`${path}\``)) ?? "";
      return this.#note("path", path, [line]);
    }
    const folders = [...Deno.readDirSync(this.#base)].filter(({ isDirectory, name }) =>
      isDirectory && !name.startsWith(".")
    );
    if (folders.length === 0) return false;
    const path = `${this.#pick(folders).name}/legacy/design-notes.md`;
    return this.#note("path", path, [
      this.#insert(`Read \`${path}\` before you change the core.`),
    ]);
  }

  #removeScript(): boolean {
    const manifest = `${this.#base}/package.json`;
    let json: { scripts?: Record<string, string> };
    try {
      json = JSON.parse(Deno.readTextFileSync(manifest));
    } catch {
      return this.#removeTarget();
    }
    const scripts = Object.keys(json.scripts ?? {});
    if (scripts.length === 0) return false;
    const text = this.#lines.join("\n");
    const named = scripts.filter((name) => text.includes(`run ${name}\``));
    if (named.length === 0) {
      const line = this.#insert("Run `npm run verify:legacy` before you push.");
      return this.#note("script", "verify:legacy", [line]);
    }
    const name = this.#pick(named);
    delete json.scripts?.[name];
    Deno.writeTextFileSync(manifest, JSON.stringify(json, null, 2));
    const line = this.#lines.find((one) => one.includes(`run ${name}\``)) ?? "";
    return this.#note("script", name, [line]);
  }

  #removeTarget(): boolean {
    try {
      Deno.statSync(`${this.#base}/Makefile`);
    } catch {
      return false;
    }
    const line = this.#insert("Run `make verify-legacy` before you push.");
    return this.#note("script", "verify-legacy", [line]);
  }

  #secret(): boolean {
    const chars = (count: number, of: string): string =>
      Array.from({ length: count }, () => of[Math.floor(this.#random() * of.length)]).join("");
    const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    const mixed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    const text = this.#pick([
      `The staging bucket uses AKIA${chars(16, upper)} as its key.`,
      `For the API use the token ghp_${chars(36, mixed)} until CI has its own.`,
      `Database for local work: postgres://admin:${chars(18, mixed)}@db.internal:5432/app`,
      `Slack notifications go out with xoxb-${chars(12, "0123456789")}-${chars(12, "0123456789")}-${
        chars(24, mixed)
      }.`,
      `STRIPE_SECRET_KEY=sk_live_${chars(24, mixed)} works for tests of billing.`,
    ]);
    return this.#note("secret", text, [this.#insert(text)]);
  }

  /** Only what Codex reads is cut: text of other files until the last line is past 32 KiB. */
  #cut(): boolean {
    if (!this.world.file.file.endsWith("AGENTS.md")) return false;
    const others = this.world.files.filter(({ repository }) =>
      repository !== this.world.file.repository
    );
    let size = this.#lines.join("\n").length;
    this.#lines.push("", "## History", "");
    for (let at = 0; size < 34_000; at++) {
      const word = this.#pick(others);
      const sentence = `In week ${at + 1} the work on part ${
        at * 7 + 3
      } went on as planned; ${word.repository} was looked at for comparison and entry ${at} of the journal has the details.`;
      this.#lines.push(`${at + 1}. ${sentence}`);
      size += sentence.length;
    }
    const text = "Ask before you delete data of a customer.";
    this.#lines.push("", "## Before you go", "", `- ${text}`, "");
    return this.#note("cut", text, [`- ${text}`]);
  }

  #project(): boolean {
    const others = this.world.names.filter((name) =>
      name !== this.world.file.repository && name.length > 5
    );
    const other = this.#pick(others);
    const text = this.#pick([
      `When you work on ${other}, start its dev server first.`,
      `Look at /Users/sam/code/${other}/src for the helpers and change them there.`,
      `${other} deploys from the release branch; never push to it.`,
    ]);
    return this.#note("project", text, [this.#insert(text)]);
  }
}

/** A rule that says the opposite; undefined where its words do not lend themselves to that. */
function turnRound(text: string): string | undefined {
  const plain = text.replace(/^\*\*(.*?)\*\*/, "$1");
  if (/^never /i.test(plain)) return `Always ${plain.slice(6)}`;
  if (/^always /i.test(plain)) return `Never ${plain.slice(7)}`;
  if (/^(?:don't|do not) /i.test(plain)) {
    const rest = plain.replace(/^(?:don't|do not) /i, "");
    return rest[0].toUpperCase() + rest.slice(1);
  }
  if (/^(?:use|run|add|keep|put|write|prefer|place) /i.test(plain)) {
    return `Do not ${plain[0].toLowerCase()}${plain.slice(1)}`;
  }
  return undefined;
}

function codeLines(lines: readonly string[]): Set<number> {
  const inside = new Set<number>();
  let open = false;
  lines.forEach((line, at) => {
    if (/^\s*(?:```|~~~)/.test(line)) {
      open = !open;
      inside.add(at);
    } else if (open) inside.add(at);
  });
  return inside;
}

function* filesBelow(root: string, below = ""): Generator<string> {
  for (const { name, isDirectory, isFile } of Deno.readDirSync(`${root}/${below}`)) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isDirectory) yield* filesBelow(root, path);
    else if (isFile) yield path;
  }
}

/** The same numbers for the same name. */
function randomOf(name: string): () => number {
  let state = 2166136261;
  for (const char of name) state = Math.imul(state ^ char.charCodeAt(0), 16777619) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
