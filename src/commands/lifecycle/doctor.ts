// `ctx doctor`: checks the store against its invariants and mends what is safe to mend.

import { homeOf, parentOf, toOwnPath } from "../../core/platform_path.ts";
import { CtxError, type ErrorCode } from "../../core/errors.ts";
import { type Check, inspectStore } from "../../store/lifecycle/inspect.ts";
import { checkCaptures } from "../../store/lifecycle/check_captures.ts";
import { checkMerge } from "../../store/lifecycle/check_merge.ts";
import { checkReadable } from "../../store/lifecycle/check_readable.ts";
import { isIgnoredName } from "../../disk/git_files.ts";
import { findWorkspace, layoutOf, storeDirectory } from "../../disk/layout.ts";
import { readText, replaceText } from "../../disk/text_files.ts";
import { mendStore } from "../../store/lifecycle/mend.ts";
import type { Store } from "../../store/store.ts";
import { type Context, define } from "../../command/command.ts";
import { checkRescue } from "../../intake/import/rescue.ts";
import * as s from "../../command/shape.ts";
import { checkPathClash } from "../../setup/other_ctx.ts";
import { toTable } from "../../command/view.ts";
import { versionInfo } from "../../version.ts";

export const doctor = define({
  name: "doctor",
  summary: "Check the store for damage; --fix repairs what is safe.",
  description:
    "Numbers in brackets refer to the invariants in docs/FORMAT.md. Exit status 5 means damage that was not repaired; 2 means only the configuration is invalid. Lines that --fix removes from a log are kept in history.bad.ndjson; a damaged or outdated index is rebuilt. Damage to derived files is only a warning, because it cannot make an answer wrong.",
  input: { fix: s.flag("Repair what is safe to repair.") },
  output: {
    healthy: s.boolean(),
    fixed: s.listOf(s.text()),
    checks: s.listOf(s.object({
      ...s.each(s.text(), "name", "detail"),
      invariant: s.optional(s.number()),
      status: s.oneOf(["ok", "warning", "failed"]),
      fixable: s.boolean(),
    })),
  },
  effect: "write",
  paged: true,
  unscoped: true,
  examples: [{ argv: ["doctor"], about: "Check the store." }],
  async run(input, context) {
    // Without its configuration every other command stops: here that is something found.
    const config = await context.readConfig().then(
      ({ problem }) => problem && toFinding(problem, configCheck, "CONFIG_INVALID"),
      (error) => toFinding(error, configCheck, "CONFIG_INVALID"),
    );
    const store = await openReadable(context);
    if ("status" in store) {
      const told = pathsIn(config?.detail ?? "");
      const paths = pathsIn(store.detail);
      const isTold = paths.length > 0 && paths.every((path) => told.includes(path));
      const checks = [...(config ? [config] : []), ...(isTold ? [] : [store])];
      return { healthy: false, fixed: [], checks };
    }
    const fixed = input.fix ? [...await mendStore(store), ...await mendConfig(store)] : [];
    let stored = await inspectAll(store, context.signal);
    // What is derived is built as the configuration says; where a file was left out, as the rest does.
    const mayBuild = input.fix && await context.readConfig().then(() => true, () => false);
    if (mayBuild && await mendDerived(store, { checks: stored, fixed, context })) {
      stored = await inspectAll(store, context.signal);
    }
    const checks = [
      config,
      ...stored,
      checkPathClash(context.env),
      checkCaptures(store, context.now()),
      await checkTracked(store),
      await checkRescue(store, context),
      await checkAgents(store, context),
      await checkGuards(store, context),
      await checkProgram(),
    ].filter((check) => check !== undefined);
    return { healthy: checks.every((check) => check.status !== "failed"), fixed, checks };
  },
  render(data, view) {
    const rows = data.checks.map((check) => [
      check.status === "ok" ? "ok" : view.bold(check.status),
      check.invariant === undefined ? check.name : `${check.name} [${check.invariant}]`,
      check.detail,
    ]);
    const fixed = data.fixed.map((line) => `repaired: ${line}\n`).join("");
    return `${toTable(rows)}\n${fixed}${verdicts[judge(data.checks)]}\n`;
  },
  note(data) {
    const fixable = data.checks.some((check) => check.status !== "ok" && check.fixable);
    return fixable ? "run ctx doctor --fix to repair it" : undefined;
  },
  failure(data) {
    const verdict = judge(data.checks);
    return verdict === "sound" ? undefined : verdict;
  },
});

const verdicts = {
  sound: "The store is fine.",
  STORE_CORRUPT: "The store is damaged.",
  CONFIG_INVALID: "The store is fine; the configuration is invalid.",
};

function judge(checks: readonly Pick<Check, "name" | "status">[]): keyof typeof verdicts {
  const failed = checks.filter(({ status }) => status === "failed");
  if (failed.length === 0) return "sound";
  // When the configuration is the only check, the store could not be opened.
  const isOnlyConfig = checks.length > 1 && failed.every(({ name }) => name === configCheck);
  return isOnlyConfig ? "CONFIG_INVALID" : "STORE_CORRUPT";
}

