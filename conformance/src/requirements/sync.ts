import { requirementsOf } from '../rule.ts'

/** Section 4.3: sync requests. */
export const syncRequestRequirements = requirementsOf('4.3', [
  { id: 'C-4.3-1', text: 'sync answers GET.' },
  { id: 'C-4.3-2', text: 'sync answers POST with a form body.' },
  { id: 'C-4.3-3', text: 'sync requires authentication.' },
  { id: 'C-4.3-10', text: '`new_thing` with one JSON object creates a thing.' },
  { id: 'C-4.3-11', text: '`changed_thing` with one JSON object changes a thing.' },
  { id: 'C-4.3-12', text: '`deleted_thing` with an `_id` deletes a thing.' },
  { id: 'C-4.3-13', text: '`tag[name]` with a JSON object changes the settings of that tag.' },
  { id: 'C-4.3-14', text: 'Ids given as `skip_id` are left out of the changed and deleted things.' },
  { id: 'C-4.3-15', text: 'Several things of one kind may come as one JSON array in one parameter.' },
  {
    id: 'C-4.3-16',
    text: 'Several things of one kind may come in a repeated array-style parameter, such as `new_thing[]`.',
  },
  {
    id: 'C-4.3-17',
    level: 'should',
    text: 'Two new things in one request that share a `local_id` are not accepted in silence as two.',
    untested:
      'Only the sender is bound; the interface does not say what a server does (K-sync-8 for the profile full).',
  },
  {
    id: 'K-request-1',
    basis: 'observed',
    text: 'POST operations but token also take `application/json` with the same names and native types; a parameter that is null is absent.',
  },
  {
    id: 'K-request-5',
    basis: 'extension',
    text: 'An upload parameter in a GET is an error, `skip_id` is not one of them, and a GET changes nothing.',
  },
  {
    id: 'K-request-8',
    basis: 'observed',
    text: 'Several things may also come as arrays in repeated parameters (flattened) and with indexes (`new_thing[0]`); ids also in a repeated plain parameter, and `skip_id` as a JSON array.',
  },
  {
    id: 'K-request-9',
    basis: 'observed',
    text: 'Tag settings may also come as `tag[name][field]`, as a map of objects, or as a map of JSON texts; a `tag` that is no map is `parameter_invalid`.',
  },
  {
    id: 'K-sync-14',
    basis: 'extension',
    text: 'Within a request the order is new, changed, deleted, tags; the last writer wins.',
  },
])

