import type { IncomingHttpHeaders } from 'node:http'
import { Tokenizer } from 'htmlparser2'
import { parseUrl } from '../parse-url.ts'

/** What a page says about itself. Each text is one line of well-formed Unicode; what the page does not say is absent. */
export interface PageDetails {
  /** At most 1,000 characters. */
  readonly title?: string
  /** At most 2,000 characters. */
  readonly description?: string
  /** An absolute http or https URL without user name, at most 2,048 characters. */
  readonly canonicalUrl?: string
  /** At most 200 characters. */
  readonly siteName?: string
}

/** Characters of each text; longer texts are cut, a longer URL is left out. */
const maxLengths = { title: 1_000, description: 2_000, canonicalUrl: 2_048, siteName: 200 } as const

/** Reads a page piece by piece, in constant memory. */
export interface PageParser {
  /** False when the headers say everything. */
  readonly needsBody: boolean
  /** Takes the next bytes. Returns false when nothing that follows can matter. */
  readonly write: (bytes: Uint8Array) => boolean
  /** Ends the page, wherever it stands, and returns what it says. */
  readonly end: () => PageDetails
}

/**
 * Creates a parser of a page with this URL and these headers. HTML is parsed; nothing of it is executed. Any other
 * content has the name of its file as title: from Content-Disposition, or the end of the URL where that looks like a
 * name with an extension.
 */
export const createPageParser = (url: URL, headers: IncomingHttpHeaders): PageParser => {
  const [mediaType = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim())
  const linked = findCanonicalLink(headers.link)
  if (!/^(text\/html|application\/xhtml\+xml|)$/i.test(mediaType)) {
    const details = describe({ title: [findFileName(url, headers)], canonicalUrl: [linked] }, url)
    return { needsBody: false, write: () => false, end: () => details }
  }
  const charset = parameters.flatMap((part) => /^charset\s*=\s*"?([^"\s]+)/i.exec(part)?.[1] ?? [])[0]
  const text = createTextDecoder(charset)
  const html = createHtmlReader()
  return {
    needsBody: true,
    write: (bytes) => {
      html.write(text.decode(bytes))
      return !html.isComplete()
    },
    end: () => {
      html.write(text.end())
      html.end()
      const { found, base } = html
      return describe({ ...found, canonicalUrl: [...found.canonicalUrl, linked] }, resolveUrl(base, url) ?? url)
    },
  }
}

/** The candidates for each detail, the best first. */
type Candidates = { readonly [Name in keyof PageDetails]?: readonly (string | undefined)[] }

const describe = (candidates: Candidates, base: URL): PageDetails => {
  const title = findText(candidates.title, maxLengths.title)
  const description = findText(candidates.description, maxLengths.description)
  const siteName = findText(candidates.siteName, maxLengths.siteName)
  const canonicalUrl = candidates.canonicalUrl?.map((text) => resolveUrl(text, base)?.href).find((href) => href)
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(canonicalUrl !== undefined && { canonicalUrl }),
    ...(siteName !== undefined && { siteName }),
  }
}

const findText = (candidates: Candidates['title'], maxLength: number): string | undefined =>
  candidates?.map((text) => cleanText(text ?? '', maxLength)).find((text) => text !== '')

