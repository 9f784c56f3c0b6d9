// A team over each of the two transports, for what both must do alike.

import { parseFile } from "../../../src/team/files/writer_file.ts";
import { listTree } from "../stores/tree.ts";
import { hasNoPostgres } from "./postgres.ts";
import { madeFilesTeam, madeTeam, type Teammate } from "./teammates.ts";

/** A row as it lies between the stores. */
export interface LyingRow {
  writer: string;
  seq: number;
  id: string;
  kind: string;
  body: Uint8Array | null;
  sig: Uint8Array;
}

/** A team, wherever its rows lie. */
export interface AnyTeam extends AsyncDisposable {
  mates: Teammate[];
  /** All rows, by writer and seq. */
  rows(): Promise<LyingRow[]>;
}

/** A way to carry rows. */
export interface Transport {
  name: string;
  ignore: boolean;
  team(names: readonly string[], options?: { encrypt?: boolean }): Promise<AnyTeam>;
}

/** PostgreSQL and files. */
export const transports: readonly Transport[] = [
  {
    name: "PostgreSQL",
    ignore: hasNoPostgres(),
    async team(names, options) {
      const { mates, cluster, database, ...team } = await madeTeam(names, options);
      return {
        mates,
        async rows() {
          const found = await cluster.run(
            database,
            `select writer::text, seq::int, id, kind, encode(body, 'hex') as body,
               encode(sig, 'hex') as sig from ctx.log order by writer, seq`,
          );
          return found.map(({ writer, seq, id, kind, body, sig }) => ({
            ...{ writer: String(writer), seq: Number(seq), id: String(id), kind: String(kind) },
            body: body === null ? null : Uint8Array.fromHex(String(body)),
            sig: Uint8Array.fromHex(String(sig)),
          }));
        },
        [Symbol.asyncDispose]: team[Symbol.asyncDispose],
      };
    },
  },
  {
    name: "files",
    ignore: false,
    async team(names, options) {
      const { mates, folder, ...team } = await madeFilesTeam(names, options);
      return {
        mates,
        async rows() {
          await Promise.resolve();
          return listTree(folder).filter((path) => path.endsWith(".ndjson")).flatMap((path) => {
            const file = parseFile(Deno.readFileSync(path));
            return typeof file === "object" ? file.rows : [];
          });
        },
        [Symbol.asyncDispose]: team[Symbol.asyncDispose],
      };
    },
  },
];
