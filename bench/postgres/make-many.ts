/** Things of each account that is made in bulk. */
export const thingsEach = 20

/** The personal token of an account that was made in bulk. */
export const tokenOf = (number: number): string => `bench-token-of-account-${number}`

/**
 * SQL that makes accounts with 20 things of about 300 bytes each, as the server would have kept them: their people, each
 * with a personal token, too. Accounts are numbered from `first` to `last`.
 */
export const makeAccounts = (first: number, last: number): string => `
  create temp table made on commit drop as
    select number, 'user' || number as id, 'session' || number as session,
      translate(rtrim(encode(sha256(convert_to('bench-token-of-account-' || number, 'UTF8')), 'base64'), '='), '+/', '-_') as hash
    from generate_series(${first}, ${last}) as number;
  insert into person (id, name, folded_name, item)
    select to_json(id), to_json(id), to_json(id),
      json_build_object('id', id, 'name', id, 'passwordHash', 'none', 'createdAt', 1700000000)
    from made;
  insert into session (account, id, item)
    select to_json(id), to_json(session), json_build_object('id', session, 'userId', id, 'clientId', session,
      'createdAt', 1700000000, 'pairs', json_build_array(),
      'personal', json_build_object('name', 'bench', 'hash', hash, 'isReadOnly', false),
      'lastUsedAt', extract(epoch from now())::bigint)
    from made;
  insert into session_hash (hash, kind, account, session)
    select to_json(hash), 'access', to_json(id), to_json(session) from made;
  insert into account (id, epoch, position, revision, writer) select id, 1, ${thingsEach}, 1, session from made;
  insert into item (account, key, position, step)
    select id, 'thing=t' || number || 'x' || position, position,
      '{"thing":{"_id":"t' || number || 'x' || position || '","title":"paper bridge river ' || position ||
      '","tags":"morning, letter","date":' || 1700000000 + position || ',"url":"https://example.org/window/' || position ||
      '","html":"<p>' || repeat('garden orange ', position * 8 / ${thingsEach}) || '</p>"},"at":[' || position || ',' || position ||
      ',0],"by":"' || session || '"}'
    from made cross join generate_series(1, ${thingsEach}) as position;`

/** Accounts that one transaction makes. */
export const accountsAtOnce = 10_000
