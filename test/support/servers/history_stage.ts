// What lies between the stores of a history, and what can go wrong there: a server of their own, which
// crashes and ends sessions, or a folder for each, between which files are carried at random.

import type { Refusal } from "../../../src/team/sync/pull_rows.ts";
import { startCluster } from "./postgres.ts";
import { madeTeam, type Teammate } from "./teammates.ts";

/** One of the eight, in one history. */
export interface Player {
  mate: Teammate;
  /** Where the store, the home and the folder of this history are. */
  directory: string;
  /** For how many steps the others cannot be reached. */
  cutOff: number;
}

/** What lies between the stores. */
export interface HistoryStage extends AsyncDisposable {
  /** Who is in the space, with empty stores. */
  mates: readonly Teammate[];
  keepsSessions: boolean;
  /** Takes back all that a history did. */
  reset(): Promise<void>;
  /** Begins a history with copies of the stores. */
  enter(
    players: readonly Player[],
    draw: (below: number) => number,
    tell: (what: string) => void,
  ): void;
  /** What comes to somebody before a sync. */
  deliver(player: Player): Promise<void>;
  /** Whether a row may be refused, since what came of its writer was not the writer's. */
  isForged(player: Player, row: Refusal): boolean;
  endSessions(): Promise<void>;
  crash(): Promise<void>;
  start(): Promise<void>;
  /** From here on everything comes as it was sent. */
  heal(): void;
  /** All that lies between the stores. */
  read(): Promise<{ where: string; text: string }[]>;
}

/** A server of their own: it crashes. */
export async function postgresStage(names: readonly string[]): Promise<HistoryStage> {
  const cluster = await startCluster();
  const { mates, database, ...team } = await madeTeam(names, { cluster });
  return {
    mates,
    keepsSessions: true,
    async reset() {
      await cluster.run(
        database,
        "delete from ctx.receipts; delete from ctx.erasures; delete from ctx.log",
      );
    },
    enter() {},
    async deliver() {},
    isForged: () => false,
    async endSessions() {
      await cluster.run(
        database,
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'ctx' and usename <> 'postgres' limit 2`,
      );
    },
    crash: () => cluster.crash(),
    start: () => cluster.start(),
    heal() {},
    async read() {
      const [{ text }] = await cluster.run(
        database,
        "select string_agg(encode(coalesce(body, ''), 'escape'), ' ') as text from ctx.log",
      );
      return [{ where: "the server", text: String(text) }];
    },
    async [Symbol.asyncDispose]() {
      await team[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}
