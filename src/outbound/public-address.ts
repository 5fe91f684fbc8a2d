import ipaddr from 'ipaddr.js'

/** An address of either kind, parsed. */
export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** In a public range, but answered by the cloud's own machine: what runs there trusts whoever asks from within. */
const cloudAddresses: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Parses what a URL or a resolver gives: the inner address of one that is mapped into IPv6, because that is where the
 * system connects to. Undefined for what is no address, for other notations of IPv4, and for addresses with a zone, which
 * mean something else on each machine.
 */
export const parseAddress = (text: string): IpAddress | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/**
 * True for public unicast only. An address of the well-known NAT64 prefix (RFC 6052) is what its inner one is, because
 * networks without IPv4 reach everything by it. The prefix for local use (RFC 8215) is not public: where in it the inner
 * address stands is known to its network only.
 */
export const isPublicAddress = (address: IpAddress): boolean => {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !cloudAddresses.has(address.toString())
  if (address.match(nat64)) return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)))
  // Not all that the registry has left free is known to the package, but nothing beside this block was given out.
  return address.match(globalUnicast) && address.range() === 'unicast'
}
