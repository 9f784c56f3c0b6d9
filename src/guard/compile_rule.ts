// Turns a rule in the user's words into a check, by templates and never by a model: what is not one of
// them says so and stays a rule that is told. Pure.

import { type CodeKind, type GuardCheck, type GuardMode } from "./guard_kinds.ts";

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
    .replace(/(\S)[.!]+$/, "$1");
}

const no = String.raw`(?:never(?: ever)?|do not|don't|dont|no longer|must not|avoid|stop)`;
const quoted = "[`'\"]([^`'\"]{1,120})[`'\"]";
const negative = new RegExp(`^${no}\\b`, "i");

// --- names and contents of code

const kindWords: [RegExp, CodeKind][] = [
  [/^(?:function|method) (?:arguments?|parameters?)$|^(?:arguments?|parameters?)$/, "argument"],
  [/^functions?$/, "function"],
  [/^methods?$/, "method"],
  [/^(?:class(?:es)?|types?|interfaces?)$/, "class"],
  [/^variables?$/, "variable"],
  [/^(?:attributes?|fields?|properties|property)$/, "attribute"],
];

function kindOf(word: string): CodeKind | undefined {
  const plain = word.toLowerCase().trim().replace(/^(?:all|any|every|each|your|the|new) /, "")
    .replace(/ names?$/, "");
  return kindWords.find(([form]) => form.test(plain))?.[1];
}

const kind = String.raw`((?:(?:function|method) )?[a-z]+)`;

const caseWords: [RegExp, string][] = [
  [/snake[ _-]?case/i, "snake_case"],
  [/pascal[ _-]?case|upper ?camel ?case/i, "PascalCase"],
  [/\bCamelCase/, "PascalCase"],
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
    return { check: { on: "edit", names, like }, instead: `use a name that matches ${like}` };
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
      return { check: { on: "edit", names, like }, instead: `use a name that matches ${like}` };
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
    return { check: { on: "edit", each: "file", has: "comments" }, instead: "add comments" };
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
    "mise",
    "turbo",
    "nx",
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
  ...["cd", "cat", "awk", "ssh", "scp", "psql", "mysql", "kill", "killall", "pkill", "chmod"]
    .map((one): [string, string[]] => [one, [one]]),
  ...["docker-compose", "ts-node", "tsx", "nodemon", "bunx", "just", "cmake", "bundle", "composer"]
    .map((one): [string, string[]] => [one, [one]]),
  ["pip", ["pip", "pip3"]],
]);

/** Programs for so many purposes that "instead of curl for …" is not about all of them. */
const generalTools: ReadonlySet<string> = new Set(
  "curl wget grep find sed awk cat rm node python python3 ruby go deno bun docker make ssh sudo npx kill"
    .split(" "),
);

const pair: Template = (text) => {
  const forms = [
    /^(?:always |only )?(?:use|prefer|run) (.{1,60}?),? (?:instead of|not|rather than|over|and not|and never|never) (.{1,60})$/i,
    new RegExp(
      `^${no} (?:use|using|run|running|import|importing) (.{1,60}?)[,;:.–—-]+ ?(?:always |but |please )?(?:use|prefer|run) (.{1,60}?)(?: instead)?$`,
      "i",
    ),
    new RegExp(
      `^${no} (?:use|using|run|running) (.{1,60}?),? (?:but|and) (?:always )?(?:use|prefer|run) (.{1,60}?)(?: instead)?$`,
      "i",
    ),
    /^replace (.{1,60}?) (?:with|by) (.{1,60})$/i,
  ];
  for (const [i, form] of forms.entries()) {
    const found = form.exec(text);
    if (found === null) continue;
    const [wanted, unwanted] = i === 0 ? [found[1], found[2]] : [found[2], found[1]];
    const compiled = toUnwanted(unwanted, text);
    if (compiled === undefined) continue;
    const better = new RegExp(quoted).exec(wanted)?.[1] ?? unquote(firstWords(wanted));
    return { ...compiled, ...meantFor(compiled.check, better), instead: `use ${better}` };
  }
  return undefined;
};

