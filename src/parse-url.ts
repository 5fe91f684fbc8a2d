// Browsers and libraries accept longer hosts, but a host name in the DNS has at most 253 characters.
const maxHostLength = 1_024

/**
 * True when the host is too long to parse: characters outside ASCII are encoded with Punycode (RFC 3492), which takes
 * quadratic time. Only URLs with the special schemes of the URL Standard have such a host.
 */
const hasLongHost = (text: string): boolean => {
  if (text.length <= maxHostLength) return false
  // The parser drops these characters everywhere.
  const bare = text.replace(/[\t\n\r]/g, '')
  const [, authority = ''] = /^[\0- ]*(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i.exec(bare) ?? []
  return authority.length - (authority.lastIndexOf('@') + 1) > maxHostLength
}

/** Parses an absolute URL; undefined when it is invalid or its host has more than 1,024 characters. */
export const parseUrl = (text: string): URL | undefined => {
  if (hasLongHost(text)) return undefined
  // Not URL.canParse: in Node 20 it rejects ü after some thousand calls.
  try {
    return new URL(text)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
