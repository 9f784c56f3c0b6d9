// A store on a temporary directory, filled with rows as they are on disk, for tests of search.

import type { SearchRequest } from "../../../src/search/request.ts";
import { diskFiles } from "../../../src/disk/files.ts";
import { toOwnPath } from "../../../src/core/platform_path.ts";
import { Store } from "../../../src/store/store.ts";

/** A row with what a test says and plain values for the rest. */
export type RowDraft = Record<string, unknown>;

/** A temporary store; dispose it to remove its directory. */
export class SearchStore implements AsyncDisposable {
  readonly workspace: string;
  readonly store: Store;
  readonly warnings: string[] = [];

  constructor(hot: RowDraft[], archive: RowDraft[] = []) {
    this.workspace = toOwnPath(Deno.makeTempDirSync({ prefix: "ctx-search-" }));
    Deno.mkdirSync(`${this.workspace}/.contextfs`);
    this.append("history.archive.ndjson", archive);
    this.append("history.ndjson", hot);
    this.store = new Store({
      workspace: this.workspace,
      files: diskFiles,
      now: () => Date.parse("2026-06-01T00:00:00Z"),
      random: () => "r",
      warn: (message) => this.warnings.push(message),
    });
  }

  /** Appends rows to a file of the store as another process would. */
  append(name: string, rows: RowDraft[]): void {
    const lines = rows.map((row, i) => JSON.stringify({ ...plainRow(i), ...row }) + "\n").join("");
    Deno.writeTextFileSync(`${this.workspace}/.contextfs/${name}`, lines, { append: true });
  }

  /** Rows that can be compared with those of another store: they name the workspace as their project. */
  placeless<R extends { project?: string }>(rows: readonly R[]): R[] {
    return rows.map((row) => row.project === this.workspace ? { ...row, project: "/work" } : row);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Deno.remove(this.workspace, { recursive: true });
  }
}

/** A request with the defaults of the product. */
export function request(query: string, rest: Partial<SearchRequest> = {}): SearchRequest {
  return { query, k: 5, offset: 0, scope: "all", mode: "auto", ...rest };
}

function plainRow(i: number): RowDraft {
  return { ts: "2026-01-01T00:00:00.000Z", role: "note", type: "note", id: `H-${i}` };
}
