// The command table: every command by name, loaded only when it is used. Start-up is a feature:
// nothing here may import a command's module or the index.

import type { AnyCommand, MethodOf } from "../command/command.ts";

const loaders = {
  "init": async () => (await import("./memory/init.ts")).init,
  "start": async () => (await import("./setup/start.ts")).start,
  "save": async () => (await import("./memory/save.ts")).save,
  "get": async () => (await import("./retrieval/get.ts")).get,
  "search": async () => (await import("./retrieval/search.ts")).search,
  "timeline": async () => (await import("./retrieval/timeline.ts")).timeline,
  "pin": async () => (await import("./memory/pin.ts")).pin,
  "unpin": async () => (await import("./memory/pin.ts")).unpin,
  "pins": async () => (await import("./memory/pin.ts")).pins,
  "stale": async () => (await import("./memory/stale.ts")).stale,
  "confirm": async () => (await import("./memory/stale.ts")).confirm,
  "redactions": async () => (await import("./memory/redactions.ts")).redactions,
  "forget": async () => (await import("./memory/forget.ts")).forget,
  "purge": async () => (await import("./memory/purge.ts")).purge,
  "quarantine": async () => (await import("./memory/quarantine.ts")).quarantine,
  "release": async () => (await import("./memory/quarantine.ts")).release,
  "review list": async () => (await import("./memory/review_list.ts")).reviewList,
  "review accept": async () => (await import("./memory/review_list.ts")).reviewAccept,
  "review edit": async () => (await import("./memory/review_list.ts")).reviewEdit,
  "review reject": async () => (await import("./memory/review_list.ts")).reviewReject,
  "review later": async () => (await import("./memory/review_list.ts")).reviewLater,
  "review write": async () => (await import("./memory/review_write.ts")).reviewWrite,
  "guard list": async () => (await import("./memory/guard_list.ts")).guardList,
  "guard add": async () => (await import("./memory/guards.ts")).guardAdd,
  "guard set": async () => (await import("./memory/guards.ts")).guardSet,
  "guard pass": async () => (await import("./memory/guards.ts")).guardPass,
  "guard test": async () => (await import("./memory/guards.ts")).guardTest,
  "guard log": async () => (await import("./memory/guards.ts")).guardLog,
  "audit": async () => (await import("./lifecycle/audit.ts")).audit,
  "edit": async () => (await import("./memory/edit_entry.ts")).edit,
  "undo": async () => (await import("./memory/undo.ts")).undo,
  "sessions": async () => (await import("./sessions/sessions.ts")).sessions,
  "now": async () => (await import("./sessions/now.ts")).now,
  "session start": async () => (await import("./sessions/session.ts")).sessionStart,
  "session end": async () => (await import("./sessions/session.ts")).sessionEnd,
  "session current": async () => (await import("./sessions/session.ts")).sessionCurrent,
  "session title": async () => (await import("./sessions/session.ts")).sessionTitle,
  "session commits": async () => (await import("./sessions/session_commits.ts")).sessionCommits,
  "scan": async () => (await import("./sessions/scan.ts")).scan,
  "outline": async () => (await import("./sessions/outline.ts")).outline,
  "find": async () => (await import("./sessions/find_text.ts")).find,
  "show": async () => (await import("./sessions/show.ts")).show,
  "batch": async () => (await import("./sessions/batch.ts")).batch,
  "read": async () => (await import("./sessions/read.ts")).read,
  "records": async () => (await import("./sessions/records.ts")).records,
  "rules": async () => (await import("./sessions/rules.ts")).rules,
  "summarize": async () => (await import("./sessions/summarize.ts")).summarize,
  "pr": async () => (await import("./sessions/pr.ts")).pr,
  "changes": async () => (await import("./sessions/changes.ts")).changes,
  "distil": async () => (await import("./sessions/distil.ts")).distil,
  "why": async () => (await import("./retrieval/why.ts")).why,
  "ls": async () => (await import("./retrieval/ls.ts")).ls,
  "stats": async () => (await import("./retrieval/stats.ts")).stats,
  "activity": async () => (await import("./retrieval/activity.ts")).activity,
  "suggest": async () => (await import("./proactive/suggest.ts")).suggestCommand,
  "suggestions": async () => (await import("./proactive/suggestions.ts")).suggestions,
  "feedback": async () => (await import("./proactive/feedback.ts")).feedback,
  "subscribe": async () => (await import("./proactive/subscribe.ts")).subscribe,
  "unsubscribe": async () => (await import("./proactive/subscribe.ts")).unsubscribe,
  "subscriptions": async () => (await import("./proactive/subscriptions.ts")).subscriptions,
  "subscriptions pause": async () =>
    (await import("./proactive/subscriptions.ts")).subscriptionsPause,
  "subscriptions resume": async () =>
    (await import("./proactive/subscriptions.ts")).subscriptionsResume,
  "share": async () => (await import("./team/share.ts")).share,
  "unshare": async () => (await import("./team/share.ts")).unshare,
  "poll": async () => (await import("./proactive/poll.ts")).poll,
  "injected": async () => (await import("./proactive/injected.ts")).injected,
  "preview": async () => (await import("./proactive/preview.ts")).preview,
  "worth": async () => (await import("./proactive/worth.ts")).worth,
  "import": async () => (await import("./lifecycle/import.ts")).importCommand,
  "export": async () => (await import("./lifecycle/export.ts")).exportCommand,
  "handoff": async () => (await import("./lifecycle/handoff.ts")).handoff,
  "resume": async () => (await import("./sessions/resume.ts")).resume,
  "pack": async () => (await import("./lifecycle/pack.ts")).pack,
  "compact": async () => (await import("./lifecycle/compact.ts")).compact,
  "gc": async () => (await import("./lifecycle/gc.ts")).gc,
  "reindex": async () => (await import("./lifecycle/reindex.ts")).reindex,
  "traces": async () => (await import("./retrieval/traces.ts")).traces,
  "trace": async () => (await import("./retrieval/trace.ts")).trace,
  "status": async () => (await import("./lifecycle/status.ts")).status,
  "doctor": async () => (await import("./lifecycle/doctor.ts")).doctor,
  "docs add": async () => (await import("./documents/docs_sync.ts")).docsAdd,
  "docs list": async () => (await import("./documents/docs_list.ts")).docsList,
  "docs sync": async () => (await import("./documents/docs_sync.ts")).docsSync,
  "docs remove": async () => (await import("./documents/docs_list.ts")).docsRemove,
  "docs outline": async () => (await import("./documents/docs_read.ts")).docsOutline,
  "docs section": async () => (await import("./documents/docs_read.ts")).docsSection,
  "docs get": async () => (await import("./documents/docs_read.ts")).docsGet,
  "sync": async () => (await import("./team/sync_command.ts")).sync,
  "remote init": async () => (await import("./team/remote_join.ts")).remoteInit,
  "remote add": async () => (await import("./team/remote_join.ts")).remoteAdd,
  "remote status": async () => (await import("./team/remote_status.ts")).remoteStatus,
  "remote members": async () => (await import("./team/remote_members.ts")).remoteMembers,
  "remote invite": async () => (await import("./team/remote_members.ts")).remoteInvite,
  "remote revoke": async () => (await import("./team/remote_members.ts")).remoteRevoke,
  "remote token": async () => (await import("./team/remote_token.ts")).remoteToken,
  "remote leave": async () => (await import("./team/remote_join.ts")).remoteLeave,
  "cost": async () => (await import("./agent/cost.ts")).cost,
  "eval": async () => (await import("./agent/eval.ts")).evalCommand,
  "chats": async () => (await import("./agent/chats.ts")).chats,
  "ask": async () => (await import("./agent/ask.ts")).ask,
  "setup": async () => (await import("./setup/setup.ts")).setup,
  "config get": async () => (await import("./setup/config.ts")).configGet,
  "config set": async () => (await import("./setup/config.ts")).configSet,
  "config unset": async () => (await import("./setup/config.ts")).configUnset,
  "config list": async () => (await import("./setup/config.ts")).configList,
  "config path": async () => (await import("./setup/config.ts")).configPath,
  "trust": async () => (await import("./setup/trust.ts")).trust,
  "upgrade": async () => (await import("./setup/upgrade.ts")).upgrade,
} satisfies Record<string, () => Promise<AnyCommand>>;

