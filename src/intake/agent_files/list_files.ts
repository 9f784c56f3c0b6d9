// The files of a project, as far as people write about them: what tools install or generate is passed
// over. Links are not followed. Reads names only.

/** The relative paths below a directory, at most so many. */
export function listFiles(root: string, most = 50_000): string[] {
  const found: string[] = [];
  const open = [""];
  while (open.length > 0 && found.length < most) {
    const below = open.shift() ?? "";
    for (const { name, isFile, isDirectory, isSymlink } of readFolder(`${root}/${below}`)) {
      const path = below === "" ? name : `${below}/${name}`;
      if (isFile || isSymlink) found.push(path);
      else if (isDirectory && !skipped.has(name)) open.push(path);
    }
  }
  return found.slice(0, most);
}

const skipped: ReadonlySet<string> = new Set(
  ".git .hg .svn .contextfs node_modules target dist vendor .venv venv __pycache__ .next .turbo"
    .split(" "),
);

function readFolder(path: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(path)];
  } catch {
    return [];
  }
}
