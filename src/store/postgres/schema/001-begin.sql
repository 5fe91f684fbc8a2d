-- serves programs that know schema 1
--
-- Names that clients choose are stored as JSON text: a name may contain NUL, which the type text cannot. They may be
-- too long for an index, so that the unique key contains their SHA-256 then.

-- One row per account. It gives positions, in the transaction of the write that takes them.
create table account (
  id text collate "C" not null,
  -- Random for each new account: it distinguishes an account that was removed and created again.
  epoch bigint not null,
  position bigint not null,
  -- Counts writes, including writes without a position. A write names the revision that it was staged on.
  revision bigint not null,
  -- The revision of the last write that removed a record.
  records_removed bigint not null default 0,
  -- The session of the last write.
  writer text not null,
  -- The end of the last open listing, Unix time in milliseconds. Until then writes store the versions that they
  -- replace.
  listed_until double precision not null default 0,
  -- The `raised` of the incarnation in which the positions of this account were last raised.
  raised bigint not null default 0,
  -- Positions that may have been used by lost writes: [from, to] pairs. No item has a position in them.
  gaps jsonb not null default '[]',
  primary key (id)
) partition by hash (id);

-- The incarnations of the database. Each promotion of a standby and each restore begins another one, which may lack
-- acknowledged writes. So positions are raised; each account follows at its next write.
create table incarnation (
  name text primary key,
  -- The sum of all position jumps up to this incarnation.
  raised bigint not null,
  -- When a process last noted that this incarnation is in use, Unix time in milliseconds.
  known_at double precision not null
);

-- Things, tombstones of deleted things, and settings of tags, each in its latest state: the JSON of its step in the
-- journal of a data folder (docs/reference/data-folder.md).
create table item (
  account text collate "C" not null,
  -- `thing=` and the id, or `tag=` and the name; `#` and a hash instead of `=` and a long name.
  key text collate "C" not null,
  position bigint not null,
  step text not null,
  primary key (account, key)
) partition by hash (account);

-- Earlier versions of items, which the later pages of an open listing need.
create unlogged table earlier (
  account text collate "C" not null,
  key text collate "C" not null,
  position bigint not null,
  step text not null,
  primary key (account, key, position)
) partition by hash (account);

create table record (
  account text collate "C" not null,
  -- Its kind and group.
  scope text collate "C" not null,
  key text collate "C" not null,
  revision bigint not null,
  step text not null,
  primary key (account, scope, key)
) partition by hash (account);

-- The outbox (store.ts).
create table delivery (
  account text collate "C" not null,
  key text collate "C" not null,
  -- The key, as JSON.
  name text not null,
  -- Unix time in milliseconds; null if the entry was settled while it was taken.
  due_at double precision,
  -- The entry cannot be taken before this time.
  available_at double precision,
  taken_by text,
  taken_until double precision,
  primary key (account, key)
) partition by hash (account);

-- Page cursors of fifteen minutes. After a crash, clients start their listings again.
create unlogged table open_listing (
  account text collate "C" not null,
  writer text collate "C" not null,
  name text collate "C" not null,
  position bigint not null,
  listing text not null,
  expires_at double precision not null,
  primary key (account, writer, name)
) partition by hash (account);

-- The order of registry items in the lists of their kind.
create sequence registry_number;

-- The outcome of each transaction of writes, for a process that lost the response.
create table kept_write (
  id uuid primary key,
  -- The accounts that were written; null if the transaction was not committed, and never will be.
  won text[],
  made_at timestamptz not null default clock_timestamp()
);
create index kept_write_by_time on kept_write (made_at);

create table session (
  account text not null,
  id text not null,
  number bigint not null default nextval('registry_number'),
  item text not null,
  primary key (account, id)
) partition by hash (account);

-- The session of each access token, refresh token and personal token.
create table session_hash (
  hash text not null,
  kind text not null,
  account text not null,
  session text not null,
  primary key (hash, kind)
) partition by hash (hash);

do $$
declare part record;
begin
  for number in 0..15 loop
    for part in
      select * from (values ('account', ''), ('item', ''), ('earlier', 'unlogged'), ('record', ''),
        ('delivery', ''), ('open_listing', 'unlogged'), ('session', ''), ('session_hash', '')) as tables (name, kind)
    loop
      execute format('create %s table %I partition of %I for values with (modulus 16, remainder %s)',
        part.kind, part.name || '_' || number, part.name, number);
    end loop;
    -- Each write updates the row of its account. Free space in the page allows updates without changes of the indexes.
    execute format('alter table %I set (fillfactor = 50)', 'account_' || number);
  end loop;
