import type { DeliveryRules } from './delivery-rules.ts'
import { judgeAddress } from './judge-address.ts'
import { readP256dh, readPushAuth } from './push-keys.ts'

/** Judges what a client names to be called: what is wrong with it, as the end of a sentence, or undefined. */
export interface SubscriptionGuard {
  /** An address to send to. */
  readonly findAddressFault: (address: string) => string | undefined
  /** The public key of a browser or a phone (RFC 8291). */
  readonly findP256dhFault: (p256dh: string) => string | undefined
  /** The secret that it shares with whom it lets send (RFC 8291). */
  readonly findAuthFault: (auth: string) => string | undefined
}

/** Makes what judges webhooks and devices when they are registered: what is wrong, as the end of a sentence. */
export const createSubscriptionGuard = (rules: DeliveryRules) => ({
  findAddressFault: (address: string): string | undefined => {
    const verdict = judgeAddress(address, rules)
    return verdict.kind === 'refused' ? verdict.reason : undefined
  },
  findP256dhFault: (p256dh: string): string | undefined =>
    readP256dh(p256dh) ? undefined : 'must be a point of the curve P-256, uncompressed, as base64url',
  findAuthFault: (auth: string): string | undefined =>
    readPushAuth(auth) ? undefined : 'must be 16 bytes as base64url',
})
