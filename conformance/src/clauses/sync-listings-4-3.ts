import { clausesOf } from './clause.ts'

/** Section 4.3: what a sync lists, and how far it counts. */
export const syncListingClauses = clausesOf('4.3', [
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
    basis: 'derived',
    text: 'A client that follows its positions misses no change, also while others write: a change never comes at or below a position that was given before.',
  },
  {
    id: 'C-4.3-33',
    basis: 'derived',
    text: 'A change that was answered is listed from then on; none is lost to another one that ran at the same time.',
  },
  {
    id: 'C-4.3-38',
    basis: 'derived',
    text: 'After the answer to its upload and the next delta a client knows what others changed after its `from` of the things that it changed itself; with `from=0`, all that they hold.',
  },
  {
    id: 'C-4.3-39',
    basis: 'derived',
    text: 'What was answered is kept when the server is started again: things, deletions, tag settings, and every position that was given.',
  },
  {
    id: 'C-4.3-34',
    level: 'should',
    basis: 'derived',
    text: 'Pages fetched while other clients write still lead to the same things as one listing.',
  },
  {
    id: 'C-4.3-36',
    level: 'should',
    text: 'Clients may be told by push that something changed (rule 6).',
    untested: 'The mechanism is not shown.',
  },
  { id: 'K-sync-1', basis: 'ours', text: 'A `from` beyond the current position gets a full listing.' },
  { id: 'K-sync-2', basis: 'ours', text: 'A full listing has no deleted ids.' },
  {
    id: 'K-sync-3',
    basis: 'ours',
    text: 'When nothing changed the answer is `pos` and nothing else; a thing created and deleted after `from` is not listed.',
  },
  {
    id: 'K-sync-4',
    basis: 'observed',
    text: 'What a request uploads is not listed in its own answer, unless another session changed it after `from`; what others changed is. Submitted tag settings are always in `tags`, in full.',
  },
  {
    id: 'K-sync-5',
    basis: 'ours',
    text: '`thingCount` counts new, listed changed and listed deleted things, after `skip_id`.',
  },
  {
    id: 'K-sync-6',
    basis: 'ours',
    text: 'Things come in the order of their last change, deleted ids behind them; `skip` and `limit` page through both; `limit=0` gives none.',
  },
  {
    id: 'K-sync-7',
    basis: 'derived',
    text: "Pages of one listing are taken from one snapshot and return its position, so that neither the first nor the last page's `pos` misses a change.",
  },
  { id: 'K-sync-19', basis: 'ours', text: 'Large answers are streamed; gzip and br are honoured.' },
  {
    id: 'K-sync-22',
    basis: 'ours',
    text: 'The JSON of an answer is whole, or the connection breaks visibly.',
    untested: 'It cannot be provoked from outside.',
  },
])
