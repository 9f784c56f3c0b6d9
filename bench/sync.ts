// `bench sync [--rows N,N]`: a space on a real PostgreSQL server of its own. Push and pull of 100,000
// rows against plain COPY of the same bytes by psql, into a table with the same indexes; then what it
// costs as the space grows. Nothing where PostgreSQL is not installed.

import { PostgresSpace } from "../src/team/remote/postgres_space.ts";
import { wireColumns } from "../src/team/remote/wire_page.ts";
import type { WireRow } from "../src/team/trust/wire_row.ts";
import { admitMember, madeSpace } from "../test/support/servers/made_space.ts";
import {
  findPostgres,
  type PostgresCluster,
  startCluster,
} from "../test/support/servers/postgres.ts";
import { seededRandom } from "./support/seeded_random.ts";
import { type BenchTable, medianOf, round } from "./support/table.ts";

const count = 100_000;
const batchRows = 5000;
const rounds = 5;
/** About the size of a row of history once it is on the wire. */
const bodyBytes = 400;

/** Measures; the server waits for its disk, as one in earnest does. */
export async function run(): Promise<BenchTable[]> {
  const bin = findPostgres();
  if (bin === undefined) return [];
  const sizes = (Deno.env.get("CTX_BENCH_ROWS") ?? "100000,1000000").split(",").map(Number);
  await using cluster = await startCluster({
    settings: { fsync: "on", full_page_writes: "on", shared_buffers: "256MB", max_wal_size: "2GB" },
  });
  return [await againstCopy(cluster, bin), await asItGrows(cluster, sizes)];
}

async function againstCopy(cluster: PostgresCluster, bin: string): Promise<BenchTable> {
  const times: Record<"copyIn" | "push" | "copyOut" | "pull", number[]> = {
    copyIn: [],
    push: [],
    copyOut: [],
    pull: [],
  };
  let idle = 0;
  for (let n = 0; n < rounds; n++) {
    await using made = await madeSpace(["ada", "bob"], { cluster });
    const [ada, bob] = made.members;
    const rows = madeRows(ada.writer, count);
    const file = `${cluster.directory}/rows-${n}`;
    await writeCopy(file, rows);
    const columns = wireColumns.join(", ");
    await cluster.run(
      made.database,
      `create table plain (like ctx.log including defaults);
       alter table plain alter space set default 'team', add primary key (space, writer, seq),
         add unique (space, id)`,
    );
    const psql = (words: string): Promise<number> => timePsql(cluster, bin, made.database, words);
    times.copyIn.push(await psql(`\\copy plain (${columns}) from '${file}' (format csv)`));
    times.push.push(await timeOf(() => pushAll(ada.space, rows)));
    times.copyOut.push(
      await psql(
        `\\copy (select ${columns} from plain order by space, writer, seq) to '${file}' (format csv)`,
      ),
    );
    times.pull.push(
      await timeOf(async () => {
        let got = 0;
        for await (const batch of bob.space.pull(new Map([[ada.writer, 0]]))) got += batch.length;
        if (got !== count) throw new Error(`${got} rows came`);
      }),
    );
    const before = bob.space.roundTrips;
    await bob.space.state(bob.writer);
    idle = bob.space.roundTrips - before;
    await Deno.remove(file);
  }
  // Others on the machine take turns with the server and with us: the best of each is held against
  // the best, the medians beside it.
  const line = (name: string, list: number[], plain: number[]): (string | number)[] => [
    name,
    Math.round(Math.min(...list)),
    Math.round(count / (Math.min(...list) / 1000)),
    round(Math.min(...plain) / Math.min(...list)),
    round(medianOf(plain) / medianOf(list)),
  ];
  return {
    title:
      `${count} rows with bodies of ${bodyBytes} bytes, the best of ${rounds}; a sync with nothing to do: ${idle} round trip`,
    head: ["way", "ms", "rows/s", "speed to plain COPY", "of the medians"],
    rows: [
      line("psql \\copy in, one transaction", times.copyIn, times.copyIn),
      line(`push, batches of ${batchRows}`, times.push, times.copyIn),
      line("psql \\copy out, to a file", times.copyOut, times.copyOut),
      line("pull, as rows", times.pull, times.copyOut),
    ],
  };
}

