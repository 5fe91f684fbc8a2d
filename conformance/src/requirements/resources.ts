import { requirementsOf } from '../rule.ts'

/** Section 1: the service. */
export const serviceRequirements = requirementsOf('1', [
  { id: 'C-1-1', text: 'Every answer is JSON.' },
  { id: 'C-1-2', text: 'Things and tag settings belong to one user; another user never sees or changes them.' },
  {
    id: 'C-1-3',
    text: 'An application is known by a client id and a client secret; without a registered pair it gets no token.',
  },
  { id: 'C-1-4', text: 'A call without a valid access token reads and changes nothing.' },
])

/** Section 2: resources and their fields. */
export const resourceRequirements = [
  ...requirementsOf('2', [
    {
      id: 'K-request-10',
      basis: 'extension',
      text: 'Names chosen by clients (`local_id`, tag names) may be any text, also empty and `__proto__`; over-long ones are refused.',
    },
  ]),
  ...requirementsOf('2.1', [
    { id: 'C-2.1-1', text: 'A new thing may name itself with a `local_id` that is a string.' },
    { id: 'C-2.1-2', text: 'A new thing may name itself with a `local_id` that is a number.' },
    { id: 'C-2.1-3', text: 'The title of a thing is kept and always returned as a string.' },
    { id: 'C-2.1-4', text: 'Tags are one string, separated by spaces; it is always returned.' },
    {
      id: 'C-2.1-5',
      text: 'The creation date is a number, Unix time; a given one is kept, and it is always returned.',
    },
    { id: 'C-2.1-6', text: 'A thing is returned with `url` only when a url was set.' },
    { id: 'C-2.1-7', text: 'A thing is returned with `html` only when html was set.' },
    {
      id: 'C-2.1-8',
      text: '`archived` is returned only on archived things, and is then true; a submission without it means not archived.',
    },
    {
      id: 'C-2.1-9',
      text: '`todoStatus` is a boolean that is returned on todos and only there; a todo is a thing with a special tag.',
    },
    { id: 'C-2.1-10', text: 'The server gives every thing an alphanumeric `_id` and always returns it.' },
    { id: 'C-2.1-11', text: 'A changed thing is named by its `_id` and takes the same fields as a new one.' },
    { id: 'C-2.1-12', text: 'A thing is deleted by its plain `_id`.' },
    {
      id: 'C-2.1-13',
      text: 'A created thing keeps every field that was submitted, in any script, character for character.',
    },
    {
      id: 'K-sync-15',
      basis: 'extension',
      text: "A date that is left out is the server's time in whole seconds; a given one may be any finite number, also 0 and below. A title may be empty but not absent.",
    },
    {
      id: 'K-sync-16',
      basis: 'extension',
      text: '`title`, `tags`, `url` and `html` come back as sent, byte for byte in UTF-8; NUL and lone surrogates are refused.',
    },
    {
      id: 'K-sync-17',
      basis: 'extension',
      text: '`todoStatus` is on exactly the things that carry a tag whose `todo` setting is not false.',
    },
  ]),
  ...requirementsOf('2.2', [
    { id: 'C-2.2-1', text: 'Tag settings are a map from tag name to an object with `favorite` (boolean).' },
    { id: 'C-2.2-2', text: '`color` is a hex colour that was set, or false for none.' },
    { id: 'C-2.2-3', text: '`todo` is submitted as a boolean and returned as false, "strike" or "dont-strike".' },
    { id: 'C-2.2-4', text: 'Settings of one tag say nothing about another.' },
    {
      id: 'K-sync-18',
      basis: 'observed',
      text: 'Settings left out of a tag stay; `todo` true is kept as "strike", and the two texts are taken as they are; `color` is false, `#rgb` or `#rrggbb`, returned in lower case.',
    },
  ]),
  ...requirementsOf('2.3', [
    { id: 'C-2.3-1', text: '`pos` is a number that can be sent later as `from`.' },
    { id: 'K-sync-20', basis: 'extension', text: 'A position is a whole number below 2^53.' },
    {
      id: 'K-sync-21',
      basis: 'extension',
      text: 'A position that was given is never given again for something else, also after a restart or the restore of a backup.',
      untested: 'The suite cannot restart a server.',
    },
  ]),
]

/** Section 3: states and transitions. */
export const stateRequirements = requirementsOf('3', [
  { id: 'C-3-1', text: 'A thing can be archived and taken out of the archive again.' },
  { id: 'C-3-2', text: '`todoStatus` of a todo is true or false, as it was last set.' },
])

/** Section 4: common requirements of all operations, and the token endpoint. */
export const requestRequirements = [
  ...requirementsOf('4', [
    { id: 'K-request-2', basis: 'extension', text: 'Another content type is refused: 415 `unsupported_media_type`.' },
    { id: 'K-request-3', basis: 'observed', text: 'Query parameters of a POST are read too; the body wins.' },
    { id: 'K-request-4', basis: 'extension', text: 'Unknown parameters are ignored.' },
    {
      id: 'K-request-6',
      basis: 'observed',
      text: 'Booleans may be spelled true, false, 1 or 0, quoted or not, in any letter case; anything else is `parameter_invalid`.',
    },
    {
      id: 'K-request-7',
      basis: 'observed',
      text: 'Numbers may be numeric strings; anything else is `parameter_invalid`.',
    },
    { id: 'K-request-11', basis: 'extension', text: 'JSON may nest 32 levels deep and no deeper.' },
  ]),
  ...requirementsOf('4.2', [
    { id: 'C-4.2-1', text: 'The token endpoint takes POST with a form body at `{base_url}token`.' },
  ]),
]

/** Section 4.1: the operations beside sync. */
export const operationRequirements = requirementsOf('4.1', [
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
    basis: 'extension',
    text: '`thing/change` changes the given fields only, `archived` included, and answers the thing.',
  },
  { id: 'K-thing-4', basis: 'extension', text: '`thing/delete` answers the deleted `_id`.' },
  {
    id: 'K-thing-5',
    basis: 'observed',
    text: '`things/get` lists living things, with `archived=include` also archived ones, with `archived=true` only those; `tag`, `skip` and `limit` narrow it.',
  },
  { id: 'K-user-1', basis: 'extension', text: '`user/get` answers `username`, `date`, `pos` and `thingCount`.' },
  { id: 'K-user-2', basis: 'observed', text: '`test` answers the name of the user to GET and POST.' },
  {
    id: 'K-device-1',
    basis: 'observed',
    text: '`register/device` and `unregister/device`, under both names, take `type` and `id`; webpush needs `endpoint`, `p256dh` and `auth`.',
  },
  {
    id: 'K-session-1',
    basis: 'extension',
    text: '`session/list` shows the sessions of the user without their tokens, and `session/revoke` ends one of them.',
    untested: 'An addition of this project; nothing of the interface needs it.',
  },
  {
    id: 'K-device-2',
    basis: 'extension',
    text: '`device/list` shows the devices of the user, and `device/key` answers the public key for Web Push.',
    untested: 'An addition of this project; nothing of the interface needs it.',
  },
])
