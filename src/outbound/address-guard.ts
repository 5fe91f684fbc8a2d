import ipaddr from 'ipaddr.js'
import { parseUrl } from '../parse-url.ts'

/** Whether something may be sent to an address; the reason completes the sentence "target_url …". */
type UrlCheck = { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly reason: string }

const allowed: UrlCheck = { kind: 'allowed' }
const reject = (reason: string): UrlCheck => ({ kind: 'refused', reason })

// URL takes line breaks and tabs out of an address without a word, reads a backslash as a slash and half a character as
// another one, and adds slashes: other programs would call another host.
const isHttpUrl = (text: string): boolean =>
  !/[\s\p{Cc}\p{Cs}\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text) && hasHost(parseUrl(text))

/** False where nothing can listen: no address, a name with an empty label, but for the root's at its end, and port 0. */
const hasHost = (url: URL | undefined): boolean =>
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
export const checkUrl = (text: string, rules: DeliveryRules): UrlCheck => {
  if (!isHttpUrl(text)) return reject('must be an absolute http or https address')
  if (namesUser(text)) return reject('must not hold a user name or password')
  const url = new URL(text)
  const [host, port] = [plainHost(url.hostname), portOf(url)]
  if (blockedPorts.has(port) && !rules.opensPort(host, port)) {
    return reject(
      `must not use port ${port}, which is another protocol's; the setting delivery_allow may name host and port`,
    )
  }
  if (mayLeadTo(host, port, rules)) return allowed
  return reject('must lead to the public internet, or to a host that the setting delivery_allow of this server names')
}

/**
 * Ports of other protocols: what is sent to them could be taken for a mail or a command. The list is the one that browsers
 * keep to (Fetch Standard, port blocking).
 */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** Where deliveries may go beside the public internet, and by which ports that are otherwise refused. */
export interface DeliveryRules {
  /** A name that is listed is trusted wherever it leads. */
  readonly allowsName: (name: string, port: number) => boolean
  readonly allowsAddress: (address: IpAddress, port: number) => boolean
  /** True for a host that is listed with this port; a network or a host alone opens none that is refused. */
  readonly opensPort: (host: string, port: number) => boolean
}

interface Entry {
  readonly name?: string
  readonly network?: readonly [IpAddress, number]
  readonly port?: number
}

/** A host as URL gives it, without the dot of the root at its end and without brackets. */
export const plainHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const readNetwork = (text: string): Entry | undefined => {
  const [address = '', bits = ''] = text.split('/')
  const parsed = parseAddress(address)
  // One that is mapped into IPv6 is IPv4 by now: its bits would be counted from elsewhere.
  if (parsed === undefined || (parsed.kind() === 'ipv4') === address.includes(':')) return undefined
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (parsed.kind() === 'ipv4' ? 32 : 128)) return undefined
  return { network: [parsed, Number(bits)] }
}

const toEntry = (address: IpAddress): Entry => ({ network: [address, address.kind() === 'ipv4' ? 32 : 128] })

const readHost = (text: string): Entry | undefined => {
  const bare = parseAddress(text)
  if (bare !== undefined) return toEntry(bare)
  const [, host = '', portText] = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]%]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  const port = portText === undefined ? {} : { port: Number(portText) }
  if (port.port === 0 || (port.port ?? 1) > 65_535 || parseUrl(`http://${host}`) === undefined) return undefined
  const name = plainHost(new URL(`http://${host}`).hostname)
  const address = parseAddress(name)
  // URL takes 10 for 0.0.0.10.
  if (address !== undefined) return parseAddress(plainHost(host)) && { ...toEntry(address), ...port }
  return /^[\w-]+(\.[\w-]+)*$/.test(name) ? { name, ...port } : undefined
}

const readEntry = (text: string): Entry | undefined => (text.includes('/') ? readNetwork(text) : readHost(text))

const contains = ([network, bits]: readonly [IpAddress, number], address: IpAddress): boolean => {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits)
  return address instanceof ipaddr.IPv6 && address.match(network, bits)
}

/** True for what `delivery_allow` takes: a host, `host:port`, an address, or a network like `10.0.0.0/8`. */
export const isDeliveryTarget = (text: string): boolean => readEntry(text) !== undefined

/**
 * Makes rules of what the setting `delivery_allow` lists; of nothing by default.
 * @throws TypeError when an entry is none that isDeliveryPlace takes
 */
export const createDeliveryRules = (places: readonly string[] = []): DeliveryRules => {
  const entries = places.map((place) => {
    const entry = readEntry(place)
    if (entry === undefined) throw new TypeError(`delivery_allow: ${place} is neither a host nor a network`)
    return entry
  })
  const isFor = (entry: Entry, port: number) => entry.port === undefined || entry.port === port
  const allowsName = (name: string, port: number) => entries.some((entry) => entry.name === name && isFor(entry, port))
  const allowsAddress = (address: IpAddress, port: number) =>
    entries.some((entry) => entry.network !== undefined && contains(entry.network, address) && isFor(entry, port))
  const opensPort = (host: string, port: number) => {
    const address = parseAddress(host)
    return entries
      .filter((entry) => entry.port === port)
      .some(({ name, network }) => (network ? address !== undefined && contains(network, address) : name === host))
  }
  return { allowsName, allowsAddress, opensPort }
}

/** An address of either kind, parsed. */
type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

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