const configCheck = "config";

/** The store, or what keeps it from being read. */
async function openReadable(context: Context): Promise<Store | Check> {
  try {
    const store = await context.openStore({ lenient: true });
    return checkReadable(store.files, store.layout) ?? store;
  } catch (error) {
    if (!(error instanceof Deno.errors.PermissionDenied)) {
      return toFinding(error, "files", "STORE_CORRUPT");
    }
    const workspace = findWorkspace(context) ?? context.cwd;
    const barred = checkReadable(context.files, layoutOf(workspace));
    if (barred) return barred;
    throw error;
  }
}

function pathsIn(message: string): string[] {
  return [...message.matchAll(/"([^"]*)"/g)].map(([, path]) => path);
}

/** An error that doctor is asked about, as a check that failed; others are thrown on. */
function toFinding(error: unknown, name: string, code: ErrorCode): Check {
  if (!(error instanceof CtxError) || error.code !== code) throw error;
  const hint = error.hint === undefined ? "" : `: ${error.hint}`;
  const detail = `${error.message}${hint}`;
  return { name, status: "failed", detail, fixable: false };
}

/** Of settings that git could not merge, those on which both sides agree. */
async function mendConfig(store: Store): Promise<string[]> {
  const { config } = store.layout;
  const { findAgreed } = await import("../../config/load_config.ts");
  const agreed = await findAgreed(readText(store.files, config), config);
  if (agreed === undefined) return [];
  await store.write("doctor", ({ files }) => replaceText(files, config, agreed));
  return ["the merge conflict in config.jsonc was resolved; both sides agreed"];
}

/** What of one machine, or derived, is in git all the same; undefined without a repository. */
async function checkTracked(store: Store): Promise<Check | undefined> {
  const { findTracked } = await import("../../code/git/tracked_files.ts");
  const paths = findTracked(store.layout.workspace, `${storeDirectory}/`);
  const names = paths.map((path) => path.slice(storeDirectory.length + 1))
    .filter((name) => isIgnoredName(name.split("/")[0]));
  if (names.length === 0) return undefined;
  const who = names.includes("remote.json")
    ? "a store's identity in a team must not be cloned; "
    : "";
  const command = `git rm -r --cached ${
    names.map((name) => `${storeDirectory}/${name}`).join(" ")
  }`;
  const detail = `git tracks machine-local files; ${who}run: ${command}`;
  return { name: "tracked", status: "warning", detail, fixable: false };
}

/** What agents' users have to do before ctx works there; undefined when there is nothing. */
async function checkAgents({ layout }: Store, context: Context): Promise<Check | undefined> {
  const home = homeOf(context.env);
  // A server is held to its workspace, and settings lie beyond it.
  if (!home || context.surface !== "cli") return undefined;
  const { findClients } = await import("../../setup/find_clients.ts");
  const clients = await findClients({ home, workspace: layout.workspace });
  const todos = clients.flatMap(({ todo }) => todo ?? []);
  if (todos.length === 0) return undefined;
  const detail = todos.map(({ problem, next }) => `${problem}: ${next}`).join("; ");
  return { name: "agents", status: "warning", detail, fixable: false };
}

/** Guards that cannot be read check nothing; undefined when all can. */
async function checkGuards({ files, layout }: Store, { env }: Context): Promise<Check | undefined> {
  const { findFaults } = await import("../../guard/guard_file.ts");
  const detail = (await findFaults(files, layout, env)).join("; ");
  return detail === "" ? undefined : { name: "guards", status: "warning", detail, fixable: false };
}

/** The program's own files; undefined for forms that unpack nothing. */
async function checkProgram(): Promise<Check | undefined> {
  if (versionInfo().form !== "self-extracting") return undefined;
  const { checkUnpacked } = await import("../../store/lifecycle/check_unpacked.ts");
  return await checkUnpacked(parentOf(toOwnPath(Deno.execPath())));
}

/** The store and everything derived from it, in one walk over the rows. */
async function inspectAll(store: Store, signal: AbortSignal): Promise<Check[]> {
  const { IndexInspector } = await import("../../index/inspect_index.ts");
  using index = new IndexInspector(store);
  const checks = await inspectStore(store, { see: (row) => index.see(row), signal });
  return [...checks, ...checkMerge(store), ...index.finish()];
}

/** Rebuilds a damaged or stale index. */
async function mendDerived(
  store: Store,
  { checks, fixed, context }: { checks: Check[]; fixed: string[]; context: Context },
): Promise<boolean> {
  const before = fixed.length;
  const isBroken = (name: string): boolean =>
    checks.some((check) => check.name === name && check.status !== "ok" && check.fixable);
  if (isBroken("index") || isBroken("rows")) {
    const { reindex } = await import("../../index/reindex_store.ts");
    const { openEmbedder } = await import("../../command/open_embedder.ts");
    const embedder = await openEmbedder(context, { remote: false });
    const { rows } = await reindex(store, { full: true, embedder, signal: context.signal });
    fixed.push(`the index was rebuilt: ${rows} rows`);
  }
  return fixed.length > before;
}
