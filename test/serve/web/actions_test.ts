// What a page does over HTTP: every act is there, what destroys asks first, `undo` takes it back, and
// `/events` says what has moved.

import assert from "node:assert/strict";
import { type StartedServer, startServer } from "../../support/processes/start_server.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

type Data = Record<string, unknown>;

/** Runs a command that must work. */
async function act(server: StartedServer, command: string, input: object): Promise<Data> {
  const response = await server.post(`/api/${command}`, input);
  const data = await response.json();
  assert.equal(response.status, 200, JSON.stringify(data));
  return data;
}

/** Runs one that asks first; says what was planned, and then does it. */
async function confirmed(server: StartedServer, command: string, input: object): Promise<Data> {
  const asked = await server.post(`/api/${command}`, input);
  const { error, planned } = await asked.json();
  assert.deepEqual([asked.status, error?.code], [409, "UNCONFIRMED"], command);
  assert.equal(typeof planned, "object");
  return await act(server, command, { ...input, confirm: true });
}

Deno.test("over HTTP entries are pinned, corrected, titled, confirmed, forgotten and purged, and acts undone", async () => {
  await using t = await tempStore({
    entries: [
      {
        id: "H-a",
        type: "decision",
        title: "Cookies",
        text: "We use cookies",
        session_id: "S-one",
      },
      { id: "H-b", type: "note", text: "Deploys go out on Tuesdays", session_id: "S-one" },
    ],
  });
  await using server = await startServer(t.workspace);
  await act(server, "pin", { target: "H-b" });
  assert.match(t.read("pins.md"), /H-b/);
  await confirmed(server, "undo", {});
  assert.doesNotMatch(t.read("pins.md"), /H-b/);

  const edited = await act(server, "edit", { id: "H-a", title: "Session cookies" });
  const [now] = [...t.open().entries()].filter(({ entry }) => entry.id === edited.corrected_by);
  assert.deepEqual(
    [now.entry.title, now.entry.text, now.entry.type, now.entry.supersedes, now.entry.session_id],
    ["Session cookies", "We use cookies", "decision", "H-a", "S-one"],
  );
  assert.equal(
    (await act(server, "edit", { id: edited.corrected_by, title: "Session cookies" })).changed,
    false,
  );
  await confirmed(server, "undo", {});
  assert.equal(t.textOf(String(edited.corrected_by)), undefined);
  const noEditor = await server.post("/api/edit", { id: "H-a" });
  assert.deepEqual([noEditor.status, (await noEditor.json()).error.code], [403, "DENIED"]);

  const saved = await act(server, "save", { text: "We use tokens", supersedes: "H-a" });
  assert.equal(t.open().find(["H-a"]).get("H-a")?.superseded_by, saved.id);
  await act(server, "confirm", { id: saved.id });

  await confirmed(server, "forget", { ids: ["H-b"] });
  assert.equal(t.textOf("H-b"), undefined);
  await confirmed(server, "undo", {});
  assert.equal(t.textOf("H-b"), "Deploys go out on Tuesdays");
  await confirmed(server, "purge", { pattern: "Tuesdays" });
  assert.doesNotMatch(t.read("history.ndjson"), /Tuesdays/);
});

