import { encodeItem } from '../store/record/store-item.ts'
import type { Store } from '../store/store.ts'
import { listAccountText, type TextParts } from './account-text.ts'
import type { PiecewiseJob } from './piecewise-jobs.ts'

/** The command that begins a copy: of the store as a backup, or of what one user has as our own JSON. */
export interface CopyBegin {
  readonly name: 'copy begin'
  readonly user?: string | undefined
}

/** Some whole parts of a copy. */
export interface CopyPiece {
  readonly text: string
  readonly isLast: boolean
}

// Long enough to be worth a request, short enough that other requests need not wait for it.
const pieceCharacters = 512 * 1024

/** Everything in a store, a JSON line for each item. */
export async function* listStoreText(store: Store): TextParts {
  for await (const item of store.listItems()) yield `${encodeItem(item)}\n`
}

/** Opens a copy. @throws AccountRefused when there is no such user */
export const openCopy = async (store: Store, { user }: CopyBegin): Promise<PiecewiseJob<CopyPiece>> => {
  const parts = user === undefined ? listStoreText(store) : await listAccountText(store, user)
  return {
    next: async () => {
      let text = ''
      while (text.length < pieceCharacters) {
        const { value, done } = await parts.next()
        if (done) return { text, isLast: true }
        text += value
      }
      return { text, isLast: false }
    },
    end: async () => {
      // Releases what the copy holds of the store.
      await parts.return()
      return []
    },
  }
}
