// Entries, sessions and the pack as resources that a client can attach, complete and read. Each runs a
// command; nothing here reads the store itself.

import type { AnyCommand, Context } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";
import { CtxError, toCtxError } from "../../core/errors.ts";
import { noStoreText } from "./guide.ts";
import { toAgentView } from "./agent_view.ts";
import { toRecalledText } from "./recalled_text.ts";
import { makeMarker } from "./tool.ts";

export interface ListedResource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType: string;
}

/** A resource, or a family of them when its address has a variable. */
export interface ServedResource {
  name: string;
  /** An address, or a template such as `ctx://entry/{id}`. */
  uri: string;
  title: string;
  description: string;
  mimeType: string;
  /** The text of one resource; throws NOT_FOUND. */
  read(id: string, signal: AbortSignal): Promise<string>;
  /** Some resources of the family, newest first. */
  list?(): Promise<ListedResource[]>;
  /** Ids that start with a value. */
  complete?(value: string): Promise<string[]>;
}

const mimeType = "text/plain";

/** Where resources find the commands they are made of. */
export type FindCommand = (name: string) => Promise<AnyCommand | undefined>;

/** The resources that the command table can serve. */
export function makeResources(findCommand: FindCommand, context: Context): ServedResource[] {
  const find = async (name: string): Promise<AnyCommand> => {
    const command = await findCommand(name);
    if (command === undefined) throw new CtxError("NOT_FOUND", `There is no command "${name}"`);
    return command;
  };
  const run = async (name: string, input: object): Promise<object> =>
    await execute(await find(name), input, context);
  const tell = async (name: string, input: object, signal: AbortSignal): Promise<string> => {
    const command = await find(name);
    const data = await execute(command, input, { ...context, signal });
    const options = { marker: makeMarker(context), nowMs: context.now() };
    return toRecalledText(await toAgentView(command, data), options);
  };
  const tellAlways = (name: string, signal: AbortSignal): Promise<string> =>
    tell(name, {}, signal).catch((error) => {
      if (toCtxError(error).code === "STORE_MISSING") return noStoreText;
      throw error;
    });
  return [
    {
      name: "pack",
      uri: "ctx://pack",
      title: "Pack",
      description: "Context for the start of a session: pins, decisions, open points",
      mimeType,
      // Always listed: Gemini and Qwen Code report an error for a server that offers nothing.
      read: (_id, signal) => tellAlways("pack", signal),
    },
    {
      name: "now",
      uri: "ctx://now",
      title: "Now",
      description: "Other sessions at work in this repository, and the lines they changed",
      mimeType,
      read: (_id, signal) => tellAlways("now", signal),
    },
    {
      name: "entry",
      uri: "ctx://entry/{id}",
      title: "Entry",
      description: "The full text of one entry",
      mimeType,
      read: async (id, signal) => await tell("get", { ids: [id], head: 0 }, signal),
      complete: async (value) => startingWith(value, await readIds(run("ls", { limit: 100 }))),
    },
    {
      name: "session",
      uri: "ctx://session/{id}",
      title: "Session",
      description: "The messages of one session",
      mimeType,
      read: async (id, signal) => await tell("read", { session: id, max_tokens: 20_000 }, signal),
      list: async () => await listSessions(run("sessions", { limit: 20 })),
      complete: async (value) =>
        startingWith(value, await readIds(run("sessions", { limit: 1000 }))),
    },
  ];
}

async function listSessions(result: Promise<object>): Promise<ListedResource[]> {
  const rows = await rowsOf(result);
  return rows.map((row) => ({
    uri: `ctx://session/${encodeURIComponent(String(row.id))}`,
    name: String(row.id),
    description: `${row.message_count} messages, ${String(row.ended).slice(0, 10)}`,
    mimeType,
  }));
}

async function readIds(result: Promise<object>): Promise<string[]> {
  return (await rowsOf(result)).map((row) => String(row.id));
}

/** The first list in a result; none when there is no store yet. */
async function rowsOf(result: Promise<object>): Promise<Record<string, unknown>[]> {
  try {
    const lists = Object.values(await result).filter(Array.isArray);
    return lists[0] ?? [];
  } catch {
    return [];
  }
}

function startingWith(value: string, ids: string[]): string[] {
  return ids.filter((id) => id.startsWith(value)).slice(0, 100);
}
