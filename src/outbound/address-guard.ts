import ipaddr from 'ipaddr.js'
import { parseUrl } from '../parse-url.ts'

/** Says if the server may send to a URL. The reason completes a sentence that begins with the name of the parameter. */
type UrlCheck = { readonly kind: 'allowed' } | { readonly kind: 'blocked'; readonly reason: string }

const allowed: UrlCheck = { kind: 'allowed' }
const block = (reason: string): UrlCheck => ({ kind: 'blocked', reason })

// `URL` removes line breaks and tabs silently, reads a backslash as a slash, replaces lone surrogates, and adds
// slashes. Other programs would call another host.
const isHttpUrl = (text: string): boolean =>
  !/[\s\p{Cc}\p{Cs}\\]/u.test(text) && /^https?:\/\/[^/]/i.test(text) && hasHost(parseUrl(text))

/** False where nothing can listen: no URL, port 0, or a name with an empty label (except the root label at the end). */
const hasHost = (url: URL | undefined): boolean =>
  url !== undefined && !/^\.|\.\./.test(url.hostname) && url.port !== '0'

/** True also for an empty user name, which `URL` drops. */
const hasUserInfo = (url: string): boolean => /^[^/]*\/\/[^/?#]*@/.test(url)

/** Returns the port of a URL: the default port of its scheme if the URL names none. */
export const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

const isLocalName = (host: string): boolean => /(^|\.)localhost$/.test(host)

const isAllowedHost = (host: string, port: number, rules: DeliveryRules): boolean => {
  const address = parseAddress(host)
  if (address !== undefined) return isPublicAddress(address) || rules.allowsAddress(address, port)
  return !isLocalName(host) || rules.allowsName(host, port)
}

/**
 * Checks a URL without a name lookup: http or https, no user name, and no port of another protocol. An IP address, in
 * any notation, must be public or allowed by the rules. The addresses of a name are checked when the server sends
 * (contract, delivery).
 */
export const checkUrl = (text: string, rules: DeliveryRules): UrlCheck => {
  if (!isHttpUrl(text)) return block('must be an absolute http or https URL')
  if (hasUserInfo(text)) return block('must not contain a user name or password')
  const url = new URL(text)
  const [host, port] = [plainHost(url.hostname), portOf(url)]
  if (blockedPorts.has(port) && !rules.opensPort(host, port)) {
    return block(
      `must not use port ${port}, which belongs to another protocol; the setting ${rules.setting} may name host and port`,
    )
  }
  if (isAllowedHost(host, port, rules)) return allowed
  return block(`must lead to the public internet, or to a host that the setting ${rules.setting} of this server names`)
}

/**
 * Ports of other protocols: their servers could read a request as an email or a command. Browsers block the same ports
 * (Fetch Standard, port blocking).
 */
const blockedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** The destinations outside the public internet that requests may reach, and the blocked ports that they may use. */
export interface DeliveryRules {
  /** The setting that lists them, for errors: `delivery_allow` or `link_preview_allow`. */
  readonly setting: string
  /** True for a listed name. It is trusted with each address that it resolves to. */
  readonly allowsName: (name: string, port: number) => boolean
  /** True for an address in a listed network. */
  readonly allowsAddress: (address: IpAddress, port: number) => boolean
  /** True for a host that is listed with this port. A network or a host without a port opens no blocked port. */
  readonly opensPort: (host: string, port: number) => boolean
}

interface Entry {
  readonly name?: string
  readonly network?: readonly [IpAddress, number]
  readonly port?: number
}

/** Returns a host name of `URL` without the final dot of the root and without brackets. */
export const plainHost = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const readNetwork = (text: string): Entry | undefined => {
  const [address = '', bits = ''] = text.split('/')
  const parsed = parseAddress(address)
  // `parseAddress` has turned an IPv4-mapped address into IPv4, and the prefix length would no longer fit.
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
  // `URL` reads 10 as 0.0.0.10.
  if (address !== undefined) return parseAddress(plainHost(host)) && { ...toEntry(address), ...port }
  return /^[\w-]+(\.[\w-]+)*$/.test(name) ? { name, ...port } : undefined
}

const readEntry = (text: string): Entry | undefined => (text.includes('/') ? readNetwork(text) : readHost(text))

const contains = ([network, bits]: readonly [IpAddress, number], address: IpAddress): boolean => {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits)
  return address instanceof ipaddr.IPv6 && address.match(network, bits)
}

/** True for a valid entry of such a setting: a host, `host:port`, an IP address, or a network like `10.0.0.0/8`. */
export const isDeliveryTarget = (text: string): boolean => readEntry(text) !== undefined

/**
 * Creates the rules from the entries of a setting, by default `delivery_allow`. Without entries only the public internet
 * is allowed.
 * @throws TypeError for an entry that `isDeliveryTarget` does not accept
 */
export const createDeliveryRules = (targets: readonly string[] = [], setting = 'delivery_allow'): DeliveryRules => {
  const entries = targets.map((target) => {
    const entry = readEntry(target)
    if (entry === undefined) throw new TypeError(`${setting}: ${target} is neither a host nor a network`)
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
  return { setting, allowsName, allowsAddress, opensPort }
}

/** A parsed IP address, version 4 or 6. */
type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** In a public range, but served by the cloud's host, which trusts requests from inside the cloud. */
const cloudAddresses: ReadonlySet<string> = new Set(['168.63.129.16'])

/**
 * Parses an IP address from a URL or a resolver. An IPv4-mapped IPv6 address becomes its IPv4 address, because the
 * system connects there. Undefined if the text is no address, for other notations of IPv4, and for addresses with a
 * zone, which mean something else on each machine.
 */
export const parseAddress = (text: string): IpAddress | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return undefined
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/**
 * True for public unicast addresses only. An address with the well-known NAT64 prefix (RFC 6052) counts as its embedded
 * IPv4 address, because networks without IPv4 reach all IPv4 hosts through it. The prefix for local use (RFC 8215) is
 * not public: only its network knows the position of the embedded address.
 */
export const isPublicAddress = (address: IpAddress): boolean => {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' && !cloudAddresses.has(address.toString())
  if (address.match(nat64)) return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)))
  // The package does not know each unassigned range, but IANA has assigned global unicast addresses in this block only.
  return address.match(globalUnicast) && address.range() === 'unicast'
}
