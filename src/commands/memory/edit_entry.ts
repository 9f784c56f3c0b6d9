// `ctx edit`: an entry in the person's own editor; what was changed becomes its correction.

import { docType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { refuseShared } from "../../store/lifecycle/shared_ids.ts";
import { define } from "../../table/command.ts";
import { execute } from "../../table/execute.ts";
import * as s from "../../table/shape.ts";

/** Edits an entry. */
export const edit = define({
  name: "edit",
  group: "Memory",
  summary: "Change an entry in your editor; what you change is saved as its correction.",
  description:
    "Opens $VISUAL, $EDITOR or vi with the text. What you leave there is saved as a new entry that corrects the old one (`save --supersedes`), with its type, title, tags, files and session; `ctx undo` takes it back. Nothing is done when the text is unchanged or empty, or the editor fails.",
  input: { id: s.naming("H", s.text("The entry's id.", 1)) },
  output: {
    id: s.text(),
    changed: s.boolean(),
    corrected_by: s.optional(s.text()),
    redactions: s.number(),
  },
  positional: ["id"],
  effect: "write",
  local: true,
  examples: [{
    argv: ["edit", "H-1m2ff20hgvzrprjcr"],
    about: "Correct a decision.",
    env: { EDITOR: "true" },
  }],
  async run({ id }, context) {
    const store = await context.openStore();
    const found = store.find([id]).get(id);
    const entry = found?.row?.entry;
    if (entry === undefined || found?.forgotten) {
      throw new CtxError("NOT_FOUND", `Cannot edit "${id}": there is no such entry`, {
        hint: "ctx search QUERY finds ids",
      });
    }
    if (found?.superseded_by !== undefined) {
      const newer = found.superseded_by;
      throw new CtxError("USAGE", `Cannot edit "${id}": ${newer} corrects it already`, {
        hint: `ctx edit ${newer}`,
      });
    }
    refuseShared(id, found, { action: "edit" });
    if (entry.type === docType) {
      const file = typeof entry.document === "string" ? entry.document : "its file";
      throw new CtxError("USAGE", `Cannot edit "${id}": it is a section of ${file}`, {
        hint: "edit the file, then: ctx docs sync",
      });
    }
    if (context.editText === undefined) {
      throw new CtxError("DENIED", "Cannot edit here: there is no editor", {
        hint: `ctx save TEXT --supersedes ${id}`,
      });
    }
    const text = withoutAddedEnd(await context.editText(entry.text), entry.text);
    const save = await context.findCommand("save");
    if (text.trim() === "" || text === entry.text || save === undefined) {
      return { id, changed: false, redactions: 0 };
    }
    const { title, tags, files, session_id: session } = entry;
    const saved = await execute(save, {
      text,
      role: entry.role,
      type: entry.type,
      supersedes: id,
      ...(title === undefined ? {} : { title }),
      ...(tags === undefined ? {} : { tags }),
      ...(files === undefined ? {} : { files }),
      ...(session === undefined ? {} : { session }),
    }, context);
    const redactions = Number(saved.redactions);
    return { id, changed: true, corrected_by: String(saved.id), redactions };
  },
  render: (data) =>
    data.changed ? `${data.corrected_by}\n` : `Nothing was changed: ${data.id} stays as it is.\n`,
});

/** Editors end the last line, whether it was ended before or not. */
function withoutAddedEnd(text: string, before: string): string {
  return before.endsWith("\n") ? text : text.replace(/\n$/, "");
}