Deno.test("a session's title is the user's own: kept before agents' ones, redacted, taken back", async () => {
  await using t = await tempStore({
    entries: [{ id: "H-a", role: "user", type: "turn", text: "Fix it", session_id: "S-one" }],
    files: {
      "sessions.ndjson": [
        {
          event: "imported",
          session_id: "S-one",
          ts: "2026-01-01T10:00:00.000Z",
          title: "Parser by agent",
          title_from: "ai",
        },
      ].map((row) => JSON.stringify(row) + "\n").join(""),
    },
  });
  const titleNow = async (): Promise<unknown> =>
    (await t.run<{ sessions: Data[] }>("sessions")).sessions[0].title;
  assert.deepEqual(await t.run("session title", { session: "S-one", title: "  The\nparser " }), {
    session_id: "S-one",
    title: "The parser",
    before: "Parser by agent",
  });
  t.append(
    "sessions.ndjson",
    JSON.stringify({
      event: "titled",
      session_id: "S-one",
      ts: "2026-01-03T10:00:00.000Z",
      title: "Parser by agent again",
      title_from: "summary",
    }) + "\n",
  );
  assert.equal(await titleNow(), "The parser");
  const key = "AKIAQ3EGVT5RM2WNK7XZ";
  await t.run("session title", { session: "S-one", title: `Rotate ${key}` }, {
    now: () => Date.parse("2026-01-04"),
  });
  assert.match(String(await titleNow()), /^Rotate \[REDACTED/);
  assert.ok(!t.read("sessions.ndjson").includes(key));
  assert.ok(!t.read("acts.ndjson").includes("parser"));
  await t.run("undo", {}, { consent: true });
  assert.equal(await titleNow(), "The parser");
  await t.run("undo", {}, { consent: true });
  assert.equal(await titleNow(), "Parser by agent again");
  const { acts } = await t.run<{ acts: { id: string; did: string }[] }>("undo", { list: true });
  assert.equal(acts[0].did, "undo: title of S-one");
  const again = await t.fail("undo", { act: acts[0].id }, { consent: true });
  assert.match(again.message, /the title was not kept/);
  for (
    const [input, code] of [
      [{ session: "S-none", title: "x" }, "NOT_FOUND"],
      [{ session: "S-one", title: " \n" }, "USAGE"],
      [{ session: "S-one", title: "x".repeat(201) }, "USAGE"],
    ] as const
  ) assert.equal((await t.fail("session title", input)).code, code);
  assert.deepEqual(await t.ailments(), []);
});

Deno.test("/events says which kinds of things moved, and tells who comes back", async () => {
  await using t = await tempStore({ entries: ["one"] });
  await using server = await startServer(t.workspace);
  await using events = await listen(server);
  const first = await events.next();
  assert.deepEqual([first.data.changed, first.data.entries], [[], 1]);
  await act(server, "search", { query: "one" });
  assert.deepEqual((await events.next()).data.changed, ["traces"]);
  await act(server, "pin", { target: "H-H1" });
  assert.ok((await events.until("pins")).length > 0);
  await act(server, "session/start", { title: "Work" });
  const { id } = (await events.until("sessions")).at(-1) ?? first;
  await using back = await listen(server, id);
  await act(server, "save", { text: "two" });
  const missed = await back.next();
  assert.equal(missed.data.entries, 2);
  await using later = await listen(server, first.id);
  assert.ok((await later.next()).data.changed.includes("pins"), "anything may have been missed");
});

interface Told {
  id: string;
  data: { revision: number; entries: number; changed: string[] };
}

interface Events extends AsyncDisposable {
  next(): Promise<Told>;
  /** Reads until a kind has moved. */
  until(kind: string): Promise<Told[]>;
}

async function listen(server: StartedServer, lastId?: string): Promise<Events> {
  const response = await server.get(
    "/events",
    lastId === undefined ? {} : { "last-event-id": lastId },
  );
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = async (): Promise<Told> => {
    while (true) {
      const match = /id: (\S+)\nevent: change\ndata: (.*)\n\n/.exec(text);
      if (match !== null) {
        text = text.slice(match.index + match[0].length);
        return { id: match[1], data: JSON.parse(match[2]) };
      }
      const { value, done } = await reader.read();
      if (done) throw new Error("the stream has ended");
      text += value;
    }
  };
  return {
    next,
    async until(kind) {
      const told = [await next()];
      while (!told.at(-1)?.data.changed.includes(kind)) told.push(await next());
      return told;
    },
    [Symbol.asyncDispose]: () => reader.cancel(),
  };
}
