import { lookup, Resolver } from 'node:dns/promises'

/** Finds the addresses of a name, both kinds; none when there is no such name or nobody answers. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** A name server that is silent costs 2 s and 4 s, so that the one beside it still has its turn. */
const patience = { timeout: 2_000, tries: 2 }

const isDnsError = (error: unknown): boolean => error instanceof Error && 'code' in error && 'syscall' in error

const emptyWhenUnknown = async (addresses: Promise<readonly string[]>): Promise<readonly string[]> => {
  try {
    return await addresses
  } catch (error) {
    if (isDnsError(error)) return []
    throw error
  }
}

/**
 * Asks the name servers of the system, and not its look-up: that one waits in one of two threads of the process for as
 * long as a name server likes, so that a few names of somebody who means harm would keep all others waiting.
 */
export const createResolveName =
  (servers?: readonly string[]): ResolveName =>
  async (name, signal) => {
    // One for each question: it can be given up alone, and it knows name servers that were changed since.
    const resolver = new Resolver(patience)
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const both = [resolver.resolve4(name), resolver.resolve6(name)]
      return (await Promise.all(both.map(emptyWhenUnknown))).flat()
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

/** The look-up of the system, which knows the hosts file too: for names that the operator has listed. */
export const lookUpName: ResolveName = async (name) => {
  const found = lookup(name, { all: true }).then((addresses) => addresses.map(({ address }) => address))
  return emptyWhenUnknown(found)
}
