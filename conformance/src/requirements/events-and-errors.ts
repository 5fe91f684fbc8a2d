import { requirementsOf } from '../rule.ts'

/** Section 6: events. */
export const eventRequirements = requirementsOf('6', [
  {
    id: 'C-6-1',
    level: 'should',
    text: 'A server SHOULD let clients register and remove webhooks.',
    untested: 'Shapes, payloads and delivery are not shown (K-hook-1 for the profile full).',
  },
  {
    id: 'K-hook-1',
    basis: 'observed',
    text: '`webhook/register` and `webhook/unregister` MUST take `target_url` and `event`.',
  },
  {
    id: 'K-hook-2',
    basis: 'extension',
    text: 'A server MUST sign deliveries as in Standard Webhooks 1.0. The secret belongs to the user, app, URL and event, and MUST be shown once.',
  },
  {
    id: 'K-hook-3',
    basis: 'extension',
    text: 'A delivery MUST be `{"type", "timestamp", "data"}`. `data` MUST have `pos`, and at most 500 `ids` (else `truncated`). It MUST have `things` while the body stays under 16 KiB and nothing was deleted.',
  },
  {
    id: 'K-hook-10',
    basis: 'extension',
    text: 'A server MUST notify a webhook of changes of its own user that its event names, and that were made after its registration. The event `any` names all changes.',
  },
  {
    id: 'K-hook-4',
    basis: 'extension',
    text: 'A server MUST have only one request under way for a webhook. It MUST coalesce what waits, and MUST NOT skip a position.',
  },
  {
    id: 'K-hook-5',
    basis: 'extension',
    text: '2xx MUST count as success. 3xx MUST count as a failure, and MUST NOT be followed. 410 MUST unregister the webhook. 429, 502, 503, 504 and `Retry-After` MUST slow deliveries down.',
  },
  {
    id: 'K-hook-6',
    basis: 'extension',
    text: 'A server MUST retry a failed delivery after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours. Then it MUST suspend the webhook, and MUST show its owner why.',
  },
  {
    id: 'K-hook-7',
    basis: 'extension',
    text: 'A write and its outbox entries MUST be one durable step. A server MUST notify at least once, even after a crash.',
  },
  {
    id: 'K-hook-8',
    basis: 'extension',
    text: 'A server MUST call only public unicast addresses, unless `delivery_allow` names others. It MUST check them at registration and at each delivery.',
  },
  {
    id: 'K-hook-9',
    basis: 'extension',
    text: '`webhook/list` MUST show the webhooks with their last success and failure and without secrets. A user MUST NOT have more than 20 webhooks.',
  },
  {
    id: 'K-push-1',
    basis: 'extension',
    text: 'A `webpush` device MUST get `{"pos": N}`, encrypted (RFC 8291), with one topic and a TTL of one day. The session that made the change MUST NOT be notified.',
  },
  {
    id: 'K-push-2',
    basis: 'extension',
    text: '404 and 410 of the push service MUST remove the device. The same ID again MUST update it. Devices MUST end with their session.',
  },
  {
    id: 'K-push-3',
    basis: 'extension',
    text: 'A server MUST store devices of another type, and MUST respond with `"delivered": false`.',
  },
  {
    id: 'K-push-4',
    basis: 'extension',
    text: "`device/list` MUST show the user's devices. It MUST NOT show their endpoints and keys.",
  },
  {
    id: 'K-push-5',
    basis: 'extension',
    text: '`device/key` MUST return the public key of the server for Web Push as `key`: created once, 65 bytes as base64url.',
  },
  {
    id: 'K-live-1',
    basis: 'extension',
    text: '`sync/events` MUST be an event stream: the position at once and after each change, a comment every 25 s, until the token ends.',
  },
  {
    id: 'K-live-2',
    basis: 'extension',
    text: '`GET sync` with `wait` MUST respond as soon as there is something after `from`, and empty after so many seconds (1 to 60). A full sync of an account that never contained anything MAY respond at once.',
  },
  {
    id: 'K-live-3',
    basis: 'extension',
    text: 'A server MUST let at most 10 requests of a session wait at a time, streams included. A change of the same session MUST NOT end their wait.',
  },
])

/** Section 7: errors. */
export const errorRequirements = requirementsOf('7', [
  { id: 'C-7-1', text: 'An error MUST be a JSON object with the strings `error` and `error_description`.' },
  {
    id: 'C-7-2',
    text: 'An expired or invalid access token MUST get the error `invalid_grant` with the description "The access token provided is invalid".',
  },
  {
    id: 'K-error-1',
    basis: 'extension',
    text: 'A bad parameter MUST get 400 `parameter_invalid`, and the description MUST name it.',
  },
  {
    id: 'K-error-2',
    basis: 'extension',
    text: 'An unknown `_id` in `thing/change` and `thing/delete` MUST get 404 `not_found`.',
  },
  {
    id: 'K-error-3',
    basis: 'extension',
    text: 'An unknown operation MUST get 404 `not_found`. A wrong method MUST get 405 `method_not_allowed` with `Allow`.',
  },
  {
    id: 'K-error-4',
    basis: 'extension',
    text: 'A body that is too large, or too many things, MUST get 413 `too_large`.',
  },
  {
    id: 'K-error-5',
    basis: 'extension',
    text: 'Too many failed attempts at the token endpoint MUST get 429 `slow_down` with `Retry-After`.',
    untested: 'It would lock the account of the run.',
  },
  {
    id: 'K-error-7',
    basis: 'extension',
    text: 'A store that fails MUST lead to 503 `temporarily_unavailable` with `Retry-After`. A bug MUST lead to 500 `server_error`.',
    untested: 'It cannot be provoked from outside.',
  },
  {
    id: 'K-error-8',
    basis: 'extension',
    text: 'A server MUST apply a request completely or not at all. With any error in it, a server MUST NOT apply any part of it.',
  },
  {
    id: 'K-error-9',
    basis: 'extension',
    text: 'A server MAY limit the tags with settings of an account. An upload that would exceed the limit MUST get 413 `too_large`, and the description MUST name the limit.',
    untested: 'It would leave thousands of tag names in the account of the run, where they count against the limit.',
  },
])

/** Section 8: limits. */
export const limitRequirements = requirementsOf('8', [
  { id: 'C-8-1', text: 'The validity of an access token MUST be the `expires_in` of its response.' },
])

/** Section 9: versioning. */
export const versioningRequirements = requirementsOf('9', [
  {
    id: 'C-9-1',
    text: 'The base URL MUST end in the version segment `/v1/`.',
    untested: 'The suite gets the base URL as an option; every rule uses it.',
  },
])
