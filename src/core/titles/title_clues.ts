// Names a session that nobody gave a title: by what was asked first, the heading of the plan that was
// carried out, the issue or pull request it is about, its first commit, or the file that a look at
// something led to. This is the only definition;
// every list, search and page uses it. It takes rows one by one in log order and keeps little of them,
// which the session catalog stores. Pure.

import type { Entry } from "../entry.ts";
import { isObject } from "../json.ts";
import { isCommitCall, madeCommitsOf } from "../rows/made_commits.ts";
import { firstLine, toLine } from "../text.ts";
import { findWordsOfOthers, isClientText } from "../voice/client_ranges.ts";
import { headingOf, planOf } from "../voice/client_forms.ts";
import { typedWords } from "../voice/spans_of.ts";
import { countWords, enoughWords, findTellingLine, type TellingLine } from "./telling_line.ts";

/** What the rows so far say of a session's title. */
export interface TitleClues {
  /** How many messages asked for something, up to a number that no rule asks for. */
  prompts?: number;
  /** The first line that was typed, or else was given as a prompt, whatever it says. */
  first?: string;
  line?: string;
  /** The first that name something, and in which message. */
  asked?: TellingLine & { prompt: number };
  /** The first that name a subject, where those before them hardly do. */
  later?: TellingLine;
  /** What an agent asked of the one whose session this is. */
  given?: TellingLine;
  /** The heading of a plan, where nothing that names a subject was asked before it. */
  plan?: TellingLine;
  /** The issue or pull request that was looked up for the first prompt. */
  cited?: string;
  /** The title of the first pull request or issue that was opened. */
  opened?: string;
  /** The heading of the plan that the agent showed for one of the first prompts. */
  planned?: string;
  /** The subject of the first commit. */
  commit?: string;
  /** The first file of the project that was written whole. */
  created?: string;
  /** The words of the first branch that has a name of its own. */
  branch?: string;
  /** Calls whose output is awaited. */
  lookups?: Lookup[];
  /** The places of the messages that said these: a newer version of one takes back what it said. */
  at?: Partial<Record<Said, number>>;
}

const said = ["first", "line", "asked", "later", "given", "plan"] as const;
type Said = typeof said[number];

const maxChars = 120;
const [lineChars, subjectChars] = [80, 72];
const maxLookups = 4;
const maxPrompts = 9;

/** Takes what a row says of its session's title; what is not cleaned of secrets yet is, before it is cut. */
export function addClue(clues: TitleClues, entry: Entry, clean = (text: string) => text): void {
  const { type, role } = entry;
  clues.branch ??= toBranchWords(entry.branch);
  if (type === "tool_call") addCall(clues, entry, clean);
  else if (type === "tool_output") addOutput(clues, entry, clean);
  else if (role === "user" && entry.undone !== true) addPrompt(clues, entry, clean);
}

type Clean = (text: string) => string;

function addPrompt(clues: TitleClues, entry: Entry, clean: Clean): void {
  const isNewer = entry.supersedes !== undefined && entry.index !== undefined;
  if (isNewer) takeBack(clues, entry.index);
  if (clues.plan !== undefined || clues.later !== undefined || isEnough(clues.asked)) {
    clues.prompts = Math.min(maxPrompts, (clues.prompts ?? 0) + 1);
    return;
  }
  const keep = <K extends Said>(name: K, value: TitleClues[K]): void => {
    if (value === undefined || clues[name] !== undefined) return;
    clues[name] = value;
    if (entry.index !== undefined) (clues.at ??= {})[name] = entry.index;
  };
  const message = { role: entry.role, text: clean(entry.text) };
  if (entry.sidechain === true) {
    keep("line", firstLine(message.text, maxChars));
    keep("given", findTellingLine(message.text, maxChars));
    return;
  }
  const plan = planOf(message);
  const typed = typedWords(message);
  if (!isNewer && (plan !== undefined || typed !== "")) clues.prompts = (clues.prompts ?? 0) + 1;
  if (plan !== undefined) {
    const words = countWords(plan.heading);
    const isNamed = words > 0;
    keep(
      "plan",
      isNamed
        ? { text: toLine(plan.heading, maxChars), words }
        : findTellingLine(plan.text, maxChars),
    );
    return;
  }
  if (typed === "") {
    // What the client says is nothing to be called by, but for a role that a program gives its agent, and for
    // what others ask for where the user says nothing.
    const others = findWordsOfOthers(message.text)?.words;
    if (isClientText(message.text) && !others && !/^\s*You are /.test(message.text)) return;
    keep("line", firstLine(others ?? message.text, maxChars));
    keep("given", findTellingLine(others ?? message.text, maxChars));
    return;
  }
  keep("first", firstLine(typed, maxChars));
  const line = findTellingLine(typed, maxChars);
  if (clues.asked === undefined) {
    keep("asked", line && { ...line, prompt: clues.prompts ?? 1 });
  } else if (isEnough(line)) keep("later", line);
}

