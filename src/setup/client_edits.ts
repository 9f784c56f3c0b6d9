// The edits that agents with JSON settings have in common: our server, our hooks in their lists,
// words in a list of permissions. Plans edits of texts; writes nothing.

import { JsonEditor, type JsonPath } from "../config/edit_json.ts";
import { CtxError } from "../core/errors.ts";
import { isObject, toFields } from "../core/json.ts";
import { toHookLine } from "./hook_line.ts";
import { foreignEntry, isOurCommand, isOurEntry } from "./own_entries.ts";

/** What a plan is made from. */
export interface SetupWish {
  /** The user's home, and the workspace. */
  home: string;
  workspace: string;
  scope: "user" | "project";
  /** The words that start ctx. */
  program: string[];
  remove: boolean;
  /** Whether it is about the server with one tool, `ctx mcp agent`, and nothing else. */
  agent?: boolean;
  hooks: boolean;
  /** Whether to speak before edits, where the agent has a hook that can. */
  preEdit: boolean;
  /** Whether to check commands and edits against guards before they happen, where the agent can. */
  guards: boolean;
  /** The tools that the agent may call without asking, by their names on the server. */
  allowed: readonly string[];
  /** Whether to write the section of AGENTS.md. */
  agentsMd: boolean;
  /** Whether to leave out the retrieval agent. */
  noRetrieval?: boolean;
  /** Whether what the user changed in a file of ours may be written anew. */
  overwrites?: boolean;
  /** Whether a file is there. */
  exists: (path: string) => boolean;
}

/** One file to edit; the result of undefined means that the file should not exist. */
export interface PlannedEdit {
  path: string;
  edit(text: string | undefined, say: Say): Promise<string | undefined> | string | undefined;
  /** Whether a text is all ours, perhaps of an earlier version: such a text needs no backup. */
  isOurs?(text: string): boolean;
  /** What to ask the user before a text of theirs is written anew. */
  asks?(text: string): string | undefined;
  /** Our server as a text has it, where this file is the one that holds it. */
  findServer?(text: string): Promise<unknown>;
}

/** Takes what the user should know about an edit. */
export type Say = (remark: string) => void;

/** Our server as settings have it: its name there, and how it is started. */
export function serverOf(
  { agent, program }: Pick<SetupWish, "agent" | "program">,
): { name: string; command: string; args: string[] } {
  const [command, ...args] = [...program, "mcp", ...(agent ? ["agent"] : [])];
  return { name: agent ? "ctx-agent" : "ctx", command, args };
}

/** Several edits of one file, one after the other. */
export function inOneFile(path: string, edits: PlannedEdit[]): PlannedEdit {
  return {
    path,
    async edit(text, say) {
      let edited = text;
      for (const { edit } of edits) edited = await edit(edited, say);
      return edited;
    },
    findServer: edits.find(({ findServer }) => findServer !== undefined)?.findServer,
  };
}

/** How an agent reads its settings, where that is not what JSON editors accept. */
export interface JsonReader {
  title: string;
  /** Whether it reads comments; none reads a comma after the last item. */
  comments: boolean;
  /** Whether it goes on without the file, and says nothing. */
  isSilent?: boolean;
}

/** Settings that their agent does not read: refused, or told where the agent would pass over them. */
export function readableJson(path: string, wish: SetupWish, reader: JsonReader): PlannedEdit {
  return {
    path,
    async edit(text, say) {
      if (wish.remove || !text?.trim()) return text;
      const extra = (await JsonEditor.open(text, path)).findExtra(reader);
      if (extra === undefined) return text;
      const { title, isSilent } = reader;
      if (isSilent) {
        say(`${title} ignores ${path} because line ${extra.line} has ${extra.what}; remove it`);
        return text;
      }
      throw new CtxError(
        "CONFIG_INVALID",
        `Cannot edit "${path}", line ${extra.line}: ${title} does not read ${extra.what}`,
        { hint: "remove it first; the file was not changed" },
      );
    },
  };
}

/** Our server under its name; what the user added to it stays. */
export function jsonEntry(
  path: string,
  at: JsonPath,
  value: object,
  wish: SetupWish,
): PlannedEdit {
  return {
    path,
    async edit(text, say) {
      if (wish.remove && text === undefined) return undefined;
      const json = await JsonEditor.open(text, path);
      const known = json.find(at);
      if (!wish.remove) {
        if (!isOurEntry(known, wish.program)) json.set(at, value);
        else for (const [name, one] of Object.entries(value)) json.set([...at, name], one);
      } else if (known === undefined) return text;
      else if (isOurEntry(known, wish.program)) json.remove(at);
      else say(foreignEntry(at.join("."), path));
      return json.text;
    },
    findServer: async (text) => (await JsonEditor.open(text, path)).find(at),
  };
}

