import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address as it is shown to people and to programs that block it: an IPv4 address inside IPv6 is shown as IPv4. */
export const showAddress = (address: string): string =>
  isIP(address) === 0 ? 'unknown' : ipaddr.process(address).toString()

/**
 * What attempts from an address are counted under: the address for IPv4, the /64 for IPv6, of which one customer has
 * them all. Text that is no address has one key together.
 */
export const keyOfAddress = (address: string): string => {
  if (isIP(address) === 0) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4)
  return `${network.map((part) => part.toString(16)).join(':')}::/64`
}
