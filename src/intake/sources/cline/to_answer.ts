// Tools by which Cline speaks to its user: what they say is an answer. Pure.

import { type Json, parseArguments, toList, toObject, toText } from "../loose_json.ts";

const spoken: Record<string, string> = {
  attempt_completion: "result",
  ask_followup_question: "question",
  plan_mode_respond: "response",
};

/** What a call says to the user, and the rest of its arguments; undefined for other tools. */
export function toAnswer(name: string, input: unknown): { text: string; rest: Json } | undefined {
  const field = spoken[name];
  const { [field]: value, ...rest } = toObject(input) ?? {};
  const said = field === undefined ? undefined : toText(value)?.trim();
  if (!said) return undefined;
  return { text: [said, ...optionsOf(rest)].join("\n"), rest };
}

/** What Cline's panel keeps of the same: a text, or JSON with the question and its options. */
export function shownAnswer(text: string): string {
  const shown = text.trimStart().startsWith("{") ? toObject(parseArguments(text)) : undefined;
  const said = toText(shown?.question) ?? toText(shown?.response);
  return said === undefined || shown === undefined ? text : [said, ...optionsOf(shown)].join("\n");
}

/** The answers that were proposed, as Cline, Roo, or Roo's XML name them. */
function optionsOf({ options, suggest, follow_up }: Json): string[] {
  const tagged = typeof follow_up === "string"
    ? [...follow_up.matchAll(/<suggest[^>]{0,200}>([^<]{1,2000})<\/suggest>/g)].map(([, it]) => it)
    : toList(follow_up);
  return [...toList(parseArguments(options)), ...toList(suggest), ...tagged].flatMap((option) => {
    const said = toText(option) ?? toText(toObject(option)?.answer) ??
      toText(toObject(option)?.text);
    return said === undefined ? [] : [`- ${said.trim()}`];
  });
}
