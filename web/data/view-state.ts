import { maxQueryCharacters, type Sort, sorts } from '../search/query.ts'
import { escapeTags } from './add-line.ts'

/** How the list shows its items. */
export interface ListOptions {
  readonly sort: Sort
  readonly hidesDone: boolean
}

/** The options of a list whose URL has none. */
export const defaultListOptions: ListOptions = { sort: 'newest', hidesDone: false }

/** The view that the address bar stores. */
export interface ViewState {
  readonly screen: Screen
  /** The search query. */
  readonly query: string
  /** The ID of the open item. */
  readonly thing?: string
  /** Whether the user is editing the open item. */
  readonly isEditing?: boolean
  /** The line that another program wants to add. */
  readonly added?: string
  /** The line that the bookmarklet or the share target saves in a window of its own. */
  readonly shared?: string
  /** Undefined: the defaults when read from a URL, and the present options in a link to another view. */
  readonly list?: ListOptions
}

/** The screens in the order of the navigation. */
export const navigationScreens = ['things', 'tags', 'recent', 'transfer', 'settings', 'help'] as const

/** On a phone, `more` has links to those that its bar has no room for. */
const screens = [...navigationScreens, 'more'] as const

/** A screen of the app. */
export type Screen = (typeof screens)[number]

const isSort = (name: string | null): name is Sort => (sorts as readonly (string | null)[]).includes(name)

const readListOptions = (parameters: URLSearchParams): ListOptions | undefined => {
  const sort = parameters.get('sort')
  const hidesDone = parameters.get('done') === 'hidden'
  const options = { sort: isSort(sort) ? sort : defaultListOptions.sort, hidesDone }
  return options.sort === defaultListOptions.sort && !hidesDone ? undefined : options
}

const isScreen = (name: string | null): name is Screen => (screens as readonly (string | null)[]).includes(name)

/** Reads a line from the parameters URL, title and text, whose names have this beginning. */
const readLine = (parameters: URLSearchParams, prefix = ''): string => {
  const parts = ['url', 'title', 'text'].map((name) => escapeTags(parameters.get(`${prefix}${name}`) ?? ''))
  return [...new Set(parts.filter((part) => part !== ''))].join(' ')
}

/**
 * Parses the query string of the page's URL. `title`, `text` and `url` are put into the line that adds an item. With the
 * prefix `share_`, the bookmarklet and the share target open a window that saves them. Ignores unknown parameters.
 */
export const readViewState = (search: string): ViewState => {
  const parameters = new URLSearchParams(search)
  const screen = parameters.get('screen')
  const thing = parameters.get('thing')
  const added = readLine(parameters)
  const shared = readLine(parameters, 'share_')
  const list = readListOptions(parameters)
  return {
    screen: isScreen(screen) ? screen : 'things',
    query: (parameters.get('q') ?? '').slice(0, maxQueryCharacters),
    ...(thing ? { thing } : {}),
    ...(thing && parameters.has('edit') ? { isEditing: true } : {}),
    ...(added === '' ? {} : { added }),
    ...(shared === '' ? {} : { shared }),
    ...(list === undefined ? {} : { list }),
  }
}

/** Writes a view as a query string; '' for the start view. Omits the lines of other programs, so that a reload adds nothing. */
export const writeViewState = ({ screen, query, thing, isEditing, list = defaultListOptions }: ViewState): string => {
  const parameters = new URLSearchParams()
  if (screen !== 'things') parameters.set('screen', screen)
  if (query !== '') parameters.set('q', query)
  if (thing !== undefined) parameters.set('thing', thing)
  if (thing !== undefined && isEditing === true) parameters.set('edit', '')
  if (list.sort !== defaultListOptions.sort) parameters.set('sort', list.sort)
  if (list.hidesDone) parameters.set('done', 'hidden')
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
