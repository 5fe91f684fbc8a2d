import { requirementsOf } from '../rule.ts'

/** Section 1: the service. */
export const serviceRequirements = requirementsOf('1', [
  { id: 'C-1-1', text: 'Every response MUST be JSON.' },
  {
    id: 'C-1-2',
    text: 'Things and tag settings belong to one user. A server MUST NOT let another user read or change them.',
  },
  {
    id: 'C-1-3',
    text: 'An app is identified by a client ID and a client secret. A server MUST NOT issue tokens without a registered pair.',
  },
  { id: 'C-1-4', text: 'A call without a valid access token MUST NOT read or change anything.' },
])

/** Section 2: resources and their fields. */
export const resourceRequirements = [
  ...requirementsOf('2', [
    {
      id: 'K-request-10',
      basis: 'extension',
      text: 'A server MUST accept any text as a name that a client chooses (`local_id`, tag name), including empty text and `__proto__`. It MUST reject names above its maximum length.',
    },
  ]),
  ...requirementsOf('2.1', [
    { id: 'C-2.1-1', text: 'A server MUST accept a `local_id` that is a string in a new thing.' },
    { id: 'C-2.1-2', text: 'A server MUST accept a `local_id` that is a number in a new thing.' },
    { id: 'C-2.1-3', text: 'A server MUST store the title of a thing, and MUST always return it as a string.' },
    { id: 'C-2.1-4', text: 'Tags are one string, separated by spaces. A server MUST always return it.' },
    {
      id: 'C-2.1-5',
      text: 'The creation date is a number, the Unix time. A server MUST store a given date, and MUST always return the date.',
    },
    { id: 'C-2.1-6', text: 'A server MUST return `url` on a thing only when a URL was set.' },
    { id: 'C-2.1-7', text: 'A server MUST return `html` on a thing only when html was set.' },
    {
      id: 'C-2.1-8',
      text: 'A server MUST return `archived` only on archived things, with the value true. A submission without `archived` MUST mean not archived.',
    },
    {
      id: 'C-2.1-9',
      text: 'A todo is a thing with a special tag. A server MUST return `todoStatus`, a boolean, on todos and only there.',
    },
    { id: 'C-2.1-10', text: 'A server MUST give every thing an alphanumeric `_id`, and MUST always return it.' },
    {
      id: 'C-2.1-11',
      text: 'A changed thing is identified by its `_id`. A server MUST accept the same other fields as in a new thing.',
    },
    { id: 'C-2.1-12', text: 'A server MUST delete a thing that is identified by its plain `_id`.' },
    {
      id: 'C-2.1-13',
      text: 'A server MUST store every submitted field of a created thing, in any script, character for character.',
    },
    {
      id: 'K-sync-15',
      basis: 'extension',
      text: 'Without a date, a server MUST use its time in whole seconds. A given date MAY be any finite number, including 0 and negative numbers. A title MAY be empty, but MUST NOT be absent.',
    },
    {
      id: 'K-sync-16',
      basis: 'extension',
      text: 'A server MUST return `title`, `tags`, `url` and `html` as sent, byte for byte in UTF-8. It MUST reject NUL and lone surrogates.',
    },
    {
      id: 'K-sync-17',
      basis: 'extension',
      text: 'A server MUST return `todoStatus` on exactly the things that carry a tag whose `todo` setting is not false.',
    },
  ]),
  ...requirementsOf('2.2', [
    { id: 'C-2.2-1', text: 'Tag settings MUST be a map from tag name to an object with `favorite`, a boolean.' },
    { id: 'C-2.2-2', text: '`color` MUST be the hex color that was set, or false for none.' },
    {
      id: 'C-2.2-3',
      text: 'A server MUST accept `todo` as a boolean, and MUST return it as false, "strike" or "dont-strike".',
    },
    { id: 'C-2.2-4', text: 'Settings of one tag MUST NOT affect another tag.' },
    {
      id: 'K-sync-18',
      basis: 'observed',
      text: 'A server MUST keep settings that are left out of a tag. It MUST store `todo` true as "strike", and MUST accept the two texts as they are. `color` MUST be false, `#rgb` or `#rrggbb`; a server MUST return it in lower case.',
    },
  ]),
  ...requirementsOf('2.3', [
    { id: 'C-2.3-1', text: '`pos` MUST be a number that a client can send later as `from`.' },
    { id: 'K-sync-20', basis: 'extension', text: 'A position MUST be a whole number below 2^53.' },
    {
      id: 'K-sync-21',
      basis: 'extension',
      text: 'A server MUST NOT return the same position again for a different state, even after a restart or the restore of a backup.',
      untested: 'The suite cannot restart a server.',
    },
  ]),
]

