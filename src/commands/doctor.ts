// `ctx doctor`: checks the store against its invariants and mends what is safe to mend.

import * as z from "zod/mini";
import { inspectStore } from "../store/inspect.ts";
import { mendStore } from "../store/mend.ts";
import { define } from "./command.ts";
import { checkRescue } from "./rescue.ts";
import { flag } from "./param.ts";
import { checkPathClash } from "./path_clash.ts";
import { toTable } from "./view.ts";

/** Checks and mends the store. */
export const doctor = define({
  name: "doctor",
  group: "Lifecycle",
  summary: "Check the store against its invariants; --fix mends what is safe.",
  description:
    "Numbers in brackets are the invariants of docs/FORMAT.md. Exit status 5 means that something is damaged and was not mended. What --fix takes out of a log is kept in history.bad.ndjson.",
  input: { fix: flag("Mend what is safe to mend.") },
  output: () =>
    z.object({
      healthy: z.boolean(),
      fixed: z.array(z.string()),
      checks: z.array(z.object({
        name: z.string(),
        invariant: z.optional(z.number()),
        status: z.enum(["ok", "warning", "failed"]),
        detail: z.string(),
        fixable: z.boolean(),
      })),
    }),
  effect: "write",
  examples: [{ argv: ["doctor"], about: "Is the store sound?" }],
  async run(input, context) {
    const store = await context.openStore();
    const fixed = input.fix ? await mendStore(store) : [];
    const checks = [...inspectStore(store), checkPathClash(context)];
    const rescue = await checkRescue(store, context);
    if (rescue) checks.push(rescue);
    return { healthy: checks.every((check) => check.status !== "failed"), fixed, checks };
  },
  render(data, view) {
    const rows = data.checks.map((check) => [
      check.status === "ok" ? "ok" : view.bold(check.status),
      check.invariant === undefined ? check.name : `${check.name} [${check.invariant}]`,
      check.detail,
    ]);
    const fixed = data.fixed.map((line) => `mended: ${line}\n`).join("");
    const verdict = data.healthy ? "The store is sound." : "The store is damaged.";
    return `${toTable(rows)}\n${fixed}${verdict}\n`;
  },
  note(data) {
    const fixable = data.checks.some((check) => check.status !== "ok" && check.fixable);
    return fixable ? "run ctx doctor --fix to mend it" : undefined;
  },
  failure(data) {
    return data.healthy ? undefined : "STORE_CORRUPT";
  },
});
