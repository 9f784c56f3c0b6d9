// `ctx init`: makes the store and says what it wrote.

import { CtxError } from "../../core/errors.ts";
import { mayVersion, unversionStore, versionStore } from "../../store/files/git_files.ts";
import { findWorkspace, holdsStore, layoutOf, refuseLinks } from "../../store/files/layout.ts";
import { Store } from "../../store/store.ts";
import { define } from "../../table/command.ts";
import * as s from "../../table/shape.ts";
import { countOf } from "../../table/view.ts";

/** Creates the store of a workspace. */
export const init = define({
  name: "init",
  group: "Memory",
  summary: "Create the store (.contextfs/) in this directory.",
  description:
    "Creates .contextfs/ with empty logs. The store is kept out of git by its own .gitignore unless --commit is given. Running it again changes nothing that is there.",
  input: {
    commit: s.flag(
      "Let git version and merge the logs; what is derived or of one machine is ignored.",
    ),
    gitignore: s.flag("Keep the store out of git (this is the default)."),
    register: s.enabled("Put it on your list of projects (or --no-register)."),
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
  examples: [{ argv: ["init"], about: "Start a memory for this project." }],
  async run(input, context) {
    if (input.commit && input.gitignore) {
      throw new CtxError("USAGE", "Cannot run init: --commit and --gitignore exclude each other");
    }
    const workspace = context.workspace ?? Deno.realPathSync(context.cwd);
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
    if (!input.register) {
      const { editConfigText } = await import("../../config/load_config.ts");
      const before = new TextDecoder().decode(files.findBytes(layout.config));
      const after = new TextEncoder().encode(await editConfigText(before, ["registry"], false));
      await store.write("init", () => files.replace(layout.config, after, { sync: true }));
      wrote.push(".contextfs/config.jsonc");
    }
    const versioned = mayVersion(files, layout);
    if (context.confirm === undefined) return { workspace, created, wrote, versioned, inside };
    const { findHistory } = await import("../../import/find_history.ts");
    const history = await findHistory(context, store);
    const found = history.filter(({ sessions }) => sessions > 0)
      .map(({ source, sessions }) => ({ source, sessions }));
    return { workspace, created, wrote, versioned, inside, found };
  },
  render(data) {
    const first = data.created
      ? `Created a store in ${data.workspace}/.contextfs`
      : `The store in ${data.workspace}/.contextfs was there already`;
    const wrote = data.wrote.length > 0 ? `\nWrote ${data.wrote.join(", ")}` : "";
    const git = data.versioned
      ? "git may version the logs, and merges keep the rows of both sides; what is derived or of this machine is ignored."
      : "It is kept out of git by its own .gitignore (ctx init --commit changes that).";
    const found = (data.found ?? []).map(({ source, sessions }) =>
      countOf(sessions, `${source} session`)
    );
    const offer = found.length > 0
      ? `Found ${
        found.join(", ")
      } of this project: ctx start imports them and connects your agents.`
      : 'Next: ctx start (imports what agents recorded here, connects them), or ctx save "something worth remembering"';
    return `${first}${wrote}\n${git}\n${offer}\n`;
  },
  note({ workspace, inside }) {
    if (inside === undefined) return undefined;
    return `${inside} has a store, which is not seen here; to use that one: rm -r ${workspace}/.contextfs`;
  },
});
