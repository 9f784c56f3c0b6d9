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
  summary: "Approve where memory may be sent for this workspace; without a URL, list it.",
  description:
    "A workspace's files come with a clone, so they may ask but not decide: a webhook in subscriptions.ndjson, or a model or embedder that config.jsonc turns on, sends nothing before you approved of its URL here. Your consent is in your own configuration file, under the real path of the workspace: a copy or a moved workspace needs it anew.",
  input: {
    target: s.optional(s.text("The URL of a webhook or provider.", 1)),
    revoke: s.flag("Take your consent back."),
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
    { argv: ["trust"], about: "Where would this workspace like to send memory?" },
    { argv: ["trust", "https://hooks.example/ctx"], about: "Let its webhook have it." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const { workspace } = store.layout;
    const { target, revoke } = input;
    if (target === undefined && revoke) {
      throw new CtxError("USAGE", "Cannot revoke: no URL was named", { hint: "ctx trust" });
    }
    if (target !== undefined && !/^https?:$/.test(URL.parse(target)?.protocol ?? "")) {
      throw new CtxError("USAGE", `Cannot trust "${target}": it is no http or https URL`, {
        hint: "ctx trust lists what this workspace asks for",
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
  const asked = new Map([...approved].map((target): [string, string[]] => [target, []]));
  const add = (target: string, by: string): void =>
    void asked.set(toTarget(target), [...asked.get(toTarget(target)) ?? [], by]);
  for (const { name, target } of findSwitches(config)) if (target !== "") add(target, name);
  for (const { id, url } of listWebhooks(store.files, store.layout)) add(url, id);
  return [...asked].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([target, asked_by]) => ({ target, approved: approved.has(target), asked_by }));
}
