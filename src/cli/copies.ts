import { randomUUID } from 'node:crypto'
import { AccountRefused } from '../accounts/account-refused.ts'
import { encodeItem } from '../store/record/store-item.ts'
import { type Store, StoreFailed } from '../store/store.ts'
import { listAccountText, type TextParts } from './account-text.ts'

/** A command that copies the store, or what one user has, piece by piece, as JSON: a copy is longer than any answer may be. */
export type CopyCommand =
  | { readonly name: 'copy begin' }
  | { readonly name: 'copy user'; readonly user: string }
  | { readonly name: 'copy next' | 'copy end'; readonly copy: string }

/** True for a command about a copy. */
export const isCopyCommand = (command: { readonly name: string }): command is CopyCommand =>
  command.name === 'copy begin' ||
  command.name === 'copy user' ||
  command.name === 'copy next' ||
  command.name === 'copy end'

/** What a copy command gives: its name, some whole lines of it, that it is given up, or a sentence why not. */
export type CopyOutcome =
  | { readonly copy: string }
  | { readonly text: string; readonly isLast: boolean }
  | { readonly ended: true }
  | { readonly refused: string }

/** The copies that other processes are taking of one store. */
export interface Copies {
  readonly run: (command: CopyCommand) => Promise<CopyOutcome>
}

// Long enough to be worth a question, short enough that requests need not wait for it.
const pieceCharacters = 512 * 1024
const patienceMilliseconds = 60_000
const maxCopies = 4

/** Everything in a store, a JSON line for each item. */
export async function* listStoreText(store: Store): TextParts {
  for await (const item of store.listItems()) yield `${encodeItem(item)}\n`
}

/** The next parts, as many as make a piece. */
export async function takePiece(items: TextParts): Promise<{ readonly text: string; readonly isLast: boolean }> {
  let text = ''
  while (text.length < pieceCharacters) {
    const { value, done } = await items.next()
    if (done) return { text, isLast: true }
    text += value
  }
  return { text, isLast: false }
}

/** No copy is being taken. One that nobody goes on with for a minute is dropped. */
export function createCopies(store: Store): Copies {
  const running = new Map<string, { readonly items: TextParts; readonly timer: NodeJS.Timeout }>()

  const drop = (copy: string): TextParts | undefined => {
    const found = running.get(copy)
    clearTimeout(found?.timer)
    running.delete(copy)
    return found?.items
  }
  const keep = (copy: string, items: TextParts): void => {
    const timer = setTimeout(() => void running.delete(copy), patienceMilliseconds).unref()
    running.set(copy, { items, timer })
  }

  const run: Copies['run'] = async (command) => {
    if (command.name === 'copy begin' || command.name === 'copy user') {
      if (running.size >= maxCopies)
        return {
          refused: `${maxCopies} copies are being made already; wait for one (one that was killed is forgotten within a minute)`,
        }
      const copy = randomUUID()
      keep(copy, command.name === 'copy user' ? await listAccountText(store, command.user) : listStoreText(store))
      return { copy }
    }
    const items = drop(command.copy)
    if (command.name === 'copy end') {
      // What it holds of the store is let go.
      await items?.return()
      return { ended: true }
    }
    if (items === undefined) return { refused: 'the server was restarted while the copy was made; run it again' }
    const piece = await takePiece(items)
    if (!piece.isLast) keep(command.copy, items)
    return piece
  }

  return {
    run: async (command) => {
      try {
        return await run(command)
      } catch (error) {
        if (error instanceof AccountRefused) return { refused: error.sentence }
        if (error instanceof StoreFailed) return { refused: error.message }
        throw error
      }
    },
  }
}