/** `uv run pytest` instead of `pytest` starts it, too. */
function meantFor(check: GuardCheck, better: string): { except?: string[] } {
  if (check.on !== "command") return {};
  const isStarter = /^(?:uv|poetry|pipenv) run$|^(?:npx|bunx|uvx|pnpm exec|python3? -m)$/.test(
    better,
  );
  const starts = check.runs.some((run) => better.split(" ").slice(1).includes(run));
  return isStarter || starts ? { except: [better] } : {};
}

type Unwanted = Pick<CompiledRule, "check" | "except">;

/** What is not to be used: programs, modules, or words in code; of several, all of one kind. */
function toUnwanted(said: string, rule: string): Unwanted | undefined {
  const [plain, except] = scopeOf(said);
  if (plain === undefined) return undefined;
  const items = plain.split(/,? (?:or|and|nor) |, ?/).filter((item) => item.trim() !== "");
  const checks = items.map((item) => toUnwantedOne(item, rule));
  const [first] = checks;
  if (first === undefined) return undefined;
  const isSame = (check: GuardCheck | undefined): boolean =>
    check !== undefined && Object.keys(check).join() === Object.keys(first).join() &&
    JSON.stringify(inOf(check)) === JSON.stringify(inOf(first));
  if (!checks.every(isSame)) return undefined;
  const all = (name: "runs" | "imports" | "adds"): string[] =>
    checks.flatMap((check) => new Map(Object.entries(check ?? {})).get(name) ?? []);
  const check: GuardCheck = first.on === "command"
    ? { ...first, runs: all("runs") }
    : "imports" in first
    ? { ...first, imports: all("imports") }
    : "adds" in first
    ? { ...first, adds: all("adds") }
    : first;
  return { check, ...(except === undefined ? {} : { except }) };
}

function inOf(check: GuardCheck): string[] | undefined {
  return "in" in check ? check.in : undefined;
}

const testPaths = [
  "test/",
  "tests/",
  "__tests__/",
  "*_test.*",
  "*.test.*",
  "*.spec.*",
  "test_*.py",
];

/** What is unwanted, and where it is not; nothing where that is said in other words. */
function scopeOf(said: string): [string | undefined, string[]?] {
  const plain = said.replace(/ (?:directly|any ?more|at all|ever|here|anywhere|everywhere)$/i, "");
  const [, what, where] =
    /^(.+?) ((?:in|outside|inside|within|on|from|except|for|when|to|as|because|since|whenever|unless|if)\b.*)$/i
      .exec(plain) ?? [];
  if (where === undefined) return [plain];
  if (
    /^(?:in production(?: code)?|outside(?: of)? (?:the )?tests?|in (?:library|non-test) code)$/i
      .test(where)
  ) {
    return [what, testPaths];
  }
  if (
    /^(?:because|since|as)\b|^in (?:this|the|our) (?:repo|repository|project|codebase|code)|^in (?:code|typescript|ts|python)$/i
      .test(where)
  ) {
    return [what];
  }
  const isPurpose = /^(?:for|to|when)\b/i.test(where);
  const name = unquote(what).toLowerCase();
  const isOnePurpose = knownModules.has(name) || (tools.has(name) && !generalTools.has(name));
  return isPurpose && isOnePurpose ? [what] : [undefined];
}

