// The user's other projects: the folders beside this one that look like a project.

import { findInfo } from "../disk/outside_files.ts";

const marks = [".git", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "README.md"];
const most = 500;

/** The names of the projects in a folder, without this one. */
export function listProjects(parent: string, workspace: string): string[] {
  try {
    return [...Deno.readDirSync(parent)].slice(0, most)
      .filter(({ name, isDirectory }) =>
        isDirectory && `${parent}/${name}` !== workspace &&
        marks.some((mark) => findInfo(`${parent}/${name}/${mark}`) !== undefined)
      ).map(({ name }) => name);
  } catch {
    return [];
  }
}
