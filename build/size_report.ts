// How large files and functions of src/ are: lines that `deno task check` prints, no wall. Complexity is
// counted on the text, one for each branch, so it is near to what a parser would say, and quick.

import { repository } from "./repository.ts";

const [maxLines, maxComplexity, shown] = [300, 10, 5];
const branch = /\b(?:if|for|while|case|catch)\b|&&|\|\||\?\?|\?(?![.:?])(?=[^?]*?:)/g;
/** A function or method that ends at the indentation where it begins. */
const block =
  /^( *)(?:export )?(?:static )?(?:async )?(?:function\*? )?([#\w]+)(?:<[^\n]*>)?\([^;]*?\{$([\s\S]*?)^\1\}/gm;

const keywords = new Set(["if", "for", "while", "switch", "catch"]);

const files = [...listSources(`${repository}src`)].map((path) => ({
  path: path.slice(repository.length),
  text: Deno.readTextFileSync(path),
}));
const long = files.map(({ path, text }) => ({ path, lines: text.split("\n").length - 1 }))
  .filter(({ lines }) => lines > maxLines).toSorted((a, b) => b.lines - a.lines);
const functions = files.flatMap(({ path, text }) => findFunctions(path, text));
const complex = functions.filter(({ branches }) => branches > maxComplexity)
  .toSorted((a, b) => b.branches - a.branches);
const percent = (100 * complex.length / functions.length).toFixed(1);
report(`${long.length} of ${files.length} files have more than ${maxLines} lines`, [
  ...long.map(({ path, lines }) => `${path} ${lines}`),
]);
report(
  `${complex.length} of ${functions.length} functions (${percent} %; aim: 1 %) have a complexity above ${maxComplexity}`,
  complex.map(({ path, name, branches }) => `${path} ${name} ${branches}`),
);

function findFunctions(path: string, text: string) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "").replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  return [...code.matchAll(block)].filter(([, , name]) => !keywords.has(name))
    .map(([, , name, body]) => ({ path, name, branches: 1 + (body.match(branch)?.length ?? 0) }));
}

function* listSources(directory: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    const path = `${directory}/${name}`;
    if (isDirectory) yield* listSources(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

function report(head: string, rows: string[]): void {
  const more = rows.length > shown ? [`and ${rows.length - shown} more`] : [];
  const lines = [head, ...rows.slice(0, shown), ...more].join("\n  ");
  Deno.stdout.writeSync(new TextEncoder().encode(`${lines}\n`));
}
