// Whether git's ignore files of a repository leave a path out. The user's own list elsewhere is not read.

import { findTextIn, type GitRepository } from "../git/git_repository.ts";

export async function isIgnored(
  { root, commonDirectory }: Pick<GitRepository, "root" | "commonDirectory">,
  place: string,
): Promise<boolean> {
  const { default: makeIgnore } = await import("ignore");
  const names = place.split("/");
  return names.some((_, depth) => {
    const folder = names.slice(0, depth).join("/");
    const rules = [
      ...depth === 0 ? [findTextIn(commonDirectory, "info/exclude", 64 << 10)] : [],
      findTextIn(root, folder === "" ? ".gitignore" : `${folder}/.gitignore`, 256 << 10),
    ].filter((text) => text !== undefined);
    return rules.length > 0 &&
      makeIgnore().add(rules.join("\n")).ignores(names.slice(depth).join("/"));
  });
}
