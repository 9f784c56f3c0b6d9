// `ctx init`: makes the store and says what it wrote.

import { CtxError, toCtxError } from "../../core/errors.ts";
import { mayVersion, unversionStore, versionStore } from "../../disk/git_files.ts";
import { findWorkspace, holdsStore, layoutOf, refuseLinks } from "../../disk/layout.ts";
import { Store } from "../../store/store.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import { realPath } from "../../core/platform_path.ts";

export const init = define({
  name: "init",
  summary: "Create the store (.contextfs/) in this directory.",
  description:
    "Creates .contextfs/ with empty logs. Its own .gitignore keeps it out of git unless you pass --commit. Suggestion settings in a ctx-sys.yaml are copied to .contextfs/config.jsonc. Running it again changes nothing.",
  input: {
    commit: s.flag(
      "Commit the logs to git; derived and machine-local files stay ignored.",
    ),
    gitignore: s.flag("Keep the store out of git (the default)."),
    register: s.enabled("Add it to your projects (--no-register to skip)."),
  },
  output: {
    workspace: s.text(),
    ...s.each(s.boolean(), "created", "versioned"),
    wrote: s.listOf(s.text()),
    /** The workspace above, whose memory is not seen here. */
    inside: s.optional(s.text()),
    /** What agents recorded of this workspace: looked for where a person reads it. */
    found: s.optional(s.listOf(s.object({ source: s.text(), sessions: s.number() }))),
  },
  effect: "write",
  unscoped: true,
  examples: [{ argv: ["init"], about: "Create a store for this project." }],
  async run(input, context) {
    if (input.commit && input.gitignore) {
      throw new CtxError("USAGE", "Cannot run init: --commit and --gitignore cannot be combined");
    }
    const workspace = context.workspace ?? realPath(context.cwd);
    const layout = layoutOf(workspace);
    const created = !holdsStore(workspace);
    const inside = created ? findWorkspace({ cwd: workspace }) : undefined;
    refuseLinks(layout);
    const { files, now, random, warn } = context;
    files.makeDirectory(layout.root);
    const store = new Store({ workspace, files, now, random, warn });
    const wrote = await store.write("init", () => {
      const missing: string[] = [];
      if (files.findSize(layout.history.hot) === undefined) {
        files.append(layout.history.hot, new Uint8Array(), { sync: true });
        missing.push("history.ndjson");
      }
      if (input.commit) missing.push(...versionStore(files, layout));
      else if (input.gitignore || files.findSize(layout.gitignore) === undefined) {
        missing.push(...unversionStore(files, layout));
      }
      if (files.findSize(layout.state) === undefined) missing.push("state.json");
      return missing.map((name) => `.contextfs/${name}`);
    });
    const settings = await findCtxSys(store, warn);
    if (!input.register) settings.push(["registry", false]);
    if (settings.length > 0) {
      const { editConfigText } = await import("../../config/load_config.ts");
      let text = new TextDecoder().decode(files.findBytes(layout.config));
      for (const [name, value] of settings) {
        text = await editConfigText(text, name.split("."), value);
      }
      const after = new TextEncoder().encode(text);
      await store.write("init", () => files.replace(layout.config, after, { sync: true }));
      wrote.push(".contextfs/config.jsonc");
    }
    const versioned = mayVersion(files, layout);
    if (context.confirm === undefined) return { workspace, created, wrote, versioned, inside };
    const { findHistory } = await import("../../intake/import/find_history.ts");
    const history = await findHistory(context, store);
    const found = history.filter(({ sessions }) => sessions > 0)
      .map(({ source, sessions }) => ({ source, sessions }));
    return { workspace, created, wrote, versioned, inside, found };
  },
  render(data) {
    const first = data.created
      ? `Created a store in ${data.workspace}/.contextfs`
      : `The store in ${data.workspace}/.contextfs already exists`;
    const wrote = data.wrote.length > 0 ? `\nWrote ${data.wrote.join(", ")}` : "";
    const git = data.versioned
      ? "git can commit the logs, and merges keep the rows of both sides; derived and machine-local files stay ignored."
      : "It is kept out of git by its own .gitignore (ctx init --commit changes that).";
    const found = (data.found ?? []).map(({ source, sessions }) =>
      countOf(sessions, `${source} session`)
    );
    const offer = found.length > 0
      ? `Found ${
        found.join(", ")
      } of this project: ctx start imports them and connects your agents.`
      : 'Next: ctx start (imports agent history and connects your agents), or ctx save "something worth remembering"';
    return `${first}${wrote}\n${git}\n${offer}\n`;
  },
  note({ workspace, inside }) {
    if (inside === undefined) return undefined;
    return `this store hides the one in ${inside}; to use that one instead: rm -r ${workspace}/.contextfs`;
  },
});

/** What a `ctx-sys.yaml` of the project says of suggestions and our own file does not say yet. */
async function findCtxSys(
  { files, layout }: Store,
  warn: (message: string) => void,
): Promise<[name: string, value: unknown][]> {
  const { ctxSysName, readCtxSys } = await import("../../config/ctx_sys_file.ts");
  const path = `${layout.workspace}/${ctxSysName}`;
  const found = [...Deno.readDirSync(layout.workspace)].find(({ name }) => name === ctxSysName);
  // A clone may hold a pipe or a link under that name.
  if (!found?.isFile || (files.findSize(path) ?? 0) > maxSettingsBytes) return [];
  const { parseYaml } = await import("../../intake/documents/yaml.ts");
  const { loadConfig } = await import("../../config/load_config.ts");
  try {
    const parsed: unknown = parseYaml(new TextDecoder().decode(files.findBytes(path)));
    const { settings, faults } = readCtxSys(parsed);
    for (const fault of faults) warn(`${path}: ${fault}`);
    const own = await loadConfig([{ origin: "workspace", path: layout.config }], () => {});
    return settings.filter(([name]) => own.originOf(name) === "default");
  } catch (error) {
    warn(`${path} is ignored, it cannot be read: ${toCtxError(error).message}`);
    return [];
  }
}

const maxSettingsBytes = 65_536;
