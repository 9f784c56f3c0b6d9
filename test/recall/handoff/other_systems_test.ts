// Paths of one system on another: a session is handed to where its folder is, or to this workspace.

import assert from "node:assert/strict";
import { diskFiles } from "../../../src/disk/files.ts";
import { toGeminiTranscript } from "../../../src/recall/handoff/gemini_transcript.ts";
import { isPlainPath } from "../../../src/recall/handoff/turn.ts";
import { tempStore } from "../../support/stores/temp_store.ts";

Deno.test("a Windows path is absolute only on Windows", () => {
  assert.equal(isPlainPath("C:/Work/shop", "windows"), true);
  assert.equal(isPlainPath("C:\\Work\\shop", "windows"), true);
  assert.equal(isPlainPath("C:/Work/shop", "linux"), false);
  assert.equal(isPlainPath("/work/shop", "linux"), true);
  for (const path of ["C:\\Work\\..\\shop", "/work/../shop", "/work/..", "C:/a\nb", "shop"]) {
    assert.equal(isPlainPath(path, "windows"), false, path);
  }
});

Deno.test("a session from Windows is handed over into this workspace", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const entries = [
    { role: "user" as const, text: "Fix the till", project: "C:/Work/shop", session: "S-shop" },
    { role: "assistant" as const, text: "Fixed.", project: "C:/Work/shop", session: "S-shop" },
  ];
  await using t = await tempStore({ entries });
  const env = (name: string): string | undefined =>
    name === "HOME" ? `${t.workspace}/home` : undefined;
  const { path } = await t.run<{ path: string }>(
    "handoff",
    { session: "S-shop", to: "claude-code", dry_run: true },
    { env },
  );
  assert.ok(!path.includes("Work-shop"), path);
  assert.ok(path.includes(t.workspace.split("/").at(-1)!.replace(/[^A-Za-z0-9]/g, "-")), path);
});

Deno.test("Gemini's lower-case folder for a Windows project is found", async () => {
  await using t = await tempStore();
  const own = `${t.workspace}/.gemini/tmp/till`;
  Deno.mkdirSync(own, { recursive: true });
  Deno.writeTextFileSync(`${own}/.project_root`, "c:\\work\\shop");
  const session = { id: "S-1", title: "", cwd: "C:\\Work\\Shop", turns: [] };
  const place = { home: t.workspace, cwd: session.cwd, env: () => undefined, files: diskFiles };
  const { files } = await toGeminiTranscript(session, place);
  assert.equal(files.length, 1);
  assert.ok(files[0].path.startsWith(`${own}/chats/`), files[0].path);
});