/** Section 3: states and transitions. */
export const stateRequirements = requirementsOf('3', [
  { id: 'C-3-1', text: 'A server MUST let a client archive a thing and unarchive it again.' },
  { id: 'C-3-2', text: 'The `todoStatus` of a todo MUST be true or false, as it was last set.' },
])

/** Section 4: common requirements of all operations, and the token endpoint. */
export const requestRequirements = [
  ...requirementsOf('4', [
    {
      id: 'K-request-2',
      basis: 'extension',
      text: 'A server MUST reject a content type that the operation does not take, with 415 `unsupported_media_type`.',
    },
    {
      id: 'K-request-3',
      basis: 'observed',
      text: 'A server MUST also read the query parameters of a POST. The body takes precedence.',
    },
    { id: 'K-request-4', basis: 'extension', text: 'A server MUST ignore unknown parameters.' },
    {
      id: 'K-request-6',
      basis: 'observed',
      text: 'A server MUST accept booleans as true, false, 1 or 0, quoted or not, in any letter case. Any other value MUST get `parameter_invalid`.',
    },
    {
      id: 'K-request-7',
      basis: 'observed',
      text: 'A server MUST accept numeric strings as numbers. Any other string MUST get `parameter_invalid`.',
    },
    {
      id: 'K-request-11',
      basis: 'extension',
      text: 'A server MUST accept JSON that is nested 32 levels deep, and MUST reject deeper JSON.',
    },
  ]),
  ...requirementsOf('4.2', [
    { id: 'C-4.2-1', text: 'The token endpoint MUST accept POST with a form body at `{base_url}token`.' },
  ]),
]

/** Section 4.1: the operations beside sync. */
export const operationRequirements = requirementsOf('4.1', [
  {
    id: 'K-tags-1',
    basis: 'observed',
    text: '`tags/get` MUST return `pos`, and absolute counts of things by tag in `favorite` and `other`. Both MUST be empty when `from` is the current position.',
  },
  { id: 'K-thing-1', basis: 'observed', text: '`thing/add` MUST create a thing and return it.' },
  {
    id: 'K-thing-2',
    basis: 'observed',
    text: '`thing/add` MUST use a title that is an HTTP URL as `url`. With `prevent_duplicate`, it MUST return the thing that already has the URL.',
  },
  {
    id: 'K-thing-3',
    basis: 'extension',
    text: '`thing/change` MUST change only the given fields, and MUST return the thing. `archived` MUST stay as it is when it is left out.',
  },
  { id: 'K-thing-4', basis: 'extension', text: '`thing/delete` MUST return the deleted `_id`.' },
  {
    id: 'K-thing-5',
    basis: 'observed',
    text: '`things/get` MUST list living things that are not archived; with `archived=include` also archived things, with `archived=true` only those. `tag`, `skip` and `limit` MUST narrow the list.',
  },
  { id: 'K-user-1', basis: 'extension', text: '`user/get` MUST return `username`, `date`, `pos` and `thingCount`.' },
  { id: 'K-user-2', basis: 'observed', text: '`test` MUST return the name of the user for GET and POST.' },
  {
    id: 'K-device-1',
    basis: 'observed',
    text: '`register/device` and `unregister/device`, under both names, MUST take `type` and `id`. The type `webpush` MUST have `endpoint`, `p256dh` and `auth`.',
  },
  {
    id: 'K-session-1',
    basis: 'extension',
    text: '`session/list` MUST show the sessions of the user without their tokens. `session/revoke` MUST end one of them.',
    untested: 'An extension; nothing in the interface needs it.',
  },
  {
    id: 'K-device-2',
    basis: 'extension',
    text: '`device/list` MUST show the devices of the user. `device/key` MUST return the public key for Web Push.',
    untested: 'An extension; nothing in the interface needs it.',
  },
  {
    id: 'K-preview-1',
    basis: 'extension',
    text: '`link/preview` MUST return `title`, `description`, `canonical_url` and `site_name` of the page at `url`, as plain text. It MUST leave out what the page does not say.',
  },
  {
    id: 'K-preview-2',
    basis: 'extension',
    text: '`link/preview` MUST decode a page by the charset of its header, its BOM or its `<meta>`.',
  },
  {
    id: 'K-preview-3',
    basis: 'extension',
    text: '`link/preview` MUST read only public unicast addresses, unless `link_preview_allow` names others. It MUST check each address of each redirect, and MUST connect to the checked addresses only.',
  },
  {
    id: 'K-preview-4',
    basis: 'extension',
    text: '`link/preview` MUST follow redirects. It MUST NOT send cookies, a referrer or anything of the user to the page.',
  },
  {
    id: 'K-preview-5',
    basis: 'extension',
    text: 'A page that cannot be read MUST get 422 `unavailable`, with a description for the user.',
  },
])
