// TLS to a real server, with certificates made for the test: only one that is valid, for that host and
// by an authority that is known is spoken to. Nothing is sent to any other, no password either.

import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import { RemoteConnection } from "../../../src/team/remote/connect.ts";
import { readSettings } from "../../../src/team/remote/connection_settings.ts";
import { isMissing } from "../../support/processes/find_program.ts";
import {
  hasNoPostgres,
  type PostgresCluster,
  serverUser,
  sharedCluster,
  startCluster,
} from "../../support/servers/postgres.ts";
import { runProcess } from "../../support/processes/run_ctx.ts";

const ignore = hasNoPostgres() || isMissing("openssl");

/** Makes authorities and certificates in a directory. */
class Certificates {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  async authority(name: string): Promise<void> {
    await this.#openssl([
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`],
      ...["-keyout", `${name}.key`, "-out", `${name}.pem`],
      ...["-addext", "basicConstraints=critical,CA:TRUE"],
    ]);
  }

  /** A certificate of the server, by an authority, for a host; its days can be over. */
  async server(authority: string, host: string, days: number): Promise<void> {
    await Deno.writeTextFile(`${this.directory}/ext`, `subjectAltName=DNS:${host}\n`);
    await this.#openssl([
      ...["req", "-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${host}`],
      ...["-keyout", "server.key", "-out", "server.csr"],
    ]);
    await this.#openssl([
      ...["x509", "-req", "-in", "server.csr", "-CA", `${authority}.pem`],
      ...["-CAkey", `${authority}.key`, "-CAcreateserial", "-days", String(days)],
      ...["-extfile", "ext", "-out", "server.pem"],
    ]);
    const user = serverUser();
    await Deno.chmod(`${this.directory}/server.key`, 0o600);
    if (user !== undefined) await Deno.chown(`${this.directory}/server.key`, user.uid, user.gid);
  }

  async #openssl(args: string[]): Promise<void> {
    const { code, stderr } = await runProcess(["openssl", ...args], { cwd: this.directory });
    assert.equal(code, 0, stderr);
  }
}

async function open(cluster: PostgresCluster, query: string): Promise<RemoteConnection> {
  const url = `postgres://postgres:of%20the%20test@localhost:${cluster.port}/postgres?${query}`;
  const settings = await readSettings(url, () => undefined);
  return await RemoteConnection.open({ ...settings, timeoutSeconds: 10 });
}

Deno.test({
  name:
    "only a certificate that holds is spoken to: not an expired one, of another host or authority",
  ignore,
  async fn() {
    const directory = await Deno.makeTempDir({ dir: "/tmp", prefix: "ctx-tls-" });
    await Deno.chmod(directory, 0o755);
    const made = new Certificates(directory);
    await made.authority("ours");
    await made.authority("theirs");
    await made.server("ours", "localhost", 2);
    const cluster = await startCluster({
      tls: { cert: `${directory}/server.pem`, key: `${directory}/server.key` },
    });
    try {
      const query = `sslmode=verify-full&sslrootcert=${directory}/ours.pem`;
      const connection = await open(cluster, query);
      const [{ ssl }] = await connection.run(
        "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
      );
      assert.equal(ssl, true);
      await connection.close();

      const refused = async (words: string, message: RegExp): Promise<void> => {
        const before = cluster.log().length;
        await assert.rejects(open(cluster, words), (error: unknown) => {
          assert.ok(error instanceof CtxError && error.code === "REMOTE_UNTRUSTED", `${error}`);
          assert.match(error.message, message);
          assert.match(error.hint ?? "", /sslrootcert/);
          return true;
        });
        assert.doesNotMatch(cluster.log().slice(before), /authentication|authorized/);
      };
      await refused(`sslmode=verify-full&sslrootcert=${directory}/theirs.pem`, /authority/);
      await refused("sslmode=require", /authority/);
      const change = async (host: string, days: number): Promise<void> => {
        await made.server("ours", host, days);
        await cluster.run("postgres", "select pg_reload_conf()");
        // The server takes the new one up a moment later.
        while (!(await shownBy(cluster)).includes(await fingerprint(directory))) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      await change("localhost", -1);
      await refused(query, /expired/);
      await change("db.example", 2);
      await refused(query, /for another host/);
      await change("localhost", 2);
      await (await open(cluster, query)).close();
    } finally {
      await cluster[Symbol.asyncDispose]();
      await Deno.remove(directory, { recursive: true });
    }
  },
});

Deno.test({
  name: "a server without TLS is not spoken to in plain words where TLS was asked for",
  ignore,
  async fn() {
    const cluster = await sharedCluster();
    // A way to the socket that answers on loopback, as a server without TLS would.
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const seen: Uint8Array[] = [];
    const way = (async () => {
      using client = await listener.accept();
      using server = await Deno.connect({
        transport: "unix",
        path: `${cluster.directory}/.s.PGSQL.${cluster.port}`,
      });
      const back = server.readable.pipeTo(client.writable).catch(() => {});
      for await (const chunk of client.readable) {
        seen.push(chunk);
        const writer = server.writable.getWriter();
        await writer.write(chunk).catch(() => {});
        writer.releaseLock();
      }
      await server.writable.close().catch(() => {});
      await back;
    })().catch(() => {});
    await assert.rejects(open({ ...cluster, port }, "sslmode=require"), (error: unknown) => {
      assert.ok(error instanceof CtxError && error.code.startsWith("REMOTE_UN"), `${error}`);
      return true;
    });
    await way;
    const sent = seen.map((chunk) => new TextDecoder().decode(chunk)).join("");
    assert.doesNotMatch(sent, /postgres|of the test/);
  },
});

/** The certificate that a server shows, as PEM. */
async function shownBy(cluster: PostgresCluster): Promise<string> {
  const { stdout } = await runProcess([
    ...["openssl", "s_client", "-starttls", "postgres", "-connect", `127.0.0.1:${cluster.port}`],
  ], { cwd: cluster.directory });
  return stdout;
}

async function fingerprint(directory: string): Promise<string> {
  const pem = await Deno.readTextFile(`${directory}/server.pem`);
  return pem.split("\n")[2];
}