/**
 * Every command as a method of the library; what has a default may be left out.
 * @internal
 */
export type Methods = {
  readonly [N in keyof typeof loaders as MethodName<N>]: MethodOf<
    Awaited<ReturnType<typeof loaders[N]>>
  >;
};

/** The name of a command's method: `docs add` is `docsAdd`. */
export type MethodName<N extends string> = N extends `${infer First} ${infer Rest}`
  ? `${First}${Capitalize<MethodName<Rest>>}`
  : N;

/** Other names of commands. */
export const aliases: Readonly<Record<string, keyof typeof loaders>> = {
  "list": "sessions",
  "index": "sessions",
  "session list": "sessions",
  "restore": "handoff",
};

/** The names of all commands, without aliases, in the order of the table. */
export const commandNames: readonly string[] = Object.keys(loaders);

/** How each command is loaded, by name and alias. */
export const commandLoaders: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  ...loaders,
  ...Object.fromEntries(Object.entries(aliases).map(([alias, name]) => [alias, loaders[name]])),
};

export function toMethodName(name: string): string {
  return name.replace(/ (\w)/g, (_gap, letter: string) => letter.toUpperCase());
}

/** Loads a command by name or alias, or returns undefined. */
export async function findCommand(name: string): Promise<AnyCommand | undefined> {
  return Object.hasOwn(commandLoaders, name) ? await commandLoaders[name]() : undefined;
}

/** Loads all commands, for help, documentation and servers. */
export async function loadCommands(): Promise<AnyCommand[]> {
  return await Promise.all(Object.values(loaders).map((load) => load()));
}
