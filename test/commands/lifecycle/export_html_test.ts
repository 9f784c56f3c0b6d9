import assert from "node:assert/strict";
import { parse } from "parse5";
import { createHash } from "node:crypto";
import type { Entry } from "../../../src/core/entry.ts";
import { markdownHtml } from "../../../src/read/share/markdown_html.ts";
import { withoutHomes } from "../../../src/core/home_directories.ts";
import { notOnWindows } from "../../support/not_on_windows.ts";
import { tempStore } from "../../support/stores/temp_store.ts";
import { xssPayloads } from "../../support/servers/xss_payloads.ts";

interface Exported {
  format: string;
  entries: number;
  text: string;
}

/** Elements of a page, and the attributes that each may have. */
const allowed: Record<string, string[]> = {
  ...Object.fromEntries(
    ("html head body header h1 h2 h3 h4 h5 h6 dl div dt dd nav details summary ol ul li main " +
      "article p pre code ins del em strong br hr table thead tbody tr th td blockquote footer " +
      "time a title style meta").split(" ").map((name) => [name, []]),
  ),
  html: ["lang"],
  meta: ["charset", "http-equiv", "content", "name"],
  nav: ["aria-label"],
  article: ["id", "class"],
  details: ["open", "class"],
  pre: ["class"],
  time: ["datetime"],
  ol: ["start"],
  a: ["href", "rel"],
};
const policyName = "content-security-policy";

interface Element {
  nodeName: string;
  tagName?: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Element[];
  content?: Element;
  value?: string;
}