/** Joins lines and spaces, drops control characters and marks that turn the direction of text, and cuts the text. */
const cleanText = (text: string, maxLength: number): string => {
  const line = text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  // Not between the halves of a surrogate pair.
  const cut = line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, '')}…`
  // A copy, with U+FFFD for lone surrogates. A part of a string would keep the whole piece of the page in memory.
  return Buffer.from(cut).toString()
}

/** Resolves a URL of the page. Undefined for any that a user could not open, or that hides another host. */
const resolveUrl = (text: string | undefined, base: URL): URL | undefined => {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '' || trimmed.length > maxLengths.canonicalUrl) return undefined
  const url = parseUrl(trimmed) ?? joinUrl(trimmed, base)
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return undefined
  return url.href.length > maxLengths.canonicalUrl ? undefined : url
}

const joinUrl = (text: string, base: URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** Finds the target of `Link: <…>; rel="canonical"` (RFC 8288). */
const findCanonicalLink = (header: string | readonly string[] | undefined): string | undefined =>
  [header ?? []]
    .flat()
    .flatMap((line) => line.split(/,\s*(?=<)/))
    .map((link) => /^\s*<([^>]*)>.*;\s*rel\s*=\s*"?canonical\b/i.exec(link)?.[1])
    .find((target) => target !== undefined)

/** Finds the name of a file: of Content-Disposition (RFC 6266), or the end of a URL that looks like one. */
const findFileName = ({ pathname }: URL, headers: IncomingHttpHeaders): string | undefined => {
  const disposition = headers['content-disposition'] ?? ''
  const encoded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1]
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(disposition) ?? []
  const named = decodePercent(encoded) ?? readHeaderText(quoted?.replace(/\\(.)/g, '$1') ?? plain)
  const last = decodePercent(pathname.slice(pathname.lastIndexOf('/') + 1))
  return named?.replace(/^.*[/\\]/s, '') || (/[^.]\.\w{1,8}$/.test(last ?? '') ? last : undefined)
}

const decodePercent = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Servers send UTF-8 in headers, which Node reads as latin1. */
const readHeaderText = (text: string | undefined): string | undefined => {
  if (text === undefined) return undefined
  const utf8 = Buffer.from(text, 'latin1').toString('utf8')
  return utf8.includes('\ufffd') ? text : utf8
}

/** The bytes in which a page may declare its charset. The HTML standard says 1,024, and many pages need more. */
const prescanBytes = 4_096

/** Decodes the bytes of a page. */
interface TextReader {
  /** Returns the next part of the text; at first it waits for enough bytes to know the charset. */
  readonly decode: (bytes: Uint8Array) => string
  /** Returns the rest of the text. */
  readonly end: () => string
}

/**
 * Creates a decoder that finds the charset by the BOM, the header, or `<meta>`, in this order (Encoding Standard; HTML,
 * "determining the character encoding"). Without any of them it is UTF-8 where the bytes are valid UTF-8, otherwise
 * windows-1252.
 */
const createTextDecoder = (charset: string | undefined): TextReader => {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let decoder: TextDecoder | undefined
  const begin = (): string => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    decoder = findByteOrderMark(bytes) ?? createDecoder(charset) ?? findMetaCharset(bytes) ?? guessDecoder(bytes)
    return decoder.decode(bytes, { stream: true })
  }
  return {
    decode: (bytes) => {
      if (decoder !== undefined) return decoder.decode(bytes, { stream: true })
      // A copy: the stream may use its buffer again.
      waiting.push(bytes.slice())
      waitingBytes += bytes.length
      return waitingBytes < prescanBytes ? '' : begin()
    },
    end: () => (decoder === undefined ? begin() : '') + (decoder?.decode() ?? ''),
  }
}

/** Creates a decoder for a label of the Encoding Standard, such as `Shift_JIS`. Undefined for an unknown label. */
const createDecoder = (label: string | undefined): TextDecoder | undefined => {
  if (label === undefined) return undefined
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const findByteOrderMark = ([first, second, third]: Uint8Array): TextDecoder | undefined => {
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8')
  if (first === 0xfe && second === 0xff) return createDecoder('utf-16be')
  return first === 0xff && second === 0xfe ? new TextDecoder('utf-16le') : undefined
}

const findMetaCharset = (bytes: Buffer): TextDecoder | undefined => {
  const text = bytes.toString('latin1', 0, prescanBytes)
  const label = /<meta\s[^<>]*?\bcharset\s*=["'\s]*([\w:.-]+)/i.exec(text)?.[1]
  // The declaration was readable as ASCII, so the page is not UTF-16.
  return createDecoder(label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label)
}

const guessDecoder = (bytes: Uint8Array): TextDecoder => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return new TextDecoder('utf-8')
  } catch (error) {
    if (error instanceof TypeError) return new TextDecoder('windows-1252')
    throw error
  }
}

/** The attributes that are read, of the tags that are read. */
const readAttributes: Readonly<Record<string, ReadonlySet<string>>> = {
  meta: new Set(['name', 'property', 'itemprop', 'content']),
  link: new Set(['rel', 'type', 'href', 'title']),
  base: new Set(['href']),
  script: new Set(['type']),
  title: new Set(),
}

/** The lengths of the names that are read: `svg` to `property`. */
const [minNameLength, maxNameLength] = [3, 8]
const maxValueLength = 4_096
/** Twice as long as the title that is returned, because spaces are joined. */
const maxTitleLength = 2_000
/** Of the tags that are read. Pages have less than a hundred before their body, and scripts in it. */
const maxTags = 1_000
const maxJsonLength = 65_536
const maxJsonBlocks = 4

/** Reads the tags of a page that describe it. */
interface HtmlReader {
  readonly write: (text: string) => void
  readonly end: () => void
  /** True when each detail has its best candidate; in the body already when there are a title and a description. */
  readonly isComplete: () => boolean
  readonly found: Record<keyof PageDetails, (string | undefined)[]>
  /** `href` of the first `<base>`. */
  readonly base: string | undefined
}

/** A tag that is open now, with the attributes of `readAttributes`. */
interface OpenTag {
  readonly name: string
  readonly attributes: Record<string, string>
}

/** The places where a page may state a detail, the best first. */
const sources = {
  title: ['tag title', 'og:title', 'twitter:title', 'json title', 'oembed title'],
  description: ['description', 'og:description', 'twitter:description', 'json description'],
  canonicalUrl: ['link canonical', 'og:url', 'json url'],
  siteName: ['og:site_name', 'application-name', 'json site'],
} as const satisfies Record<keyof PageDetails, readonly string[]>

const knownSources: ReadonlySet<string> = new Set(Object.values(sources).flat())

/**
 * Creates a reader of HTML. It uses the tokenizer and not the parser of htmlparser2: the list of open tags and all
 * attributes, which hostile pages make long, would take memory and quadratic time.
 */
const createHtmlReader = (): HtmlReader => {
  const values = new Map<string, string>()
  let base: string | undefined
  let tag: OpenTag | undefined
  let attribute: string | undefined
  /** The text of the open `<title>`, or of a script with JSON-LD. */
  let collected: { readonly name: string; readonly maxLength: number; text: string } | undefined
  let isInBody = false
  let readTags = 0
  let jsonBlocks = 0
  let foreignDepth = 0
  const slices = createSlices()

  const keep = (name: string, value: string | undefined): void => {
    if (value !== undefined && value.trim() !== '' && knownSources.has(name) && !values.has(name))
      values.set(name, value)
  }
  const append = (text: string): void => {
    if (collected !== undefined) collected.text += text
  }
  const appendValue = (text: string): void => {
    if (tag !== undefined && attribute !== undefined)
      tag.attributes[attribute] = (tag.attributes[attribute] ?? '') + text
  }
  // Most text of a page is not needed: these say so before it is copied.
  const takesText = (): boolean => collected !== undefined && collected.text.length < collected.maxLength
  const takesValue = (): boolean =>
    tag !== undefined && attribute !== undefined && (tag.attributes[attribute] ?? '').length < maxValueLength
  const finish = (): void => {
    if (collected?.name === 'title') keep('tag title', collected.text)
    if (collected?.name === 'script' && collected.text.length < maxJsonLength) {
      for (const [name, value] of readJsonLd(collected.text)) keep(name, value)
    }
    collected = undefined
  }
  const openTag = (): void => {
    if (tag === undefined) return
    const { name, attributes } = tag
    if (name === 'meta') {
      for (const key of [attributes.name, attributes.property, attributes.itemprop]) {
        if (key !== undefined) keep(key.trim().toLowerCase(), attributes.content)
      }
    } else if (name === 'link') readLink(attributes)
    else if (name === 'base') base ??= attributes.href
    else if (name === 'title' && foreignDepth === 0) collected = { name, maxLength: maxTitleLength, text: '' }
    else if (/^application\/ld\+json\b/i.test(attributes.type?.trim() ?? '') && jsonBlocks++ < maxJsonBlocks) {
      collected = { name, maxLength: maxJsonLength, text: '' }
    }
    tag = undefined
  }
  const readLink = ({ rel = '', type = '', href, title }: Record<string, string>): void => {
    const relations = rel.toLowerCase().split(/\s+/)
    if (relations.includes('canonical')) keep('link canonical', href)
    if (relations.includes('alternate') && /^\s*(application|text)\/(json|xml)\+oembed\b/i.test(type)) {
      keep('oembed title', title)
    }
  }

  /** Returns a name in small letters, and an empty text for a name of a length that is not read. */
  const readName = (start: number, end: number): string =>
    end - start < minNameLength || end - start > maxNameLength ? '' : slices.read(start, end).toLowerCase()

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, end) => {
        if (takesText()) append(slices.read(start, end))
        slices.forgetBefore(end)
      },
      ontextentity: (codePoint) => {
        if (takesText()) append(String.fromCodePoint(codePoint))
      },
      onopentagname: (start, end) => {
        finish()
        const name = readName(start, end)
        slices.forgetBefore(end)
        if (name === 'body') isInBody = true
        if (name === 'svg' || name === 'math') foreignDepth++
        const isRead = Object.hasOwn(readAttributes, name) && readTags++ < maxTags
        tag = isRead ? { name, attributes: {} } : undefined
      },
      onattribname: (start, end) => {
        const name = tag === undefined ? '' : readName(start, end)
        slices.forgetBefore(end)
        // Of an attribute that stands there twice, the first counts.
        const isKnown = tag !== undefined && readAttributes[tag.name]?.has(name) && !Object.hasOwn(tag.attributes, name)
        attribute = isKnown ? name : undefined
      },
      onattribdata: (start, end) => {
        if (takesValue()) appendValue(slices.read(start, end))
        slices.forgetBefore(end)
      },
      onattribentity: (codePoint) => {
        if (takesValue()) appendValue(String.fromCodePoint(codePoint))
      },
      onattribend: () => {
        attribute = undefined
      },
      onopentagend: openTag,
      onselfclosingtag: openTag,
      onclosetag: (start, end) => {
        finish()
        const name = readName(start, end)
        slices.forgetBefore(end)
        if (name === 'svg' || name === 'math') foreignDepth = Math.max(0, foreignDepth - 1)
      },
      oncomment: (_start, end) => slices.forgetBefore(end),
      oncdata: (_start, end) => slices.forgetBefore(end),
      ondeclaration: (_start, end) => slices.forgetBefore(end),
      onprocessinginstruction: (_start, end) => slices.forgetBefore(end),
      onend: finish,
    },
  )
  const findAll = (names: readonly string[]) => names.map((name) => values.get(name))
  return {
    write: (text) => {
      slices.add(text)
      tokenizer.write(text)
    },
    end: () => tokenizer.end(),
    isComplete: () =>
      isInBody
        ? [sources.title, sources.description].every((names) => names.some((name) => values.has(name)))
        : Object.values(sources).every(([best]) => values.has(best)),
    get found() {
      return {
        title: findAll(sources.title),
        description: findAll(sources.description),
        canonicalUrl: findAll(sources.canonicalUrl),
        siteName: findAll(sources.siteName),
      }
    },
    get base() {
      return base
    },
  }
}

/** The tokenizer refers to earlier pieces only for tokens that it has not ended. Those that matter are shorter. */
const maxHeldLength = 1_024

/**
 * Holds the part of the text to which the tokenizer can still refer. Its indices count from the beginning of the page,
 * and grow. A long comment, which nobody reads, is not held.
 */
const createSlices = () => {
  let held = ''
  let offset = 0
  /** Nothing before it is read again. */
  let needed = 0
  return {
    add: (text: string): void => {
      const end = offset + held.length
      const start = Math.min(end, Math.max(needed, end - maxHeldLength))
      held = held.slice(start - offset) + text
      offset = start
    },
    forgetBefore: (start: number): void => {
      needed = start
    },
    /** Reads a part of the text. A part that begins before the held text is too long to matter, and is empty. */
    read: (start: number, end: number): string => (start < offset ? '' : held.slice(start - offset, end - offset)),
  }
}

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined }
type JsonObject = { readonly [name: string]: Json | undefined }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const maxJsonNodes = 50

/** Types of JSON-LD whose name is no title of the page. */
const otherTypes = /^(Organization|NewsMediaOrganization|Person|Place|ImageObject|BreadcrumbList|ItemList|WebSite)$/

/** A block with more values would take much memory, and describe more than a page. */
const maxJsonValues = 5_000

/** True if a text can have more values than allowed. Commas in its strings count, so that it is not parsed for this. */
const hasManyValues = (text: string): boolean => {
  let count = 0
  for (let index = 0; index < text.length && count <= maxJsonValues; index++) {
    if ('[{,'.includes(text.charAt(index))) count++
  }
  return count > maxJsonValues
}

/** Reads details from a block of JSON-LD (schema.org). A block that is no JSON, or a long list, has none. */
const readJsonLd = (text: string): readonly (readonly [name: string, value: string | undefined])[] => {
  const root = hasManyValues(text) ? undefined : parseJson(text)
  const nodes = [root ?? []]
    .flat()
    .flatMap((node) => (isObject(node) && Array.isArray(node['@graph']) ? node['@graph'] : [node]))
    .filter(isObject)
    .slice(0, maxJsonNodes)
  const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : undefined)
  const typesOf = ({ '@type': type }: JsonObject) => [type ?? []].flat().map(String)
  const pages = nodes.filter((node) => !typesOf(node).some((type) => otherTypes.test(type)))
  const sites = nodes.filter((node) => typesOf(node).includes('WebSite'))
  return [
    ...pages.map((node) => ['json title', textOf(node.headline) ?? textOf(node.name)] as const),
    ...pages.map((node) => ['json description', textOf(node.description)] as const),
    ...pages.map((node) => ['json url', textOf(node.url)] as const),
    ...sites.map((node) => ['json site', textOf(node.name)] as const),
    ...pages.map(({ publisher }) => ['json site', isObject(publisher) ? textOf(publisher.name) : undefined] as const),
  ]
}

const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
