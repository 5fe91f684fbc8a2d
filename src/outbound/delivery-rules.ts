import ipaddr from 'ipaddr.js'
import { parseUrl } from '../parse-url.ts'
import { type IpAddress, parseAddress } from './public-address.ts'

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

const ofAddress = (address: IpAddress): Entry => ({ network: [address, address.kind() === 'ipv4' ? 32 : 128] })

const readHost = (text: string): Entry | undefined => {
  const bare = parseAddress(text)
  if (bare !== undefined) return ofAddress(bare)
  const [, host = '', portText] = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]%]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  const port = portText === undefined ? {} : { port: Number(portText) }
  if (port.port === 0 || (port.port ?? 1) > 65_535 || parseUrl(`http://${host}`) === undefined) return undefined
  const name = plainHost(new URL(`http://${host}`).hostname)
  const address = parseAddress(name)
  // URL takes 10 for 0.0.0.10.
  if (address !== undefined) return parseAddress(plainHost(host)) && { ...ofAddress(address), ...port }
  return /^[\w-]+(\.[\w-]+)*$/.test(name) ? { name, ...port } : undefined
}

const readEntry = (text: string): Entry | undefined => (text.includes('/') ? readNetwork(text) : readHost(text))

const contains = ([network, bits]: readonly [IpAddress, number], address: IpAddress): boolean => {
  if (network instanceof ipaddr.IPv4) return address instanceof ipaddr.IPv4 && address.match(network, bits)
  return address instanceof ipaddr.IPv6 && address.match(network, bits)
}

/** True for what `delivery_allow` takes: a host, `host:port`, an address, or a network like `10.0.0.0/8`. */
export const isDeliveryPlace = (text: string): boolean => readEntry(text) !== undefined

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
