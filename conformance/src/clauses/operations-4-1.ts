import { clausesOf } from './clause.ts'

/** Section 4.1: the operations beside sync. */
export const operationClauses = clausesOf('4.1', [
  {
    id: 'K-tags-1',
    basis: 'observed',
    text: '`tags/get` answers `pos` and absolute counts of things by tag, `favorite` and `other`; both are empty when `from` is the current position.',
  },
  { id: 'K-thing-1', basis: 'observed', text: '`thing/add` creates a thing and answers it.' },
  {
    id: 'K-thing-2',
    basis: 'observed',
    text: '`thing/add` takes a title that is an http address as `url`, and `prevent_duplicate` answers the thing that has the url.',
  },
  {
    id: 'K-thing-3',
    basis: 'ours',
    text: '`thing/change` changes the given fields only, `archived` included, and answers the thing.',
  },
  { id: 'K-thing-4', basis: 'ours', text: '`thing/delete` answers the deleted `_id`.' },
  {
    id: 'K-thing-5',
    basis: 'observed',
    text: '`things/get` lists living things, with `archived=include` also archived ones, with `archived=true` only those; `tag`, `skip` and `limit` narrow it.',
  },
  { id: 'K-user-1', basis: 'ours', text: '`user/get` answers `username`, `date`, `pos` and `thingCount`.' },
  { id: 'K-user-2', basis: 'observed', text: '`test` answers the name of the user to GET and POST.' },
  {
    id: 'K-device-1',
    basis: 'observed',
    text: '`register/device` and `unregister/device`, under both names, take `type` and `id`; webpush needs `endpoint`, `p256dh` and `auth`.',
  },
  {
    id: 'K-session-1',
    basis: 'ours',
    text: '`session/list` shows the sessions of the user without their tokens, and `session/revoke` ends one of them.',
    untested: 'An addition of this project; nothing of the interface needs it.',
  },
  {
    id: 'K-device-2',
    basis: 'ours',
    text: '`device/list` shows the devices of the user, and `device/key` answers the public key for Web Push.',
    untested: 'An addition of this project; nothing of the interface needs it.',
  },
])
