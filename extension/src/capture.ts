import type { ReplicaFields, ReplicaThing } from '../../client/src/index.ts'
import { toNoteHtml } from '../../src/transfer/note-html.ts'
import { readTags } from '../../web/data/edit-form.ts'
import { splitTags } from '../../web/data/item-parts.ts'
import { suggestTags } from '../../web/data/tags.ts'
import { describeUrl, findPageUrl } from '../../web/data/urls.ts'
import type { Capture, MenuClick, Session, Tab } from './platform.ts'

/** Converts selected text to a quotation in a note. */
export const toQuoteHtml = (text: string): string => {
  const paragraphs = toNoteHtml(text)
  return paragraphs === '' ? '' : `<blockquote>${paragraphs}</blockquote>`
}

/** True for the URL of a page that can be opened again on another device. */
const isPageUrl = (url: string): boolean => findPageUrl({ url }) !== undefined

/**
 * Returns a URL as it is stored: as browsers write it, without a text fragment (`:~:`), which only names a passage.
 * Returns text that is no URL as it is.
 */
const cleanUrl = (url: string): string => {
  const trimmed = url.trim()
  if (!URL.canParse(trimmed)) return trimmed
  return new URL(trimmed).href.replace(/:~:.*$/u, '').replace(/#$/u, '')
}

/** Returns the capture of a page, or of a note where the page has no URL for other devices. */
export const captureTab = ({ title = '', url = '' }: Tab): Capture =>
  isPageUrl(url) ? { title: title.trim() || describeUrl(url), url: cleanUrl(url), tags: '', note: '' } : emptyCapture

/** The capture of an empty popup. */
export const emptyCapture: Capture = { title: '', url: '', tags: '', note: '' }

/** The entries of the context menu. */
export type MenuId = 'page' | 'link' | 'selection'

/** A capture by the context menu: `quote` is the selected text. */
export interface MenuCapture extends Capture {
  readonly quote: string
}

/** Returns what a click in the context menu saves; undefined for a link that only this browser can open. */
export const captureMenu = (click: MenuClick, tab: Tab = {}): MenuCapture | undefined => {
  const page = captureTab({ title: tab.title ?? '', url: tab.url ?? click.pageUrl ?? '' })
  const quote = (click.selectionText ?? '').trim()
  if (click.menuItemId === 'link') {
    const url = click.linkUrl ?? ''
    if (!isPageUrl(url)) return undefined
    const title = click.linkText?.trim() || describeUrl(url)
    return { ...emptyCapture, title, url: cleanUrl(url), quote: '' }
  }
  if (click.menuItemId === 'selection') {
    if (quote === '') return undefined
    return page.url === '' ? { ...emptyCapture, title: shorten(quote), quote } : { ...page, quote }
  }
  return page.url === '' ? undefined : { ...page, quote: '' }
}

const maxShortTitle = 80

/** Returns the first line of a text as a title of at most 80 characters. */
export const shorten = (text: string): string => {
  const line = (text.split('\n')[0] ?? '').trim()
  return line.length <= maxShortTitle ? line : `${line.slice(0, maxShortTitle - 1).trimEnd()}…`
}

/** Returns the fields of a new item. A title that is missing comes from the URL, or from the note. */
export const toNewFields = (
  { title, url, tags, note }: Capture,
  quote = '',
): ReplicaFields & { readonly title: string } => {
  const html = `${toQuoteHtml(quote)}${toNoteHtml(note)}`
  const page = cleanUrl(url)
  return {
    title: title.trim() || (page === '' ? shorten(note) : describeUrl(page)),
    tags: readTags(tags).join(' '),
    ...(page === '' ? {} : { url: page }),
    ...(html === '' ? {} : { html }),
  }
}

const appendNote = (html: string, addition: string): ReplicaFields => (addition === '' ? {} : { html: html + addition })

/**
 * Returns the changed fields of an item that the user edits in the popup: title, URL and tags are replaced, and the note
 * is added to the existing one.
 */
export const toChangedFields = (item: ReplicaThing, { title, url, tags, note }: Capture): ReplicaFields => {
  const nextTags = readTags(tags).join(' ')
  const nextUrl = cleanUrl(url)
  const nextTitle = title.trim() || (nextUrl === '' ? item.title : describeUrl(nextUrl))
  return {
    ...(nextTitle === item.title ? {} : { title: nextTitle }),
    ...(nextUrl === cleanUrl(item.url ?? '') ? {} : { url: nextUrl }),
    ...(nextTags === item.tags ? {} : { tags: nextTags }),
    ...appendNote(item.html ?? '', toNoteHtml(note)),
  }
}

/** Returns the changed fields when a page is saved that exists already: tags and notes are added, nothing is lost. */
export const toAddedFields = (item: ReplicaThing, { tags, note }: Capture, quote = ''): ReplicaFields => {
  const own = splitTags(item.tags)
  const all = [...new Set([...own, ...readTags(tags)])]
  return {
    ...(all.length === own.length ? {} : { tags: all.join(' ') }),
    ...(item.archived ? { archived: false } : {}),
    ...appendNote(item.html ?? '', `${toQuoteHtml(quote)}${toNoteHtml(note)}`),
  }
}

/** True when there is nothing to save. */
export const isEmptyCapture = ({ title, url, note }: Capture): boolean => `${title}${url}${note}`.trim() === ''

/** The URL of a server, with the match patterns of its host permission. */
export interface ValidServerUrl extends Pick<Session, 'home' | 'baseUrl'> {
  readonly isValid: true
  readonly origins: readonly string[]
}

/** The server as the user gave it. */
export type ServerUrl =
  | ValidServerUrl
  | { readonly isValid: false; readonly code: 'url_empty' | 'url_invalid' | 'url_insecure' }

const isLoopback = (hostname: string): boolean => ['localhost', '127.0.0.1'].includes(hostname)

/**
 * Reads the URL of a server, as users type it: with or without `https://` and `v1/`. Passwords and tokens travel to it,
 * so it must use https, or be on this computer. `origins` is the match pattern of its host permission.
 */
export const readServerUrl = (text: string): ServerUrl => {
  const typed = text.trim()
  if (typed === '') return { isValid: false, code: 'url_empty' }
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//iu.test(typed)
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?:[:/]|$)/iu.test(typed)
  const whole = hasScheme ? typed : `${isLocal ? 'http' : 'https'}://${typed}`
  if (!URL.canParse(whole)) return { isValid: false, code: 'url_invalid' }
  const url = new URL(whole)
  // Chromium accepts a space in a host name, which Node and Firefox reject.
  const isHost = /^(?:[a-z\d._-]+|\[[a-f\d:.]+\])$/u.test(url.hostname)
  if (!/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '' || !isHost) {
    return { isValid: false, code: 'url_invalid' }
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { isValid: false, code: 'url_insecure' }
  const path = url.pathname.replace(/\/+$/u, '').replace(/\/v1$/u, '')
  const home = `${url.origin}${path}/`
  // Without the port: match patterns of Firefox have none.
  return { isValid: true, home, baseUrl: `${home}v1/`, origins: [`${url.protocol}//${url.hostname}/*`] }
}

/** The word that the user types at the end of the tags. */
const begunTag = /[^\s,]*$/u

/**
 * Suggests known tags for the word at the end of the typed tags, at most `max`; without a begun word, the first known
 * ones. Leaves out the tags that the text has already.
 */
export const suggestNextTags = (typed: string, known: readonly string[], max: number): readonly string[] => {
  const [begun = ''] = readTags(begunTag.exec(typed)?.[0] ?? '')
  return suggestTags(known, begun, new Set(readTags(typed)), max)
}

/** Replaces the begun word at the end of the typed tags with a tag, and adds a space for the next one. */
export const completeTag = (typed: string, tag: string): string => `${typed.replace(begunTag, '')}${tag} `
