// Which folder a Cursor project is of: `~/.cursor/projects/<slug>` is the folder's path with every
// sign between words as one `-`. That cannot be turned back, only compared: with the workspace, then
// with the directories that are there. Where none or several fit, nothing is said.

import type { Place } from "../source.ts";
import { directoryNames } from "../walk.ts";

const maxLooks = 200;

/** Where Cursor's agent keeps its transcripts. */
export function agentDirectory({ env, home }: Place): string {
  return env("CURSOR_CONFIG_DIR") || `${home}/.cursor`;
}

/** Finds folders by slugs, each once. */
export class CursorProjects {
  readonly #place: Place;
  readonly #folders = new Map<string, string | undefined>();
  #conversations?: Map<string, string>;

  constructor(place: Place) {
    this.#place = place;
  }

  findFolder(transcript: string): string | undefined {
    const slug = /\/projects\/([^/]+)\/agent-transcripts\//.exec(transcript)?.[1];
    if (slug === undefined) return undefined;
    if (!this.#folders.has(slug)) this.#folders.set(slug, this.#search(slug));
    return this.#folders.get(slug);
  }

  findFolderOf(conversation: string): string | undefined {
    this.#conversations ??= listTranscripts(`${agentDirectory(this.#place)}/projects`);
    const path = this.#conversations.get(conversation);
    return path && this.findFolder(path);
  }

  #search(slug: string): string | undefined {
    const { workspace } = this.#place;
    const wanted = slugOf(slug);
    if (wanted === slugOf(workspace)) return workspace;
    const fitting: string[] = [];
    const pending = [this.#start(wanted)];
    for (let looks = 0; pending.length > 0; looks++) {
      if (looks === maxLooks || fitting.length > 1) return undefined;
      const { path, rest } = pending.pop() ?? { path: "", rest: "" };
      for (const name of directoryNames(`${path}/`)) {
        const word = slugOf(name);
        if (word === "") continue;
        if (rest === word) fitting.push(`${path}/${name}`);
        else if (rest.startsWith(`${word}-`)) {
          pending.push({ path: `${path}/${name}`, rest: rest.slice(word.length + 1) });
        }
      }
    }
    return fitting.length === 1 ? fitting[0] : undefined;
  }

  /** On Windows the first word is a drive. */
  #start(wanted: string): { path: string; rest: string } {
    const [start, letter] = this.#place.os === "windows" ? /^([a-z])-/.exec(wanted) ?? [] : [];
    return start === undefined
      ? { path: "", rest: wanted }
      : { path: `${letter.toUpperCase()}:`, rest: wanted.slice(start.length) };
  }
}

function slugOf(path: string): string {
  return path.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}

/** The transcripts below Cursor's projects, by the conversations they are of. */
function listTranscripts(projects: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const project of directoryNames(projects)) {
    const directory = `${projects}/${project}/agent-transcripts`;
    for (const id of directoryNames(directory)) found.set(id, `${directory}/${id}/`);
  }
  return found;
}
