/** Longer ones come from nobody's pages. */
const mostCharacters = 16_384

/**
 * A path of ours to go on to, with its query: never an address that a browser would take for another host (`//`, `/\`,
 * control characters that it drops), and nothing that climbs. Undefined for anything else.
 */
export const readOwnPath = (given: string | undefined): string | undefined => {
  if (given === undefined || given.length > mostCharacters) return undefined
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(given) || given.includes('\\') || given.includes('#')) return undefined
  const origin = 'http://own.invalid'
  const url = new URL(given, origin)
  return url.origin === origin && `${url.pathname}${url.search}` === given && !url.pathname.includes('//')
    ? given
    : undefined
}
