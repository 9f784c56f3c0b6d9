// The texts of a transcript that records can be derived from without a repository: commit messages of
// agents, plans, the last answer of an exchange, and what people typed.

import { isObject } from "../../src/core/json.ts";

/** Where a text stands. */
export const evidenceKinds = [
  "commit subject",
  "commit body",
  "plan heading",
  "plan text",
  "last answer of an exchange",
  "other answer",
  "typed prompt",
] as const;
/** One of `evidenceKinds`. */
export type EvidenceKind = typeof evidenceKinds[number];

/** A text, what it is, and the message that it stands in. */
export interface EvidenceText {
  kind: EvidenceKind;
  text: string;
  message: string;
}

type Found = Omit<EvidenceText, "message">;

/** Put there by the client rather than typed. */
const notTyped =
  /^(?:<|Caveat:|\[Request interrupted|This session is being continued|Base directory)/;
const givenPlan = /^Implement the following plan:/;
const trailer = /^(?:[A-Z][\w-]+-[\w-]+: |\S* ?Generated with )/;

/** Every such text of a transcript. */
export function readEvidence(transcript: string): EvidenceText[] {
  const texts: EvidenceText[] = [];
  let answers: { text: string; message: string }[] = [];
  const endExchange = (): void => {
    answers.forEach((answer, i) => {
      const isLast = i === answers.length - 1;
      texts.push({ kind: isLast ? "last answer of an exchange" : "other answer", ...answer });
    });
    answers = [];
  };
  for (const line of transcript.split("\n")) {
    const row = parseRow(line);
    if (row === undefined) continue;
    const { type, message, parts } = row;
    const add = (found: Found[]): void => found.forEach((text) => texts.push({ ...text, message }));
    for (const part of parts) {
      if (type === "assistant" && part.type === "text") answers.push({ text: part.text, message });
      if (part.type === "tool_use") add(readCall(part.input));
      if (type !== "user" || part.type !== "text" || notTyped.test(part.text)) continue;
      endExchange();
      if (givenPlan.test(part.text)) add(readPlan(part.text.replace(givenPlan, "")));
      else add([{ kind: "typed prompt", text: part.text }]);
    }
  }
  endExchange();
  return texts;
}

type Part = { type: "text"; text: string } | { type: "tool_use"; input: Record<string, unknown> };

/** A message of the conversation itself: no sub-agent's, nothing put in by the client. */
function parseRow(
  line: string,
): { type: string; message: string; parts: Part[] } | undefined {
  const row: unknown = line === "" ? undefined : JSON.parse(line);
  if (!isObject(row) || row.isMeta === true || row.isSidechain === true) return undefined;
  if (!isObject(row.message) || typeof row.type !== "string") return undefined;
  const { content } = row.message;
  const given = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const parts = (Array.isArray(given) ? given : []).flatMap((part: unknown): Part[] => {
    if (!isObject(part)) return [];
    if (part.type === "text" && typeof part.text === "string") {
      return [{ type: "text", text: part.text.trim() }];
    }
    return part.type === "tool_use" && isObject(part.input)
      ? [{ type: "tool_use", input: part.input }]
      : [];
  });
  return { type: row.type, message: typeof row.uuid === "string" ? row.uuid : "", parts };
}

/** The commit or the plan of a tool call. */
function readCall({ command, plan }: Record<string, unknown>): Found[] {
  if (typeof plan === "string") return readPlan(plan);
  return typeof command === "string" ? commitMessages(command).flatMap(readCommit) : [];
}

/** The messages of the commits that a command makes: `-m "…"`, also from a here-document. */
export function commitMessages(command: string): string[] {
  return command.split(/\bgit (?:-C \S+ )?commit\b/).slice(1).flatMap((rest) => {
    const here = /<<-?\s*['"]?(\w+)['"]?\n([\s\S]*?)\n\s*\1\b/.exec(rest);
    if (here !== null) return [here[2]];
    const quoted = [...rest.matchAll(/-a?m\s+(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g)]
      .map(([, double, single]) => double ?? single ?? "");
    return quoted.length > 0 ? [quoted.join("\n\n")] : [];
  });
}

function readCommit(message: string): Found[] {
  const [subject, ...body] = message.trim().split("\n");
  const rest = body.filter((line) => !trailer.test(line.trim())).join("\n").trim();
  return [
    { kind: "commit subject", text: subject },
    ...(rest === "" ? [] : [{ kind: "commit body", text: rest } as const]),
  ];
}

function readPlan(plan: string): Found[] {
  const isHeading = (line: string): boolean => /^#+ /.test(line);
  const lines = plan.split("\n");
  return [
    ...lines.filter(isHeading).map((text) => ({ kind: "plan heading", text }) as const),
    { kind: "plan text", text: lines.filter((line) => !isHeading(line)).join("\n") },
  ];
}
