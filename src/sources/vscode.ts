// Where VS Code and its kin keep user data, and which folder a workspace storage belongs to.

import { parseJson, toObject, toText } from "./loose_json.ts";
import type { Place } from "./source.ts";
import { toProjectPath } from "./touched.ts";
import { findSmallText } from "./walk.ts";

const products = ["Code", "Code - Insiders", "VSCodium"];

/** The `User` directories of VS Code, Insiders, VSCodium and remote servers, whether they exist or not. */
export function codeUserDirectories({ env, home, os }: Place): string[] {
  const base = os === "darwin"
    ? `${home}/Library/Application Support`
    : os === "windows"
    ? env("APPDATA") || `${home}/AppData/Roaming`
    : env("XDG_CONFIG_HOME") || `${home}/.config`;
  return [
    ...products.map((product) => `${base}/${product}/User`),
    `${home}/.vscode-server/data/User`,
    `${home}/.vscode-server-insiders/data/User`,
  ];
}

/** The folder a file under a workspace's storage belongs to: `workspace.json` above it. */
export function findWorkspaceFolder(path: string): string | undefined {
  let directory = path.replace(/\/[^/]+$/, "");
  for (let level = 0; level < 3; level++) {
    const workspace = toObject(parseJson(findSmallText(`${directory}/workspace.json`) ?? ""));
    const folder = toText(workspace?.folder);
    if (folder) return toProjectPath(folder.replace(/^vscode-remote:\/\/[^/]+/, "file://"));
    directory = directory.replace(/\/[^/]+$/, "");
  }
  return undefined;
}
