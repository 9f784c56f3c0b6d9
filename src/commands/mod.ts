// The command table: every command by name, loaded only when it is used. Start-up is a feature:
// nothing here may import a command's module, the index or zod.

import type { AnyCommand } from "./command.ts";

const loaders = {
  "init": async () => (await import("./init.ts")).init,
  "save": async () => (await import("./save.ts")).save,
  "get": async () => (await import("./get.ts")).get,
  "search": async () => (await import("./search.ts")).search,
  "timeline": async () => (await import("./timeline.ts")).timeline,
  "pin": async () => (await import("./pin.ts")).pin,
  "unpin": async () => (await import("./pin.ts")).unpin,
  "pins": async () => (await import("./pin.ts")).pins,
  "forget": async () => (await import("./forget.ts")).forget,
  "purge": async () => (await import("./purge.ts")).purge,
  "sessions": async () => (await import("./sessions.ts")).sessions,
  "session start": async () => (await import("./session.ts")).sessionStart,
  "session end": async () => (await import("./session.ts")).sessionEnd,
  "session current": async () => (await import("./session.ts")).sessionCurrent,
  "scan": async () => (await import("./scan.ts")).scan,
  "show": async () => (await import("./show.ts")).show,
  "batch": async () => (await import("./batch.ts")).batch,
  "read": async () => (await import("./read.ts")).read,
  "ls": async () => (await import("./ls.ts")).ls,
  "stats": async () => (await import("./stats.ts")).stats,
  "suggest": async () => (await import("./suggest.ts")).suggestCommand,
  "feedback": async () => (await import("./feedback.ts")).feedback,
  "subscribe": async () => (await import("./subscribe.ts")).subscribe,
  "unsubscribe": async () => (await import("./subscribe.ts")).unsubscribe,
  "subscriptions": async () => (await import("./subscriptions.ts")).subscriptions,
  "poll": async () => (await import("./poll.ts")).poll,
  "import": async () => (await import("./import.ts")).importCommand,
  "export": async () => (await import("./export.ts")).exportCommand,
  "restore": async () => (await import("./restore.ts")).restore,
  "pack": async () => (await import("./pack.ts")).pack,
  "compact": async () => (await import("./compact.ts")).compact,
  "gc": async () => (await import("./gc.ts")).gc,
  "reindex": async () => (await import("./reindex.ts")).reindex,
  "traces": async () => (await import("./traces.ts")).traces,
  "trace": async () => (await import("./trace.ts")).trace,
  "doctor": async () => (await import("./doctor.ts")).doctor,
  "docs add": async () => (await import("./docs_sync.ts")).docsAdd,
  "docs list": async () => (await import("./docs_list.ts")).docsList,
  "docs sync": async () => (await import("./docs_sync.ts")).docsSync,
  "docs remove": async () => (await import("./docs_list.ts")).docsRemove,
  "docs outline": async () => (await import("./docs_read.ts")).docsOutline,
  "docs section": async () => (await import("./docs_read.ts")).docsSection,
  "cost": async () => (await import("./cost.ts")).cost,
  "eval": async () => (await import("./eval.ts")).evalCommand,
  "ask": async () => (await import("./ask.ts")).ask,
  "setup": async () => (await import("./setup.ts")).setup,
  "config get": async () => (await import("./config.ts")).configGet,
  "config set": async () => (await import("./config.ts")).configSet,
  "config list": async () => (await import("./config.ts")).configList,
  "config path": async () => (await import("./config.ts")).configPath,
  "trust": async () => (await import("./trust.ts")).trust,
  "upgrade": async () => (await import("./upgrade.ts")).upgrade,
} satisfies Record<string, () => Promise<unknown>>;

/** Other names of commands. */
export const aliases: Readonly<Record<string, string>> = {
  "list": "sessions",
  "index": "sessions",
  "session list": "sessions",
};

/** The names of all commands, without aliases, in the order of the table. */
export const commandNames: readonly string[] = Object.keys(loaders).filter((name) =>
  !Object.hasOwn(aliases, name)
);

/** Loads a command by name or alias, or returns undefined. */
export async function findCommand(name: string): Promise<AnyCommand | undefined> {
  const target = Object.hasOwn(aliases, name) ? aliases[name] : name;
  if (!Object.hasOwn(loaders, target)) return undefined;
  return await loaders[target as keyof typeof loaders]() as AnyCommand;
}

/** Loads all commands, for help, documentation and servers. */
export async function loadCommands(): Promise<AnyCommand[]> {
  const found = await Promise.all(commandNames.map(findCommand));
  return found.filter((command) => command !== undefined);
}
