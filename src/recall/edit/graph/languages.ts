// The languages the code graph understands, as a table: which files they are, what in them is no
// code, how definitions look and what they import. Patterns, no grammars: callers and importers need
// names, lines and imports, and nothing else of a language.

export type Language = "script" | "python" | "go" | "rust" | "java";

export interface LanguageRules {
  extensions: readonly string[];
  /** Comments, texts and patterns: no names in them count. */
  quiet: RegExp;
  /** The last group is the name. */
  definitions: readonly (readonly [kind: string, pattern: RegExp])[];
  /** Imports in code without its texts. A match that ends in a quote has its text next. */
  imports: RegExp;
}

/** Extensions that a script's import may leave out, in the order they are tried. */
export const scriptExtensions = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"] as const;

// A text without an end takes its line, a comment without one the rest: nothing is looked at twice.
const double = /"(?:[^"\\\n]+|\\.)*"?/.source;
const single = /'(?:[^'\\\n]+|\\.)*'?/.source;
const character = /'(?:[^'\\\n]|\\[^'\n]{1,9})'/.source;
const raw = /`(?:[^`\\]+|\\[\s\S])*`?/.source;
const comments = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/.source;
const regex =
  /(?<=(?:^|[=(,:;!&|?{}[\n]|\breturn)[ \t]{0,20})\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,400}\//
    .source;
const any = (...parts: string[]): RegExp => new RegExp(parts.join("|"), "g");

// A method of a script: its head ends in a brace, on the same line or after a few for parameters.
const modifiers = "public|private|protected|static|async|override|abstract|readonly|get|set";
const oneLine = /(?:<[^\n(]*>)?\((?![^\n]*(?:=>|function))[^\n]*\)[ \t]*(?::[^\n;=()]*)?\{/.source;
const severalLines = "\\(\\n(?:\\k<indent>[ \\t][^\\n]*\\n){1,12}\\k<indent>\\)[^\\n;=]*\\{";
const method = (rest: string): RegExp =>
  new RegExp(`^(?<indent>[ \\t]+)(?:(?:${modifiers})[ \\t]+|\\*[ \\t]*)*#?([\\w$]+)${rest}`, "dgm");

export const languages: Record<Language, LanguageRules> = {
  script: {
    extensions: scriptExtensions,
    quiet: any(comments, regex, double, single, raw),
    definitions: [
      ["function", /\bfunction\s*(?:\*\s*)?([\w$]+)\s*[(<]/dg],
      ["class", /\bclass\s+([\w$]+)/dg],
      ["type", /\b(?:interface|enum|type)\s+([\w$]+)(?=\s*[<={]|\s+extends)/dg],
      ["variable", /^(?:export\s+)?(?:const|let|var)\s+([\w$]+)/dgm],
      ["method", method(oneLine)],
      ["method", method(severalLines)],
    ],
    imports: /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?["'`]/g,
  },
  python: {
    extensions: ["py", "pyi"],
    quiet: any(/#[^\n]*|("""|''')[\s\S]*?(?:\1|$)/.source, double, single),
    definitions: [
      ["function", /^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)/dgm],
      ["class", /^[ \t]*class[ \t]+(\w+)/dgm],
      ["variable", /^(\w+)[ \t]*(?::[^=\n]*)?=(?!=)/dgm],
    ],
    imports:
      /^[ \t]*from[ \t]+(?<from>[\w.]+)[ \t]+import[ \t]+(?<names>\([^)]{0,4000}|[^\n]*)|^[ \t]*import[ \t]+(?<list>[^\n]*)/gm,
  },
  go: {
    extensions: ["go"],
    quiet: any(comments, double, character, raw),
    definitions: [
      ["function", /^func\s+(?:\([^)\n]*\)\s*)?(\w+)/dgm],
      ["type", /^type\s+(\w+)/dgm],
      ["variable", /^(?:const|var)\s+(\w+)/dgm],
    ],
    imports: /^(?:import\s+)?(?:\(\s*)?[ \t]*(?:[\w.]+[ \t]+)?"(?= *"\s*$)/gm,
  },
  rust: {
    extensions: ["rs"],
    quiet: any(comments, /r#+"[\s\S]*?(?:"#|$)|"(?:[^"\\]+|\\[\s\S])*"?/.source, character),
    definitions: [
      ["function", /\bfn\s+(\w+)/dg],
      ["class", /\b(?:struct|enum|trait|union)\s+(\w+)/dg],
      ["variable", /^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:type|const|static)\s+(\w+)/dgm],
      ["macro", /\bmacro_rules!\s*(\w+)/dg],
    ],
    imports: /\buse\s+(?<use>[\w:]+(?:\{[^;]{0,2000})?)|\bmod\s+(?<mod>\w+)\s*;/g,
  },
  java: {
    extensions: ["java"],
    quiet: any(comments, /"""[\s\S]*?(?:"""|$)/.source, double, character),
    definitions: [
      ["class", /\b(?:class|interface|enum|record)\s+(\w+)/dg],
      [
        "method",
        /^[ \t]+(?!(?:return|new|else|throw)\b)[\w@<>[\],.? \t]{1,200}[ \t](\w+)\s*\([^;{}]{0,1000}\)[^;{}=()]{0,200}\{/dgm,
      ],
    ],
    imports: /^import\s+(?:static\s+)?(?<list>[\w.*]+)/gm,
  },
};

/** Words that are no names, in any of the languages. */
export const keywords: ReadonlySet<string> = new Set(
  "abstract as async await boolean break case catch char class const continue crate def default defer delete do double elif else enum except export extends extern false final finally float fn for from func function go goto if impl implements import in instanceof int interface is lambda let long loop match mod mut native new nil None not null number or package pass private protected public raise range record ref return select self Self short static string struct super switch synchronized then this throw throws trait transient true True False try type typeof undefined union unsafe use var void volatile where while with yield"
    .split(" "),
);

const byExtension = new Map(
  Object.entries(languages).flatMap(([name, { extensions }]) =>
    extensions.map((extension): [string, Language] => [extension, name as Language])
  ),
);

/** The language of a file by its name, or undefined when the graph does not know it. */
export function findLanguage(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? undefined : byExtension.get(name.slice(dot + 1).toLowerCase());
}
