-- serves programs that know schema 1
--
-- Names that clients choose are kept as JSON text: a name may hold NUL, which text cannot. They may be longer than an
-- index takes, so that their SHA-256 is what is unique.

-- One row an account. Positions come from it, in the transaction of the write that takes them.
create table account (
  id text collate "C" not null,
  -- Chosen at random when the account is made: an account that was removed and made again is another one.
  epoch bigint not null,
  position bigint not null,
  -- Counts writes, also those that take no position: what a write was staged on.
  revision bigint not null,
  -- The revision of the last write that removed a record.
  records_removed bigint not null default 0,
  -- The session of the last write.
  writer text not null,
  -- Until when a listing is open, Unix time in milliseconds: writes keep what they replace.
  listed_until double precision not null default 0,
  -- As in `incarnation`, when it was last made sure that all positions from now on are beyond those that were ever given.
  raised bigint not null default 0,
  -- Positions that were given in a future that is lost, if at all: [from, to] pairs, between which nothing is.
  gaps jsonb not null default '[]',
  primary key (id)
) partition by hash (id);

-- The database as it goes on from a certain point: each promotion of a standby and each restore begins another one, which
-- may lack what was answered before. So positions are raised; accounts follow when they are next written.
create table incarnation (
  name text primary key,
  -- By how much all raises together.
  raised bigint not null,
  -- When a process last said that this one goes on, Unix time in milliseconds.
  known_at double precision not null
);

-- All that has a position: things, what deleted ones leave behind, settings of tags; each in its latest state, as the
-- JSON of its step in the journal of a data folder (docs/data-format.md).
create table item (
  account text collate "C" not null,
  -- `thing=` and the id, or `tag=` and the name; `#` and a hash where that is long.
  key text collate "C" not null,
  position bigint not null,
  step text not null,
  primary key (account, key)
) partition by hash (account);

-- Versions of items that are not the latest, and that the later pages of an open listing need.
create unlogged table earlier (
  account text collate "C" not null,
  key text collate "C" not null,
  position bigint not null,
  step text not null,
  primary key (account, key, position)
) partition by hash (account);

create table record (
  account text collate "C" not null,
  -- Of its kind and group.
  scope text collate "C" not null,
  key text collate "C" not null,
  revision bigint not null,
  step text not null,
  primary key (account, scope, key)
) partition by hash (account);

-- What is to be told (the errands of store.ts).
create table delivery (
  account text collate "C" not null,
  key text collate "C" not null,
  -- The key, as JSON.
  name text not null,
  -- Unix time in milliseconds; null: settled while it was out.
  due_at double precision,
  -- Not handed out before.
  available_at double precision,
  taken_by text,
  taken_until double precision,
  primary key (account, key)
) partition by hash (account);

-- Fifteen minutes' worth of page cursors: what a crash forgets, clients list anew.
create unlogged table open_listing (
  account text collate "C" not null,
  writer text collate "C" not null,
  name text collate "C" not null,
  position bigint not null,
  listing text not null,
  expires_at double precision not null,
  primary key (account, writer, name)
) partition by hash (account);

-- Where an item of the registry stands in the list of all of its kind.
create sequence registry_number;

-- What became of each transaction of writes, for whoever did not hear the answer.
create table kept_write (
  id uuid primary key,
  -- The accounts that were written; null: it never happened, and never will.
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

-- Which session an access token, a request token or a personal token belongs to.
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
    -- A row of an account is rewritten by each write: room beside it keeps that off the indexes.
    execute format('alter table %I set (fillfactor = 50)', 'account_' || number);
  end loop;
end
$$;

-- No position is given twice.
create unique index item_by_position on item (account, position);
create index record_by_revision on record (account, revision);
create index delivery_by_time on delivery (available_at) where due_at is not null;
create index delivery_by_teller on delivery (taken_by) where taken_by is not null;
create index open_listing_by_end on open_listing (expires_at);
create index session_by_id on session (id);
create index session_hash_by_session on session_hash (account, session);

-- What is found by name or by hash stands in tables of its own: few rows, or short ones.
--
-- Generated columns hold what sign-ins ask for. Items are JSON as JavaScript writes it: without spaces, and with a
-- backslash before each quotation mark inside a string, so that a name between two of them with a colon behind it is a
-- member's. It is not read as JSON, because the database refuses some of what names may hold, NUL for one. Texts are
-- kept as JSON, as all names are. Times are Unix time in seconds.
create table person (
  id text primary key,
  number bigint not null default nextval('registry_number'),
  name text not null,
  folded_name text not null,
  item text not null,
  -- Identifies the person at an OpenID provider.
  subject text generated always as (substring(item from '"subject":("(?:[^"\\]|\\.)*")')) stored,
  is_admin boolean generated always as (item like '%"isAdmin":true%') stored,
  constraint person_name unique (name) deferrable initially deferred
);
create index person_by_folded_name on person (folded_name);
create index person_by_number on person (number);
-- Subjects may be longer than another kind of index takes.
create index person_by_subject on person using hash (subject);
create index person_by_admin on person (id) where is_admin;

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
  -- Without an index: the use of a code changes it, which then would put the row anew into each index, where others who
  -- use theirs are looking at that moment; and what has ended is dropped each minute.
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

-- Limits on attempts to sign in. A crash forgets them.
create unlogged table attempt (
  -- SHA-256 of what is counted, and under which key.
  hash text collate "C" primary key,
  failures integer not null,
  -- When it is forgotten; of a line in which attempts stand apart: when its next place is.
  ends_at timestamptz not null
);
create index attempt_by_end on attempt (ends_at);

-- Who waits for changes: so many requests of each session at a time. A seat of a process that no longer says that it
-- lives is free.
create unlogged table seat (
  account text not null,
  session text not null,
  number integer not null,
  holder text not null,
  primary key (account, session, number)
);
create index seat_by_holder on seat (holder);

create unlogged table seat_holder (
  id text primary key,
  ends_at timestamptz not null
);
