import { requirementsOf } from '../rule.ts'

/** Section 4.3: sync requests. */
export const syncRequestRequirements = requirementsOf('4.3', [
  { id: 'C-4.3-1', text: 'sync MUST accept GET.' },
  { id: 'C-4.3-2', text: 'sync MUST accept POST with a form body.' },
  { id: 'C-4.3-3', text: 'sync MUST require authentication.' },
  { id: 'C-4.3-10', text: '`new_thing` with one JSON object MUST create a thing.' },
  { id: 'C-4.3-11', text: '`changed_thing` with one JSON object MUST change a thing.' },
  { id: 'C-4.3-12', text: '`deleted_thing` with an `_id` MUST delete a thing.' },
  { id: 'C-4.3-13', text: '`tag[name]` with a JSON object MUST change the settings of that tag.' },
  {
    id: 'C-4.3-14',
    text: 'A server MUST leave IDs that are given as `skip_id` out of the changed and deleted things.',
  },
  { id: 'C-4.3-15', text: 'A server MUST accept several things of one kind as one JSON array in one parameter.' },
  {
    id: 'C-4.3-16',
    text: 'A server MUST accept several things of one kind in a repeated array-style parameter, such as `new_thing[]`.',
  },
  {
    id: 'C-4.3-17',
    level: 'should',
    text: 'A server SHOULD NOT silently create two things when two new things in one request share a `local_id`.',
    untested:
      'It binds the client only; the interface does not say what a server does (K-sync-8 for the profile full).',
  },
  {
    id: 'K-request-1',
    basis: 'observed',
    text: 'POST operations except `token` MUST also accept `application/json` with the same names and native types. A parameter that is null MUST count as absent.',
  },
  {
    id: 'K-request-5',
    basis: 'extension',
    text: 'An upload parameter in a GET MUST be an error; `skip_id` is not an upload parameter. A GET MUST NOT change anything.',
  },
  {
    id: 'K-request-8',
    basis: 'observed',
    text: 'A server MUST also accept several things as arrays in repeated parameters (flattened) and with indexes (`new_thing[0]`). It MUST also accept IDs in a repeated plain parameter, and `skip_id` as a JSON array.',
  },
  {
    id: 'K-request-9',
    basis: 'observed',
    text: 'A server MUST also accept tag settings as `tag[name][field]`, as a map of objects, or as a map of JSON texts. A `tag` that is not a map MUST get `parameter_invalid`.',
  },
  {
    id: 'K-sync-14',
    basis: 'extension',
    text: 'Within a request, a server MUST apply new things, changes, deletions and tags in this order; the last write wins.',
  },
])

/** Section 4.3: sync listings and their limits. */
export const syncListingRequirements = requirementsOf('4.3', [
  {
    id: 'C-4.3-4',
    text: 'Without `from`, or with `from=0`, a server MUST list every thing, including archived things.',
  },
  {
    id: 'C-4.3-5',
    text: 'With an earlier `pos` as `from`, a server MUST list only what changed since then, by GET and by POST.',
  },
  { id: 'C-4.3-6', text: '`skip` MUST leave out the first things of the listing.' },
  { id: 'C-4.3-7', text: '`limit` MUST bound the number of things in the response.' },
  { id: 'C-4.3-8', text: '`thingCount` MUST NOT depend on `skip` and `limit`.' },
  {
    id: 'C-4.3-9',
    text: 'Pages fetched with `skip` and `limit` MUST together contain the whole listing, each thing once.',
  },
  { id: 'C-4.3-18', text: 'Every response of sync MUST have `pos`.' },
  {
    id: 'C-4.3-19',
    text: '`thingCount` MUST count all new, changed and deleted things that there are to list. It MUST be absent when it is 0.',
  },
  { id: 'C-4.3-20', text: '`tags` MUST be absent when no settings are returned.' },
  { id: 'C-4.3-21', text: '`things` MUST be absent when there is nothing to list.' },
  { id: 'C-4.3-23', text: '`things.changed` MUST be an array of things that are new or changed.' },
  { id: 'C-4.3-24', text: '`things.deleted` MUST be an array of IDs of deleted things.' },
  {
    id: 'C-4.3-25',
    text: 'A full sync MUST contain the settings of every favorite tag and every special tag (rule 1).',
  },
  {
    id: 'C-4.3-26',
    text: 'After a change of tag settings alone, a response MUST have `pos` and `tags`, without `things` and `thingCount` (rule 2).',
  },
  {
    id: 'C-4.3-28',
    text: 'A thing that another client created or changed MUST appear in `things.changed` in its latest state (rule 4).',
  },
  {
    id: 'C-4.3-30',
    text: 'A thing that another client deleted MUST appear in `things.deleted`, and in no listing afterwards.',
  },
  {
    id: 'C-4.3-31',
    basis: 'implied',
    text: 'A client that follows its positions MUST NOT miss a change, even while others write. A change MUST NOT come at or below a position that the server returned before.',
  },
  {
    id: 'C-4.3-33',
    basis: 'implied',
    text: 'A server MUST list a change from the moment of its response. It MUST NOT lose a change to another one that ran at the same time.',
  },
  {
    id: 'C-4.3-38',
    basis: 'implied',
    text: 'The response to an upload and the next incremental sync MUST show what others changed after `from` in the things that the client changed itself. With `from=0`, they MUST show everything that these things contain.',
  },
  {
    id: 'C-4.3-39',
    basis: 'implied',
    text: 'After a restart, a server MUST still have everything that it confirmed in a response: things, deletions, tag settings, and every position.',
  },
  {
    id: 'C-4.3-34',
    level: 'should',
    basis: 'implied',
    text: 'Pages fetched while other clients write SHOULD still lead to the same things as one listing.',
  },
  {
    id: 'C-4.3-36',
    level: 'should',
    text: 'A server SHOULD be able to notify clients by push that something changed (rule 6).',
    untested: 'The mechanism is not shown.',
  },
  { id: 'K-sync-1', basis: 'extension', text: 'A `from` beyond the current position MUST get a full sync.' },
  { id: 'K-sync-2', basis: 'extension', text: 'A full sync MUST NOT contain deleted IDs.' },
  {
    id: 'K-sync-3',
    basis: 'extension',
    text: 'When nothing changed, the response MUST be `pos` and nothing else. A thing that was created and deleted after `from` MUST NOT be listed.',
  },
  {
    id: 'K-sync-4',
    basis: 'observed',
    text: 'A response MUST NOT list what its own request uploads, unless another session changed it after `from`. It MUST list what others changed. `tags` MUST always contain the submitted tag settings, in full.',
  },
  {
    id: 'K-sync-5',
    basis: 'extension',
    text: '`thingCount` MUST count new, listed changed and listed deleted things, after `skip_id`.',
  },
  {
    id: 'K-sync-6',
    basis: 'extension',
    text: 'A server MUST list things in the order of their last change, with deleted IDs behind them. `skip` and `limit` MUST page through both. `limit=0` MUST list none.',
  },
  {
    id: 'K-sync-7',
    basis: 'implied',
    text: "A server MUST take the pages of one listing from one snapshot, and MUST return its position. So neither the first nor the last page's `pos` misses a change.",
  },
  { id: 'K-sync-19', basis: 'extension', text: 'A server MUST stream large responses, and MUST honor gzip and br.' },
  {
    id: 'K-sync-22',
    basis: 'extension',
    text: 'The JSON of a response MUST be complete, or the connection MUST break visibly.',
    untested: 'It cannot be provoked from outside.',
  },
])

