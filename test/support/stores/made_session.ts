// A session written as a short script, for tests of what is derived from sessions.

import type { Entry } from "../../../src/core/entry.ts";

/** One step: who, and what. `run` and `edit` are a call with its output. */
export type Step =
  | { user: string }
  | { agent: string }
  | { run: string; output?: string; failed?: boolean }
  | { edit: string }
  | { row: Partial<Entry> };

/** The entries of a script, in order, a minute apart. */
export function madeSession(steps: readonly Step[], session = "S-made"): Entry[] {
  const rows: Entry[] = [];
  const add = (fields: Partial<Entry>): void => {
    const number = rows.length + 1;
    rows.push({
      id: `${session}-${number}`,
      ts: new Date(Date.UTC(2026, 4, 1, 9, number)).toISOString(),
      role: "assistant",
      type: "turn",
      text: "",
      session_id: session,
      index: number,
      source: { agent: "claude-code", conversation: session, message: `m${number}` },
      ...fields,
    });
  };
  steps.forEach((step, i) => {
    const call_id = `call-${i}`;
    if ("user" in step) add({ role: "user", text: step.user });
    else if ("agent" in step) add({ text: step.agent });
    else if ("run" in step) {
      const { run: command, output = "", failed = false } = step;
      const tool = { name: "Bash", effect: "run", input: { command }, call_id };
      add({ type: "tool_call", text: `Bash: ${command}`, tool });
      const error = failed ? { error: true } : {};
      add({
        role: "tool",
        type: "tool_output",
        text: output,
        tool: { name: "Bash", call_id, ...error },
      });
    } else if ("edit" in step) {
      const tool = { name: "Edit", effect: "edit", input: { file_path: step.edit }, call_id };
      add({ type: "tool_call", text: `Edit: ${step.edit}`, files: [step.edit], tool });
      add({ role: "tool", type: "tool_output", text: "edited", tool: { name: "Edit", call_id } });
    } else add(step.row);
  });
  return rows;
}
