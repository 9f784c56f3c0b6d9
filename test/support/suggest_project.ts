// A small project with code, for tests of proactive context. Runs git where a test needs history.

import { runProcess } from "./processes/run_ctx.ts";
import { type TempStore, tempStore, type TempStoreOptions } from "./stores/temp_store.ts";

/** The sources of the small project: a token service, its store, its routes and its test. */
export const projectFiles: Record<string, string> = {
  "src/auth/token_store.ts":
    "/** @deprecated use saveToken */\nexport function keepToken(id: string): string {\n  return id;\n}\nexport function saveToken(id: string): string {\n  return id;\n}\n",
  "src/auth/token_service.ts":
    'import { keepToken } from "./token_store.ts";\nexport function rotateToken(id: string): string {\n  return keepToken(id);\n}\n',
  "src/auth/token_routes.ts":
    'import { rotateToken } from "./token_service.ts";\nexport function routeToken(): void {\n  rotateToken("1");\n}\n',
  "test/token_service_test.ts":
    'import { rotateToken } from "../src/auth/token_service.ts";\nrotateToken("1");\n',
  "src/paint/brush.ts": "export function dipBrush(): void {}\n",
};

/** A workspace with the small project in it. */
export async function tempProject(
  options: TempStoreOptions & { sources?: Record<string, string> } = {},
): Promise<TempStore> {
  const store = await tempStore(options);
  writeSources(store, options.sources ?? projectFiles);
  return store;
}

/** Writes files of the workspace. */
export function writeSources(store: TempStore, sources: Record<string, string | Uint8Array>): void {
  for (const [path, text] of Object.entries(sources)) {
    const slash = path.lastIndexOf("/");
    if (slash > 0) {
      Deno.mkdirSync(`${store.workspace}/${path.slice(0, slash)}`, { recursive: true });
    }
    if (typeof text === "string") Deno.writeTextFileSync(`${store.workspace}/${path}`, text);
    else Deno.writeFileSync(`${store.workspace}/${path}`, text);
  }
}

/** Runs git in a directory with a fixed author and time. */
export async function git(
  cwd: string,
  words: string[],
  time = "2026-01-01T00:00:00Z",
): Promise<void> {
  const env = {
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.org",
    GIT_AUTHOR_DATE: time,
    GIT_COMMITTER_DATE: time,
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const { code, stderr } = await runProcess(["git", ...words], { cwd, env });
  if (code !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
}

/** Waits for a condition, looking often; the limit only ends what would hang. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + 180_000;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error(`waited too long for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
