// A generated source tree for the graph bench: five languages, imports within and across packages,
// functions that call imported functions. The same seed gives the same bytes.

/** One generated file. */
export interface SourceFile {
  path: string;
  text: string;
}

const kinds = ["ts", "ts", "ts", "py", "go", "ts", "rs", "ts", "java", "ts"] as const;
type Kind = typeof kinds[number];

/** Generates a tree of files, each about a hundred lines. */
export function makeSourceTree(count: number): SourceFile[] {
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[Math.floor(i / 20) % kinds.length];
    return { path: pathOf(i, kind), text: textOf(i, kind) };
  });
}

/** Writes generated files below a directory. */
export function writeTree(work: string, files: Iterable<SourceFile>): void {
  const made = new Set<string>();
  for (const { path, text } of files) {
    const directory = `${work}/${path.slice(0, path.lastIndexOf("/"))}`;
    if (!made.has(directory)) Deno.mkdirSync(directory);
    made.add(directory);
    Deno.writeTextFileSync(`${work}/${path}`, text);
  }
}

/** Where a file is; packages of twenty files share a language. */
function pathOf(i: number, kind: Kind): string {
  const unit = `unit_${i}`;
  return kind === "java"
    ? `pkg_${Math.floor(i / 20)}/Unit${i}.java`
    : `pkg_${Math.floor(i / 20)}/${unit}.${kind}`;
}

function textOf(i: number, kind: Kind): string {
  const first = Math.floor(i / 20) * 20;
  const others = [1, 3, 7].map((step) => first + (i - first + step) % 20);
  const head = others.map((other) => importOf(other, kind)).join("\n");
  const bodies = Array.from({ length: 8 }, (_, n) => functionOf(i, n, others[n % 3], kind));
  const body = bodies.join("\n\n");
  if (kind === "go") return `package pkg_${first / 20}\n\n${body}\n`;
  if (kind === "java") return `package pkg_${first / 20};\n\npublic class Unit${i} {\n${body}\n}\n`;
  return `${head}\n\n${body}\n`;
}

function importOf(other: number, kind: Kind): string {
  if (kind === "ts") return `import { work_${other}_0 } from "./unit_${other}.ts";`;
  if (kind === "py") return `from .unit_${other} import work_${other}_0`;
  return kind === "rs" ? `use super::unit_${other}::work_${other}_0;` : "";
}

function functionOf(i: number, n: number, other: number, kind: Kind): string {
  const name = `work_${i}_${n}`;
  const call = `work_${other}_0`;
  switch (kind) {
    case "ts":
      return `/** Does step ${n}. */\nexport function ${name}(input: number): number {\n  const first = input * ${n} + ${i};\n  if (first > 10) {\n    return ${call}(first - 1);\n  }\n  const list = [first, first + 1].map((item) => item * 2);\n  return list.reduce((sum, item) => sum + item, 0);\n}`;
    case "py":
      return `def ${name}(value):\n    """Does step ${n}."""\n    first = value * ${n} + ${i}\n    if first > 10:\n        return ${call}(first - 1)\n    items = [first, first + 1]\n    return sum(item * 2 for item in items)`;
    case "go":
      return `// ${name} does step ${n}.\nfunc ${name}(input int) int {\n\tfirst := input*${n} + ${i}\n\tif first > 10 {\n\t\treturn ${call}(first - 1)\n\t}\n\ttotal := 0\n\tfor _, item := range []int{first, first + 1} {\n\t\ttotal += item * 2\n\t}\n\treturn total\n}`;
    case "rs":
      return `/// Does step ${n}.\npub fn ${name}(input: i64) -> i64 {\n    let first = input * ${n} + ${i};\n    if first > 10 {\n        return ${call}(first - 1);\n    }\n    [first, first + 1].iter().map(|item| item * 2).sum()\n}`;
    case "java":
      return `  /** Does step ${n}. */\n  public static long ${name}(long input) {\n    long first = input * ${n} + ${i};\n    if (first > 10) {\n      return Unit${other}.${call}(first - 1);\n    }\n    return first * 2 + (first + 1) * 2;\n  }`;
  }
}
