// URLs: which are safe to open, and which are the same page.

import type { Row } from './item-parts.ts'

/** More than the longest host that resolves, with every character percent-encoded. */
const maxHostCharacters = 1_000

/** Matches the authority (RFC 3986), credentials included. `mailto:` and `tel:` URLs have no authority. */
const authorityPattern = /^[^:/\\?#]*:[/\\\s]*([^/\\?#]*)/u
const noHostPattern = /^\s*(?:mailto|tel):/iu

// Browsers convert a host with non-ASCII letters to Punycode in quadratic time.
const hasLongHost = (url: string): boolean =>
  url.length > maxHostCharacters &&
  !noHostPattern.test(url) &&
  (authorityPattern.exec(url)?.[1]?.length ?? 0) > maxHostCharacters

/** Parses a URL that is safe to open (http, https, mailto, tel); undefined for `javascript:` and all others. */
export const readSafeUrl = (text: string | undefined): URL | undefined => {
  if (text === undefined || hasLongHost(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url : undefined
}

/** Returns the URL of the page that the title of an item opens; undefined without a web page. */
export const findPageUrl = (row: Pick<Row, 'url'>): URL | undefined => {
  const url = readSafeUrl(row.url)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined
}

const decodePart = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return text
  }
}

/** More than any path that says something to a user. */
const maxDescribedCharacters = 2_000

/**
 * Describes a web URL for a list, until the title of its page is known: "things.example – some article", from the host
 * and the last part of the path that has words. Returns other text as it is.
 */
export const describeUrl = (text: string): string => {
  const url = text.length > maxDescribedCharacters ? undefined : findPageUrl({ url: text })
  if (url === undefined) return text
  const site = url.host.replace(/^www\./u, '')
  const name = url.pathname
    .split('/')
    .map((part) => decodePart(part).replace(/\.(?:html?|php|aspx?)$/iu, ''))
    .filter((part) => /\p{L}{2}/u.test(part))
    .at(-1)
    ?.replaceAll(/[-_+]+/gu, ' ')
    .trim()
  return name === undefined || name === '' ? site : `${site} – ${name}`
}

/** Parameters that only say where a visitor came from. */
const trackingPattern = /^(?:utm_.*|fbclid|gclid|msclkid|mc_cid|mc_eid)$/iu

/**
 * Converts a URL to a form that is equal for URLs of the same page: without scheme, `www.`, fragment, parameters of
 * campaigns and a slash at the end. A fragment that is a route of the page (`#/…` or `#!…`) stays. Undefined for text
 * that is no web URL.
 */
export const normalizeUrl = (text: string): string | undefined => {
  const url = readSafeUrl(text)
  if (url === undefined || !/^https?:$/u.test(url.protocol)) return undefined
  const kept = [...url.searchParams].filter(([name]) => !trackingPattern.test(name))
  // Written again only after a removal, because that changes the encoding.
  if (kept.length < url.searchParams.size) url.search = new URLSearchParams(kept).toString()
  const route = /^#[/!]/u.test(url.hash) ? url.hash : ''
  // A pattern for the slashes at the end would take quadratic time.
  let end = url.pathname.length
  while (url.pathname.charAt(end - 1) === '/') end--
  return `${url.host.replace(/^www\./u, '')}${url.pathname.slice(0, end)}${url.search}${route}`
}

/** Matches the host of a plain web URL; others are parsed. */
const hostPattern = /^https?:\/\/(?:www\.)?([a-z\d.-]+)(?:[:/?#]|$)/iu

/**
 * Finds the newest item for each of these texts that is the URL of the same page, by text. Archived items count. Reads
 * the rows once.
 */
export const findKnownUrls = (rows: Iterable<Row>, texts: readonly string[]): ReadonlyMap<string, Row> => {
  const wanted = texts.map((text) => [text, normalizeUrl(text)] as const)
  const pages = new Set(wanted.flatMap(([, page]) => page ?? []))
  const newest = new Map<string, Row>()
  if (pages.size === 0) return newest
  const hosts = new Set([...pages].map((page) => /^[^:/?#]*/u.exec(page)?.[0]))
  for (const row of rows) {
    if (row.url === undefined) continue
    // Parsing each URL of a large account would take too long.
    const host = hostPattern.exec(row.url)?.[1]?.toLowerCase()
    if (host !== undefined && !hosts.has(host)) continue
    const page = normalizeUrl(row.url)
    if (page !== undefined && pages.has(page) && row.date >= (newest.get(page)?.date ?? row.date)) newest.set(page, row)
  }
  return new Map(
    wanted.flatMap(([text, page]) => {
      const row = page === undefined ? undefined : newest.get(page)
      return row === undefined ? [] : [[text, row]]
    }),
  )
}
