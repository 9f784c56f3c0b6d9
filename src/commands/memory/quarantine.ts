// `ctx forget --quarantine` and `--release`: puts a session aside, so that nothing derived from it is
// sent to agents, and lets it back. Nothing is deleted: an event in the log of sessions says so.

import { type Context, define } from "../../command/command.ts";
import { sessionNameOf } from "../../command/session_scope.ts";
import * as s from "../../command/shape.ts";
import { countOf } from "../../command/view.ts";
import { CtxError } from "../../core/errors.ts";
import { quarantineEvent, readQuarantined } from "../../store/quarantined_sessions.ts";

const output = {
  session_id: s.text(),
  /** How many entries the session has. */
  entries: s.number(),
  /** Whether it was otherwise before. */
  changed: s.boolean(),
};

export const quarantine = define({
  name: "quarantine",
  summary: "Keep a session, but send nothing derived from it.",
  description:
    "For a session that went wrong or read something it should not have trusted. Searches still find it. Its entries, its records, pins of them, and what you accepted from it in `ctx review` are no longer sent to agents or offered for review, and a guard made from them only counts. `ctx status` lists the sessions in quarantine; `ctx forget --release SESSION` ends it.",
  input: { session: s.naming("S", s.text("The session (S-…).", 1)) },
  output,
  positional: ["session"],
  effect: "write",
  local: true,
  examples: [{
    argv: ["forget", "--quarantine", "S-1m3ycxcy0jb3j8fmv"],
    about: "Send nothing from this session to agents.",
  }],
  run: (input, context) => change(input.session, { context, isAside: true }),
  render: ({ session_id, entries, changed }) =>
    changed
      ? `${session_id} is in quarantine: nothing derived from its ${
        countOf(entries, "entry", "entries")
      } is sent. To end it: ctx forget --release ${session_id}\n`
      : `${session_id} is already in quarantine.\n`,
});

export const release = define({
  name: "release",
  summary: "Release a session from quarantine.",
  description: "Works only in your own terminal, so that an agent cannot do it.",
  input: { session: s.naming("S", s.text("The session (S-…).", 1)) },
  output,
  positional: ["session"],
  effect: "write",
  local: true,
  question: ({ session }) => `Send what was derived from ${session} to agents again?`,
  examples: [{
    argv: ["forget", "--release", "S-1m3ycxcy0jb3j8fmv"],
    about: "Use what was derived from this session again.",
    terminal: true,
  }],
  run(input, context) {
    if (context.confirm === undefined) {
      throw new CtxError(
        "DENIED",
        `Cannot release "${input.session}": only the user can, in their own terminal`,
        { hint: "ask the user to run it" },
      );
    }
    return change(input.session, { context, isAside: false });
  },
  render: ({ session_id, changed }) =>
    changed
      ? `${session_id} is no longer in quarantine.\n`
      : `${session_id} is not in quarantine.\n`,
});

async function change(
  name: string,
  { context, isAside }: { context: Context; isAside: boolean },
): Promise<{ session_id: string; entries: number; changed: boolean }> {
  const store = await context.openStore();
  const session_id = sessionNameOf(name, store, context);
  const entries = store.readSession(session_id).length;
  if (isAside && entries === 0) {
    throw new CtxError("NOT_FOUND", `Cannot quarantine "${name}": no such session`, {
      hint: "ctx sessions lists them",
    });
  }
  const ts = new Date(context.now()).toISOString();
  const changed = await store.write("quarantine", (writer) => {
    if (readQuarantined(store).has(session_id) === isAside) return false;
    writer.appendSessionEvents([quarantineEvent(session_id, ts, isAside)]);
    return true;
  });
  return { session_id, entries, changed };
}
