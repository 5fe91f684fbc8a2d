import { clausesOf } from './clause.ts'

/** Section 4.3: what becomes of an upload. */
export const syncUploadClauses = clausesOf('4.3', [
  {
    id: 'C-4.3-22',
    text: '`things.new` maps each submitted `local_id` to its new `_id`, and is there only when new things were submitted.',
  },
  { id: 'C-4.3-27', text: 'The new `_id` works for the thing from then on (rule 3).' },
  { id: 'C-4.3-29', text: 'After an upload of new things `pos` is another one than before (rule 5).' },
  {
    id: 'C-4.3-32',
    basis: 'derived',
    text: 'A deletion reaches every client that still has the thing, however late it syncs; no write of anything else brings the thing back, and nothing else gets its `_id`.',
  },
  {
    id: 'C-4.3-37',
    level: 'should',
    basis: 'derived',
    text: 'A change that comes after the deletion does not bring the thing back.',
  },
  { id: 'C-4.3-35', basis: 'derived', text: 'A deletion that is sent again does no harm.' },
  {
    id: 'K-sync-8',
    basis: 'ours',
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
    basis: 'ours',
    text: 'A retry is recognised after a restart, too.',
    untested: 'The suite cannot restart a server.',
  },
  {
    id: 'K-sync-11',
    basis: 'ours',
    text: 'Fields left out of a changed thing stay, but `archived` becomes false; "" clears `url`, `html` and `tags`; null is the same as left out.',
  },
  {
    id: 'K-sync-12',
    basis: 'derived',
    text: 'A changed thing that the server does not have is answered in `things.deleted`; the rest is applied.',
  },
  { id: 'K-sync-13', basis: 'ours', text: 'Deleting an unknown or deleted id is fine.' },
])
