import { Refused } from '../refused.ts'

const invalid = (parameter: string, reason: string) => new Refused('parameterInvalid', { parameter, reason })

// URL takes line breaks and tabs out of an address without a word, reads a backslash as a slash and half a character as
// another one, and adds slashes: other programs would call another host.
const isAddress = (text: string): boolean =>
  !/[\s\p{Cc}\p{Cs}\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text) && URL.canParse(text) && hasPlace(new URL(text))

/** False where nothing can listen: a name with an empty label, but for the root's at its end, and port 0. */
const hasPlace = ({ hostname, port }: URL): boolean => !/^\.|\.\./.test(hostname) && port !== '0'

/** Also of an empty user name, which URL drops. */
const namesUser = (address: string): boolean => /^[^/]*\/\/[^/?#]*@/.test(address)

/** @throws Refused `parameterInvalid` when nothing can be called at the address */
export const refuseBadAddress = (parameter: string, address: string): void => {
  if (!isAddress(address)) throw invalid(parameter, 'must be an absolute http or https address')
  if (namesUser(address)) throw invalid(parameter, 'must not hold a user name or password')
}