/** A hook of ours and the event whose list it belongs to. */
export interface EventHook {
  event: string;
  hook: object;
  /** It speaks before edits; the others capture turns and tell what is known. */
  isPreEdit?: boolean;
  /** It only checks against guards. */
  isGuard?: boolean;
}

/** Adds our hook to each event's list once; other hooks there stay. */
export function jsonHooks(path: string, wish: SetupWish, hooks: EventHook[]): PlannedEdit {
  return {
    path,
    async edit(text) {
      const isWanted = ({ isPreEdit, isGuard }: EventHook): boolean =>
        wish.hooks && !wish.remove && (wish.preEdit || !isPreEdit) && (wish.guards || !isGuard);
      if (!text?.trim() && !hooks.some(isWanted)) return text;
      const json = await JsonEditor.open(text, path);
      for (const item of hooks) {
        const at = ["hooks", item.event];
        const list = json.find(at);
        const known: unknown[] = Array.isArray(list) ? list : [];
        const wanted = isWanted(item) ? JSON.stringify(item.hook) : undefined;
        let isThere = known.some((one) => JSON.stringify(one) === wanted);
        for (const [i, one] of [...known.entries()].reverse()) {
          if (JSON.stringify(one) === wanted) continue;
          const line = isThere || wanted === undefined ? undefined : findOlderLine(one, item.hook);
          if (line === undefined) removeOurs(json, [...at, i], one);
          else {
            // That of a ctx elsewhere: only the line itself changes, so that all else stays in its place.
            json.set([...at, i, ...line.at], line.command);
            isThere = true;
          }
        }
        if (wanted !== undefined && !isThere) json.add(at, item.hook);
      }
      return json.text;
    },
  };
}

/** Where a hook of ours differs from the wanted one in nothing but its command line, and that line. */
function findOlderLine(
  hook: unknown,
  wanted: object,
): { at: JsonPath; command: string } | undefined {
  const [older, newer] = [hook, wanted].map(commandsOf);
  const [{ command }] = newer;
  if (older.length !== 1 || newer.length !== 1 || typeof command !== "string") return undefined;
  const blank = (one: unknown): string =>
    JSON.stringify(one, (name, value) => name === "command" ? "" : value);
  if (!isOurCommand(older[0]) || blank(hook) !== blank(wanted)) return undefined;
  const isNested = isObject(hook) && Array.isArray(hook.hooks);
  return { at: isNested ? ["hooks", 0, "command"] : ["command"], command };
}

/** Takes our commands out of a hook, and the hook with them when nothing else is in it. */
function removeOurs(json: JsonEditor, at: JsonPath, hook: unknown): void {
  const ours = commandsOf(hook).map(isOurCommand);
  if (ours.every((own) => own)) {
    if (ours.length > 0) json.remove(at);
    return;
  }
  for (let i = ours.length - 1; i >= 0; i--) if (ours[i]) json.remove([...at, "hooks", i]);
}

/** The commands of a hook: a list of them, or the hook itself. */
function commandsOf(hook: unknown): Record<string, unknown>[] {
  const commands: unknown[] = isObject(hook) && Array.isArray(hook.hooks) ? hook.hooks : [hook];
  return commands.map(toFields);
}

/** Words in a list: those wanted are added once, those of ours that are not wanted taken out. */
export function jsonWords(
  path: string,
  at: JsonPath,
  words: { wanted: readonly string[]; isOurs: (word: string) => boolean },
): PlannedEdit {
  return {
    path,
    async edit(text) {
      if (!text?.trim() && words.wanted.length === 0) return text;
      const json = await JsonEditor.open(text, path);
      const list = json.find(at);
      const known: unknown[] = Array.isArray(list) ? list : [];
      for (const [i, one] of [...known.entries()].reverse()) {
        const isOld = typeof one === "string" && words.isOurs(one) && !words.wanted.includes(one);
        if (isOld) json.remove([...at, i]);
      }
      for (const word of words.wanted) if (!known.includes(word)) json.add(at, word);
      return json.text;
    },
  };
}

/** The line that calls our hook, for a shell. */
export function toLine(
  { program }: SetupWish,
  agent: string,
  options: { hasBash?: boolean } = {},
): string {
  return toHookLine([...program, "hook", agent], options);
}
