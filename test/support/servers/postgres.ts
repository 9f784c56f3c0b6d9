// PostgreSQL servers for tests: a cluster in a temporary directory, on a socket, as an unprivileged
// user. `test/main.ts` starts one for the whole suite; a file that runs alone begins its own. Every test
// has databases of its own, and a test that stops its server has a cluster of its own.

import { RemoteConnection } from "../../../src/team/remote/connect.ts";
import {
  type ConnectionSettings,
  readSettings,
} from "../../../src/team/remote/connection_settings.ts";
import { findProgram } from "../processes/find_program.ts";

/** The password of the superuser `postgres`. */
const password = "of the test";

/** A running cluster. */
export interface PostgresCluster {
  /** The directory of its socket and data. */
  directory: string;
  /** The port of its socket, and of loopback when it was asked for. */
  port: number;
  /** Makes a database; gives its name. */
  createDatabase(): Promise<string>;
  /** The URL of a login; of the superuser when none is named. */
  url(database: string, user?: string, password?: string): string;
  /** Its settings, as `ctx` would read them. */
  settings(database: string, user?: string, password?: string): Promise<ConnectionSettings>;
  /** Runs SQL as the superuser; gives the rows of the last statement. */
  run(database: string, sql: string): Promise<Record<string, unknown>[]>;
  /** What the server has logged. */
  log(): string;
}

