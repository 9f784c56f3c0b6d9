// `ctx edit`: another text or title for an entry, from the person's own editor or as it is given; what
// was changed becomes its correction.

import { docType } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { refuseShared } from "../../store/lifecycle/shared_ids.ts";
import { type Context, define } from "../../command/command.ts";
import { execute } from "../../command/execute.ts";
import * as s from "../../command/shape.ts";

export const edit = define({
  name: "edit",
  summary: "Edit an entry's text or title; saved as a correction.",
  description:
    "Opens the text in $VISUAL or $EDITOR; if neither is set, in vi (Notepad on Windows). Your version is saved as a new entry that corrects the old one (like `save --supersedes`), with the same type, title, tags, files and session; `ctx undo` reverts it. Nothing changes if the text is unchanged or empty, or the editor fails. With --title or --text, no editor is opened.",
  input: {
    id: s.naming("H", s.text("The entry's id.", 1)),
    title: s.optional(s.text("The new title.", 1)),
    text: s.optional(s.text("The new text.", 1)),
  },
  output: {
    id: s.text(),
    changed: s.boolean(),
    corrected_by: s.optional(s.text()),
    redactions: s.number(),
  },
  positional: ["id"],
  effect: "write",
  access: "editor",
  examples: [{
    argv: ["edit", "H-1m2ff20hgvzrprjcr", "--title", "Leaked refresh tokens"],
    about: "Change a title; without --title your editor opens.",
  }],
  async run({ id, ...given }, context) {
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
      throw new CtxError("USAGE", `Cannot edit "${id}": ${newer} already corrects it`, {
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
    const isGiven = given.title !== undefined || given.text !== undefined;
    const text = isGiven ? given.text ?? entry.text : await askEditor(id, entry.text, context);
    const { title = entry.title } = given;
    const save = await context.findCommand("save");
    const isSame = text === entry.text && title === entry.title;
    if (text.trim() === "" || isSame || save === undefined) {
      return { id, changed: false, redactions: 0 };
    }
    const { tags, files, session_id: session } = entry;
    const saved = await execute(save, {
      text,
      role: entry.role,
      type: entry.type,
      supersedes: id,
      ...(title === undefined ? {} : { title }),
      ...(tags === undefined ? {} : { tags }),
      ...(files === undefined ? {} : { files }),
      // A correction of what another said belongs to no session of theirs.
      ...(session === undefined || found?.row?.pool === "team" ? {} : { session }),
    }, context);
    const redactions = Number(saved.redactions);
    return { id, changed: true, corrected_by: String(saved.id), redactions };
  },
  async render({ corrected_by: id, ...data }, view) {
    if (id === undefined) return `Nothing changed: ${data.id} is as before.\n`;
    if (!view.terminal) return `${id}\n`;
    const { toSavedScreen } = await import("../../view/saved_screen.ts");
    return await toSavedScreen(id, view);
  },
});

async function askEditor(id: string, text: string, context: Context): Promise<string> {
  if (context.editText === undefined) {
    throw new CtxError("DENIED", "Cannot edit here: no editor is available", {
      hint: `ctx save TEXT --supersedes ${id}`,
    });
  }
  return withoutAddedEnd(await context.editText(text), text);
}

/** Editors end the last line, whether it was ended before or not. */
function withoutAddedEnd(text: string, before: string): string {
  return before.endsWith("\n") ? text : text.replace(/\n$/, "");
}
