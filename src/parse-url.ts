// Browsers and libraries take longer ones, but no name server knows a host of more than 253 characters.
const maxHostLength = 1_024

/**
 * True when the host is too long to be parsed: other characters than those of ASCII are encoded with Punycode (RFC 3492),
 * which takes quadratic time. Only the schemes that the URL Standard calls special have such a host.
 */
const hasLongHost = (text: string): boolean => {
  if (text.length <= maxHostLength) return false
  // The parser drops these wherever they stand.
  const bare = text.replace(/[\t\n\r]/g, '')
  const [, authority = ''] = /^[\0- ]*(?:https?|wss?|ftp|file):[/\\]*([^/\\?#]*)/i.exec(bare) ?? []
  return authority.length - (authority.lastIndexOf('@') + 1) > maxHostLength
}

/** The parts of an absolute address, or undefined where it is none, or its host has more than 1,024 characters. */
export const parseUrl = (text: string): URL | undefined => {
  if (hasLongHost(text)) return undefined
  // Not URL.canParse: in Node 20 it takes ü for an error once it has been called some thousand times.
  try {
    return new URL(text)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}
