// Tool results that were too long for a Claude Code transcript lie in `tool-results` beside it; the
// transcript has their beginning and the name of the file.

import { contentText } from "./claude_blocks.ts";
import { findJson } from "../loose_json.ts";
import type { Tally } from "../problem_tally.ts";
import type { SourceSession } from "../source.ts";

const maxBytes = 20 << 20;
const notice = /^\s*<persisted-output>[^]{0,300}?saved to: [^\n]*?([\w-][\w.-]*\.(txt|json))\s*\n/;

/**
 * The whole of a result of which a transcript has only the beginning; undefined when it has all of it
 * or the file is gone. Of the path that is named only the file's name counts.
 */
export function findSpilled(
  text: string,
  session: SourceSession,
  tally: Tally,
): string | undefined {
  const [, name, kind] = notice.exec(text.slice(0, 2000)) ?? [];
  if (name === undefined) return undefined;
  const whole = readWhole(`${directoryOf(session)}/tool-results/${name}`);
  if (whole === undefined) tally.skip("spilled_output_gone");
  const content = kind === "json" && whole !== undefined ? findJson(whole) : undefined;
  return content === undefined ? whole : contentText(content);
}

/** Sub-agents put theirs beside those of the session that started them. */
function directoryOf({ path, id, parent }: SourceSession): string {
  const nested = path.lastIndexOf("/subagents/");
  return nested >= 0 ? path.slice(0, nested) : path.replace(/[^/]*$/, parent ?? id);
}

function readWhole(path: string): string | undefined {
  try {
    const { isFile, size } = Deno.lstatSync(path);
    return isFile && size <= maxBytes ? Deno.readTextFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}
