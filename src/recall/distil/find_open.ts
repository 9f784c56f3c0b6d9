// What was left to do when a session ended: where it was cut off, the next steps in its last answers,
// unfinished todos, a prompt without an answer. Pure.

import type { Entry } from "../../core/entry.ts";
import { isObject } from "../../core/json.ts";
import type { Block } from "../../core/rows/blocks.ts";
import { isDecisive, type ShellCommand, toShellCommands } from "../../core/rows/shell_commands.ts";
import { toLine } from "../../core/text.ts";
import { countWords, enoughWords } from "../../core/titles/telling_line.ts";
import { isGreen, type Run } from "../../core/rows/exchanges.ts";
import { onlyPoints } from "./find_decisions.ts";
import { editCalls } from "./find_outcomes.ts";
import { keyWords, shareOf } from "./key_words.ts";
import { joinBlocks, looseStep, nextHeading, pickSentences, toWholeSentences } from "./quote.ts";
import { endOf } from "./run_end.ts";
import type { Candidate, Report, Scene } from "./scenes.ts";

export function findOpen(scenes: readonly Scene[]): Candidate[] {
  const own = scenes.filter(({ isSide }) => !isSide);
  const last = (own.length > 0 ? own : scenes).at(-1);
  // What one agent has left for others is known to the one that nobody else asked.
  if (last === undefined || own.length > 0 && own.every(({ goal }) => goal === "")) return [];
  return [
    ...findCutOff(last).map(({ text, evidence }): Candidate => ({
      type: "open",
      about: "cut off",
      text,
      evidence,
      scene: last,
      score: 4,
    })),
    ...findNextSteps(scenes),
    ...findTodos(last),
    ...findUnanswered(last),
  ];
}

/** A line about how a session ended, and the entries that show it. */
interface Ending {
  text: string;
  evidence: Entry[];
  /** Whether it says what was asked for last. */
  namesTask?: boolean;
}

/** How the last exchange of a session was cut off: changes without an answer, a check that failed. */
export function findCutOff({ turns, runs, asked }: Scene): Ending[] {
  const said = turns.at(-1)?.at ?? -1;
  const edits = editCalls(runs);
  // Without what was asked the line would say nothing; what is long is not quoted.
  const isCut = asked !== "" && !onlyPoints(asked.trim()) && edits.length > 0 &&
    runs.some(({ at, effect }) => effect === "edit" && at > said);
  const [line = ""] = toWholeSentences(asked);
  const quoted = line.length > 120 || countWords(line) < enoughWords
    ? ""
    : ` to "${toLine(line, 120)}"`;
  const check = findLastCheck(runs);
  return [
    ...(isCut
      ? [{
        text: `Ended after an edit without an answer${quoted} (cut off, or still running)`,
        evidence: edits,
        namesTask: quoted !== "",
      }]
      : []),
    ...(check?.failed ? [{ text: check.text, evidence: check.evidence }] : []),
  ];
}

/** The last test or build of some runs and how it ended, where that is sure. */
export function findLastCheck(
  runs: readonly Run[],
): Ending & { failed: boolean } | undefined {
  for (const run of runs.toReversed()) {
    const { call, output } = run;
    if (call === undefined || output === undefined) continue;
    const commands = toShellCommands(run.command ?? "");
    const names = commands.filter(isCheck).map(({ text }) => text);
    if (names.length === 0) continue;
    const end = judgeCheck(run, commands);
    const name = [names.join(" && "), names.at(-1) ?? ""].find((one) =>
      one.length <= 80 && !one.includes("\n")
    );
    if (end === undefined || name === undefined) return undefined;
    const counts = countsOf(endOf(run)?.printed ?? "").slice(0, 4);
    const told = counts.length === 0 ? "" : ` (${counts.join(", ")})`;
    return {
      text: `Last check: \`${name}\` ${end}${told}`,
      evidence: [call, output],
      failed: end === "failed",
    };
  }
}

/** Whether the checks of a line passed or failed, where the client or their own count says so. */
function judgeCheck(
  run: Run,
  commands: readonly ShellCommand[],
): "passed" | "failed" | undefined {
  const { end, printed } = endOf(run) ?? {};
  if (end === undefined || printed === undefined) return undefined;
  const isRed = failures.test(printed);
  const isSure = isDecisive(commands, commands.findIndex(isCheck)) &&
    !commands.some(({ isRedirected }) => isRedirected);
  const isIdle = ranNothing(printed);
  if (isSure && end === "succeeded") {
    return isRed || isIdle || /[✖✘]|\b[1-9]\d* errors?\b/.test(printed) ? undefined : "passed";
  }
  // Whatever else runs may be what failed, or what printed the counts.
  const isPiped = (i: number): boolean => commands[i - 1]?.next === "|";
  const isAlone = commands.every((command, i) =>
    isCheck(command) || isPiped(i) || silent.test(command.words[0])
  );
  if (!isAlone) return undefined;
  if (end === "failed") return "failed";
  if (commands.filter(isCheck).length > 1) return undefined;
  if (isRed) return "failed";
  // What picks lines may leave out those that tell of a failure.
  const isWhole = commands.every(({ words }, i) => !isPiped(i) || words[0] === "tail");
  return isWhole && !isIdle && isGreen(printed) ? "passed" : undefined;
}