function toUnwantedOne(said: string, rule: string): GuardCheck | undefined {
  const word = unquote(said).replace(/^(?:the|a|an) /i, "");
  const runs = tools.get(word.toLowerCase());
  if (runs !== undefined) return { on: "command", runs };
  if (/^(?:git|npm|yarn|pnpm|docker|cargo|pip|make|go|deno) \S/.test(word)) {
    return isCommand(word) ? { on: "command", runs: [word] } : undefined;
  }
  const known = lineWords.find(([form]) => form.test(unquote(said)));
  if (known !== undefined) return ofLine(known);
  // A sign such as `==` is in others; "`for` loops" and Node.js are no words of code.
  if (!/[A-Za-z]/.test(word) || word.includes("`")) return undefined;
  const isCode = said.includes("`") || /^[\w@][\w./@-]*$/.test(word);
  if (!isCode) return undefined;
  if (/\b(?:import|librar|package|module|dependenc)/i.test(rule)) {
    return { on: "edit", imports: [word] };
  }
  const module = word.replace(/\.js$/, "");
  if (knownModules.has(module.toLowerCase())) return { on: "edit", imports: [module] };
  if (/^[A-Z]\w*\.js$/.test(word)) return undefined;
  if (/^[\w$.]+\.\w+(?:\(\))?$/.test(word) || said.includes("`") || codeWords.has(word)) {
    const bare = word.replace(/\(\)$/, "");
    const endings = wordEndings.find(([form]) => form.test(bare))?.[1] ?? inCode;
    return { on: "edit", adds: [bare], in: endings, ...(isMark(bare) ? {} : { outside: "text" }) };
  }
  return undefined;
}

