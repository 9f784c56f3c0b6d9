// `ctx trust`: where memory may be sent for this workspace, approved by the user and by nobody else.

import { applyEnvironment, configFiles, loadConfig } from "../../config/load_config.ts";
import { findSwitches, realWorkspace, toTarget } from "../../config/trusted.ts";
import { CtxError } from "../../core/errors.ts";
import type { Store } from "../../store/store.ts";
import { listWebhooks } from "../../recall/edit/deliver/subscription.ts";
import { type Context, define } from "../../command/command.ts";
import { recordConsent } from "../../command/consent.ts";
import * as s from "../../command/shape.ts";
import { toTable } from "../../command/view.ts";

export const trust = define({
  name: "trust",
  summary: "Approve a URL this workspace may send data to, or list them.",
  description:
    "A workspace's files can come from a clone, so they cannot decide where data goes: a webhook in subscriptions.ndjson, or a model or embedder in config.jsonc, gets nothing until you approve its URL here. Approvals are stored in your own configuration, under the workspace's real path; a copied or moved workspace needs a new one.",
  input: {
    target: s.optional(s.text("The URL of a webhook or provider.", 1)),
    revoke: s.flag("Revoke the approval."),
  },
  output: {
    workspace: s.text(),
    path: s.optional(s.text()),
    targets: s.listOf(s.object({
      target: s.text(),
      approved: s.boolean(),
      asked_by: s.listOf(s.text()),
    })),
  },
  positional: ["target"],
  effect: "write",
  local: true,
  examples: [
    { argv: ["trust"], about: "List where this workspace wants to send data." },
    { argv: ["trust", "https://hooks.example/ctx"], about: "Approve a webhook." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const { workspace } = store.layout;
    const { target, revoke } = input;
    if (target === undefined && revoke) {
      throw new CtxError("USAGE", "Cannot revoke: no URL was given", { hint: "ctx trust" });
    }
    if (target !== undefined && !/^https?:$/.test(URL.parse(target)?.protocol ?? "")) {
      throw new CtxError("USAGE", `Cannot trust "${target}": not an http or https URL`, {
        hint: "ctx trust lists the URLs of this workspace",
      });
    }
    const path = target === undefined
      ? undefined
      : await recordConsent(context, { workspace, target, trusted: !revoke });
    const targets = await listTargets(store, context);
    return { workspace: realWorkspace(workspace), ...(path ? { path } : {}), targets };
  },
  render(data, view) {
    if (data.targets.length === 0) {
      return "Nothing in this workspace is set up to send data anywhere.\n";
    }
    return toTable(data.targets.map((item) => [
      view.bold(item.target),
      item.approved ? "approved" : "not approved here",
      view.dim(item.asked_by.join(", ")),
    ])) + "\n";
  },
});

/** What was approved and what is asked for, by URL. */
async function listTargets(
  store: Store,
  context: Context,
): Promise<{ target: string; approved: boolean; asked_by: string[] }[]> {
  const { workspace, config: path } = store.layout;
  const config = applyEnvironment(
    await loadConfig(configFiles(path, context.env), () => {}),
    context.env,
  );
  const approved = config.trust.get(realWorkspace(workspace)) ?? new Set();
  // What was approved of a guard sends nothing: `ctx guard` shows it.
  const urls = [...approved].filter((target) => !target.startsWith("guard:"));
  const asked = new Map(urls.map((target): [string, string[]] => [target, []]));
  const add = (target: string, by: string): void =>
    void asked.set(toTarget(target), [...asked.get(toTarget(target)) ?? [], by]);
  for (const { name, target } of findSwitches(config)) if (target !== "") add(target, name);
  for (const { id, url } of listWebhooks(store.files, store.layout)) add(url, id);
  return [...asked].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([target, asked_by]) => ({ target, approved: approved.has(target), asked_by }));
}
