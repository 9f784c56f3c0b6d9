// Where VS Code and its kin keep user data, and which folder a workspace storage belongs to.

import { toText } from "./loose_json.ts";
import type { Place } from "./source.ts";
import { toProjectPath } from "./touched.ts";
import { findObject } from "./walk.ts";

const products = ["Code", "Code - Insiders", "VSCodium"];

/** The `User` directories of VS Code, Insiders, VSCodium and remote servers, whether they exist or not. */
export function codeUserDirectories(place: Place): string[] {
  const { home } = place;
  const base = configDirectory(place);
  return [
    ...products.map((product) => `${base}/${product}/User`),
    `${home}/.vscode-server/data/User`,
    `${home}/.vscode-server-insiders/data/User`,
  ];
}

/** Where programs of this kind keep their settings. */
export function configDirectory({ env, home, os }: Place): string {
  if (os === "darwin") return `${home}/Library/Application Support`;
  if (os === "windows") return env("APPDATA") || `${home}/AppData/Roaming`;
  return env("XDG_CONFIG_HOME") || `${home}/.config`;
}

/** Where programs keep data beside their settings; not all of them as a Mac would have it. */
export function dataDirectory({ env, home, os }: Place, { hasLibrary = true } = {}): string {
  if (os === "darwin" && hasLibrary) return `${home}/Library/Application Support`;
  if (os === "windows") return env("LOCALAPPDATA") ?? `${home}/AppData/Local`;
  return env("XDG_DATA_HOME") || `${home}/.local/share`;
}

/** The folder a file under a workspace's storage belongs to: `workspace.json` above it. */
export function findWorkspaceFolder(path: string): string | undefined {
  let directory = path.replace(/\/[^/]+$/, "");
  for (let level = 0; level < 3; level++) {
    const folder = toText(findObject(`${directory}/workspace.json`)?.folder);
    if (folder) return fromFolderUri(folder);
    directory = directory.replace(/\/[^/]+$/, "");
  }
  return undefined;
}

/** The path of a folder's URI; of a remote one, the path there. */
export function fromFolderUri(uri: string): string {
  return toProjectPath(uri.replace(/^vscode-remote:\/\/[^/]+/, "file://"));
}