/** Whether words stand in comments or strings. */
function isMark(word: string): boolean {
  return /^@|^[A-Z]{2,}|eslint|noqa|ignore|["'/#]/.test(word);
}

const inScripts = [
  "*.ts",
  "*.tsx",
  "*.mts",
  "*.js",
  "*.jsx",
  "*.mjs",
  "*.cjs",
  "*.vue",
  "*.svelte",
];
/** Words that mean something else in other languages. */
const wordEndings: [RegExp, string[]][] = [
  [
    /^(?:interface|type|enum|namespace|require|debugger|null|let|class|as any|as unknown)$/,
    inScripts,
  ],
  [/^(?:unwrap|println!|expect)$/, ["*.rs"]],
];

/** Whether words are a command, not a sentence about one. */
function isCommand(words: string): boolean {
  return !/\b(?:commands?|scripts?|directly|files?|you|your|the|a|an|any|on|in|to|for|with|and|or|if|when|that|without|unless|outside)\b/i
    .test(words.replace(/\S*[/.-]\S*/g, ""));
}

function ofLine([, adds, endings = inCode, isText = false]: LineWord): GuardCheck {
  return { on: "edit", adds, in: endings, ...(isText ? {} : { outside: "text" as const }) };
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
  const plain = asks ? withoutAsking(text) : text;
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
  // "… in production" is about some of its runs.
  const isAll = command === undefined
    ? words !== undefined && isCommand(words)
    : /[`'"](?: (?:directly|ever|yourself|command|here))?$/i.test(said);
  if (words === undefined || !isAll) return undefined;
  const [program] = words.split(" ");
  const isProgram = tools.has(program) ||
    /^(?:git|gh|npm|npx|\.\/|bash|sh|rm|aws|gcloud)\b/.test(words);
  if (!isProgram) return undefined;
  const runs = words === "npm install" ? [words, "npm i"] : [words];
  return { check: { on: "command", runs }, ...mode };
};

/** A rule without its "unless I ask". */
function withoutAsking(text: string): string {
  return text.replace(/,? (?:without|unless|before asking)\b.*$/i, "");
}

const gitRules: [RegExp, (found: RegExpExecArray) => GuardCheck][] = [
  [
    /^(?:(?:git )?force[- ]push(?:ing)?|(?:git )?push(?:ing)? (?:with )?(?:--force|-f)|(?:use|using|do|doing) (?:a )?force[- ]push(?:es)?)(?: (?:to|on) (?:the )?['"`]?(main|master|develop|trunk)['"`]?(?: branch)?)?$/i,
    ([, to]) => ({
      on: "command",
      runs: ["git push --force", "git push -f", "git push --force-with-lease"],
      ...(to === undefined ? {} : { to: branchesOf(to) }),
    }),
  ],
  [
    /^(?:git )?push(?:ing)?(?: anything| code| changes)?(?: to (?:the |a )?(?:remote|origin|github|gitlab|server)(?: repo(?:sitory)?)?)?$/i,
    () => ({ on: "command", runs: ["git push"] }),
  ],
  [
    /^(?:git )?push(?:ing)?(?: anything| code| changes)?(?: directly| straight)? (?:to|on|into) (?:the )?['"`]?(main|master|develop|dev|trunk|production|prod|staging|release|stable|[\w.-]+(?=['"`]? branch))['"`]?(?: or ['"`]?(?:main|master)['"`]?)?(?: branch(?:es)?)?(?: directly)?$/i,
    ([, to]) => ({ on: "command", runs: ["git push"], to: branchesOf(to) }),
  ],
  [
    /^(?:git )?commit(?:ting)?(?: directly| straight)? (?:to|on) (?:the )?['"`]?(main|master|develop|trunk)['"`]?(?: or ['"`]?(?:main|master)['"`]?)?(?: branch)?(?: directly)?$/i,
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
    /^(?:(?:use|using|run|running|do|doing) )?['"`]?git (reset --hard|stash|rebase|add -A|add \.|checkout|clean|commit --amend)['"`]?$/i,
    ([, what]) => ({
      on: "command",
      runs: /^add -A$/i.test(what) ? ["git add -A", "git add --all"] : [`git ${what}`],
    }),
  ],
  [
    /^amend(?:ing)?(?: (?:any |git )?commits?)?$/i,
    () => ({ on: "command", runs: ["git commit --amend"] }),
  ],
  [
    /^(?:(?:use|using|pass|passing|add|adding) )?['"`]?--no-verify['"`]?$|^(?:skip|bypass)(?:ping|ing)? (?:the )?(?:git |pre-?commit )?(?:hooks|checks)$/i,
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
  const asks = /\b(?:without|unless|before)\b.*\b(?:ask|approv|permission|told|request|explicit)/i
    .test(text);
  const plain = asks ? withoutAsking(text) : text;
  const [, verb, denied] = new RegExp(
    `^${no} (touch|edit|modify|change|write to|alter|update|overwrite|hand-edit|manually edit)(?:ing)? (.{1,160})$`,
    "i",
  ).exec(plain) ?? [];
  const said = denied ??
    /^(.{1,120}?) (?:is|are) (?:auto-?)?(?:generated|read-only|vendored|frozen|off limits)(?:[,;:. ]+(?:by|from|do not|don't|never|so)\b.*)?$/i
      .exec(plain)?.[1];
  if (said === undefined) return undefined;
  const touches = toPaths(said);
  if (touches.length === 0) return undefined;
  const isOld = /^overwrit/i.test(verb ?? "") ||
    /\b(?:existing|applied|old|past|previous)\b/i.test(said);
  return {
    check: { on: "edit", touches, ...(isOld ? { existing: true as const } : {}) },
    ...(asks ? { mode: "ask" as const } : {}),
  };
};

const path =
  /[`'"]([^`'"\s]{1,120})[`'"]|(?:^|\s)((?:[\w.@*~-]+)?(?:\/[\w.@*-]+)*\/?|\.?[\w*-]+\.[a-zA-Z]\w{0,7})(?=[\s,;]|$)/g;

/** What stands around paths and says no more about them. */
const pathFiller =
  /\b(?:any(?:thing)?|files?|code|the|all|in|inside|under|within|of|or|and|contents?|directory|directories|folders?|existing|applied|old|past|previous|directly|manually|by hand|yourself|ever|please|a|our|config)\b|[,;]/gi;

/** The paths that some words name; none where the words say more about them than that. */
function toPaths(said: string): string[] {
  const isFolder = /\b(?:director|folder)/i.test(said);
  const named: string[] = [];
  const rest = said.replace(path, (all, quote: string | undefined, bare: string | undefined) => {
    const one = quote ?? bare ?? "";
    const isPath = /[/*]|\.[a-zA-Z]/.test(one) || (quote !== undefined && isFolder);
    if (isPath) named.push(one);
    return isPath ? " " : all;
  }).replace(pathFiller, " ").trim();
  if (named.length > 0) return rest === "" ? named : [];
  return pathWords.find(([form]) => form.test(rest))?.[1] ?? [];
}

const pathWords: [RegExp, string[]][] = [
  [/^(?:db |database |sql )?migrations?$/i, ["migrations/", "migrate/"]],
  [/^lock(?:files?)?$/i, [
    "*.lock",
    "package-lock.json",
    "pnpm-lock.yaml",
    "*-lock.json",
    "bun.lockb",
  ]],
  [/^(?:auto-?)?generated$/i, [
    "*.gen.*",
    "*.generated.*",
    "*_generated.*",
    "generated/",
    "*.pb.go",
    "*_pb2.py",
  ]],
  [/^vendor(?:ed)?$/i, ["vendor/", "third_party/"]],
  [/^(?:dot)?env$/i, [".env", ".env.*"]],
  [/^(?:test )?snapshots?$/i, ["__snapshots__/", "*.snap"]],
];

const place: Template = (text) => {
  const [, what, where] =
    /^(?:always )?(?:put|place|keep|write|create|add|store)?\s*(?:all |new |your )*(tests?|unit tests?|test files?|docs?|documentation) (?:files? )?(?:go|goes|belong|belongs|live|lives|in|into|under|must be in|should be in|should go|are)\s?(?:in|into|under|to)? (?:the )?[`'"]?([\w./-]+\/?[\w.-]*)[`'"]?(?: (?:folder|directory))?(?:,? (?:not|never) .{1,60})?$/i
      .exec(text) ?? [];
  const isFolder = where?.includes("/") || / (?:folder|directory)\b/i.test(text);
  if (where === undefined || !(isFolder || knownFolders.has(where))) return undefined;
  const creates = placeWords.find(([form]) => form.test(what))?.[1];
  if (creates === undefined) return undefined;
  const plain = where.replace(/^\.?\//, "").replace(/\/+$/, "");
  // Of each package, too.
  const below = plain.includes("/") ? [`${plain}/`, `**/${plain}/`] : [`${plain}/`];
  const except = creates.includes("*.md") ? { except: knownNotes } : {};
  return { check: { on: "edit", creates, below }, instead: `put it in ${where}`, ...except };
};

const knownFolders: ReadonlySet<string> = new Set(
  "test tests __tests__ spec specs doc docs documentation".split(" "),
);
/** Files that belong where they are, whatever is said of the documentation. */
const knownNotes = [
  ..."README.md CHANGELOG.md CONTRIBUTING.md LICENSE.md SECURITY.md AGENTS.md CLAUDE.md".split(" "),
  ..."GEMINI.md SKILL.md .github/ .claude/ .codex/ .cursor/ .contextfs/".split(" "),
];
const placeWords: [RegExp, string[]][] = [
  [/test/i, ["*_test.*", "*.test.*", "*.spec.*", "test_*.py"]],
  [/doc/i, ["*.md", "*.mdx"]],
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
  const [what, except] = scopeOf(said);
  if (what === undefined) return undefined;
  const scope = except === undefined ? {} : { except };
  const known = lineWords.find(([form]) => form.test(what.replace(/[`'"]/g, "")));
  if (known !== undefined) return { check: ofLine(known), ...scope };
  const isNamed = new RegExp(`^(?:the )?${quoted}(?: (?:package|library|module|type|keyword))?$`)
    .test(what);
  const one = what.replace(/^the /, "").replace(/ (?:library|package|module|type|keyword)$/, "");
  const isPlain = /^[\w@][\w./@-]{1,40}$/.test(one) && one !== what;
  const items = one.split(/,? (?:or|and) |, ?/).map((item) => unquote(item).toLowerCase());
  const isTool = /\b(?:use|using|run|running|install|import)/i.test(text) &&
    items.every((item) => tools.has(item) || knownModules.has(item));
  const unwanted = isNamed || isPlain || isTool ? toUnwanted(one, text) : undefined;
  return unwanted && { ...unwanted, ...scope };
};

type LineWord = [form: RegExp, adds: string[], endings?: string[], isText?: boolean];

const lineWords: LineWord[] = [
  [/^(?:the )?any(?: types?)?$/i, [
    ": any",
    "as any",
    "any>",
    "any[]",
  ], ["*.ts", "*.tsx", "*.mts"]],
  [/^console[.]logs?(?:\(\))?(?: statements?| calls?)?$/i, ["console" + ".log"], [
    "*.ts",
    "*.tsx",
    "*.js",
    "*.jsx",
    "*.mjs",
  ]],
  [/^(?:print|print\(\)|prints?(?:\(\))? (?:statements?|calls?))$/i, ["print("], ["*.py"]],
  [/^default exports?$/i, ["export default"]],
  [/^(?:todos?|fixmes?)(?: comments?)?$/i, ["TODO", "FIXME"], inCode, true],
  [/^@?ts-ignores?$/i, ["@ts-ignore"], inCode, true],
  [/^eslint-disables?(?: comments?)?$/i, ["eslint-disable"], inCode, true],
  [/^(?:wildcard|star) imports?$/i, ["import [*]", "import *.[*]"], ["*.py", "*.java"]],
  [/^var(?: declarations?)?$/i, ["var "], ["*.ts", "*.tsx", "*.js", "*.jsx"]],
  [/^debugger(?: statements?)?$/i, ["debugger"], ["*.ts", "*.tsx", "*.js", "*.jsx"]],
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
  const named = new RegExp(quoted).exec(what)?.[1] ?? (ran.length === 1 ? ran[0] : `the ${what}`);
  const at = when ?? early;
  const before = /commit/i.test(at) ? ["git commit"] : /push/i.test(at) ? ["git push"] : undefined;
  return {
    check: { on: "end", ran, ...(before ? { before } : {}) },
    instead: `run ${named} first`,
  };
};

/** The commands that some words mean. */
function toRuns(said: string): string[] {
  const [named, other] = [...said.matchAll(new RegExp(quoted, "g"))].map(([, one]) => one);
  if (other !== undefined) return [];
  if (named !== undefined) return [named];
  const [program] = said.split(" ");
  if (tools.has(program) || program === "git") return isCommand(said) ? [said] : [];
  if (/^(?:(?:full|unit|whole|entire|relevant) )?tests?(?: suite)?$/i.test(said)) {
    return [
      ...scriptsOf("test"),
      ..."pytest jest vitest mocha tox nox rspec phpunit ctest".split(" "),
      ...["cargo test", "cargo nextest", "go test", "mvn test", "mvn verify", "dotnet test"],
      ...["swift test", "gradle* test", "*test*.sh"],
    ];
  }
  if (/^(?:code )?(?:formatter|format)$/i.test(said)) {
    return [
      ...scriptsOf("fmt"),
      ...scriptsOf("format"),
      ..."cargo fmt,go fmt,gofmt,prettier,biome,ruff,black".split(","),
    ];
  }
  if (/^(?:linters?|lint)$/i.test(said)) {
    return [
      ...scriptsOf("lint"),
      ..."eslint,biome,ruff,pylint,flake8,golangci-lint,cargo clippy,oxlint".split(","),
    ];
  }
  return [];
}

/** How a project's own script is started. */
function scriptsOf(name: string): string[] {
  return ["npm", "pnpm", "yarn", "bun", "deno", "deno task", "make", "just", "task"]
    .map((program) => `${program} ${name}*`);
}

function unquote(word: string): string {
  return word.trim().replace(/^[`'"]+|[`'".,;:\s–—-]+$/g, "");
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
