import type { OutboundRequest } from './create-outbound.ts'
import { encryptPush, type PushKeys } from './encrypt-push.ts'
import { authorizePush, type VapidKeys } from './vapid.ts'

/** What is told to a device. */
export interface PushMessage {
  readonly endpoint: string
  readonly keys: PushKeys
  readonly message: string
  /** What waits for the device under the same topic is replaced: at most 32 letters, digits, `-` and `_` (RFC 8030, 5.4). */
  readonly topic: string
  readonly vapid: VapidKeys
  /** An address, `mailto:` or `https:`, by which the push service's people reach ours. */
  readonly contact?: string
  readonly now: number
}

const daySeconds = 24 * 60 * 60

/**
 * Makes the request that tells a device something: encrypted, with who sends it, kept by the push service for a day.
 * @throws RangeError when the message is too long or the topic none, TypeError when the keys are none
 */
export const createPush = ({ endpoint, keys, message, topic, vapid, contact, now }: PushMessage): OutboundRequest => {
  if (!/^[\w-]{1,32}$/.test(topic)) throw new RangeError(`${topic} is no topic`)
  const headers = {
    authorization: authorizePush(endpoint, vapid, now, contact),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    ttl: String(daySeconds),
    topic,
    urgency: 'normal',
  }
  return { url: endpoint, headers, body: encryptPush(message, keys) }
}