/** Commands that count nothing and seldom fail. */
const silent = /^(?:cd|export|source|set|true|echo)$/;
/** Whether all tests were skipped, or there are none: that succeeds and shows nothing. */
function ranNothing(printed: string): boolean {
  if (/^[ \t]*--- SKIP/m.test(printed)) return !/^[ \t]*--- PASS/m.test(printed);
  return /\bno tests (?:to run|ran|found)\b|\b(?:0 passed|[1-9]\d* skipped)\b/i.test(printed) &&
    !/^ok\s(?!.*\[no test)|\b[1-9]\d* pass(?:ed|ing)\b/m.test(printed);
}

const failures =
  /(?:^|[,|:(])[ \t]*[1-9]\d* (?:tests? )?(?:failed|failing)\b|^[ \t]*--- FAIL|^Found [1-9]\d* (?:errors?|problems?)\b/m;

/** What tests count, and nothing else of what is printed: anybody's words may stand beside it. */
export function countsOf(printed: string): string[] {
  const counts = (line: string): string[] =>
    [...line.matchAll(/\b\d{1,7} (?:tests? )?(?:passed|passing|failed|failing)\b/g)]
      .map(([count]) => count);
  const lines = printed.slice(-maxLooked).split("\n").map(counts);
  return lines.findLast((found) => found.some((count) => !count.startsWith("0 "))) ?? [];
}

const maxLooked = 20_000;

function isCheck({ text }: ShellCommand): boolean {
  return checks.test(text.slice(0, 400));
}

const checks =
  /^(?:npx (?:-y )?|bunx |uv run |poetry run |mise (?:run |exec -- )?)*(?:(?:npm|pnpm|yarn|bun|deno|cargo|go|make|just|mvn|gradle|\.\/gradlew|dotnet|mix|rake|swift|zig|bazel|task)(?: (?:-{1,2}[\w-]+(?:[= ][^\s;&|-][^\s;&|]*)?|workspace \S+)){0,3}(?: run| task| exec)? (?:jest\b|vitest\b|[\w:-]*(?:test|build|check|lint|vet|typecheck|tsc|ci|verify|clippy)\b)|pytest|python3? -m (?:pytest|unittest)|vitest|jest|tsc\b|mise run|ruff|mypy|rspec|phpunit|ctest|tox|golangci-lint)/;

/** Sections of next steps and plans that were not taken up since, and what the last answer lacks. */
function findNextSteps(scenes: readonly Scene[]): Candidate[] {
  const found = scenes.flatMap((scene, i): Candidate[] => {
    const later = scenes.slice(i + 1);
    return scene.reports.flatMap((report) => {
      const steps = nextBlocks(report, later.length === 0);
      if (steps.length === 0) return findNamedSteps(report, { scene, later });
      const texts = steps.filter(({ kind, text }) =>
        kind !== "item" ||
        (!isTakenUp(text, later) && !/^\s*(?:[-*+]\s+)?(?:✅|☑|\[x\])/i.test(text) &&
          !menu.test(text))
      );
      if (texts.some(({ text }) => settled.test(text))) return [];
      const isTelling = texts.some(({ kind, text }) =>
        kind === "item" || (kind === "paragraph" && !/:\W*$/.test(text))
      );
      if (!isTelling) return [];
      const text = joinBlocks(texts.map(({ text }) => text));
      const isLate = later.length < 2;
      return [{
        type: "open",
        about: "next steps",
        text,
        evidence: [report.entry],
        scene,
        score: (isLate ? 3 : 2) - (scene.isSide ? 0.5 : 0),
      }];
    });
  });
  const end = scenes.at(-1);
  if (end?.answer && !found.some(({ scene }) => scene === end)) {
    const said = end.answer.blocks.filter(({ kind }) => kind === "paragraph" || kind === "item")
      .flatMap(({ text }) => pickSentences(text, missing))
      .filter((sentence) => !closed.test(sentence) && !settled.test(sentence));
    if (said.length > 0) {
      found.push({
        type: "open",
        text: joinBlocks(said),
        evidence: [end.answer.entry],
        scene: end,
        score: 2,
      });
    }
  }
  return found;
}

/** Steps that a sentence amid others names ("Left to do: …"), as long as nobody took them up. */
function findNamedSteps(
  { blocks, entry }: Report,
  { scene, later }: { scene: Scene; later: readonly Scene[] },
): Candidate[] {
  // All that the last answer lacks is looked for below.
  if (later.length === 0) return [];
  const named = blocks.filter(({ kind }) => kind === "paragraph" || kind === "item")
    .flatMap(({ text }) => pickSentences(text, namedStep))
    .filter((sentence) => !isTakenUp(sentence, later));
  if (named.length === 0) return [];
  return [{ type: "open", text: joinBlocks(named), evidence: [entry], scene, score: 2 }];
}

/** Whether a later prompt asks for a step, or a later answer tells of it. */
function isTakenUp(step: string, later: readonly Scene[]): boolean {
  const words = keyWords(step);
  return later.some(({ asked, answer }) =>
    shareOf(words, keyWords(asked)) >= 0.5 ||
    (answer !== undefined && shareOf(words, keyWords(answer.entry.text)) >= 0.7)
  );
}

/** A heading or a line that introduces next steps, with what follows it. */
function nextBlocks({ blocks }: Report, isLast: boolean): Block[] {
  const at = blocks.findLastIndex(({ kind, text }) =>
    (kind === "heading" && (nextHeading.test(text) || (isLast && planHeading.test(text)))) ||
    (kind === "paragraph" && text.length <= 200 && nextHeading.test(text) && /:\W*$/.test(text))
  );
  const loose = blocks.filter(({ text }) => looseStep.test(text));
  if (at < 0) return loose;
  const rest = blocks.slice(at + 1);
  const end = rest.findIndex(({ kind }) => kind === "heading" || kind === "code");
  const under = rest.slice(0, end < 0 ? rest.length : end);
  const items = under.filter(({ kind }) => kind === "item");
  const kept = items.length > 0 ? items : under.slice(0, 1);
  return kept.length === 0 ? loose : [blocks[at], ...kept];
}

/** What can be typed next is nobody's task. */
const menu = /^\W*`(?:\/[\w:-]+[^`]*|\w)`\s+(?:to|–|—|-)\s/;
/** It was noted, belongs to others, or is meant to stay. */
const settled =
  /^\W*(?:done|updated|added|logged|fixed|created|✅)\b|\btodos? (?:was |were |is |are )?(?:logged|added|created|captured|moved)\b|\b(?:are|is) (?:all )?(?:legitimate|intentional|excluded|in excluded|pre-?existing|out of scope)\b|\b(?:belongs? to|assigned to|handled by|in[- ]progress (?:by|with)) /i;

/** A sentence that says of itself that it names what is left. */
const namedStep =
  /^\W*(?:(?:still )?(?:left )?to[ -]?do|still open|remaining|next steps?)\W{0,3}:\s*\S/i;

/** What introduces a plan: open until the next prompt, which takes it up, changes it or refuses it. */
const planHeading =
  /\b(?:roadmap|path forward|(?:key|remaining|missing) gaps|gaps|proposed|proposals?|recommend(?:ed|ations?)|suggest(?:ed|ions?)|action items|implementation (?:plan|steps|strategy)|phase \d|priorit(?:y|ies))\b/i;
const missing =
  /\b(?:still (?:needs?|have to|to do|missing|fails?|open)|not yet|remaining|remains to|haven'?t (?:yet|been)|hasn'?t|left to do|TODO:|to be done|needs? a follow-?up|blocked (?:by|on))/i;

/** What sounds open and is not: a condition, a question, nothing, or files that were left out. */
const closed =
  /^\W*(?:if|when|unless)\b|\?\W*$|\b(?:no|none|nothing|zero|unrelated|un(?:staged|tracked)|not included|intentionally|gitignored|but now)\b/i;

/** The todos that were not completed when they were last written; what was under way is answered. */
function findTodos(last: Scene): Candidate[] {
  const isAnswered = last.answer !== undefined;
  const calls = last.runs
    .flatMap(({ call, output }) => [call, output].filter((row): row is Entry => row !== undefined));
  const written = calls.findLast((row) => parseTodos(row).length > 0);
  if (written === undefined) return [];
  const done = isAnswered ? finished : /^(?:completed|done|cancell?ed)$/;
  const open = parseTodos(written).filter(({ status }) => !done.test(status));
  if (open.length === 0) return [];
  const text = joinBlocks(open.map(({ content }) => `- ${content}`));
  return [{ type: "open", about: "todo", text, evidence: [written], scene: last, score: 3.5 }];
}

const finished = /^(?:completed|done|cancell?ed|in_progress)$/;

interface Todo {
  content: string;
  status: string;
}

/** The steps that a list of them has, as any agent writes it. */
export function parseTodos({ tool }: Entry): Todo[] {
  const input = isObject(tool?.input) ? tool.input : {};
  const list = input.todos ?? input.plan ?? input.items;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item) => {
    if (!isObject(item) || typeof item.status !== "string") return [];
    const content = item.content ?? item.step ?? item.title ?? item.description;
    return typeof content === "string" ? [{ content, status: item.status }] : [];
  });
}

function findUnanswered(last: Scene): Candidate[] {
  if (last.prompts.length === 0 || last.isSide || last.turns.length + last.runs.length > 0) {
    return [];
  }
  if (last.topicWords.size < 3 || last.asked.length > 600) return [];
  // A command of the client, or what it put in, is nobody's question.
  if (/^\W*[/<\[]/.test(last.given)) return [];
  return [{ type: "open", text: last.asked, evidence: last.prompts, scene: last, score: 1.5 }];
}
