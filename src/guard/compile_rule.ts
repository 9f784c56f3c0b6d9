// Turns a rule in the user's words into a check, by templates and never by a model: what is not one of
// them says so and stays a rule that is told. Pure.

import { type CodeKind, codeKinds, type GuardCheck, type GuardMode } from "./guard_kinds.ts";

/** What a rule comes to. */
export interface CompiledRule {
  check: GuardCheck;
  instead?: string;
  /** The mode that its words ask for: "never … without asking" is a question. */
  mode?: GuardMode;
  except?: string[];
}

/** The check of a rule; undefined where no template fits. */
export function compileRule(rule: string): CompiledRule | undefined {
  const text = normalize(rule);
  if (text.length > maxChars) return undefined;
  for (const template of templates) {
    const found = template(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

const maxChars = 400;

type Template = (text: string) => CompiledRule | undefined;

/** One line, straight quotes, no politeness, no full stop. */
function normalize(rule: string): string {
  return rule.replace(/[‘’]/g, "'").replace(/[“”]/g, '"').replace(/\s+/g, " ").trim()
    .replace(/^(?:[-*•]|\d+[.)])\s+/, "").replace(/\*\*/g, "")
    .replace(
      /^(?:(?:please|also|and|but|ok|okay|so|note|important|rule|remember|reminder|from now on|in this (?:repo|project|repository|codebase))[,:]?\s+(?:that\s+|to\s+)?)+/i,
      "",
    )
    .replace(/^(?:you|we|agents?)\s+(?:must|should|need to|have to|are to)\s+/i, "always ")
    .replace(/\balways never\b/i, "never").replace(/\balways not\b/i, "never")
    .replace(/\b(?:make sure|be sure|ensure)\s+(?:to|that you|you)\s+/i, "")
    .replace(/[.!]+$/, "");
}

const no = String.raw`(?:never(?: ever)?|do not|don't|dont|no longer|must not|avoid|stop)`;
const quoted = "[`'\"]([^`'\"]{1,120})[`'\"]";
const negative = new RegExp(`^${no}\\b`, "i");

// --- names and contents of code

const kindWords: [RegExp, CodeKind][] = [
  [/^(?:function|method) (?:arguments?|parameters?)$|^(?:arguments?|parameters?)$/, "argument"],
  [/^functions?$/, "function"],
  [/^methods?$/, "method"],
  [/^(?:class(?:es)?|types?|interfaces?|components?)$/, "class"],
  [/^variables?$/, "variable"],
  [/^(?:attributes?|fields?|properties|property)$/, "attribute"],
];

function kindOf(word: string): CodeKind | undefined {
  const plain = word.toLowerCase().trim().replace(/^(?:all|any|every|each|your|the|new) /, "");
  return kindWords.find(([form]) => form.test(plain))?.[1];
}

const kind = String.raw`((?:(?:function|method) )?[a-z]+)`;

const caseWords: [RegExp, string][] = [
  [/snake[ _-]?case/i, "snake_case"],
  [/pascal[ _-]?case|upper ?camel ?case|\bCamelCase/, "PascalCase"],
  [/camel[ _-]?case/i, "camelCase"],
  [/(?:all )?upper[ _-]?case|screaming/i, "UPPERCASE"],
  [/kebab[ _-]?case/i, "kebab-case"],
];

const nameForms: [RegExp, (word: string) => string][] = [
  [
    new RegExp(
      `^(?:always )?(?:start|begin|prefix) (?:all |your )?${kind} names? with (?:the (?:prefix|string) )?(\\S+)$`,
      "i",
    ),
    (word) => `${word}*`,
  ],
  [
    new RegExp(
      `^(?:always )?(?:end|suffix) (?:all |your )?${kind} names? with (?:the (?:suffix|string) )?(\\S+)$`,
      "i",
    ),
    (word) => `*${word}`,
  ],
  [
    new RegExp(
      `^(?:all )?${kind} names? (?:must |should |always )*(?:start|begin)s? with (\\S+)$`,
      "i",
    ),
    (word) => `${word}*`,
  ],
  [
    new RegExp(`^(?:all )?${kind} names? (?:must |should |always )*ends? (?:with|in) (\\S+)$`, "i"),
    (word) => `*${word}`,
  ],
];

const naming: Template = (text) => {
  for (const [form, toPattern] of nameForms) {
    const [, of, word] = form.exec(text) ?? [];
    const names = of === undefined ? undefined : kindOf(of);
    if (names === undefined) continue;
    const like = toPattern(unquote(word));
    return { check: { on: "edit", names, like }, instead: `name it like ${like}` };
  }
  const [, part, inNames] =
    new RegExp(`^(?:always )?include (.{1,60}?) in (?:all |your )?${kind} names?$`, "i").exec(
      text,
    ) ??
      [];
  const names = inNames === undefined ? undefined : kindOf(inNames);
  if (names !== undefined) {
    const word = new RegExp(quoted).exec(part)?.[1];
    const like = word !== undefined ? `*${word}*` : /\bdigit\b/i.test(part) ? "*[0-9]*" : undefined;
    if (like !== undefined) {
      return { check: { on: "edit", names, like }, instead: `name it like ${like}` };
    }
  }
  return ofCase(text);
};

/** "use snake_case for function names", "class names are in PascalCase". */
function ofCase(text: string): CompiledRule | undefined {
  const [, how, of] =
    new RegExp(`^(?:always )?use (.{1,30}?) for (?:all |your )?${kind}(?: names?)?$`, "i").exec(
      text,
    ) ??
      [];
  const [, ofFirst, howLast] = new RegExp(
    `^(?:all )?${kind}(?: names?)? (?:are|is|must be|should be|in|always) (?:in |written in )?(.{1,30})$`,
    "i",
  ).exec(text) ?? [];
  const names = kindOf(of ?? ofFirst ?? "");
  const like = caseWords.find(([form]) => form.test(how ?? howLast ?? ""))?.[1];
  if (names === undefined || like === undefined) return undefined;
  return { check: { on: "edit", names, like }, instead: `write its name in ${like}` };
}

const contents: Template = (text) => {
  const [, decorator, of] = new RegExp(
    `^(?:always )?(?:add|use|put) (?:the )?['"\`]?@([\\w.]+)['"\`]? decorator (?:from .{1,40} )?(?:to|on|for) (?:all |every |each )?${kind}$`,
    "i",
  )
    .exec(text) ?? [];
  const decorated = of === undefined ? undefined : kindOf(of);
  if (decorated !== undefined) {
    const has = `@${decorator.split(".").at(-1)}`;
    return { check: { on: "edit", each: decorated, has }, instead: `add ${has}` };
  }
  const [, what, on] = new RegExp(
    `^(?:always )?(?:use|add|include|write|have) (docstrings?|(?:type )?annotations?|type hints?|try(?:-except)? (?:statements?|blocks?)|assert(?:ion)?(?: statements?)?s?) (?:for|in|to|on) (?:all |every |each |your )?${kind}$`,
    "i",
  ).exec(text) ?? [];
  const each = on === undefined ? undefined : kindOf(on);
  if (each !== undefined) {
    const has = contentNames.find(([form]) => form.test(what))?.[1];
    if (has !== undefined) return { check: { on: "edit", each, has }, instead: `add ${has}` };
  }
  const [, module] = new RegExp(
    `^always import (?:the )?${quoted} (?:module|package|library)`,
    "i",
  ).exec(text) ?? [];
  if (module !== undefined) {
    const check = { on: "edit", each: "file", has: `import ${module}` } as const;
    return { check, instead: `import ${module}` };
  }
  if (/^always (?:add|include|write|use) comments (?:in|to) (?:your|the|all) code$/i.test(text)) {
    return { check: { on: "edit", each: "file", has: "comments" }, instead: "comment it" };
  }
  return undefined;
};

const contentNames: [RegExp, string][] = [
  [/^docstring/i, "docstring"],
  [/annotation|type hint/i, "annotations"],
  [/^try/i, "try"],
  [/^assert/i, "assert"],
];

// --- commands

/** Programs that people have rules about; with them, what else starts them. */
const tools = new Map<string, string[]>([
  ["npm", ["npm", "npx"]],
  ...[
    "npx",
    "yarn",
    "pnpm",
    "bun",
    "pip",
    "pip3",
    "pipenv",
    "poetry",
    "uv",
    "conda",
    "jest",
    "vitest",
  ]
    .map((one): [string, string[]] => [one, [one]]),
  ...["mocha", "pytest", "make", "cargo", "docker", "podman", "curl", "wget", "grep", "find", "sed"]
    .map((one): [string, string[]] => [one, [one]]),
  ...[
    "tsc",
    "eslint",
    "prettier",
    "biome",
    "webpack",
    "vite",
    "gulp",
    "gradle",
    "mvn",
    "brew",
    "apt",
  ]
    .map((one): [string, string[]] => [one, [one]]),
  ...[
    "python",
    "python3",
    "python2",
    "node",
    "deno",
    "ruby",
    "go",
    "kubectl",
    "terraform",
    "rm",
    "sudo",
  ]
    .map((one): [string, string[]] => [one, [one]]),
]);

const pair: Template = (text) => {
  const forms = [
    /^(?:always |only )?(?:use|prefer|run) (.{1,60}?),? (?:instead of|not|rather than|over|and not|and never|never) (.{1,60})$/i,
    new RegExp(
      `^${no} (?:use|using|run|running|import|importing) (.{1,60}?)[,;:.–—-]+ ?(?:always |but |please )?(?:use|prefer|run) (.{1,60}?)(?: instead)?$`,
      "i",
    ),
    new RegExp(
      `^${no} (?:use|using|run|running) (.{1,60}?) (?:but|and) (?:use )?(.{1,60}?)(?: instead)?$`,
      "i",
    ),
    /^replace (.{1,60}?) (?:with|by) (.{1,60})$/i,
  ];
  for (const [i, form] of forms.entries()) {
    const found = form.exec(text);
    if (found === null) continue;
    const [wanted, unwanted] = i === 0 ? [found[1], found[2]] : [found[2], found[1]];
    const check = toUnwanted(unwanted, text);
    if (check !== undefined) return { check, instead: `use ${unquote(firstWords(wanted))}` };
  }
  return undefined;
};

/** What is not to be used: a program, a module, or words in code. */
function toUnwanted(said: string, rule: string): GuardCheck | undefined {
  const word = unquote(firstWords(said)).replace(/^(?:the|a|an) /i, "");
  const runs = tools.get(word.toLowerCase());
  if (runs !== undefined) return { on: "command", runs };
  if (/^(?:git|npm|yarn|pnpm|docker|cargo|pip|make|go|deno) \S/.test(word)) {
    return { on: "command", runs: [word] };
  }
  const isCode = said.includes("`") || /^[\w@][\w./@-]*$/.test(word);
  if (!isCode) return undefined;
  if (/\b(?:import|librar|package|module|dependenc)/i.test(rule)) {
    return { on: "edit", imports: [word] };
  }
  if (knownModules.has(word.toLowerCase())) return { on: "edit", imports: [word] };
  if (/^[\w$.]+\.\w+(?:\(\))?$/.test(word) || said.includes("`") || codeWords.has(word)) {
    return { on: "edit", adds: [word.replace(/\(\)$/, "")], in: inCode };
  }
  return undefined;
}

const knownModules: ReadonlySet<string> = new Set(
  "lodash moment axios requests jquery underscore request node-fetch bluebird enzyme redux mobx pandas numpy express styled-components unittest"
    .split(" "),
);
const codeWords: ReadonlySet<string> = new Set(
  "any var eval goto unwrap print println! debugger enum namespace require null".split(
    " ",
  ),
);
const inCode = "ts tsx js jsx mjs cjs mts py go rs java kt rb php cs swift c cc cpp h vue svelte"
  .split(" ").map((ending) => `*.${ending}`);

const commands: Template = (text) => {
  const asks =
    /\b(?:without (?:asking|my|permission|approval|explicit)|unless (?:i|the user|explicitly|asked)|before asking)/i
      .test(text);
  const mode = asks ? { mode: "ask" as const } : {};
  const plain = text.replace(/,? (?:without|unless|before asking)\b.*$/i, "");
  if (!negative.test(plain)) return undefined;
  const said = plain.replace(negative, "").trim();
  const known = gitRules.find(([form]) => form.test(said));
  if (known !== undefined) {
    const [form, toCheck] = known;
    const found = form.exec(said);
    if (found !== null) return { check: toCheck(found), ...mode };
  }
  const [, command] = new RegExp(
    `^(?:run|running|execute|executing|call|calling|use|using|invoke) (?:the command )?${quoted}`,
    "i",
  ).exec(said) ?? [];
  const words = command ?? /^(?:run|running|execute|executing) (\S.{0,60})$/i.exec(said)?.[1];
  if (words === undefined) return undefined;
  const [program] = words.split(" ");
  const isProgram = tools.has(program) ||
    /^(?:git|gh|npm|npx|\.\/|bash|sh|rm|aws|gcloud)\b/.test(words);
  return isProgram ? { check: { on: "command", runs: [words] }, ...mode } : undefined;
};

const gitRules: [RegExp, (found: RegExpExecArray) => GuardCheck][] = [
  [
    /^(?:force[- ]push(?:ing)?|push(?:ing)? (?:with )?(?:--force|-f)\b|(?:use|using|do|doing) force[- ]push)/i,
    () => ({
      on: "command",
      runs: ["git push --force", "git push -f", "git push --force-with-lease"],
    }),
  ],
  [
    /^(?:git )?push(?:ing)?(?: directly| straight)? (?:to|on|into) (?:the )?['"`]?([\w/.-]+)['"`]?/i,
    ([, to]) => ({
      on: "command",
      runs: branchesOf(to).flatMap((one) => [`git push * ${one}`, `git push * *:${one}`]),
    }),
  ],
  [
    /^(?:git )?commit(?:ting)?(?: directly| straight)? (?:to|on) (?:the )?['"`]?(main|master|develop|trunk)['"`]?/i,
    ([, to]) => ({
      on: "command",
      runs: ["git commit"],
      branches: branchesOf(to),
    }),
  ],
  [
    /^(?:git )?(?:commit|committing)\b(?: anything| code| changes)?$/i,
    () => ({ on: "command", runs: ["git commit"] }),
  ],
  [
    /^(?:git )?(?:push|pushing)\b(?: anything| code| changes)?$/i,
    () => ({ on: "command", runs: ["git push"] }),
  ],
  [
    /^(?:(?:use|using|run|running|do|doing) )?['"`]?git (reset --hard|stash|rebase|add -A|add \.|checkout|clean|commit --amend)['"`]?/i,
    ([, what]) => ({
      on: "command",
      runs: [`git ${what}`],
    }),
  ],
  [/^amend/i, () => ({ on: "command", runs: ["git commit --amend"] })],
  [
    /^(?:(?:use|using|pass|passing|add|adding) )?['"`]?--no-verify['"`]?|^skip(?:ping)? (?:the )?(?:git |pre-commit )?hooks/i,
    () => ({
      on: "command",
      runs: ["git * --no-verify", "git commit -n"],
    }),
  ],
];

function branchesOf(name: string): string[] {
  return /^(?:main|master)$/i.test(name) ? ["main", "master"] : [name];
}

// --- files

const touch: Template = (text) => {
  const forms = [
    new RegExp(
      `^${no} (?:touch|edit|modify|change|write to|alter|update|delete|remove|overwrite)(?:ing)? (.{1,160})$`,
      "i",
    ),
    /^(.{1,120}?) (?:is|are) (?:auto-?)?(?:generated|read-only|vendored|frozen|off limits)\b/i,
  ];
  for (const form of forms) {
    const said = form.exec(text)?.[1];
    if (said === undefined) continue;
    const touches = toPaths(said);
    if (touches.length > 0) return { check: { on: "edit", touches } };
  }
  return undefined;
};

/** The paths that some words name; what everybody calls by a word has its patterns. */
function toPaths(said: string): string[] {
  const named = [
    ...said.matchAll(
      /[`'"]([^`'"\s]{1,120})[`'"]|(?:^|\s)((?:[\w.@*-]+\/)+[\w.@*-]*|\.?[\w*-]+\.(?:\w{1,8}))(?=[\s,;]|$)/g,
    ),
  ]
    .map(([, quote, bare]) => quote ?? bare)
    .filter((path) => /[./*]/.test(path) || said.includes("director") || said.includes("folder"));
  if (named.length > 0) return named;
  return pathWords.find(([form]) => form.test(said))?.[1] ?? [];
}

const pathWords: [RegExp, string[]][] = [
  [/\bmigrations?\b/i, ["migrations/", "migrate/"]],
  [/\block ?files?\b/i, [
    "*.lock",
    "package-lock.json",
    "pnpm-lock.yaml",
    "*-lock.json",
    "bun.lockb",
  ]],
  [/\bgenerated\b/i, [
    "*.gen.*",
    "*.generated.*",
    "*_generated.*",
    "generated/",
    "*.pb.go",
    "*_pb2.py",
  ]],
  [/\bvendor(?:ed)?\b/i, ["vendor/", "third_party/"]],
  [/\b(?:dot)?env files?\b|\.env\b/i, [".env", ".env.*"]],
  [/\bsnapshots?\b/i, ["__snapshots__/", "*.snap"]],
];

const place: Template = (text) => {
  const [, what, where] =
    /^(?:always )?(?:put|place|keep|write|create|add|store)?\s*(?:all |new |your )*(tests?|unit tests?|test files?|migrations?|docs?|documentation|components?) (?:files? )?(?:go|goes|belong|belongs|live|lives|in|into|under|must be in|should be in|should go|are)\s?(?:in|into|under|to)? (?:the )?[`'"]?([\w./-]+\/?[\w.-]*)[`'"]?(?: (?:folder|directory))?(?:,? (?:not|never) .{1,60})?$/i
      .exec(text) ?? [];
  if (where === undefined || !/[/`]|^\w+$/.test(where) || stopWords.has(where)) return undefined;
  const creates = placeWords.find(([form]) => form.test(what))?.[1];
  if (creates === undefined) return undefined;
  const below = [`${where.replace(/^\.?\//, "").replace(/\/+$/, "")}/**`];
  return { check: { on: "edit", creates, below }, instead: `put it in ${where}` };
};

const stopWords: ReadonlySet<string> = new Set("english the a an markdown typescript".split(" "));
const placeWords: [RegExp, string[]][] = [
  [/test/i, ["*_test.*", "*.test.*", "*.spec.*", "test_*.py"]],
  [/migration/i, ["*.sql"]],
  [/doc/i, ["*.md", "*.mdx"]],
  [/component/i, ["*.tsx", "*.jsx", "*.vue", "*.svelte"]],
];

// --- words in code, and what is done before the end

const words: Template = (text) => {
  const said = negative.test(text)
    ? text.replace(negative, "").replace(
      /^ (?:use|using|add|adding|write|writing|leave|leaving|import|importing|have|include|put) /i,
      " ",
    ).trim()
    : /^no (.{1,80})$/i.exec(text)?.[1];
  if (said === undefined) return undefined;
  const known = lineWords.find(([form]) => form.test(said));
  if (known !== undefined) return { check: { on: "edit", adds: known[1], in: known[2] ?? inCode } };
  const [, name] = new RegExp(
    `^(?:the )?${quoted}(?: (?:in|anywhere|directly|here|package|library|module|type|keyword|imports?).{0,60})?$`,
  )
    .exec(said) ?? [];
  const plain = name ?? /^([\w@][\w./@-]{1,40})(?: (?:library|package|module))$/.exec(said)?.[1];
  const check = plain === undefined ? undefined : toUnwanted(name ? `\`${plain}\`` : plain, text);
  return check && { check };
};

const lineWords: [RegExp, string[], string[]?][] = [
  [/^(?:the )?[`'"]?any[`'"]?(?: types?)?\b(?: in (?:ts|typescript))?$/i, [
    ": any",
    "as any",
    "<any>",
    "any[]",
  ], ["*.ts", "*.tsx", "*.mts"]],
  [/^[`'"]?console[.]logs?[`'"]?/i, ["console" + ".log"], [
    "*.ts",
    "*.tsx",
    "*.js",
    "*.jsx",
    "*.mjs",
  ]],
  [/^[`'"]?print(?:\(\))?[`'"]?(?: statements?)?/i, ["print("], ["*.py"]],
  [/^default exports?/i, ["export default"]],
  [/^(?:todos?|fixmes?)\b/i, ["TODO", "FIXME"]],
  [/^[`'"]?@?ts-ignore[`'"]?/i, ["@ts-ignore"]],
  [/^[`'"]?eslint-disable[`'"]?/i, ["eslint-disable"]],
  [/^(?:wildcard|star) imports?/i, ["import *"], ["*.py", "*.java"]],
  [/^(?:var|[`'"]var[`'"])\b/i, ["var "], ["*.ts", "*.tsx", "*.js", "*.jsx"]],
];

const ending: Template = (text) => {
  const [, said, when] =
    /^(?:always )?run (?:the |all )?(.{1,80}?) (before (?:you )?(?:finish|finishing|commit|committing|pushing|push|stopping|you are done|ending|completing|saying|declaring|claiming).{0,40}|after (?:every|each|any|all) (?:change|edit|task).{0,30}|at the end.{0,20}|when (?:you are )?(?:done|finished))$/i
      .exec(text) ?? [];
  const [, early, late] =
    /^before (?:you )?(finish(?:ing)?|commit(?:ting)?|push(?:ing)?),? (?:always )?run (?:the |all )?(.{1,80})$/i
      .exec(text) ?? [];
  const what = said ?? late;
  if (what === undefined) return undefined;
  const ran = toRuns(what);
  if (ran.length === 0) return undefined;
  const at = when ?? early;
  const before = /commit/i.test(at) ? ["git commit"] : /push/i.test(at) ? ["git push"] : undefined;
  return {
    check: { on: "end", ran, ...(before ? { before } : {}) },
    instead: `run ${ran[0]} first`,
  };
};

/** The commands that some words mean. */
function toRuns(said: string): string[] {
  const named = new RegExp(quoted).exec(said)?.[1];
  if (named !== undefined) return [named];
  const [program] = said.split(" ");
  if (tools.has(program) || program === "git") return [said];
  if (/\btests?(?: suite)?$/i.test(said)) {
    return ["* test*", "*test*", "pytest", "jest", "vitest", "cargo test", "go test"];
  }
  if (/\b(?:formatter|linter|lint|format)\b/i.test(said)) {
    return ["* fmt*", "* format*", "* lint*", "prettier", "eslint", "biome", "ruff", "black"];
  }
  return [];
}

function unquote(word: string): string {
  return word.trim().replace(/^[`'"]+|[`'".,;:]+$/g, "");
}

/** Without what is said about it: "npm for installing packages" is about npm. */
function firstWords(said: string): string {
  return said.replace(
    / (?:for|when|in|to|as|because|since|whenever|anywhere|everywhere|instead)\b.*$/i,
    "",
  )
    .trim();
}

const templates: readonly Template[] = [
  naming,
  contents,
  pair,
  commands,
  touch,
  place,
  ending,
  words,
];

/** What can be named in rules, for help. */
export const ruleKinds: readonly string[] = codeKinds;
