// Version 1 of the schema: the functions that members call. Each asks first who calls (session_user)
// and answers the same for a space that does not exist and for one of others.
// Their own error codes are in ../remote_errors.ts.

/** The words that every function with more rights than its caller has. */
const definer = "security definer set search_path = pg_catalog, pg_temp";

/** What a member may call; admitting grants it, revoking takes it away. */
const memberFunctions = [
  "my_spaces()",
  "my_writers()",
  "state(text, uuid)",
  "join_space(text, uuid, bytea, text, bytea)",
  "leave_space(text, uuid)",
  "put_keys(text, text[], integer[], bytea[])",
  "tell_members(text, uuid)",
  "erase(text, uuid, bigint[], text[])",
  "confirm_erased(text, uuid, uuid[], bigint[])",
  "erasures(text)",
  "admit(text, text, name, bytea, bytea)",
  "revoke_member(text, text)",
];

const grant = memberFunctions.map((name) =>
  `execute format('grant execute on function ctx.${name} to %I', of_role);`
);
const revoke = memberFunctions.map((name) =>
  `execute format('revoke all on function ctx.${name} from %I', of_role);`
);

/** The functions; none of them can be called by PUBLIC. */
export const functions: string = `
create function ctx.require_member(of_space text) returns ctx.members
language plpgsql stable ${definer} as $$
declare me ctx.members;
begin
  select * into me from ctx.members m
  where m.space = of_space and m.role = session_user and m.revoked_at is null;
  if not found then
    raise exception 'no such space, or not a member of it' using errcode = 'XC001';
  end if;
  return me;
end $$;

create function ctx.require_owner(of_space text) returns void
language plpgsql stable ${definer} as $$
begin
  if not (ctx.require_member(of_space)).owner then
    raise exception 'only the owner of the space may do this' using errcode = 'XC002';
  end if;
end $$;

create function ctx.require_writer(of_space text, of_writer uuid) returns ctx.members
language plpgsql stable ${definer} as $$
declare me ctx.members := ctx.require_member(of_space);
begin
  if not exists (
    select from ctx.my_writers() own where own.space = of_space and own.writer = of_writer
  ) then
    raise exception 'not a writer of this member' using errcode = 'XC005';
  end if;
  return me;
end $$;

-- Rights are the catalogue's: two changes at once would trip over each other. A lock that no member
-- can take: with an advisory one, whoever is to be revoked could hold everybody up.
create function ctx.grant_member(of_role name) returns void
language plpgsql ${definer} as $$
begin
  lock table ctx.meta in share row exclusive mode;
  execute format('grant usage on schema ctx to %I', of_role);
  execute format('grant select, insert on ctx.log to %I', of_role);
  ${grant.join("\n  ")}
end $$;

-- Gives the role when it is in no space any more, and has lost its rights.
create function ctx.ungrant_member(of_role name) returns text
language plpgsql ${definer} as $$
begin
  lock table ctx.meta in share row exclusive mode;
  if exists (select from ctx.members where role = of_role and revoked_at is null) then
    return null;
  end if;
  if not exists (select from pg_roles where rolname = of_role) then return of_role; end if;
  ${revoke.join("\n  ")}
  execute format('revoke all on ctx.log from %I', of_role);
  execute format('revoke all on schema ctx from %I', of_role);
  return of_role;
end $$;

create function ctx.new_channel() returns text
language sql volatile ${definer}
as $$ select 'ctx_' || replace(gen_random_uuid()::text, '-', '') $$;

create function ctx.create_space(of_space text, owner_name text, of_root_key bytea, is_encrypted boolean)
returns void
language plpgsql ${definer} as $$
begin
  insert into ctx.spaces (space, owner_role, root_key, encrypted, channel)
  values (of_space, session_user, of_root_key, is_encrypted, ctx.new_channel());
  insert into ctx.members (space, name, role, owner) values (of_space, owner_name, session_user, true);
  perform ctx.grant_member(session_user);
exception when unique_violation then
  raise exception 'the name of the space is taken' using errcode = 'XC003';
end $$;

-- All that a sync needs to know, in one answer; a writer's invitation only where it is not that of its
-- member today. This signature, and "version" in the answer, stay for
-- good: a client that is too old learns it here.
create function ctx.state(of_space text, of_writer uuid) returns json
language plpgsql stable ${definer} as $$
declare
  me ctx.members := ctx.require_member(of_space);
begin
  return (
    select json_build_object(
      'version', (select max(version) from ctx.meta),
      'space', s.space,
      'encrypted', s.encrypted,
      'root_key', ctx.b64(s.root_key),
      'channel', s.channel,
      'me', me.name,
      'owner', (select m.name from ctx.members m where m.space = of_space and m.owner),
      'members', (
        select json_agg(json_build_object(
          'name', m.name,
          'owner', m.owner,
          'invite_key', ctx.b64(m.invite_key),
          'invite_cert', ctx.b64(m.invite_cert),
          'invited_at', ctx.iso(m.invited_at),
          'revoked_at', ctx.iso(m.revoked_at)
        ) order by m.name)
        from ctx.members m where m.space = of_space
      ),
      'writers', (
        select coalesce(json_agg(json_build_object(
          'writer', w.writer,
          'name', w.name,
          'sign_key', ctx.b64(w.sign_key),
          'age_recipient', w.age_recipient,
          'invite_key', nullif(ctx.b64(w.invite_key), ctx.b64(m.invite_key)),
          'invite_cert', nullif(ctx.b64(w.invite_cert), ctx.b64(m.invite_cert)),
          'cert', ctx.b64(w.cert),
          'joined_at', ctx.iso(w.joined_at),
          'left_at', ctx.iso(w.left_at),
          'seq', coalesce(
            (select max(l.seq) from ctx.log l where l.space = of_space and l.writer = w.writer), 0)
        ) order by w.writer), '[]')
        from ctx.writers w join ctx.members m on m.space = w.space and m.name = w.name
        where w.space = of_space
      ),
      'keys', (
        select coalesce(json_agg(json_build_object(
          'holder', k.holder, 'epoch', k.epoch, 'wrapped', ctx.b64(k.wrapped)
        ) order by k.epoch), '[]')
        from ctx.keys k
        where k.space = of_space and k.holder in ('invite:' || me.name, of_writer::text)
      ),
      'erasures', (
        select coalesce(json_agg(json_build_object(
          'eraser', e.eraser, 'seq', e.seq
        ) order by e.ts, e.eraser, e.seq), '[]')
        from ctx.erasures e join ctx.writers w on w.space = e.space and w.writer = of_writer
        where e.space = of_space and e.ts >= w.joined_at and not exists (
          select from ctx.receipts r
          where r.space = e.space and r.eraser = e.eraser and r.seq = e.seq and r.writer = of_writer
        )
      )
    )
    from ctx.spaces s where s.space = of_space
  );
end $$;

-- These two know no rows and are part of the statements that use them.
create function ctx.b64(bytes bytea) returns text language sql immutable
as $$ select translate(encode(bytes, 'base64'), E'\\n', '') $$;

create function ctx.iso(at timestamptz) returns text language sql immutable
as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- A name can be invited anew once its former holder was revoked, or as long as nobody has joined by it.
-- The role of an invitation that nobody came with gives way; it is given back as by a revocation.
create function ctx.admit(of_space text, new_name text, new_role name, new_key bytea, new_cert bytea)
returns text
language plpgsql ${definer} as $$
declare
  before name;
begin
  perform ctx.require_owner(of_space);
  select role into before from ctx.members
  where space = of_space and name = new_name and revoked_at is null;
  if not exists (select from pg_roles where rolname = new_role and rolcanlogin) then
    raise exception 'no such login role' using errcode = 'XC006';
  end if;
  insert into ctx.members as m (space, name, role, invite_key, invite_cert)
  values (of_space, new_name, new_role, new_key, new_cert)
  on conflict (space, name) do update
    set role = new_role, invite_key = new_key, invite_cert = new_cert,
        invited_at = now(), revoked_at = null
    where not m.owner and (m.revoked_at is not null or not exists (
      select from ctx.writers w where w.space = of_space and w.name = new_name
    ));
  if not found then
    raise exception 'the name is taken' using errcode = 'XC003';
  end if;
  perform ctx.grant_member(new_role);
  return ctx.ungrant_member(before);
exception when unique_violation then
  raise exception 'the role is another member' using errcode = 'XC003';
end $$;

create function ctx.join_space(
  of_space text, new_writer uuid, new_sign_key bytea, new_age_recipient text, new_cert bytea
) returns void
language plpgsql ${definer} as $$
declare
  me ctx.members := ctx.require_member(of_space);
begin
  insert into ctx.writers (
    space, writer, name, role, sign_key, age_recipient, invite_key, invite_cert, cert
  ) values (
    of_space, new_writer, me.name, session_user, new_sign_key, new_age_recipient,
    me.invite_key, me.invite_cert, new_cert
  ) on conflict do nothing;
  if not exists (
    select from ctx.writers w
    where w.space = of_space and w.writer = new_writer and w.name = me.name
      and w.role = session_user and w.sign_key = new_sign_key and w.left_at is null
  ) then
    raise exception 'the writer is another one' using errcode = 'XC003';
  end if;
end $$;

-- The owner's keys stay: nobody else could hand them out to an owner who comes back.
create function ctx.leave_space(of_space text, of_writer uuid) returns void
language plpgsql ${definer} as $$
declare
  me ctx.members := ctx.require_writer(of_space, of_writer);
begin
  update ctx.writers set left_at = now() where space = of_space and writer = of_writer;
  delete from ctx.keys where space = of_space and holder = of_writer::text and not me.owner;
end $$;

-- A new channel: who was revoked hears of no later push. What the member holds locked in a transaction
-- that stays open is passed over: without a membership it counts for nothing. Gives the role when it is in no space any more.
create function ctx.revoke_member(of_space text, of_name text) returns text
language plpgsql ${definer} as $$
declare
  gone name;
  old_channel text;
begin
  perform ctx.require_owner(of_space);
  update ctx.members set revoked_at = now()
  where space = of_space and name = of_name and revoked_at is null and not owner
  returning role into gone;
  if not found then
    raise exception 'no such member' using errcode = 'XC007';
  end if;
  delete from ctx.keys where (space, holder, epoch) in (
    select k.space, k.holder, k.epoch from ctx.keys k
    where k.space = of_space and (
      k.holder = 'invite:' || of_name
      or k.holder in (
        select w.writer::text from ctx.writers w where w.space = of_space and w.name = of_name
      )
    )
    for update skip locked
  );
  update ctx.writers set left_at = now() where (space, writer) in (
    select w.space, w.writer from ctx.writers w
    where w.space = of_space and w.name = of_name and w.left_at is null
    for update skip locked
  );
  select channel into old_channel from ctx.spaces where space = of_space;
  update ctx.spaces set channel = ctx.new_channel() where space = of_space;
  perform pg_notify(old_channel, '');
  return ctx.ungrant_member(gone);
end $$;

-- Members keep keys for their own writers, the owner for everybody.
create function ctx.put_keys(of_space text, holders text[], epochs integer[], wraps bytea[])
returns void
language plpgsql ${definer} as $$
declare
  me ctx.members := ctx.require_member(of_space);
begin
  if not me.owner and exists (
    select from unnest(holders) h(holder) where h.holder not in (
      select own.writer::text from ctx.my_writers() own where own.space = of_space
    )
  ) then
    raise exception 'not a writer of this member' using errcode = 'XC005';
  end if;
  insert into ctx.keys (space, holder, epoch, wrapped)
  select of_space, u.holder, u.epoch, u.wrapped
  from unnest(holders, epochs, wraps) u(holder, epoch, wrapped)
  on conflict (space, holder, epoch) do update set wrapped = excluded.wrapped;
end $$;

-- Takes the bodies away. seqs[n] is the row of by_writer that says so of ids[n], signed, for members
-- to check; only the author or the owner may.
create function ctx.erase(of_space text, by_writer uuid, seqs bigint[], of_ids text[]) returns void
language plpgsql ${definer} as $$
declare
  me ctx.members := ctx.require_writer(of_space, by_writer);
begin
  if not me.owner and exists (
    select from ctx.log l join ctx.writers w on w.space = l.space and w.writer = l.writer
    where l.space = of_space and l.id = any (of_ids) and w.name <> me.name
  ) then
    raise exception 'only its author or the owner may erase a row' using errcode = 'XC004';
  end if;
  if cardinality(seqs) <> cardinality(of_ids) or exists (
    select from unnest(seqs) s(seq) where not exists (
      select from ctx.log l
      where l.space = of_space and l.writer = by_writer and l.seq = s.seq
        and l.kind in ('erase', 'sealed')
    )
  ) then
    raise exception 'an erasure needs its signed row in the log' using errcode = 'XC004';
  end if;
  insert into ctx.erasures (space, eraser, seq, ids)
  select of_space, by_writer, u.seq, array_agg(u.id)
  from unnest(seqs, of_ids) u(seq, id)
  join ctx.log l on l.space = of_space and l.id = u.id
  group by u.seq
  on conflict do nothing;
  update ctx.log l set body = null
  where l.space = of_space and l.id = any (of_ids) and l.kind <> 'erase' and l.body is not null
    and not (l.writer = by_writer and l.seq = any (seqs));
end $$;

create function ctx.confirm_erased(of_space text, of_writer uuid, erasers uuid[], seqs bigint[])
returns void
language plpgsql ${definer} as $$
begin
  perform ctx.require_writer(of_space, of_writer);
  insert into ctx.receipts (space, eraser, seq, writer)
  select e.space, e.eraser, e.seq, of_writer
  from unnest(erasers, seqs) u(eraser, seq)
  join ctx.erasures e on e.space = of_space and e.eraser = u.eraser and e.seq = u.seq
  on conflict do nothing;
end $$;

-- Every erasure, with the writers that had joined by then and whether each has confirmed it.
create function ctx.erasures(of_space text) returns json
language plpgsql stable ${definer} as $$
begin
  perform ctx.require_member(of_space);
  return (
    select coalesce(json_agg(json_build_object(
      'eraser', e.eraser,
      'seq', e.seq,
      'ids', e.ids,
      'ts', ctx.iso(e.ts),
      'confirmed', (
        select coalesce(json_agg(r.writer order by r.writer), '[]') from ctx.receipts r
        where r.space = e.space and r.eraser = e.eraser and r.seq = e.seq
      ),
      'waiting', (
        select coalesce(json_agg(w.writer order by w.writer), '[]') from ctx.writers w
        where w.space = e.space and w.left_at is null and w.joined_at <= e.ts and not exists (
          select from ctx.receipts r
          where r.space = e.space and r.eraser = e.eraser and r.seq = e.seq and r.writer = w.writer
        )
      )
    ) order by e.ts, e.eraser, e.seq), '[]')
    from ctx.erasures e where e.space = of_space
  );
end $$;

-- Tells the members who listen that rows of this writer have come; the channel's name is known to
-- them alone. Called by a push: a trigger would have to keep all its rows a second time.
create function ctx.tell_members(of_space text, of_writer uuid) returns void
language plpgsql ${definer} as $$
begin
  perform ctx.require_writer(of_space, of_writer);
  perform pg_notify(s.channel, of_writer::text) from ctx.spaces s where s.space = of_space;
end $$;
`;
