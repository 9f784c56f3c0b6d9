// Where home directories are, the user's own and anybody's: what is shown to others leaves them out. Pure.

/** What home directories are in, as sources of expressions; a user's name follows, but for `root`. */
export const homeParents = {
  unix: String.raw`(?:\/mnt\/[a-z]|\/private)?\/(?:home|Users)\/`,
  root: String.raw`\/root`,
  windows: String.raw`\b[A-Za-z]:[\\/]{1,2}Users[\\/]`,
};

const name = String.raw`[^\s/\\"'\`<>|;:,()[\]{}]`;
const start = String.raw`(?:(?<=file:\/\/)|(?<![\w.~/-]))`;
const anyHome = new RegExp(
  `${start}${homeParents.unix}${name}{1,64}(?!${name})|${start}${homeParents.root}(?![\\w.-])|` +
    String.raw`${homeParents.windows}[\\/]?${name}{1,64}`,
  "g",
);

/** A text with `~` for home directories, the user's own and those of others. */
export function withoutHomes(text: string, home: string | undefined): string {
  const told = text.replace(anyHome, "~");
  const own = home?.replace(/\/+$/, "") ?? "";
  if (own.length < 2 || !told.includes(own)) return told;
  // Not where it is only the beginning of another's name.
  return told.replace(new RegExp(String.raw`${start}${RegExp.escape(own)}(?![\w.-])`, "g"), "~");
}

/** A path with `~` for the user's home. */
export function toTildePath(path: string, home: string | undefined): string {
  return home && `${path}/`.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
