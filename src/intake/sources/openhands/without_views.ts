// OpenHands' editor also shows files: such a call reads one and edits none. Pure.

import { toObject } from "../loose_json.ts";
import type { SourceEntry } from "../source.ts";

/** The same call; of one that only views, the effect is to read. */
export function withoutViews(call: SourceEntry): SourceEntry {
  if (call.tool?.effect !== "edit" || toObject(call.tool.input)?.command !== "view") return call;
  return { ...call, tool: { ...call.tool, effect: "read" } };
}
