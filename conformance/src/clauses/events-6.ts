import { clausesOf } from './clause.ts'

/** Section 6: events. */
export const eventClauses = clausesOf('6', [
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
    basis: 'ours',
    text: 'Deliveries are signed as Standard Webhooks 1.0 has it, with a secret of the user, app, address and event that is shown once.',
  },
  {
    id: 'K-hook-3',
    basis: 'ours',
    text: 'A delivery is `{"type", "timestamp", "data"}`; `data` has `pos`, at most 500 `ids` (else `truncated`), and `things` while the body stays under 16 KiB and nothing was deleted.',
  },
  {
    id: 'K-hook-10',
    basis: 'ours',
    text: 'A webhook is told of changes of its own user that its event names, and that were made after it was registered; `any` names all.',
  },
  {
    id: 'K-hook-4',
    basis: 'ours',
    text: 'One request is under way for a webhook; what waits is merged, and no position is skipped.',
  },
  {
    id: 'K-hook-5',
    basis: 'ours',
    text: '2xx is success; 3xx is a failure and not followed; 410 unregisters; 429, 502, 503, 504 and `Retry-After` slow down.',
  },
  {
    id: 'K-hook-6',
    basis: 'ours',
    text: 'What failed is tried again after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours; then the webhook rests, and its owner sees why.',
  },
  {
    id: 'K-hook-7',
    basis: 'ours',
    text: 'A write and what has to be told of it are one durable step: it is told at least once, also after a crash.',
  },
  {
    id: 'K-hook-8',
    basis: 'ours',
    text: 'Only public unicast addresses are called, at registration and at each delivery, unless `delivery_allow` names others.',
  },
  {
    id: 'K-hook-9',
    basis: 'ours',
    text: '`webhook/list` shows the webhooks with their last success and failure and without secrets; a user has at most 20.',
  },
  {
    id: 'K-push-1',
    basis: 'ours',
    text: 'A webpush device gets `{"pos": N}`, encrypted (RFC 8291), with one topic and a day to live; the session that made the change is not told.',
  },
  {
    id: 'K-push-2',
    basis: 'ours',
    text: '404 and 410 of the push service remove the device; the same id again updates it; devices go with their session.',
  },
  {
    id: 'K-push-3',
    basis: 'ours',
    text: 'Devices of another type are kept, and answered with `"delivered": false`.',
  },
  {
    id: 'K-push-4',
    basis: 'ours',
    text: "`device/list` shows the user's devices, and never their addresses and keys.",
  },
  {
    id: 'K-push-5',
    basis: 'ours',
    text: '`device/key` answers the public key of the server for Web Push as `key`: made once, 65 bytes as base64url.',
  },
  {
    id: 'K-live-1',
    basis: 'ours',
    text: '`sync/events` is an event stream: the position at once and after each change, a comment every 25 s, until the token ends.',
  },
  {
    id: 'K-live-2',
    basis: 'ours',
    text: '`GET sync` with `wait` answers as soon as there is something after `from`, and empty after so many seconds (1 to 60). Where everything is asked for and nothing ever was, it may do so at once.',
  },
  {
    id: 'K-live-3',
    basis: 'ours',
    text: 'At most 10 requests of a session wait at a time, streams among them; a change of the same session wakes none of them.',
  },
])
