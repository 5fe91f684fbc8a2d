import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Desk } from '../data/desk.ts'
import type { Settable } from '../data/observable.ts'
import type { Importer } from '../data/transfer/importer.ts'
import type { Navigation } from './navigation.ts'

/** What all screens of an open account are given. */
export interface Shared {
  readonly desk: Desk
  readonly navigation: Navigation
  readonly preferences: Preferences
  /** A day as rows show it, of Unix time in seconds. */
  readonly formatDay: (seconds: number) => string
  /** The import of this page, which goes on while other screens are shown; made when it is first needed. */
  readonly importer: Settable<Importer | undefined>
}

/** What a person has chosen for this browser. */
export interface Preferences {
  readonly showsImages: boolean
  readonly setLanguage: (code: string) => void
}

/** Hands `Shared` down. */
export const SharedContext = createContext<Shared | undefined>(undefined)

/** What the screens share; only below a `SharedContext`. */
export const useShared = (): Shared => {
  const shared = useContext(SharedContext)
  if (shared === undefined) throw new Error('this part is drawn outside of an open account')
  return shared
}
