// `ctx save`: exact bytes in. Prints the id on a pipe, and on a terminal what was stored.

import { docType, type Draft, roles, tombstoneType, typePattern } from "../../core/entry.ts";
import { CtxError } from "../../core/errors.ts";
import { idPattern } from "../../core/id.ts";
import { toLine } from "../../core/text.ts";
import { countTokens } from "../../core/tokens.ts";
import { decodeExact } from "../../core/utf8.ts";
import { define } from "../../command/command.ts";
import { savedBy } from "../../core/rows/saved_by.ts";
import * as s from "../../command/shape.ts";
import { findNamedSession } from "../../command/session_scope.ts";
import { countOf } from "../../command/view.ts";
import { findJoinedSession, idleHours } from "../../read/joined_session.ts";

export const save = define({
  name: "save",
  summary: "Save a note, decision or any other text.",
  description:
    `The text is kept byte for byte, except that secrets are replaced by [REDACTED:rule] before anything is written. \`-\` reads standard input. Without --session, the entry joins the current session if one is open and was used in the last ${idleHours} hours.`,
  input: {
    text: s.text("The text, or - for standard input.", 1),
    title: s.optionalText("A short title."),
    summary: s.optionalText("One line for lists (default: from the text)."),
    role: s.choice("Who said it.", roles, "note"),
    type: s.withDefault(
      s.textLike("Type: note, decision, turn, tool_output, …", typePattern),
      "note",
    ),
    tags: s.list("A tag."),
    files: s.list("A file it is about."),
    session: s.naming("S or new", s.optionalText("The session to join (an id, or current).")),
    supersedes: s.naming("H", s.optionalText("The entry that this one corrects.")),
    no_redact: s.flag("Keep secrets (requires redact: false)."),
  },
  get output() {
    return {
      ...s.each(s.text(), "id", "ts"),
      session_id: s.optional(s.text()),
      ...s.each(s.number(), "chars", "estimated_tokens", "redactions"),
      supersedes: s.optional(s.text()),
    };
  },
  positional: ["text"],
  short: { t: "title" },
  flags: { tags: "tag", files: "file" },
  effect: "write",
  tool: "save_memory",
  examples: [
    {
      argv: [
        "save",
        "We rotate refresh tokens on every use",
        "--type",
        "decision",
        "--tag",
        "auth",
      ],
      about: "Save a decision.",
    },
    { argv: ["save", "-"], input: "exact\\nbytes\\n", about: "Save standard input unchanged." },
  ],
  async run(input, context) {
    const store = await context.openStore();
    const words = input.text === "-" ? decodeExact(await context.readInput()) : input.text;
    if (words === "") throw new CtxError("USAGE", "Cannot save: the text is empty");
    if (context.agent !== undefined && input.role === "user") {
      throw new CtxError(
        "DENIED",
        'Cannot save as "user": that role is for the user\'s own words',
        {
          hint: "leave out role to save it as a note; the user can run: ctx save TEXT --role user",
        },
      );
    }
    if (input.no_redact && (await context.readConfig()).get("redact")) {
      throw new CtxError(
        "DENIED",
        "Cannot save without redaction: it is turned on in the configuration",
        {
          hint: "ctx config set redact false",
        },
      );
    }
    if (input.type === tombstoneType || input.type === docType) {
      const hint = input.type === docType ? "ctx docs add NAME PATH" : "ctx forget ID";
      const message = `Cannot save type "${input.type}": only ctx writes such entries`;
      throw new CtxError("USAGE", message, { hint });
    }
    if (input.supersedes !== undefined) {
      const older = store.find([input.supersedes]).get(input.supersedes);
      if (!older?.row || older.forgotten) throw missingOlder(input.supersedes);
      if (older.others) {
        const { refuseShared } = await import("../../store/lifecycle/shared_ids.ts");
        refuseShared(input.supersedes, older, { action: "correct" });
      }
    }
    const session = input.session === undefined
      ? await findJoinedSession(store, context)
      : findNamedSession(input.session, store, context);
    if (input.session === "current" && session === undefined) {
      throw new CtxError("NOT_FOUND", "Cannot save to the current session: none is open", {
        hint: "ctx session start",
      });
    }
    if (session !== undefined && (!idPattern.test(session) || session === "all")) {
      const said = toLine(session, 80);
      throw new CtxError("USAGE", `Cannot save to session "${said}": that is not an id`, {
        hint: "ctx session start creates one; ctx sessions lists them",
      });
    }
    const draft: Draft = {
      role: input.role,
      type: input.type,
      text: words,
      ...(session === undefined ? {} : { session_id: session }),
      ...pick(input, ["title", "summary", "supersedes"]),
      ...(input.tags.length > 0 ? { tags: input.tags } : {}),
      ...(input.files.length > 0 ? { files: input.files } : {}),
      ...savedBy(context),
    };
    const { entries: [entry], redactions } = await store.write(
      "save",
      (writer) => writer.append([draft], { redact: !input.no_redact }),
    );
    const { recordAct } = await import("../../command/record_act.ts");
    recordAct(store, context, { act: "save", ids: [entry.id], ...pick(input, ["supersedes"]) });
    // Nothing is changed silently.
    if (redactions > 0) {
      context.warn(`${countOf(redactions, "secret")} replaced by [REDACTED:…] before saving`);
    }
    return {
      id: entry.id,
      ts: entry.ts,
      ...(session === undefined ? {} : { session_id: session }),
      chars: entry.text.length,
      estimated_tokens: countTokens(entry.text),
      redactions,
      ...pick(input, ["supersedes"]),
    };
  },
  brief: ({ id, session_id, redactions, supersedes }) => ({
    id,
    session_id,
    supersedes,
    ...(redactions > 0 ? { redactions } : {}),
  }),
  async render({ id }, view) {
    if (!view.terminal) return `${id}\n`;
    const { toSavedScreen } = await import("../../view/saved_screen.ts");
    return await toSavedScreen(id, view);
  },
});

function missingOlder(id: string): CtxError {
  return new CtxError("NOT_FOUND", `Cannot supersede "${id}": there is no such entry`, {
    hint: "ctx search",
  });
}

function pick<T extends object, K extends keyof T>(from: T, names: K[]): Partial<Pick<T, K>> {
  const picked: Partial<Pick<T, K>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked;
}
