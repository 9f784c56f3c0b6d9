// Codex keeps its settings in TOML: our server is one table of it, our hook the key `notify`.

import { isSameToml, parseToml, type TomlTable } from "../config/check_toml.ts";
import { removeTomlTable, setTomlKey, setTomlTable, toTomlString } from "../config/edit_toml.ts";
import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import { type Say, serverOf, type SetupWish } from "./client_edits.ts";
import { foreignEntry, isOurEntry, isOurHook } from "./own_entries.ts";
import { savingTool } from "./plan_change.ts";

/** What to do with a file. Tools that only read are not asked about anyway. */
export interface CodexEdit extends Pick<SetupWish, "program" | "remove" | "agent" | "allowed"> {
  path: string;
  /** Whether the end of a turn is told by `notify`. */
  notify: boolean;
  /** Takes what the user should know. */
  say: Say;
}

/** Edits the text, then reads it again: nothing but our server and our `notify` may have changed. */
export async function editCodexSettings(
  text: string | undefined,
  edit: CodexEdit,
): Promise<string | undefined> {
  if (text === undefined && edit.remove) return undefined;
  const before = await parseToml(text ?? "", edit.path);
  const change = edit.remove ? removeOurs : addOurs;
  const edited = change(text ?? "", before, edit);
  const after = await parseToml(edited, edit.path).catch(() => undefined);
  if (after !== undefined && isAsPlanned(before, after, edit)) return edited;
  throw cannotEdit(before, edit);
}

export async function findCodexServer(text: string, path: string, name: string): Promise<unknown> {
  return serverIn(await parseToml(text, path), name);
}

function addOurs(text: string, before: TomlTable, edit: CodexEdit): string {
  const { name } = serverOf(edit);
  const edited = isAsNow(serverIn(before, name), edit)
    ? text
    : setTomlTable(text, tableOf(edit), serverLines(edit));
  const notify = notifyOf(edit);
  if (!edit.notify || isSameToml(before.notify, notify)) return edited;
  if (before.notify === undefined || isOurNotify(before)) {
    return setTomlKey(edited, "notify", toTomlList(notify));
  }
  edit.say(
    `"notify" in ${edit.path} belongs to another program; ctx captures turns once you trust its hooks; ` +
      `to capture them either way, have that program call ${notify.join(" ")} MESSAGE too`,
  );
  return edited;
}

function removeOurs(text: string, before: TomlTable, edit: CodexEdit): string {
  const server = serverIn(before, serverOf(edit).name);
  let edited = text;
  if (isOurEntry(server, edit.program)) edited = removeTomlTable(edited, tableOf(edit));
  else if (server !== undefined) edit.say(foreignEntry(tableOf(edit), edit.path));
  return isOurNotify(before) && !edit.agent ? setTomlKey(edited, "notify", undefined) : edited;
}

function isAsPlanned(before: TomlTable, after: TomlTable, edit: CodexEdit): boolean {
  const notify = edit.remove ? undefined : notifyOf(edit);
  const { name } = serverOf(edit);
  if (!isSameToml(withoutOurs(before, name), withoutOurs(after, name))) return false;
  if (![before.notify, notify].some((one) => isSameToml(after.notify, one))) return false;
  const server = serverIn(before, name);
  if (!edit.remove) return isAsNow(serverIn(after, name), edit);
  return isSameToml(serverIn(after, name), isOurEntry(server, edit.program) ? undefined : server);
}

function cannotEdit(before: TomlTable, edit: CodexEdit): CtxError {
  const notify = edit.notify && before.notify === undefined
    ? [`notify = ${toTomlList(notifyOf(edit))} # at the top`]
    : [];
  const wanted = [...notify, `[${tableOf(edit)}]`, ...serverLines(edit)].join("\n");
  return new CtxError(
    "CONFIG_INVALID",
    `Cannot edit "${edit.path}": its "mcp_servers" or "notify" has a form that ctx cannot edit safely`,
    {
      hint: edit.remove
        ? "the file was not changed; remove mcp_servers.ctx and ctx's notify by hand"
        : `the file was not changed; write each server as a table of its own, and add by hand:\n${wanted}`,
    },
  );
}

function tableOf(edit: CodexEdit): string {
  return `mcp_servers.${serverOf(edit).name}`;
}

function serverIn({ mcp_servers: servers }: TomlTable, name: string): unknown {
  return isObject(servers) && Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/** Whether the server is entered as this ctx would be. */
function isAsNow(server: unknown, edit: CodexEdit): boolean {
  const { command, args } = serverOf(edit);
  if (!isObject(server) || !isSameToml([server.command, server.args], [command, args])) {
    return false;
  }
  return !edit.allowed.includes(savingTool) ||
    (isObject(server.tools) && server.tools[savingTool] !== undefined);
}

function serverLines(edit: CodexEdit): string[] {
  const { command, args } = serverOf(edit);
  return [
    `command = ${toTomlString(command)}`,
    `args = ${toTomlList(args)}`,
    ...(edit.allowed.includes(savingTool)
      ? [`tools = { ${savingTool} = { approval_mode = "approve" } }`]
      : []),
  ];
}

function notifyOf({ program }: CodexEdit): string[] {
  return [...program, "hook", "codex"];
}

function isOurNotify({ notify }: TomlTable): boolean {
  return Array.isArray(notify) && isOurHook(notify.map(String));
}

/** All but our server and `notify`; no servers is the same as an empty table of them. */
function withoutOurs(table: TomlTable, name: string): TomlTable {
  const { notify: _notify, mcp_servers: servers, ...rest } = table;
  if (!isObject(servers)) return servers === undefined ? rest : { ...rest, mcp_servers: servers };
  const { [name]: _ours, ...others } = servers;
  return Object.keys(others).length === 0 ? rest : { ...rest, mcp_servers: others };
}

function toTomlList(words: string[]): string {
  return `[${words.map(toTomlString).join(", ")}]`;
}
