// A directory on this machine, or one that a share, Syncthing, git or rclone brings to others.

import { CtxError } from "../../core/errors.ts";
import type { Files } from "../../disk/files.ts";
import { isDirectory } from "../../disk/outside_files.ts";
import { type FileCarrier, maxFileBytes, tooLargeError } from "./file_carrier.ts";

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
  const at = (path: string): string => `${directory}/${path}`;
  const put = (path: string, bytes: Uint8Array): void => {
    const folder = path.replace(/\/[^/]*$/, "");
    files.makeDirectory(at(folder), 0o777);
    files.replace(at(path), bytes, { sync: true, mode });
  };
  return {
    place: directory,
    async list(folder) {
      await Promise.resolve();
      return files.list(at(folder))
        .map((name) =>
          !name.includes(".") && isDirectory(at(`${folder}/${name}`)) ? `${name}/` : name
        );
    },
    async read(path) {
      await Promise.resolve();
      if ((files.findSize(at(path)) ?? 0) > maxFileBytes) throw tooLargeError(path, directory);
      return files.findBytes(at(path));
    },
    async create(path, bytes) {
      await Promise.resolve();
      if (files.findSize(at(path)) !== undefined) return false;
      put(path, bytes);
      return true;
    },
    async replace(path, bytes) {
      await Promise.resolve();
      put(path, bytes);
    },
    async remove(path) {
      await Promise.resolve();
      files.remove(at(path));
    },
    async [Symbol.asyncDispose]() {},
  };
}