/** One space with 100 writers, filled on the server; then what a member's calls cost. */
async function asItGrows(cluster: PostgresCluster, sizes: readonly number[]): Promise<BenchTable> {
  await using made = await madeSpace([], { cluster });
  const { database, owner } = made;
  const writers: string[] = [];
  for (let n = 0; n < 99; n++) {
    const writer = crypto.randomUUID();
    writers.push(writer);
    const [signKey, cert] = [new Uint8Array(32), new Uint8Array(64)];
    await owner.space.join({ writer, signKey, cert });
  }
  const bob = await admitMember(owner.space, cluster, database, "team", "bob");
  const rows: (string | number)[][] = [];
  let filled = 0;
  let own = 0;
  for (const size of sizes) {
    const fillMs = await timeOf(() => fill(cluster, database, writers, filled, size));
    const added = size - filled;
    filled = size;
    await cluster.run(database, "vacuum analyze ctx.log");
    const [{ heap, indexes }] = await cluster.run(
      database,
      `select sum(pg_table_size(c.oid))::float8 as heap, sum(pg_indexes_size(c.oid))::float8 as indexes
       from pg_class c where c.relname ~ '^log_[0-9]+$'`,
    );
    const pushes: number[] = [];
    for (let n = 0; n < 5; n++) {
      const batch = madeRows(bob.writer, batchRows, own);
      own += batchRows;
      pushes.push(await timeOf(() => bob.space.push(batch)));
    }
    const states = await timesOf(20, () => bob.space.state(bob.writer));
    const last = size / writers.length;
    const cursors = new Map(writers.map((writer) => [writer, Math.floor(last) - 50]));
    const pulls = await timesOf(5, async () => {
      for await (const _ of bob.space.pull(cursors));
    });
    rows.push([
      size,
      Math.round(heap as number / size),
      Math.round(indexes as number / size),
      Math.round(added / (fillMs / 1000)),
      Math.round(batchRows / (medianOf(pushes) / 1000)),
      round(medianOf(states), 1),
      round(medianOf(pulls), 1),
    ]);
  }
  await bob.space.close();
  return {
    title: `A space of 100 writers as it grows`,
    head: [
      "rows",
      "bytes a row: table",
      "indexes",
      "filled on the server, rows/s",
      `push of ${batchRows}, rows/s`,
      "state, ms",
      "pull of the last 50 rows of each writer, ms",
    ],
    rows,
  };
}

/** Rows from the server itself, in turn by writer, as if pushed over months. */
async function fill(
  cluster: PostgresCluster,
  database: string,
  writers: readonly string[],
  from: number,
  to: number,
): Promise<void> {
  const list = writers.map((writer) => `'${writer}'`).join(",");
  for (let start = from; start < to; start += 250_000) {
    const end = Math.min(to, start + 250_000);
    await cluster.run(
      database,
      `insert into ctx.log
       select 'team', (array[${list}]::uuid[])[1 + n % ${writers.length}], 1 + n / ${writers.length},
         'H-' || lpad(to_hex(n), 16, '0'), 'entry', 'space', now() + n * interval '1 second',
         decode(repeat(md5(n::text), ${bodyBytes / 16}), 'hex'), sha256(n::text::bytea)
       from generate_series(${start}, ${end - 1}) n`,
    );
  }
}

/** Bodies that do not repeat: half of them words, as JSON would be. */
function madeRows(writer: string, length: number, after = 0): WireRow[] {
  const random = seededRandom(after + 1);
  return Array.from({ length }, (_, n) => {
    const body = new Uint8Array(bodyBytes);
    for (let at = 0; at < bodyBytes; at++) body[at] = 32 + Math.floor(random() * 90);
    const seq = after + n + 1;
    return {
      writer,
      seq,
      id: `H-${writer.slice(0, 4)}${seq.toString(36).padStart(14, "0")}`,
      kind: "entry",
      visibility: "space",
      ts: "2026-03-01T10:00:00.123Z",
      body,
      sig: new Uint8Array(n % batchRows === batchRows - 1 ? 96 : 32),
    };
  });
}

async function pushAll(space: PostgresSpace, rows: readonly WireRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += batchRows) {
    const { inserted } = await space.push(rows.slice(at, at + batchRows));
    if (inserted !== batchRows) throw new Error(`${inserted} rows went in`);
  }
}

async function writeCopy(path: string, rows: readonly WireRow[]): Promise<void> {
  const hex = (bytes: Uint8Array | null): string => `\\x${bytes?.toHex() ?? ""}`;
  const lines = rows.map(({ writer, seq, id, kind, visibility, ts, body, sig }) =>
    `${[writer, seq, id, kind, visibility, ts, hex(body), hex(sig)].join(",")}\n`
  );
  await Deno.writeTextFile(path, lines.join(""));
}

async function timePsql(
  cluster: PostgresCluster,
  bin: string,
  database: string,
  words: string,
): Promise<number> {
  return await timeOf(async () => {
    const { success, stderr } = await new Deno.Command(`${bin}/psql`, {
      args: ["-q", "-X", "-v", "ON_ERROR_STOP=1", cluster.url(database), "-c", words],
      stdin: "null",
    }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  });
}

async function timesOf(times: number, act: () => Promise<unknown>): Promise<number[]> {
  const list: number[] = [];
  for (let n = 0; n < times; n++) list.push(await timeOf(act));
  return list;
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}
