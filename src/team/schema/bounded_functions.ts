// Version 2 of the schema: bounds for a member who means ill. The functions are those of version 1 with
// what is replaced here; rights and signatures stay.

import { functions } from "./functions.ts";

/** The stores of a member that are in use, and all that it ever had. */
const [maxLive, maxEver] = [100, 1000];

/** The statements that bring version 1 to version 2. */
export const boundedFunctions: string = `
-- A store without rows that left, or whose member was revoked, tells nobody anything; but the newest of
-- a member who is not revoked tells that they had joined. Keys go to the caller's own writer only:
-- whoever names another's is given nothing.
${
  changed("state", [
    [
      "where w.space = of_space\n",
      `where w.space = of_space and (
          (w.left_at is null and m.revoked_at is null) or w.writer = of_writer or exists (
            select from ctx.log l where l.space = of_space and l.writer = w.writer
          ) or m.revoked_at is null and w.writer in (
            select distinct on (n.name) n.writer from ctx.writers n
            where n.space = of_space order by n.name, n.joined_at desc
          )
        )
`,
    ],
    [
      "k.holder in ('invite:' || me.name, of_writer::text)",
      `(
          k.holder = 'invite:' || me.name or k.holder = of_writer::text and exists (
            select from ctx.writers w
            where w.space = of_space and w.writer = of_writer and w.name = me.name
          )
        )`,
    ],
  ])
}

${
  changed("join_space", [[
    "begin\n",
    `begin
  if not exists (select from ctx.writers w where w.space = of_space and w.writer = new_writer) and (
    select count(*) filter (where left_at is null) >= ${maxLive} or count(*) >= ${maxEver}
    from ctx.writers w where w.space = of_space and w.name = me.name
  ) then
    raise exception 'the member has too many stores' using errcode = 'XC008';
  end if;
`,
  ]])
}

-- Open transactions of the revoked one hold rows: they end here, where the schema's owner may do that.
create function ctx.end_sessions(of_role name) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_terminate_backend(a.pid) from pg_stat_activity a
  where a.usename = of_role and a.pid <> pg_backend_pid();
exception when insufficient_privilege then
  null;
end $$;

${
  changed("revoke_member", [[
    "return ctx.ungrant_member(gone);",
    "gone := ctx.ungrant_member(gone);\n  if gone is not null then perform ctx.end_sessions(gone); end if;\n  return gone;",
  ]])
}

-- Who waits for a transaction that stays open is told so, instead of waiting for good.
alter function ctx.erase(text, uuid, bigint[], text[]) set lock_timeout = '10s';
alter function ctx.revoke_member(text, text) set lock_timeout = '10s';
`;

/** A function of version 1 with some of its text replaced. */
function changed(name: string, edits: [from: string, to: string][]): string {
  const start = functions.indexOf(`create function ctx.${name}(`);
  const text = functions.slice(start, functions.indexOf("\nend $$;", start) + "\nend $$;".length);
  return edits.reduce((sql, [from, to]) => {
    if (sql.split(from).length !== 2) throw new Error(`ctx.${name} has no single "${from}"`);
    return sql.replace(from, () => to);
  }, text.replace("create function", "create or replace function"));
}
