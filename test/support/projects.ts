// Several projects of one user, for what looks into all of them.

import { runCtx, type RunResult } from "./processes/run_ctx.ts";
import { realPath } from "../../src/core/platform_path.ts";

/** A row that was found. */
export interface Row {
  id: string;
  workspace?: string;
  snippet: string;
  score_final: number;
  expand: { get: string; timeline: string };
}

/** What a search gives. */
export interface Found {
  total: number;
  results: Row[];
  retrieval: { notes: string[]; corrected?: object };
}

/** A home with some projects in it, made as people make them. */
export class Projects implements Disposable {
  readonly root = realPath(Deno.makeTempDirSync({ prefix: "ctx-projects-" }));
  readonly home = `${this.root}/home`;
  readonly list = `${this.home}/.config/ctx/projects.ndjson`;

  async make(name: string, ...texts: string[]): Promise<string> {
    const cwd = `${this.root}/${name}`;
    Deno.mkdirSync(cwd, { recursive: true });
    await this.ctx(cwd, "init");
    for (const text of texts) await this.ctx(cwd, "save", text);
    return cwd;
  }

  async ctx(cwd: string, ...words: string[]): Promise<RunResult> {
    Deno.mkdirSync(this.home, { recursive: true });
    return await runCtx(words, { cwd, env: { HOME: this.home } });
  }

  async find(cwd: string, ...words: string[]): Promise<Found> {
    const { stdout, stderr } = await this.ctx(cwd, "search", ...words, "--json");
    return JSON.parse(stdout || stderr);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.root, { recursive: true });
  }
}
