// The user's consent to where memory is sent, in the user's own configuration file. It is read anew
// every time, so that a running watcher obeys what was approved or revoked meanwhile.

import { configFiles, loadConfig } from "../config/load_config.ts";
import { editTrustText, isTrusted } from "../config/trusted.ts";
import { CtxError } from "../core/errors.ts";
import type { Context } from "./command.ts";

/** Tells which targets the user approved for a workspace, as things are now. */
export async function readConsent(
  context: Pick<Context, "env">,
  workspace: string,
): Promise<(target: string) => boolean> {
  const { trust } = await loadConfig(configFiles(undefined, context.env), () => {});
  return (target) => isTrusted(trust, workspace, target);
}

/** Records consent, or takes it back; returns the file it is in. Only for the command line. */
export async function recordConsent(
  context: Context,
  change: { workspace: string; target: string; trusted: boolean },
): Promise<string> {
  const file = configFiles(undefined, context.env)[0];
  if (file === undefined) {
    throw new CtxError("DENIED", "Cannot record your consent: your home is not set");
  }
  const { files } = context;
  const { trust } = await loadConfig([file], () => {});
  const before = new TextDecoder().decode(files.findBytes(file.path));
  const after = await editTrustText(before, { ...change, before: trust });
  files.makeDirectory(file.path.replace(/\/[^/]*$/, ""));
  if (after !== before) files.replace(file.path, new TextEncoder().encode(after), { sync: true });
  return file.path;
}