/** Forgets what the message at a place said. */
function takeBack(clues: TitleClues, index: number | undefined): void {
  for (const name of said) {
    if (clues.at === undefined || clues.at[name] !== index) continue;
    delete clues[name];
    delete clues.at[name];
  }
}

function isEnough(line: TellingLine | undefined): boolean {
  return line !== undefined && line.words >= enoughWords;
}

function addCall(clues: TitleClues, entry: Entry, clean: Clean): void {
  const isFirst = clues.cited === undefined && (clues.prompts ?? 0) <= 1;
  const lookup = commitCallOf(entry, clues) ?? (isFirst ? lookupOf(entry) : undefined);
  // Some calls are never answered: newer ones take their place.
  if (lookup !== undefined) clues.lookups = [...clues.lookups ?? [], lookup].slice(-maxLookups);
  clues.opened ??= toSubject(openedTitleOf(entry), clean);
  if ((clues.prompts ?? 0) <= maxPlanPrompts) {
    clues.planned ??= toSubject(plannedHeadingOf(entry), clean);
  }
  clues.created ??= toSubject(createdFileOf(entry), clean);
}

/** A plan that comes later is one of several things that a session did. */
const maxPlanPrompts = 3;

function addOutput(clues: TitleClues, entry: Entry, clean: Clean): void {
  const lookup = clues.lookups?.find(({ call }) => call === entry.tool?.call_id);
  if (lookup === undefined) return;
  clues.lookups = clues.lookups?.filter((one) => one !== lookup);
  if (clues.lookups?.length === 0) delete clues.lookups;
  if (lookup.name === "commit") clues.commit ??= toSubject(commitSubjectOf(entry), clean);
  else if (clues.cited === undefined) {
    const title = toSubject(titleInOutput(entry.text), clean);
    const isNamed = title !== undefined && lookup.name !== "";
    clues.cited = isNamed ? toLine(`${lookup.name}: ${title}`, maxChars) : title;
  }
}

function toSubject(text: string | undefined, clean: Clean): string | undefined {
  return text !== undefined && countWords(text) > 0 ? toLine(clean(text), maxChars) : undefined;
}

/** The words of a branch's name: `ana/fix-token-expiry` is about `fix token expiry`. */
function toBranchWords(branch: unknown): string | undefined {
  if (typeof branch !== "string" || branch.length > maxChars) return undefined;
  const words = branch.replace(/^.*\//, "").replace(/[-_]+/g, " ").trim();
  return words.includes(" ") && countWords(words) > 0 ? words : undefined;
}

/** The title that the clues give; empty where there is nothing to call a session by. */
export function titleFrom(clues: TitleClues): string {
  const { asked, later, plan, given, cited, opened, planned, commit, created, branch } = clues;
  const head = isEnough(asked) ? asked : plan ?? later ?? asked ?? given;
  const made = cited ?? opened ?? planned ?? commit;
  // "Review 12" names nothing but the pull request itself.
  const isVague = head === asked && (asked?.prompt !== 1 || !isEnough(asked));
  if (cited !== undefined && isVague) return cited;
  if (head === undefined) return made ?? branch ?? firstLineOf(clues);
  // What came of a question says more than the question.
  if (planned !== undefined && head.text.endsWith("?")) return planned;
  const isPointing = !isEnough(head) || pointsToBranch.test(head.text) ||
    (head === later && pointsToBranch.test(asked?.text ?? ""));
  const subject = made ?? (isPointing ? branch : undefined) ??
    (onlyLooks.test(head.text) ? created : undefined);
  if (subject !== undefined && saysMore(head.text, subject)) {
    return `${toLine(head.text, lineChars)} · ${toLine(subject, subjectChars)}`;
  }
  return head.text;
}

/** The first line that the user's side said. */
export function firstLineOf({ first, plan, line }: TitleClues): string {
  return first ?? plan?.text ?? line ?? "";
}

/** Whether a title that an agent gave a session says something: more than a command, or "New session". */
export function isGoodTitle(title: string): boolean {
  return (countWords(title) > 0 || title.trim().split(/\s+/).length >= 4) && !isClientText(title) &&
    !/^(?:implement the following plan\b|(?:new|untitled)(?: (?:chat|conversation|session|thread|task))?(?: - .*)?$)/i
      .test(title);
}

/** What asks for a look, not for work: a file that was made of it says what it came to. */
const onlyLooks =
  /\?|^(?:do (?:some )?research|research|review|check|look|investigate|analy[sz]e|explore|compare|validate|verify|find out)\b/i;

/** Words that point to work which its branch names. */
const pointsToBranch = /\b(?:branch(?:es)?|prs?|pull requests?|changes|diff)\b/i;

/** Whether at least half of what a subject names is new beside a line. */
function saysMore(line: string, subject: string): boolean {
  const added = countWords(`${line} ${subject}`) - countWords(line);
  return added > 0 && 2 * added >= countWords(subject);
}

/** A call whose output has the title of an issue or a pull request, or the subject of a commit. */
interface Lookup {
  call: string;
  /** `PR #12`, `Issue #3`, or nothing where the call names no number; `commit`. */
  name: string;
}

const maxCallChars = 4000;
const views =
  /\bgh (pr|issue) (?:view|checkout)\b(?:[ \t]+(?:https:\/\/\S{1,200}\/)?(\d{1,7})\b)?|\bgh api [^|;&\n]{0,80}\/(pulls|issues)\/(\d{1,7})(?![\w/])/;
const lookupTool =
  /^(?!.*(?:create|update|edit|add|close|delete|list|search)_).*(?:^|_)(issue|pull_request|merge_request|pr|ticket)(?:_read|_view|_get)?$/i;

/** The lookup that a row is, if it is one. */
function lookupOf({ type, text, tool }: Entry): Lookup | undefined {
  const call = tool?.call_id;
  if (type !== "tool_call" || typeof call !== "string" || tool === undefined) return undefined;
  const shell = text.slice(0, maxCallChars).includes("gh ")
    ? views.exec(text.slice(0, maxCallChars))
    : null;
  if (shell !== null) {
    return { call, name: toName(shell[1] ?? shell[3], shell[2] ?? shell[4]) };
  }
  const kind = lookupTool.exec(tool.name)?.[1];
  if (kind === undefined) return undefined;
  const input = isObject(tool.input) ? tool.input : {};
  const given = input.issue_number ?? input.pullNumber ?? input.pull_number ?? input.number ??
    input.id;
  return { call, name: toName(kind, given === undefined ? undefined : String(given)) };
}

/** A number, or a key like `ABC-12`, names it for people; other ids do not. */
function toName(kind: string, id = ""): string {
  const name = /^(?:pr|pull|merge)/i.test(kind) ? "PR" : "Issue";
  if (/^\d+$/.test(id)) return `${name} #${id}`;
  return /^[A-Z][A-Z\d]*-\d+$/.test(id) ? `${name} ${id}` : "";
}

/** The title in the output of a lookup, as gh prints it or as JSON has it. */
function titleInOutput(text: string): string | undefined {
  const start = text.slice(0, maxJsonChars);
  // Below the first such line is the body, which may say anything.
  const [head] = start.slice(0, maxCallChars).split(/^--\r?$/m, 1);
  const plain = /^title:\s+(\S.{2,300})$/m.exec(head)?.[1];
  if (plain !== undefined) return plain.trim();
  const json = /"title":\s*("(?:[^"\\\n]|\\.){3,300}")/.exec(start)?.[1];
  if (json === undefined) return undefined;
  try {
    const title: unknown = JSON.parse(json);
    return typeof title === "string" ? title.trim() : undefined;
  } catch {
    return undefined;
  }
}

