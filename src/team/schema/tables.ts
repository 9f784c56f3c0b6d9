// Version 1 of the schema: tables, who sees which rows, and nothing for anybody who was not admitted.
// Members have SELECT and INSERT on the log alone; all else they reach through functions.

import { maxBodyBytes } from "../trust/wire_row.ts";

/** How many parts the log has; a space lies in one of them. */
const partitions = 32;

// EXPLAIN tells what the planner knows of all spaces: nothing, and every statement goes by a key.
const unknown = ["space", "writer", "seq", "id", "kind", "visibility", "ts", "body", "sig"]
  .map((column) => `alter column ${column} set statistics 0`).join(", ");

const parts = Array.from(
  { length: partitions },
  (_, n) =>
    `create table ctx.log_${n} partition of ctx.log for values with (modulus ${partitions}, remainder ${n});
alter table ctx.log_${n} enable row level security, ${unknown};`,
).join("\n");

/**
 * The tables, and the policies of the log. Collation C: no index depends on the system's locale. What
 * members write is bounded: sizes, and numbers and times that every client can read.
 */
export const tables: string = `
create schema ctx;
revoke all on schema ctx from public;

create table ctx.meta (
  version integer primary key,
  migrated_at timestamptz not null default now()
);

create table ctx.spaces (
  space text collate "C" primary key check (space ~ '^[a-z0-9][a-z0-9._-]{0,62}$'),
  owner_role name not null,
  root_key bytea not null,
  encrypted boolean not null,
  channel text not null,
  created_at timestamptz not null default now()
);

create table ctx.members (
  space text collate "C" not null references ctx.spaces,
  name text collate "C" not null check (name ~ '^[[:alnum:]][[:alnum:]._@-]{0,62}$'),
  role name not null,
  owner boolean not null default false,
  invite_key bytea,
  invite_cert bytea,
  invited_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (space, name)
);
create unique index members_role on ctx.members (role, space) where revoked_at is null;

create table ctx.writers (
  space text collate "C" not null,
  writer uuid not null,
  name text collate "C" not null,
  role name not null,
  sign_key bytea not null check (length(sign_key) <= 64),
  age_recipient text check (length(age_recipient) <= 200),
  invite_key bytea,
  invite_cert bytea,
  cert bytea not null check (length(cert) <= 64),
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  primary key (space, writer),
  foreign key (space, name) references ctx.members
);
create index writers_role on ctx.writers (role, space) where left_at is null;

create table ctx.keys (
  space text collate "C" not null references ctx.spaces,
  holder text collate "C" not null,
  epoch integer not null,
  wrapped bytea not null check (length(wrapped) <= 4096),
  primary key (space, holder, epoch)
);

create table ctx.erasures (
  space text collate "C" not null references ctx.spaces,
  eraser uuid not null,
  seq bigint not null,
  ids text[] not null,
  ts timestamptz not null default now(),
  primary key (space, eraser, seq)
);

create table ctx.receipts (
  space text collate "C" not null,
  eraser uuid not null,
  seq bigint not null,
  writer uuid not null,
  ts timestamptz not null default now(),
  primary key (space, eraser, seq, writer),
  foreign key (space, eraser, seq) references ctx.erasures
);

create table ctx.log (
  space text collate "C" not null,
  writer uuid not null,
  seq bigint not null check (seq between 1 and ${Number.MAX_SAFE_INTEGER}),
  -- One that begins with ~ names its writer: those are the ids that others could foresee and take.
  id text collate "C" not null check (
    length(id) between 1 and 200
    and (left(id, 1) <> '~' or starts_with(id, '~' || writer::text || '~'))
  ),
  kind text collate "C" not null check (length(kind) between 1 and 40),
  visibility text collate "C" not null check (visibility = 'space'),
  ts timestamptz not null
    check (ts between '0001-01-01 00:00:00+00' and '9999-12-31 23:59:59.999+00'),
  body bytea check (length(body) <= ${maxBodyBytes}),
  sig bytea not null check (length(sig) in (32, 96)),
  primary key (space, writer, seq),
  unique (space, id)
) partition by hash (space);
${parts}

alter table ctx.meta enable row level security;
alter table ctx.spaces enable row level security;
alter table ctx.members enable row level security;
alter table ctx.writers enable row level security;
alter table ctx.keys enable row level security;
alter table ctx.erasures enable row level security;
alter table ctx.receipts enable row level security;
alter table ctx.log enable row level security;

-- Who asks is session_user: SET ROLE and functions that run as their owner do not change it.
create function ctx.my_spaces() returns setof text
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select m.space from ctx.members m where m.role = session_user and m.revoked_at is null $$;

create function ctx.my_writers() returns table (space text, writer uuid)
language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select w.space, w.writer
  from ctx.writers w join ctx.members m on m.space = w.space and m.name = w.name
  where w.role = session_user and w.left_at is null
    and m.role = session_user and m.revoked_at is null
$$;

-- Both questions are asked once per statement, not per row.
create policy read_own_spaces on ctx.log for select
  using (space = any (array(select ctx.my_spaces())));
create policy push_as_own_writer on ctx.log for insert
  with check (
    body is not null
    and (space, writer) in (select own.space, own.writer from ctx.my_writers() own)
  );
`;
