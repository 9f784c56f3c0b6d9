// `ctx session start|end|current|title`: the live session of this workspace, and what sessions are called.

import { CtxError } from "../../core/errors.ts";
import { makeId } from "../../core/id.ts";
import { toLine } from "../../core/text.ts";
import { define } from "../../command/command.ts";
import * as s from "../../command/shape.ts";
import { findCurrentSession, sessionNameOf } from "../../command/session_scope.ts";

export const sessionStart = define({
  name: "session start",
  summary: "Open a session; later saves join it.",
  description:
    "The session becomes the workspace's current one. With --detached, or when CTX_SESSION is set, the current session does not change: set CTX_SESSION to the printed id, so that two agents never share a session by accident.",
  input: {
    title: s.optionalText("What the session is about."),
    detached: s.flag("Do not make it the current session."),
  },
  output: { session_id: s.text(), current: s.boolean() },
  positional: ["title"],
  effect: "write",
  examples: [{ argv: ["session", "start", "Refactor the parser"], about: "Start a session." }],
  async run(input, context) {
    const store = await context.openStore();
    const ts = new Date(context.now()).toISOString();
    const id = makeId("S", context.now(), context.random());
    const current = !input.detached && !context.env("CTX_SESSION");
    await store.write("session start", (writer) => {
      const title = input.title === undefined ? {} : { title: input.title };
      writer.appendSessionEvents([{ event: "opened", session_id: id, ts, ...title, current }]);
      if (current) writer.state.session_id = id;
    });
    return { session_id: id, current };
  },
  render: (data) => `${data.session_id}\n`,
  note(data) {
    if (data.current) return undefined;
    return `not made current; run: export CTX_SESSION=${data.session_id}`;
  },
});

export const sessionEnd = define({
  name: "session end",
  summary: "Close a session (default: the current one).",
  input: {
    session: s.naming(
      "S",
      s.optionalText("The session to close (default: the current one)."),
    ),
  },
  output: { session_id: s.text() },
  positional: ["session"],
  effect: "write",
  examples: [{ argv: ["session", "end"], about: "Close the current session." }],
  async run(input, context) {
    const store = await context.openStore();
    const id = input.session ?? findCurrentSession(store, context);
    if (id === undefined) throw noneOpen("end");
    if (!store.readSessions().has(id)) {
      throw new CtxError("NOT_FOUND", `Cannot end session "${id}": no such session`, {
        hint: "ctx sessions",
      });
    }
    const ts = new Date(context.now()).toISOString();
    await store.write("session end", (writer) => {
      writer.appendSessionEvents([{ event: "closed", session_id: id, ts }]);
      if (writer.state.session_id === id) writer.state.session_id = null;
    });
    return { session_id: id };
  },
  render: (data) => `Closed ${data.session_id}\n`,
});

export const sessionCurrent = define({
  name: "session current",
  summary: "Print the current session's id.",
  input: {},
  output: {
    session_id: s.text(),
    origin: s.oneOf(["environment", "state"]),
    title: s.optional(s.text()),
  },
  effect: "read",
  paged: false,
  examples: [{ argv: ["session", "current"], about: "Show which session saves join." }],
  async run(_input, context) {
    const store = await context.openStore();
    const id = findCurrentSession(store, context);
    if (id === undefined) throw noneOpen("show");
    const { findSessionTitles } = await import("../../read/session_titles.ts");
    return {
      session_id: id,
      origin: context.env("CTX_SESSION") ? "environment" as const : "state" as const,
      title: (await findSessionTitles(store, [id])).get(id),
    };
  },
  render: (data) => `${data.session_id}\n`,
});

const maxTitleChars = 200;

export const sessionTitle = define({
  name: "session title",
  summary: "Rename a session.",
  description:
    "Your title takes precedence over titles from agents, including later ones. It is one line, with secrets redacted. `ctx undo` reverts it.",
  input: {
    session: s.naming("S", s.text("A session id, or current.", 1)),
    title: s.text("The new title.", 1),
  },
  output: {
    ...s.each(s.text(), "session_id", "title"),
    before: s.optional(s.text("What it was called before, where that was not its first words.")),
  },
  positional: ["session", "title"],
  effect: "write",
  examples: [{
    argv: ["session", "title", "current", "Refactor the parser"],
    about: "Name the current session.",
    after: [["session", "start"]],
  }],
  async run({ session, title }, context) {
    const store = await context.openStore();
    const id = sessionNameOf(session, store, context);
    const said = toLine(title, maxTitleChars + 1);
    if (said === "" || said.length > maxTitleChars) {
      const state = said === "" ? "the title is empty" : `it is over ${maxTitleChars} characters`;
      throw new CtxError("USAGE", `Cannot title "${id}": ${state}`, {
        hint: `ctx session title ${id} TITLE`,
      });
    }
    const { isSession, readSessionCatalog, sessionTitle: titleOf } = await import(
      "../../store/session_catalog.ts"
    );
    const known = readSessionCatalog(store).get(id);
    if (known === undefined || !isSession(known)) {
      throw new CtxError("NOT_FOUND", `Cannot title session "${id}": no such session`, {
        hint: "ctx sessions",
      });
    }
    const ts = new Date(context.now()).toISOString();
    await store.write("session title", (writer) => {
      writer.appendSessionEvents([{ event: "titled", session_id: id, ts, title: said }]);
    });
    const { recordAct } = await import("../../command/record_act.ts");
    recordAct(store, context, { act: "title", title: { session: id, ts } });
    return {
      session_id: id,
      title: store.readSessions().get(id)?.title ?? said,
      ...(titleOf(known) === "" ? {} : { before: titleOf(known) }),
    };
  },
  render: (data) => `${data.session_id}  ${data.title}\n`,
});

function noneOpen(action: string): CtxError {
  return new CtxError("NOT_FOUND", `Cannot ${action} the current session: none is open`, {
    hint: "ctx session start",
  });
}
