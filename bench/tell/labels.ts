// The labels of a set: what its sessions should have been sent, according to a reader who saw nothing
// of ctx. The README beside them (../shared/bench/tell) explains the fields.

/** Something worth telling, and the words without which a line does not tell it. */
export interface Fact {
  id: string;
  must: string[];
  /** Messages of the transcripts. */
  evidence: string[];
  /** 3: every later session should know it. */
  strength: number;
}

/** What a session that starts at a moment should be told, and what no longer holds by then. */
export interface PackLabel {
  time: string;
  tell: string[];
  must_not: string[];
}

/** What should be said at a prompt: mostly nothing. */
export interface PromptLabel {
  session: string;
  uuid: string;
  time: string;
  prompt: string;
  tell: string[];
}

/** The words that the title of a session needs, and titles that say nothing. */
export interface TitleLabel {
  session: string;
  must: string[];
  useless?: string[];
}

/** A labelled project. */
export interface Labels {
  name: string;
  facts: Fact[];
  packs: PackLabel[];
  prompts: PromptLabel[];
  titles: TitleLabel[];
  /** The sessions that were read for them; others come before or after. */
  sessions: Set<string>;
}

/** Reads the labels of a set. */
export function readLabels(directory: string, name: string): Labels {
  const at = `${directory}/${name}`;
  const notes = Deno.readTextFileSync(`${at}/NOTES.md`);
  return {
    name,
    facts: readLines<Fact>(`${at}/facts.jsonl`),
    packs: readLines<PackLabel>(`${at}/packs.jsonl`),
    prompts: readLines<PromptLabel>(`${at}/prompts.jsonl`),
    titles: readLines<TitleLabel>(`${at}/titles.jsonl`),
    sessions: new Set(notes.match(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g)),
  };
}

/** Reads a file with a JSON value on each line. */
export function readLines<T>(path: string): T[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}