const maxJsonChars = 64 << 10;

/** The title of a pull request or an issue that a call opens. */
function openedTitleOf({ type, text, tool }: Entry): string | undefined {
  if (type !== "tool_call") return undefined;
  const start = text.slice(0, maxCallChars);
  if (start.includes("gh pr create") || start.includes("gh issue create")) {
    const found = /(?:--title|-t)[ =](?:"([^"\n$]{4,300})"|'([^'\n]{4,300})')/.exec(start);
    return (found?.[1] ?? found?.[2])?.trim();
  }
  if (tool === undefined || !/create_(?:pull_request|merge_request|issue)$/.test(tool.name)) {
    return undefined;
  }
  const title = isObject(tool.input) ? tool.input.title : undefined;
  return typeof title === "string" ? title : undefined;
}

/** The heading of the plan that a call shows to the user. */
function plannedHeadingOf({ tool }: Entry): string | undefined {
  if (tool?.name !== "ExitPlanMode" || !isObject(tool.input)) return undefined;
  const { plan } = tool.input;
  return typeof plan === "string" ? headingOf(plan) : undefined;
}

/** The file of the project that a call writes whole, with its folder. */
function createdFileOf({ tool, files = [] }: Entry): string | undefined {
  const [file] = files;
  if (file === undefined || !/^(?:Write|write_file|create_file)$/.test(tool?.name ?? "")) {
    return undefined;
  }
  return /^(?:[~/\\]|\w:|\.\.)/.test(file) ? undefined : file.split("/").slice(-2).join("/");
}

/** The call of `git commit`, whose output has its subject. */
function commitCallOf(entry: Entry, { commit }: TitleClues): Lookup | undefined {
  const call = entry.tool?.call_id;
  if (commit !== undefined || typeof call !== "string") return undefined;
  return isCommitCall(entry) ? { call, name: "commit" } : undefined;
}

/** The subject of the commit that a row tells of, without its kind: `fix(cli): …`. */
function commitSubjectOf(entry: Entry): string | undefined {
  const [made] = madeCommitsOf(entry);
  return made === undefined || /^(?:Merge|Revert|WIP|fixup!|squash!)\b/i.test(made.subject)
    ? undefined
    : made.subject;
}
