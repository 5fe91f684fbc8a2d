import { clausesOf } from './clause.ts'

/** Section 4.3: what a sync sends. */
export const syncRequestClauses = clausesOf('4.3', [
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
    basis: 'ours',
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
    basis: 'ours',
    text: 'Within a request the order is new, changed, deleted, tags; the last writer wins.',
  },
])
