import { readFile } from 'node:fs/promises'
import { SocketAddress } from 'node:net'

/** Names the other side of a connection. */
export const nameOfPeer = (address: string | undefined, port: number | undefined): string => `${address} ${port}`

const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
// Of those that are established and have something in their queue: both ports, the address of the other side, the queue.
const line = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) 01 (?!0{8})([0-9A-F]{8}):/gm

const readTable = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    // Not Linux, without IPv6, or not mounted here: then it is not known.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')) return ''
    throw error
  }
}

/** The kernel shows an address in words of four bytes, each as the number that this machine reads there. */
const showAddress = (hex: string): string => {
  const words = Buffer.from(hex, 'hex')
  const bytes = new Uint16Array(new Uint8Array([1, 0]).buffer)[0] === 1 ? words.swap32() : words
  if (bytes.length === 4) return bytes.join('.')
  const address = bytes.toString('hex').replace(/.{4}(?!$)/g, '$&:')
  return new SocketAddress({ address, family: 'ipv6' }).address
}

/**
 * How many bytes the other sides of our connections have not acknowledged, where it is any, by `nameOfPeer`. Only the kernel
 * knows, and only Linux tells; elsewhere nothing is known.
 */
export const listUnacknowledged = async (ourPort: number): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  for (const path of tables) {
    for (const [, local = '', address = '', port = '', queue = ''] of (await readTable(path)).matchAll(line)) {
      if (Number.parseInt(local, 16) !== ourPort) continue
      found.set(nameOfPeer(showAddress(address), Number.parseInt(port, 16)), Number.parseInt(queue, 16))
    }
  }
  return found
}
