// Moves transcripts to another place: the path of each session's checkout is replaced by that of a
// workspace, so that its files and commits are those of the workspace's repository.

import { listTranscripts } from "./transcripts.ts";

/** Writes the transcripts of a directory to another, with their checkout at a workspace's path. */
export async function placeTranscripts(
  { from, to }: { from: string; to: string },
  workspace: string,
): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for (const path of listTranscripts(from)) {
    const text = await Deno.readTextFile(path);
    const places = new Set(text.match(/"cwd":"[^"]+"/g));
    const [checkout] = [...places].map((cell) => cell.slice('"cwd":"'.length, -1))
      .sort((a, b) => a.length - b.length);
    const placed = checkout === undefined ? text : text.replaceAll(checkout, workspace);
    await Deno.writeTextFile(`${to}/${path.slice(path.lastIndexOf("/") + 1)}`, placed);
  }
}
