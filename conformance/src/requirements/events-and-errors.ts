import { requirementsOf } from '../rule.ts'

/** Section 6: events. */
export const eventRequirements = requirementsOf('6', [
  {
    id: 'C-6-1',
    level: 'should',
    text: 'Clients can register and remove webhooks.',
    untested: 'Shapes, payloads and delivery are not shown (K-hook-1 for the profile full).',
  },
  {
    id: 'K-hook-1',
    basis: 'observed',
    text: '`webhook/register` and `webhook/unregister` take `target_url` and `event`.',
  },
  {
    id: 'K-hook-2',
    basis: 'extension',
    text: 'Deliveries are signed as Standard Webhooks 1.0 has it, with a secret of the user, app, address and event that is shown once.',
  },
  {
    id: 'K-hook-3',
    basis: 'extension',
    text: 'A delivery is `{"type", "timestamp", "data"}`; `data` has `pos`, at most 500 `ids` (else `truncated`), and `things` while the body stays under 16 KiB and nothing was deleted.',
  },
  {
    id: 'K-hook-10',
    basis: 'extension',
    text: 'A webhook is told of changes of its own user that its event names, and that were made after it was registered; `any` names all.',
  },
  {
    id: 'K-hook-4',
    basis: 'extension',
    text: 'One request is under way for a webhook; what waits is merged, and no position is skipped.',
  },
  {
    id: 'K-hook-5',
    basis: 'extension',
    text: '2xx is success; 3xx is a failure and not followed; 410 unregisters; 429, 502, 503, 504 and `Retry-After` slow down.',
  },
  {
    id: 'K-hook-6',
    basis: 'extension',
    text: 'What failed is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours; then the webhook rests, and its owner sees why.',
  },
  {
    id: 'K-hook-7',
    basis: 'extension',
    text: 'A write and what has to be told of it are one durable step: it is told at least once, also after a crash.',
  },
  {
    id: 'K-hook-8',
    basis: 'extension',
    text: 'Only public unicast addresses are called, at registration and at each delivery, unless `delivery_allow` names others.',
  },
  {
    id: 'K-hook-9',
    basis: 'extension',
    text: '`webhook/list` shows the webhooks with their last success and failure and without secrets; a user has at most 20.',
  },
  {
    id: 'K-push-1',
    basis: 'extension',
    text: 'A webpush device gets `{"pos": N}`, encrypted (RFC 8291), with one topic and a day to live; the session that made the change is not told.',
  },
  {
    id: 'K-push-2',
    basis: 'extension',
    text: '404 and 410 of the push service remove the device; the same id again updates it; devices go with their session.',
  },
  {
    id: 'K-push-3',
    basis: 'extension',
    text: 'Devices of another type are kept, and answered with `"delivered": false`.',
  },
  {
    id: 'K-push-4',
    basis: 'extension',
    text: "`device/list` shows the user's devices, and never their addresses and keys.",
  },
  {
    id: 'K-push-5',
    basis: 'extension',
    text: '`device/key` answers the public key of the server for Web Push as `key`: made once, 65 bytes as base64url.',
  },
  {
    id: 'K-live-1',
    basis: 'extension',
    text: '`sync/events` is an event stream: the position at once and after each change, a comment every 25 s, until the token ends.',
  },
  {
    id: 'K-live-2',
    basis: 'extension',
    text: '`GET sync` with `wait` answers as soon as there is something after `from`, and empty after so many seconds (1 to 60). Where everything is asked for and nothing ever was, it may do so at once.',
  },
  {
    id: 'K-live-3',
    basis: 'extension',
    text: 'At most 10 requests of a session wait at a time, streams among them; a change of the same session wakes none of them.',
  },
])

/** Section 7: errors. */
export const errorRequirements = requirementsOf('7', [
  { id: 'C-7-1', text: 'An error is a JSON object with the strings `error` and `error_description`.' },
  {
    id: 'C-7-2',
    text: 'An expired or invalid access token gets the error `invalid_grant` with the description "The access token provided is invalid".',
  },
  {
    id: 'K-error-1',
    basis: 'extension',
    text: 'A bad parameter is 400 `parameter_invalid`, and the description names it.',
  },
  {
    id: 'K-error-2',
    basis: 'extension',
    text: 'An unknown `_id` in `thing/change` and `thing/delete` is 404 `not_found`.',
  },
  {
    id: 'K-error-3',
    basis: 'extension',
    text: 'An unknown operation is 404 `not_found`; a wrong method is 405 `method_not_allowed` with `Allow`.',
  },
  { id: 'K-error-4', basis: 'extension', text: 'A body that is too large, or too many things, is 413 `too_large`.' },
  {
    id: 'K-error-5',
    basis: 'extension',
    text: 'Too many failed attempts at the token endpoint are 429 `slow_down` with `Retry-After`.',
    untested: 'It would lock the account of the run.',
  },
  {
    id: 'K-error-7',
    basis: 'extension',
    text: 'A store that fails is 503 `temporarily_unavailable` with `Retry-After`; a bug is 500 `server_error`.',
    untested: 'It cannot be provoked from outside.',
  },
  {
    id: 'K-error-8',
    basis: 'extension',
    text: 'A request is all or nothing: with any error in it nothing of it is applied.',
  },
  {
    id: 'K-error-9',
    basis: 'extension',
    text: 'A server may limit the tags with settings of an account. An upload that would exceed the limit is 413 `too_large`, and the description names the limit.',
    untested: 'It would leave thousands of tag names in the account of the run, where they count against the limit.',
  },
])

/** Section 8: limits. */
export const limitRequirements = requirementsOf('8', [
  { id: 'C-8-1', text: 'The validity of an access token is the `expires_in` of its answer.' },
])

/** Section 9: versioning. */
export const versioningRequirements = requirementsOf('9', [
  {
    id: 'C-9-1',
    text: 'The base address ends in the version segment `/v1/`.',
    untested: 'The suite gets the base URL as an option; every rule uses it.',
  },
])
