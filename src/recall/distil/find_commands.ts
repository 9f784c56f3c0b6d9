// Commands that worked, with their purpose: the run that succeeded after failures, those that were
// run again and again, and what an answer tells the user to run. Looking around is no command. Pure.

import { toLine } from "../../core/text.ts";
import type { Block } from "../../core/rows/blocks.ts";
import type { Run } from "../../core/rows/exchanges.ts";
import { joinBlocks } from "./quote.ts";
import type { Candidate, Scene } from "./scenes.ts";

/** The commands of a session that are worth knowing. */
export function findCommands(scenes: readonly Scene[]): Candidate[] {
  const runs = scenes.flatMap((scene) => scene.runs.map((run) => ({ run, scene })));
  const counts = new Map<string, number>();
  const failed = new Set<string>();
  const found = new Map<string, Candidate>();
  for (const { run, scene } of runs) {
    const program = programOf(run.command);
    if (program === undefined || run.command === undefined || run.output === undefined) continue;
    if (run.failed) {
      failed.add(program);
      continue;
    }
    const count = (counts.get(program) ?? 0) + 1;
    counts.set(program, count);
    const score = (failed.has(program) ? 3 : 0) + (count > 1 ? 1 : 0) +
      (purposeful.test(run.command) ? 2 : 0);
    if (score < 2) continue;
    found.set(program, toCandidate(run, run.command, { scene, score }));
  }
  return [...found.values(), ...scenes.flatMap(findTold)];
}

function toCandidate(
  run: Run,
  command: string,
  { scene, score }: { scene: Scene; score: number },
): Candidate {
  const { input } = run.call?.tool ?? {};
  const described = typeof input === "object" && input !== null && "description" in input
    ? input.description
    : undefined;
  const purpose = typeof described === "string" ? described : run.said?.text ?? "";
  const result = run.output?.text.trim().split("\n").findLast((line) => resultLine.test(line));
  return {
    type: "command",
    about: toLine(command, 80),
    text: joinBlocks([command, toLine(purpose, 200), toLine(result ?? "", 160)].filter(Boolean)),
    evidence: [run.call, run.output, described === undefined ? run.said : undefined]
      .filter((row) => row !== undefined),
    subject: programOf(command),
    scene,
    score,
  };
}

const resultLine =
  /\b(?:passed|failed|ok|success\w*|built|compiled|done|error|warning|listening|added \d+)\b/i;

/** Shell blocks of an answer, with the line that says what for. */
function findTold(scene: Scene): Candidate[] {
  const { answer } = scene;
  if (answer === undefined) return [];
  const at = answer.blocks.findIndex((block) => isShell(block));
  if (at < 0) return [];
  const before = answer.blocks[at - 1];
  const lead = before && before.kind !== "code" ? [before.text] : [];
  const all = answer.blocks.slice(at).filter((block) => isShell(block)).map(({ text }) => text);
  return [{
    type: "command",
    about: answer.blocks[at].heading || before?.text,
    text: joinBlocks([...lead.map((text) => toLineEnd(text)), ...all]),
    evidence: [answer.entry],
    scene,
    score: 2.5,
  }];
}

/** The end of a long paragraph: what introduces the block below it. */
function toLineEnd(text: string): string {
  return text.length <= 240 ? text : text.slice(text.lastIndexOf("\n", text.length - 2) + 1);
}

function isShell({ kind, language, text }: Block): boolean {
  return kind === "code" && text.length <= 500 &&
    (/^(?:bash|sh|shell|zsh|console|terminal|powershell|fish)$/.test(language ?? "") ||
      (language === "" &&
        /^\s*(?:\$ |npm |npx |yarn |pnpm |git |docker |python3? |pip |cargo |go |make |deno |bun )/m
          .test(text)));
}

/** What a command line runs: its first words after `cd` and settings; undefined when it only looks. */
export function programOf(command: string | undefined): string | undefined {
  if (command === undefined || command.length > 200 || /<<|\n/.test(command.trim())) {
    return undefined;
  }
  const last = command.split(/\s*(?:&&|;|\n)\s*/).filter((part) =>
    !/^(?:cd|export|source|set|echo)\b/.test(part)
  );
  const words = (last[0] ?? "").replace(/^(?:\w+=\S+\s+|sudo\s+|time\s+|timeout \d+\w?\s+)+/, "")
    .split(/\s+/);
  const name = words[0]?.replace(/^.*\//, "");
  if (!name || looks.has(name)) return undefined;
  if (
    name === "git" &&
    !/^(?:push|rebase|cherry-pick|worktree|bisect|submodule)$/.test(words[1] ?? "")
  ) {
    return undefined;
  }
  return [name, ...words.slice(1, 3).filter((word) => !word.startsWith("-") && word !== "|")].join(
    " ",
  );
}

const looks: ReadonlySet<string> = new Set(
  `ls cat head tail grep rg find sed awk pwd echo which wc tree stat file strings env printenv ps sleep
  mkdir chmod cp mv rm touch ln cd test [ true false printf less more type date whoami id kill pkill
  du df uname diff sort uniq cut tr xargs jq read lsof ifconfig hostname history clear open code`
    .split(/\s+/),
);
const purposeful =
  /\b(?:test|build|lint|check|typecheck|tsc|compile|start|dev|serve|run|migrate|deploy|install|bench|fmt|format|publish|release|seed|generate|up)\b/i;
