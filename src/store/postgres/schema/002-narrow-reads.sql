-- serves programs that know schema 1
--
-- What people's sign-ins ask for, out of the items, so that programs that know schema 1 go on writing beside this one.
-- Items are JSON as JavaScript writes it: without spaces, and with a backslash before each quotation mark inside a
-- string, so that a name between two of them with a colon behind it is a member's. It is not read as JSON, because the
-- database refuses some of what names may hold, NUL for one. Texts are kept as JSON, as all names are.

alter table person
  -- Who the person is for an OpenID provider.
  add column subject text generated always as (substring(item from '"subject":("(?:[^"\\]|\\.)*")')) stored,
  add column is_admin boolean generated always as (item like '%"isAdmin":true%') stored;
-- They may be longer than another kind of index takes.
create index person_by_subject on person using hash (subject);
create index person_by_admin on person (id) where is_admin;

alter table app
  add column owner text generated always as (substring(item from '"ownerId":("(?:[^"\\]|\\.)*")')) stored;
create index app_by_owner on app (owner, number);

alter table browser_session
  add column account text generated always as (substring(item from '"userId":("(?:[^"\\]|\\.)*")')) stored,
  -- Unix time in seconds.
  add column last_used_at double precision
    generated always as (substring(item from '"lastUsedAt":([-+.0-9eE]+)')::double precision) stored;
create index browser_session_by_account on browser_session (account, number);
create index browser_session_by_last_use on browser_session (last_used_at);

alter table link
  -- Null in an invitation.
  add column account text generated always as (substring(item from '"userId":("(?:[^"\\]|\\.)*")')) stored,
  -- Unix time in seconds.
  add column expires_at double precision
    generated always as (substring(item from '"expiresAt":([-+.0-9eE]+)')::double precision) stored;
create index link_by_account on link (account, number);
create index link_by_end on link (expires_at);

alter table code
  add column account text generated always as (substring(item from '"userId":("(?:[^"\\]|\\.)*")')) stored,
  add column client_id text generated always as (substring(item from '"clientId":("(?:[^"\\]|\\.)*")')) stored,
  -- Unix time in seconds. Without an index: the use of a code changes it, which then would put the row anew into each
  -- index, where others who use theirs are looking at that moment; and what has ended is dropped each minute.
  add column expires_at double precision
    generated always as (substring(item from '"expiresAt":([-+.0-9eE]+)')::double precision) stored;
create index code_by_account on code (account, number);
create index code_by_app on code (client_id, number);