end
$$;

-- No position is used twice.
create unique index item_by_position on item (account, position);
create index record_by_revision on record (account, revision);
create index delivery_by_time on delivery (available_at) where due_at is not null;
create index delivery_by_teller on delivery (taken_by) where taken_by is not null;
create index open_listing_by_end on open_listing (expires_at);
create index session_by_id on session (id);
create index session_hash_by_session on session_hash (account, session);

-- Items that are found by name or by hash are in tables of their own: few rows, or short ones.
--
-- Generated columns contain the values that sign-ins query. Items are JSON as JavaScript writes it: without spaces, and
-- with a backslash before each quotation mark inside a string. So a name between quotation marks with a colon after it
-- is the name of a member. The columns do not parse the JSON, because PostgreSQL rejects some characters of names, for
-- example NUL. Texts stay JSON, like all names. Times are Unix time in seconds.
create table users (
  id text primary key,
  number bigint not null default nextval('registry_number'),
  name text not null,
  folded_name text not null,
  item text not null,
  -- Identifies the user at an OpenID provider.
  subject text generated always as (substring(item from '"subject":("(?:[^"\\]|\\.)*")')) stored,
  is_admin boolean generated always as (item like '%"isAdmin":true%') stored,
  constraint person_name unique (name) deferrable initially deferred
);
create index users_by_folded_name on users (folded_name);
create index users_by_number on users (number);
-- A hash index, because subjects may be too long for a B-tree.
create index users_by_subject on users using hash (subject);
create index users_by_admin on users (id) where is_admin;

create table app (
  client_id text primary key,
  number bigint not null default nextval('registry_number'),
  item text not null,
  owner text generated always as (substring(item from '"ownerId":("(?:[^"\\]|\\.)*")')) stored
);
create index app_by_number on app (number);
create index app_by_owner on app (owner, number);

create table browser_session (
  hash text primary key,
  number bigint not null default nextval('registry_number'),
  item text not null,
  account text generated always as (substring(item from '"userId":("(?:[^"\\]|\\.)*")')) stored,
  last_used_at double precision
    generated always as (substring(item from '"lastUsedAt":([-+.0-9eE]+)')::double precision) stored
);
create index browser_session_by_number on browser_session (number);
create index browser_session_by_account on browser_session (account, number);
create index browser_session_by_last_use on browser_session (last_used_at);

create table link (
  hash text primary key,
  number bigint not null default nextval('registry_number'),
  item text not null,
  -- Null in an invitation.
  account text generated always as (substring(item from '"userId":("(?:[^"\\]|\\.)*")')) stored,
  expires_at double precision
    generated always as (substring(item from '"expiresAt":([-+.0-9eE]+)')::double precision) stored
);
create index link_by_number on link (number);
create index link_by_account on link (account, number);
create index link_by_end on link (expires_at);

create table code (
  hash text primary key,
  number bigint not null default nextval('registry_number'),
  item text not null,
  account text generated always as (substring(item from '"userId":("(?:[^"\\]|\\.)*")')) stored,
  client_id text generated always as (substring(item from '"clientId":("(?:[^"\\]|\\.)*")')) stored,
  -- Without an index: each use of a code updates its row, which would then be inserted into each index again, where
  -- others read at that moment. Expired rows are deleted each minute.
  expires_at double precision
    generated always as (substring(item from '"expiresAt":([-+.0-9eE]+)')::double precision) stored
);
create index code_by_number on code (number);
create index code_by_account on code (account, number);
create index code_by_app on code (client_id, number);

create table server_key (
  name text primary key,
  number bigint not null default nextval('registry_number'),
  item text not null
);
create index server_key_by_number on server_key (number);

-- Limits for sign-in attempts. They are lost after a crash.
create unlogged table attempt (
  -- SHA-256 of the name of the counter and its key.
  hash text collate "C" primary key,
  failures integer not null,
  -- When the count expires; of a queue of attempts, the time of its next turn.
  ends_at timestamptz not null
);
create index attempt_by_end on attempt (ends_at);

-- Slots of requests that wait for changes (long polling): each session has a maximum. A slot is free if the lease of
-- its process has expired.
create unlogged table slot (
  account text not null,
  session text not null,
  number integer not null,
  holder text not null,
  primary key (account, session, number)
);
create index slot_by_holder on slot (holder);

create unlogged table slot_holder (
  id text primary key,
  ends_at timestamptz not null
);
