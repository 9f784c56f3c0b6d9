// `remote.json`: the space that this store belongs to, and as whom. No address and no secret: those are
// in the user's own configuration.

import { findJson, isObject } from "../../core/json.ts";
import type { Files } from "../../disk/files.ts";
import type { Layout } from "../../disk/layout.ts";
import { readText, replaceText } from "../../disk/text_files.ts";
import type { RowOf } from "../../formats/row_schema.ts";
import type { remote } from "../../formats/store_file.ts";

/** The content of `remote.json`. */
export type RemoteFile = RowOf<typeof remote>;

type Place = { files: Files; layout: Pick<Layout, "remote"> };

/** The space of a store; undefined when it belongs to none, or the file is damaged. */
export function readRemote({ files, layout }: Place): RemoteFile | undefined {
  const value = findJson(readText(files, layout.remote));
  const isWhole = isObject(value) && value.version === 1 &&
    [value.space, value.writer, value.name].every((field) => typeof field === "string");
  return isWhole
    ? { ...value, owner: value.owner === true, encrypted: value.encrypted === true } as RemoteFile
    : undefined;
}

/** Replaces the file; it is on disk when this returns. */
export function writeRemote({ files, layout }: Place, remote: RemoteFile): void {
  replaceText(files, layout.remote, JSON.stringify(remote, null, 2) + "\n");
}