/** What is wrong with a page, and all of its text. */
function inspect(html: string): { faults: string[]; text: string; metas: number } {
  const faults: string[] = [];
  let text = "";
  let metas = 0;
  const walk = (node: Element): void => {
    const { tagName, attrs = [], childNodes = [] } = node;
    if (node.nodeName === "#text") text += node.value ?? "";
    if (node.nodeName === "#comment") faults.push("a comment");
    if (node.content) faults.push("a template");
    if (tagName !== undefined) {
      const names = allowed[tagName];
      if (names === undefined) faults.push(`<${tagName}>`);
      for (const { name, value } of attrs) {
        if (!names?.includes(name)) faults.push(`<${tagName} ${name}>`);
        if (name === "href" && !/^(?:#m[amp\d]*$|https?:\/\/|mailto:)/.test(value)) {
          faults.push(`a link to ${value}`);
        }
        if (name === "href" && !value.startsWith("#")) {
          const rel = attrs.find((other) => other.name === "rel")?.value;
          if (rel !== "noopener noreferrer") faults.push(`rel of ${value}`);
        }
        if (name === "http-equiv" && value.toLowerCase() !== policyName) faults.push(value);
      }
      if (tagName === "meta") metas++;
      if (tagName === "style" && ++styles > 1) faults.push("a second style");
    }
    childNodes.forEach(walk);
  };
  let styles = 0;
  walk(parse(html) as unknown as Element);
  return { faults, text, metas };
}

Deno.test("export --html: every hostile text is inert, wherever it stands", async () => {
  const payloads = Object.entries(xssPayloads);
  assert.ok(payloads.length >= 50);
  const entries = payloads.flatMap(([, text], i) => {
    const base = { session_id: `S-${i}`, project: text, branch: text };
    const input = { file_path: text, old_string: text, new_string: `${text}2` };
    const tool = { name: text, call_id: "c", effect: "edit", input };
    const rows: Partial<Entry>[] = [
      { role: "user", type: "turn", text, title: text },
      { role: "assistant", type: "turn", text: `words\n\n${text}\n\nmore` },
      { role: "assistant", type: "thinking", text },
      { role: "assistant", type: "tool_call", text, tool },
      { role: "tool", type: "tool_output", text, tool: { name: text, call_id: "c" } },
      { role: "tool", type: "tool_output", text, tool: { name: text } },
      { role: "note", type: "note", text, model: text },
    ];
    return rows.map((row, n) => ({ ...base, ...row, id: `H-${i}-${n}`, index: n + 1 }));
  });
  await using t = await tempStore({ entries });
  for (const [i, [name]] of payloads.entries()) {
    const { text: html } = await t.run<Exported>("export", { html: true, session: `S-${i}` });
    const { faults, metas } = inspect(html);
    assert.deepEqual([faults, metas], [[], 5], `${name}:\n${html}`);
  }
});

Deno.test("the check of pages would tell", () => {
  const bad = '<script>1</script><b onclick=x></b><a href="javascript:x">y</a><img src=x><!--x-->';
  assert.deepEqual(inspect(bad).faults.length, 8);
});

Deno.test("a change that a call tells is not told again by its output", async () => {
  const input = { file_path: "a.ts", old_string: "one\n", new_string: "two\n" };
  const tool = { name: "Edit", call_id: "c1" };
  const patch = "--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-one\n+two\n";
  const call = { session_id: "S-1", index: 1, type: "tool_call", text: "Edit: a.ts" } as const;
  const output = { session_id: "S-1", index: 2, type: "tool_output", text: "changed" } as const;
  await using t = await tempStore({
    entries: [
      { ...call, role: "assistant", tool: { ...tool, effect: "edit", input } },
      { ...output, role: "tool", tool, patch },
    ],
  });
  const { text: html } = await t.run<Exported>("export", { html: true, session: "S-1" });
  assert.equal(html.match(/<ins>\+two/g)?.length, 1, html);
  assert.doesNotMatch(html, /<h3>Output/);
});

Deno.test("export --html: one file with a policy, prompts, diffs, folded calls and sub-agents", async () => {
  const base = { session_id: "S-1", project: "/home/dev/app", source: { agent: "codex" } };
  const input = {
    file_path: "/home/dev/app/a.ts",
    old_string: "one\ntwo\n",
    new_string: "one\n2\n",
  };
  await using t = await tempStore({
    entries: [
      { ...base, index: 1, role: "user", type: "turn", text: "Fix **it** in /home/dev/app" },
      {
        ...base,
        index: 2,
        role: "assistant",
        type: "tool_call",
        text: "Edit: a.ts",
        tool: { name: "Edit", call_id: "c1", effect: "edit", input },
      },
      {
        ...base,
        index: 3,
        role: "tool",
        type: "tool_output",
        text: "done with AKIAQ3EGVT5RM2WNK7XZ",
        tool: { name: "Edit", call_id: "c1" },
      },
      { session_id: "S-2", index: 1, role: "user", type: "turn", text: "Look around" },
      // As if somebody had both start each other.
      { session_id: "S-2", index: 2, role: "assistant", type: "turn", text: "Looked" },
    ],
    files: {
      "sessions.ndjson": [["S-2", "S-1"], ["S-1", "S-2"]].map(([session_id, parent]) =>
        JSON.stringify({ event: "imported", session_id, ts: "2026-01-01T00:00:00.000Z", parent }) +
        "\n"
      ).join(""),
    },
  });
  const told = await t.run<Exported>("export", { html: true, session: "S-1" });
  const { text: html } = told;
  assert.deepEqual([told.format, told.entries], ["html", 5]);
  const { faults, text } = inspect(html);
  assert.deepEqual(faults, []);
  assert.match(html, /<li><a href="#m1">Fix \*\*it\*\* in ~\/app<\/a><\/li>/);
  assert.match(
    html,
    /<article id="m1" class="prompt">[^]*<p>Fix <strong>it<\/strong> in ~\/app<\/p>/,
  );
  assert.match(html, /<pre class="diff"> one\n<del>-two\n<\/del><ins>\+2\n<\/ins><\/pre>/);
  assert.match(html, /<summary>Sub-agent: Look around<\/summary>/);
  assert.match(text, /done with \[REDACTED:/);
  assert.doesNotMatch(html, /AKIAQ3EGVT5RM2WNK7XZ|\/home\/dev|<script/);
  const style = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  assert.ok(html.includes(`content="default-src 'none'; style-src 'sha256-${hash}'; base-uri`));
  const same = await t.run<Exported>("export", { format: "html", session: "S-1" });
  assert.equal(same.text, html);
});

Deno.test("export --format markdown of a session: redacted again, in fences that nothing closes", async () => {
  const base = { session_id: "S-1", project: "/Users/dev/app" };
  await using t = await tempStore({
    entries: [
      { ...base, index: 1, role: "user", type: "turn", text: "Use AKIAQ3EGVT5RM2WNK7XZ" },
      {
        ...base,
        index: 2,
        role: "assistant",
        type: "tool_call",
        text: "Bash: ls",
        tool: { name: "Bash", call_id: "c", input: { command: "ls" } },
      },
      {
        ...base,
        index: 3,
        role: "tool",
        type: "tool_output",
        text: "````\n/Users/dev/app/a.ts",
        tool: { name: "Bash", call_id: "c" },
      },
    ],
  });
  const { text } = await t.run<Exported>("export", { format: "markdown", session: "S-1" });
  assert.equal(
    text,
    `# Use [REDACTED:aws-access-key-id]

- project: ~/app
- from: 2026-01-01T10:00:00.000Z
- to: 2026-01-01T10:02:00.000Z
- messages: 3
- session: S-1

## 1 · user · 2026-01-01 10:00 UTC

Use [REDACTED:aws-access-key-id]

## 2 · Bash · 2026-01-01 10:01 UTC

\`\`\`
Bash: ls
\`\`\`

\`\`\`\`\`
\`\`\`\`
~/app/a.ts
\`\`\`\`\`

`,
  );
  const whole = await t.run<Exported>("export", { format: "markdown" });
  assert.doesNotMatch(whole.text, /AKIAQ3EGVT5RM2WNK7XZ|\/Users\/dev/);
});

Deno.test("export --html shows sessions, and writes over a file only when asked", async () => {
  await using t = await tempStore({ entries: [{ text: "a", session_id: "S-1" }] });
  const none = await t.fail("export", { html: true, until: "2020" });
  assert.deepEqual([none.code, none.hint], ["NOT_FOUND", "ctx sessions"]);
  assert.equal((await t.fail("export", { html: true, type: "note" })).code, "USAGE");
  const out = `${t.workspace}/one.html`;
  await Deno.writeTextFile(out, "mine");
  assert.equal((await t.fail("export", { html: true, session: "S-1", out })).code, "DENIED");
  assert.equal(await Deno.readTextFile(out), "mine");
  await t.run("export", { html: true, session: "S-1", out, force: true });
  assert.match(await Deno.readTextFile(out), /^<!doctype html>/);
  assert.deepEqual([...Deno.readDirSync(t.workspace)].filter(({ name }) => /tmp/.test(name)), []);
  assert.equal((await t.fail("export", { html: true, session: "S-nope" })).code, "NOT_FOUND");
  const nowhere = await t.fail("export", { html: true, out: `${t.workspace}/no/one.html` });
  assert.deepEqual([nowhere.code, nowhere.hint], ["USAGE", `mkdir -p ${t.workspace}/no`]);
  const place = await t.fail("export", { html: true, out: `${t.workspace}/`, force: true });
  assert.match(`${place.code} ${place.message}`, /^USAGE Cannot write ".*": it is a directory$/);
});

Deno.test("home directories are told as ~, others' too", () => {
  const told = {
    "/home/dev/app/a.ts": "~/app/a.ts",
    'cd "/home/dev"': 'cd "~"',
    "file:///home/dev/x": "file://~/x",
    "C:\\Users\\dev\\app": "~\\app",
    "/Users/Some.One/app": "~/app",
    "/root/.ssh": "~/.ssh",
    "/rooted/x": "/rooted/x",
    "/srv/me/x": "~/x",
    "/srv/mellow/x": "/srv/mellow/x",
    "/var/home/x": "/var/home/x",
  };
  for (const [given, expected] of Object.entries(told)) {
    assert.equal(withoutHomes(given, "/srv/me"), expected);
  }
});

Deno.test("markdownHtml() loses no text and stays within its time for hostile ones", () => {
  assert.equal(
    markdownHtml("[a]: https://x.example/\n\n<div>\n\n![alt](x) [up](../a.md)"),
    "<p>[a]: https://x.example/</p>\n<p>&lt;div&gt;</p>\n<p>alt up</p>\n",
  );
  for (const text of ["_a_", "**a*", "[a](", "> ", "- ", "`a ``b ", "<", "|a", "*a "]) {
    assert.ok(markdownHtml(text.repeat(20_000)).length >= 20_000 || text === "- ");
  }
});

Deno.test({
  name: "an export replaces a link, not its target",
  ignore: notOnWindows("links need a privilege"),
}, async () => {
  await using t = await tempStore({
    entries: [{
      id: "H-one",
      ts: "2026-01-01T00:00:00.000Z",
      role: "user",
      type: "note",
      text: "One.",
    }],
  });
  const options = { cwd: t.workspace };
  Deno.writeTextFileSync(`${t.workspace}/kept`, "kept");
  Deno.symlinkSync("kept", `${t.workspace}/link`);
  assert.equal((await t.fail("export", { out: "link" }, options)).code, "DENIED");
  await t.run("export", { out: "link", force: true }, options);
  assert.equal(Deno.readTextFileSync(`${t.workspace}/kept`), "kept");
  assert.match(Deno.readTextFileSync(`${t.workspace}/link`), /One\./);
});
