import { maxQueryCharacters } from '../search/query.ts'

/** What one typed line says of a new thing. */
interface AddedLine {
  readonly title: string
  /** Space-separated, each once (interface 2.1). */
  readonly tags: string
  readonly url?: string
}

const urlPattern = /^(?:https?:\/\/[^\s/]\S*|www\.[^\s.]+\.\S+)$/iu
const tagPattern = /^#[^\s#]\S*$/u

/**
 * Reads a line that a person typed or pasted: its first address, `#tag`s, and what is left as the title; a backslash
 * before `#` is taken away, and the word stays in the title. The address is the title of a thing without one. Undefined
 * when only tags, or nothing, were typed.
 */
export const readAddLine = (line: string): AddedLine | undefined => {
  const words: string[] = []
  const tags = new Set<string>()
  let url: string | undefined
  for (const word of line.split(/\s+/u)) {
    if (word === '') continue
    if (tagPattern.test(word)) tags.add(word.slice(1))
    else if (url === undefined && urlPattern.test(word)) url = /^www\./iu.test(word) ? `https://${word}` : word
    else words.push(/^\\+#/u.test(word) ? word.slice(1) : word)
  }
  const title = words.join(' ') || url
  if (title === undefined) return undefined
  return { title, tags: [...tags].join(' '), ...(url === undefined ? {} : { url }) }
}

/** Writes what another program says of a page so that `readAddLine` makes no tags of it: tags are what a person types. */
export const escapeTags = (text: string): string =>
  text
    .trim()
    .split(/\s+/u)
    .map((word) => (/^\\*#/u.test(word) ? `\\${word}` : word))
    .join(' ')

/** No host that a resolver takes has more, with each of its characters in percent signs. */
const maxHostCharacters = 1_000

/** The part with the host, credentials included. An address of mail or of a telephone has none. */
const hostPattern = /^[^:/\\?#]*:[/\\\s]*([^/\\?#]*)/u
const withoutHost = /^\s*(?:mailto|tel):/iu

/** A long host of letters beyond ASCII is written in others, in a time that grows with the square of its length. */
const hasLongHost = (address: string): boolean =>
  address.length > maxHostCharacters &&
  !withoutHost.test(address) &&
  (hostPattern.exec(address)?.[1]?.length ?? 0) > maxHostCharacters

/** The address as one that may be opened by a click; undefined for `javascript:` and all else that is no page. */
export const readSafeUrl = (address: string | undefined): URL | undefined => {
  if (address === undefined || hasLongHost(address) || !URL.canParse(address)) return undefined
  const url = new URL(address)
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url : undefined
}

/** The line in the field, and those that wait to be added, the oldest first. */
export interface AddLines {
  readonly line: string
  readonly waiting: readonly string[]
}

/** What is shared comes into the field as it is; what stood there is set aside. What is there already comes no second time. */
export const takeShared = ({ line, waiting }: AddLines, shared: string): AddLines => {
  const others = [...waiting, line].filter((other) => other.trim() !== '' && other !== shared)
  return { line: shared, waiting: [...new Set(others)] }
}

/** Takes the oldest line that waits into the field; what stood there waits in its place, behind the others. */
export const takeWaiting = ({ line, waiting }: AddLines): AddLines => {
  const [oldest, ...others] = waiting
  return oldest === undefined ? { line, waiting } : takeShared({ line, waiting: others }, oldest)
}

/** Removes the oldest line that waits, which the person does not want any more. */
export const dropWaiting = ({ line, waiting }: AddLines): AddLines => ({ line, waiting: waiting.slice(1) })

/** The lines that wait, as one draft; a line of a field has no line end in it. */
export const writeWaiting = (waiting: readonly string[]): string => waiting.join('\n')

/** Reads what `writeWaiting` has written. */
export const readWaiting = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** What is on the screen, as the address bar holds it. */
export interface ViewState {
  readonly screen: Screen
  /** What is typed in the search. */
  readonly query: string
  /** The thing that is open. */
  readonly thing?: string
  /** Whether it is being edited. */
  readonly isEditing?: boolean
  /** What another program shared, to be added. */
  readonly added?: string
}

const screens = ['things', 'tags', 'recent', 'help', 'settings', 'transfer'] as const

/** A screen of the app. */
export type Screen = (typeof screens)[number]

const isScreen = (name: string | null): name is Screen => (screens as readonly (string | null)[]).includes(name)

/**
 * Reads the query string of the address. A share target and a bookmarklet fill `title`, `text` and `url`; they become one
 * line to be added. What it does not know is left out of account.
 */
export const readViewState = (search: string): ViewState => {
  const parameters = new URLSearchParams(search)
  const screen = parameters.get('screen')
  const thing = parameters.get('thing')
  const shared = ['url', 'title', 'text']
    .map((name) => escapeTags(parameters.get(name) ?? ''))
    .filter((part) => part !== '')
  const added = [...new Set(shared)].join(' ')
  return {
    screen: isScreen(screen) ? screen : 'things',
    query: (parameters.get('q') ?? '').slice(0, maxQueryCharacters),
    ...(thing ? { thing } : {}),
    ...(thing && parameters.has('edit') ? { isEditing: true } : {}),
    ...(added === '' ? {} : { added }),
  }
}

/** The query string for a view; '' for the first one. What was shared is not in it, so that a reload adds nothing. */
export const writeViewState = ({ screen, query, thing, isEditing }: ViewState): string => {
  const parameters = new URLSearchParams()
  if (screen !== 'things') parameters.set('screen', screen)
  if (query !== '') parameters.set('q', query)
  if (thing !== undefined) parameters.set('thing', thing)
  if (thing !== undefined && isEditing === true) parameters.set('edit', '')
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
