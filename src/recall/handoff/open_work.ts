// What a session left: where it was cut off, tests that failed, steps and prompts that are open, a question
// that nobody answered, files that are not committed. Facts of the log and of git; nothing is guessed.

import type { Entry } from "../../core/entry.ts";
import { resolvePath } from "../../core/platform_path.ts";
import { redactText } from "../../core/redact/redact.ts";
import { toExchanges } from "../../core/rows/exchanges.ts";
import { isRecord } from "../../core/rows/record.ts";
import { toLine } from "../../core/text.ts";
import { findInfo } from "../../disk/outside_files.ts";
import type { Store } from "../../store/store.ts";
import { findOpen } from "../distil/find_open.ts";
import { toScenes } from "../distil/scenes.ts";
import { isPlainPath, withoutControls } from "./turn.ts";

/** Of a huge session only its end is read: what was left is there. */
const maxRows = 2000;
const maxFiles = 50;
const maxFacts = 6;
const maxChars = 160;

/** What a session left, the most certain first; empty where nothing is open. */
export async function findLeft(
  store: Store,
  places: ReturnType<Store["readSession"]>,
): Promise<string[]> {
  const entries = store.findRowsAt(places.slice(-maxRows))
    .filter((entry) => !isRecord(entry) && entry.undone !== true && entry.sidechain !== true);
  const uncommitted = await findUncommittedFiles(entries);
  const open = findOpen(toScenes(toExchanges(entries)))
    .filter(({ evidence }) => evidence[0]?.role !== "user").map(({ text }) => text);
  return [...new Set([...uncommitted, ...findUnanswered(entries), ...open].map(clean))]
    .filter((text) => text !== "").slice(0, maxFacts);
}

/** The files that it edited and that differ from the last commit. */
async function findUncommittedFiles(entries: readonly Entry[]): Promise<string[]> {
  const project = entries.find(({ project }) => isPlainPath(project))?.project;
  if (project === undefined || !findInfo(project)?.isDirectory) return [];
  const edited = new Set<string>();
  for (const { tool, files = [] } of entries.toReversed()) {
    if (tool?.effect !== "edit" || edited.size >= maxFiles) continue;
    for (const path of files) edited.add(resolvePath(path, project));
  }
  if (edited.size === 0) return [];
  const { findUncommitted } = await import("../../code/blame/find_uncommitted.ts");
  const found = await findUncommitted(project, [...edited]);
  if (found.length === 0) return [];
  const names = found.slice(0, 3).map((path) =>
    path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path
  );
  const more = found.length > names.length ? ` and ${found.length - names.length} more` : "";
  return [`Not committed: ${names.join(", ")}${more}`];
}

/** What nobody answered: the last prompt, or a question that the agent ended with. */
function findUnanswered(entries: readonly Entry[]): string[] {
  const last = entries.findLast(({ type, role }) =>
    role === "user" || role === "assistant" && type !== "tool_call" && type !== "thinking"
  );
  if (last?.role === "user") return [`Unanswered: ${last.text}`];
  const line = last?.text.trimEnd().split("\n").at(-1) ?? "";
  return line.endsWith("?") ? [`Asked you: ${line}`] : [];
}

function clean(text: string): string {
  return toLine(withoutControls(redactText(text).value), maxChars);
}
