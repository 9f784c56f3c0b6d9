// Writes a setting into the workspace's file or the user's, comments kept, and notes it for `ctx undo`.

import { configFiles, editConfigText, parseConfigText } from "../config/load_config.ts";
import { findConfigKey } from "../config/config_keys.ts";
import { CtxError } from "../core/errors.ts";
import { isObject } from "../core/json.ts";
import type { ActDraft } from "../store/logs/act_log.ts";
import { findWorkspace } from "../disk/layout.ts";
import type { Context } from "./command.ts";
import { recordAct } from "./record_act.ts";

/** What is written where; undefined takes the key out. */
export interface SettingChange {
  key: string;
  user: boolean;
  value: unknown;
  /** The act that this takes back. */
  undoes?: string;
  redo?: boolean;
}

/** Writes it; returns the file, and the value that stood there. */
export async function writeSetting(
  change: SettingChange,
  context: Context,
): Promise<{ path: string; before: unknown }> {
  const { files } = context;
  const { key, user, value } = change;
  const edit = async (path: string): Promise<{ path: string; before: unknown }> => {
    const text = new TextDecoder().decode(files.findBytes(path));
    const config = await parseConfigText(text, path);
    const { findOtherPlaces } = await import("../config/other_keys.ts");
    const own = key.split(".");
    // What stays under another name would count in its place, and a secret would be kept.
    const others = findOtherPlaces(config, key);
    const places = findValue(config, own) === undefined ? others : [...others, own];
    const before = places.length === 0 ? undefined : findValue(config, places[places.length - 1]);
    if (value === undefined && before === undefined) return { path, before };
    let after = text;
    for (const place of value === undefined ? places : others) {
      after = await editConfigText(after, place, undefined);
    }
    if (value !== undefined) after = await editConfigText(after, own, value);
    files.replace(path, new TextEncoder().encode(after), { sync: true });
    return { path, before };
  };
  const done = await (user ? editOwn(edit, context) : editShared(edit, context));
  await record({ ...change, before: done.before }, context);
  return done;
}

/** The value of a key in one file, whatever the others say. */
export async function readOwnSetting(
  { key, user }: { key: string; user: boolean },
  context: Context,
): Promise<unknown> {
  const path = user ? ownFile(context) : (await context.openStore()).layout.config;
  const text = new TextDecoder().decode(context.files.findBytes(path));
  return findValue(await parseConfigText(text, path), key.split("."));
}

type Edit = (path: string) => Promise<{ path: string; before: unknown }>;

async function editOwn(edit: Edit, context: Context): ReturnType<Edit> {
  const path = ownFile(context);
  context.files.makeDirectory(path.replace(/\/[^/]*$/, ""));
  return await edit(path);
}

async function editShared(edit: Edit, context: Context): ReturnType<Edit> {
  const store = await context.openStore();
  return await store.write("config set", () => edit(store.layout.config));
}

function ownFile({ env }: Context): string {
  const file = configFiles(undefined, env)[0];
  if (file !== undefined) return file.path;
  throw new CtxError("DENIED", "Cannot find your configuration: your home is not set");
}

/** A secret's values are kept nowhere but in its file: such a change cannot be taken back. */
async function record(
  { key, user, value: after, before, undoes, redo }: SettingChange & { before: unknown },
  context: Context,
): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (findWorkspace(context) === undefined) return;
  const store = await context.openStore().catch(() => undefined);
  if (store === undefined) return;
  const values = findConfigKey(key)?.secret ? {} : { before, after };
  const draft: ActDraft = { act: "config", key, user, ...values, undoes, redo };
  if (!user) return void recordAct(store, context, draft);
  const own = (await import("./own_acts.ts")).findOwnActs(context);
  const { workspace } = store.layout;
  if (own) recordAct(store, context, { ...draft, workspace }, own);
}

function findValue(config: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>(
    (value, name) => isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined,
    config,
  );
}
