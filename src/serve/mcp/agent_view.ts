// The result of a command as an agent gets it: the command's brief form, without empty fields. Both
// forms of an answer, data and text, are made from it. Pure.

import { isObject } from "../../core/json.ts";
import { withoutEmpty } from "../../command/brief.ts";
import type { AnyCommand } from "../../command/command.ts";
import { toToolHint } from "./tool_hint.ts";

/** The fields of a result that are sent. Empty lists of rows are kept. */
export type AgentView = Record<string, unknown>;

/** Lists of sentences that may name commands. */
const adviceFields = new Set(["notes", "warnings"]);

/** Commands whose brief form is sent unchanged: a document defines it, empty fields included. */
export type ToldCommand = AnyCommand & { isWhole?: true };

/** Makes the view of one result; hints are rewritten for the tools that are served. */
export async function toAgentView(
  command: ToldCommand,
  data: object,
  served: readonly AnyCommand[] = [],
): Promise<AgentView> {
  const toTold = (name: string, value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    return value.map((item) => {
      if (isObject(item)) return command.isWhole ? item : withoutEmpty(item);
      const isAdvice = typeof item === "string" && adviceFields.has(name);
      return isAdvice ? toToolHint(item, { command, served }) : item;
    });
  };
  // What JSON leaves out is left out of the text too.
  const brief: AgentView = JSON.parse(JSON.stringify(await command.brief?.({ ...data }) ?? data));
  const told = command.isWhole ? brief : withoutEmpty(brief);
  return Object.fromEntries(
    Object.entries(brief).filter(([name]) => name in told || isRowList(command, name))
      .map(([name, value]) => [name, toTold(name, value)]),
  );
}

function isRowList({ output }: AnyCommand, name: string): boolean {
  const schema = output[name]?.schema;
  return schema?.type === "array" && schema.items?.type === "object";
}