/** A cluster that belongs to whoever started it. */
export interface OwnCluster extends PostgresCluster {
  /** Ends it as a crash does: no connection is ended in order. */
  crash(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  /** Stops it and removes it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a cluster differs from the usual. */
export interface ClusterOptions {
  /** Settings of postgresql.conf. */
  settings?: Record<string, string>;
  /** TLS on loopback, with these files. */
  tls?: { cert: string; key: string };
  /** The most that the server's processes may write to one file, in blocks of 1 kB (`ulimit -f`). */
  fileLimit?: number;
}

/** Where the server's programs are; undefined when it is not installed. */
export function findPostgres(): string | undefined {
  const onPath = findProgram("initdb");
  // A link to it may stand alone: the other programs are beside the file itself.
  if (onPath !== undefined) return Deno.realPathSync(onPath).replace(/\/[^/]*$/, "");
  const root = "/usr/lib/postgresql";
  try {
    const versions = [...Deno.readDirSync(root)].map(({ name }) => Number(name)).filter((n) =>
      n > 0
    );
    for (const version of versions.sort((a, b) => b - a)) {
      const directory = `${root}/${version}/bin`;
      if (isFile(`${directory}/initdb`)) return directory;
    }
  } catch {
    return undefined;
  }
  return undefined;
}

/** Tells a test to skip, with a message, when PostgreSQL is not installed. */
export function hasNoPostgres(): boolean {
  if (Deno.build.os !== "windows" && findPostgres() !== undefined) return false;
  Deno.stderr.writeSync(new TextEncoder().encode("skipped: PostgreSQL is not installed\n"));
  return true;
}

/** Names the directory of the cluster that serves the whole suite. */
export const clusterVariable = "CTX_TEST_CLUSTER";

let started: Promise<OwnCluster> | undefined;

/** The cluster of the suite, or of this test file where it runs alone. */
export async function sharedCluster(): Promise<PostgresCluster> {
  const directory = Deno.env.get(clusterVariable);
  if (directory !== undefined) return clusterAt(directory, 5432);
  return await (started ??= startCluster());
}

Deno.test.afterAll(async () => {
  const cluster = await started?.catch(() => undefined);
  started = undefined;
  await cluster?.[Symbol.asyncDispose]();
});

/** The server that listens in a directory. */
function clusterAt(directory: string, port: number): PostgresCluster {
  return {
    directory,
    port,
    async createDatabase() {
      const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
      await this.run("postgres", `create database ${name}`);
      return name;
    },
    url(database, user = "postgres", of = password) {
      return `postgres://${user}:${
        encodeURIComponent(of)
      }@/${database}?host=${directory}&port=${port}`;
    },
    async settings(database, user, of) {
      return await readSettings(this.url(database, user, of), () => undefined);
    },
    async run(database, sql) {
      const connection = await RemoteConnection.open(await this.settings(database));
      try {
        return await connection.run(sql);
      } finally {
        await connection.close();
      }
    },
    log() {
      return Deno.readTextFileSync(`${directory}/server.log`);
    },
  };
}

/** Starts a cluster; it is stopped and removed when it is disposed of. */
export async function startCluster(options: ClusterOptions = {}): Promise<OwnCluster> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error("PostgreSQL is not installed");
  // A socket's path has little room, and the directory must be open to the server's user.
  const directory = await Deno.makeTempDir({ dir: "/tmp", prefix: "ctx-pg-" });
  const data = `${directory}/data`;
  const port = options.tls === undefined ? 5432 : freePort();
  const passwordFile = `${directory}/password`;
  await Deno.writeTextFile(passwordFile, password);
  const user = serverUser();
  if (user !== undefined) {
    await Deno.chown(directory, user.uid, user.gid);
    await Deno.chown(passwordFile, user.uid, user.gid);
  }
  let isRunning = false;

  const cluster: OwnCluster = {
    ...clusterAt(directory, port),
    async crash() {
      if (!isRunning) return;
      isRunning = false;
      await run(bin, "pg_ctl", ["stop", "-D", data, "-m", "immediate", "-w"], user);
    },
    async start() {
      if (isRunning) return;
      const words = [`-k ${directory} -p ${port}`];
      words.push(`-c listen_addresses=${options.tls === undefined ? "''" : "127.0.0.1"}`);
      if (options.tls !== undefined) {
        words.push(
          `-c ssl=on -c ssl_cert_file=${options.tls.cert} -c ssl_key_file=${options.tls.key}`,
        );
      }
      const settings = {
        fsync: "off",
        full_page_writes: "off",
        shared_buffers: "32MB",
        ...options.settings,
      };
      for (const [name, value] of Object.entries(settings)) words.push(`-c ${name}=${value}`);
      await run(
        bin,
        "pg_ctl",
        [
          "start",
          ...[
            "-D",
            data,
            "-w",
            "-t",
            "120",
            "-l",
            `${directory}/server.log`,
            "-o",
            words.join(" "),
          ],
        ],
        user,
        options.fileLimit,
      );
      isRunning = true;
    },
    async [Symbol.asyncDispose]() {
      await this.crash();
      await Deno.remove(directory, { recursive: true });
    },
  };
  try {
    await guard(bin, directory, user);
    await run(bin, "initdb", [
      ...["-D", data, "-U", "postgres", "--pwfile", passwordFile, "-A", "scram-sha-256"],
      ...["-E", "UTF8", "--no-locale", "--no-sync"],
    ], user);
    await cluster.start();
    return cluster;
  } catch (error) {
    await cluster[Symbol.asyncDispose]().catch(() => {});
    throw error;
  }
}

/** Stops the server of a test that was killed: it goes on by itself, and would for ever. */
async function guard(
  bin: string,
  directory: string,
  user: { uid: number; gid: number } | undefined,
): Promise<void> {
  if (Deno.build.os !== "linux") return;
  const script = `(while [ -d /proc/$1 ] && [ -d "$2" ]; do sleep 2; done
    [ -d "$2" ] && { "$0" stop -D "$2/data" -m immediate; rm -rf "$2"; }) >/dev/null 2>&1 </dev/null &`;
  await new Deno.Command("/bin/bash", {
    args: ["-c", script, `${bin}/pg_ctl`, String(Deno.pid), directory],
    cwd: "/",
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin" },
    ...user,
  }).output();
}

/** The server refuses to run as root. */
export function serverUser(): { uid: number; gid: number } | undefined {
  return Deno.uid() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
}

async function run(
  bin: string,
  program: string,
  args: string[],
  user: { uid: number; gid: number } | undefined,
  fileLimit?: number,
): Promise<void> {
  const limit = fileLimit === undefined ? "" : `ulimit -f ${fileLimit}; trap '' XFSZ; `;
  // What it starts goes on; only the program itself is waited for, so it gets no pipe of ours.
  const output = await new Deno.Command("/bin/bash", {
    args: ["-c", `${limit}exec "$0" "$@" >/dev/null 2>&1 </dev/null`, `${bin}/${program}`, ...args],
    cwd: "/",
    clearEnv: true,
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" },
    ...user,
  }).output();
  if (!output.success) throw new Error(`${program} failed: ${args.join(" ")}`);
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