/** Section 4.3: effects of uploads. */
export const syncUploadRequirements = requirementsOf('4.3', [
  {
    id: 'C-4.3-22',
    text: '`things.new` MUST map each submitted `local_id` to its new `_id`. It MUST be present only when new things were submitted.',
  },
  { id: 'C-4.3-27', text: 'From the response on, the new `_id` MUST work for the thing (rule 3).' },
  { id: 'C-4.3-29', text: 'After an upload of new things, `pos` MUST differ from the previous position (rule 5).' },
  {
    id: 'C-4.3-32',
    basis: 'implied',
    text: 'A deletion MUST reach every client that still has the thing, however late it syncs. A write of anything else MUST NOT bring the thing back. A server MUST NOT give its `_id` to anything else.',
  },
  {
    id: 'C-4.3-37',
    level: 'should',
    basis: 'implied',
    text: 'A change that comes after the deletion SHOULD NOT bring the thing back.',
  },
  { id: 'C-4.3-35', basis: 'implied', text: 'A deletion that is sent again MUST NOT do harm.' },
  {
    id: 'K-sync-8',
    basis: 'extension',
    text: 'A new thing MUST have `local_id` and `title`. A `local_id` that is shared in one request MUST get `parameter_invalid`.',
  },
  {
    id: 'K-sync-9',
    basis: 'observed',
    text: 'A new thing that repeats `local_id` and explicit `from` of its session, with the same title, URL or given date, is a retry. A server MUST return the same `_id`, MUST NOT create a duplicate, and MUST apply the fields as a change.',
  },
  {
    id: 'K-sync-10',
    basis: 'observed',
    text: 'A repeated `local_id` MUST create a new thing without an explicit `from`, and when title, URL and date all differ. It MUST also create one after the session has sent a later `from` or named the thing by its `_id`.',
  },
  {
    id: 'K-sync-23',
    basis: 'extension',
    text: 'A server MUST also recognize a retry after a restart.',
    untested: 'The suite cannot restart a server.',
  },
  {
    id: 'K-sync-24',
    basis: 'extension',
    text: 'When the thing of a retry was deleted in between, a server MUST list its `_id` in `things.new` and in `things.deleted`. It MUST NOT create anything.',
  },
  {
    id: 'K-sync-11',
    basis: 'extension',
    text: 'A server MUST keep fields that are left out of a changed thing, but `archived` MUST become false. "" MUST clear `url`, `html` and `tags`. Null MUST count as left out.',
  },
  {
    id: 'K-sync-12',
    basis: 'implied',
    text: 'A server MUST list a changed thing that it does not have in `things.deleted`, and MUST apply the rest.',
  },
  { id: 'K-sync-13', basis: 'extension', text: 'A server MUST accept the deletion of an unknown or deleted ID.' },
])