/** Section 4.3: sync listings and their limits. */
export const syncListingRequirements = requirementsOf('4.3', [
  { id: 'C-4.3-4', text: 'Without `from`, or with `from=0`, every thing is listed, archived ones too.' },
  { id: 'C-4.3-5', text: 'With an earlier `pos` as `from`, only what changed since is listed, by GET and by POST.' },
  { id: 'C-4.3-6', text: '`skip` leaves out the first things of the listing.' },
  { id: 'C-4.3-7', text: '`limit` bounds the number of things in the answer.' },
  { id: 'C-4.3-8', text: '`thingCount` does not depend on `skip` and `limit`.' },
  { id: 'C-4.3-9', text: 'Batches fetched with `skip` and `limit` together hold the whole listing, each thing once.' },
  { id: 'C-4.3-18', text: 'Every answer of sync has `pos`.' },
  {
    id: 'C-4.3-19',
    text: '`thingCount` counts all that there is to list, new, changed and deleted things together; it is left out when 0.',
  },
  { id: 'C-4.3-20', text: '`tags` is left out when no settings are returned.' },
  { id: 'C-4.3-21', text: '`things` is left out when there is nothing to list.' },
  { id: 'C-4.3-23', text: '`things.changed` is an array of things, new or changed.' },
  { id: 'C-4.3-24', text: '`things.deleted` is an array of ids of deleted things.' },
  { id: 'C-4.3-25', text: 'A full listing carries the settings of every favorite tag and every special tag (rule 1).' },
  {
    id: 'C-4.3-26',
    text: 'A change of tag settings alone is answered with `pos` and `tags`, without `things` and `thingCount` (rule 2).',
  },
  {
    id: 'C-4.3-28',
    text: 'A thing created or changed by another client appears in `things.changed` in its latest state (rule 4).',
  },
  {
    id: 'C-4.3-30',
    text: 'A thing deleted by another client appears in `things.deleted` and in no listing afterwards.',
  },
  {
    id: 'C-4.3-31',
    basis: 'implied',
    text: 'A client that follows its positions misses no change, also while others write: a change never comes at or below a position that was given before.',
  },
  {
    id: 'C-4.3-33',
    basis: 'implied',
    text: 'A change that was answered is listed from then on; none is lost to another one that ran at the same time.',
  },
  {
    id: 'C-4.3-38',
    basis: 'implied',
    text: 'After the answer to its upload and the next delta a client knows what others changed after its `from` of the things that it changed itself; with `from=0`, all that they hold.',
  },
  {
    id: 'C-4.3-39',
    basis: 'implied',
    text: 'What was answered is kept when the server is started again: things, deletions, tag settings, and every position that was given.',
  },
  {
    id: 'C-4.3-34',
    level: 'should',
    basis: 'implied',
    text: 'Pages fetched while other clients write still lead to the same things as one listing.',
  },
  {
    id: 'C-4.3-36',
    level: 'should',
    text: 'Clients may be told by push that something changed (rule 6).',
    untested: 'The mechanism is not shown.',
  },
  { id: 'K-sync-1', basis: 'extension', text: 'A `from` beyond the current position gets a full listing.' },
  { id: 'K-sync-2', basis: 'extension', text: 'A full listing has no deleted ids.' },
  {
    id: 'K-sync-3',
    basis: 'extension',
    text: 'When nothing changed the answer is `pos` and nothing else; a thing created and deleted after `from` is not listed.',
  },
  {
    id: 'K-sync-4',
    basis: 'observed',
    text: 'What a request uploads is not listed in its own answer, unless another session changed it after `from`; what others changed is. Submitted tag settings are always in `tags`, in full.',
  },
  {
    id: 'K-sync-5',
    basis: 'extension',
    text: '`thingCount` counts new, listed changed and listed deleted things, after `skip_id`.',
  },
  {
    id: 'K-sync-6',
    basis: 'extension',
    text: 'Things come in the order of their last change, deleted ids behind them; `skip` and `limit` page through both; `limit=0` gives none.',
  },
  {
    id: 'K-sync-7',
    basis: 'implied',
    text: "Pages of one listing are taken from one snapshot and return its position, so that neither the first nor the last page's `pos` misses a change.",
  },
  { id: 'K-sync-19', basis: 'extension', text: 'Large answers are streamed; gzip and br are honoured.' },
  {
    id: 'K-sync-22',
    basis: 'extension',
    text: 'The JSON of an answer is whole, or the connection breaks visibly.',
    untested: 'It cannot be provoked from outside.',
  },
])

/** Section 4.3: effects of uploads. */
export const syncUploadRequirements = requirementsOf('4.3', [
  {
    id: 'C-4.3-22',
    text: '`things.new` maps each submitted `local_id` to its new `_id`, and is there only when new things were submitted.',
  },
  { id: 'C-4.3-27', text: 'The new `_id` works for the thing from then on (rule 3).' },
  { id: 'C-4.3-29', text: 'After an upload of new things `pos` is another one than before (rule 5).' },
  {
    id: 'C-4.3-32',
    basis: 'implied',
    text: 'A deletion reaches every client that still has the thing, however late it syncs; no write of anything else brings the thing back, and nothing else gets its `_id`.',
  },
  {
    id: 'C-4.3-37',
    level: 'should',
    basis: 'implied',
    text: 'A change that comes after the deletion does not bring the thing back.',
  },
  { id: 'C-4.3-35', basis: 'implied', text: 'A deletion that is sent again does no harm.' },
  {
    id: 'K-sync-8',
    basis: 'extension',
    text: '`local_id` and `title` of a new thing are required; a `local_id` shared in one request is `parameter_invalid`.',
  },
  {
    id: 'K-sync-9',
    basis: 'observed',
    text: 'A new thing that repeats `local_id` and explicit `from` of the same session, and has the same title, url or given date, is a retry: same `_id`, no duplicate, fields applied as a change.',
  },
  {
    id: 'K-sync-10',
    basis: 'observed',
    text: 'A repeated `local_id` is a new thing without an explicit `from`, with another title, url and date, and after the session has sent a later `from` or named the thing by its `_id`.',
  },
  {
    id: 'K-sync-23',
    basis: 'extension',
    text: 'A retry is recognised after a restart, too.',
    untested: 'The suite cannot restart a server.',
  },
  {
    id: 'K-sync-11',
    basis: 'extension',
    text: 'Fields left out of a changed thing stay, but `archived` becomes false; "" clears `url`, `html` and `tags`; null is the same as left out.',
  },
  {
    id: 'K-sync-12',
    basis: 'implied',
    text: 'A changed thing that the server does not have is answered in `things.deleted`; the rest is applied.',
  },
  { id: 'K-sync-13', basis: 'extension', text: 'Deleting an unknown or deleted id is fine.' },
])
