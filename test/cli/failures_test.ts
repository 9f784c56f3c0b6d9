// What fails says so the same way everywhere: code, message, hint and exit status, as text on
// stderr or as one JSON line there, with nothing on stdout.

import assert from "node:assert/strict";
import { tempStore } from "../support/stores/temp_store.ts";

interface Failure {
  words: string[];
  exit: number;
  code: string;
  message: string;
  hint: string;
}

const failures: Record<string, Failure> = {
  "an unknown id": {
    words: ["get", "H-none"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Cannot get "H-none": there is no such entry or session',
    hint: "ctx search QUERY finds ids; ctx sessions lists sessions",
  },
  "an unknown anchor": {
    words: ["timeline", "H-none"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Cannot show the timeline of "H-none": no such entry',
    hint: "ctx search QUERY finds ids",
  },
  "a number that is none": {
    words: ["timeline", "H-H1", "--before", "x"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot run timeline: "before" must be a whole number from 0 to 50, not "x"',
    hint: "ctx timeline --help",
  },
  "a number out of bounds": {
    words: ["timeline", "H-H1", "--after", "51"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot run timeline: "after" must be a whole number from 0 to 50, not 51',
    hint: "ctx timeline --help",
  },
  "a word that is no choice": {
    words: ["get", "H-H1", "--format", "bogus"],
    exit: 2,
    code: "USAGE",
    message:
      'Cannot run get: "format" must be one of full, stripped, user_only, outline, not "bogus"',
    hint: "ctx get --help",
  },
  "a missing argument": {
    words: ["get"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot run get: "ids" is missing',
    hint: "ctx get ID…, or ctx get --help",
  },
  "a flag without its value": {
    words: ["get", "H-H1", "--head"],
    exit: 2,
    code: "USAGE",
    message: "Cannot run get: --head needs a value",
    hint: "ctx get --help",
  },
  "a mistyped command": {
    words: ["tmeline", "H-H1"],
    exit: 2,
    code: "USAGE",
    message: 'Unknown command "tmeline" (did you mean "timeline"?)',
    hint: "ctx timeline --help",
  },
  "a command that is like no other": {
    words: ["xyzzy-plugh"],
    exit: 2,
    code: "USAGE",
    message: 'Unknown command "xyzzy-plugh"',
    hint: "ctx --help",
  },
  "a mistyped second word": {
    words: ["session", "strat"],
    exit: 2,
    code: "USAGE",
    message:
      'Cannot run session: unknown subcommand "strat"; use start, end, current, title, commits',
    hint: "ctx session start --help",
  },
  "a mistyped flag": {
    words: ["get", "H-H1", "--haed", "3"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot run get: unknown flag "--haed" (did you mean "--head"?)',
    hint: "ctx get --help; put -- before text that starts with a dash",
  },
  "an argument too many": {
    words: ["stats", "extra"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot run stats: unexpected argument "extra"',
    hint: "ctx stats --help",
  },
  "an unknown setting": {
    words: ["config", "get", "redcat"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Unknown setting "redcat" (did you mean "redact"?)',
    hint: "ctx config list",
  },
  "a setting with a bad value": {
    words: ["config", "set", "redact", "maybe"],
    exit: 2,
    code: "CONFIG_INVALID",
    message: 'Cannot use "redact" in config set: it must be true or false, not "maybe"',
    hint: "ctx config list",
  },
  "a time that is none": {
    words: ["sessions", "--since", "someday"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot read the time "someday"',
    hint:
      'write a date (2026-11-15), a timestamp (2026-11-15T10:00:00Z), an age (7d, 12h) or words ("2 weeks ago", "May 2023")',
  },
  "a day that does not exist": {
    words: ["search", "one", "--until", "2026-02-30"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot read the time "2026-02-30": no such date',
    hint: "write a date as 2026-11-15",
  },
  "a range that is none": {
    words: ["read", "S-1", "3-1"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot read the range "3-1"',
    hint: "write 5, 5-10, 1,5,10-15 or 20-",
  },
  "a session that is not there": {
    words: ["read", "S-none"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Cannot find session "S-none": no such session',
    hint: "ctx sessions lists them",
  },
  "no open session": {
    words: ["session", "current"],
    exit: 3,
    code: "NOT_FOUND",
    message: "Cannot show the current session: none is open",
    hint: "ctx session start",
  },
  "forgetting nothing in particular": {
    words: ["forget"],
    exit: 2,
    code: "USAGE",
    message: "Cannot forget: give ids, --session or --before",
    hint: "ctx forget --help",
  },
  "forgetting an unknown id": {
    words: ["forget", "H-H1", "H-none"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Cannot forget "H-none": there is no such entry',
    hint: "nothing was forgotten; ctx search QUERY finds ids",
  },
  "correcting an unknown id": {
    words: ["save", "text", "--supersedes", "H-none"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Cannot supersede "H-none": there is no such entry',
    hint: "ctx search",
  },
  "unpinning what is not pinned": {
    words: ["unpin", "H-H1"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Cannot unpin "H-H1": it is not pinned',
    hint: "ctx pin --list",
  },
  "saving secrets on purpose without leave": {
    words: ["save", "text", "--no-redact"],
    exit: 7,
    code: "DENIED",
    message: "Cannot save without redaction: it is turned on in the configuration",
    hint: "ctx config set redact false",
  },
  "an empty text": {
    words: ["save", ""],
    exit: 2,
    code: "USAGE",
    message: 'Cannot run save: "text" must be a text that is not empty, not ""',
    hint: "ctx save --help",
  },
  "a type that is none": {
    words: ["save", "text", "--type", "No Type"],
    exit: 2,
    code: "USAGE",
    message: 'Cannot run save: "type" must be a text like ^[a-z0-9_.:-]{1,64}$, not "No Type"',
    hint: "ctx save --help",
  },
  "a workspace that is not there": {
    words: ["stats", "--workspace", "/nowhere/at/all"],
    exit: 3,
    code: "NOT_FOUND",
    message: 'Cannot use workspace "/nowhere/at/all": there is no such directory',
    hint: "create the directory first, then: ctx init --workspace DIR",
  },
};

for (const [name, failure] of Object.entries(failures)) {
  Deno.test(`${name} fails the same way as text and under --json`, async () => {
    await using t = await tempStore({ entries: [{ text: "one", session_id: "S-1" }] });
    const { exit, code, message, hint, words } = failure;
    const before = t.read("history.ndjson");
    const name = ["session", "config"].includes(words[0]) ? 2 : 1;
    const withJson = [...words.slice(0, name), "--json", ...words.slice(name)];
    const [asText, asJson] = await Promise.all([t.ctx(words), t.ctx(withJson)]);
    assert.deepEqual([asText.code, asText.stdout, asText.stderr], [
      exit,
      "",
      `ctx: ${message}\nhint: ${hint}\n`,
    ]);
    assert.deepEqual([asJson.code, asJson.stdout, asJson.stderr], [
      exit,
      "",
      JSON.stringify({ error: { code, message, hint, retryable: false } }) + "\n",
    ]);
    assert.equal(t.read("history.ndjson"), before);
  });
}

Deno.test("no store fails the same way for every command that needs one", async () => {
  await using t = await tempStore({ init: false });
  const message = `Cannot find a store in "${t.workspace}" or any parent directory`;
  const error = {
    code: "STORE_MISSING",
    message,
    hint: "ctx start",
    retryable: false,
  };
  const plain = [["save", "x"], ["get", "H-1"], ["ls"], ["doctor", "--fix"], ["export"]];
  const commands = [...plain, ["ui", "--no-open"]];
  for (const words of commands) {
    const asText = await t.ctx(words);
    assert.deepEqual(
      [asText.code, asText.stdout, asText.stderr],
      [3, "", `ctx: ${message}\nhint: ${error.hint}\n`],
    );
    const asJson = await t.ctx([...words, "--json"]);
    assert.deepEqual(
      [asJson.code, asJson.stdout, JSON.parse(asJson.stderr)],
      [3, "", { error }],
    );
  }
  assert.deepEqual([...Deno.readDirSync(t.workspace)].map(({ name }) => name), []);
});

Deno.test("ui shows no page of a session that is not there", async () => {
  await using t = await tempStore({ entries: ["kept on disk"] });
  const { code, stdout, stderr } = await t.ctx(["ui", "--no-open", "--session", "S-nope"]);
  assert.deepEqual([code, stdout, stderr], [
    3,
    "",
    'ctx: Cannot find session "S-nope": no such session\nhint: ctx sessions lists them\n',
  ]);
});

Deno.test("a boolean flag with =false is off, and with another value is refused", async () => {
  await using t = await tempStore({ entries: ["kept on disk"] });
  const dry = await t.ctx(["forget", "H-H1", "--dry-run=true", "--now=false", "--json"]);
  assert.deepEqual(JSON.parse(dry.stdout), {
    forgotten: ["H-H1"],
    derived: [],
    count: 1,
    erased: false,
    revived: [],
    dry_run: true,
    examples: [{ id: "H-H1", ts: "2026-01-01T10:00:00.000Z", type: "note", title: "kept on disk" }],
  });
  const hidden = await t.ctx(["forget", "H-H1", "--now=false", "--json", "--yes"]);
  assert.equal(JSON.parse(hidden.stdout).erased, false);
  assert.ok(t.read("history.ndjson").includes("kept on disk"));
  const odd = await t.ctx(["doctor", "--fix=perhaps"]);
  assert.deepEqual([odd.code, odd.stderr], [
    2,
    'ctx: Cannot run doctor: --fix must be true or false, not "perhaps"\nhint: ctx doctor --help\n',
  ]);
});
