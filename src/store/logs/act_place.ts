// Where the log of acts is, and whether it tells of something forgotten: all that a search asks of it.

import { isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { type BoundedLog, readRows } from "./rotate_log.ts";

/** Where a log of acts is. */
export interface ActPlace {
  files: Files;
  layout: Pick<Layout, "acts">;
}

export function actLog({ acts: path }: ActPlace["layout"]): BoundedLog {
  return { path, fileBytes: 256 << 10, kept: 1 };
}

/** Whether something was ever forgotten here, as far as this log goes back; a view of one session cannot know. */
export function hasForgotten({ files, layout }: ActPlace): boolean {
  const needles = ['"act":"forget"', '"act":"erase"'];
  return files.isScoped ||
    readRows(files, actLog(layout), isForgetting, { needles }).next().done !== true;
}

function isForgetting(value: unknown): value is { act: string } {
  return isObject(value) && (value.act === "forget" || value.act === "erase");
}
