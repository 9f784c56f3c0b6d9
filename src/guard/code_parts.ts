// The parts of added code that rules are about: functions, methods, classes, arguments, variables,
// attributes and imports, with their names and what they have. Line by line, by the look of it: it
// reads parts of files, in which a parser would find errors. Python, TypeScript and JavaScript; of
// Go, Rust, Java and the like, functions, types and imports. Pure.

import type { CodeKind } from "./guard_kinds.ts";

export interface CodePart {
  kind: CodeKind;
  name: string;
  line: string;
  /** Decorators, `docstring`, `annotations`, `try`, `assert`: what it has. */
  has: ReadonlySet<string>;
  /** What it may have outside these lines; `decorators` are all of them. */
  unknown: ReadonlySet<string>;
}

/** The parts of some lines of a file; a fragment may begin and end inside of one. */
export function codeParts(
  path: string,
  lines: readonly string[],
  { isFragment = false } = {},
): CodePart[] {
  const language = languageOf(path);
  const some = lines.filter(isShort);
  const parts = language === "python"
    ? pythonParts(some, isFragment)
    : language === undefined
    ? []
    : plainParts(some, language);
  return parts.filter(({ name }) => !/^_+$/.test(name));
}

/** Longer lines are data; patterns take their square of time. */
function isShort(line: string): boolean {
  return line.length <= 2000;
}

export function importedModules(path: string, lines: readonly string[]): string[] {
  const language = languageOf(path);
  if (language === undefined) return [];
  const some = lines.filter((line) => isShort(line) && !/^\s*(?:\/\/|\/?\*)/.test(line));
  const found = language === "python"
    ? some.flatMap((line) => {
      const [, one, several] =
        /^\s*(?:from\s+([\w.]+)\s+import\b|import\s+([\w., ]{1,300}))/.exec(line) ?? [];
      return one ?? several?.split(",").map((name) => name.trim().split(/\s/)[0]) ?? [];
    })
    : some.flatMap((line) => {
      const [, name] = importForms[language]?.exec(line) ?? [];
      return name ?? [];
    });
  return found.flat();
}

/** Whether a file is of a language whose parts are known. */
export function isKnownCode(path: string): boolean {
  return languageOf(path) !== undefined;
}

type Language = "python" | "script" | "go" | "rust" | "java";

function languageOf(path: string): Language | undefined {
  const [, ending = ""] = /\.(\w+)$/.exec(path) ?? [];
  return endings.get(ending.toLowerCase());
}

const endings = new Map<string, Language>([
  ...["py", "pyi"].map((one) => [one, "python"] as const),
  ...["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts", "vue", "svelte"]
    .map((one) => [one, "script"] as const),
  ["go", "go"],
  ["rs", "rust"],
  ...["java", "kt", "cs", "scala", "swift"].map((one) => [one, "java"] as const),
]);

