import { parseUrl } from '../parse-url.ts'
import { type DeliveryRules, plainHost } from './delivery-rules.ts'
import { isPublicAddress, parseAddress } from './public-address.ts'
import { refusedPorts } from './refused-ports.ts'

/** Whether something may be sent to an address; the reason completes the sentence "target_url …". */
export type Verdict = { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly reason: string }

const allowed: Verdict = { kind: 'allowed' }
const refuse = (reason: string): Verdict => ({ kind: 'refused', reason })

// URL takes line breaks and tabs out of an address without a word, reads a backslash as a slash and half a character as
// another one, and adds slashes: other programs would call another host.
const isAddress = (text: string): boolean =>
  !/[\s\p{Cc}\p{Cs}\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text) && hasPlace(parseUrl(text))

/** False where nothing can listen: no address, a name with an empty label, but for the root's at its end, and port 0. */
const hasPlace = (url: URL | undefined): boolean =>
  url !== undefined && !/^\.|\.\./.test(url.hostname) && url.port !== '0'

/** Also of an empty user name, which URL drops. */
const namesUser = (address: string): boolean => /^[^/]*\/\/[^/?#]*@/.test(address)

/** The port that an address leads to. */
export const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

const isLocalName = (host: string): boolean => /(^|\.)localhost$/.test(host)

const mayLeadTo = (host: string, port: number, rules: DeliveryRules): boolean => {
  const address = parseAddress(host)
  if (address !== undefined) return isPublicAddress(address) || rules.allowsAddress(address, port)
  return !isLocalName(host) || rules.allowsName(host, port)
}

/**
 * Judges where something is to be sent to, without asking anybody: http and https, no user name, no port of another
 * protocol, and in any notation no address but public ones and those that the rules allow. What a name leads to is judged
 * when something is sent (contract, delivery).
 */
export const judgeAddress = (text: string, rules: DeliveryRules): Verdict => {
  if (!isAddress(text)) return refuse('must be an absolute http or https address')
  if (namesUser(text)) return refuse('must not hold a user name or password')
  const url = new URL(text)
  const [host, port] = [plainHost(url.hostname), portOf(url)]
  if (refusedPorts.has(port) && !rules.opensPort(host, port)) {
    return refuse(
      `must not use port ${port}, which is another protocol's; the setting delivery_allow may name host and port`,
    )
  }
  if (mayLeadTo(host, port, rules)) return allowed
  return refuse('must lead to the public internet, or to a host that the setting delivery_allow of this server names')
}
