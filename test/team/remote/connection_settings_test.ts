// Where a connection goes and as whom: the URL first, then the environment, the password file; and
// TLS for everything that is not this machine.

import assert from "node:assert/strict";
import { CtxError } from "../../../src/core/errors.ts";
import {
  type ConnectionSettings,
  readSettings,
} from "../../../src/team/remote/connection_settings.ts";

async function read(
  url: string,
  variables: Record<string, string> = {},
): Promise<ConnectionSettings> {
  return await readSettings(url, (name) => variables[name]);
}

/** A home with files in it, of which only the user may read those that are told so. */
async function madeHome(
  files: Record<string, string>,
  mode = 0o600,
): Promise<{ home: string } & AsyncDisposable> {
  const home = await Deno.makeTempDir({ prefix: "ctx-home-" });
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${home}/${name}`, text, { mode });
    await Deno.chmod(`${home}/${name}`, mode);
  }
  return { home, [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }) };
}

Deno.test("a URL says everything, its escapes are undone", async () => {
  const settings = await read(
    "postgresql://a%40b:p%3Aw%2F@db.example:6543/team%20one?connect_timeout=3",
  );
  assert.deepEqual(settings, {
    host: "db.example",
    port: 6543,
    user: "a@b",
    password: "p:w/",
    database: "team one",
    tls: { host: "db.example" },
    timeoutSeconds: 3,
    silenceSeconds: 120,
    warnings: [],
    url: "postgresql://a%40b:p%3Aw%2F@db.example:6543/team%20one?connect_timeout=3",
  });
  assert.equal((await read("postgres://u@[::1]:99/d")).host, "::1");
  assert.equal((await read("postgres://u@%2Fvar%2Frun/d")).host, "/var/run");
  assert.equal((await read("postgres://u:p:w@h/d")).password, "p:w");
  assert.equal((await read("postgres://u@/d?host=/run/pg&port=1")).host, "/run/pg");
  // The invitation that follows a # is none of the server's.
  assert.equal((await read("postgres://u@h/d#ctx=abc")).database, "d");
});

Deno.test("what the URL leaves open comes from the environment", async () => {
  const env = {
    PGHOST: "env.example",
    PGUSER: "env",
    PGPORT: "7000",
    PGDATABASE: "envdb",
    PGPASSWORD: "envpw",
  };
  const settings = await read("postgres://", env);
  assert.deepEqual(
    [settings.host, settings.user, settings.port, settings.database, settings.password],
    ["env.example", "env", 7000, "envdb", "envpw"],
  );
  assert.equal((await read("postgres://url@h.example", env)).user, "url");
  assert.equal((await read("postgres://url@h.example", env)).host, "h.example");
});

Deno.test("a service of pg_service.conf is refused in the URL, and said to be ignored else", async () => {
  await assert.rejects(read("postgres://u@h?service=team"), /unknown setting "service"/);
  const { warnings } = await read("postgres://u@h.example/d", { PGSERVICE: "team" });
  assert.deepEqual(warnings, ["PGSERVICE is ignored: put the host, user and database in the URL"]);
});

Deno.test("the password file gives the first line that fits, with its escapes", async () => {
  await using made = await madeHome({
    ".pgpass": [
      "# comment:*:*:*:no",
      "db.example:5432:team:ada:right\\:one\\\\",
      "localhost:*:*:ada:socket",
      "*:*:*:ada:any",
    ].join("\n"),
  });
  const env = { HOME: made.home };
  assert.equal((await read("postgres://ada@db.example/team", env)).password, "right:one\\");
  assert.equal((await read("postgres://ada@db.example/other", env)).password, "any");
  assert.equal((await read("postgres://ada@/x?host=/tmp", env)).password, "socket");
  assert.equal((await read("postgres://ada@/x?host=/srv/pg", env)).password, "any");
  assert.equal((await read("postgres://bob@db.example/team", env)).password, undefined);
  assert.equal((await read("postgres://ada:own@db.example/team", env)).password, "own");
  const elsewhere = { ...env, PGPASSFILE: `${made.home}/none` };
  assert.equal((await read("postgres://ada@db.example/team", elsewhere)).password, undefined);
});

Deno.test({
  name: "a password file that others may read is passed over, and that is told",
  ignore: Deno.build.os === "windows",
  async fn() {
    for (const mode of [0o640, 0o604, 0o620]) {
      await using made = await madeHome({ ".pgpass": "*:*:*:*:secret" }, mode);
      const settings = await read("postgres://ada@db.example/team", { HOME: made.home });
      assert.equal(settings.password, undefined);
      assert.match(settings.warnings.join(), /others can read it/);
    }
  },
});

Deno.test("every host but this machine is verified in full, whatever is asked for less", async () => {
  const url = "postgres://u@db.example/d";
  const modes = ["allow", "prefer", "require", "verify-ca", "verify-full"];
  for (const mode of modes) {
    assert.deepEqual((await read(`${url}?sslmode=${mode}`)).tls, { host: "db.example" });
  }
  assert.deepEqual((await read(url, { PGSSLMODE: "disable" })).tls, { host: "db.example" });
  for (const name of ["localhost.example", "127.0.0.1.example", "10.0.0.1", "[fe80::1]", "[::]"]) {
    assert.notEqual((await read(`postgres://u@${name}/d`)).tls, undefined, name);
  }
  const disabled = await read(`${url}?sslmode=disable`);
  assert.equal(disabled.tls, undefined);
  assert.match(disabled.warnings.join(), /db\.example is not encrypted/);
});

Deno.test("this machine goes without TLS, unless it is asked for", async () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]", "%2Ftmp"]) {
    const settings = await read(`postgres://u@${host}/d`);
    assert.equal(settings.tls, undefined, host);
    assert.deepEqual(settings.warnings, []);
  }
  const asked = await read("postgres://u@localhost/d?sslmode=require");
  assert.deepEqual(asked.tls, { host: "localhost" });
});

Deno.test("an authority is read from its file", async () => {
  await using made = await madeHome({ "root.pem": "PEM" });
  const url = `postgres://u@h.example/d?sslrootcert=${made.home}/root.pem`;
  assert.deepEqual((await read(url)).tls, { host: "h.example", authorities: "PEM" });
  assert.deepEqual((await read("postgres://u@h.example/d?sslrootcert=system")).tls, {
    host: "h.example",
  });
  await assert.rejects(read("postgres://u@h.example/d?sslrootcert=/none.pem"), /\/none\.pem/);
});

Deno.test("what cannot be right is refused, without telling the password", async () => {
  const wrong: [string, RegExp][] = [
    ["mysql://u:secret@h/d", /not a PostgreSQL URL/],
    ["postgres://u:secret@h:0/d", /port/],
    ["postgres://u:secret@h:port/d", /port/],
    ["postgres://u:secret%zz@h/d", /not correctly encoded/],
    ["postgres://u:secret@h/d?sslmode=maybe", /sslmode "maybe"/],
    ["postgres://u:secret@h/d?channel_binding=require", /channel_binding/],
    ["postgres://u:secret@a,b/d", /more than one host/],
    ["postgres://h/d", /no user/],
  ];
  for (const [url, message] of wrong) {
    await assert.rejects(read(url), (error: unknown) => {
      assert.ok(error instanceof CtxError && error.code === "CONFIG_INVALID", url);
      assert.match(error.message, message);
      assert.doesNotMatch(`${error.message} ${error.hint}`, /secret/);
      return true;
    });
  }
});
