// Collections as whole processes: 2,000 Markdown files read for the first time, read again with no
// change and with ten changes, an outline and a search over them.

import { bundle, stampBundle } from "../build/bundle.ts";
import { type BenchTable, medianOf, round } from "./support/table.ts";

const documents = 2000;

/** Measures `docs add`, `docs sync`, `docs outline` and `search --scope docs`. */
export async function run(): Promise<BenchTable[]> {
  const work = await Deno.makeTempDir({ prefix: "ctx-bench-" });
  try {
    const bytes = await writeDocuments(`${work}/docs`);
    const ctx = await makeRunner(work);
    await ctx(["init"]);
    const first = await ctx(["docs", "add", "handbook", "docs"]);
    const empty = await repeat(9, () => ctx(["--version"]));
    const again = await repeat(5, () => ctx(["docs", "sync"]));
    const outline = await repeat(9, () => ctx(["docs", "outline", "docs/area7/page1207.md"]));
    const search = await repeat(
      5,
      () => ctx(["search", "--scope", "docs", "rotate the token 1207"]),
    );
    for (let i = 0; i < 10; i++) await writeDocument(`${work}/docs`, i * 100, "changed");
    const changed = await ctx(["docs", "sync"]);
    return [{
      title: `${documents} Markdown files, ${round(bytes / 1e6, 1)} MB, whole processes`,
      head: ["command", "ms", "bar"],
      rows: [
        ["--version, for comparison (median of 9)", Math.round(empty), ""],
        ["docs add (first reading)", Math.round(first), "15,000"],
        ["docs sync, nothing changed (median of 5)", Math.round(again), "1,000"],
        ["docs sync, 10 files changed", Math.round(changed), ""],
        ["docs outline (median of 9)", Math.round(outline), "200"],
        ["search --scope docs (median of 5)", Math.round(search), ""],
      ],
    }];
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

type Runner = (words: string[]) => Promise<number>;

async function makeRunner(work: string): Promise<Runner> {
  await bundle(`${work}/plain`);
  await stampBundle(`${work}/plain`, `${work}/bundle`, { form: "bundle" });
  const args = ["run", "-A", "--no-check", `${work}/bundle/mod.js`];
  const env = { HOME: work, XDG_CONFIG_HOME: work, XDG_DATA_HOME: work };
  return async (words) => {
    const command = new Deno.Command(Deno.execPath(), {
      args: [...args, ...words],
      env,
      cwd: work,
    });
    const start = performance.now();
    const { success, stderr } = await command.output();
    const elapsed = performance.now() - start;
    if (!success) throw new Error(new TextDecoder().decode(stderr));
    return elapsed;
  };
}

async function repeat(times: number, action: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < times; i++) all.push(await action());
  return medianOf(all);
}

async function writeDocuments(directory: string): Promise<number> {
  let bytes = 0;
  for (let i = 0; i < documents; i++) bytes += await writeDocument(directory, i, "rotates");
  return bytes;
}

/** A page as projects have them: front matter, eight sections, lists, a table and code. */
async function writeDocument(directory: string, i: number, verb: string): Promise<number> {
  const sections = Array.from({ length: 8 }, (_, n) => {
    const level = n % 3 === 0 ? "##" : "###";
    const prose = `The service ${verb} the token ${i} before step ${n} and keeps the old one. `;
    return `${level} Step ${n} of page ${i}\n\n${
      prose.repeat(6)
    }\n\n- first point ${n}\n- second [link](https://example.org/${i}) with \`code\`\n\n| key | value |\n|---|---|\n| a${n} | ${i} |\n\n\`\`\`ts\n# no heading\nconst value${n} = rotate(${i});\n\`\`\`\n`;
  });
  const text =
    `---\ntitle: Page ${i}\ntags: [bench]\n---\n\n# Page ${i}\n\nIntroduction to page ${i}.\n\n${
      sections.join("\n")
    }`;
  await Deno.mkdir(`${directory}/area${i % 20}`, { recursive: true });
  await Deno.writeTextFile(`${directory}/area${i % 20}/page${i}.md`, text);
  return text.length;
}
