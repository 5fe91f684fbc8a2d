import { escapeTags } from './add-line.ts'
import { maxQueryCharacters } from './query.ts'

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