const importForms: Partial<Record<Language, RegExp>> = {
  script: /(?:^|[\s;}])(?:from|import|require\(|import\()\s*\(?\s*["'`]([^"'`]{1,200})["'`]/,
  go: /^\s*(?:import\s+)?(?:[\w.]+\s+)?"([\w./-]{1,200})"\s*$/,
  rust: /^\s*(?:pub\s+)?use\s+([\w:]{1,200})/,
  java: /^\s*(?:import|using)\s+(?:static\s+)?([\w.]{1,200})/,
};

interface Open {
  indent: number;
  part: CodePart & { has: Set<string>; unknown: Set<string> };
  isClass: boolean;
  isEmpty: boolean;
}

function pythonParts(lines: readonly string[], isFragment: boolean): CodePart[] {
  const parts: CodePart[] = [];
  const open: Open[] = [];
  let decorators: string[] = [];
  const all = joinBrackets(withoutTexts(lines));
  const first = all.find((line) => line.trim() !== "");
  const toUnknown = (line: string): Set<string> =>
    new Set(isFragment && line === first ? ["decorators"] : []);
  for (const line of all) {
    if (line.trim() === "") continue;
    const indent = indentOf(line);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const holder = open.at(-1);
    if (holder?.isEmpty) {
      holder.isEmpty = false;
      if (/^\s*[rRuUbB]{0,2}"""/.test(line)) holder.part.has.add("docstring");
    }
    const decorator = /^\s*@([\w.]+)/.exec(line)?.[1].split(".").at(-1);
    if (decorator !== undefined) {
      decorators.push(`@${decorator}`);
      continue;
    }
    const type = /^\s*class\s+(\w+)/.exec(line)?.[1];
    const [, name, given, result] =
      /^\s*(?:async\s+)?def\s+(\w+)\s*\(([^]*?)\)\s*(->[^:]+)?:/.exec(line) ?? [];
    if (type !== undefined) {
      const has = new Set(decorators);
      const part = { kind: "class", name: type, line, has, unknown: toUnknown(line) } as const;
      parts.push(part);
      open.push({ indent, isClass: true, isEmpty: true, part });
    } else if (name !== undefined) {
      const isMethod = open.some(({ isClass }) => isClass) || /^\s*(?:self|cls)\b/.test(given);
      const args = splitArguments(given);
      const has = new Set(decorators);
      if (result !== undefined || args.some(({ isAnnotated }) => isAnnotated)) {
        has.add("annotations");
      }
      const kind = isMethod ? "method" : "function";
      const part = { kind, name, line, has, unknown: toUnknown(line) } as const;
      const isSpecial = isMethod && name.startsWith("__");
      if (!isSpecial) parts.push(part);
      if (!isMethod) {
        for (const { name } of args) {
          parts.push({ kind: "argument", name, line, has: new Set(), unknown: new Set() });
        }
      }
      open.push({ indent, isClass: false, isEmpty: true, part });
      if (/:\s*(?:\.\.\.|pass)\s*$/.test(line)) open.pop();
    } else {
      const inner = open.at(-1);
      if (/^\s*try\s*:/.test(line)) inner?.part.has.add("try");
      if (/^\s*assert\b/.test(line)) inner?.part.has.add("assert");
      parts.push(...assigned(line));
    }
    decorators = [];
  }
  // What goes on behind the fragment may have more.
  for (const { part, isEmpty } of isFragment ? open : []) {
    for (const one of ["try", "assert", ...(isEmpty ? ["docstring"] : [])]) part.unknown.add(one);
  }
  return parts;
}

/** Names that a line gives a value. */
function assigned(line: string): CodePart[] {
  const [, left] =
    /^\s*([\w.,\s()*[\]]{1,200}?)\s*(?::\s*[\w[\], .|"']{1,100})?\s*=(?!=)/.exec(line) ??
      [];
  // A line of a call, `timeout=30,`, gives a name to an argument; so does `open(path, mode="r")`.
  const isArgument = /,\s*$/.test(line) || /[\w\])]\s*\(/.test(left ?? "") ||
    line.split(")").length > line.split("(").length;
  if (left === undefined || isArgument || statements.test(left.trim())) return [];
  return left.replace(/[()]/g, "").split(",").flatMap((one): CodePart[] => {
    const [, self, name] = /^\s*\*?(self\.)?([A-Za-z_]\w*)\s*$/.exec(one) ?? [];
    if (name === undefined) return [];
    const kind = self === undefined ? "variable" : "attribute";
    return [{ kind, name, line, has: new Set(), unknown: new Set() }];
  });
}

const statements =
  /^(?:return|assert|if|while|for|elif|else|try|finally|except|with|await|yield|raise|del|lambda|print)\b/;

function splitArguments(given: string): { name: string; isAnnotated: boolean }[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let i = 0; i <= given.length; i++) {
    if (i === given.length || (given[i] === "," && depth === 0)) {
      parts.push(given.slice(from, i));
      from = i + 1;
    } else if (/[([{]/.test(given[i])) depth++;
    else if (/[)\]}]/.test(given[i])) depth--;
  }
  return parts.flatMap((part) => {
    const [, name, colon] = /^\s*([A-Za-z_]\w*)\s*(:)?/.exec(part) ?? [];
    return name === undefined || name === "self" || name === "cls"
      ? []
      : [{ name, isAnnotated: colon !== undefined }];
  });
}

/** Texts over several lines become one line of three quotes; comments go. */
function withoutTexts(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let end: string | undefined;
  for (const line of lines) {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      continue;
    }
    const [, before, mark] = /^([^#]*?)("""|''')/.exec(line) ?? [];
    if (mark === undefined) {
      kept.push(line.replace(/(^|\s)#.*$/, "$1"));
      continue;
    }
    const rest = line.slice(before.length + 3);
    const close = rest.indexOf(mark);
    if (close < 0) end = mark;
    kept.push(`${before}"""${close < 0 ? "" : `"${rest.slice(close + 3)}`}`);
  }
  return kept;
}

/** A statement over several lines becomes one. */
function joinBrackets(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let depth = 0;
  for (const line of lines) {
    if (depth > 0 && (joined.at(-1)?.length ?? 0) < maxStatement) {
      joined[joined.length - 1] += ` ${line.trim()}`;
    } else {
      depth = 0;
      joined.push(line);
    }
    for (const char of line.replace(/"[^"]*"|'[^']*'/g, "")) {
      if ("([{".includes(char)) depth++;
      else if (")]}".includes(char)) depth = Math.max(0, depth - 1);
    }
  }
  return joined;
}

const maxStatement = 4000;

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Languages with braces, by the look of a line. */
function plainParts(lines: readonly string[], language: Language): CodePart[] {
  return lines.flatMap((line) => {
    if (/^\s*(?:\/\/|\*|\/\*)/.test(line)) return [];
    const found = forms[language]?.flatMap(([kind, form]): CodePart[] => {
      const name = form.exec(line)?.[1];
      return name === undefined || keywords.has(name)
        ? []
        : [{ kind, name, line, has: new Set(), unknown }];
    });
    return found?.slice(0, 1) ?? [];
  });
}

/** Of braces nobody reads what is between them. */
const unknown: ReadonlySet<string> = new Set(
  ["docstring", "annotations", "try", "assert", "decorators"],
);

const keywords: ReadonlySet<string> = new Set(
  "if for while switch catch return function constructor super else do new await".split(" "),
);

const forms: Partial<Record<Language, [CodeKind, RegExp][]>> = {
  script: [
    [
      "class",
      /^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:class|interface|type|enum)\s+(\w+)/,
    ],
    ["function", /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*(\w+)/],
    [
      "function",
      /^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\s*(?::[^=]{1,200})?=\s*(?:async\s*)?(?:\([^()]*\)|\w+)\s*(?::\s*[\w<>[\]. |]{1,100})?=>/,
    ],
    ["variable", /^\s*(?:export\s+)?(?:const|let|var)\s+(\w+)\b/],
    [
      "method",
      /^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*#?(\w+)\s*\([^)]*\)\s*(?::\s*[^{]{1,200})?\{/,
    ],
  ],
  go: [
    ["method", /^func\s+\([^)]*\)\s*(\w+)/],
    ["function", /^func\s+(\w+)/],
    ["class", /^type\s+(\w+)/],
    ["variable", /^\s*(?:var|const)\s+(\w+)/],
  ],
  rust: [
    ["function", /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?(?:unsafe\s+)?fn\s+(\w+)/],
    ["class", /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|enum|trait|type)\s+(\w+)/],
    ["variable", /^\s*let\s+(?:mut\s+)?(\w+)/],
  ],
  java: [
    ["class", /^\s*(?:[\w@]+\s+){0,6}(?:class|interface|enum|record|struct)\s+(\w+)/],
    ["method", /^\s+(?:fun\s+|func\s+|[\w<>[\],.]+\s+){1,6}(\w+)\s*\([^)]*\)[^;]*\{?\s*$/],
  ],
};
