// A directory on this machine, or one that a share, Syncthing, git or rclone brings to others. They may
// put links in it, which lead to what is not theirs: none is followed.

import { CtxError } from "../../core/errors.ts";
import type { Files } from "../../disk/files.ts";
import { findLinkInfo, isDirectory } from "../../disk/outside_files.ts";
import { placeNew } from "../../disk/write_new.ts";
import {
  draftOf,
  type FileCarrier,
  maxFileBytes,
  strangeError,
  tooLargeError,
} from "./file_carrier.ts";

/** Others who may use the directory read what is in it: the user's umask decides, as for any file. */
const mode = 0o666;

/** The files below a directory; it must be there, or a share that is not mounted would be taken for an empty one. */
export function openLocal(directory: string, files: Files): FileCarrier {
  if (!isDirectory(directory)) {
    throw new CtxError(
      "REMOTE_UNREACHABLE",
      `Cannot open "${directory}": there is no such folder`,
      {
        hint: "create the folder, or mount the share that it is on",
      },
    );
  }
  /** A folder's own path; throws where a link is in its place, or in that of one around it. */
  const folderAt = (folder: string): string => {
    let at = directory;
    for (const part of folder.split("/")) {
      at += `/${part}`;
      if (findLinkInfo(at)?.isDirectory === false) throw strangeError(folder, directory);
    }
    return at;
  };
  const at = (path: string): string => {
    const [, folder, name] = /^(.*)\/([^/]*)$/.exec(path) ?? ["", "", path];
    return `${folderAt(folder)}/${name}`;
  };
  const draft = (path: string, bytes: Uint8Array): string => {
    files.makeDirectory(folderAt(path.replace(/\/[^/]*$/, "")), 0o777);
    const file = draftOf(at(path));
    files.replace(file, bytes, { sync: true, mode });
    return file;
  };
  return {
    place: directory,
    async list(folder) {
      await Promise.resolve();
      const path = folderAt(folder);
      return files.list(path).map((name) =>
        !/\.\w+$/.test(name) && findLinkInfo(`${path}/${name}`)?.isDirectory ? `${name}/` : name
      );
    },
    async read(path) {
      await Promise.resolve();
      const info = findLinkInfo(at(path));
      if (info === undefined) return undefined;
      if (!info.isFile) throw strangeError(path, directory);
      if (info.size > maxFileBytes) throw tooLargeError(path, directory);
      return files.findBytes(at(path));
    },
    async create(path, bytes) {
      await Promise.resolve();
      if (findLinkInfo(at(path)) !== undefined) return false;
      return placeNew(files, draft(path, bytes), at(path));
    },
    async replace(path, bytes) {
      await Promise.resolve();
      files.rename(draft(path, bytes), at(path));
    },
    async remove(path) {
      await Promise.resolve();
      files.remove(at(path));
    },
    async [Symbol.asyncDispose]() {},
  };
}
