// A name for the state of the sources that fill and index a store: rooms that only read it play no part.

const rooms = ["core", "disk", "store", "index", "intake", "recall"];

/** A short hash over the contents of those rooms' files. */
export async function sourcesState(repository: string): Promise<string> {
  const paths = rooms.flatMap((room) => listFiles(`${repository}src/${room}`)).sort();
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(path)));
  const bytes = new TextEncoder().encode(texts.join("\0"));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return hash.slice(0, 8).toHex();
}

function listFiles(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) => {
    const path = `${directory}/${name}`;
    if (isDirectory) return listFiles(path);
    return name.endsWith(".ts") ? [path] : [];
  });
}
