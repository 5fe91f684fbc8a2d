import type { Origin } from '../store/registry/registry.ts'
import { showAddress } from './address-key.ts'

const mostUserAgentCharacters = 200

/**
 * Where a request came from, as it is kept and shown to the user whose session it is. What a program says of itself may be
 * anything: it is cut short, and a character that is not printable becomes a question mark.
 */
export const describeOrigin = (address: string, userAgent: string | undefined): Origin => {
  const shown = (userAgent ?? '')
    .slice(0, mostUserAgentCharacters)
    .replace(/[\p{C}\u2028\u2029]/gu, '?')
    .trim()
  return { address: showAddress(address), ...(shown === '' ? {} : { userAgent: shown }) }
}
