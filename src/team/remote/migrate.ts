// Makes the schema, or brings it to this version: under a lock and in one transaction, so that two at
// once and a broken connection leave it whole. Needs an owner's rights.

import * as z from "zod/mini";
import { CtxError } from "../../core/errors.ts";
import type { RemoteConnection } from "./connect.ts";
import { tooNewError } from "./remote_errors.ts";
import { type Migration, migrations } from "../schema/migrations.ts";
import { count, readAnswer } from "./server_answer.ts";

export interface MigrateResult {
  /** The version before; 0 when there was no schema. */
  from: number;
  /** The version now. */
  to: number;
}

/** Applies what is missing. The steps are a parameter for tests. */
export async function migrate(
  connection: RemoteConnection,
  steps: readonly Migration[] = migrations,
): Promise<MigrateResult> {
  const to = steps[steps.length - 1].version;
  await connection.run("begin isolation level read committed");
  try {
    let from = await findVersion(connection);
    // Any login can hold such a lock: it is asked for only where there is something to do.
    if (from < to) {
      await connection.run("select pg_advisory_xact_lock(hashtext('ctx.migrate'))");
      from = await findVersion(connection);
    }
    if (from > to) throw tooNewError(from, to);
    for (const { version, sql } of steps) {
      if (version <= from) continue;
      await connection.run(sql);
      await connection.run(
        `insert into ctx.meta (version) values (${version});
         revoke all on all tables in schema ctx from public;
         revoke all on all functions in schema ctx from public`,
      );
    }
    await connection.run("commit");
    return { from, to };
  } catch (error) {
    if (connection.isOpen) await connection.run("rollback");
    throw error;
  }
}

/** What the database has under the name of ctx; without a schema, nobody owns it. */
const foundSchema = z.object({
  me: z.string(),
  database: z.string(),
  may_create: z.boolean(),
  is_there: z.boolean(),
  is_ours: z.boolean(),
  is_owner: z.nullable(z.boolean()),
  owner: z.nullable(z.string()),
});

/** The version of the schema, after which we act as its owner; 0 when we may make it. */
async function findVersion(connection: RemoteConnection): Promise<number> {
  const answer = await connection.run(
    `select current_user::text as me, current_database() as database,
       has_database_privilege(current_database(), 'create') as may_create,
       n.oid is not null as is_there,
       exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'meta') as is_ours,
       pg_has_role(n.nspowner, 'usage') as is_owner, quote_ident(pg_get_userbyid(n.nspowner)) as owner
     from (select) one left join pg_namespace n on n.nspname = 'ctx'`,
  );
  const [found] = readAnswer(z.tuple([foundSchema]), answer);
  if (!found.is_there) {
    if (found.may_create) return 0;
    throw new CtxError(
      "REMOTE_DENIED",
      `Cannot create the schema "ctx": ${found.me} may not create schemas in database "${found.database}"`,
      { hint: "run ctx team init with the URL of the database's owner" },
    );
  }
  if (!found.is_owner) {
    throw new CtxError(
      "REMOTE_DENIED",
      `Cannot change the schema "ctx" of database "${found.database}": ${found.me} does not own it`,
      { hint: "run ctx team init with the URL of the schema's owner" },
    );
  }
  if (!found.is_ours) {
    throw new CtxError(
      "REMOTE_DENIED",
      `Cannot create the schema "ctx": database "${found.database}" has a schema of that name that ctx did not create`,
      { hint: "use another database, or rename that schema" },
    );
  }
  await connection.run(`set local role ${found.owner}`);
  const versions = await connection.run("select max(version) as version from ctx.meta");
  return readAnswer(z.tuple([z.object({ version: count })]), versions)[0].version;
}
